/*
 * number.h -- numbers as people and programs write them, and the counts that their digits allow.
 *
 *   6738415616   6,738,415,616   6738.4M   7B   6.74 billion   13.5 GB   12.55GiB   1.5e9   8x7B
 *
 * A number is mantissa * scale / divisor, three integers, so no digit is lost and nothing is rounded in
 * floating point; `value` is that quotient, rounded to nearest. The last digit shows how exact a number is:
 * 6607.34M was rounded from a count between `low`, 6,607,335,000, and `high`, 6,607,344,999.
 *
 * There is one grammar, and each caller allows a part of it. A form that is not allowed ends the number
 * before it: without NUMBER_UNITS, "7B" is read as 7, and "B" is left. The caller checks what may follow a
 * number.
 *
 *   number  [times "x"] whole ["." digits] [exponent] [blank unit]    or without whole: ".5"
 *   whole   digits, or one to three of them and groups of three after one separator: , _ '
 */
#ifndef NUMEL_BASE_NUMBER_H
#define NUMEL_BASE_NUMBER_H

#include "base/error.h"

enum number_form {
    NUMBER_GROUPS = 1 << 0,   /* 6,738,415,616 */
    NUMBER_EXPONENT = 1 << 1, /* 1.5e9, 1.5E+9, 15000e-1 */
    NUMBER_UNITS = 1 << 2,    /* K k M B b G T Q, thousand to trillion, perhaps after a blank */
    NUMBER_BYTES = 1 << 3,    /* bytes, KB to TB, KiB to TiB */
    NUMBER_TYPED = 1 << 4     /* units in any case after any blanks, blanks between groups, 8x7B */
};

enum number_answer {
    NUMBER_READ,
    NUMBER_ABSENT, /* no digits */
    NUMBER_BROKEN, /* groups of other than three digits: 1,23 */
    NUMBER_LONG,   /* the mantissa does not fit in 64 bits */
    NUMBER_LARGE,  /* the value or `high` does not */
    NUMBER_UNEVEN  /* not a whole number: 0.5, 1.2345K */
};

enum number_kind { NUMBER_COUNT, NUMBER_OF_BYTES };

struct number {
    uint64_t mantissa;       /* without zeros after a point that only show it is whole */
    uint64_t scale, divisor; /* the divisor is 1, or a power of ten for KiB to TiB */
    uint64_t value;          /* rounded to nearest */
    uint64_t low, high; /* the range it may have been rounded from, inclusive; both equal `value` if exact */
    unsigned digits;    /* in the mantissa as written, without leading zeros */
    enum number_kind kind;
    bool exact;   /* the last digit has the value 1 */
    bool pointed; /* written with a decimal point, so trailing zeros are significant */
    bool scaled;  /* written with a unit */
};

/* Reads the number at the front of *s, in units of 10^power (6 for a column headed MB). *s moves past
 * whatever was read, even if that is not a valid number, except for NUMBER_ABSENT. *n is complete only for
 * NUMBER_READ. */
enum number_answer number_read(struct number *n, numel_str *s, unsigned forms, unsigned power);

enum number_rounding {
    NUMBER_ROUNDED, /* rounded to the last digit: low to high */
    NUMBER_CUT,     /* further digits were cut off: 132M is 132,000,000 to 132,999,999 */
    NUMBER_ZEROS    /* trailing zeros are not significant: 70B is 65 to 75 billion */
};

/* The counts that the number may stand for, *high included. False if it cannot be read this way: an exact
 * number is not cut; there are no trailing zeros, or only one or two by chance; or no whole number is in
 * between (15000e-10MiB is 1.52 to 1.63 bytes without its zeros). */
bool number_range(const struct number *n, enum number_rounding how, uint64_t *low, uint64_t *high);

/* Reads the digits at the front of *s and moves past them. False if there are none, or if they do not fit
 * in 64 bits. */
bool number_digits(numel_str *s, uint64_t *v);
/* Reads a text that consists of digits, as machines write numbers. False if it is empty, contains anything
 * else, or does not fit; *v is then 0. */
bool number_plain(numel_str s, uint64_t *v);

/* Numbers with a fraction, from and to double. The C library writes the decimal point of the host's
 * locale, "1,5" in Germany; here it is always a point, even after setlocale(). */
enum { NUMBER_REAL = 48 };
enum number_style { NUMBER_SHORT = 'g', NUMBER_SCIENTIFIC = 'e', NUMBER_FIXED = 'f' };
/* Formats like printf() with %.*g, %.*e or %.*f; NUMBER_FIXED only below 1e17 and with at most 24 digits.
 * Returns out. */
char *number_real(char out[NUMBER_REAL], double v, enum number_style style, int digits);
/* Reads a whole text of the form [-] digits [. digits] [e [+-] digits], rounded to nearest; not inf, nan
 * or hexadecimal. False for anything else, or above 60 bytes. `single` rounds to float. */
NUMEL_MUST bool number_real_read(numel_str s, bool single, double *v);

static inline bool number_is_digit(char c) { return c >= '0' && c <= '9'; }
/* The value of a hex digit of either case, or -1. */
static inline int number_hex(char c)
{
    if (number_is_digit(c)) return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
