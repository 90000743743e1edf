/*
 * guess.c -- a checkpoint without its configuration.
 *
 * The spec that explains most tensors and leaves least over is taken, its configuration inferred
 * from shapes (formula/infer.h). Specs are many and inference is work, so those that share few words
 * with the file's names are not tried at all. Specs that explain the file equally well are named:
 * what only the configuration could tell apart stays open.
 */
#include "reporter/reconcile.h"

#include "formula/infer.h"

#include <stdlib.h>

enum { WORDS = 96, TRIED = 24, ALIKE = 4 };

/* ---- inference ---------------------------------------------------------------------------- */

/* Names of the files as they stand, then as the spec spells them. */
static bool next_name(void *ctx, size_t i, numel_str *name)
{
    const struct naming *n = ctx;
    if (i < n->registry->count) *name = n->registry->tensors[i].name;
    else if (i - n->registry->count < n->renamed_count)
        *name = n->renamed[i - n->registry->count].name;
    else return false;
    return true;
}

/* Adds to the configuration what the tensors tell. */
static bool infer_config(struct understanding *u, bool keep_defaults, numel_error *e)
{
    struct inference found;
    struct infer_file file = { { naming_has, naming_dim, &u->naming }, next_name };
    struct infer_input in = { .spec = u->spec, .config = u->config, .side = u->side,
                              .file = &file, .keep_defaults = keep_defaults };
    numel_error why;
    error_clear(&why);
    if (!infer(&found, &in, u->arena.memory, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(e);
    infer_done(&found);
    return true;
}

bool guess_missing_keys(struct understanding *u, numel_error *e)
{
    return infer_config(u, true, e);
}

/* What the understanding leaves open: tensors missing, of the wrong shape, unexpected. */
static bool measure(struct understanding *u, uint64_t *off, numel_error *e)
{
    struct match m;
    struct statement s;
    struct presence file = { naming_has, naming_dim, &u->naming };
    struct expand_input in = { .spec = u->spec, .config = u->config, .file = &file };
    numel_error why;
    error_clear(&why);
    *off = UINT64_MAX;
    if (!expand(&u->x, &in, u->arena.memory, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(e);
    bool ok = match_make(&m, u, &why) && statement_make(&s, &m, &why);
    if (ok) *off = s.missing + s.mismatched + s.unexpected_count;
    expansion_free(u->x);
    u->x = NULL;
    return ok || why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* ---- words -------------------------------------------------------------------------------- */

struct word {
    numel_str text;
    uint32_t times;
};

/* The part of a name that says most: "q_proj" of "model.layers.0.self_attn.q_proj.weight". */
static numel_str telling_part(numel_str name)
{
    size_t end = name.n, start;
    for (int round = 0; round < 4; round++) {
        start = end;
        while (start > 0 && name.p[start - 1] != '.') start--;
        numel_str part = { name.p + start, end - start };
        bool number = part.n && part.p[0] >= '0' && part.p[0] <= '9';
        if (!text_equal(part, "weight") && !text_equal(part, "bias") && !number) return part;
        if (start < 2) return part;
        end = start - 1;
    }
    return (numel_str){ name.p, 0 };
}

static unsigned collect_words(const struct registry *r, struct word words[WORDS])
{
    unsigned n = 0;
    for (size_t i = 0; i < r->count; i++) {
        numel_str part = telling_part(r->tensors[i].name);
        unsigned k = 0;
        while (k < n && !text_same(words[k].text, part)) k++;
        if (k == n && n < WORDS && part.n) words[n++] = (struct word){ part, 0 };
        if (k < n) words[k].times++;
    }
    return n;
}

static bool holds(numel_str text, numel_str word)
{
    const char *at = text.p, *end = text.p + text.n;
    while (word.n && (size_t)(end - at) >= word.n &&
           (at = memchr(at, word.p[0], (size_t)(end - at) - word.n + 1))) {
        if (memcmp(at, word.p, word.n) == 0) return true;
        at++;
    }
    return false;
}

/* Does the spec, or a block that it uses, have the word? */
static bool knows(const struct library *l, const struct library_entry *entry, numel_str word,
                  int depth)
{
    numel_str text = entry->text;
    if (holds(text, word)) return true;
    for (size_t i = 0; depth < 4 && i + 4 < text.n; i++) {
        if (memcmp(text.p + i, "use ", 4) != 0 || (i && text.p[i - 1] != '\n' && text.p[i - 1] != ' '))
            continue;
        size_t n = 0;
        while (i + 4 + n < text.n && text.p[i + 4 + n] > ' ') n++;
        const struct library_entry *block = library_find(l, (numel_str){ text.p + i + 4, n });
        if (block && knows(l, block, word, depth + 1)) return true;
    }
    return false;
}

struct candidate {
    const struct library_entry *entry;
    unsigned known; /* words of the file's names that it has */
    unsigned place; /* in `usual` */
    uint64_t off;
};

/* Where specs explain a file alike, the name that most such files go by is said first. */
static const char *const usual[] = {
    "llama", "qwen2", "mixtral", "qwen3_moe", "deepseek_v3", "gemma", "gemma3", "phi3", "gpt2",
    "bert", "roberta", "t5", "falcon", "gpt_neox", "opt", "bloom", "mamba", "clip", "vit", "whisper",
};

static unsigned place_of(const char *name)
{
    unsigned i = 0;
    while (i < sizeof usual / sizeof *usual && strcmp(usual[i], name) != 0) i++;
    return i;
}

static int by_known(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->known != y->known) return x->known < y->known ? 1 : -1;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return strcmp(x->entry->name, y->entry->name);
}

/* ---- trying ------------------------------------------------------------------------------- */

static void forget(struct understanding *u)
{
    naming_done(&u->naming);
    u->naming = (struct naming){ .registry = NULL };
    spec_free(u->spec);
    u->spec = NULL;
    config_free(u->config);
    u->config = NULL;
}

static bool new_config(struct understanding *u, const numel_knowledge *k, numel_error *e)
{
    if (!config_new(&u->config, u->arena.memory, e)) return false;
    for (size_t i = 0; i < k->set_count; i++)
        if (!config_set(u->config, k->sets[i], e)) return false;
    return true;
}

/* The understanding with that spec, and what the tensors tell of its configuration. */
static bool try_entry(struct understanding *u, const numel_knowledge *k, struct candidate *c,
                      numel_error *e)
{
    numel_error why;
    error_clear(&why);
    c->off = UINT64_MAX;
    forget(u);
    u->entry = c->entry;
    if (!new_config(u, k, e)) return false;
    if (!library_parse(u->library, c->entry, &u->spec, u->arena.memory, NULL, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(e);
    if (!naming_init(&u->naming, &u->ck->registry, u->spec, c->entry->name, &u->arena, e))
        return false;
    return infer_config(u, false, e) && measure(u, &c->off, e);
}

static unsigned choose(struct understanding *u, struct candidate *list, unsigned room)
{
    struct word words[WORDS];
    unsigned n = collect_words(&u->ck->registry, words), count = 0;
    for (size_t i = 0; i < u->library->count && count < room; i++) {
        const struct library_entry *entry = &u->library->entries[i];
        if (!entry->architecture || !holds(entry->text, text_of("match hf"))) continue;
        struct candidate c = { .entry = entry, .place = place_of(entry->name) };
        for (unsigned k = 0; k < n; k++) c.known += knows(u->library, entry, words[k].text, 0);
        if (c.known * 3 > n * 2) list[count++] = c;
    }
    if (count) qsort(list, count, sizeof *list, by_known);
    return count < TRIED ? count : TRIED;
}

static const char *say_alike(struct understanding *u, const struct candidate *list, unsigned n,
                             unsigned best)
{
    struct buffer b;
    buffer_init(&b, u->arena.memory);
    buffer_text(&b, "the tensors' names and shapes");
    for (unsigned i = 0, told = 0; i < n; i++) {
        if (i == best || list[i].off != list[best].off) continue;
        buffer_format(&b, "%s%s", told++ ? ", " : "; as well: ", list[i].entry->name);
    }
    const char *text = b.failed ? NULL : arena_text(&u->arena, b.p, b.n);
    buffer_done(&b);
    return text;
}

bool guess_architecture(struct understanding *u, const numel_knowledge *k, numel_error *e)
{
    size_t room = u->library->count + 1;
    struct candidate *list = arena_alloc(&u->arena, room * sizeof *list);
    if (!list) return error_nomem(e);
    unsigned n = choose(u, list, (unsigned)room), best = 0, perfect = 0, tried = 0;
    for (; tried < n && perfect < ALIKE; tried++) {
        if (!try_entry(u, k, &list[tried], e)) return false;
        if (list[tried].off < list[best].off) best = tried;
        perfect += list[tried].off == 0;
    }
    n = tried;
    /* an explanation that leaves more than a tenth open is none */
    if (n == 0 || list[best].off > u->ck->registry.count / 10) {
        forget(u);
        u->entry = NULL;
        u->architecture = NULL;
        return new_config(u, k, e);
    }
    u->from = say_alike(u, list, n, best);
    if (!u->from) return error_nomem(e);
    error_clear(&u->why);
    u->architecture = list[best].entry->name;
    return try_entry(u, k, &list[best], e);
}
