/*
 * kept.h -- the cases of fixtures/memory: the measured contents of transformers' caches.
 *
 * A specification passes a case if its cache lines give the elements of each kind, for each measured
 * number of tokens and sequences, in the same number of layers. A missing file or missing cases end the
 * program.
 */
#ifndef NUMEL_TEST_KEPT_H
#define NUMEL_TEST_KEPT_H

#include "base/json_doc.h"
#include "formula/expand.h"

struct kept_case {
    const char *name; /* "llama/default" */
    json_value *doc;  /* config, sources, slots, kept */
    char *config;     /* if NULL, the case has metadata (allocated.h) */
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
/* Returns NULL, or the first mismatch, formatted into why. The spec must have the parts that the
 * configuration selects. */
const char *kept_judge(const struct kept_case *c, const struct spec *spec, struct config *config,
                       char why[KEPT_WHY]);

#endif
