/*
 * unpack.c -- one function a method. It loads its parts of each tensor into scratch memory, then computes.
 *
 * The same function measures: in a reading without a stream loads only add up what they would take, and
 * nothing is computed. So the size of the scratch memory cannot disagree with its use.
 */
#include "content/unpack.h"

#include "base/num.h"
#include "content/load.h"

#include <string.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

enum { MOST_SCRATCH = 16 << 20, MOST_INPUTS = 1 << 24 };

struct reading {
    const struct unpack *u;
    struct stream *stream;             /* NULL: measures */
    uint64_t row, rows, expert, first; /* row: in all; first: in the expert */
    uint8_t *scratch;
    uint64_t used;
    float *out;
    numel_error *error;
};

struct unpack_method {
    const char *word;
    bool (*compute)(struct reading *r);
    bool (*fits)(const struct unpack *u);
};

/* As many of `each` as hold n. */
static uint64_t parts_of(uint64_t n, uint64_t each) { return n / each + (n % each != 0); }

/* ---- loading ---------------------------------------------------------------------------------- */

/* Scratch memory, aligned for floats; NULL when measuring. */
static uint8_t *take(struct reading *r, uint64_t bytes)
{
    uint64_t at = r->used;
    r->used += bytes + (8 - bytes % 8) % 8 + 8; /* a code may end in the byte after the last */
    return r->stream ? r->scratch + at : NULL;
}

/* `rows` runs of `bytes`, each `width` after the last, from `at` on. */
NUMEL_MUST static bool load(struct reading *r, const numel_tensor *t, uint64_t at, uint64_t width,
                            uint64_t rows, uint64_t bytes, const uint8_t **out)
{
    uint8_t *p = take(r, rows * bytes);
    *out = p;
    if (!r->stream) return true;
    if (bytes == width) bytes = width *= rows, rows = 1;
    struct stream own = *r->stream;
    bool elsewhere = t->file != r->u->value->file, ok = true;
    if (elsewhere && !stream_open(&own, r->u->files[t->file].path, r->error)) return false;
    for (uint64_t i = 0; ok && i < rows; i++)
        ok = stream_read(&own, t->offset + at + i * width, p + i * bytes, (size_t)bytes, r->error);
    return elsewhere ? stream_close(&own, r->error) && ok : ok;
}

/* The same of numbers, as floats; `at`, `width` and `n` in elements. */
NUMEL_MUST static bool load_floats(struct reading *r, const numel_tensor *t, uint64_t at, uint64_t width,
                                   uint64_t rows, uint64_t n, const float **out)
{
    const struct decoder *how = decode_find(t->dtype);
    const uint8_t *raw;
    float *p = (float *)(void *)take(r, rows * n * sizeof *p);
    *out = p;
    if (!load(r, t, at * how->bytes, width * how->bytes, rows, n * how->bytes, &raw)) return false;
    if (r->stream) decode_single(how, raw, (size_t)(rows * n), p);
    return true;
}

static unsigned mask(unsigned bits) { return (1u << bits) - 1; }

/* A code of up to 8 bits in a run of bytes, the first in the lowest bits. */
static unsigned code_at(const uint8_t *p, uint64_t bit, unsigned bits)
{
    const uint8_t *at = p + bit / 8;
    return ((unsigned)at[0] | (unsigned)at[1] << 8) >> bit % 8 & mask(bits);
}

/* The same down a column of 32-bit words, `width` bytes apart. A code may go on in the next word. */
static unsigned code_down(const uint8_t *p, uint64_t bit, unsigned bits, uint64_t width)
{
    const uint8_t *at = p + bit / 32 * width;
    unsigned in = (unsigned)(bit % 32);
    uint64_t v = load32(at);
    if (in + bits > 32) v |= (uint64_t)load32(at + width) << 32;
    return (unsigned)(v >> in) & mask(bits);
}

static uint64_t group_of(const struct unpack *u) { return u->group ? u->group : u->in; }
static uint64_t groups_of(const struct unpack *u) { return parts_of(u->in, group_of(u)); }

/* The group of each input by its index; NULL: in order. False if one is not a group. */
NUMEL_MUST static bool load_index(struct reading *r, const uint8_t **index)
{
    const struct unpack *u = r->u;
    *index = NULL;
    if (!u->index) return true;
    if (!load(r, u->index, 0, 4 * u->in, 1, 4 * u->in, index)) return false;
    for (uint64_t i = 0; r->stream && i < u->in; i++)
        if (load32(*index + 4 * i) >= groups_of(u))
            return error_set(r->error, NUMEL_E_LIMIT, u->index->offset + 4 * i, "a group index is too large");
    return true;
}

static uint64_t group_at(const struct unpack *u, const uint8_t *index, uint64_t i)
{
    return index ? load32(index + 4 * i) : i / group_of(u);
}

/* ---- scaled ------------------------------------------------------------------------------------ */

/* Plain numbers of a row as floats. */
NUMEL_MUST static bool load_values(struct reading *r, const float **out)
{
    const struct unpack *u = r->u;
    const struct decoder *how = decode_find(u->value->dtype);
    const uint8_t *raw;
    if (!how->whole) return load_floats(r, u->value, r->row * u->in, u->in, r->rows, u->in, out);
    float *p = (float *)(void *)take(r, r->rows * u->in * sizeof *p);
    *out = p;
    if (!load(r, u->value, r->row * u->in, u->in, r->rows, u->in, &raw)) return false;
    for (uint64_t i = 0; r->stream && i < r->rows * u->in; i++) p[i] = (float)(int8_t)raw[i];
    return true;
}

static bool scaled(struct reading *r)
{
    const struct unpack *u = r->u;
    uint64_t columns = parts_of(u->in, u->block[1]), begin = r->first / u->block[0];
    uint64_t end = parts_of(r->first + r->rows, u->block[0]) + (r->stream ? 0 : 1);
    uint64_t each = parts_of(u->out, u->block[0]) * columns; /* of an expert */
    const float *v, *s;
    if (!load_values(r, &v) ||
        !load_floats(r, u->scale, r->expert * each + begin * columns, columns, end - begin, columns, &s))
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
    if (!load_values(r, &v) || !load_floats(r, u->scale, r->row, 1, r->rows, 1, &s)) return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++)
        for (uint64_t i = k * u->in; i < (k + 1) * u->in; i++)
            r->out[i] = v[i] * s[k] * 7.874015718698502e-3F;
    return true;
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
    uint64_t words = parts_of(u->out * u->bits, 32);
    c->zero_bytes = parts_of(r->rows * u->bits, 32) * 4;
    return load_index(r, &c->index) &&
           load_floats(r, u->scale, r->first, u->out, groups_of(u), r->rows, &c->scale) &&
           load(r, u->zero, r->first * u->bits / 8, words * 4, groups_of(u), c->zero_bytes, &c->zero);
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

static bool gptq_less(struct reading *r, int less)
{
    const struct unpack *u = r->u;
    unsigned bits = (unsigned)u->bits;
    const uint8_t *q;
    struct columns c;
    uint64_t g[TILE];
    if (!load_columns(r, &c) ||
        !load(r, u->value, r->first * 4, u->out * 4, parts_of(u->in * u->bits, 32), r->rows * 4, &q))
        return false;
    for (uint64_t from = 0; r->stream && from < u->in; from += TILE) {
        uint64_t n = tile_groups(u, c.index, from, g);
        for (uint64_t k = 0; k < r->rows; k++)
            for (uint64_t t = 0; t < n; t++) {
                int code = (int)code_down(q + 4 * k, (from + t) * bits, bits, r->rows * 4);
                int zero = (int)code_at(c.zero + g[t] * c.zero_bytes, k * bits, bits) + less;
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
    uint64_t width = parts_of(r->rows, 8) * 4, g[TILE];
    const uint8_t *q;
    struct columns c;
    if (!load_columns(r, &c) || !load(r, u->value, r->first / 2, u->out / 2, u->in, width, &q)) return false;
    for (uint64_t from = 0; r->stream && from < u->in; from += TILE) {
        uint64_t n = tile_groups(u, c.index, from, g);
        for (uint64_t k = 0; k < r->rows; k++)
            for (uint64_t t = 0; t < n; t++) {
                uint64_t bit = k / 8 * 32 + place[k % 8] * 4u;
                int code = (int)code_at(q + (from + t) * width, bit, 4);
                int zero = (int)code_at(c.zero + g[t] * c.zero_bytes, bit, 4);
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
    if (!load(r, u->value, r->row * width, width, r->rows, width, &q) ||
        !load_floats(r, u->scale, r->row * groups, groups, r->rows, groups, &s) ||
        !load_floats(r, u->zero, r->row * groups, groups, r->rows, groups, &b))
        return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++)
        for (uint64_t i = 0; i < u->in; i++) {
            uint64_t g = k * groups + i / u->group;
            float product = (float)code_at(q + k * width, i * bits, bits) * s[g];
            r->out[k * u->in + i] = product + b[g];
        }
    return true;
}

static bool pack(struct reading *r)
{
    const struct unpack *u = r->u;
    unsigned bits = (unsigned)u->bits;
    uint64_t width = parts_of(u->in * u->bits, 32) * 4, groups = groups_of(u);
    bool one = u->scale->elements == 1;
    const uint8_t *q, *z = NULL, *index;
    const float *s;
    if (!load_index(r, &index) || !load(r, u->value, r->row * width, width, r->rows, width, &q) ||
        !load_floats(r, u->scale, one ? 0 : r->row * groups, groups, one ? 1 : r->rows, one ? 1 : groups, &s))
        return false;
    if (u->zero && !load(r, u->zero, r->first * u->bits / 32 * groups * 4, groups * 4,
                         parts_of(r->rows * u->bits, 32), groups * 4, &z))
        return false;
    for (uint64_t k = 0; r->stream && k < r->rows; k++)
        for (uint64_t i = 0; i < u->in; i++) {
            uint64_t g = group_at(u, index, i);
            int zero = z ? (int)code_down(z + 4 * g, k * bits, bits, groups * 4) : 1 << (bits - 1);
            int code = (int)code_at(q + k * width, i * bits, bits);
            r->out[k * u->in + i] = (float)(code - zero) * s[one ? 0 : k * groups + g];
        }
    return true;
}

/* ---- bitsandbytes, 4 bits: flat ------------------------------------------------------------------- */

/* The scales of blocks from `first` on. */
NUMEL_MUST static bool load_absmax(struct reading *r, uint64_t first, uint64_t n, const float **out)
{
    enum { NESTED = 256 };
    const struct unpack *u = r->u;
    const uint8_t *q;
    const float *code, *t;
    if (!u->nested) return load_floats(r, u->scale, first, n, 1, n, out);
    uint64_t from = first / NESTED, end = parts_of(first + n, NESTED) + (r->stream ? 0 : 1);
    float *p = (float *)(void *)take(r, n * sizeof *p);
    *out = p;
    if (!load(r, u->scale, first, n, 1, n, &q) ||
        !load_floats(r, u->nested_code, 0, NESTED, 1, NESTED, &code) ||
        !load_floats(r, u->nested, from, end - from, 1, end - from, &t))
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
    uint64_t end = parts_of(at + n, u->group) + (r->stream ? 0 : 1);
    const uint8_t *q;
    const float *code, *s;
    if (!load(r, u->value, at / 2, 0, 1, parts_of(at + n, 2) - at / 2, &q) ||
        !load_floats(r, u->code, 0, 16, 1, 16, &code) || !load_absmax(r, begin, end - begin, &s))
        return false;
    for (uint64_t i = at; r->stream && i < at + n; i++) {
        uint8_t two = q[i / 2 - at / 2];
        r->out[i - at] = code[i % 2 ? two & 15 : two >> 4] * s[i / u->group - begin];
    }
    return true;
}

/* ---- what a method needs --------------------------------------------------------------------------- */

static bool is(const numel_tensor *t, const char *type) { return t && strcmp(t->dtype->name, type) == 0; }

static bool is_floats(const numel_tensor *t)
{
    const struct decoder *how = t ? decode_find(t->dtype) : NULL;
    return how && how->is == DECODE_SINGLE;
}

static bool is_codes(const struct unpack *u) { return u->bits >= 1 && u->bits <= 8 && is_floats(u->scale); }

static bool fits_scaled(const struct unpack *u)
{
    return (is_floats(u->value) || is(u->value, "I8")) && is_floats(u->scale) && !u->zero && !u->index &&
           u->block[0] && u->block[1];
}
static bool fits_int8(const struct unpack *u)
{
    return is(u->value, "I8") && is(u->scale, "F32") && u->stack == 1;
}
static bool fits_columns(const struct unpack *u)
{
    return is_codes(u) && is(u->value, "I32") && is(u->zero, "I32") && (!u->index || is(u->index, "I32")) &&
           u->stack == 1;
}
static bool fits_awq(const struct unpack *u) { return fits_columns(u) && u->bits == 4 && u->out % 8 == 0; }
static bool fits_mlx(const struct unpack *u)
{
    return is_codes(u) && is(u->value, "U32") && is_floats(u->zero) && u->group && u->in % u->group == 0;
}
static bool fits_pack(const struct unpack *u)
{
    return is_codes(u) && is(u->value, "I32") && (!u->zero || is(u->zero, "I32")) &&
           (!u->index || is(u->index, "I32")) && u->stack == 1;
}
static bool fits_bnb4(const struct unpack *u)
{
    bool nested = u->nested && is(u->scale, "U8") && is_floats(u->nested) && is_floats(u->nested_code);
    return u->value && u->group && is(u->code, "F32") && (nested || (!u->nested && is(u->scale, "F32")));
}

static const struct unpack_method methods[] = {
    { "scaled", scaled, fits_scaled }, { "int8", int8, fits_int8 },
    { "gptq", gptq, fits_columns },    { "gptq_v2", gptq_v2, fits_columns },
    { "awq", awq, fits_awq },          { "bnb4", bnb4, fits_bnb4 },
    { "mlx", mlx, fits_mlx },          { "pack", pack, fits_pack },
};

const struct unpack_method *unpack_method(const char *word)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].word, word) == 0) return &methods[i];
    return NULL;
}

/* ---- rows ------------------------------------------------------------------------------------------- */

const numel_tensor *unpack_part(const struct unpack *u, unsigned i)
{
    const numel_tensor *const parts[UNPACK_PARTS] = { u->value, u->scale, u->nested,     u->zero,
                                                      u->index, u->code,  u->nested_code };
    return parts[i];
}

bool unpack_ready(struct unpack *u)
{
    struct reading r = { .u = u, .rows = num_min(u->out, unpack_band(u->in)) };
    if (!u->value || u->in > MOST_INPUTS || !u->method->fits(u)) return false;
    if (!u->method->compute(&r) || r.used > MOST_SCRATCH) return false;
    u->scratch = (size_t)r.used;
    return true;
}

bool unpack_inside(const struct unpack *u)
{
    for (unsigned i = 0; i < UNPACK_PARTS; i++) {
        const numel_tensor *t = unpack_part(u, i);
        const numel_file *f = t ? &u->files[t->file] : NULL;
        if (f && (f->header_only || f->compressed || !num_inside(t->offset, t->bytes, f->bytes)))
            return false;
    }
    return true;
}

uint64_t unpack_step(const struct unpack *u, uint64_t row)
{
    uint64_t first = row % u->out;
    return num_min(u->out - first, unpack_band(u->in));
}

bool unpack_rows(const struct unpack *u, struct stream *s, uint64_t row, uint64_t rows, uint8_t *scratch,
                 float *out, numel_error *e)
{
    struct reading r = { .u = u,
                         .stream = s,
                         .row = row,
                         .rows = rows,
                         .expert = row / u->out,
                         .first = row % u->out,
                         .scratch = scratch,
                         .out = out,
                         .error = e };
    return u->method->compute(&r);
}
