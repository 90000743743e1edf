/* text_line.c -- lines of text that fit a terminal: pieces at columns, and words that wrap. */
#include "page/text_internal.h"

#include "base/num.h"
#include "page/wrap.h"

void line_end(struct line *l)
{
    struct buffer *out = &l->sink->out;
    while (buffer_last(out) == ' ') buffer_drop(out, 1);
    sink_line(l->sink);
    l->at = 0;
}

/* The column for a piece of this width; begins a new line if necessary. */
static size_t line_place(struct line *l, size_t pos, size_t columns)
{
    if (!l->total) return l->at && pos < l->at + TEXT_GAP ? l->at + TEXT_GAP : pos;
    bool beyond = pos + columns > l->total;
    if (l->at && (beyond || pos < l->at + TEXT_GAP)) line_end(l);
    if (!beyond) return pos;
    return columns < l->total ? num_min(pos, l->total - columns) : 0;
}

void line_put(struct line *l, size_t pos, const char *p, size_t n, size_t columns)
{
    struct buffer *out = &l->sink->out;
    if (n == 0) return;
    pos = line_place(l, pos, columns);
    buffer_fill(out, ' ', pos - l->at);
    if (l->paint.code || l->paint.types || l->paint.signs) paint_put(out, &l->paint, (numel_str){ p, n });
    else buffer_add(out, p, n);
    l->at = pos + columns;
}

void line_words(struct line *l, size_t pos, size_t hang, const char *p, size_t n, size_t most)
{
    bool first = true;
    for (size_t i = 0; i < n; first = false) {
        size_t from = pos + (first ? 0 : hang), columns;
        size_t taken = wrap_line(p + i, n - i, most > from ? most - from : 1, &columns);
        if (taken == 0) break; /* only blanks */
        if (!first) line_end(l);
        line_put(l, from, p + i, taken, columns);
        i += taken + wrap_blanks(p + i + taken, n - i - taken);
    }
}
