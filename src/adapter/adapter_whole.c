/*
 * adapter_whole.c -- what an adapter holds besides its changes: heads, norms, biases and tables trained
 * whole, copies of a table stored with its change, matrices shared by many changes, a trained word.
 *
 * The base must have each of them with the same shape. The base is either a family (adapter_family.c) or a
 * given model (adapter_base.c); both provide a function that finds a weight by name and size.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"
#include "statement/line.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

struct saved {
    const struct adapter *a;
    const struct weights *weights;
    uint64_t tokens;    /* rows of its token tables; 0: none seen yet */
    unsigned shared[2]; /* VeRA's matrices */
    numel_str word;     /* of an embedding in the file; `vectors`: its length */
    uint64_t vectors;
};

bool family_is_table(numel_str module)
{
    static const char *const tables[] = { "embed_tokens",    "lm_head",        "wte",
                                          "word_embeddings", "embed_in",       "embed_out",
                                          "shared",          "tok_embeddings", "output_layer" };
    for (size_t i = 0; i < ROWS(tables); i++)
        if (text_ends(module, tables[i])) return true;
    return false;
}

/* A head's bias is as long as the head has rows, one per label. Compares with the other of the two; only a
 * decoder's score has no bias. */
static bool has_other(const struct adapter *a, numel_str module, uint64_t rows, const char *end)
{
    for (uint32_t i = 0; i < a->ck->registry.count; i++) {
        const numel_tensor *t = &a->ck->registry.tensors[i];
        numel_str own = t->name;
        if (!text_take_end(&own, end)) continue;
        text_take_end(&own, ".modules_to_save");
        if (text_same(text_tail(own, module.n), module)) return t->dims[0] == rows;
    }
    return text_ends(module, "score");
}

/* Does the base have this tensor with the same shape? Token tables may have been resized, all to the same
 * size. */
static bool has_whole(struct saved *s, const numel_tensor *t, numel_str module, bool copied)
{
    struct adapter_module m = { .name = module, .out = t->ndim ? t->dims[0] : 0 };
    bool bias = text_take_end(&m.name, ".bias");
    if (!bias) text_take_end(&m.name, ".weight");
    text_take_end(&m.name, ".modules_to_save");
    if (m.out == 0 || (bias && t->ndim != 1)) return false;
    m.in = bias ? 0 : t->elements / m.out;
    struct weight_size own;
    bool has = s->weights->find(s->weights->of, &m, bias, &own);
    if (has && own.out == 0) return has_other(s->a, m.name, m.out, bias ? ".weight" : ".bias");
    if (copied || bias || !family_is_table(m.name) || t->ndim != 2) return has;
    m.out = 0;
    if (!has && !s->weights->find(s->weights->of, &m, bias, &own)) return false;
    bool same = s->tokens == 0 || s->tokens == t->dims[0];
    s->tokens = t->dims[0];
    return same;
}

/* Matrices that serve all weights, as wide as the widest weight and of rank r: VeRA's A [r, in] and B
 * [out, r]; pVeRA's, with A twice as long; RandLoRA's A [r, 1, less] and B [more, n, r], where n of them
 * make up the smaller size. */
static const struct shared_row {
    const char *end;
    const char *dims; /* R: 2r; i, o: most of in, out; l, m: of the smaller, larger */
} shared_rows[] = { { ".vera_A", "ri" },  { ".vera_B", "or" },      { ".pvera_A", "Ri" },
                    { ".pvera_B", "or" }, { ".randlora_A", "r1l" }, { ".randlora_B", "mnr" } };

/* The largest size of this kind among all changed weights. */
static uint64_t most_of(const struct saved *s, char letter)
{
    uint64_t most = 0;
    struct weight_size w;
    for (size_t i = 0; i < s->a->module_count; i++) {
        if (!s->weights->find(s->weights->of, &s->a->modules[i], false, &w)) continue;
        uint64_t less = w.in < w.out ? w.in : w.out, more = w.in < w.out ? w.out : w.in;
        uint64_t size = letter == 'i' ? w.in : letter == 'o' ? w.out : letter == 'l' ? less : more;
        if (size > most) most = size;
    }
    return most;
}

static uint64_t shared_size(const struct saved *s, char letter)
{
    uint64_t rank = s->a->ranks.least;
    if (letter == '1') return 1;
    if (letter == 'r') return rank;
    if (letter == 'R') return 2 * rank;
    return letter == 'n' ? (most_of(s, 'l') + rank - 1) / rank : most_of(s, letter);
}

static bool has_shared(struct saved *s, const numel_tensor *t)
{
    size_t i = 0;
    while (i < ROWS(shared_rows) && !text_ends(t->name, shared_rows[i].end)) i++;
    if (i == ROWS(shared_rows)) return false;
    s->shared[i % 2]++;
    const char *dims = shared_rows[i].dims;
    bool is = t->ndim == strlen(dims) && s->a->ranks.count == 1;
    for (uint32_t d = 0; is && d < t->ndim; d++) is = t->dims[d] == shared_size(s, dims[d]);
    return is;
}

/* "bundle_emb.WORD.clip_l": a trained word inside a LoRA, as OneTrainer and A1111 save it. Each text
 * encoder gets the same number of vectors, as wide as its embeddings. */
static bool has_word(struct saved *s, const numel_tensor *t)
{
    static const struct {
        const char *end;
        uint64_t width; /* 0: the encoder is not stated */
    } ends[] = { { ".clip_l", 768 },
                 { ".clip_g", 1280 },
                 { ".t5", 4096 },
                 { ".t5xxl", 4096 },
                 { ".string_to_param.*", 0 } };
    numel_str word = t->name;
    size_t i = 0;
    bool wide = false;
    if (!text_starts(word, "bundle_emb.") || t->ndim != 2) return false;
    text_take_end(&word, "_out");
    while (i < ROWS(ends) && !text_take_end(&word, ends[i].end)) i++;
    const struct adapter_family *f = s->weights->family;
    for (unsigned p = 1; f && p < FAMILY_PARTS; p++) wide |= f->parts[p] && f->parts[p]->in == t->dims[1];
    if (i == ROWS(ends) || !wide || (ends[i].width && ends[i].width != t->dims[1])) return false;
    bool same = !text_same(word, s->word) || s->vectors == t->dims[0];
    s->word = word;
    s->vectors = t->dims[0];
    return same && t->dims[0] > 0;
}

bool weights_have_whole(const struct adapter *a, const struct weights *w)
{
    struct saved s = { .a = a, .weights = w };
    for (uint32_t i = 0; i < a->ck->registry.count; i++) {
        const numel_tensor *t = &a->ck->registry.tensors[i];
        struct parted p = part_of(a, t);
        bool copied = p.role == PART_FROZEN, is = has_shared(&s, t) || has_word(&s, t);
        if (!is && (copied || p.role == PART_NONE)) is = has_whole(&s, t, p.module, copied);
        if (!is && (copied || p.role == PART_NONE)) return false;
    }
    return s.shared[0] == s.shared[1];
}

const char *rows_text(struct adapter *a, numel_str module, uint64_t rows, uint64_t others, const char *whose)
{
    const char *name = name_shown(a->arena, module);
    if (!name) return NULL;
    return arena_format(a->arena,
                        "%s has %" PRIu64 " rows, %s has %" PRIu64 ": resize it to %" PRIu64
                        " rows first (resize_token_embeddings)",
                        name, rows, whose, others, rows);
}

void whole_rows(struct adapter *a, const struct weights *w, const char *whose, bool given)
{
    for (uint32_t i = 0; i < a->ck->registry.count; i++) {
        const numel_tensor *t = &a->ck->registry.tensors[i];
        struct parted p = part_of(a, t);
        struct adapter_module m = { .name = p.module };
        struct weight_size own = { 0, 0 };
        if ((p.role != PART_NONE && p.role != PART_FROZEN) || t->ndim != 2 || t->elements == 0) continue;
        text_take_end(&m.name, ".weight");
        text_take_end(&m.name, ".modules_to_save");
        m.in = t->dims[1];
        if (!family_is_table(m.name) || !w->find(w->of, &m, false, &own)) continue;
        if (own.out == 0 || own.in != m.in || own.out == t->dims[0]) continue;
        adapter_fault(a, given ? FINDING_ADAPTER_ROWS : FINDING_ADAPTER_RESIZED,
                      rows_text(a, m.name, t->dims[0], own.out, whose));
        return;
    }
}
