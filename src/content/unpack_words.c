/*
 * unpack_words.c -- integers in words of 32 bits, along the inputs or the outputs, with a scale and a zero point
 * for each group of inputs.
 */
#include "content/unpack_internal.h"

/* A code down a column of words, `width` bytes apart. It may go on in the next word. */
static unsigned code_down(const uint8_t *p, uint64_t bit, unsigned bits, uint64_t width)
{
    const uint8_t *at = p + bit / 32 * width;
    unsigned in = (unsigned)(bit % 32);
    uint64_t v = load32(at);
    if (in + bits > 32) v |= (uint64_t)load32(at + width) << 32;
    return (unsigned)(v >> in) & unpack_mask(bits);
}

static uint64_t group_of(const struct unpack *u) { return u->group ? u->group : u->in; }
static uint64_t groups_of(const struct unpack *u) { return unpack_parts(u->in, group_of(u)); }

/* The group of each input by its index; NULL: in order. False if one is not a group. */
NUMEL_MUST static bool load_index(struct reading *r, const uint8_t **index)
{
    const struct unpack *u = r->u;
    *index = NULL;
    if (!u->index) return true;
    if (!unpack_load(r, u->index, 0, 4 * u->in, 1, 4 * u->in, index)) return false;
    for (uint64_t i = 0; r->stream && i < u->in; i++)
        if (load32(*index + 4 * i) >= groups_of(u))
            return error_set(r->error, NUMEL_E_LIMIT, u->index->offset + 4 * i, "a group index is too large");
    return true;
}

static uint64_t group_at(const struct unpack *u, const uint8_t *index, uint64_t i)
{
    return index ? load32(index + 4 * i) : i / group_of(u);
}

/* ---- packed along the inputs or the outputs, [in, out] ------------------------------------------ */

/* The columns of `rows` outputs: scales and zero points of each group. */
struct columns {
    const float *scale;
    const uint8_t *zero, *index;
    uint64_t zero_bytes; /* of a group */
};

NUMEL_MUST static bool load_columns(struct reading *r, struct columns *c)
{
    const struct unpack *u = r->u;
    uint64_t words = unpack_parts(u->out * u->bits, 32);
    c->zero_bytes = unpack_parts(r->rows * u->bits, 32) * 4;
    return load_index(r, &c->index) &&
           unpack_floats(r, u->scale, r->first, u->out, groups_of(u), r->rows, &c->scale) &&
           unpack_load(r, u->zero, r->first * u->bits / 8, words * 4, groups_of(u), c->zero_bytes, &c->zero);
}

/* One matrix is written along the inputs, the other read along the outputs: inputs go by tiles, which stay in
 * cache lines of both. */
enum { TILE = 16 };
static uint64_t tile_groups(const struct unpack *u, const uint8_t *index, uint64_t from, uint64_t group[TILE])
{
    uint64_t n = num_min(u->in - from, TILE);
    for (uint64_t t = 0; t < n; t++) group[t] = group_at(u, index, from + t);
    return n;
}

/* Zero points of the rows of the reading, a byte each. Where codes fill words, 1 is added to all of a word at once,
 * with carries, as GPTQModel does: its writer subtracted them so. Else each wraps. */
static uint8_t *zeros_of(struct reading *r, const struct columns *c, unsigned less)
{
    unsigned bits = (unsigned)r->u->bits, all = unpack_mask(bits);
    uint32_t more = 32 % bits ? 0 : UINT32_MAX / all * less;
    uint8_t *p = unpack_take(r, groups_of(r->u) * r->rows);
    for (uint64_t g = 0; p && g < groups_of(r->u); g++)
        for (uint64_t k = 0; k < r->rows; k++) {
            const uint8_t *z = c->zero + g * c->zero_bytes;
            uint64_t bit = k * bits;
            p[g * r->rows + k] = (uint8_t)(32 % bits ? (unpack_code(z, bit, bits) + less) & all
                                                     : (load32(z + bit / 32 * 4) + more) >> bit % 32 & all);
        }
    return p;
}

static bool gptq_less(struct reading *r, unsigned less)
{
    const struct unpack *u = r->u;
    unsigned bits = (unsigned)u->bits;
    const uint8_t *q;
    struct columns c;
    uint64_t g[TILE];
    if (!load_columns(r, &c) || !unpack_load(r, u->value, r->first * 4, u->out * 4,
                                             unpack_parts(u->in * u->bits, 32), r->rows * 4, &q))
        return false;
    const uint8_t *zeros = zeros_of(r, &c, less);
    for (uint64_t from = 0; r->stream && from < u->in; from += TILE) {
        uint64_t n = tile_groups(u, c.index, from, g);
        for (uint64_t k = 0; k < r->rows; k++)
            for (uint64_t t = 0; t < n; t++) {
                int code = (int)code_down(q + 4 * k, (from + t) * bits, bits, r->rows * 4);
                int zero = zeros[g[t] * r->rows + k];
                r->out[k * u->in + from + t] = (float)(code - zero) * c.scale[g[t] * r->rows + k];
            }
    }
    return true;
}

static bool gptq(struct reading *r) { return gptq_less(r, 1); }
static bool gptq_v2(struct reading *r) { return gptq_less(r, 0); }

static bool awq(struct reading *r)
{
    static const uint8_t place[8] = { 0, 4, 1, 5, 2, 6, 3, 7 }; /* of an output in its word */
    const struct unpack *u = r->u;
    uint64_t width = unpack_parts(r->rows, 8) * 4, g[TILE];
    const uint8_t *q;
    struct columns c;
    if (!load_columns(r, &c) || !unpack_load(r, u->value, r->first / 2, u->out / 2, u->in, width, &q))
        return false;
    for (uint64_t from = 0; r->stream && from < u->in; from += TILE) {
        uint64_t n = tile_groups(u, c.index, from, g);
        for (uint64_t k = 0; k < r->rows; k++)
            for (uint64_t t = 0; t < n; t++) {
                uint64_t bit = k / 8 * 32 + place[k % 8] * 4u;
                int code = (int)unpack_code(q + (from + t) * width, bit, 4);
                int zero = (int)unpack_code(c.zero + g[t] * c.zero_bytes, bit, 4);
                r->out[k * u->in + from + t] = (float)(code - zero) * c.scale[g[t] * r->rows + k];
            }
    }
    return true;
}

/* ---- packed along the inputs, [out, in] ---------------------------------------------------------- */

static bool mlx(struct reading *r)
{
    const struct unpack *u = r->u;
    unsigned bits = (unsigned)u->bits;
    uint64_t width = u->in * u->bits / 8, groups = groups_of(u);
    const uint8_t *q;
    const float *s, *b;
    if (!unpack_load(r, u->value, r->row * width, width, r->rows, width, &q) ||
        !unpack_floats(r, u->scale, r->row * groups, groups, r->rows, groups, &s) ||
        !unpack_floats(r, u->zero, r->row * groups, groups, r->rows, groups, &b))
        return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++)
        for (uint64_t i = 0; i < u->in; i++) {
            uint64_t g = k * groups + i / u->group;
            float product = (float)unpack_code(q + k * width, i * bits, bits) * s[g];
            r->out[k * u->in + i] = product + b[g];
        }
    return true;
}

static bool pack(struct reading *r)
{
    const struct unpack *u = r->u;
    unsigned bits = (unsigned)u->bits;
    uint64_t width = unpack_parts(u->in * u->bits, 32) * 4, groups = groups_of(u);
    bool one = u->scale->elements == 1;
    const uint8_t *q, *z = NULL, *index;
    const float *s;
    if (!load_index(r, &index) || !unpack_load(r, u->value, r->row * width, width, r->rows, width, &q) ||
        !unpack_floats(r, u->scale, one ? 0 : r->row * groups, groups, one ? 1 : r->rows, one ? 1 : groups,
                       &s))
        return false;
    if (u->zero && !unpack_load(r, u->zero, r->first * u->bits / 32 * groups * 4, groups * 4,
                                unpack_parts(r->rows * u->bits, 32), groups * 4, &z))
        return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++)
        for (uint64_t i = 0; i < u->in; i++) {
            uint64_t g = group_at(u, index, i);
            int zero = z ? (int)code_down(z + 4 * g, k * bits, bits, groups * 4) : 1 << (bits - 1);
            int code = (int)unpack_code(q + k * width, i * bits, bits);
            r->out[k * u->in + i] = (float)(code - zero) * s[one ? 0 : k * groups + g];
        }
    return true;
}

/* ---- what a method needs --------------------------------------------------------------------------- */

static bool is_codes(const struct unpack *u)
{
    return u->bits >= 1 && u->bits <= 8 && unpack_has_floats(u->scale);
}

static bool fits_columns(const struct unpack *u)
{
    return is_codes(u) && unpack_is(u->value, "I32") && unpack_is(u->zero, "I32") &&
           (!u->index || unpack_is(u->index, "I32")) && u->stack == 1;
}
static bool fits_awq(const struct unpack *u) { return fits_columns(u) && u->bits == 4 && u->out % 8 == 0; }
static bool fits_mlx(const struct unpack *u)
{
    return is_codes(u) && unpack_is(u->value, "U32") && unpack_has_floats(u->zero) && u->group &&
           u->in % u->group == 0;
}
static bool fits_pack(const struct unpack *u)
{
    return is_codes(u) && unpack_is(u->value, "I32") && (!u->zero || unpack_is(u->zero, "I32")) &&
           (!u->index || unpack_is(u->index, "I32")) && u->stack == 1;
}

const struct unpack_method unpack_words_methods[] = {
    { "gptq", gptq, fits_columns }, { "gptq_v2", gptq_v2, fits_columns }, { "awq", awq, fits_awq },
    { "mlx", mlx, fits_mlx },       { "pack", pack, fits_pack },          { 0 },
};
