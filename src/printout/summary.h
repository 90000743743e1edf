/*
 * summary.h -- shared by the readers of tables. A table has rows that count, rows that are a part of
 * the row above and do not, and a total; a rounded figure is a range of counts.
 *
 *     summary.c            rows under a heading: torchinfo, torchsummary, Keras 2, fastai
 *     summary_box.c        rows in a drawn frame: Keras 3, Lightning with rich
 *     summary_lightning.c  rows between bars, and Lightning's lines below them
 *     summary_total.c      compares the sum of the rows with the stated total
 */
#ifndef NUMEL_PRINTOUT_SUMMARY_H
#define NUMEL_PRINTOUT_SUMMARY_H

#include "printout/printout.h"

enum { SUMMARY_RULE = 8 }; /* characters; a shorter line of dashes is not a rule */

struct text_line {
    size_t at;       /* in the text */
    uint32_t number; /* from 1 */
    numel_str s;     /* without its newline */
};

/* A table being read. */
struct summary_reading {
    struct printout *p;
    struct summary x;
    struct text_line here;
    uint32_t above[PRINTOUT_DEPTH]; /* rows that the last one is a part of, then itself */
    uint64_t parts[PRINTOUT_DEPTH]; /* sums of the parts of each */
    bool has_parts[PRINTOUT_DEPTH];
    unsigned depth;
    uint64_t next; /* Lightning: the number of the next row */
};

/* The line at text[at..]. */
numel_str summary_line(const struct printout *p, size_t at);
/* Goes to the next line; false after the last one. */
bool summary_next(struct summary_reading *r);
numel_str summary_trim(numel_str s);
/* The byte where a column, counted in characters, starts; s.n if the line is shorter. */
size_t summary_byte(numel_str s, size_t column);
/* "1,792", "(510)", "0 (unbuilt)"; false for "--", "(recursive)" and parts of the row above. */
bool summary_number(numel_str cell, uint64_t *v);

/* Adds a row, and its count to the sums if it counts. LIMIT, OVERFLOW, NOMEM. */
NUMEL_MUST bool summary_add_row(struct summary_reading *r, struct summary_row *row);
/* Adds the finished table. `closed`: its last rule was found. */
bool summary_add(struct summary_reading *r, bool closed);

/* Does a table of that kind start in the line at text[at]? */
bool box_begins(const struct printout *p, size_t at);
bool lightning_begins(const struct printout *p, size_t at);
/* Reads the table that starts there, up to its last line. */
bool box_read(struct summary_reading *r);
bool lightning_read(struct summary_reading *r);
/* Adds a row of Lightning: "0", "model.encoder", "85.8 M". */
NUMEL_MUST bool lightning_row(struct summary_reading *r, numel_str index, numel_str name, numel_str count,
                              uint32_t line);
/* Reads the lines below Lightning's table, from the next one on. */
bool lightning_footer(struct summary_reading *r);

#endif
