/*
 * unpack_flat.c -- values in one run, regardless of rows: bitsandbytes' 4 bits.
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

static bool fits_bnb4(const struct unpack *u)
{
    bool nested = u->nested && unpack_is(u->scale, "U8") && unpack_has_floats(u->nested) &&
                  unpack_has_floats(u->nested_code);
    return u->value && u->group && unpack_is(u->code, "F32") &&
           (nested || (!u->nested && unpack_is(u->scale, "F32")));
}

const struct unpack_method unpack_flat_methods[] = { { "bnb4", bnb4, fits_bnb4 }, { 0 } };
