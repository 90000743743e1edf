/*
 * number.c -- reads numbers: a cursor over the text, then one product in 128 bits.
 *
 * Reading collects the digits as one integer and everything else as powers: of ten from decimals, exponent
 * and unit, of two from KiB and similar. Only then is it known whether the number is whole and fits.
 */
#include "base/number.h"

#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

__extension__ typedef unsigned __int128 wide;

/* ---- units -------------------------------------------------------------------------------- */

struct unit {
    const char *name; /* a single letter must have this case, unless NUMBER_TYPED */
    unsigned ten, two;
    enum number_kind kind;
};

/* clang-format off */
static const struct unit units[] = {
    { "K", 3, 0, NUMBER_COUNT },          { "k", 3, 0, NUMBER_COUNT },          { "M", 6, 0, NUMBER_COUNT },
    { "B", 9, 0, NUMBER_COUNT },          { "b", 9, 0, NUMBER_COUNT },          { "G", 9, 0, NUMBER_COUNT },
    { "T", 12, 0, NUMBER_COUNT },         { "Q", 15, 0, NUMBER_COUNT },         { "mn", 6, 0, NUMBER_COUNT },
    { "bn", 9, 0, NUMBER_COUNT },         { "tn", 12, 0, NUMBER_COUNT },        { "thousand", 3, 0, NUMBER_COUNT },
    { "million", 6, 0, NUMBER_COUNT },    { "millions", 6, 0, NUMBER_COUNT },   { "billion", 9, 0, NUMBER_COUNT },
    { "billions", 9, 0, NUMBER_COUNT },   { "trillion", 12, 0, NUMBER_COUNT },  { "trillions", 12, 0, NUMBER_COUNT },
    { "bytes", 0, 0, NUMBER_OF_BYTES },   { "KB", 3, 0, NUMBER_OF_BYTES },      { "MB", 6, 0, NUMBER_OF_BYTES },
    { "GB", 9, 0, NUMBER_OF_BYTES },      { "TB", 12, 0, NUMBER_OF_BYTES },     { "KiB", 0, 10, NUMBER_OF_BYTES },
    { "MiB", 0, 20, NUMBER_OF_BYTES },    { "GiB", 0, 30, NUMBER_OF_BYTES },    { "TiB", 0, 40, NUMBER_OF_BYTES },
};
/* clang-format on */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static const struct unit *find_unit(numel_str word, unsigned forms)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const struct unit *u = &units[i];
        bool allowed = forms & (u->kind == NUMBER_COUNT ? NUMBER_UNITS : NUMBER_BYTES);
        bool any_case = word.n > 1 || forms & NUMBER_TYPED;
        if (!allowed || strlen(u->name) != word.n || strncasecmp(u->name, word.p, word.n) != 0) continue;
        if (any_case || u->name[0] == word.p[0]) return u;
    }
    return NULL;
}

/* ---- the text ----------------------------------------------------------------------------- */

struct reading {
    numel_str rest;
    unsigned forms;
    uint64_t mantissa, times; /* times: the 8 in 8x7B; else 1 */
    unsigned digits, decimals;
    int exponent; /* power of ten, including the unit's */
    unsigned two;
    bool overflows, broken;
};

/* The character i places ahead; 0 after the end. */
static char ahead(const struct reading *r, size_t i) { return i < r->rest.n ? r->rest.p[i] : 0; }

static void advance(struct reading *r, size_t n) { r->rest = (numel_str){ r->rest.p + n, r->rest.n - n }; }

static void take_digits(struct reading *r)
{
    for (; number_is_digit(ahead(r, 0)); advance(r, 1)) {
        uint64_t d = (uint64_t)(ahead(r, 0) - '0');
        r->digits += r->digits || d;
        if (!num_mul(&r->mantissa, r->mantissa, 10) || !num_add(&r->mantissa, r->mantissa, d))
            r->overflows = true;
    }
}

static bool is_separator(const struct reading *r, char c)
{
    return c && (strchr(",_'", c) != NULL || (c == ' ' && r->forms & NUMBER_TYPED));
}

/* True if a separator and exactly three digits follow. */
static bool group_follows(const struct reading *r, char separator)
{
    return ahead(r, 0) == separator && number_is_digit(ahead(r, 1)) && number_is_digit(ahead(r, 2)) &&
           number_is_digit(ahead(r, 3)) && !number_is_digit(ahead(r, 4));
}

/* Reads 78235566080 or 78,235,566,080. Digits after a separator that are not a group of three break the
 * number, except after a blank, which also separates words. */
static void take_whole(struct reading *r)
{
    size_t before = r->rest.n;
    take_digits(r);
    if (!(r->forms & NUMBER_GROUPS)) return;
    char separator = ahead(r, 0);
    bool grouped = before - r->rest.n <= 3 && before > r->rest.n && is_separator(r, separator);
    while (grouped && group_follows(r, separator)) {
        advance(r, 1);
        take_digits(r);
    }
    while (ahead(r, 0) != ' ' && is_separator(r, ahead(r, 0)) && number_is_digit(ahead(r, 1))) {
        r->broken = true;
        advance(r, 1);
        take_digits(r);
    }
}

/* Reads the "8x" of 8x7B, the name of a mixture: the rest counts that many times. */
static void take_times(struct reading *r)
{
    bool times = (ahead(r, 0) == 'x' || ahead(r, 0) == 'X') && number_is_digit(ahead(r, 1));
    if (!(r->forms & NUMBER_TYPED) || !times || r->mantissa < 2 || r->mantissa > 1000) return;
    r->times = r->mantissa;
    r->mantissa = r->digits = 0;
    advance(r, 1);
    take_whole(r);
}

static void take_fraction(struct reading *r)
{
    if (ahead(r, 0) != '.' || !number_is_digit(ahead(r, 1))) return;
    advance(r, 1);
    size_t before = r->rest.n;
    take_digits(r);
    r->decimals = (unsigned)num_min(before - r->rest.n, 1000);
}

static void take_exponent(struct reading *r)
{
    bool negative = ahead(r, 1) == '-';
    size_t i = negative || ahead(r, 1) == '+' ? 2 : 1;
    if (!(r->forms & NUMBER_EXPONENT) || (ahead(r, 0) != 'e' && ahead(r, 0) != 'E') ||
        !number_is_digit(ahead(r, i)))
        return;
    for (; number_is_digit(ahead(r, i)); i++)
        if (r->exponent < 1000) r->exponent = r->exponent * 10 + (ahead(r, i) - '0');
    if (negative) r->exponent = -r->exponent;
    advance(r, i);
}

/* Reads the unit after the number, if a whole word: "B" in "7B", but not in "7B7". */
static const struct unit *take_unit(struct reading *r)
{
    size_t from = 0, to;
    bool typed = r->forms & NUMBER_TYPED;
    while ((typed || from == 0) && (ahead(r, from) == ' ' || (typed && ahead(r, from) == '\t'))) from++;
    for (to = from; is_letter(ahead(r, to));) to++;
    if (to == from || number_is_digit(ahead(r, to)) || ahead(r, to) == '_') return NULL;
    const struct unit *u = find_unit((numel_str){ r->rest.p + from, to - from }, r->forms);
    if (!u) return NULL;
    advance(r, to);
    r->exponent += (int)u->ten;
    r->two = u->two;
    return u;
}

/* ---- the value ---------------------------------------------------------------------------- */

static uint64_t power_of_ten(unsigned n) /* n is at most 19 */
{
    uint64_t v = 1;
    while (n--) v *= 10;
    return v;
}

/* The smallest count at or above `half` half units of the last digit. */
static wide halves(const struct number *n, wide half)
{
    wide by = (wide)2 * n->divisor;
    return (half * n->scale + by - 1) / by;
}

/* The range from `below` half units of the last digit before the number to `above` after it, exclusive.
 * Products stay below 2^127: mantissa * scale is at most 2^64 * divisor, and the divisor at most 10^18. */
static bool range_of(const struct number *n, uint64_t below, uint64_t above, uint64_t *low, uint64_t *high)
{
    wide twice = (wide)2 * n->mantissa, last = halves(n, twice + above) - 1;
    *low = twice > below ? (uint64_t)halves(n, twice - below) : 0;
    *high = (uint64_t)last;
    return last <= UINT64_MAX;
}

static enum number_answer find_value(struct number *n, struct reading *r)
{
    enum { TEN_MOST = 19, TEN_LEAST = -18 };
    int ten = r->exponent - (int)r->decimals;
    for (; r->two == 0 && ten < 0 && r->mantissa % 10 == 0; ten++) r->mantissa /= 10; /* 124439808.0 */
    if (ten < TEN_LEAST || (r->two == 0 && ten < 0)) return NUMBER_UNEVEN;
    n->mantissa = r->mantissa;
    n->scale = UINT64_C(1) << r->two;
    n->divisor = ten < 0 ? power_of_ten((unsigned)-ten) : 1;
    if (ten > TEN_MOST || (ten > 0 && !num_mul(&n->scale, n->scale, power_of_ten((unsigned)ten))) ||
        !num_mul(&n->scale, n->scale, r->times))
        return NUMBER_LARGE;
    wide product = (wide)n->mantissa * n->scale, v = product / n->divisor;
    v += product % n->divisor >= n->divisor - n->divisor / 2 && n->divisor > 1;
    if (v > UINT64_MAX || !range_of(n, 1, 1, &n->low, &n->high)) return NUMBER_LARGE;
    n->value = (uint64_t)v;
    if (n->low > n->high) n->low = n->high = n->value; /* no integer is in the range */
    n->value = num_min(n->value, n->high);             /* of two equally close, the one inside */
    n->exact = n->scale == 1 && n->divisor == 1;
    return NUMBER_READ;
}

enum number_answer number_read(struct number *n, numel_str *s, unsigned forms, unsigned power)
{
    struct reading r = { .rest = *s, .forms = forms, .times = 1 };
    *n = (struct number){ .divisor = 1 };
    if (!number_is_digit(ahead(&r, 0)) && !(ahead(&r, 0) == '.' && number_is_digit(ahead(&r, 1))))
        return NUMBER_ABSENT;
    take_whole(&r);
    take_times(&r);
    take_fraction(&r);
    take_exponent(&r);
    const struct unit *unit = take_unit(&r);
    *s = r.rest;
    r.exponent += (int)num_min(power, 1000);
    n->digits = r.digits;
    n->pointed = r.decimals > 0;
    n->scaled = unit != NULL;
    n->kind = unit ? unit->kind : NUMBER_COUNT;
    if (r.broken) return NUMBER_BROKEN;
    return r.overflows ? NUMBER_LONG : find_value(n, &r);
}

/* ---- other readings ----------------------------------------------------------------------- */

/* The power of ten of the mantissa's trailing zeros; 1 if they count as digits because a point precedes
 * them, or if they end an exact number by chance, as in 6,738,415,610. */
static uint64_t zeros(const struct number *n)
{
    uint64_t z = 1;
    if (n->pointed || n->mantissa == 0) return 1;
    while (n->mantissa / z % 10 == 0) z *= 10;
    return n->exact && z < 1000 ? 1 : z;
}

bool number_range(const struct number *n, enum number_rounding how, uint64_t *low, uint64_t *high)
{
    uint64_t z = zeros(n);
    switch (how) {
    case NUMBER_ROUNDED: *low = n->low, *high = n->high; return true;
    case NUMBER_CUT: return range_of(n, 0, 2, low, high) && !n->exact && *low <= *high;
    case NUMBER_ZEROS: return range_of(n, z, z, low, high) && z > 1 && *low <= *high;
    }
    return false;
}

/* ---- digits only -------------------------------------------------------------------------- */

bool number_digits(numel_str *s, uint64_t *v)
{
    bool fits = s->n > 0 && number_is_digit(s->p[0]);
    for (*v = 0; s->n && number_is_digit(s->p[0]); *s = (numel_str){ s->p + 1, s->n - 1 })
        fits = fits && num_mul(v, *v, 10) && num_add(v, *v, (uint64_t)(s->p[0] - '0'));
    if (!fits) *v = 0;
    return fits;
}

bool number_plain(numel_str s, uint64_t *v)
{
    bool read = number_digits(&s, v) && s.n == 0;
    if (!read) *v = 0;
    return read;
}

/* ---- numbers with a fraction -------------------------------------------------------------- */

char *number_real(char out[NUMBER_REAL], double v, enum number_style style, int digits)
{
    size_t to = 0;
    if (style == NUMBER_SHORT) snprintf(out, NUMBER_REAL, "%.*g", digits, v);
    else if (style == NUMBER_FIXED) snprintf(out, NUMBER_REAL, "%.*f", digits, v);
    else snprintf(out, NUMBER_REAL, "%.*e", digits, v);
    for (size_t at = 0; out[at]; at++) { /* all other bytes are the locale's decimal point */
        bool own = number_is_digit(out[at]) || strchr("+-einfa", out[at]);
        if (own) out[to++] = out[at];
        else if (to == 0 || out[to - 1] != '.') out[to++] = '.';
    }
    out[to] = 0;
    return out;
}

static size_t skip_digits(numel_str s, size_t at)
{
    while (at < s.n && number_is_digit(s.p[at])) at++;
    return at;
}

/* True for such a number. *point is the offset of its point, or s.n. */
static bool is_real(numel_str s, size_t *point)
{
    size_t from = s.n && s.p[0] == '-', at = skip_digits(s, from);
    *point = s.n;
    if (at == from) return false;
    if (at < s.n && s.p[at] == '.') {
        *point = at;
        from = at + 1;
        if ((at = skip_digits(s, from)) == from) return false;
    }
    if (at < s.n && (s.p[at] == 'e' || s.p[at] == 'E')) {
        from = at + 1;
        if (from < s.n && (s.p[from] == '+' || s.p[from] == '-')) from++;
        if ((at = skip_digits(s, from)) == from) return false;
    }
    return at == s.n;
}

bool number_real_read(numel_str s, bool single, double *v)
{
    enum { LONGEST = 60, LOCAL = 16 };
    char text[LONGEST + LOCAL], half[LOCAL];
    size_t point;
    if (s.n > LONGEST || !is_real(s, &point)) return false;
    int n = snprintf(half, sizeof half, "%.1f", 0.5); /* "0,5" shows the decimal point of strtod() */
    size_t local = n > 2 && n < LOCAL ? (size_t)n - 2 : 0;
    memcpy(text, s.p, point);
    if (point == s.n) local = 0;
    memcpy(text + point, half + 1, local);
    if (point < s.n) memcpy(text + point + local, s.p + point + 1, s.n - point - 1);
    text[point + local + (point < s.n ? s.n - point - 1 : 0)] = 0;
    *v = single ? (double)strtof(text, NULL) : strtod(text, NULL);
    return true;
}
