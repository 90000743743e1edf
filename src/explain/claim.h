/*
 * claim.h -- a number as somebody wrote it, and the whole numbers that it may stand for.
 *
 *     6607.34M        rounded to the last digit: 6,607,335,000 up to, not including, 6,607,345,000
 *     78,235,566,080  exact: itself
 *     8x7B            as 56B, whose last digit is 8 billion
 *     70b             also 65 to 75 billion (zeros at the end are mostly no digits), also a name
 *
 * A claim is mantissa * scale / divisor, all three integers, so that no digit is lost. It can be
 * read in several ways; a weaker one costs bits (explain.h), since it lets more numbers pass.
 */
#ifndef NUMEL_EXPLAIN_CLAIM_H
#define NUMEL_EXPLAIN_CLAIM_H

#include "base/error.h"

enum { CLAIM_DIGITS = 18 };                      /* of the mantissa */
#define CLAIM_MOST UINT64_C(1000000000000000000) /* 10^18: what a claim may be at most */

struct claim {
    const char *text;        /* the caller's */
    uint64_t mantissa;       /* never 0 */
    uint64_t scale, divisor; /* powers of ten; with KiB and its kin the scale is one of two */
    uint64_t value;          /* mantissa * scale / divisor, rounded to nearest */
    bool exact;              /* the last digit stands for 1 */
    bool pointed;            /* written with a decimal point: zeros at the end are digits */
    bool bytes;              /* written with GB, GiB or the like */
};

enum claim_reading {
    CLAIM_WRITTEN, /* rounded to its last digit; itself when exact */
    CLAIM_CUT,     /* further digits cut off, not rounded */
    CLAIM_ZEROS,   /* zeros at the end are no digits: 70b is any number that rounds to it in tens */
    CLAIM_NAME,    /* a name more than a number: within a quarter */
    CLAIM_READINGS
};

/* USAGE, with what is wrong. Leading and trailing blanks are fine, so are groups of three digits
 * (`,` `_` `'` blank), an exponent, K M B G T and their words, KB KiB and their kin, and
 * "parameters" behind them. */
bool claim_read(struct claim *c, const char *text, numel_error *e);
/* The numbers from *low up to, not including, *high; false when the claim has no such reading. */
bool claim_window(const struct claim *c, enum claim_reading r, uint64_t *low, uint64_t *high);
/* "as written", "digits cut off, not rounded", ... */
const char *claim_reading_text(enum claim_reading r);

#endif
