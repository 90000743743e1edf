/*
 * text_internal.h -- shared by the files that render text: for cells, for tables, for the whole report.
 */
#ifndef NUMEL_PAGE_TEXT_INTERNAL_H
#define NUMEL_PAGE_TEXT_INTERNAL_H

#include "page/report.h"

enum { TEXT_GAP = 2, TEXT_WRAP_AT = 80 };

/* The current line. `at`: columns written so far; `total`: the terminal's columns, 0: unlimited. */
struct line {
    struct sink *sink;
    size_t total, at;
    const char *color; /* of the next text, or NULL */
};
/*
 * Puts text of the given width in columns at column `pos`. If that place is taken, or the text would exceed
 * the terminal, it goes to the next line, moved left if necessary. Without a terminal it simply follows.
 */
void line_put(struct line *l, size_t pos, const char *p, size_t n, size_t columns);
/* Wraps words from column `pos`. Further lines are indented by `hang` more; none exceeds the terminal or
 * `most`. */
void line_words(struct line *l, size_t pos, size_t hang, const char *p, size_t n, size_t most);
void line_end(struct line *l);

/* Writes a section with several rows. `scratch` holds the texts of cells; if it fails, so does the sink. */
void table_text(const struct section *s, const numel_style *style, struct buffer *scratch, struct sink *sink);

#endif
