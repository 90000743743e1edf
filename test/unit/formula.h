/*
 * formula.h -- helpers for the tests of src/formula: a spec from text, a configuration from JSON, an
 * allocator that runs out.
 */
#ifndef NUMEL_TEST_FORMULA_H
#define NUMEL_TEST_FORMULA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "formula/expand.h"

/* Out-parameters start as garbage, so that one left unset is noticed. */
#define POISON(x) memset(&(x), 0xAA, sizeof(x))

static inline bool parse(struct spec **s, const char *text, struct complaints *all, numel_error *e)
{
    struct spec_input in = { .text = text_of(text), .file = "test.spec" };
    POISON(*s);
    *e = (numel_error){ 0 };
    return spec_parse(s, &in, &memory_malloc, all, e);
}

static inline struct spec *parsed(const char *text)
{
    struct spec *s;
    numel_error e;
    if (!parse(&s, text, NULL, &e)) fail_msg("%s: %s", e.file, e.what);
    return s;
}

static inline struct config *configured(const char *json)
{
    struct config *c;
    numel_error e = { 0 };
    POISON(c);
    assert_true(config_new(&c, &memory_malloc, &e));
    if (json && !config_add_json(c, json, strlen(json), "config.json", &e)) fail_msg("%s", e.what);
    return c;
}

static inline bool expanded(struct expansion **x, const struct spec *s, struct config *c, enum side side,
                            const struct presence *file, numel_error *e)
{
    struct expand_input in = { .spec = s, .config = c, .side = side, .file = file };
    POISON(*x);
    *e = (numel_error){ 0 };
    return expand(x, &in, &memory_malloc, e);
}

/* Grants `left` allocations, then fails. */
struct scarce {
    size_t left, live;
};

static inline void *scarce_resize(void *ctx, void *old, size_t bytes)
{
    struct scarce *s = ctx;
    if (!bytes) {
        free(old);
        s->live--;
        return NULL;
    }
    if (!s->left) return NULL;
    s->left--;
    s->live += old == NULL;
    return realloc(old, bytes);
}

#endif
