/*
 * unpack_scaled.c -- values with a scale for a block of rows and columns, in rows of the matrix.
 *
 *     scaled   in their own type, F8 or I8; a zero point in a type of its own, or none
 *     int8     bitsandbytes: the scale is that of 127
 *     mxfp8    F8_E4M3, in bytes or in words; scales are exponents (E8M0)
 *     mxfp4    E2M1, two in a byte, the first in the low bits; scales are exponents
 *     nvfp4    the same; scales are F8_E4M3, and multiplied by one for all of them; nvfp4_less: divided by it
 *
 * Scales are a matrix in rows of blocks, or in tiles of 512 bytes for 128 rows by 4 blocks, where the rows 0, 32,
 * 64 and 96 are neighbours, as tensor cores load them.
 */
#include "content/unpack_internal.h"

#include <string.h>

/* ---- values ------------------------------------------------------------------------------------- */

static const char *const exponents[] = { "F8_E8M0", "U8" }, *const e4m3[] = { "F8_E4M3", "U8" };

static void put_e2m1(const uint8_t *raw, uint64_t n, float *out)
{
    static const float values[16] = { 0, 0.5F, 1, 1.5F, 2, 3, 4, 6, -0.0F, -0.5F, -1, -1.5F, -2, -3, -4, -6 };
    for (uint64_t i = 0; i < n; i++) out[i] = values[raw[i / 2] >> i % 2 * 4 & 15];
}

static void put_i8(const uint8_t *raw, uint64_t n, float *out)
{
    for (uint64_t i = 0; i < n; i++) out[i] = (float)(int8_t)raw[i];
}

/* A row of bytes or of the method's own type as floats. */
static void put_type(const char *type, const uint8_t *raw, uint64_t n, float *out)
{
    const numel_dtype as = { .name = type };
    const struct decoder *how = decode_find(&as);
    if (how->whole) put_i8(raw, n, out);
    else decode_single(how, raw, (size_t)n, out);
}

/* The rows of the reading: `as` NULL is E2M1, else a type of one byte. */
NUMEL_MUST static bool load_values(struct reading *r, const char *as, const float **out)
{
    const struct unpack *u = r->u;
    uint64_t n = r->rows * u->in, each = as ? 1 : 2;
    const uint8_t *raw;
    float *p = (float *)(void *)unpack_take(r, n * sizeof *p);
    *out = p;
    if (!unpack_load(r, u->value, r->row * u->in / each, u->in / each, r->rows, u->in / each, &raw))
        return false;
    if (!r->stream) return true;
    if (as) put_type(as, raw, n, p);
    else put_e2m1(raw, n, p);
    return true;
}

/* ---- scales ------------------------------------------------------------------------------------- */

struct scales {
    const float *of; /* by block of rows and columns, from the block of the first row on */
    uint64_t columns, begin;
};

/* The place of a scale in tiles, counted from the tile of its row. */
static uint64_t in_tile(uint64_t row, uint64_t column)
{
    return column / 4 * 512 + row % 32 * 16 + row % 128 / 32 * 4 + column % 4;
}

/* Scales of one byte in tiles, as a matrix. */
NUMEL_MUST static bool load_tiles(struct reading *r, const char *as, struct scales *s)
{
    uint64_t width = unpack_parts(s->columns, 4) * 512, n = r->rows * s->columns;
    const uint8_t *raw;
    float *tile = (float *)(void *)unpack_take(r, width * sizeof *tile);
    float *p = (float *)(void *)unpack_take(r, n * sizeof *p);
    s->of = p;
    if (!unpack_load(r, r->u->scale, r->first / 128 * width, width, 1, width, &raw)) return false;
    if (!r->stream) return true;
    put_type(as, raw, width, tile);
    for (uint64_t k = 0; k < r->rows; k++)
        for (uint64_t i = 0; i < s->columns; i++) p[k * s->columns + i] = tile[in_tile(r->first + k, i)];
    return true;
}

/* Scales or zero points of the rows of the reading; `as`: the type that bytes are. */
NUMEL_MUST static bool load_scales(struct reading *r, const numel_tensor *t, const char *as, struct scales *s)
{
    const struct unpack *u = r->u;
    uint64_t each = unpack_parts(u->out, u->block[0]); /* of an expert */
    *s = (struct scales){ NULL, unpack_parts(u->in, u->block[1]), r->first / u->block[0] };
    uint64_t end = unpack_parts(r->first + r->rows, u->block[0]) + (r->stream ? 0 : 1);
    if (u->tiled) return load_tiles(r, as, s);
    uint64_t n = (end - s->begin) * s->columns;
    uint64_t at = (r->expert * each + s->begin) * s->columns;
    if (unpack_has_floats(t)) return unpack_floats(r, t, at, n, 1, n, &s->of);
    const uint8_t *raw;
    float *p = (float *)(void *)unpack_take(r, n * sizeof *p);
    s->of = p;
    if (!unpack_load(r, t, at, n, 1, n, &raw)) return false;
    if (r->stream) put_type(as, raw, n, p);
    return true;
}

/* Where the scale or zero point of a row is. */
static const float *of_row(const struct reading *r, const struct scales *s, uint64_t k)
{
    return s->of + ((r->first + k) / r->u->block[0] - s->begin) * s->columns;
}

/* ---- methods ------------------------------------------------------------------------------------ */

/* values: their type, NULL for E2M1; scales, zeros: the types that bytes are. */
static bool multiply(struct reading *r, const char *values, const char *scales)
{
    const struct unpack *u = r->u;
    const float *v;
    struct scales s, z = { NULL, 0, 0 };
    if (!load_values(r, values, &v) || !load_scales(r, u->scale, scales, &s)) return false;
    if (u->zero && !load_scales(r, u->zero, "I8", &z)) return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++) {
        const float *of = of_row(r, &s, k), *less = u->zero ? of_row(r, &z, k) : NULL, *from = v + k * u->in;
        float *to = r->out + k * u->in;
        if (less)
            for (uint64_t i = 0; i < u->in; i++)
                to[i] = (from[i] - less[i / u->block[1]]) * of[i / u->block[1]];
        else
            for (uint64_t i = 0; i < u->in; i++) to[i] = from[i] * of[i / u->block[1]];
    }
    return true;
}

static bool scaled(struct reading *r) { return multiply(r, r->u->value->dtype->name, "I8"); }
static bool mxfp8(struct reading *r) { return multiply(r, "F8_E4M3", "F8_E8M0"); }
static bool mxfp4(struct reading *r) { return multiply(r, NULL, "F8_E8M0"); }

/* The scale of scales: one, or one for each expert. */
static bool nvfp4_by(struct reading *r, bool divides)
{
    const struct unpack *u = r->u;
    const float *v, *g = NULL;
    struct scales s;
    if (!load_values(r, NULL, &v) || !load_scales(r, u->scale, "F8_E4M3", &s)) return false;
    if (u->nested && !unpack_floats(r, u->nested, u->nested->elements > 1 ? r->expert : 0, 1, 1, 1, &g))
        return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++)
        for (uint64_t i = 0; i < u->in; i += u->block[1]) {
            float each = of_row(r, &s, k)[i / u->block[1]];
            if (g) each = divides ? each / *g : each * *g;
            for (uint64_t j = k * u->in + i; j < k * u->in + i + u->block[1]; j++) r->out[j] = v[j] * each;
        }
    return true;
}

static bool nvfp4(struct reading *r) { return nvfp4_by(r, false); }
static bool nvfp4_less(struct reading *r) { return nvfp4_by(r, true); }

static bool int8(struct reading *r)
{
    const struct unpack *u = r->u;
    const float *v, *s;
    if (!load_values(r, "I8", &v) || !unpack_floats(r, u->scale, r->row, 1, r->rows, 1, &s)) return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++)
        for (uint64_t i = k * u->in; i < (k + 1) * u->in; i++)
            r->out[i] = v[i] * s[k] * 7.874015718698502e-3F;
    return true;
}

/* ---- what a method needs ------------------------------------------------------------------------- */

static bool is_any(const numel_tensor *t, const char *const types[2])
{
    return unpack_is(t, types[0]) || unpack_is(t, types[1]);
}

/* Scales of one byte for each block, or in tiles. */
static bool has_scales(const struct unpack *u)
{
    if (!u->scale || !u->block[0] || !u->block[1]) return false;
    uint64_t rows = unpack_parts(u->out, u->block[0]), columns = unpack_parts(u->in, u->block[1]);
    if (!u->tiled) return u->scale->elements == u->stack * rows * columns;
    return u->scale->dtype->block_bytes == 1 && u->stack == 1 && u->block[0] == 1 &&
           u->scale->elements == unpack_parts(rows, 128) * unpack_parts(columns, 4) * 512;
}

/* Rows of whole bytes, in bytes or in words. */
static bool has_nibbles(const struct unpack *u)
{
    return u->value && u->in % 2 == 0 && u->value->bytes == unpack_elements(u) / 2;
}

static bool fits_scaled(const struct unpack *u)
{
    bool bytes = unpack_is(u->value, "I8") || unpack_is(u->value, "F8_E4M3") ||
                 unpack_is(u->value, "F8_E5M2") || unpack_is(u->value, "F8_E4M3FNUZ") ||
                 unpack_is(u->value, "F8_E5M2FNUZ");
    bool zeros = !u->zero || ((unpack_has_floats(u->zero) || unpack_is(u->zero, "I8")) &&
                              u->zero->elements == u->scale->elements);
    return bytes && unpack_has_floats(u->scale) && has_scales(u) && zeros && !u->index && !u->nested;
}
static bool fits_int8(const struct unpack *u)
{
    return unpack_is(u->value, "I8") && unpack_is(u->scale, "F32") && u->stack == 1;
}
static bool fits_mxfp8(const struct unpack *u)
{
    return u->value && u->value->bytes == unpack_elements(u) && is_any(u->scale, exponents) && has_scales(u);
}
static bool fits_mxfp4(const struct unpack *u)
{
    return has_nibbles(u) && is_any(u->scale, exponents) && has_scales(u);
}
static bool fits_nvfp4(const struct unpack *u)
{
    return has_nibbles(u) && is_any(u->scale, e4m3) && has_scales(u) && u->in % u->block[1] == 0 &&
           (!u->nested ||
            (unpack_is(u->nested, "F32") && (u->nested->elements == 1 || u->nested->elements == u->stack)));
}

const struct unpack_method unpack_scaled_methods[] = {
    { "scaled", scaled, fits_scaled },
    { "int8", int8, fits_int8 },
    { "mxfp8", mxfp8, fits_mxfp8 },
    { "mxfp4", mxfp4, fits_mxfp4 },
    { "nvfp4", nvfp4, fits_nvfp4 },
    { "nvfp4_less", nvfp4_less, fits_nvfp4 },
    { 0 },
};
