/*
 * unpack.c -- reads the parts of the tensors of a packed weight into scratch memory, for one function a method.
 *
 * The same function measures: in a reading without a stream loads only add up what they would take, and
 * nothing is computed. So the size of the scratch memory cannot disagree with its use.
 */
#include "content/unpack_internal.h"

#include <string.h>

enum { MOST_SCRATCH = 16 << 20, MOST_INPUTS = 1 << 24 };

/* ---- loading ---------------------------------------------------------------------------------- */

uint8_t *unpack_take(struct reading *r, uint64_t bytes)
{
    uint64_t at = r->used;
    r->used += bytes + (8 - bytes % 8) % 8 + 8; /* a code may end in the byte after the last */
    return r->stream ? r->scratch + at : NULL;
}

bool unpack_load(struct reading *r, const numel_tensor *t, uint64_t at, uint64_t width, uint64_t rows,
                 uint64_t bytes, const uint8_t **out)
{
    uint8_t *p = unpack_take(r, rows * bytes);
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

bool unpack_floats(struct reading *r, const numel_tensor *t, uint64_t at, uint64_t width, uint64_t rows,
                   uint64_t n, const float **out)
{
    const struct decoder *how = decode_find(t->dtype);
    const uint8_t *raw;
    float *p = (float *)(void *)unpack_take(r, rows * n * sizeof *p);
    *out = p;
    if (!unpack_load(r, t, at * how->bytes, width * how->bytes, rows, n * how->bytes, &raw)) return false;
    if (r->stream) decode_single(how, raw, (size_t)(rows * n), p);
    return true;
}

bool unpack_is(const numel_tensor *t, const char *type) { return t && strcmp(t->dtype->name, type) == 0; }

bool unpack_has_floats(const numel_tensor *t)
{
    const struct decoder *how = t ? decode_find(t->dtype) : NULL;
    return how && how->is == DECODE_SINGLE;
}

/* ---- methods ---------------------------------------------------------------------------------- */

const struct unpack_method *unpack_method(const char *word)
{
    static const struct unpack_method *const all[] = { unpack_scaled_methods, unpack_words_methods,
                                                       unpack_flat_methods };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (const struct unpack_method *m = all[k]; m->word; m++)
            if (strcmp(m->word, word) == 0) return m;
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

bool unpack_alike(const struct unpack *a, const struct unpack *b)
{
    return a->method == b->method && a->stack == b->stack && a->out == b->out && a->in == b->in &&
           a->bits == b->bits && a->group == b->group && a->block[0] == b->block[0] &&
           a->block[1] == b->block[1] && a->tiled == b->tiled && !(a->offset < b->offset) &&
           !(a->offset > b->offset);
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
