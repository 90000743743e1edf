/*
 * lint_hf.c -- config.json, generation_config.json and the tokenizer's files against the tensors.
 *
 * Reconcile reports what follows from a formula; this file checks the rest: tokens without a row, ids past
 * the vocabulary, layers that are declared but not stored, the type of the weights.
 */
#include "verify/lint_internal.h"

#include "model/config_file.h"
#include "model/meaning.h"
#include "verify/tokenizer_file.h"
#include "base/text.h"

#include <string.h>

/* ---- the configuration -------------------------------------------------------------------- */

/* The first of the keys that is an integer, also in text_config; *key is NULL if none is. */
NUMEL_MUST static bool number_of(const struct lint *l, const char *const *keys, const char **key, int64_t *n)
{
    *key = NULL;
    for (; *keys && !*key; keys++) {
        char inner[96];
        numel_str paths[2] = { text_of(*keys), text_join(inner, sizeof inner, text_of("text_config."),
                                                         text_of(*keys), text_of("")) };
        struct value v;
        numel_error why = { 0 }; /* of an unusable value */
        bool had = config_value(l->c->model->config, NULL, SIDE_HF, paths, 2, &v, &why);
        if (why.code == NUMEL_E_NOMEM) return error_nomem(l->v->error);
        if (!had || v.kind != VALUE_INT || v.evidence != EVIDENCE_DECLARED) continue;
        *n = v.i;
        *key = *keys;
    }
    return true;
}

/* The declared number of layers or experts against the numbers in names. */
static void tell_count(struct lint *l, enum finding_rule rule, const char *key, int64_t declared,
                       const char *what, uint64_t found)
{
    if (key && found && l->whole && declared >= 0 && found != (uint64_t)declared)
        lint_find(l, rule, l->config, NO_TENSOR, NUMEL_NOWHERE,
                  "%s is %" PRId64 ", but the tensors belong to %s 0 to %" PRIu64, key, declared, what,
                  found - 1);
}

static bool check_experts(struct lint *l)
{
    static const char *const keys[] = { "num_experts", "num_local_experts", "n_routed_experts",
                                        "moe_num_experts", NULL };
    int64_t declared = 0;
    const char *key;
    if (!number_of(l, keys, &key, &declared)) return false;
    tell_count(l, FINDING_EXPERT_COUNT, key, declared, "experts", lint_count_behind(l, "experts."));
    return true;
}

static bool check_layers(struct lint *l)
{
    static const char *const keys[] = { "num_hidden_layers", "n_layer", "num_layers", NULL };
    int64_t declared = 0;
    uint64_t found = lint_count_behind(l, "model.layers.");
    const char *key;
    if (!number_of(l, keys, &key, &declared)) return false;
    bool agrees =
        l->c->model->x && !l->c->model->differences.missing && !l->c->model->differences.unexpected_count;
    if (!found) found = lint_count_behind(l, "h.");
    if (!agrees) tell_count(l, FINDING_BLOCK_COUNT, key, declared, "layers", found);
    return true;
}

static bool check_mtp(struct lint *l)
{
    static const char *const keys[] = { "num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers",
                                        NULL };
    static const char *const layers[] = { "num_hidden_layers", NULL };
    int64_t declared, layer_count = INT64_MAX;
    const char *key, *other;
    if (!number_of(l, keys, &key, &declared)) return false;
    if (!key || declared <= 0 || !l->whole || l->ck->registry.count == 0) return true;
    if (!number_of(l, layers, &other, &layer_count)) return false;
    for (size_t i = 0; i < l->ck->registry.count; i++) {
        numel_str name = l->ck->registry.tensors[i].name;
        uint64_t n;
        if (meaning_of(name).place->place == PLACE_MTP ||
            (lint_number_behind(name, "layers.", &n) && n >= (uint64_t)layer_count))
            return true;
    }
    lint_find(l, FINDING_MTP_ABSENT, l->config, NO_TENSOR, NUMEL_NOWHERE,
              "%s is %" PRId64 ", but there are no tensors for multi-token prediction: speculative decoding "
              "will not work",
              key, declared);
    return true;
}

static void tell_relation(void *ctx, const struct config_relation *r)
{
    struct lint *l = ctx;
    lint_find(l, FINDING_COUNTS, r->file, NO_TENSOR, NUMEL_NOWHERE,
              "%s is %" PRId64 ", which %s %" PRId64 ", %s", r->part, r->parts,
              r->divides ? "does not divide" : "is more than", r->wholes, r->whole);
}

/* ---- types -------------------------------------------------------------------------------- */

static bool check_dtype(struct lint *l, const json_value *config)
{
    const json_value *v = json_get(config, "dtype");
    const char *says = json_text_of(v ? v : json_get(config, "torch_dtype"));
    struct lint_type types[LINT_TYPES];
    size_t n = 0;
    for (size_t i = 0; i < l->ck->registry.count; i++) lint_add_type(types, &n, &l->ck->registry.tensors[i]);
    if (!says || n == 0 || l->ck->named || json_get(config, "quantization_config") ||
        json_get(config, "quantization"))
        return true;
    const numel_dtype *declared = dtype_torch(text_of(says));
    if (declared && strcmp(types[0].dtype->name, declared->name) != 0)
        lint_find(l, FINDING_DTYPE_OTHER, l->config, NO_TENSOR, NUMEL_NOWHERE,
                  "dtype is %s, but most elements (%" PRIu64 " of %" PRIu64 ") are %s",
                  strncmp(says, "torch.", 6) == 0 ? says + 6 : says, types[0].elements, l->ck->stored,
                  types[0].dtype->name);
    return true;
}

/* ---- tokens ------------------------------------------------------------------------------- */

static void check_id(struct lint *l, const char *file, const char *key, const json_value *v, uint64_t rows)
{
    int64_t id;
    if (json_integer(v, &id) && id >= 0 && (uint64_t)id >= rows)
        lint_find(l, FINDING_TOKEN_ID, file, NO_TENSOR, NUMEL_NOWHERE,
                  "%s is %" PRId64 ", but the embedding has %" PRIu64 " rows", key, id, rows);
}

/* eos_token_id: 2, or [128001, 128008, 128009]. */
static void check_ids(struct lint *l, const char *file, const json_value *config, uint64_t rows)
{
    static const char *const keys[] = { "bos_token_id", "eos_token_id", "pad_token_id",
                                        "decoder_start_token_id" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_value *v = json_get(config, keys[i]);
        if (!v) continue;
        if (json_kind(v) != JSON_ARRAY) check_id(l, file, keys[i], v, rows);
        else
            for (const json_value *x = json_first(v); x; x = json_next(x))
                check_id(l, file, keys[i], x, rows);
    }
}

NUMEL_MUST static bool check_tokenizer(struct lint *l)
{
    struct tokenizer t;
    numel_error why = { 0 };
    char name[TEXT_QUOTE];
    if (!tokenizer_read(&t, l->ck->dir, l->arena, &why)) {
        if (why.code == NUMEL_E_NOMEM) return error_nomem(l->v->error);
        lint_find(l, FINDING_TOKENIZER_UNREADABLE, why.file, NO_TENSOR, why.offset, "%s", why.what);
        return true;
    }
    const numel_tensor *embedding = t.path ? lint_embedding(l) : NULL;
    if (!embedding || t.rows == embedding->dims[0]) return true;
    bool less = embedding->dims[0] < t.rows;
    lint_find(l, less ? FINDING_VOCABULARY_SHORT : FINDING_VOCABULARY_PADDED, t.path, embedding->name,
              NUMEL_NOWHERE, "%s has %" PRIu64 " rows for %" PRIu64 " tokens%s",
              text_quote(name, embedding->name), embedding->dims[0], t.rows,
              less ? ": the last tokens have no row" : "");
    return true;
}

/* Checks the types and each small file with token ids. */
NUMEL_MUST static bool check_files(struct lint *l)
{
    static const char *const names[] = { "config.json", "generation_config.json" };
    for (size_t i = 0; i < 2; i++) {
        numel_error why = { 0 };
        const char *path;
        json_value *doc = config_file_load(l->ck, names[i], l->arena, &path, &why);
        if (why.code == NUMEL_E_NOMEM) return error_nomem(l->v->error);
        if (!doc && !error_free(&why))
            lint_find(l, FINDING_CONFIG_UNREADABLE, path, NO_TENSOR, why.offset, "%s", why.what);
        if (!doc) continue;
        const numel_tensor *embedding = lint_embedding(l);
        if (embedding) check_ids(l, path, doc, embedding->dims[0]);
        bool ok = lint_numbers(l, path, doc) && (i || check_dtype(l, doc));
        json_doc_free(doc);
        if (!ok) return false;
    }
    return true;
}

bool lint_hf(struct lint *l)
{
    if (!l->ck->dir) return true;
    config_relations(l->c->model->config, tell_relation, l);
    return check_experts(l) && check_layers(l) && check_mtp(l) && check_files(l) && check_tokenizer(l);
}
