/*
 * family_rows.c -- the weights of a family of base models, from its lines of bases.table (family_base.c).
 * Each specification is expanded and folded, so that a row stands for all layers of a kind,
 * "model.layers.{0-31}.mlp.up_proj".
 */
#include "adapter/family_parts.h"

#include "base/fixed.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/num.h"
#include "base/text.h"
#include "formula/expand.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))
enum { LONGEST = 1024 };

/* ---- rows ----------------------------------------------------------------------------------- */

/* A stack of experts, [N, out, in]. */
struct stack {
    numel_str stem; /* "model.layers.{0-3}.mlp.experts" */
    uint64_t n, out, in;
};

struct making {
    struct arena *arena;
    struct library *library;
    struct family_row *rows;
    size_t count, cap;
    bool gguf, biased;  /* gguf: add llama.cpp's names; biased: note biases */
    numel_str spelling; /* alternative names to add; may be empty */
    uint64_t ids[2];    /* of the current sizes, as in struct family_row */
    struct stack first; /* the previous stack, which may pair with the next */
    size_t last;        /* index + 1 of the last weight's row; its bias follows */
};

/* End of the component at `at`, if it is a number or a group of numbers in braces; else 0. */
static size_t number_ends(numel_str s, size_t at)
{
    size_t end = at;
    if (at >= s.n || (at > 0 && s.p[at - 1] != '.')) return 0;
    if (at < s.n && s.p[at] == '{') end = text_find(s, at, '}') + 1;
    while (s.p[at] != '{' && end < s.n && s.p[end] >= '0' && s.p[end] <= '9') end++;
    return end > at && (end >= s.n || s.p[end] == '.') ? end : 0;
}

/* Merges two patterns that differ in one number: "{0-3}" and "7" become "{0-3,7}"; p NULL if they differ
 * in more. */
static numel_str joined(numel_str a, numel_str b, char text[LONGEST])
{
    size_t at = 0;
    while (at < a.n && at < b.n && a.p[at] == b.p[at]) at++;
    while (at > 0 && a.p[at - 1] != '.') at--;
    size_t x = number_ends(a, at), y = number_ends(b, at);
    if (!x || !y || !text_same(text_from(a, x), text_from(b, y))) return (numel_str){ NULL, 0 };
    numel_str first = text_slice(a, at, x), second = text_slice(b, at, y);
    if (text_first(first) == '{') first = text_inner(first);
    if (text_first(second) == '{') second = text_inner(second);
    struct fixed out = fixed_of(text, LONGEST);
    const numel_str pieces[] = { text_upto(a, at), text_of("{"), first,          text_of(","),
                                 second,           text_of("}"), text_from(a, x) };
    for (size_t i = 0; i < ROWS(pieces); i++) fixed_add(&out, pieces[i]);
    return out.cut ? (numel_str){ NULL, 0 } : fixed_str(&out);
}

static bool join_row(struct making *m, numel_str name, uint64_t out, uint64_t in, uint64_t experts)
{
    char text[LONGEST];
    for (size_t i = m->count; i-- > 0;) {
        struct family_row *r = &m->rows[i];
        numel_str own = text_of(r->pattern);
        if (r->out != out || r->in != in || r->experts != experts) continue;
        numel_str both = text_same(own, name) ? own : joined(own, name, text);
        if (!both.p) continue;
        const char *pattern = arena_text(m->arena, both.p, both.n);
        if (pattern) r->pattern = pattern; /* else the arena has failed, which the caller sees */
        return m->last = i + 1, true;
    }
    return false;
}

/* A pointer to the next free row; NULL if memory runs out. */
static struct family_row *more_rows(struct making *m)
{
    numel_error e = { 0 };
    void *rows = m->rows;
    if (!memory_grow(m->arena->memory, &rows, &m->cap, m->count + 1, sizeof *m->rows, &e)) {
        m->arena->failed = true;
        return NULL;
    }
    m->rows = rows;
    return &m->rows[m->count];
}

static void add_row(struct making *m, numel_str name, uint64_t out, uint64_t in, uint64_t experts)
{
    if (text_equal(name, "classifier")) out = 0; /* any number of classes */
    struct family_row *r = join_row(m, name, out, in, experts) ? NULL : more_rows(m);
    if (!r) return;
    *r = (struct family_row){
        .pattern = arena_text(m->arena, name.p, name.n), .out = out, .in = in, .experts = experts
    };
    if (r->pattern) m->last = ++m->count;
}

/* Variants of a model concatenate a picture, a mask or both to the noise: as many channels again, and one
 * for the mask, or one per pixel of it. Adds a row for each resulting size of the first layer. */
static void add_sized(struct making *m, numel_str name, uint64_t out, uint64_t in)
{
    static const char *const changing[] = { "conv_in",          "first",
                                            "input_blocks.0.0", "x_embedder",
                                            "x_embedder.proj",  "x_embedder.proj.1",
                                            "patch_embed",      "patch_embed.proj",
                                            "patch_embedding",  "patch_embedding.proj",
                                            "img_in",           "img_in.proj" };
    static const struct {
        unsigned n, of;
    } ratios[] = { { 1, 1 }, { 2, 1 }, { 9, 4 }, { 3, 1 }, { 6, 1 }, { 4, 9 } };
    bool changes = false;
    for (size_t i = 0; i < ROWS(changing); i++) changes |= text_equal(name, changing[i]);
    for (size_t i = 0; i < (changes ? ROWS(ratios) : 1); i++)
        if (in * ratios[i].n % ratios[i].of == 0) add_row(m, name, out, in * ratios[i].n / ratios[i].of, 0);
}

static void add_joined(struct making *m, numel_str stem, const char *tail, uint64_t out, uint64_t in,
                       uint64_t experts)
{
    char text[LONGEST];
    numel_str name = text_join(text, sizeof text, stem, text_of(tail), text_of(""));
    if (name.p) add_row(m, name, out, in, experts);
}

/* Rows for a stack as PEFT adapts it, with one parameter wrapped around the other, and as separate
 * modules, as before transformers 5. */
static void add_stack(struct making *m, const struct stack *s, bool turned, const char *const parts[][2],
                      unsigned count)
{
    char each[LONGEST], block[LONGEST];
    numel_str front = s->stem, other = s->stem;
    if (text_take_end(&front, ".mlp.experts"))
        other = text_join(block, sizeof block, front, text_of(".block_sparse_moe.experts"), text_of(""));
    add_joined(m, s->stem, "", s->out, s->in, s->n);
    add_joined(m, s->stem, ".base_layer", s->out, s->in, s->n);
    for (unsigned i = 0; i < count; i++) {
        text_format(each, sizeof each, ".%s", parts[i][0]);
        add_joined(m, s->stem, each, s->out / count * s->n, s->in, 0);
        for (unsigned k = 0; !turned && other.p && k < 2; k++) {
            text_format(each, sizeof each, ".{0-%" PRIu64 "}.%s", num_left(s->n, 1), parts[i][k]);
            add_joined(m, k ? other : s->stem, each, s->out / count, s->in, 0);
        }
    }
}

static struct stack turned_stack(struct stack s) { return (struct stack){ s.stem, s.n, s.in, s.out }; }

/* "experts.down_proj" follows "experts.gate_up_proj". Some models store [N, in, out], which shows in that
 * the output of the first is twice the input of the second. */
static void add_experts(struct making *m, struct stack s, bool twice)
{
    static const char *const up[][2] = { { "gate_proj", "w1" }, { "up_proj", "w3" } };
    static const char *const down[][2] = { { "down_proj", "w2" } };
    struct stack first = m->first;
    m->first = s;
    if (twice) return;
    bool pair = text_same(first.stem, s.stem),
         turned = pair && first.out != 2 * s.in && first.in == 2 * s.out;
    if (pair && turned) first = turned_stack(first);
    if (turned) s = turned_stack(s);
    if (pair) add_stack(m, &first, turned, up, 2);
    add_stack(m, &s, turned, down, 1);
}

/* Renames the text model inside a multimodal one to its name alone, by the prefixes since transformers
 * 4.52 and before. */
static numel_str text_name(numel_str name, char text[LONGEST])
{
    static const char *const fronts[][2] = { { "model.language_model.", "model." },
                                             { "language_model.model.", "model." },
                                             { "language_model.lm_head", "lm_head" } };
    for (size_t i = 0; i < ROWS(fronts); i++)
        if (text_take_start(&name, fronts[i][0]))
            return text_join(text, LONGEST, text_of(fronts[i][1]), name, text_of(""));
    return name;
}

static void add_bias(const struct making *m, numel_str module)
{
    for (size_t i = m->biased ? m->last : 0; i > 0 && i + 8 > m->last; i--)
        if (text_equal(module, m->rows[i - 1].pattern)) m->rows[i - 1].bias = true;
}

static void add_named(struct making *m, const struct site *s, numel_str name, bool turned)
{
    char text[LONGEST];
    uint64_t in = 1;
    const uint64_t *d = s->dims;
    name = text_name(name, text);
    if (!name.p || s->ndim == 0) return;
    bool twice = text_ends(name, ".experts.gate_up_proj");
    if (s->ndim == 3 && (twice || text_ends(name, ".experts.down_proj"))) {
        numel_str stem = text_less(name, strlen(twice ? ".gate_up_proj" : ".down_proj"));
        stem.p = arena_text(m->arena, stem.p, stem.n);
        if (stem.p) add_experts(m, (struct stack){ stem, d[0], d[1], d[2] }, twice);
        return;
    }
    for (uint32_t i = 1; i < s->ndim; i++)
        if (!num_mul(&in, in, d[i])) return;
    if (s->stacked && s->ndim == 3 && text_take_end(&name, ".weight")) {
        add_row(m, name, d[0] * d[1], d[2], 0); /* as llama.cpp stacks them */
        return;
    }
    if (text_ends(name, ".scale")) {
        add_row(m, name, d[0], 1, 0);
    } else if (text_take_end(&name, "modulation")) {
        add_joined(m, name, "diff_m", d[0] * in, 1, 0);
    } else if (text_take_end(&name, ".bias")) {
        add_bias(m, name);
    } else if (text_take_end(&name, ".weight")) {
        size_t before = m->count;
        if (turned && s->ndim == 2) add_row(m, name, d[1], d[0], 0);
        else add_sized(m, name, d[0], in);
        for (; s->ndim < 3 && before < m->count; before++) {
            m->rows[before].out_id = m->ids[0];
            m->rows[before].in_id = m->ids[1];
        }
    }
}

/* Adds the row under its name, and under each alternative spelling of the specification. */
static void add_spelled(struct making *m, const struct spec *spec, const struct site *s, numel_str name,
                        bool turned, unsigned depth)
{
    add_named(m, s, name, turned);
    for (size_t i = 0; m->spelling.n && depth < 2 && i < spec->spelling_count; i++) {
        numel_str other = spec_respell(spec, name, m->spelling, i, m->arena);
        if (other.p) add_spelled(m, spec, s, other, turned, depth + 1);
    }
}

/* Identifies an expression: equal for the same source in the same part; 0 for a number. */
static uint64_t node_id(const struct spec *s, uint32_t node)
{
    const struct node *n = &s->nodes[node];
    return n->kind == NODE_INT ? 0 : hash_bytes(n->source.p, n->source.n, HASH_BEGIN + n->scope) | 1;
}

static void add_site(struct making *m, const struct expansion *x, const struct row *r)
{
    const struct site *s = &x->sites[r->site];
    const struct tensor_line *t = x->spec->lines[s->line].tensor;
    bool turned = t->transposed && s->part == PART_WEIGHT && x->side == SIDE_HF;
    if (s->kind == TENSOR_BUF || s->extra.p || s->offered) return;
    m->ids[0] = t->ndim ? node_id(x->spec, t->dims[0]) : 0;
    m->ids[1] = t->ndim > 1 ? node_id(x->spec, t->dims[1]) : 0;
    add_spelled(m, x->spec, s, r->name, turned, 0);
}

/* ---- expanding ------------------------------------------------------------------------------ */

/* Applies KEY=VALUE...: objects go into a JSON document, like the parts of a configuration; everything
 * else is set one by one. */
NUMEL_MUST static bool set_all(struct config *c, struct arena *arena, numel_str type, numel_str words,
                               numel_error *e)
{
    numel_str document = arena_join(arena, text_of("{\"model_type\":\""), type, text_of("\"")),
              all = document;
    for (numel_str word = text_word(&words); all.p && word.n; word = text_word(&words)) {
        size_t sign = text_find(word, 0, '=');
        numel_str value = text_from(word, sign + 1), key = text_upto(word, sign);
        const char *set = arena_text(arena, word.p, word.n);
        if (!set) return error_nomem(e);
        if (text_first(value) == '{') {
            key = arena_join(arena, text_of(",\""), key, text_of("\":"));
            if (key.p) key = arena_join(arena, key, value, text_of(""));
            all = key.p ? arena_join(arena, all, key, text_of("")) : key;
        } else if (!config_set(c, set, e)) {
            return false;
        }
    }
    if (all.n == document.n && all.p) return true;
    if (all.p) all = arena_join(arena, all, text_of("}"), text_of(""));
    return all.p ? config_add_json(c, all.p, all.n, "bases.table", e) : error_nomem(e);
}

/* A published model has the values of its class, except those in its line of published.table. */
NUMEL_MUST static bool set_type(struct config *c, struct arena *arena, numel_str type, numel_error *e)
{
    numel_str class = text_upto(type, text_find(type, 0, '.'));
    bool is_class = text_first(class) >= 'A' && text_first(class) <= 'Z';
    numel_str set = arena_join(arena, text_of(is_class ? "_class_name=" : "model_type="), class, text_of(""));
    config_suppose(c, type);
    return set.p ? config_set(c, set.p, e) : error_nomem(e);
}

numel_str next_spec_line(numel_str *lines)
{
    numel_str line = text_line(lines);
    (void)text_take_start(&line, "spec ");
    return line;
}

struct named_spec next_spec(const struct library *l, numel_str *words)
{
    size_t n = text_find(*words, 0, '+');
    numel_str word = text_upto(*words, n);
    struct named_spec s = { .name = text_upto(word, text_find(word, 0, '~')) };
    s.spelling = text_from(word, s.name.n + 1);
    *words = text_from(*words, n + 1);
    s.entry = library_type(l, text_upto(s.name, text_find(s.name, 0, '.')));
    if (!s.entry) s.entry = library_find(l, s.name);
    return s;
}

NUMEL_MUST static bool expand_side(struct making *m, const struct spec *spec, struct config *c,
                                   enum side side, numel_error *e)
{
    const struct expand_input in = {
        .spec = spec, .config = c, .side = side, .other_values = side == SIDE_GGUF, .ranged = true
    };
    struct expansion *x;
    m->biased = side == SIDE_HF;
    if (!expand_folded(&x, &in, m->arena->memory, e)) return false;
    for (size_t i = 0; i < x->row_count; i++) add_site(m, x, &x->rows[i]);
    expansion_free(x);
    return true;
}

NUMEL_MUST static bool expand_spec(struct making *m, const struct library_entry *entry, struct config *c,
                                   numel_error *e)
{
    struct library_linked linked = { .items = NULL };
    const struct spec *spec;
    bool ok =
        library_spec_for(m->library, &linked, entry, c, &spec, e) && expand_side(m, spec, c, SIDE_HF, e);
    if (ok && m->gguf && library_serves_gguf(entry)) ok = expand_side(m, spec, c, SIDE_GGUF, e);
    library_linked_free(&linked, m->arena->memory);
    return ok;
}

NUMEL_MUST static bool expand_line(struct making *m, numel_str line, numel_error *e)
{
    struct config *c;
    numel_str specs = text_word(&line), all = specs;
    if (!config_new(&c, m->arena->memory, e)) return false;
    struct named_spec s = next_spec(m->library, &specs);
    bool ok = set_type(c, m->arena, s.name, e) && set_all(c, m->arena, s.name, line, e);
    while (ok && all.n) {
        s = next_spec(m->library, &all);
        m->spelling = s.spelling;
        ok = s.entry && expand_spec(m, s.entry, c, e);
    }
    config_free(c);
    return ok;
}

void expand_family(struct adapter_family *f, struct library *l, bool gguf, struct arena *arena,
                   numel_error *wrong)
{
    struct making m = { .arena = arena, .library = l, .gguf = gguf };
    for (numel_str lines = f->specs; !f->parts[0] && lines.n;) {
        numel_error e = { 0 };
        if (expand_line(&m, next_spec_line(&lines), &e)) continue;
        arena->failed |= e.code == NUMEL_E_NOMEM;
        if (wrong && error_free(wrong)) *wrong = e;
    }
    struct family_row *end = f->parts[0] ? NULL : more_rows(&m);
    if (end) *end = (struct family_row){ .pattern = NULL };
    if (end) f->parts[0] = arena_copy(arena, m.rows, (m.count + 1) * sizeof *m.rows);
    memory_release(arena->memory, m.rows);
    for (unsigned i = 1; i < FAMILY_PARTS; i++) {
        if (f->encoders[i]) expand_family(f->encoders[i], l, gguf, arena, wrong);
        if (f->encoders[i]) f->parts[i] = f->encoders[i]->parts[0];
    }
}
