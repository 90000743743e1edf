/*
 * compare_turn.c -- which rows of two tensors correspond, judged by the data.
 *
 * A rotary embedding rotates pairs of a head's rows. transformers stores the first rows of all pairs in the
 * front half of a head and the second rows in the back half; llama.cpp's "llama" keeps pairs together, and
 * its converter moves the rows. Files of either kind that were never converted keep their order, and no
 * header states it. In the right order the numbers are far closer, so both are tried on the first heads.
 */
#include "content/compare.h"

#include "base/num.h"

enum { FAR = 4 }; /* of squares: twice as close as in the other order */

struct front { /* the leftmost columns of the rows of one head, of both sides */
    const struct compare *c;
    const struct compare_pair *p;
    const struct decoder *how[2];
    uint8_t *data[2];
    uint64_t width, columns;
};

static struct distance apart(const struct front *x, bool turned)
{
    struct distance d = { .elements = 0 };
    for (uint64_t i = 0; i < x->p->turn; i++) {
        uint64_t other = turned ? compare_turned_row(x->p->turn, i) : i;
        uint64_t row[2] = { x->p->turned == 0 ? other : i, x->p->turned == 0 ? i : other };
        const uint8_t *at[2];
        for (int w = 0; w < 2; w++) at[w] = x->data[w] + row[w] * decode_bytes(x->how[w], x->columns);
        distance_add(&d, x->how[0], at[0], x->how[1], at[1], (size_t)x->columns);
    }
    return d;
}

NUMEL_MUST static bool read_head(const struct front *x, int side, uint64_t head, numel_error *e)
{
    const numel_tensor *t = &x->c->side[side].tensors[x->p->tensor[side]];
    const numel_file *f = &x->c->side[side].files[t->file];
    const struct decoder *how = x->how[side];
    uint64_t first = head * x->p->turn, width = decode_bytes(how, x->width);
    size_t n = (size_t)decode_bytes(how, x->columns);
    struct stream s;
    if (!stream_open(&s, f->path, e)) return false;
    bool ok = true;
    for (uint64_t i = 0; ok && i < x->p->turn; i++)
        ok = stream_read(&s, t->offset + (first + i) * width, x->data[side] + i * n, n, e);
    if (ok && f->big_endian && how->bytes > 1) decode_turn(x->data[side], n * x->p->turn, how->bytes);
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

/* Read errors are left to the comparison, which reports them. */
bool compare_find_turn(const struct compare *c, struct compare_pair *p, uint8_t *buffer)
{
    enum { HEADS = 8 };
    const numel_tensor *t[2] = { &c->side[0].tensors[p->tensor[0]], &c->side[1].tensors[p->tensor[1]] };
    struct front x = { .c = c, .p = p, .data = { buffer, buffer + STREAM_BLOCK } };
    uint64_t rows = t[0]->ndim ? t[0]->dims[0] : 0;
    enum order order = EITHER;
    numel_error e;
    error_clear(&e);
    for (int w = 0; w < 2; w++) x.how[w] = compare_decoder(t[w], &c->side[w].files[t[w]->file]);
    bool comparable = x.how[0] && x.how[1] && distance_between(x.how[0], x.how[1]);
    if (p->turn < 4 || p->turn % 2 || rows == 0 || rows % p->turn || !comparable) {
        p->turn = 0;
        return true;
    }
    x.width = t[0]->elements / rows;
    x.columns = columns_of(&x);
    if (x.width && x.columns == 0) return false;
    for (uint64_t head = 0; x.width && order == EITHER && head < num_min(rows / p->turn, HEADS); head++) {
        if (!read_head(&x, 0, head, &e) || !read_head(&x, 1, head, &e)) break;
        order = order_of(&x);
    }
    if (order != TURNED) p->turn = 0;
    return order != NEITHER;
}
