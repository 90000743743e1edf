/*
 * text_internal.h -- what the files share that make text of a report: one for cells, one for tables, one for the whole.
 */
#ifndef NUMEL_PAGE_TEXT_INTERNAL_H
#define NUMEL_PAGE_TEXT_INTERNAL_H

#include "page/report.h"

enum { TEXT_GAP = 2, TEXT_WRAP_AT = 80 };

/* What has been written of the line that is being made; `total`: the columns of the terminal, 0: any. */
struct line {
    struct sink *sink;
    size_t total, at;
    const char *color; /* of what is put, or NULL */
};
/*
 * Text that needs `columns`, beginning at column `pos`. Where something stands already, or where it would go beyond
 * the terminal, it goes to the next line, as far to the left as it must; without a terminal it follows.
 */
void line_put(struct line *l, size_t pos, const char *p, size_t n, size_t columns);
/* Words from column `pos` on, the following lines `hang` further, none longer than the terminal or `most`. */
void line_words(struct line *l, size_t pos, size_t hang, const char *p, size_t n, size_t most);
void line_end(struct line *l);

/* A section of more than one row. `scratch` is for the texts of cells; when it fails, so does the sink. */
void table_text(const struct section *s, const numel_style *style, struct buffer *scratch, struct sink *sink);

#endif
