/*
 * zeros.c -- runs of zeros, found from checked pages and from the file system's holes. Every page read is
 * counted: the search must stay far below a full read.
 */
#include "content/zeros.h"

enum { SAMPLES = 64, EVERY_PAGE = 1 << 20 /* up to this much data each page is checked */ };

struct search {
    struct stream *s;
    uint64_t from, to;
    struct zero_runs *out;
    numel_error *error;
};

/* ---- pages -------------------------------------------------------------------------------- */

/* Checks the page that holds byte `at`, within [from, to): counts its zero bytes from the front and from the
 * back; both are the page's size if all of it is zero. False on failure. */
static bool look(struct search *z, uint64_t at, uint64_t *begin, size_t *bytes, size_t *front, size_t *back)
{
    uint8_t page[ZERO_PAGE];
    uint64_t start = num_max(at - at % ZERO_PAGE, z->from);
    size_t n = (size_t)(num_min(at - at % ZERO_PAGE + ZERO_PAGE, z->to) - start);
    if (!stream_read(z->s, start, page, n, z->error)) return false;
    z->out->looked_at += n;
    *begin = start;
    *bytes = n;
    for (*front = 0; *front < n && !page[*front];) ++*front;
    for (*back = 0; *back < n && !page[n - 1 - *back];) ++*back;
    return true;
}

static bool is_zero(struct search *z, uint64_t at, bool *zero)
{
    uint64_t begin;
    size_t n, front, back;
    if (!look(z, at, &begin, &n, &front, &back)) return false;
    *zero = front == n;
    return true;
}

/* ---- the ends of a run -------------------------------------------------------------------- */

/* Where the zeros around page `at` begin, or end: checks pages in doubling steps until one is not zero, then
 * bisects. */
static bool find_edge(struct search *z, uint64_t at, bool end, uint64_t *edge)
{
    uint64_t limit = end ? z->to - 1 : z->from, other = limit, step = ZERO_PAGE, start;
    size_t n, front, back;
    bool zero = true;
    for (; zero && at != limit; step *= 2) {
        other = end ? at + num_min(step, limit - at) : at - num_min(step, at - limit);
        if (!is_zero(z, other, &zero)) return false;
        if (zero) at = other;
    }
    if (zero) return *edge = end ? z->to : z->from, true;
    while ((end ? other - at : at - other) > ZERO_PAGE) { /* other is not zero, at is */
        uint64_t middle = num_min(at, other) + (end ? other - at : at - other) / 2;
        if (!is_zero(z, middle, &zero)) return false;
        if (zero) at = middle;
        else other = middle;
    }
    if (!look(z, other, &start, &n, &front, &back)) return false;
    *edge = end ? start + front : start + n - back;
    return true;
}

/* ---- runs --------------------------------------------------------------------------------- */

/* Keeps the order; extends a known run that the new one touches. */
static void keep(struct zero_runs *out, struct zero_run run)
{
    size_t i = out->count;
    if (run.end - run.begin < ZERO_PAGE) return;
    for (size_t k = 0; k < out->count; k++) {
        struct zero_run *was = &out->items[k];
        if (run.begin > was->end || was->begin > run.end) continue;
        was->begin = num_min(was->begin, run.begin);
        was->end = num_max(was->end, run.end);
        return;
    }
    if (out->count == ZERO_RUNS) return;
    while (i > 0 && out->items[i - 1].begin > run.begin) {
        out->items[i] = out->items[i - 1];
        i--;
    }
    out->items[i] = run;
    out->count++;
}

static bool is_known(const struct zero_runs *out, uint64_t at)
{
    for (size_t i = 0; i < out->count; i++)
        if (at >= out->items[i].begin && at < out->items[i].end) return true;
    return false;
}

/* Adds the run of the page of `at`, if that is zero. */
static bool follow(struct search *z, uint64_t at, bool hole)
{
    struct zero_run run = { 0, 0, hole };
    bool zero;
    if (is_known(z->out, at)) return true;
    if (!is_zero(z, at, &zero)) return false;
    if (!zero) return true;
    if (!find_edge(z, at, false, &run.begin) || !find_edge(z, at, true, &run.end)) return false;
    keep(z->out, run);
    return true;
}

/* A hole is zero by definition; its neighbours may be too. */
static bool follow_holes(struct search *z)
{
    uint64_t at = z->from, hole;
    for (size_t i = 0; i < ZERO_RUNS && at < z->to && stream_hole(z->s, at, z->to, &hole, &at); i++) {
        uint64_t middle = hole + (at - hole) / 2;
        if (at - hole >= ZERO_PAGE && !follow(z, middle, true)) return false;
    }
    return true;
}

static bool follow_samples(struct search *z)
{
    uint64_t n = z->to - z->from, pages = (n - 1) / ZERO_PAGE + 1;
    uint64_t step = n <= EVERY_PAGE ? 1 : pages / SAMPLES;
    for (uint64_t page = pages; page > 0; page = page > step ? page - step : 0) {
        uint64_t at = num_min(z->from + (page - 1) * ZERO_PAGE, z->to - 1); /* the last one first */
        if (!follow(z, at, false)) return false;
    }
    return true;
}

bool zeros_find(struct stream *s, uint64_t from, uint64_t to, struct zero_runs *out, numel_error *e)
{
    struct search z = { s, from, to, out, e };
    *out = (struct zero_runs){ .count = 0 };
    if (to <= from) return true;
    stream_scattered(s);
    return follow_holes(&z) && follow_samples(&z);
}
