/*
 * words.h -- what the targets for texts that people write share: memory that is counted and bounded, errors and
 * reports that may be shown, and a library of specifications that is opened once.
 */
#ifndef NUMEL_TEST_FUZZ_WORDS_H
#define NUMEL_TEST_FUZZ_WORDS_H

#include "../support/hostile.h"
#include "../support/reports.h"
#include "fuzz.h"

#include "base/text.h"
#include "formula/terms.h"
#include "formula/library.h"

#include <string.h>

/* ---- memory ------------------------------------------------------------------------------- */

/* Every piece knows its size. What would be more than the limit is refused, as out of memory is, and noted: a
 * hostile input ends there, soon, instead of in the machine's memory. */
struct fuzz_memory {
    numel_allocator allocator;
    size_t now, peak, limit;
    bool refused;
};

enum { FUZZ_PIECE = 16 };

static inline void *fuzz_resize(void *ctx, void *old, size_t bytes)
{
    struct fuzz_memory *m = ctx;
    char *p = old ? (char *)old - FUZZ_PIECE : NULL;
    size_t had = p ? *(size_t *)(void *)p : 0;
    if (!bytes) {
        m->now -= had;
        free(p);
        return NULL;
    }
    if (bytes > m->limit || m->now - had > m->limit - bytes) {
        m->refused = true;
        return NULL;
    }
    char *grown = realloc(p, bytes + FUZZ_PIECE);
    if (!grown) return NULL;
    *(size_t *)(void *)grown = bytes;
    m->now += bytes - had;
    if (m->now > m->peak) m->peak = m->now;
    return grown + FUZZ_PIECE;
}

static inline size_t fuzz_bound(size_t input, uint64_t tensors)
{
    return 8 * input + ((size_t)16 << 20) + (size_t)tensors * 256;
}

static inline void fuzz_memory_init(struct fuzz_memory *m, size_t limit)
{
    *m = (struct fuzz_memory){ .allocator = { fuzz_resize, m }, .limit = limit };
}

static inline void fuzz_memory_done(const struct fuzz_memory *m)
{
    FUZZ_ASSERT(m->now == 0, "memory is left");
}

/* ---- errors and reports ------------------------------------------------------------------- */

/* Of a failure: with words that may be shown, and an offset inside of the text. */
static inline void fuzz_error(bool ok, const numel_error *e, size_t size)
{
    const char *why;
    FUZZ_ASSERT(ok == (e->code == NUMEL_OK), "result and error disagree");
    if (ok) return;
    FUZZ_ASSERT(e->what[0] && memchr(e->what, 0, sizeof e->what), "an error without words");
    FUZZ_ASSERT(memchr(e->file, 0, sizeof e->file), "a file name without an end");
    FUZZ_ASSERT(e->offset == NUMEL_NOWHERE || e->offset <= size, "an error outside of the text");
    why = check_clean(e->what, strlen(e->what));
    FUZZ_ASSERT(!why, why);
    FUZZ_ASSERT(strcmp(numel_rc_name(e->code), "UNKNOWN") != 0, "an unknown code");
}

static inline bool fuzz_append(void *ctx, const void *p, size_t n)
{
    buffer_add(ctx, p, n);
    return true;
}

/* A report as it is written, with a NUL behind it. It may be shown, and its JSON is JSON. */
static inline void fuzz_written(struct buffer *b, const numel_report *r, numel_style_format format)
{
    numel_style style = { .size = sizeof style, .format = format, .width = 80 };
    numel_error e;
    b->n = 0;
    FUZZ_ASSERT(numel_report_write(r, &style, fuzz_append, b, &e) == NUMEL_OK,
                "a report that cannot be written");
    const char *why = check_clean(b->p, b->n);
    if (!why && format == NUMEL_JSON) why = check_json(b->p, b->n);
    FUZZ_ASSERT(!why, why);
    buffer_char(b, 0);
}

/* What report was made, or why none, and frees it. */
static inline void fuzz_report(numel_rc rc, numel_report *r, const numel_error *e, size_t size)
{
    struct buffer b;
    fuzz_error(rc == NUMEL_OK, e, size);
    FUZZ_ASSERT((rc == NUMEL_OK) == (r != NULL), "result and report disagree");
    if (!r) return;
    buffer_init(&b, &memory_malloc);
    fuzz_written(&b, r, NUMEL_TEXT);
    fuzz_written(&b, r, NUMEL_JSON);
    buffer_done(&b);
    numel_report_free(r);
}

/* ---- what rests on it --------------------------------------------------------------------- */

/* Opened once: what is built in does not change, and what is parsed of it is kept. */
static inline struct library *fuzz_library(void)
{
    static struct library *library;
    numel_error e = { .code = NUMEL_OK };
    if (!library) FUZZ_ASSERT(library_open(&library, &memory_malloc, &e), "the library");
    return library;
}

/* Of an expansion: sites are their rows, each row is one of a name, and what is counted comes to the totals. */
static inline void fuzz_expansion(const struct expansion *x)
{
    uint64_t parameters = 0, buffers = 0, tensors = 0, rows = 0;
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *s = &x->sites[i];
        uint64_t product = 1, all;
        for (uint32_t k = 0; k < s->ndim; k++)
            FUZZ_ASSERT(!__builtin_mul_overflow(product, s->dims[k], &product), "a size that wraps");
        FUZZ_ASSERT(product == s->elements, "elements are no product");
        FUZZ_ASSERT(s->first_row == rows, "rows that no site has");
        FUZZ_ASSERT(s->rows == s->stack || s->rows == 1, "a stack that is neither one nor many");
        FUZZ_ASSERT(s->stacked || s->rows == s->stack, "a stack in one that is not said to be");
        rows += s->rows;
        if (!s->counted) continue;
        FUZZ_ASSERT(!s->tied && !s->offered && !s->extra.p, "a copy that is counted");
        FUZZ_ASSERT(!__builtin_mul_overflow(s->elements, s->rows, &all), "a site that wraps");
        uint64_t *sum = s->kind == TENSOR_BUF ? &buffers : &parameters;
        FUZZ_ASSERT(!__builtin_add_overflow(*sum, all, sum), "a sum that wraps");
        tensors += s->rows;
    }
    FUZZ_ASSERT(rows == x->row_count, "rows and sites disagree");
    FUZZ_ASSERT(parameters == x->totals.parameters, "the parameters are another sum");
    FUZZ_ASSERT(buffers == x->totals.buffers, "the buffers are another sum");
    FUZZ_ASSERT(tensors == x->totals.parameter_tensors + x->totals.buffer_tensors,
                "another number of tensors");
}

/* The same as terms: each times its number, all together the total. */
static inline void fuzz_terms(struct expansion *x)
{
    struct terms t;
    numel_error e = { .code = NUMEL_OK };
    uint64_t sum = 0;
    if (!terms_of(&t, x, &e)) {
        fuzz_error(false, &e, 0);
        return;
    }
    FUZZ_ASSERT(t.total == x->totals.parameters, "the formula comes to another total");
    for (size_t i = 0; i < t.count; i++) {
        uint64_t all;
        FUZZ_ASSERT(!__builtin_mul_overflow(t.items[i].each, t.items[i].times, &all), "a term that wraps");
        FUZZ_ASSERT(all == t.items[i].total, "a term is no product");
        FUZZ_ASSERT(t.items[i].expr && t.items[i].expr[0], "a term without expression");
        if (!t.items[i].buffer) sum += all;
    }
    FUZZ_ASSERT(sum == t.total, "the terms come to another total");
    FUZZ_ASSERT(t.expression && t.expression[0], "no expression");
    terms_done(&t);
}

#endif
