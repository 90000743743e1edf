/*
 * claim.h -- a number as somebody stated it, and the counts that it may stand for.
 *
 *     6607.34M        rounded to the last digit: 6,607,335,000 up to, not including, 6,607,345,000
 *     78,235,566,080  exact: itself
 *     8x7B            as 56B, whose last digit is 8 billion
 *     70b             also 65 to 75 billion (zeros at the end are mostly not digits), also a name
 *
 * How a number is written is the grammar of base/number.h, all of it. Here it is limited to what can be a
 * model, and read in several ways; a weaker reading costs bits (explain.h), since it lets more numbers pass.
 */
#ifndef NUMEL_EXPLAIN_CLAIM_H
#define NUMEL_EXPLAIN_CLAIM_H

#include "base/number.h"

enum { CLAIM_DIGITS = 18 };
#define CLAIM_MOST UINT64_C(1000000000000000000) /* 10^18: what a claim may be at most */

struct claim {
    const char *text; /* the caller's */
    struct number n;  /* at least 1 */
};

enum claim_reading {
    CLAIM_WRITTEN, /* rounded to its last digit; itself when exact */
    CLAIM_CUT,     /* further digits cut off, not rounded */
    CLAIM_ZEROS,   /* zeros at the end are not digits: 70b is any number that rounds to it in tens */
    CLAIM_NAME,    /* a name more than a number: within a quarter */
    CLAIM_READINGS
};

/* USAGE, with what is wrong. Blanks around the number are fine, and so is "parameters" behind it. */
NUMEL_MUST bool claim_read(struct claim *c, const char *text, numel_error *e);
/* The numbers from *low up to, not including, *high; false when the claim cannot be read so. */
bool claim_window(const struct claim *c, enum claim_reading r, uint64_t *low, uint64_t *high);
/* "as written", "digits cut off, not rounded", ... */
const char *claim_reading_text(enum claim_reading r);

#endif
