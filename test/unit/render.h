/*
 * render.h -- helpers for the tests of rendering: a section made from a table of cells, and its report as
 * text.
 */
#ifndef NUMEL_TEST_RENDER_H
#define NUMEL_TEST_RENDER_H

#include "../support/check.h"
#include "../support/t.h"

#include "base/text.h"
#include "page/report.h"

struct grid { /* cells of a section, row by row */
    const struct cell *cells;
    const unsigned *depths; /* NULL for none */
    unsigned columns;
};

static inline void grid_row(struct table_row *row, struct cell *cells)
{
    const struct grid *g = row->of;
    memcpy(cells, g->cells + row->i * g->columns, g->columns * sizeof *cells);
    if (g->depths) row->depth = g->depths[row->i];
}

static inline struct section section_of(const struct grid *g, const struct column *columns, size_t rows,
                                        enum section_form form)
{
    return (struct section){ .is = { .key = "rows",
                                     .form = form,
                                     .columns = columns,
                                     .column_count = g->columns,
                                     .row = grid_row },
                             .rows = rows,
                             .of = g };
}

static inline bool collect(void *ctx, const void *p, size_t bytes)
{
    struct buffer *b = ctx;
    assert_true(p && bytes > 0 && bytes < 1 << 24); /* no stray bytes */
    buffer_add(b, p, bytes);
    return true;
}

/* The report as NUL-terminated text. */
static inline const char *render(struct buffer *b, const struct section *sections, unsigned n,
                                 const numel_style *style)
{
    numel_error e;
    struct numel_report *r = report_new(&memory_malloc, "x", &e);
    POISON(e);
    for (unsigned i = 0; i < n; i++) report_section(r, &sections[i]);
    b->n = 0;
    assert_int_equal(numel_report_write(r, style, collect, b, &e), NUMEL_OK);
    buffer_char(b, '\0');
    numel_report_free(r);
    return b->p;
}

#define U(k, v)               \
    {                         \
        .kind = (k), .u = (v) \
    }
#define S(text)                                            \
    {                                                      \
        .kind = CELL_STR, .s = {(text), sizeof(text) - 1 } \
    }
#define T(text)                        \
    {                                  \
        .kind = CELL_TEXT, .t = (text) \
    }

#endif
