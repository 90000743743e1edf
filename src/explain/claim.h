/*
 * claim.h -- a claimed number, and the counts that it may stand for.
 *
 *     6607.34M        rounded to the last digit: 6,607,335,000 up to, not including, 6,607,345,000
 *     78,235,566,080  exact: itself
 *     8x7B            as 56B, whose last digit is 8 billion
 *     70b             also 65 to 75 billion (trailing zeros are mostly not significant), also a name
 *
 * A claim uses the whole grammar of base/number.h. Here it is limited to plausible model sizes and read in
 * several ways; a weaker reading costs bits (explain.h), since it lets more numbers pass.
 */
#ifndef NUMEL_EXPLAIN_CLAIM_H
#define NUMEL_EXPLAIN_CLAIM_H

#include "base/number.h"

enum { CLAIM_DIGITS = 18 };
#define CLAIM_MOST UINT64_C(1000000000000000000) /* 10^18: the largest claim */

struct claim {
    const char *text; /* the caller's */
    struct number n;  /* at least 1 */
};

enum claim_reading {
    CLAIM_WRITTEN, /* rounded to its last digit; itself when exact */
    CLAIM_CUT,     /* truncated, not rounded */
    CLAIM_ZEROS,   /* trailing zeros are not significant: 70b is any number that rounds to it in tens */
    CLAIM_NAME,    /* more a name than a number: within a quarter */
    CLAIM_READINGS
};

/* USAGE, with the reason. Allows blanks around the number and "parameters" after it. */
NUMEL_MUST bool claim_read(struct claim *c, const char *text, numel_error *e);
/* The numbers from *low up to, not including, *high; false if the claim has no such reading. */
bool claim_window(const struct claim *c, enum claim_reading r, uint64_t *low, uint64_t *high);
/* "as written", "truncated, not rounded", ... */
const char *claim_reading_text(enum claim_reading r);

#endif
