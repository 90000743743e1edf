/*
 * kept.h -- the cases of fixtures/memory: what the caches of transformers hold, measured.
 *
 * A specification passes a case when its cache lines come to the elements of each kind, for each number of tokens and
 * sequences that was measured, in as many layers. A file that went missing or lost cases ends the program.
 */
#ifndef NUMEL_TEST_KEPT_H
#define NUMEL_TEST_KEPT_H

#include "base/json_doc.h"
#include "formula/expand.h"

struct kept_case {
    const char *name; /* "llama/default" */
    json_value *doc;  /* config, sources, slots, kept */
    char *config;     /* NULL: it has metadata (allocated.h) */
};

struct kept_cases {
    struct arena arena;
    struct kept_case *items;
    size_t count;
};

void kept_cases_free(struct kept_cases *all);

/* The configuration of a case; the caller frees it. */
struct config *kept_config(const struct kept_case *c);

enum { KEPT_WHY = 600 };
/* NULL, or the first thing that is wrong, in why. The spec has the parts that the configuration asks for. */
const char *kept_judge(const struct kept_case *c, const struct spec *spec, struct config *config,
                       char why[KEPT_WHY]);

#endif
