/*
 * text_internal.h -- shared by the files that render text: for cells, for tables, for the whole report.
 */
#ifndef NUMEL_PAGE_TEXT_INTERNAL_H
#define NUMEL_PAGE_TEXT_INTERNAL_H

#include "page/report.h"

enum { TEXT_GAP = 2, TEXT_WRAP_AT = 80 };

/* How a text looks: colours, and signs drawn as blocks. {0}: as it is. */
struct paint {
    const char *code; /* of the first `left` bytes; or NULL */
    size_t left;
    bool types, signs; /* each word, or each sign, has a colour of its own */
    bool color, blocks, shade;
};
/* The paint of a cell with this text, after the `done` bytes that earlier lines show. */
struct paint paint_of(const numel_style *style, const struct column *is, const struct cell *c, numel_str text,
                      size_t done);
/* ... of a title or a heading; of the bar of a row whose name has this role: a shade for several roles, and for what
 * became less. */
struct paint paint_heading(const numel_style *style);
struct paint paint_bar(const numel_style *style, enum cell_role role, bool less);
/* Writes the next piece of the text. */
void paint_put(struct buffer *out, struct paint *how, numel_str piece);

/* The current line. `at`: columns written so far; `total`: the terminal's columns, 0: unlimited. */
struct line {
    struct sink *sink;
    size_t total, at;
    struct paint paint; /* of the next text */
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

/* Bars are drawn on terminals of at least so many columns. */
enum { BAR_TERMINAL = 100, BAR_LEAST = 5, BAR_MOST = 20 };
/* Puts a bar of up to `width` columns, in proportion to u of n. */
void bar_put(struct line *l, size_t pos, uint64_t u, uint64_t n, size_t width);

/* Writes a section with several rows. `scratch` holds the texts of cells; if it fails, so does the sink. */
void table_text(const struct section *s, const numel_style *style, struct buffer *scratch, struct sink *sink);

#endif
