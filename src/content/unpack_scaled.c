/*
 * unpack_scaled.c -- values in their own type, with a scale for a block of rows and columns.
 */
#include "content/unpack_internal.h"

/* ---- scaled ------------------------------------------------------------------------------------ */

/* Plain numbers of a row as floats. */
NUMEL_MUST static bool load_values(struct reading *r, const float **out)
{
    const struct unpack *u = r->u;
    const struct decoder *how = decode_find(u->value->dtype);
    const uint8_t *raw;
    if (!how->whole) return unpack_floats(r, u->value, r->row * u->in, u->in, r->rows, u->in, out);
    float *p = (float *)(void *)unpack_take(r, r->rows * u->in * sizeof *p);
    *out = p;
    if (!unpack_load(r, u->value, r->row * u->in, u->in, r->rows, u->in, &raw)) return false;
    for (uint64_t i = 0; r->stream && i < r->rows * u->in; i++) p[i] = (float)(int8_t)raw[i];
    return true;
}

static bool scaled(struct reading *r)
{
    const struct unpack *u = r->u;
    uint64_t columns = unpack_parts(u->in, u->block[1]), begin = r->first / u->block[0];
    uint64_t end = unpack_parts(r->first + r->rows, u->block[0]) + (r->stream ? 0 : 1);
    uint64_t each = unpack_parts(u->out, u->block[0]) * columns; /* of an expert */
    const float *v, *s;
    if (!load_values(r, &v) ||
        !unpack_floats(r, u->scale, r->expert * each + begin * columns, columns, end - begin, columns, &s))
        return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++) {
        const float *of = s + ((r->first + k) / u->block[0] - begin) * columns, *from = v + k * u->in;
        for (uint64_t i = 0; i < u->in; i++) r->out[k * u->in + i] = from[i] * of[i / u->block[1]];
    }
    return true;
}

static bool int8(struct reading *r)
{
    const struct unpack *u = r->u;
    const float *v, *s;
    if (!load_values(r, &v) || !unpack_floats(r, u->scale, r->row, 1, r->rows, 1, &s)) return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++)
        for (uint64_t i = k * u->in; i < (k + 1) * u->in; i++)
            r->out[i] = v[i] * s[k] * 7.874015718698502e-3F;
    return true;
}

static bool fits_scaled(const struct unpack *u)
{
    return (unpack_has_floats(u->value) || unpack_is(u->value, "I8")) && unpack_has_floats(u->scale) &&
           !u->zero && !u->index && u->block[0] && u->block[1];
}
static bool fits_int8(const struct unpack *u)
{
    return unpack_is(u->value, "I8") && unpack_is(u->scale, "F32") && u->stack == 1;
}

const struct unpack_method unpack_scaled_methods[] = {
    { "scaled", scaled, fits_scaled },
    { "int8", int8, fits_int8 },
    { 0 },
};
