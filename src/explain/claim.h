/*
 * claim.h -- a claimed number, and the counts that it may stand for.
 *
 *   6607.34M          rounded to the last digit: 6,607,335,000 up to, not including, 6,607,345,000
 *   78,235,566,080    exact: only itself
 *   8x7B              like 56B, with a last digit worth 8 billion
 *   70b               also 65 to 75 billion (trailing zeros are usually not significant), and a name
 *
 * A claim may use the whole grammar of base/number.h, but is limited to plausible model sizes and read in
 * several ways. A weaker reading matches more numbers, so it costs bits (explain.h).
 */
#ifndef NUMEL_EXPLAIN_CLAIM_H
#define NUMEL_EXPLAIN_CLAIM_H

#include "base/number.h"

enum { CLAIM_DIGITS = 18 };
#define CLAIM_MOST UINT64_C(1000000000000000000) /* 10^18, the largest claim */

struct claim {
    const char *text; /* the caller's */
    struct number n;  /* value at least 1 */
};

enum claim_reading {
    CLAIM_WRITTEN, /* rounded to the last digit; if exact, only itself */
    CLAIM_CUT,     /* truncated, not rounded */
    CLAIM_ZEROS,   /* trailing zeros are not significant: 70b is anything that rounds to it */
    CLAIM_NAME,    /* a name rather than a number: matches within a quarter */
    CLAIM_READINGS
};

/* USAGE with the reason. Accepts blanks around the number and "parameters" after it. */
NUMEL_MUST bool claim_read(struct claim *c, const char *text, numel_error *e);
/* The numbers from *low up to, but not including, *high. False if the claim cannot be read this way. */
bool claim_window(const struct claim *c, enum claim_reading r, uint64_t *low, uint64_t *high);
/* "as written", "truncated, not rounded", ... */
const char *claim_reading_text(enum claim_reading r);

#endif
