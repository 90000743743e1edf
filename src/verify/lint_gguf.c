/*
 * lint_gguf.c -- GGUF's metadata against itself and against the tensors.
 *
 * Tokenizer arrays are parallel to tokenizer.ggml.tokens; the token embedding has a row for each token (more
 * rows are padding, fewer are a crash); {arch}.block_count counts blk.N. The keys about tensor types have
 * their own file, lint_file_type.c.
 */
#include "verify/lint_internal.h"

#include "base/text.h"
#include "model/llama_cpp.h"
#include "model/rope.h"
#include "source/source.h"

#include <string.h>

/* ---- keys --------------------------------------------------------------------------------- */

static const struct metadata_entry *key_of(const struct lint *l, const char *key)
{
    return metadata_find(&l->ck->metadata, key);
}

static const struct metadata_entry *array_of(const struct lint *l, const char *key)
{
    const struct metadata_entry *e = key_of(l, key);
    return e && e->type == META_ARRAY ? e : NULL;
}

const struct metadata_entry *lint_arch_number(const struct lint *l, const char *name, uint64_t *n)
{
    int64_t v;
    if (l->arch.n == 0) return NULL;
    const struct metadata_entry *e = metadata_find_in(&l->ck->metadata, l->arch, text_of(name));
    if (!e || e->type == META_ARRAY || !metadata_integer(&e->value, &v) || v < 0) return NULL;
    *n = (uint64_t)v;
    return e;
}

static const numel_tensor *tensor_of(const struct lint *l, const char *name)
{
    return registry_find(&l->ck->registry, text_of(name));
}

/* ---- the tokenizer ------------------------------------------------------------------------ */

static bool check_rows(struct lint *l)
{
    static const char *const names[] = { "token_embd.weight", "output.weight" };
    const struct metadata_entry *tokens = array_of(l, "tokenizer.ggml.tokens"), *size;
    uint64_t n;
    if (!tokens) return true;
    for (size_t i = 0; i < 2; i++) {
        const numel_tensor *t = tensor_of(l, names[i]);
        if (!t || t->ndim != 2 || t->dims[0] == tokens->array.count) continue;
        lint_find(l, t->dims[0] < tokens->array.count ? FINDING_VOCABULARY_SHORT : FINDING_VOCABULARY_PADDED,
                  lint_file(l, tokens), t->name, tokens->offset,
                  "%s has %" PRIu64 " rows for %" PRIu64 " tokens%s", names[i], t->dims[0],
                  tokens->array.count,
                  t->dims[0] < tokens->array.count ? ": the last tokens have no row" : "");
    }
    if ((size = lint_arch_number(l, "vocab_size", &n)) && n != tokens->array.count)
        lint_find(l, FINDING_VOCABULARY_SIZE, lint_file(l, size), NO_TENSOR, size->offset,
                  "vocab_size is %" PRIu64 ", but tokenizer.ggml.tokens has %" PRIu64, n,
                  tokens->array.count);
    return true;
}

static bool check_lengths(struct lint *l)
{
    static const char *const keys[] = { "tokenizer.ggml.token_type", "tokenizer.ggml.scores" };
    const struct metadata_entry *tokens = array_of(l, "tokenizer.ggml.tokens");
    for (size_t i = 0; tokens && i < 2; i++) {
        const struct metadata_entry *e = array_of(l, keys[i]);
        if (e && e->array.count != tokens->array.count)
            lint_find(l, FINDING_TOKENIZER_LENGTH, lint_file(l, e), NO_TENSOR, e->offset,
                      "%s has %" PRIu64 " entries, but tokenizer.ggml.tokens has %" PRIu64, keys[i],
                      e->array.count, tokens->array.count);
    }
    return true;
}

struct merges {
    const struct metadata_array *a;
    uint64_t bad; /* the first that is not a pair, or its count */
};

static bool walk_merges(void *ctx)
{
    struct merges *m = ctx;
    struct metadata_value v;
    uint64_t at = 0;
    for (m->bad = 0; metadata_next(m->a, &at, &v); m->bad++)
        if (v.type != META_STRING || text_find(text_inner(v.s), 0, ' ') == text_inner(v.s).n) break;
    return true;
}

/* A merge is two pieces with a space between. */
static bool check_merges(struct lint *l)
{
    const struct metadata_entry *model = key_of(l, "tokenizer.ggml.model");
    const struct metadata_entry *e = array_of(l, "tokenizer.ggml.merges");
    if (!model || model->type != META_STRING || !text_equal(model->value.s, "gpt2")) return true;
    if (!e) {
        lint_find(
            l, FINDING_TOKENIZER_MERGES, lint_file(l, model), NO_TENSOR, model->offset,
            "tokenizer.ggml.model is gpt2, but tokenizer.ggml.merges is missing: llama.cpp refuses the file");
        return true;
    }
    struct merges m = { &e->array, 0 };
    const struct source *s = &l->ck->sources[e->file];
    numel_error gone = { 0 };
    if (!source_run(s, walk_merges, &m, &gone))
        lint_find(l, FINDING_FILE_CHANGED, lint_file(l, e), NO_TENSOR, gone.offset, "%s", gone.what);
    else if (m.bad < e->array.count)
        lint_find(l, FINDING_TOKENIZER_MERGES, lint_file(l, e), NO_TENSOR, e->offset,
                  "tokenizer.ggml.merges: entry %" PRIu64 " of %" PRIu64 " is not a pair", m.bad,
                  e->array.count);
    return true;
}

/* tokenizer.ggml.*_token_id; -1 as u32 is none. */
static bool check_ids(struct lint *l)
{
    const struct metadata_entry *tokens = array_of(l, "tokenizer.ggml.tokens");
    char key[TEXT_QUOTE];
    for (size_t i = 0; tokens && i < l->ck->metadata.count; i++) {
        const struct metadata_entry *e = &l->ck->metadata.entries[i];
        int64_t id;
        bool is = text_ends(e->key, "_token_id") && e->key.n > 15 &&
                  memcmp(e->key.p, "tokenizer.ggml.", 15) == 0 && e->type != META_ARRAY;
        if (!is || !metadata_integer(&e->value, &id) || id < 0 || id == UINT32_MAX) continue;
        if ((uint64_t)id >= tokens->array.count)
            lint_find(l, FINDING_TOKEN_ID, lint_file(l, e), NO_TENSOR, e->offset,
                      "%s is %" PRId64 ", but there are %" PRIu64 " tokens", text_quote(key, e->key), id,
                      tokens->array.count);
    }
    return true;
}

/* The first keys of llama.cpp's vocabulary; "none" and "no_vocab" mean that there is none. */
static bool check_tokenizer(struct lint *l)
{
    const struct metadata_entry *model = key_of(l, "tokenizer.ggml.model");
    bool none = model && model->type == META_STRING &&
                (text_equal(model->value.s, "none") || text_equal(model->value.s, "no_vocab"));
    if (none || !l->whole || !l->ck->registry.count || l->c->model->other || !llama_cpp_loads(l->c->model))
        return true;
    if (model && array_of(l, "tokenizer.ggml.tokens")) return true;
    lint_find(l, FINDING_TOKENIZER_ABSENT, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE,
              "no tokenizer: the metadata has no %s",
              model ? "tokenizer.ggml.tokens" : "tokenizer.ggml.model");
    return true;
}

static bool check_rope(struct lint *l)
{
    const char *text;
    if (!l->whole || !l->ck->registry.count || !llama_cpp_loads(l->c->model)) return true;
    if (!rope_factors_lost(l->c->model, &text, l->arena, l->v->error)) return false;
    if (text) lint_find(l, FINDING_ROPE_LOST, l->ck->files[0].path, NO_TENSOR, NUMEL_NOWHERE, "%s", text);
    return true;
}

/* ---- blocks, experts ---------------------------------------------------------------------- */

/* The formula reads both counts, and knows which blocks repeat, and which predict further tokens and may be
 * left out. */
static bool formula_agrees(const struct lint *l)
{
    const struct model *m = l->c->model;
    return m->x && !m->differences.missing && !m->differences.mismatched && !m->differences.unexpected_count;
}

static bool check_blocks(struct lint *l)
{
    uint64_t declared, ahead = 0, found = lint_count_behind(l, "blk.");
    const struct metadata_entry *e = lint_arch_number(l, "block_count", &declared);
    if (!e || !l->whole || !found || found == declared || formula_agrees(l)) return true;
    /* block_count includes the blocks of nextn_predict_layers, which a file may leave out */
    if (lint_arch_number(l, "nextn_predict_layers", &ahead) && ahead < declared && found == declared - ahead)
        return true;
    for (size_t i = 0; i < l->ck->registry.count; i++) /* T5 counts only its encoder */
        if (lint_number_behind(l->ck->registry.tensors[i].name, "enc.blk.", &found)) return true;
    lint_find(l, FINDING_BLOCK_COUNT, lint_file(l, e), NO_TENSOR, e->offset,
              "block_count is %" PRIu64 ", but the tensors belong to blocks 0 to %" PRIu64, declared,
              found - 1);
    return true;
}

static bool check_experts(struct lint *l)
{
    uint64_t declared;
    const struct metadata_entry *e = lint_arch_number(l, "expert_count", &declared);
    char name[TEXT_QUOTE];
    for (size_t i = 0; e && i < l->ck->registry.count && !formula_agrees(l); i++) {
        const numel_tensor *t = &l->ck->registry.tensors[i];
        if (!text_ends(t->name, "_exps.weight") || t->ndim != 3 || t->dims[0] == declared) continue;
        if (!text_glob("*.ffn_*", t->name)) continue; /* those of attention have their own count */
        lint_find(l, FINDING_EXPERT_COUNT, lint_file(l, e), t->name, e->offset,
                  "expert_count is %" PRIu64 ", but %s has %" PRIu64, declared, text_quote(name, t->name),
                  t->dims[0]);
        return true;
    }
    return true;
}

static bool check_mtp(struct lint *l)
{
    uint64_t declared;
    const struct metadata_entry *e = lint_arch_number(l, "nextn_predict_layers", &declared);
    if (!e || declared == 0 || !l->whole || l->ck->registry.count == 0) return true;
    for (size_t i = 0; i < l->ck->registry.count; i++)
        if (text_glob("*nextn*", l->ck->registry.tensors[i].name)) return true;
    lint_find(l, FINDING_MTP_ABSENT, lint_file(l, e), NO_TENSOR, e->offset,
              "nextn_predict_layers is %" PRIu64 ", but there are no tensors for multi-token prediction",
              declared);
    return true;
}

/* ---- all of them -------------------------------------------------------------------------- */

bool lint_gguf(struct lint *l)
{
    static bool (*const lints[])(struct lint *) = { check_rows, check_lengths,   check_merges,
                                                    check_ids,  check_blocks,    check_experts,
                                                    check_mtp,  check_tokenizer, check_rope };
    for (size_t i = 0; i < sizeof lints / sizeof *lints; i++)
        if (!lints[i](l)) return false;
    lint_file_type(l);
    lint_quantization_version(l);
    lint_said(l);
    return lint_projector(l);
}
