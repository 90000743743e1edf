/*
 * lines.h -- how the lines of a tally look, in every report: a table in text, in JSON a list of objects
 * {"cause", "tensors", "elements", "bytes", "detail", "code", "ground", "explained"}, of which a report
 * has those that its lines know.
 */
#ifndef NUMEL_REPORTER_LINES_H
#define NUMEL_REPORTER_LINES_H

#include "page/report.h"
#include "statement/line.h"

enum lines_show {
    LINES_TENSORS = 1, /* in text too */
    LINES_ZEROS = 2,   /* 0 tensors are a fact; else nobody counted them */
    LINES_BYTES = 4,   /* in JSON; */
    LINES_GROUND = 8,
    LINES_EXPLAINED = 16,
    LINES_BYTES_TEXT = 64, /* in text too */
    LINES_DIFFERENCES = 32 /* all of them; else the first line is what the others are added to */
};

/* A row of the text that is not a line: what stands before them, what they make, what is left. */
struct line_end {
    const char *cause, *detail;
    struct cell tensors, elements, bytes;
};

struct line_table { /* lives as long as the report */
    const struct tally *tally;
    unsigned shows;
    size_t unshown; /* of the last lines, which text does not show: `ends` say the same */
    struct line_end ends[3];
    unsigned before, after; /* how many of the ends stand before the lines and behind them */
    bool hidden;            /* in text */
    struct column columns[8];
};

/* The lines as a list in JSON, unless key is NULL, and as a table in text. */
void line_sections(struct numel_report *r, struct line_table *t, const char *key);
/* The same list as a value of JSON, for lines below something else; NULL when out of memory. */
NUMEL_MUST const char *lines_json(struct arena *a, const struct tally *t);

/* -5, +1,234, and 0 without a sign. */
struct cell rest_cell(int64_t v);

#endif
