/*
 * explain_words.h -- an account of explain in words: as lines, as one phrase, and its verdict.
 */
#ifndef NUMEL_REPORTER_EXPLAIN_WORDS_H
#define NUMEL_REPORTER_EXPLAIN_WORDS_H

#include "explain/explain.h"

struct wording {
    const struct account *a;
    struct tally tally; /* adds up to a->shown */
    const char *joined; /* "parameters, without output head" */
    const char *json;   /* the lines, as an array */
};

/* Everything is in the ledger's arena. NOMEM, OVERFLOW. */
NUMEL_MUST bool wording_make(struct wording *w, const struct explanation *x, const struct account *a,
                             numel_error *e);

/* "6607.34M: 6,607,335,000 to 6,607,344,999"; and whether the best account explains it. NULL if memory
 * runs out. */
NUMEL_MUST const char *explain_claim_text(const struct explanation *x, struct arena *a);
NUMEL_MUST const char *explain_verdict(const struct explanation *x, struct arena *a);

#endif
