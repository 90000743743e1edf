/*
 * lines.h -- the lines of a tally, in every report: a table in text, and in JSON a list of objects {"cause",
 * "tensors", "elements", "bytes", "detail", "code", "ground", "explained"}. A report has only the keys that
 * its lines know.
 */
#ifndef NUMEL_REPORTER_LINES_H
#define NUMEL_REPORTER_LINES_H

#include "page/report.h"
#include "statement/line.h"

enum lines_show {
    LINES_TENSORS = 1, /* in text, too */
    LINES_ZEROS = 2,   /* 0 tensors is a fact, not an unknown */
    LINES_BYTES = 4,   /* in JSON */
    LINES_GROUND = 8,
    LINES_EXPLAINED = 16,
    LINES_BYTES_TEXT = 64, /* in text, too */
    LINES_DIFFERENCES = 32 /* every line is one; else the first is the amount the others change */
};

/* A row of the text that is not a line: the start, the sum, the rest. */
struct line_end {
    const char *cause, *detail;
    struct cell tensors, elements, bytes;
};

struct line_table { /* lives as long as the report */
    const struct tally *tally;
    enum tone (*tone)(const struct line_code *); /* of a line; NULL: none has one */
    unsigned shows;
    size_t unshown; /* last lines that text omits, as `ends` show the same */
    struct line_end ends[3];
    unsigned before, after; /* number of ends before and after the lines */
    bool hidden;            /* in text */
    struct column columns[8];
};

/* Adds the lines as a table in text, and as a list in JSON unless key is NULL. */
void line_sections(struct numel_report *r, struct line_table *t, const char *key);
/* The same list as a JSON value, for lines nested in something else; NULL if memory runs out. */
NUMEL_MUST const char *lines_json(struct arena *a, const struct tally *t);

/* "-5", "+1,234", and 0 without a sign. */
struct cell rest_cell(int64_t v);

#endif
