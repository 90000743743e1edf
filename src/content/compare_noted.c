/*
 * compare_noted.c -- finished pairs in the file of --resume, two lines each. The first identifies B's file
 * (A's is in the record's head); the second has the numbers of the two tensors and the results, doubles as
 * their bits.
 */
#include "content/compare_internal.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>

enum { REALS = 11, COUNTS = 10, HEAD = 4 };

/* Where the results of a pair are. */
static void results_of(struct compare_pair *p, double *reals[REALS], uint64_t *counts[COUNTS])
{
    struct distance *d = &p->d;
    struct distance_sum *sums[] = { &d->square, &d->absolute, &d->a, &d->b, &d->product };
    uint64_t *const all[COUNTS] = {
        &p->units,  &p->zeros,  &d->elements,    &d->differing,   &d->left_out,
        &d->nan[0], &d->nan[1], &d->infinite[0], &d->infinite[1], &d->whole_most
    };
    memcpy(counts, all, sizeof all);
    for (int i = 0; 2 * i + 1 < REALS; i++) {
        reals[2 * i] = &sums[i]->value;
        reals[2 * i + 1] = &sums[i]->rest;
    }
    reals[REALS - 1] = &d->most;
}

void compare_note(struct resume *r, const struct compare *c, const struct compare_pair *p,
                  struct file_identity *const was[2])
{
    struct buffer b;
    struct compare_pair own = *p;
    double *reals[REALS];
    uint64_t *counts[COUNTS], bits;
    const struct file_identity *of[2];
    if (!journal_keeps(&r->journal)) return;
    if (p->view[0] || p->view[1]) return; /* it also depends on the files of its scales */
    for (int w = 0; w < 2; w++) of[w] = &was[w][c->side[w].tensors[p->tensor[w]].file];
    buffer_init(&b, r->memory);
    resume_put_identity(&b, of[1]);
    buffer_format(&b, "\n%" PRIu32 " %" PRIu32 " %" PRIu32 " %u", p->tensor[0], p->tensor[1], p->turn,
                  (unsigned)p->same_bytes | (unsigned)p->measured << 1 | (unsigned)p->d.undefined << 2 |
                      (unsigned)p->unit << 3);
    results_of(&own, reals, counts);
    for (int i = 0; i < COUNTS; i++) buffer_format(&b, " %" PRIu64, *counts[i]);
    for (int i = 0; i < REALS; i++) {
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

/* Takes the results of that pair, if they are for these files and the same comparison. */
static void take_record(const struct resume_record *record, numel_str s, struct compare *c,
                        const uint32_t *pair_of, size_t tensors, struct file_identity *const was[2],
                        bool *done)
{
    struct file_identity b;
    uint64_t head[HEAD], values[COUNTS], bits[REALS], *counts[COUNTS];
    double *reals[REALS];
    if (!resume_identity(&s, &b) || !read_numbers(&s, head, HEAD) || !read_numbers(&s, values, COUNTS) ||
        !read_numbers(&s, bits, REALS) || s.n)
        return;
    if (head[0] >= tensors || pair_of[head[0]] == UINT32_MAX) return;
    struct compare_pair *p = &c->pairs[pair_of[head[0]]];
    if (p->state != COMPARE_DONE || p->tensor[1] != head[1] || p->turn != head[2]) return;
    if (!identity_same(&record->identity, &was[0][c->side[0].tensors[p->tensor[0]].file]) ||
        !identity_same(&b, &was[1][c->side[1].tensors[p->tensor[1]].file]))
        return;
    p->same_bytes = head[3] & 1;
    p->measured = head[3] >> 1 & 1;
    p->d.undefined = head[3] >> 2 & 1;
    p->unit = (uint8_t)(head[3] >> 3 & 3);
    results_of(p, reals, counts);
    for (int i = 0; i < COUNTS; i++) *counts[i] = values[i];
    for (int i = 0; i < REALS; i++) memcpy(reals[i], &bits[i], sizeof bits[i]);
    done[p - c->pairs] = true;
}

uint32_t *compare_by_tensor(const struct compare *c, struct arena *a, size_t *tensors)
{
    *tensors = 0;
    for (size_t i = 0; i < c->count; i++) *tensors = num_max(*tensors, (size_t)c->pairs[i].tensor[0] + 1);
    uint32_t *pair_of = arena_alloc(a, (*tensors + 1) * sizeof *pair_of);
    if (!pair_of) return NULL;
    memset(pair_of, 0xFF, (*tensors + 1) * sizeof *pair_of);
    for (size_t i = 0; i < c->count; i++) pair_of[c->pairs[i].tensor[0]] = (uint32_t)i;
    return pair_of;
}

bool compare_take(const struct resume *r, struct compare *c, struct file_identity *const was[2], bool *done,
                  struct arena *a, numel_error *e)
{
    size_t tensors;
    if (r->count == 0) return true;
    struct arena_mark mark = arena_mark(a);
    uint32_t *pair_of = compare_by_tensor(c, a, &tensors);
    if (!pair_of) return error_nomem(e);
    for (size_t i = 0; i < r->count; i++) {
        const struct resume_record *record = &r->records[i];
        const numel_str text = text_span(r->journal.text + record->begin, r->journal.text + record->end);
        if (record->kind == RESUME_PAIRS) take_record(record, text, c, pair_of, tensors, was, done);
    }
    arena_rewind(a, mark);
    return true;
}
