/*
 * distance.c -- tiles of decoded numbers, summed in four lanes. A tile whose sums are finite has only finite
 * elements, so the loops need not test; other tiles are rare and are processed element by element.
 */
#include "content/distance.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

/* Vectorise loops of any length: gcc's -O2 alone leaves most of them as they are. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("vect-cost-model=dynamic")
#endif

enum { LANES = 4 };

/* ---- sums --------------------------------------------------------------------------------- */

static void sum_add(struct distance_sum *s, double v)
{
    double sum = s->value + v;
    s->rest += fabs(s->value) >= fabs(v) ? (s->value - sum) + v : (v - sum) + s->value;
    s->value = sum;
}

static void sum_join(struct distance_sum *s, const struct distance_sum *more)
{
    sum_add(s, more->value);
    sum_add(s, more->rest);
}

static double sum_of(const struct distance_sum *s) { return s->value + s->rest; }

static double lanes(const double v[LANES]) { return (v[0] + v[1]) + (v[2] + v[3]); }

/* The result of a tile. */
struct tile {
    double square, absolute, a, b, product, most;
};

/* n is a multiple of LANES: tiles are padded with zeros, which add nothing. */
#define TILE_SUMS(name, type)                                                                               \
    static struct tile name(const type *a, const type *b, size_t n)                                         \
    {                                                                                                       \
        double square[LANES] = { 0 }, absolute[LANES] = { 0 }, most[LANES] = { 0 };                         \
        double aa[LANES] = { 0 }, bb[LANES] = { 0 }, ab[LANES] = { 0 };                                     \
        for (size_t i = 0; i < n; i += LANES)                                                               \
            for (size_t k = 0; k < LANES; k++) {                                                            \
                double d = (double)a[i + k] - (double)b[i + k], size = fabs(d);                             \
                square[k] += d * d;                                                                         \
                absolute[k] += size;                                                                        \
                most[k] = most[k] > size ? most[k] : size;                                                  \
            }                                                                                               \
        for (size_t i = 0; i < n; i += LANES)                                                               \
            for (size_t k = 0; k < LANES; k++) {                                                            \
                double x = (double)a[i + k], y = (double)b[i + k];                                          \
                aa[k] += x * x;                                                                             \
                bb[k] += y * y;                                                                             \
                ab[k] += x * y;                                                                             \
            }                                                                                               \
        double m = most[0] > most[1] ? most[0] : most[1];                                                   \
        double o = most[2] > most[3] ? most[2] : most[3];                                                   \
        return (                                                                                            \
            struct tile){ lanes(square), lanes(absolute), lanes(aa), lanes(bb), lanes(ab), m > o ? m : o }; \
    }
TILE_SUMS(single_sums, float)
TILE_SUMS(double_sums, double)

static void add_tile(struct distance *d, const struct tile *t)
{
    sum_add(&d->square, t->square);
    sum_add(&d->absolute, t->absolute);
    sum_add(&d->a, t->a);
    sum_add(&d->b, t->b);
    sum_add(&d->product, t->product);
    if (t->most > d->most) d->most = t->most;
}

static bool is_finite(const struct tile *t)
{
    return isfinite(t->square) && isfinite(t->a) && isfinite(t->b);
}

/* ---- elements that are not finite --------------------------------------------------------- */

/* For one tile. Zeroes the elements it leaves out; false if some pair differs. */
static bool leave_out(struct distance *d, double *a, double *b, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        bool nan[2] = { isnan(a[i]), isnan(b[i]) }, infinite[2] = { isinf(a[i]), isinf(b[i]) };
        for (int w = 0; w < 2; w++) {
            d->nan[w] += nan[w];
            d->infinite[w] += infinite[w];
        }
        if (isfinite(a[i]) && isfinite(b[i])) continue;
        bool same = (nan[0] && nan[1]) || (infinite[0] && infinite[1] && (a[i] > 0) == (b[i] > 0));
        ok = ok && same;
        d->left_out++;
        a[i] = b[i] = 0;
    }
    return ok;
}

static void add_odd(struct distance *d, double *a, double *b, size_t n, size_t filled)
{
    if (!leave_out(d, a, b, n)) d->undefined = true;
    struct tile t = double_sums(a, b, filled);
    if (is_finite(&t)) add_tile(d, &t);
    else d->undefined = true;
}

/* ---- counting differences ----------------------------------------------------------------- */

#define COUNT_UNLIKE(name, type)                                       \
    static uint64_t name(const uint8_t *a, const uint8_t *b, size_t n) \
    {                                                                  \
        uint32_t unlike = 0;                                           \
        for (size_t i = 0; i < n; i++) {                               \
            type x, y;                                                 \
            memcpy(&x, a + i * sizeof x, sizeof x);                    \
            memcpy(&y, b + i * sizeof y, sizeof y);                    \
            unlike += x != y;                                          \
        }                                                              \
        return unlike;                                                 \
    }
COUNT_UNLIKE(unlike8, uint8_t)
COUNT_UNLIKE(unlike16, uint16_t)
COUNT_UNLIKE(unlike32, uint32_t)
COUNT_UNLIKE(unlike64, uint64_t)

uint64_t distance_unlike(const uint8_t *a, const uint8_t *b, size_t n, size_t bytes)
{
    uint64_t unlike = 0;
    for (size_t i = 0; i < n; i++) unlike += memcmp(a + i * bytes, b + i * bytes, bytes) != 0;
    return unlike;
}

static uint64_t count_bits(const void *a, const void *b, size_t n, unsigned bytes)
{
    switch (bytes) {
    case 1: return unlike8(a, b, n);
    case 2: return unlike16(a, b, n);
    case 4: return unlike32(a, b, n);
    default: return unlike64(a, b, n);
    }
}

/* Between two types; two NaNs are equal. */
static uint64_t count_numbers(const double *a, const double *b, size_t n)
{
    uint64_t unlike = 0;
    for (size_t i = 0; i < n; i++)
        unlike += !(isnan(a[i]) && isnan(b[i])) && memcmp(&a[i], &b[i], sizeof *a) != 0;
    return unlike;
}

/* ---- tiles -------------------------------------------------------------------------------- */

struct feed {
    struct distance *d;
    const struct decoder *how[2];
};

static void add_doubles(const struct feed *f, const uint8_t *pa, const uint8_t *pb, size_t n, size_t filled)
{
    double a[DISTANCE_TILE], b[DISTANCE_TILE];
    decode_double(f->how[0], pa, n, a);
    decode_double(f->how[1], pb, n, b);
    for (size_t i = n; i < filled; i++) a[i] = b[i] = 0;
    if (f->how[0] != f->how[1]) f->d->differing += count_numbers(a, b, n);
    struct tile t = double_sums(a, b, filled);
    if (is_finite(&t)) add_tile(f->d, &t);
    else add_odd(f->d, a, b, n, filled);
}

static void add_singles(const struct feed *f, const uint8_t *pa, const uint8_t *pb, size_t n, size_t filled)
{
    float a[DISTANCE_TILE], b[DISTANCE_TILE];
    decode_single(f->how[0], pa, n, a);
    decode_single(f->how[1], pb, n, b);
    for (size_t i = n; i < filled; i++) a[i] = b[i] = 0;
    struct tile t = single_sums(a, b, filled);
    if (!is_finite(&t)) {
        add_doubles(f, pa, pb, n, filled);
        return;
    }
    if (f->how[0] != f->how[1]) f->d->differing += count_bits(a, b, n, sizeof *a);
    add_tile(f->d, &t);
}

/* |a-b| fits in 64 bits: both have a sign, or neither has. */
static void add_wholes(const struct feed *f, const uint8_t *pa, const uint8_t *pb, size_t n, size_t filled)
{
    int64_t a[DISTANCE_TILE], b[DISTANCE_TILE];
    double x[DISTANCE_TILE] = { 0 }, y[DISTANCE_TILE] = { 0 };
    bool sign[2] = { f->how[0]->is == DECODE_SIGNED, f->how[1]->is == DECODE_SIGNED };
    bool both = sign[0] && sign[1];
    f->how[0]->whole(pa, n, a);
    f->how[1]->whole(pb, n, b);
    struct tile t = { 0 };
    for (size_t i = 0; i < n; i++) {
        bool less = both || sign[0] || sign[1] ? a[i] < b[i] : (uint64_t)a[i] < (uint64_t)b[i];
        uint64_t size = less ? (uint64_t)b[i] - (uint64_t)a[i] : (uint64_t)a[i] - (uint64_t)b[i];
        f->d->whole_most = num_max(f->d->whole_most, size);
        x[i] = sign[0] ? (double)a[i] : (double)(uint64_t)a[i];
        y[i] = sign[1] ? (double)b[i] : (double)(uint64_t)b[i];
        t.square += (double)size * (double)size;
        t.absolute += (double)size;
    }
    if (f->how[0] != f->how[1]) f->d->differing += count_bits(a, b, n, sizeof *a);
    struct tile squares = double_sums(x, y, filled);
    t.a = squares.a;
    t.b = squares.b;
    t.product = squares.product;
    t.most = (double)f->d->whole_most;
    add_tile(f->d, &t);
}

bool distance_between(const struct decoder *a, const struct decoder *b)
{
    if (!a || !b) return false;
    bool whole[2] = { a->whole != NULL, b->whole != NULL };
    if (whole[0] != whole[1]) return false;
    return !whole[0] || a->is == b->is || (a->is == DECODE_UNSIGNED ? a : b)->bytes < 8;
}

void distance_add(struct distance *d, const struct decoder *a, const uint8_t *pa, const struct decoder *b,
                  const uint8_t *pb, size_t n)
{
    const struct feed f = { d, { a, b } };
    bool doubles = a->is == DECODE_DOUBLE || b->is == DECODE_DOUBLE;
    d->elements += n;
    if (a == b && a->block) d->differing += distance_unlike(pa, pb, n / a->elements, a->bytes);
    else if (a == b) d->differing += count_bits(pa, pb, n, a->bytes);
    for (size_t at = 0; at < n; at += DISTANCE_TILE) {
        size_t step = (size_t)num_min(n - at, DISTANCE_TILE), filled = step + (LANES - step % LANES) % LANES;
        const uint8_t *x = pa + decode_bytes(a, at), *y = pb + decode_bytes(b, at);
        if (a->whole) add_wholes(&f, x, y, step, filled);
        else if (doubles) add_doubles(&f, x, y, step, filled);
        else add_singles(&f, x, y, step, filled);
    }
}

void distance_join(struct distance *d, const struct distance *more)
{
    d->elements += more->elements;
    d->differing += more->differing;
    d->left_out += more->left_out;
    for (int w = 0; w < 2; w++) {
        d->nan[w] += more->nan[w];
        d->infinite[w] += more->infinite[w];
    }
    d->whole_most = num_max(d->whole_most, more->whole_most);
    sum_join(&d->square, &more->square);
    sum_join(&d->absolute, &more->absolute);
    sum_join(&d->a, &more->a);
    sum_join(&d->b, &more->b);
    sum_join(&d->product, &more->product);
    if (more->most > d->most) d->most = more->most;
    d->undefined = d->undefined || more->undefined;
}

/* ---- results ------------------------------------------------------------------------------ */

/* An integer square root, bit by bit: no library, no compiler flag, the same everywhere. v is m * 2^(even -
 * 53) with m of 53 or 54 bits; 57 more bits make a root of 55 and an even exponent. */
double distance_root(double v)
{
    __extension__ typedef unsigned __int128 wide;
    int exponent;
    double fraction = frexp(v, &exponent);
    int odd = exponent & 1;
    if (!(v > 0)) return 0;
    wide rest = (wide)(uint64_t)ldexp(fraction, 53 + odd) << 57, root = 0;
    for (wide bit = (wide)1 << 110; bit; bit >>= 2) {
        bool in = rest >= root + bit;
        if (in) rest -= root + bit;
        root = (root >> 1) + (in ? bit : 0);
    }
    /* one more bit for the remainder: rounded once */
    uint64_t bits = (uint64_t)root << 1 | (rest != 0);
    return ldexp((double)bits, (exponent - odd - 110) / 2 - 1);
}

static bool is_defined(const struct distance *d) { return !d->undefined && d->elements > d->left_out; }

double distance_most(const struct distance *d) { return is_defined(d) ? d->most : (double)NAN; }

double distance_mean(const struct distance *d)
{
    return is_defined(d) ? sum_of(&d->absolute) / (double)(d->elements - d->left_out) : (double)NAN;
}

double distance_relative(const struct distance *d)
{
    double apart = sum_of(&d->square), all = sum_of(&d->a);
    if (!is_defined(d)) return (double)NAN;
    if (!(apart > 0)) return d->most > 0 ? (double)NAN : 0; /* squares below a double's range */
    return all > 0 ? distance_root(apart) / distance_root(all) : (double)NAN;
}

/* The natural logarithm of a finite positive number, by 2 atanh(z) and z = (m-1) / (m+1) with |z| < 0.172: the
 * same bits everywhere, as libraries differ in the last. */
static double logarithm(double v)
{
    int exponent;
    double m = frexp(v, &exponent), power, sum = 0;
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    double z = (m - 1) / (m + 1);
    power = z;
    for (int k = 1; k < 24; k += 2) {
        sum += power / k;
        power *= z * z;
    }
    return exponent * 0.69314718055994531 + 2 * sum;
}

double distance_decibels(const struct distance *d)
{
    double apart = sum_of(&d->square), all = sum_of(&d->a);
    if (!is_defined(d) || !(apart > 0) || !(all > 0)) return (double)NAN;
    return (logarithm(all) - logarithm(apart)) * 4.3429448190325183; /* 10 / ln 10 */
}

/* One root of the product: exact for numbers that are multiples of each other. */
double distance_cosine(const struct distance *d)
{
    double a = sum_of(&d->a), b = sum_of(&d->b);
    int of_a, of_b;
    if (!is_defined(d) || !(a > 0) || !(b > 0)) return (double)NAN;
    if (!(sum_of(&d->square) > 0)) return d->most > 0 ? (double)NAN : 1;
    double x = frexp(a, &of_a), y = frexp(b, &of_b);
    int both = of_a + of_b, odd = both & 1;
    double root = distance_root(ldexp(x * y, odd));
    double cosine = ldexp(sum_of(&d->product), -(both - odd) / 2) / root;
    return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
}
