/* kept.c -- see kept.h. */
#include "kept.h"

#include "allocated.h"
#include "cases.h"
#include "draft.h"

#include "formula/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of known cases, so that lost cases are noticed. */
static const struct {
    const char *name;
    size_t least;
} files[] = { { "cache.jsonl.zst", 380 },
              { "cache_sizes.jsonl.zst", 339 },
              { "llamacpp.jsonl.zst", 118 },
              { "allocated.jsonl.zst", 113 },
              { "said.jsonl.zst", 64 } };

static void load(struct kept_cases *all, const char *path, size_t least)
{
    size_t n, lines = 0;
    numel_error e = { .code = NUMEL_OK };
    char *text = cases_unpack(&all->arena, path, &n);
    for (size_t i = 0; i < n; i++) lines += text[i] == '\n';
    if (lines < least) die("%s: has %zu cases, expected at least %zu", path, lines, least);
    all->items = must(realloc(all->items, (all->count + lines) * sizeof *all->items));
    for (char *end; (end = strchr(text, '\n')); text = end + 1) {
        struct kept_case *c = &all->items[all->count++];
        *end = '\0';
        *c = (struct kept_case){ .name = NULL };
        if (!(c->doc = oracle_parse(text, &e))) die("%s: %s", path, e.what);
        if (!(c->name = json_text_of(json_get(c->doc, "case")))) die("%s: no case", path);
        const json_value *config = json_get(c->doc, "config");
        if (config) c->config = oracle_config(config);
    }
}

void kept_cases_load_all(struct kept_cases *all, const char *folder)
{
    char path[512];
    *all = (struct kept_cases){ .count = 0 };
    arena_init(&all->arena, &memory_malloc);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        load(all, path, files[i].least);
    }
}

void kept_cases_free(struct kept_cases *all)
{
    for (size_t i = 0; i < all->count; i++) {
        json_doc_free(all->items[i].doc);
        free(all->items[i].config);
    }
    free(all->items);
    arena_done(&all->arena);
}

struct config *kept_config(const struct kept_case *c)
{
    numel_error e = { .code = NUMEL_OK };
    struct config *config;
    size_t n = strlen(c->config);
    if (!config_new(&config, &memory_malloc, &e) || !config_add_json(config, c->config, n, c->name, &e))
        die("%s: %s", c->name, e.what);
    return config;
}

/* ---- judging ---------------------------------------------------------------------------------- */

static uint64_t number(const json_value *of, const char *key)
{
    int64_t n = 0;
    const json_value *v = json_get(of, key);
    return v && json_integer(v, &n) && n > 0 ? (uint64_t)n : 0;
}

static const char *check_point(const struct kept_case *c, const struct expansion *x, const json_value *point,
                               char *why)
{
    struct cache_use use = { number(point, "tokens"), number(c->doc, "sources"), number(point, "sequences") };
    struct cache_sums sums;
    numel_error e = { .code = NUMEL_OK };
    if (!cache_sum(&sums, x, &use, &e)) return snprintf(why, KEPT_WHY, "%s", e.what), why;
    for (unsigned k = 0; k < CACHE_KINDS; k++) {
        const char *kind = k == CACHE_OTHER ? "other" : cache_kind_name(k);
        uint64_t wanted = number(point, kind);
        if (sums.elements[k] == wanted) continue;
        snprintf(why, KEPT_WHY,
                 "%" PRIu64 " tokens, %" PRIu64 " sequences: %s %" PRIu64 ", measured %" PRIu64, use.tokens,
                 use.sequences, kind, sums.elements[k], wanted);
        return why;
    }
    return NULL;
}

/* State that belongs to no layer has no measured layers; without encoder output, none of it is kept. */
static const char *check_layers(const struct kept_case *c, const struct expansion *x, char *why)
{
    struct cache_layers l[CACHE_LAYERS];
    size_t n = cache_layers(l, x);
    uint64_t layers = 0, wanted = number(c->doc, "slots");
    bool source = number(c->doc, "sources") > 0;
    for (size_t i = 0; i < n; i++)
        if (l[i].kind != LAYER_SHARED && (source || l[i].kind != LAYER_CROSS)) layers += l[i].count;
    if (!wanted || layers == wanted) return NULL;
    snprintf(why, KEPT_WHY, "%" PRIu64 " layers keep something, measured %" PRIu64, layers, wanted);
    return why;
}

static const char *check(const struct kept_case *c, const struct expansion *x, char *why)
{
    if (!cache_known(x)) {
        snprintf(why, KEPT_WHY, "%s", x->cache_count ? x->cache_why.what : "no cache lines");
        if (!error_free(&x->cache_why)) snprintf(why, KEPT_WHY, "%s", x->cache_why.what);
        return why;
    }
    const char *wrong = NULL;
    for (const json_value *p = json_first(json_get(c->doc, "kept")); p && !wrong; p = json_next(p))
        wrong = check_point(c, x, p, why);
    return wrong ? wrong : check_layers(c, x, why);
}

const char *kept_judge(const struct kept_case *c, const struct spec *spec, struct config *config,
                       char why[KEPT_WHY])
{
    numel_error e = { .code = NUMEL_OK };
    struct expand_input in = { .spec = spec, .config = config, .side = SIDE_HF, .cache = true };
    struct expansion *x = NULL;
    if (!expand_folded(&x, &in, &memory_malloc, &e)) {
        if (e.code == NUMEL_E_NOMEM) die("%s", e.what);
        return snprintf(why, KEPT_WHY, "%s", e.what), why;
    }
    const char *wrong = check(c, x, why);
    expansion_free(x);
    return wrong;
}
