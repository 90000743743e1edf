/*
 * report.h -- the report model: facts once, rendered as text, JSON, or one number.
 *
 * A report is a list of sections; a section is a table over an array of structs: rows and typed
 * cells are made when a renderer asks for them, so that a list of 500,000 tensors costs nothing to
 * hold and is streamed. A column says its key for JSON, its heading for text, and where in the struct
 * of a row its value lies (row.c); what has to be computed a function fills in. How cells look is the
 * renderers' business alone.
 */
#ifndef NUMEL_PAGE_REPORT_H
#define NUMEL_PAGE_REPORT_H

#include "base/buffer.h"
#include "page/checks.h"

#include <stddef.h>

enum cell_kind {
    CELL_NULL,   /* not known: null, or nothing */
    CELL_COUNT,  /* u: 6,738,415,616 */
    CELL_TOTAL,  /* u: 6,738,415,616 (6.74 B) */
    CELL_BYTES,  /* u: 12.5 GiB; exact in JSON */
    CELL_SIZE,   /* u: 4.58 GiB, rounded, as sizes are quoted; exact in JSON */
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
    CELL_RAW,          /* t: a JSON value; in text as it is */
    CELL_SHORT,        /* u: 6.74 B; exact in JSON and CSV */
    CELL_HUNDREDTHS,   /* u: 489 is 4.89 */
    CELL_HEX,          /* u: "00000000000000ff", in JSON a text */
    CELL_ABSENT        /* of SECTION_LINES: this row has no such key */
};

struct cell {
    enum cell_kind kind;
    uint64_t u, n;
    int64_t i;
    const char *t;
    numel_str s;
    const uint64_t *dims;
};

/*
 * How a column behaves where the terminal is too narrow. Nothing is cut: a column is shown whole, wraps, or is left out.
 * In a pipe all columns are there and a row is a line, but for COLUMN_WRAP.
 *
 * What to say of a new table: its first column is a COLUMN_NAME; numbers are COLUMN_RIGHT; words about the row come last
 * and are a COLUMN_NOTE; and what a reader can do without has a COLUMN_RANK: shares 1, what another column implies 2 to
 * 4, what one asks for now and then 5 to 7 (all of these go before a name is wrapped), what should stay with the name as
 * long as there is room for it 8 to 15. Without a rank it never goes.
 */
enum column_flag {
    COLUMN_RIGHT = 1, /* numbers */
    COLUMN_NAME =
        2, /* a name or an expression; the first column: one that is too long has a line of its own, with the
                         rest of its row below; others wrap between words where they stand */
    COLUMN_NOTE = 4, /* the last one: words, beside the row as far as there is room, else below it */
    COLUMN_WRAP = 8  /* the same, in lines of at most 80 columns in a pipe too */
};
enum { COLUMN_VERBATIM = 256 }; /* the only one: lines that other programs read; never wrapped */
/* 1 to 15: is left out when the table is too wide, 1 first; of the same rank, the last column first. */
#define COLUMN_RANK(n) ((unsigned)(n)*16)
enum { COLUMN_RANK_EARLY = 7, COLUMN_RANK_LAST = 15 };

enum field_store { FIELD_NONE, FIELD_NUMBER, FIELD_STR, FIELD_POINTER, FIELD_CHARS, FIELD_SAID };
enum field_null { FIELD_ALWAYS, FIELD_SOME, FIELD_KNOWN };

/* Where in the struct of a row a value lies, and of what kind its cell is. A pointer that is NULL makes no cell. */
struct field {
    enum cell_kind kind;
    enum field_store store;
    enum field_null null; /* when a number makes no cell */
    unsigned short at, size;
    unsigned short via;        /* behind the pointer that lies there: 1 + where; 0: it is not behind one */
    unsigned short when, upto; /* of what has to be something, or there is no cell; none: no bytes */
    const char *said;          /* of FIELD_SAID: the same in each row */
};

/* A member of the struct: STR, TEXT and RAW of a numel_str, a pointer or an array of char; the others of an integer, SIGNED
 * of 64 bits. */
#define AT(kind, type, member) FIELD_OF(kind, type, member, FIELD_ALWAYS, 0, 0)
/* The same of a number where 0 stands for nothing, */
#define AT_SOME(kind, type, member) FIELD_OF(kind, type, member, FIELD_SOME, 0, 0)
/* ... and where NUMEL_NOT_KNOWN, which is NUMEL_NOWHERE too, does. */
#define AT_KNOWN(kind, type, member) FIELD_OF(kind, type, member, FIELD_KNOWN, 0, 0)
/* ... and where another member has to be true, not 0 or not NULL. */
#define AT_IF(flag, kind, type, member) \
    FIELD_OF(kind, type, member, FIELD_ALWAYS, offsetof(type, flag), sizeof(((type *)0)->flag))
/* A member of what a pointer in the struct points to, if it does. */
#define VIA(kind, type, pointer, member)                                                                   \
    {                                                                                                      \
        (kind), FIELD_STORE(((type *)0)->pointer->member), FIELD_ALWAYS, offsetof(type, pointer),          \
            sizeof(((type *)0)->pointer->member), 1 + offsetof(__typeof__(*((type *)0)->pointer), member), \
            offsetof(type, pointer), sizeof(void *), NULL                                                  \
    }
/* The item itself, where it is no struct. */
#define ITSELF(kind, type)                                                            \
    {                                                                                 \
        (kind), FIELD_STORE(*(type *)0), FIELD_ALWAYS, 0, sizeof(type), 0, 0, 0, NULL \
    }
/* The same words in each row. */
#define SAID(text)                                                 \
    {                                                              \
        CELL_TEXT, FIELD_SAID, FIELD_ALWAYS, 0, 0, 0, 0, 0, (text) \
    }
/* The table's function fills it in, or leaves it NULL. */
#define MADE                                                     \
    {                                                            \
        CELL_NULL, FIELD_NONE, FIELD_ALWAYS, 0, 0, 0, 0, 0, NULL \
    }

#define FIELD_OF(kind, type, member, null, when, upto)                            \
    {                                                                             \
        (kind), FIELD_STORE(((type *)0)->member), (null), offsetof(type, member), \
            sizeof(((type *)0)->member), 0, (when), (upto), NULL                  \
    }
#define FIELD_STORE(m) \
    _Generic(&(m), numel_str *: FIELD_STR, const numel_str *: FIELD_STR, char **: FIELD_POINTER,       \
             const char **: FIELD_POINTER, char *const *: FIELD_POINTER, const char *const *: FIELD_POINTER, \
             default: _Generic((m), char *: FIELD_CHARS, const char *: FIELD_CHARS, default: FIELD_NUMBER))

struct column {
    const char *key;     /* NULL: not in JSON */
    const char *heading; /* NULL: not in text */
    unsigned flags;
    struct field from;
};

enum section_form {
    SECTION_FIELDS, /* one row; its columns are keys of the report itself */
    SECTION_OBJECT, /* one row: "key": { ... } */
    SECTION_LIST,   /* "key": [ { ... }, ... ] */
    SECTION_MAP,    /* "key": { first cell: { the others } } */
    SECTION_BEGIN,  /* "key": { ... }: the sections up to SECTION_END are its keys; nothing in text */
    SECTION_END,
    SECTION_LINES /* a record a line, no document around them: JSON has no other section */
};

/* The row that is asked for. */
struct table_row {
    const void *item; /* its struct, of which columns tell; NULL: they tell nothing */
    const void *of;   /* what the section is about */
    size_t i;
    unsigned depth; /* indentation of the first column: the function's to set */
};
/* Fills in what columns do not say: cells are there as far as they do, the others NULL. */
typedef void row_fn(struct table_row *, struct cell *cells);

enum table_shows {
    TABLE_HEADED = 1, /* with a line of headings */
    TABLE_FILLED = 2, /* in text only where it has rows */
    TABLE_HIDDEN = 4, /* not in text */
    TABLE_CSV = 8     /* what CSV shows of the report */
};

/* A section as it is declared, before it has rows. */
struct table {
    const char *key;   /* NULL: not in JSON */
    const char *title; /* above the table in text; NULL: none */
    enum section_form form;
    unsigned shows; /* enum table_shows */
    const struct column *columns;
    unsigned column_count;
    row_fn *row; /* NULL: columns say it all */
};
/* Columns and all, or over an array of columns that several tables have. */
#define TABLE(key, title, form, shows, row, ...)                                          \
    {                                                                                     \
        (key), (title), (form), (shows), (const struct column[]){ __VA_ARGS__ },          \
            sizeof((const struct column[]){ __VA_ARGS__ }) / sizeof(struct column), (row) \
    }
#define TABLE_OF(key, title, form, shows, row, columns)                                        \
    {                                                                                          \
        (key), (title), (form), (shows), (columns), sizeof(columns) / sizeof *(columns), (row) \
    }

struct section {
    struct table is;
    const void *items; /* an array of structs, `stride` apart; of 0 all rows have the one */
    size_t stride, rows;
    const size_t *which; /* the item of each row; NULL: one after another */
    const void *of;
    size_t text_rows; /* how many of them text shows (0: all), with `more` below */
    const char *more; /* "... and 12 more" */
    bool null;        /* SECTION_OBJECT: there is no such thing */
    bool hidden;      /* in text */
};
/* An array as report_list() takes it. */
#define ROWS(items, count) (items), sizeof *(items), (count)

enum { REPORT_SECTIONS = 40, REPORT_COLUMNS = 24 };

/* What became of something that was expected of what is reported. */
struct report_answer {
    const char *text;
    numel_verdict verdict;
};

struct numel_report {
    struct arena arena;
    const char *schema;
    struct section sections[REPORT_SECTIONS];
    unsigned count;
    uint64_t quiet; /* what -q prints, unless quiet_text does */
    const char *quiet_text;
    bool quiet_nothing;         /* -q prints nothing: what is not known is not 0 */
    size_t unreadable, unknown; /* of identify, hash */
    bool headless;              /* CSV has no line of names */
    const numel_error *lost;    /* of its rows: why some could not be had while it was written; OK, or NULL */
    bool stopped;               /* the work behind it was ended early */
    bool disagrees;
    bool in_part;                /* nothing disagrees, and not everything could be checked */
    const struct checks *checks; /* for JUnit and SARIF; NULL: it has no such form */
    const struct report_answer *answers;
    size_t answer_count;
    void (*done)(void *ctx); /* frees what the sections look at; NULL: nothing but the arena */
    void *done_ctx;
};

/* As CELL_TOTAL: 6,738,415,616 (6.74 B). */
void text_total(struct buffer *b, uint64_t v);
/* What every function of numel.h begins with: where its error goes, the caller's or one of its own; cleared. */
NUMEL_MUST static inline numel_error *error_begin(numel_error *error, numel_error *local)
{
    numel_error *e = error ? error : local;
    error_clear(e);
    return e;
}
/* A new report, or NULL and NOMEM. */
NUMEL_MUST struct numel_report *report_new(const numel_allocator *, const char *schema, numel_error *);
/* The end of making a report: one that failed is freed. The code of *e. */
NUMEL_MUST numel_rc report_made(numel_report **out, bool ok, numel_error *e);
/* Adds a section, a copy that belongs to the report and may be changed until it is written. */
struct section *report_section(struct numel_report *r, const struct section *s);
/* ... of one row: fields, or an object. */
struct section *report_one(struct numel_report *r, const struct table *t, const void *of);
/* ... of many: ROWS(items, count), or of, 0, count where no array holds them. */
struct section *report_list(struct numel_report *r, const struct table *t, const void *items, size_t stride,
                            size_t rows, const void *of);
/* What is added between is keys of an object. */
void report_begin(struct numel_report *r, const char *key);
void report_end(struct numel_report *r);
/* Text shows the first `most` rows, and how many more there are. */
void report_shorten(struct numel_report *r, struct section *s, size_t most);
/* Rows as the JSON of a list, those of an OBJECT (one) as it is: a value within another record. NULL: NOMEM. */
NUMEL_MUST const char *table_json(const struct table *t, const void *items, size_t stride, size_t rows,
                                  const void *of, struct arena *a);
/* row.c: what a field of a struct shows. */
struct cell field_cell(const struct field *f, const void *of);
/* The REPORT_COLUMNS cells of a row; its depth. */
unsigned section_row(const struct section *s, size_t i, struct cell *cells);

/* Where a renderer writes: buffered, the first failure sticks. */
struct sink {
    struct buffer out;
    numel_write_fn *write;
    void *ctx;
    bool failed;
};
void sink_line(struct sink *s); /* ends a line, flushes when there is much */

void render_text(const struct numel_report *r, const numel_style *style, struct sink *s);
/* A cell as text shows it. */
void text_cell(struct buffer *b, const struct cell *c);
/* A number exactly, as programs read it; false: the cell is none. */
bool cell_number(struct buffer *b, const struct cell *c);
/* "[4096, 32000]" */
void cell_dims(struct buffer *b, const struct cell *c, const char *between);
/* The sections that are for it; columns are named by their keys. */
bool render_csv(const struct numel_report *r, struct sink *s);  /* false: out of memory */
bool render_json(const struct numel_report *r, struct sink *s); /* false: out of memory */
void render_junit(const struct checks *c, struct sink *s);
bool render_sarif(const struct checks *c, const numel_allocator *, struct sink *s); /* false: out of memory */

#define CELL_U(k, v) ((struct cell){ .kind = (k), .u = (v) })
#define CELL_T(v) ((struct cell){ .kind = CELL_TEXT, .t = (v) })
#define CELL_S(v) ((struct cell){ .kind = CELL_STR, .s = (v) })

#endif
