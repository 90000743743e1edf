/*
 * report.h -- the report model: facts once, rendered as text, JSON, or one number.
 *
 * A report is a list of sections; a section is a table seen through a function: rows and typed
 * cells are made when a renderer asks for them, so that a list of 500,000 tensors costs nothing to
 * hold and is streamed. A column says its key for JSON, its heading for text, and what kind of
 * facts it has; how they look is the renderers' business alone.
 */
#ifndef NUMEL_PAGE_REPORT_H
#define NUMEL_PAGE_REPORT_H

#include "base/buffer.h"

enum cell_kind {
    CELL_NULL,   /* not known: null, or nothing */
    CELL_COUNT,  /* u: 6,738,415,616 */
    CELL_TOTAL,  /* u: 6,738,415,616 (6.74 B) */
    CELL_BYTES,  /* u: 12.5 GiB; exact in JSON */
    CELL_NUMBER, /* u: no separators (a version, an offset) */
    CELL_STR,    /* s: untrusted */
    CELL_TEXT,   /* t: ours, or escaped before; what a terminal would act on is escaped in any case. NULL:
                    it could not be made, and writing the report is NOMEM */
    CELL_DIMS,   /* dims, n */
    CELL_EACH,   /* u each, n times: 32 x 202,383,360 */
    CELL_SHARE,  /* u of n, in percent */
    CELL_SIGNED, /* i: +1,234, -5 */
    CELL_SIGNED_BYTES, /* i: -10.4 GiB; exact in JSON */
    CELL_BOOL,         /* u */
    CELL_RAW           /* t: a JSON value; in text as it is */
};

struct cell {
    enum cell_kind kind;
    uint64_t u, n;
    int64_t i;
    const char *t;
    numel_str s;
    const uint64_t *dims;
};

enum column_flag {
    COLUMN_RIGHT = 1, /* numbers */
    COLUMN_NAME = 2,  /* gives way first when the terminal is narrow, cut in the middle */
    COLUMN_WRAP = 8,  /* the last one: a sentence, broken into lines of at most 80 columns */
    COLUMN_EXTRA = 4  /* left out when it is still too narrow, the last one first */
};

struct column {
    const char *key;     /* NULL: not in JSON */
    const char *heading; /* NULL: not in text */
    unsigned flags;
};

enum section_form {
    SECTION_FIELDS, /* one row; its columns are keys of the report itself */
    SECTION_OBJECT, /* one row: "key": { ... } */
    SECTION_LIST,   /* "key": [ { ... }, ... ] */
    SECTION_MAP,    /* "key": { first cell: { the others } } */
    SECTION_BEGIN,  /* "key": { ... }: the sections up to SECTION_END are its keys; nothing in text */
    SECTION_END,
    SECTION_LINES /* a record a line, no document around them: the report has no other section */
};

struct section {
    const char *key;   /* NULL: not in JSON */
    const char *title; /* above the table in text; NULL: none */
    enum section_form form;
    const struct column *columns;
    unsigned column_count;
    size_t rows;
    size_t text_rows; /* how many of them text shows (0: all), with `more` below */
    const char *more; /* "... and 12 more" */
    bool null;        /* SECTION_OBJECT: there is no such thing */
    bool hidden;      /* in text */
    bool headed;      /* a line of headings */
    /* Fills column_count cells, cleared before. depth: indentation of the first column. */
    void (*row)(const void *ctx, size_t i, struct cell *cells, unsigned *depth);
    const void *ctx;
};
/* All of an array of columns. */
#define COLUMNS(c) .columns = (c), .column_count = sizeof(c) / sizeof *(c)

enum { REPORT_SECTIONS = 32, REPORT_COLUMNS = 24 };

struct numel_report {
    struct arena arena;
    const char *schema;
    struct section sections[REPORT_SECTIONS];
    unsigned count;
    uint64_t quiet; /* what -q prints, unless quiet_text does */
    const char *quiet_text;
    bool quiet_nothing;         /* -q prints nothing: what is not known is not 0 */
    size_t unreadable, unknown; /* of identify, hash */
    bool stopped;               /* the work behind it was ended early */
    bool disagrees;
    bool in_part;            /* nothing disagrees, and not everything could be checked */
    void (*done)(void *ctx); /* frees what the sections look at; NULL: nothing but the arena */
    void *done_ctx;
};

/* A new report, or NULL and NOMEM. */
NUMEL_MUST struct numel_report *report_new(const numel_allocator *, const char *schema, numel_error *);
struct section *report_section(struct numel_report *r, const struct section *s);

/* Where a renderer writes: buffered, the first failure sticks. */
struct sink {
    struct buffer out;
    numel_write_fn *write;
    void *ctx;
    bool failed;
};
void sink_line(struct sink *s); /* ends a line, flushes when there is much */

void render_text(const struct numel_report *r, const numel_style *style, struct sink *s);
bool render_json(const struct numel_report *r, struct sink *s); /* false: out of memory */

#define CELL_U(k, v) ((struct cell){ .kind = (k), .u = (v) })
#define CELL_T(v) ((struct cell){ .kind = CELL_TEXT, .t = (v) })
#define CELL_S(v) ((struct cell){ .kind = CELL_STR, .s = (v) })

#endif
