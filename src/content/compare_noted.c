/*
 * compare_noted.c -- finished pairs in the file of --resume, two lines each. The first identifies B's file (A's
 * is in the record's head); the second has the numbers of the two tensors and the results, doubles as their bits.
 */
#include "content/compare_internal.h"

#include "base/text.h"

#include <string.h>

enum { REALS = 11, COUNTS = 12, HEAD = 7 };

static void reals_of(struct distance *d, double *out[REALS])
{
    struct distance_sum *sums[] = { &d->square, &d->absolute, &d->a, &d->b, &d->product };
    for (int i = 0; 2 * i + 1 < REALS; i++) {
        out[2 * i] = &sums[i]->value;
        out[2 * i + 1] = &sums[i]->rest;
    }
    out[10] = &d->most;
}

static void counts_of(const struct compare_pair *p, uint64_t v[COUNTS])
{
    const struct distance *d = &p->d;
    unsigned flags = (unsigned)p->same_bytes | (unsigned)p->measured << 1 | (unsigned)d->undefined << 2 |
                     (unsigned)p->unit << 3;
    const uint64_t all[COUNTS] = { p->turn,     flags,          p->units,       p->zeros,
                                   d->elements, d->differing,   d->left_out,    d->nan[0],
                                   d->nan[1],   d->infinite[0], d->infinite[1], d->whole_most };
    memcpy(v, all, sizeof all);
}

static void set_counts(struct compare_pair *p, const uint64_t v[COUNTS])
{
    p->same_bytes = v[1] & 1;
    p->measured = v[1] >> 1 & 1;
    p->d.undefined = v[1] >> 2 & 1;
    p->unit = (uint8_t)(v[1] >> 3 & 3);
    p->units = v[2];
    p->zeros = v[3];
    p->d.elements = v[4];
    p->d.differing = v[5];
    p->d.left_out = v[6];
    p->d.nan[0] = v[7];
    p->d.nan[1] = v[8];
    p->d.infinite[0] = v[9];
    p->d.infinite[1] = v[10];
    p->d.whole_most = v[11];
}

void compare_note(struct resume *r, const struct compare *c, const struct compare_pair *p,
                  struct file_identity *const was[2])
{
    struct buffer b;
    struct distance d = p->d;
    double *reals[REALS];
    uint64_t counts[COUNTS];
    const struct file_identity *of[2];
    if (!resume_keeps(r)) return;
    for (int w = 0; w < 2; w++) of[w] = &was[w][c->side[w].tensors[p->tensor[w]].file];
    buffer_init(&b, r->memory);
    buffer_format(&b, "%" PRIu64 " %" PRIu64 " %" PRIu64, of[1]->device, of[1]->inode, of[1]->bytes);
    buffer_format(&b, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", (uint64_t)of[1]->written,
                  (uint64_t)of[1]->written_ns, (uint64_t)of[1]->changed, (uint64_t)of[1]->changed_ns);
    buffer_format(&b, "%" PRIu32 " %" PRIu32, p->tensor[0], p->tensor[1]);
    counts_of(p, counts);
    reals_of(&d, reals);
    for (int i = 0; i < COUNTS; i++) buffer_format(&b, " %" PRIu64, counts[i]);
    for (int i = 0; i < REALS; i++) {
        uint64_t bits;
        memcpy(&bits, reals[i], sizeof bits);
        buffer_format(&b, " %" PRIu64, bits);
    }
    buffer_char(&b, '\n');
    resume_note(r, RESUME_PAIRS, of[0], &b);
    buffer_done(&b);
}

/* ---- reading ------------------------------------------------------------------------------ */

static bool read_numbers(numel_str *s, uint64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!resume_number(s, &v[i])) return false;
    return true;
}

/* Takes the results of that pair, if they are of these files and the same question. */
static void take_record(const struct resume_record *record, numel_str s, struct compare *c,
                        const uint32_t *pair_of, size_t tensors, struct file_identity *const was[2],
                        bool *done)
{
    uint64_t head[HEAD], tensor[2], counts[COUNTS], bits[REALS];
    if (!read_numbers(&s, head, HEAD) || !read_numbers(&s, tensor, 2) || !read_numbers(&s, counts, COUNTS) ||
        !read_numbers(&s, bits, REALS) || s.n)
        return;
    const struct file_identity b = { head[0],          head[1],          head[2],         (int64_t)head[3],
                                     (int64_t)head[4], (int64_t)head[5], (int64_t)head[6] };
    if (tensor[0] >= tensors || pair_of[tensor[0]] == UINT32_MAX) return;
    struct compare_pair *p = &c->pairs[pair_of[tensor[0]]];
    if (p->state != COMPARE_DONE || p->tensor[1] != tensor[1] || p->turn != counts[0]) return;
    if (!identity_same(&record->identity, &was[0][c->side[0].tensors[p->tensor[0]].file]) ||
        !identity_same(&b, &was[1][c->side[1].tensors[p->tensor[1]].file]))
        return;
    double *reals[REALS];
    set_counts(p, counts);
    reals_of(&p->d, reals);
    for (int i = 0; i < REALS; i++) memcpy(reals[i], &bits[i], sizeof bits[i]);
    done[p - c->pairs] = true;
}

bool compare_take(const struct resume *r, struct compare *c, struct file_identity *const was[2], bool *done,
                  struct arena *a, numel_error *e)
{
    size_t tensors = 0;
    if (r->count == 0) return true;
    for (size_t i = 0; i < c->count; i++)
        if (c->pairs[i].tensor[0] >= tensors) tensors = (size_t)c->pairs[i].tensor[0] + 1;
    struct arena_mark mark = arena_mark(a);
    uint32_t *pair_of = arena_alloc(a, (tensors + 1) * sizeof *pair_of);
    if (!pair_of) return error_nomem(e);
    memset(pair_of, 0xFF, (tensors + 1) * sizeof *pair_of);
    for (size_t i = 0; i < c->count; i++) pair_of[c->pairs[i].tensor[0]] = (uint32_t)i;
    for (size_t i = 0; i < r->count; i++) {
        const struct resume_record *record = &r->records[i];
        const numel_str text = text_span(r->journal.text + record->begin, r->journal.text + record->end);
        if (record->kind == RESUME_PAIRS) take_record(record, text, c, pair_of, tensors, was, done);
    }
    arena_rewind(a, mark);
    return true;
}
