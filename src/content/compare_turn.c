/*
 * compare_turn.c -- which rows of two tensors correspond, judged by the data.
 *
 * A rotary embedding rotates pairs of a head's rows. transformers stores the first rows of all pairs in the
 * front half of a head and the second rows in the back half; llama.cpp's "llama" keeps pairs together, and
 * its converter moves the rows. Files of either kind that were never converted keep their order, and no
 * header states it. In the right order the numbers are far closer, so both are tried on the first heads.
 *
 * Packed rows are computed in bands, in the order in which they are stored; then the other side's rows are
 * read in that order.
 */
#include "content/compare.h"

#include "base/num.h"

enum { FAR = 4 }; /* of squares: twice as close as in the other order */

struct front { /* the leftmost columns of the rows of one head, of both sides */
    const struct compare *c;
    const struct compare_pair *p;
    const struct decoder *how[2];
    uint8_t *buffer[2], *scratch; /* a packed side has room for a band of whole rows, and scratch memory */
    const uint8_t *data[2];
    uint64_t stride[2], width, columns;
};

static struct distance apart(const struct front *x, bool turned)
{
    struct distance d = { .elements = 0 };
    for (uint64_t i = 0; i < x->p->turn; i++) {
        uint64_t other = turned ? compare_turned_row(x->p, i) : i;
        uint64_t row[2] = { x->p->turned == 0 ? other : i, x->p->turned == 0 ? i : other };
        const uint8_t *at[2];
        for (int w = 0; w < 2; w++) at[w] = x->data[w] + row[w] * x->stride[w];
        distance_add(&d, x->how[0], at[0], x->how[1], at[1], (size_t)x->columns);
    }
    return d;
}

NUMEL_MUST static bool read_plain(struct front *x, struct stream *s, int side, uint64_t first, numel_error *e)
{
    const numel_tensor *t = &x->c->side[side].tensors[x->p->tensor[side]];
    const struct decoder *how = x->how[side];
    uint8_t *to = x->buffer[side];
    uint64_t width = decode_bytes(how, x->width), n = decode_bytes(how, x->columns);
    x->data[side] = to;
    x->stride[side] = n;
    for (uint64_t i = 0; i < x->p->turn; i++)
        if (!stream_read(s, t->offset + (first + i) * width, to + i * n, (size_t)n, e)) return false;
    if (x->c->side[side].files[t->file].big_endian && how->bytes > 1)
        decode_turn(to, (size_t)n * x->p->turn, how->bytes);
    return true;
}

NUMEL_MUST static bool read_packed(struct front *x, struct stream *s, int side, uint64_t first,
                                   numel_error *e)
{
    const struct unpack *u = x->p->view[side];
    uint64_t in = first % unpack_band(u->in);
    uint8_t *to = x->buffer[side];
    x->stride[side] = u->in * sizeof(float);
    x->data[side] = to + in * x->stride[side];
    return unpack_rows(u, s, first - in, unpack_step(u, first - in), x->scratch, (float *)(void *)to, e);
}

NUMEL_MUST static bool read_head(struct front *x, int side, uint64_t head, numel_error *e)
{
    const struct compare_side *of = &x->c->side[side];
    uint64_t first = head * x->p->turn;
    struct stream s;
    if (!stream_open(&s, of->files[of->tensors[x->p->tensor[side]].file].path, e)) return false;
    bool ok = x->p->view[side] ? read_packed(x, &s, side, first, e) : read_plain(x, &s, side, first, e);
    return stream_close(&s, e) && ok;
}

enum order { AS_STORED, TURNED, NEITHER, EITHER };

static enum order order_of(const struct front *x)
{
    struct distance plain = apart(x, false), turned = apart(x, true);
    double near = turned.square.value + turned.square.rest, far = plain.square.value + plain.square.rest;
    if (plain.undefined || turned.undefined) return NEITHER;
    if (!(near > 0) && !(far > 0)) return EITHER; /* all rows are equal */
    if (far * FAR <= near) return AS_STORED;
    return near * FAR <= far ? TURNED : NEITHER;
}

/* As many columns as the buffer holds for a head, in whole blocks of either side; 0: none. */
static uint64_t columns_of(const struct front *x)
{
    uint64_t columns = x->width, unit = 1;
    for (int w = 0; w < 2; w++) {
        uint64_t each = decode_unit(x->how[w]);
        columns = num_min(columns, STREAM_BLOCK / x->p->turn / x->how[w]->bytes * each);
        unit = num_max(unit, each); /* the units of any two types divide each other */
    }
    return columns - columns % unit;
}

/* The packed side, or NULL. */
static const struct unpack *view_of(const struct compare_pair *p)
{
    return p->view[0] ? p->view[0] : p->view[1];
}

/* Rows are unpacked in bands, in which a head has to be whole. */
static bool is_whole(const struct compare_pair *p, uint64_t head)
{
    const struct unpack *u = view_of(p);
    return !u || head * p->turn % unpack_band(u->in) + p->turn <= unpack_band(u->in);
}

/* Read errors are left to the comparison, which reports them. */
static enum order find_order(struct front *x, uint64_t heads)
{
    enum order order = EITHER;
    numel_error e;
    error_clear(&e);
    for (uint64_t head = 0; x->width && order == EITHER && head < heads; head++) {
        if (!is_whole(x->p, head)) continue;
        if (!read_head(x, 0, head, &e) || !read_head(x, 1, head, &e)) break;
        order = order_of(x);
    }
    return order;
}

NUMEL_MUST static bool make_buffers(struct front *x, uint8_t **all, const numel_allocator *m, numel_error *e)
{
    const struct unpack *u = view_of(x->p);
    size_t each =
        u ? num_max(STREAM_BLOCK, (size_t)(unpack_band(u->in) * u->in * sizeof(float))) : STREAM_BLOCK;
    *all = memory_resize(m, NULL, 2 * each + (u ? u->scratch : 0));
    if (!*all) return error_nomem(e);
    x->buffer[0] = *all;
    x->buffer[1] = *all + each;
    x->scratch = *all + 2 * each;
    return true;
}

bool compare_find_turn(const struct compare *c, struct compare_pair *p, const numel_allocator *m,
                       numel_error *e)
{
    enum { HEADS = 8 };
    struct front x = { .c = c, .p = p };
    const numel_tensor *t = &c->side[p->turned].tensors[p->tensor[p->turned]];
    uint64_t rows = t->ndim ? t->dims[0] : 0;
    uint8_t *buffers;
    for (int w = 0; w < 2; w++) {
        const numel_tensor *of = &c->side[w].tensors[p->tensor[w]];
        x.how[w] = p->view[w] ? &decode_floats : compare_decoder(of, &c->side[w].files[of->file]);
    }
    bool comparable = x.how[0] && x.how[1] && distance_between(x.how[0], x.how[1]);
    if (p->turn < 4 || p->turn % 2 || rows == 0 || rows % p->turn || !comparable) {
        p->turn = 0;
        return true;
    }
    x.width = t->elements / rows;
    x.columns = columns_of(&x);
    if (!is_whole(p, 0) || (x.width && x.columns == 0)) {
        p->turn = 0;
        p->state = view_of(p) ? COMPARE_MOVED : COMPARE_PERMUTED;
        return true;
    }
    if (!make_buffers(&x, &buffers, m, e)) return false;
    enum order order = find_order(&x, num_min(rows / p->turn, HEADS));
    memory_release(m, buffers);
    if (order == NEITHER) p->state = COMPARE_PERMUTED;
    if (order != TURNED) p->turn = 0;
    return true;
}
