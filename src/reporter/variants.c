/* variants.c -- names of checkpoints, and groups of those that are stored in several ways. */
#include "reporter/variants.h"

#include "base/names.h"
#include "base/num.h"
#include "base/number.h"
#include "base/text.h"
#include "source/folder.h"

#include <stdlib.h>

enum { LONGEST = 256 }; /* of a name */

/* ---- names -------------------------------------------------------------------------------- */

/* "q4", "iq2", "4bit", "w4a16", "int8", "fp8": a letter or two and digits, and the like. */
static bool is_width(numel_str word)
{
    static const char *const starts[] = { "iq", "q", "w", "int", "fp", "f", "bf", "tq" };
    numel_str rest = word;
    while (number_is_digit(text_first(rest))) rest = text_from(rest, 1);
    if (rest.n < word.n && (text_equal(rest, "bit") || text_equal(rest, "bits") || text_equal(rest, "bpw")))
        return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        rest = word;
        if (!text_take_start(&rest, starts[i]) || !number_is_digit(text_first(rest))) continue;
        while (number_is_digit(text_first(rest)) || (starts[i][0] == 'w' && text_first(rest) == 'a'))
            rest = text_from(rest, 1);
        if (!rest.n) return true;
    }
    return false;
}

/* Does the word tell how a model is stored? */
static bool is_storage(numel_str word)
{
    static const char words[] =
        "gguf ggml awq gptq mlx exl2 exl3 bnb nf4 hf st safetensors pytorch imat imatrix i1 ud "
        "quantized quant dynamic mxfp4 nvfp4 latest head zst bin pth pt ckpt float16 bfloat16 "
        "float32 half compressed";
    return is_width(word) || text_lists(text_of(words), word);
}

/* The K and M of Q4_K_M, the 0 of Q8_0: only behind a width. */
static bool is_after_width(numel_str word) { return text_lists(text_of("k m s l xs xl xxs nl 0 1"), word); }

/* Names that many models have. */
static bool is_general(numel_str name)
{
    static const char words[] =
        "model models main test weights checkpoint checkpoints final output outputs merged consolidated "
        "pytorch_model pytorch-model diffusion-pytorch-model adapter-model snapshots blobs llama gguf-model "
        "default "
        "unknown none null hub tmp temp data download downloads base";
    bool letter = false;
    for (size_t i = 0; i < name.n; i++) letter |= name.p[i] >= 'a' && name.p[i] <= 'z';
    return name.n < 4 || !letter || text_lists(text_of(words), name);
}

static numel_str last_word(numel_str name)
{
    numel_str x = text_after(name, '-'), y = text_after(name, '.');
    return x.n < y.n ? x : y;
}

/* Cuts words of storage and the numbers of shards off its end. */
static numel_str strip(numel_str name)
{
    for (;;) {
        numel_str word = last_word(name), left = text_less(name, word.n + 1), before = last_word(left);
        bool shard = word.n >= 5 && text_is_number(word), of = text_equal(word, "of");
        bool width = is_after_width(word) && (is_width(before) || text_equal(before, "k"));
        if (!left.n || (!shard && !of && !width && !is_storage(word))) return name;
        name = left;
    }
}

bool variant_name(numel_str text, struct arena *a, numel_str *out, numel_error *e)
{
    numel_str name = text_after(text, '/');
    if (name.n > LONGEST) name.n = 0; /* longer than any name */
    char *own = arena_text(a, name.p ? name.p : "", name.n);
    if (!own) return error_nomem(e);
    numel_str lower = text_lower(own, name.n, name);
    for (size_t i = 0; i < name.n; i++)
        if (own[i] == '_' || own[i] == ' ' || own[i] == ':') own[i] = '-';
    *out = strip(lower);
    (void)text_take_start(out, "meta-");
    if (is_general(*out)) out->n = 0;
    return true;
}

/* The group's number, and the name without dots and hyphens: what is compared. */
NUMEL_MUST static bool key_of(uint64_t group, numel_str name, struct arena *a, numel_str *out, numel_error *e)
{
    char number[24];
    size_t n = text_format(number, sizeof number, "%" PRIu64 " ", group);
    numel_str all = arena_join(a, (numel_str){ number, n }, name, (numel_str){ NULL, 0 });
    char *own = (char *)(uintptr_t)all.p;
    *out = (numel_str){ own, 0 };
    if (!own) return error_nomem(e);
    for (size_t i = 0; i < all.n; i++)
        if (own[i] != '-' && own[i] != '.') own[out->n++] = own[i];
    return true;
}

/* ---- rows --------------------------------------------------------------------------------- */

void variants_init(struct variants *v, const numel_allocator *m)
{
    *v = (struct variants){ .count = 0 };
    arena_init(&v->arena, m);
}

void variants_done(struct variants *v)
{
    memory_release(v->arena.memory, v->items);
    arena_done(&v->arena);
}

/* The name that its place tells: the repository in a cache, a program's own name, the file, or the folder of a
 * file of a usual name. */
NUMEL_MUST static bool name_by_place(struct variants *v, const numel_row *row, numel_str *out, numel_error *e)
{
    static const char mark[] = "models--";
    numel_str path = text_of(row->path), name = text_of(row->name);
    size_t at = text_seek(path, text_of(mark));
    if (at < path.n) {
        numel_str repository = text_from(path, at);
        repository = text_upto(repository, text_find(repository, 0, '/'));
        size_t two = text_seek(text_from(repository, sizeof mark - 1), text_of("--"));
        return variant_name(text_from(repository, sizeof mark - 1 + two + 2), &v->arena, out, e);
    }
    if (!text_holds(path, name) && !text_holds(name, path)) return variant_name(name, &v->arena, out, e);
    if (!variant_name(path, &v->arena, out, e)) return false;
    numel_str above = text_less(path, text_after(path, '/').n + 1);
    return out->n || !above.n || variant_name(above, &v->arena, out, e);
}

bool variants_add(struct variants *v, const numel_row *row, numel_error *e)
{
    const char *stored = row->quantization ? row->quantization : row->dtype;
    bool known = row->architecture && stored && row->parameters != NUMEL_NOT_KNOWN;
    struct arena *a = &v->arena;
    if (row->error || row->adapter || !known) return true;
    if (!memory_grow(a->memory, &v->items, &v->cap, v->count + 1, sizeof *v->items, e)) return false;
    struct variant *x = &v->items[v->count];
    *x = (struct variant){ .path = arena_text(a, row->path, strlen(row->path)),
                           .name = arena_text(a, row->name, strlen(row->name)),
                           .architecture = arena_text(a, row->architecture, strlen(row->architecture)),
                           .quantization = arena_text(a, stored, strlen(stored)),
                           .format = row->format,
                           .parameters = row->parameters,
                           .bytes = row->bytes,
                           .order = v->count };
    v->count++;
    if (a->failed || !name_by_place(v, row, &x->names[0], e)) return error_nomem(e);
    return (!row->called || variant_name(text_of(row->called), a, &x->names[1], e)) &&
           (!row->base || variant_name(text_of(row->base), a, &x->names[2], e));
}

/* ---- groups ------------------------------------------------------------------------------- */

static int same_model(const struct variant *x, const struct variant *y)
{
    int c = num_order(y->parameters, x->parameters);
    return c ? c : strcmp(x->architecture, y->architecture);
}

static int by_model(const void *a, const void *b)
{
    const struct variant *x = a, *y = b;
    int c = same_model(x, y);
    return c ? c : num_order(x->order, y->order);
}

/* In a group: those of the same name together, then those of the same base. */
static int by_group(const void *a, const void *b)
{
    const struct variant *x = a, *y = b;
    int c = num_order(x->group, y->group);
    if (!c) c = num_order(y->same, x->same);
    if (!c) c = text_bytes(x->shared, y->shared);
    return c ? c : num_order(x->order, y->order);
}

/* Is it stored in another way? */
static bool differs(const struct variant *x, const struct variant *y)
{
    return strcmp(x->format, y->format) != 0 || strcmp(x->quantization, y->quantization) != 0;
}

/* Numbers the groups that have more than one way of storing, and drops the rest. */
static void number_groups(struct variants *v)
{
    uint64_t number = 0;
    size_t n = 0;
    if (v->count) qsort(v->items, v->count, sizeof *v->items, by_model);
    for (size_t i = 0, end; i < v->count; i = end) {
        bool several = false;
        for (end = i + 1; end < v->count && same_model(&v->items[i], &v->items[end]) == 0; end++)
            several |= differs(&v->items[i], &v->items[end]);
        if (several) number++;
        for (size_t k = i; k < end && several; k++) {
            v->items[k].group = number;
            v->items[n++] = v->items[k];
        }
    }
    v->count = n;
}

/* A name in a group, and the first that has it. */
struct owner {
    numel_str key;
    size_t first; /* plus 1 */
};

struct owners {
    struct names names;
    struct owner *items;
    size_t count, cap;
};

static void mark(struct variant *x, enum same same, numel_str name)
{
    if (x->same >= same) return;
    x->same = same;
    x->shared = name;
}

/* Marks what has one of its first `names` names in common with another. */
NUMEL_MUST static bool match(struct variants *v, unsigned names, enum same same, numel_error *e)
{
    struct owners o = { .count = 0 };
    bool ok = true;
    names_init(&o.names, v->arena.memory, sizeof *o.items);
    for (size_t i = 0; i < v->count && ok; i++) {
        struct variant *x = &v->items[i];
        for (unsigned k = 0; k < names && ok; k++) {
            numel_str key;
            if (!x->names[k].n) continue;
            ok = key_of(x->group, x->names[k], &v->arena, &key, e);
            uint32_t at = ok ? names_add(&o.names, &o.items, &o.count, &o.cap, key, NULL, e) : NAMES_ABSENT;
            if (!(ok = at != NAMES_ABSENT)) break;
            if (!o.items[at].first) o.items[at].first = i + 1;
            if (o.items[at].first == i + 1) continue;
            mark(x, same, x->names[k]);
            mark(&v->items[o.items[at].first - 1], same, x->names[k]);
        }
    }
    memory_release(v->arena.memory, o.items);
    names_done(&o.names);
    return ok;
}

bool variants_group(struct variants *v, numel_error *e)
{
    number_groups(v);
    if (!match(v, VARIANT_NAMES - 1, SAME_NAME, e) || !match(v, VARIANT_NAMES, SAME_BASE, e)) return false;
    if (v->count) qsort(v->items, v->count, sizeof *v->items, by_group);
    return true;
}
