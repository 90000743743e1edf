/* claim.c -- see claim.h. */
#include "explain/claim.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>
#include <strings.h>

__extension__ typedef unsigned __int128 wide;

/* ---- units -------------------------------------------------------------------------------- */

struct unit {
    const char *name;
    unsigned base, power; /* base ^ power */
    bool bytes;
};

/* clang-format off */
static const struct unit units[] = {
    { "", 10, 0, false },         { "K", 10, 3, false },         { "thousand", 10, 3, false },
    { "M", 10, 6, false },        { "mn", 10, 6, false },        { "million", 10, 6, false },
    { "millions", 10, 6, false }, { "B", 10, 9, false },         { "bn", 10, 9, false },
    { "G", 10, 9, false },        { "billion", 10, 9, false },   { "billions", 10, 9, false },
    { "T", 10, 12, false },       { "tn", 10, 12, false },       { "trillion", 10, 12, false },
    { "trillions", 10, 12, false }, { "bytes", 10, 0, true },    { "KB", 10, 3, true },
    { "MB", 10, 6, true },        { "GB", 10, 9, true },         { "TB", 10, 12, true },
    { "KiB", 2, 10, true },       { "MiB", 2, 20, true },        { "GiB", 2, 30, true },
    { "TiB", 2, 40, true },
};
/* clang-format on */

static const char *const nouns[] = { "parameters", "parameter", "params", "param", "elements", "weights" };

static uint64_t power_of(unsigned base, unsigned power)
{
    uint64_t v = 1;
    while (power--) v *= base;
    return v;
}

/* ---- the text ----------------------------------------------------------------------------- */

struct reading {
    const char *at;
    uint64_t mantissa;
    unsigned digits, decimals;
    int exponent;
    uint64_t times; /* 8 of 8x7B; else 1 */
    bool big;       /* more than CLAIM_DIGITS digits */
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(struct reading *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n') r->at++;
}

static void take_digit(struct reading *r)
{
    unsigned d = (unsigned)(*r->at++ - '0');
    if (r->mantissa == 0 && d == 0) return; /* leading zeros are no digits */
    if (++r->digits > CLAIM_DIGITS) r->big = true;
    else r->mantissa = r->mantissa * 10 + d;
}

static bool group_follows(const char *p)
{
    return (*p == ',' || *p == '_' || *p == '\'' || *p == ' ') && is_digit(p[1]) && is_digit(p[2]) &&
           is_digit(p[3]) && !is_digit(p[4]);
}

/* 78235566080 or 78,235,566,080; one separator all through. */
static bool read_whole(struct reading *r)
{
    const char *from = r->at;
    while (is_digit(*r->at)) take_digit(r);
    if (r->at == from) return *r->at == '.' && is_digit(r->at[1]);
    if (r->at - from > 3 || !group_follows(r->at)) return true;
    for (char separator = *r->at; *r->at == separator && group_follows(r->at);) {
        r->at++;
        for (int i = 0; i < 3; i++) take_digit(r);
    }
    return true;
}

/* "8x" of 8x7B, a mixture's name: so many times what follows. */
static void read_times(struct reading *r)
{
    bool times = (*r->at == 'x' || *r->at == 'X') && is_digit(r->at[1]);
    if (!times || r->mantissa < 2 || r->mantissa > 1000) return;
    const char *from = r->at + 1;
    *r = (struct reading){ .at = from, .times = r->mantissa };
    read_whole(r);
}

static void read_fraction(struct reading *r)
{
    if (*r->at != '.' || !is_digit(r->at[1])) return;
    for (r->at++; is_digit(*r->at); r->decimals++) take_digit(r);
}

static void read_exponent(struct reading *r)
{
    const char *p = r->at;
    bool negative = p[0] && p[1] == '-';
    if (*p != 'e' && *p != 'E') return;
    p += 1 + (p[1] == '+' || p[1] == '-');
    if (!is_digit(*p)) return;
    for (; is_digit(*p); p++)
        if (r->exponent < 1000) r->exponent = r->exponent * 10 + (*p - '0');
    if (negative) r->exponent = -r->exponent;
    r->at = p;
}

/* A word, or none; NULL when it is no unit. */
static const struct unit *read_unit(struct reading *r)
{
    size_t n = strcspn(r->at, " \t\n");
    for (size_t i = 1; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) != n || strncasecmp(units[i].name, r->at, n) != 0) continue;
        r->at += n;
        return &units[i];
    }
    return &units[0];
}

static void skip_noun(struct reading *r)
{
    size_t n = strcspn(r->at, " \t\n");
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        if (strlen(nouns[i]) == n && strncasecmp(nouns[i], r->at, n) == 0) r->at += n;
}

static bool bad(const char *text, const char *why, numel_error *e)
{
    char quoted[TEXT_QUOTE];
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                     "%s %s; a number is like 6738415616, 6,738,415,616, 6738.4M, 7B, 1.5e9",
                     text_quote(quoted, text_of(text)), why);
}

/* Scale and divisor of what was read: zeros that a fraction's end holds go, powers of ten meet. */
static bool scale(struct claim *c, struct reading *r, const struct unit *u, numel_error *e)
{
    int ten = r->exponent - (int)r->decimals + (u->base == 10 ? (int)u->power : 0);
    if (ten > 18 || (r->times > 1 && ten > 12)) return bad(c->text, "is too large", e);
    uint64_t two = u->base == 2 ? power_of(2, u->power) : 1;
    while (two == 1 && ten < 0 && r->mantissa % 10 == 0) {
        r->mantissa /= 10;
        ten++;
    }
    if (ten < -CLAIM_DIGITS || (two == 1 && ten < 0)) return bad(c->text, "is no whole number", e);
    c->mantissa = r->mantissa;
    c->scale = (ten > 0 ? two * power_of(10, (unsigned)ten) : two) * r->times;
    c->divisor = ten < 0 ? power_of(10, (unsigned)-ten) : 1;
    wide v = ((wide)c->mantissa * c->scale + c->divisor / 2) / c->divisor;
    if (v > CLAIM_MOST || (two > 1 && ten > 6)) return bad(c->text, "is too large", e);
    c->value = (uint64_t)v;
    c->exact = c->scale == 1 && c->divisor == 1;
    c->bytes = u->bytes;
    c->pointed = r->decimals > 0;
    return c->value > 0 || bad(c->text, "is smaller than one", e);
}

bool claim_read(struct claim *c, const char *text, numel_error *e)
{
    struct reading r = { .at = text, .times = 1 };
    *c = (struct claim){ .text = text };
    skip_blanks(&r);
    if (*r.at == '~') r.at++;
    if (!read_whole(&r)) return bad(text, "is no number", e);
    read_times(&r);
    read_fraction(&r);
    read_exponent(&r);
    skip_blanks(&r);
    const struct unit *u = read_unit(&r);
    skip_blanks(&r);
    skip_noun(&r);
    skip_blanks(&r);
    if (*r.at) return bad(text, "is no number", e);
    if (r.big) return bad(text, "has too many digits", e);
    if (r.mantissa == 0) return bad(text, "counts nothing", e);
    return scale(c, &r, u, e);
}

/* ---- windows ------------------------------------------------------------------------------ */

/* ceil(half * scale / (2 * divisor)) */
static uint64_t halves(const struct claim *c, wide half)
{
    wide d = (wide)2 * c->divisor;
    return (uint64_t)((half * c->scale + d - 1) / d);
}

/* The power of ten that the zeros at the end of the mantissa make; 1 when there are none, or when
 * they stand behind a point and were meant. */
static uint64_t zeros(const struct claim *c)
{
    uint64_t z = 1;
    if (c->pointed) return 1;
    while (c->mantissa / z % 10 == 0) z *= 10;
    return c->exact && z < 1000 ? 1 : z; /* 6,738,415,610 ends so by chance */
}

bool claim_window(const struct claim *c, enum claim_reading r, uint64_t *low, uint64_t *high)
{
    wide m = c->mantissa, z = zeros(c);
    switch (r) {
    case CLAIM_WRITTEN:
        *low = halves(c, 2 * m - 1);
        *high = halves(c, 2 * m + 1);
        return true;
    case CLAIM_CUT:
        *low = halves(c, 2 * m);
        *high = halves(c, 2 * m + 2);
        return !c->exact;
    case CLAIM_ZEROS:
        *low = halves(c, 2 * m - z);
        *high = halves(c, 2 * m + z);
        return z > 1;
    case CLAIM_NAME:
        *low = c->value - c->value / 4;
        *high = c->value + c->value / 4;
        return !c->exact && !c->bytes && m / z < 100 && c->value > 1000000;
    case CLAIM_READINGS: break;
    }
    return false;
}

const char *claim_reading_text(enum claim_reading r)
{
    static const char *const texts[CLAIM_READINGS] = {
        "as written",
        "digits cut off, not rounded",
        "zeros at the end are no digits",
        "a rounded name, within a quarter",
    };
    return texts[r];
}
