/* allocated.c -- see allocated.h. */
#include "allocated.h"

#include "draft.h"

#include "memory/runtime.h"

#include <stdio.h>
#include <string.h>

/* ---- metadata --------------------------------------------------------------------------------- */

static struct metadata_value value_of_json(const json_value *v, enum metadata_type *type)
{
    struct metadata_value out = { .type = META_I64 };
    const char *text = json_text_of(v);
    if (text) out = (struct metadata_value){ .type = META_STRING, .s = { text, strlen(text) } };
    else if (json_kind(v) == JSON_BOOL) out = (struct metadata_value){ .type = META_BOOL, .u = json_true(v) };
    else if (!json_integer(v, &out.i)) out = (struct metadata_value){ .type = META_F64, .f = json_double(v) };
    *type = out.type;
    return out;
}

/* Whole numbers or truth values: the elements of an architecture's lists. */
static void fill_array(struct metadata_entry *entry, const json_value *list, struct arena *a)
{
    const json_value *first = json_first(list);
    bool truths = first && json_kind(first) == JSON_BOOL;
    unsigned width = truths ? 1 : 8;
    uint64_t n = 0;
    for (const json_value *v = first; v; v = json_next(v)) n++;
    uint8_t *bytes = must(arena_alloc(a, n * width + 1)), *at = bytes;
    for (const json_value *v = first; v; v = json_next(v), at += width) {
        enum metadata_type type;
        struct metadata_value one = value_of_json(v, &type);
        uint64_t u = type == META_I64 ? (uint64_t)one.i : type == META_BOOL ? one.u : 0;
        for (unsigned i = 0; i < width; i++) at[i] = (uint8_t)(u >> (8 * i));
    }
    entry->type = META_ARRAY;
    entry->array =
        (struct metadata_array){ truths ? META_BOOL : META_I64, false, false, 8, n, n * width, bytes };
}

static void add_metadata(struct metadata *m, const struct kept_case *c, struct arena *a)
{
    numel_error e = { .code = NUMEL_OK };
    for (const json_value *v = json_first(json_get(c->doc, "metadata")); v; v = json_next(v)) {
        const char *key = json_name(v);
        struct metadata_entry entry = { .key = { key, strlen(key) } };
        if (json_kind(v) == JSON_ARRAY) fill_array(&entry, v, a);
        else entry.value = value_of_json(v, &entry.type);
        if (!metadata_add(m, &entry, &e)) die("%s: %s", c->name, e.what);
    }
}

void kept_tell(struct kept_told *t, const struct kept_case *c)
{
    numel_error e = { .code = NUMEL_OK };
    *t = (struct kept_told){ .side = c->config ? SIDE_HF : SIDE_GGUF };
    arena_init(&t->arena, &memory_malloc);
    metadata_init(&t->metadata, &memory_malloc);
    if (c->config) {
        t->config = kept_config(c);
        return;
    }
    add_metadata(&t->metadata, c, &t->arena);
    if (!config_new(&t->config, &memory_malloc, &e)) die("%s", e.what);
    config_add_metadata(t->config, &t->metadata);
}

void kept_told_done(struct kept_told *t)
{
    config_free(t->config);
    metadata_done(&t->metadata);
    arena_done(&t->arena);
}

/* ---- judging ---------------------------------------------------------------------------------- */

static uint64_t number(const json_value *of, const char *key)
{
    int64_t n = 0;
    if (!json_integer(json_get(of, key), &n) || n < 0) die("no %s", key);
    return (uint64_t)n;
}

static const struct kv_type *type_of(const json_value *of, const char *key)
{
    const char *name = json_text_of(json_get(of, key));
    const struct kv_type *t = name ? kv_type_find((numel_str){ name, strlen(name) }) : NULL;
    if (!t) die("no type %s", key);
    return t;
}

static const char *check_context(const struct expansion *x, const json_value *p, char *why)
{
    struct memory_run run = { .runtime = RUNTIME_LLAMA_CPP,
                              .k = type_of(p, "k"),
                              .v = type_of(p, "v"),
                              .context = number(p, "tokens"),
                              .batch = 1,
                              .ubatch = number(p, "ubatch"),
                              .seqs = number(p, "sequences"),
                              .unified = json_true(json_get(p, "unified")),
                              .swa_full = json_true(json_get(p, "swa_full")),
                              .no_flash = !json_true(json_get(p, "flash")) };
    struct cache_bytes sums = { .bytes = 0 };
    numel_error e = { .code = NUMEL_OK };
    if (x->cache_count && !memory_cache(&sums, x, &run, &e))
        return snprintf(why, KEPT_WHY, "%s", e.what), why;
    if (sums.bytes == number(p, "bytes")) return NULL;
    char *shown = json_print(p);
    snprintf(why, KEPT_WHY, "%" PRIu64 " bytes for %.400s", sums.bytes, shown);
    json_print_free(shown);
    return why;
}

static const char *judge(const struct kept_case *c, const struct spec *spec, struct config *config, char *why)
{
    numel_error e = { .code = NUMEL_OK };
    struct expand_input in = {
        .spec = spec, .config = config, .side = SIDE_GGUF, .cache = true, .llama_cpp = true
    };
    struct expansion *x = NULL;
    const char *wrong = NULL;
    if (!expand_folded(&x, &in, &memory_malloc, &e)) return snprintf(why, KEPT_WHY, "%s", e.what), why;
    if (!error_free(&x->cache_why)) wrong = (snprintf(why, KEPT_WHY, "%s", x->cache_why.what), why);
    for (const json_value *p = json_first(json_get(c->doc, "contexts")); p && !wrong; p = json_next(p))
        wrong = check_context(x, p, why);
    expansion_free(x);
    return wrong;
}

const char *kept_judge_any(const struct kept_case *c, const struct spec *spec, const struct kept_told *told,
                           char why[KEPT_WHY])
{
    return c->config ? kept_judge(c, spec, told->config, why) : judge(c, spec, told->config, why);
}
