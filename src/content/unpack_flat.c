/*
 * unpack_flat.c -- values in one run, regardless of rows: bitsandbytes' 4 bits; and groups of such runs in
 * planes.
 *
 * Planes: the run is cut into rows of u->block[0] values, a group each (or, if u->block[1] is 1, the values of a
 * column are the group). The rows are dealt to `parts` planes one after the other; a stored element has the value
 * of each plane at one place.
 *
 *     hqq     w = (q - z) * s    the first plane in the highest bits; 3 bits: ten planes in 32 bits
 *     quanto  w = q * s - z      the first plane in the lowest bits
 */
#include "content/unpack_internal.h"

/* ---- bitsandbytes, 4 bits: flat ------------------------------------------------------------------- */

/* The scales of blocks from `first` on. */
NUMEL_MUST static bool load_absmax(struct reading *r, uint64_t first, uint64_t n, const float **out)
{
    enum { NESTED = 256 };
    const struct unpack *u = r->u;
    const uint8_t *q;
    const float *code, *t;
    if (!u->nested) return unpack_floats(r, u->scale, first, n, 1, n, out);
    uint64_t from = first / NESTED, end = unpack_parts(first + n, NESTED) + (r->stream ? 0 : 1);
    float *p = (float *)(void *)unpack_take(r, n * sizeof *p);
    *out = p;
    if (!unpack_load(r, u->scale, first, n, 1, n, &q) ||
        !unpack_floats(r, u->nested_code, 0, NESTED, 1, NESTED, &code) ||
        !unpack_floats(r, u->nested, from, end - from, 1, end - from, &t))
        return false;
    if (!p || !q || !code || !t) return true; /* measures */
    for (uint64_t i = 0; i < n; i++) {
        float product = code[q[i]] * t[(first + i) / NESTED - from];
        p[i] = product + u->offset;
    }
    return true;
}

static bool bnb4(struct reading *r)
{
    const struct unpack *u = r->u;
    uint64_t at = r->row * u->in, n = r->rows * u->in, begin = at / u->group;
    uint64_t end = unpack_parts(at + n, u->group) + (r->stream ? 0 : 1);
    const uint8_t *q;
    const float *code, *s;
    if (!unpack_load(r, u->value, at / 2, 0, 1, unpack_parts(at + n, 2) - at / 2, &q) ||
        !unpack_floats(r, u->code, 0, 16, 1, 16, &code) || !load_absmax(r, begin, end - begin, &s))
        return false;
    for (uint64_t i = at; r->stream && i < at + n; i++) {
        uint8_t two = q[i / 2 - at / 2];
        r->out[i - at] = code[i % 2 ? two & 15 : two >> 4] * s[i / u->group - begin];
    }
    return true;
}

/* ---- planes ----------------------------------------------------------------------------------------- */

struct planes {
    uint64_t width, rows, stored; /* of a row; rows; rows that are stored */
    unsigned parts, bits, bytes;  /* bytes of a stored element */
    bool high;                    /* the first plane is in the highest bits */
};

static struct planes planes_of(const struct unpack *u, bool high)
{
    bool words = unpack_is(u->value, "I32");
    unsigned bits = (unsigned)u->bits, parts = words ? 10 : 8 % bits ? 1 : 8 / bits;
    uint64_t rows = unpack_elements(u) / u->block[0];
    return (struct planes){ u->block[0], rows, unpack_parts(rows, parts), parts, bits, words ? 4 : 1, high };
}

/* The values of a plane from a stored element on. */
static void put_plane(const struct planes *p, const uint8_t *raw, uint64_t plane, uint64_t n, float *out)
{
    unsigned shift = (unsigned)(p->high ? p->parts - 1 - plane : plane) * p->bits;
    if (p->parts == 1) shift = 0;
    unsigned mask = p->parts == 1 ? 255 : unpack_mask(p->bits);
    for (uint64_t i = 0; i < n; i++)
        out[i] = (float)((p->bytes == 4 ? load32(raw + 4 * i) : raw[i]) >> shift & mask);
}

/* Codes of the rows of the reading, as floats in the output: `at` and n in values. */
NUMEL_MUST static bool load_planes(struct reading *r, const struct planes *p, uint64_t at, uint64_t n)
{
    const uint8_t *raw;
    uint64_t plane_size = p->stored * p->width;
    if (!r->stream) return unpack_load(r, r->u->value, 0, 1, 1, (n + 16 * p->parts) * p->bytes, &raw);
    for (uint64_t done = 0; done < n;) {
        uint64_t in = (at + done) % plane_size, run = num_min(n - done, plane_size - in);
        if (!unpack_load(r, r->u->value, in * p->bytes, run * p->bytes, 1, run * p->bytes, &raw))
            return false;
        put_plane(p, raw, (at + done) / plane_size, run, r->out + done);
        done += run;
    }
    return true;
}

/* Scales and zero points of the rows of the reading, or of all columns. */
NUMEL_MUST static bool load_groups(struct reading *r, const struct planes *p, uint64_t at, uint64_t n,
                                   const float **s, const float **z)
{
    const struct unpack *u = r->u;
    uint64_t from = u->block[1] ? 0 : at / p->width;
    uint64_t count = u->block[1] ? p->width : unpack_parts(at + n, p->width) - from + (r->stream ? 0 : 1);
    return unpack_floats(r, u->scale, from, count, 1, count, s) &&
           unpack_floats(r, u->zero, from, count, 1, count, z);
}

static bool planes(struct reading *r, bool hqq)
{
    const struct unpack *u = r->u;
    const struct planes p = planes_of(u, hqq);
    uint64_t at = r->row * u->in, n = r->rows * u->in;
    const float *s, *z;
    if (!load_planes(r, &p, at, n) || !load_groups(r, &p, at, n, &s, &z)) return false;
    for (uint64_t i = 0; r->stream && i < n; i++) {
        uint64_t g = u->block[1] ? (at + i) % p.width : (at + i) / p.width - at / p.width;
        float q = r->out[i], product = q * s[g];
        r->out[i] = hqq ? (q - z[g]) * s[g] : product - z[g];
    }
    return true;
}

static bool hqq(struct reading *r) { return planes(r, true); }
static bool quanto(struct reading *r) { return planes(r, false); }

/* ---- what a method needs --------------------------------------------------------------------------- */

static bool fits_planes(const struct unpack *u)
{
    bool words = unpack_is(u->value, "I32");
    if (!(unpack_is(u->value, "U8") || (words && u->bits == 3)) || u->bits < 1 || u->bits > 8) return false;
    if (!unpack_has_floats(u->scale) || !unpack_has_floats(u->zero) || u->stack != 1) return false;
    if (!u->block[0] || unpack_elements(u) % u->block[0]) return false;
    const struct planes p = planes_of(u, true);
    uint64_t groups = u->block[1] ? p.width : p.rows;
    return u->value->elements == p.stored * p.width && u->scale->elements == groups &&
           u->zero->elements == groups;
}
static bool fits_bnb4(const struct unpack *u)
{
    bool nested = u->nested && unpack_is(u->scale, "U8") && unpack_has_floats(u->nested) &&
                  unpack_has_floats(u->nested_code);
    return u->value && u->group && unpack_is(u->code, "F32") &&
           (nested || (!u->nested && unpack_is(u->scale, "F32")));
}

const struct unpack_method unpack_flat_methods[] = {
    { "bnb4", bnb4, fits_bnb4 },
    { "hqq", hqq, fits_planes },
    { "quanto", quanto, fits_planes },
    { 0 },
};
