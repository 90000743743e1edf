/*
 * report.h -- the report model: facts are collected once, and rendered as text, JSON, or one number.
 *
 * A report is a list of sections. A section is a table over an array of structs. Its rows and typed cells are
 * made when a renderer asks for them, so a list of 500,000 tensors costs nothing to hold, and is streamed. A
 * column has its key for JSON, its heading for text, and the position of its value in the row's struct
 * (row.c); a function fills in computed values. Only renderers decide how cells look.
 */
#ifndef NUMEL_PAGE_REPORT_H
#define NUMEL_PAGE_REPORT_H

#include "base/buffer.h"
#include "page/checks.h"

#include <stddef.h>

enum cell_kind {
    CELL_NULL,   /* unknown: null, or nothing */
    CELL_COUNT,  /* u: 6,738,415,616 */
    CELL_TOTAL,  /* u: 6,738,415,616 (6.74 B) */
    CELL_BYTES,  /* u: 12.5 GiB; exact in JSON */
    CELL_SIZE,   /* u: 4.58 GiB, rounded as in quoted sizes; exact in JSON */
    CELL_NUMBER, /* u: no separators (a version, an offset) */
    CELL_STR,    /* s: untrusted */
    CELL_TEXT,   /* t: ours, or already escaped; control characters always are. NULL: writing fails (NOMEM) */
    CELL_DIMS,   /* dims, n */
    CELL_EACH,   /* u each, n times: 32 x 202,383,360 */
    CELL_SHARE,  /* u of n, in percent */
    CELL_SIGNED, /* i: +1,234, -5 */
    CELL_SIGNED_BYTES, /* i: -10.4 GiB; exact in JSON */
    CELL_BOOL,         /* u */
    CELL_RAW,          /* t: a JSON value; unchanged in text */
    CELL_SHORT,        /* u: 6.74 B; exact in JSON and CSV */
    CELL_HUNDREDTHS,   /* u: 489 is 4.89 */
    CELL_HEX,          /* u: "00000000000000ff", a text in JSON */
    CELL_DATE,         /* u: seconds since 1970, 2026-01-31 in UTC; exact in JSON and CSV */
    CELL_ABSENT        /* for SECTION_LINES: this row lacks the key */
};

/* What a tensor is for. */
enum cell_role {
    ROLE_NONE, /* or unknown */
    ROLE_ATTENTION,
    ROLE_FEED_FORWARD,
    ROLE_EXPERT, /* routers, too */
    ROLE_EMBEDDING,
    ROLE_HEAD,
    ROLE_NORM,
    ROLE_SEVERAL
};

/* What a text tells its reader. Renderers choose how to show it; it adds nothing to the words. */
enum tone {
    TONE_NONE,
    TONE_GOOD, /* agrees, ok */
    TONE_PART, /* in part, warning */
    TONE_BAD,  /* disagrees, damaged, error */
    TONE_SOFT, /* unknown, note: matters less than the others */
    TONE_WIDE, /* element types: 32 bits and more, */
    TONE_HALF, /* ... 16 bits, */
    TONE_SMALL /* ... 8 bits and fewer, and blocks */
};

/* A sentence of ours that begins with a verdict: its first `n` bytes, or with 0 all of it, have the tone. */
struct toned {
    const char *text;
    enum tone tone;
    size_t n;
};

struct cell {
    enum cell_kind kind;
    enum cell_role role; /* of the tensors that a name stands for */
    enum tone tone;      /* of a text; of its first n bytes if n is not 0 */
    uint64_t u, n;
    int64_t i;
    const char *t;
    numel_str s;
    const uint64_t *dims;
};

/*
 * How a column behaves if the terminal is too narrow. Nothing is truncated: a column is shown completely,
 * wraps, or is left out. A pipe gets all columns, and each row as one line, except for COLUMN_WRAP.
 *
 * For a new table: the first column is a COLUMN_NAME; numbers are COLUMN_RIGHT; words about the row come last
 * and are a COLUMN_NOTE. Columns that readers can do without have a COLUMN_RANK: shares 1, values implied by
 * another column 2 to 4, values rarely needed 5 to 7 (all these are left out before a name is wrapped), and 8
 * to 15 for those that should stay with the name while there is room. A column without a rank is never left
 * out.
 */
enum column_flag {
    COLUMN_RIGHT = 1, /* numbers */
    /* A name or an expression. In the first column, a name that is too long gets a line of its own, with the
     * rest of the row below; in other columns it wraps between words in place. */
    COLUMN_NAME = 2,
    COLUMN_NOTE = 4, /* the last column: words, next to the row if they fit, else below */
    COLUMN_WRAP = 8  /* likewise, and wrapped at 80 columns in a pipe, too */
};
enum { COLUMN_VERBATIM = 256 }; /* the only column: lines for other programs; never wrapped */
/* What the cells mean, for the colours of text. A verdict needs no flag: its cell has a tone. */
enum column_meaning {
    COLUMN_TYPE = 1024,  /* element types: "Q4_K+F32" */
    COLUMN_ROLE = 2048,  /* "attn.q" */
    COLUMN_SIGNS = 4096, /* drawn with the signs '#', '=' and '-', or a legend of them */
    /* Sizes to compare. On a wide terminal each has a bar: its part of cell.n or, if that is 0, of the
     * column's largest. A share with a bar has a higher rank. */
    COLUMN_BAR = 8192
};
/* 1 to 15: left out if the table is too wide, rank 1 first; within a rank, the last column first. */
#define COLUMN_RANK(n) ((unsigned)(n)*16)
enum { COLUMN_RANK_EARLY = 7, COLUMN_RANK_LAST = 15 };

enum field_store { FIELD_NONE, FIELD_NUMBER, FIELD_STR, FIELD_POINTER, FIELD_CHARS, FIELD_TONED, FIELD_SAID };
enum field_null { FIELD_ALWAYS, FIELD_SOME, FIELD_KNOWN };

/* The position of a value in the row's struct, and the kind of its cell. A NULL pointer makes no cell. */
struct field {
    enum cell_kind kind;
    enum field_store store;
    enum field_null null; /* when a number makes no cell */
    unsigned short at, size;
    unsigned short via;        /* 1 + offset in what the pointer at `at` points to; 0: the value is at `at` */
    unsigned short when, upto; /* bytes that must not all be 0, or there is no cell; may be empty */
    const char *said;          /* for FIELD_SAID: the same in each row, */
    enum tone tone;            /* ... and its tone */
};

/* A member of the struct. STR, TEXT and RAW accept a numel_str, a pointer or an array of char, TEXT a
 * struct toned, too; the others an integer, SIGNED one of 64 bits. */
#define AT(kind, type, member) FIELD_OF(kind, type, member, FIELD_ALWAYS, 0, 0)
/* Likewise, for a number of which 0 means none, */
#define AT_SOME(kind, type, member) FIELD_OF(kind, type, member, FIELD_SOME, 0, 0)
/* ... or NUMEL_NOT_KNOWN, which equals NUMEL_NOWHERE, means none. */
#define AT_KNOWN(kind, type, member) FIELD_OF(kind, type, member, FIELD_KNOWN, 0, 0)
/* ... but only if another member is not false, 0 or NULL. */
#define AT_IF(flag, kind, type, member) \
    FIELD_OF(kind, type, member, FIELD_ALWAYS, offsetof(type, flag), sizeof(((type *)0)->flag))
/* A member of the struct that a pointer points to, if it is not NULL. */
#define VIA(kind, type, pointer, member)                                                                   \
    {                                                                                                      \
        (kind), FIELD_STORE(((type *)0)->pointer->member), FIELD_ALWAYS, offsetof(type, pointer),          \
            sizeof(((type *)0)->pointer->member), 1 + offsetof(__typeof__(*((type *)0)->pointer), member), \
            offsetof(type, pointer), sizeof(void *), NULL, TONE_NONE                                       \
    }
/* The item itself, if it is not a struct. */
#define ITSELF(kind, type)                                                                       \
    {                                                                                            \
        (kind), FIELD_STORE(*(type *)0), FIELD_ALWAYS, 0, sizeof(type), 0, 0, 0, NULL, TONE_NONE \
    }
/* The same words in each row. */
#define SAID(text) SAID_AS(TONE_NONE, text)
#define SAID_AS(tone, text)                                                \
    {                                                                      \
        CELL_TEXT, FIELD_SAID, FIELD_ALWAYS, 0, 0, 0, 0, 0, (text), (tone) \
    }
/* Filled in by the table's function, or left NULL. */
#define MADE                                                                \
    {                                                                       \
        CELL_NULL, FIELD_NONE, FIELD_ALWAYS, 0, 0, 0, 0, 0, NULL, TONE_NONE \
    }

#define FIELD_OF(kind, type, member, null, when, upto)                            \
    {                                                                             \
        (kind), FIELD_STORE(((type *)0)->member), (null), offsetof(type, member), \
            sizeof(((type *)0)->member), 0, (when), (upto), NULL, TONE_NONE       \
    }
#define FIELD_STORE(m) \
    _Generic(&(m), numel_str *: FIELD_STR, const numel_str *: FIELD_STR, struct toned *: FIELD_TONED, char **: FIELD_POINTER,       \
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
    SECTION_BEGIN,  /* "key": { ... }: its keys are the sections up to SECTION_END; nothing in text */
    SECTION_END,
    SECTION_LINES /* one record per line, without an enclosing document: JSON has no other section */
};

/* The requested row. */
struct table_row {
    const void *item; /* its struct, source of the columns' values; NULL: they have none */
    const void *of;   /* what the section is about */
    size_t i;
    unsigned depth; /* indentation of the first column; set by the row function */
};
/* Fills in cells that columns do not. The cells from columns are already there, the others are NULL. */
typedef void row_fn(struct table_row *, struct cell *cells);

enum table_shows {
    TABLE_HEADED = 1, /* with a line of headings */
    TABLE_FILLED = 2, /* in text only if it has rows */
    TABLE_HIDDEN = 4, /* not in text */
    TABLE_CSV = 8     /* for CSV */
};

/* A section as declared, without rows. */
struct table {
    const char *key;   /* NULL: not in JSON */
    const char *title; /* above the table in text; or NULL */
    enum section_form form;
    unsigned shows; /* enum table_shows */
    const struct column *columns;
    unsigned column_count;
    row_fn *row; /* NULL if columns suffice */
};
/* A table with its columns, or with an array of columns that several tables share. */
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
    const void *items; /* an array of structs, `stride` apart; 0: all rows share one */
    size_t stride, rows;
    const size_t *which; /* the item of each row; NULL: in order */
    const void *of;
    size_t text_rows; /* number of rows in text (0: all), followed by `more` */
    const char *more; /* "... and 12 more" */
    bool null;        /* for SECTION_OBJECT: null */
    bool hidden;      /* in text */
};
/* An array, as three arguments of report_list(). */
#define ROWS(items, count) (items), sizeof *(items), (count)

enum { REPORT_SECTIONS = 40, REPORT_COLUMNS = 32 };

/* The result of one expectation. */
struct report_answer {
    const char *text;
    numel_verdict verdict;
};

struct numel_report {
    struct arena arena;
    const char *schema;
    struct toned verdict; /* the word that heads a page of HTML; its text is NULL if there is none */
    struct section sections[REPORT_SECTIONS];
    unsigned count;
    uint64_t quiet; /* what -q prints, unless quiet_text is set */
    const char *quiet_text;
    bool quiet_nothing;         /* -q prints nothing: unknown is not 0 */
    numel_str quiet_paths;      /* if its p is set, -q prints these bytes: paths, each with its end */
    size_t unreadable, unknown; /* for identify, hash */
    bool headless;              /* CSV has no line of names */
    const numel_error *lost;    /* why rows could not be made during writing; OK, or NULL */
    bool stopped;               /* the work was ended early */
    bool disagrees;
    bool in_part;                /* nothing disagrees, but not everything could be checked */
    const struct checks *checks; /* for JUnit and SARIF; NULL if it has no such form */
    const struct report_answer *answers;
    size_t answer_count;
    void (*done)(void *ctx); /* frees what the sections refer to; may be NULL */
    void *done_ctx;
};

/* As CELL_TOTAL: 6,738,415,616 (6.74 B). */
void text_total(struct buffer *b, uint64_t v);
/* The start of every function in numel.h: returns the caller's error or the local one, cleared. */
NUMEL_MUST static inline numel_error *error_begin(numel_error *error, numel_error *local)
{
    numel_error *e = error ? error : local;
    error_clear(e);
    return e;
}
/* A verdict, and the rest of its sentence; the text is NULL if memory runs out, which the arena records. */
struct toned toned_format(struct arena *a, enum tone tone, const char *verdict, const char *rest, ...)
    __attribute__((format(printf, 4, 5)));
/* Likewise, of a text that a buffer holds; it ends the buffer. */
struct toned toned_keep(struct buffer *b, struct arena *a, enum tone tone, size_t n);
/* The tones of a state and a severity. */
enum tone tone_of_state(numel_state state);
enum tone tone_of_severity(numel_severity severity);
/* A new report; NULL: NOMEM. */
NUMEL_MUST struct numel_report *report_new(const numel_allocator *, const char *schema, numel_error *);
/* Ends the making of a report: frees it unless `ok`. Returns the code of *e. */
NUMEL_MUST numel_rc report_made(numel_report **out, bool ok, numel_error *e);
/* Adds a copy of a section. The copy belongs to the report, and may be changed until it is written. */
struct section *report_section(struct numel_report *r, const struct section *s);
/* ... with one row: fields, or an object. */
struct section *report_one(struct numel_report *r, const struct table *t, const void *of);
/* ... with many rows: ROWS(items, count); or (of, 0, count) if there is no array. */
struct section *report_list(struct numel_report *r, const struct table *t, const void *items, size_t stride,
                            size_t rows, const void *of);
/* Sections added between these two are keys of an object. */
void report_begin(struct numel_report *r, const char *key);
void report_end(struct numel_report *r);
/* Limits text to `most` rows, followed by the number of the others. */
void report_shorten(struct numel_report *r, struct section *s, size_t most);
/* Rows as a JSON list, or the one row of an OBJECT as an object: a value for another record. NULL: NOMEM. */
NUMEL_MUST const char *table_json(const struct table *t, const void *items, size_t stride, size_t rows,
                                  const void *of, struct arena *a);
/* The cell of a field (row.c). */
struct cell field_cell(const struct field *f, const void *of);
/* Fills the REPORT_COLUMNS cells of a row; returns its depth. */
unsigned section_row(const struct section *s, size_t i, struct cell *cells);
/* Sets shown[c] for each column with a heading and a text in one of the first `rows`; true if there is one.
 * `text` is scratch. */
bool section_shown(const struct section *s, size_t rows, struct buffer *text, bool shown[REPORT_COLUMNS]);

/* The output of a renderer: buffered; the first failure sticks. */
struct sink {
    struct buffer out;
    numel_write_fn *write;
    void *ctx;
    bool failed;
};
void sink_line(struct sink *s); /* ends a line; flushes a large buffer */
void sink_flush(struct sink *s);

void render_text(const struct numel_report *r, const numel_style *style, struct sink *s);
/* Writes a cell as text shows it. */
void text_cell(struct buffer *b, const struct cell *c);
/* Writes an exact number, for programs; false if the cell is not a number. */
bool cell_number(struct buffer *b, const struct cell *c);
/* "[4096, 32000]" */
void cell_dims(struct buffer *b, const struct cell *c, const char *between);
/* Renders sections with TABLE_CSV; columns are named by their keys. */
bool render_csv(const struct numel_report *r, struct sink *s);      /* false: out of memory */
bool render_json(const struct numel_report *r, struct sink *s);     /* false: out of memory */
bool render_markdown(const struct numel_report *r, struct sink *s); /* false: out of memory */
bool render_html(const struct numel_report *r, struct sink *s);     /* false: out of memory */
void render_junit(const struct checks *c, struct sink *s);
bool render_sarif(const struct checks *c, const numel_allocator *, struct sink *s); /* false: out of memory */

#define CELL_U(k, v) ((struct cell){ .kind = (k), .u = (v) })
#define CELL_T(v) ((struct cell){ .kind = CELL_TEXT, .t = (v) })
/* A text with a tone; a struct toned. */
#define CELL_TONE(v, of) ((struct cell){ .kind = CELL_TEXT, .t = (v), .tone = (of) })
#define CELL_TONED(v) ((struct cell){ .kind = CELL_TEXT, .t = (v).text, .tone = (v).tone, .n = (v).n })
#define CELL_S(v) ((struct cell){ .kind = CELL_STR, .s = (v) })

#endif
