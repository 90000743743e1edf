/*
 * oracle.c -- a model from an oracle file: as reported by a class of transformers.
 *
 * The file has `params` (name to shape, with every name of a tied tensor), `tied` (a name to the stored
 * name), `buffers` (persistent ones), `extra` (other tensors in files), `num_parameters` and the
 * configuration; `diff_config` is the content of a config.json. A saved file has each tied tensor once.
 * Types are not recorded: the last word of a name identifies the integer tensors of torch, the others are
 * floats. Python writes Infinity, which is not JSON, into some (time_step_limit of Mamba-2): it is read as
 * a string here and written to the config.json as published files have it.
 */
#include "draft.h"

#include "base/json_doc.h"

#include <stdlib.h>
#include <string.h>

/* After a comma: quoted it is JSON, as transformers 5 writes it. */
static const char infinity[] = ",Infinity", quoted[] = ",\"@Infinity\"";

/* `text` with each `from` replaced by `to`; the caller frees it. */
static char *swap(const char *text, const char *from, const char *to)
{
    struct buffer b;
    buffer_init(&b, &memory_malloc);
    for (const char *hit; (hit = strstr(text, from)); text = hit + strlen(from)) {
        buffer_add(&b, text, (size_t)(hit - text));
        buffer_text(&b, to);
    }
    buffer_add(&b, text, strlen(text) + 1);
    if (b.failed) die("out of memory");
    return b.p;
}

json_value *oracle_parse(const char *text, numel_error *e)
{
    char *plain = swap(text, infinity, quoted);
    json_value *doc = json_doc_parse(plain, strlen(plain), e);
    free(plain);
    return doc;
}

char *oracle_config(const json_value *config)
{
    char *printed = must(json_print(config)), *real = swap(printed, quoted, infinity);
    json_print_free(printed);
    return real;
}

static void add(struct draft *m, const json_value *entry, const struct kind *kind)
{
    uint64_t dims[MODEL_DIMS];
    unsigned n = 0;
    for (const json_value *d = json_first(entry); d; d = json_next(d)) {
        int64_t v;
        if (n == MODEL_DIMS || !json_integer(d, &v) || v < 0) die("%s: bad shape", json_name(entry));
        dims[n++] = (uint64_t)v;
    }
    draft_add(m, json_name(entry), kind, dims, n);
}

static void add_params(struct draft *m, const json_value *doc, const struct kind *kind)
{
    const json_value *params = json_get(doc, "params"), *tied = json_get(doc, "tied");
    int64_t told;
    if (!params || !tied) die("no oracle: params or tied missing");
    for (const json_value *p = json_first(params); p; p = json_next(p))
        if (!json_get(tied, json_name(p))) add(m, p, kind);
    if (json_integer(json_get(doc, "num_parameters"), &told) && draft_sum(m).elements != (uint64_t)told)
        die("params sum to %" PRIu64 ", num_parameters is %" PRId64, draft_sum(m).elements, told);
}

/* Buffers registered as I64 that transformers, diffusers and timm save. */
static bool is_whole(const char *name)
{
    static const char *const words[] = { "num_batches_tracked",
                                         "relative_position_index",
                                         "position_ids",
                                         "token_type_ids",
                                         "latent_stats_num_updates",
                                         "summary_idxs",
                                         "attention_bias_idxs",
                                         "tid2eid",
                                         "cases",
                                         "layer_multipliers",
                                         "ngram_heads_vocab_sizes",
                                         "ngram_heads_offsets" };
    const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(last, words[i])) return true;
    return false;
}

void draft_of_oracle(struct draft *m, const json_value *doc, const struct kind *kind)
{
    add_params(m, doc, kind);
    static const char *const beside[] = { "buffers", "extra" };
    const struct kind *whole = kind_find("I64", false);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        for (const json_value *b = json_first(json_get(doc, beside[i])); b; b = json_next(b))
            add(m, b, is_whole(json_name(b)) ? whole : kind);
    buffer_text(&m->meta, "\"format\":\"pt\"");
}

static const char *config_of(struct draft *m, const json_value *doc)
{
    const json_value *config = json_get(doc, "diff_config");
    char *text = oracle_config(config ? config : json_get(doc, "config"));
    const char *kept = must(arena_text(&m->arena, text, strlen(text)));
    free(text);
    return kept;
}

const char *draft_oracle(struct draft *m, const char *path, const char *dtype)
{
    numel_error e = { .code = NUMEL_OK };
    size_t n;
    char *text = file_read(path, &n);
    json_value *doc = oracle_parse(text, &e);
    const struct kind *kind = kind_find(dtype, false);
    if (!doc) die("%s: %s", path, e.what);
    if (!kind) die("unknown type %s", dtype);
    draft_of_oracle(m, doc, kind);
    const char *config = config_of(m, doc);
    json_doc_free(doc);
    free(text);
    return config;
}
