/* list_columns.c -- the columns, one per row. */
#include "reporter/list_columns.h"

#include "base/text.h"

#include <stdio.h>

/* The quantization; the type if there is none. */
static struct cell quantization_cell(const numel_row *r)
{
    const char *text = r->quantization ? r->quantization : r->dtype;
    return text ? CELL_S(text_of(text)) : (struct cell){ .kind = CELL_NULL };
}

/* Without any identification, a list tries specifications only on request; such a row is not checked. */
static struct cell verdict_cell(const numel_row *r)
{
    bool tried = r->state != NUMEL_STATE_UNKNOWN || r->architecture || r->adapter || r->searched;
    return tried ? CELL_TONE(numel_state_name(r->state), tone_of_state(r->state))
                 : CELL_TONE("not checked", TONE_SOFT);
}

/* By the values that numel.h states; "up to" is followed by a context. */
struct cell list_fits_cell(const numel_row *r)
{
    if (!r->fits) return (struct cell){ .kind = CELL_NULL };
    numel_str fits = text_of(r->fits);
    if (text_starts(fits, "up to "))
        return (struct cell){ .kind = CELL_TEXT, .t = r->fits, .tone = TONE_PART, .n = 5 };
    return CELL_TONE(r->fits, text_equal(fits, "yes")  ? TONE_GOOD
                              : text_equal(fits, "no") ? TONE_BAD
                                                       : TONE_NONE);
}

enum { R = COLUMN_RIGHT, N = COLUMN_NAME, BAR = COLUMN_BAR };
#define X(n) COLUMN_RANK(n)
#define TEXT(member) AT(CELL_STR, numel_row, member), NULL
#define NUMBER(kind, member) AT_KNOWN(kind, numel_row, member), NULL

/* clang-format off */
const struct list_column list_columns[LIST_COLUMNS] = {
    { "name",         "name",         "name",           N,        true,  TEXT(name) },
    { "path",         "path",         "path",           N,        false, TEXT(path) },
    { "format",       "format",       "format",         X(5),     false, TEXT(format) },
    { "architecture", "architecture", "architecture",   X(9),     true,  TEXT(architecture) },
    { "adapter",      "adapter",      "adapter",        X(8),     false, TEXT(adapter) },
    { "parameters",   "parameters",   "counts",         R,        true,  NUMBER(CELL_SHORT, parameters) },
    { "stored",       "stored",       "counts",         R | X(6), false, NUMBER(CELL_SHORT, stored) },
    { "tensors",      "tensors",      "counts",         R | X(5), false, NUMBER(CELL_COUNT, tensors) },
    { "quantization", "quantization", "quantization",   X(11),    true,  MADE, quantization_cell },
    { "method",       "method",       "quantization",   X(6),     false, TEXT(method) },
    { "bits",         "bits",         "quantization",   R | X(7), true,  NUMBER(CELL_HUNDREDTHS, whole) },
    { "dtype",        "dtype",        "dtype",          X(8) | COLUMN_TYPE, false, TEXT(dtype) },
    { "context",      "context",      "context_length", R | X(6), false, NUMBER(CELL_COUNT, context_length) },
    { "bytes",        "size",         "bytes",          R | BAR, true,  NUMBER(CELL_BYTES, bytes) },
    { "disk",         "on disk",      "disk_bytes",     R | X(7), false, NUMBER(CELL_BYTES, disk) },
    { "repeated",     "repeated",     "repeated_bytes", R | X(6), false, NUMBER(CELL_BYTES, repeated) },
    { "files",        "files",        "files",          R | X(6), true,  NUMBER(CELL_COUNT, files) },
    { "fits",         "fits",         "fits",           X(12),       false, MADE, list_fits_cell },
    { "verdict",      "verdict",      "verdict",        X(13),       true,  MADE, verdict_cell },
    { "modified",     "modified",     "modified",       X(7),     false, AT_SOME(CELL_DATE, numel_row, modified), NULL },
    { "accessed",     "accessed",     "accessed",       X(6),     false, AT_SOME(CELL_DATE, numel_row, accessed), NULL },
    { "rank",         "rank",         "rank",           R | X(7), false, AT_SOME(CELL_COUNT, numel_row, rank), NULL },
    { "family",       "family",       "family",         X(8),     false, TEXT(family) },
    { "base",         "base",         "base",           X(7),     false, AT(CELL_TEXT, numel_row, base), NULL },
    { "layers",       "layers",       "layers",         R | X(7), false, AT_SOME(CELL_COUNT, numel_row, layers), NULL },
    { "class",        "class",        "class",          X(7),     false, TEXT(class_name) },
    { "id",           "id",           "id",             X(5),     false, AT(CELL_HEX, numel_row, id), NULL },
};
#undef X
#undef TEXT
#undef NUMBER
/* clang-format on */

struct cell list_cell(const struct list_column *c, const numel_row *row)
{
    return c->cell ? c->cell(row) : field_cell(&c->from, row);
}

/* NULL if there is no such column. */
static const struct list_column *find_column(numel_str name)
{
    for (size_t i = 0; i < LIST_COLUMNS; i++)
        if (text_equal(name, list_columns[i].name)) return &list_columns[i];
    return text_equal(name, "size") ? find_column(text_of("bytes")) : NULL;
}

NUMEL_MUST static bool no_column(numel_str name, numel_error *e)
{
    char quoted[TEXT_QUOTE], all[256];
    struct fixed names = FIXED(all);
    for (size_t i = 0; i < LIST_COLUMNS; i++)
        fixed_format(&names, "%s%s", i ? ", " : "", list_columns[i].name);
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "no column %s; the columns are %s",
                     text_quote(quoted, name), all);
}

NUMEL_MUST static bool add(struct list_choice *out, const struct list_column *c, numel_error *e)
{
    for (unsigned i = 0; i < out->count; i++)
        if (out->columns[i] == c)
            return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "the column %s is named twice", c->name);
    out->columns[out->count++] = c;
    return true;
}

bool list_choose(struct list_choice *out, const char *names, numel_error *e)
{
    *out = (struct list_choice){ .all = !names };
    for (size_t i = 0; !names && i < LIST_COLUMNS; i++)
        if (list_columns[i].shown) out->columns[out->count++] = &list_columns[i];
    while (names) {
        const char *comma = strchr(names, ',');
        numel_str name = text_upto(text_of(names), strcspn(names, ","));
        const struct list_column *c = find_column(name);
        if (!c) return no_column(name, e);
        if (!add(out, c, e)) return false;
        names = comma ? comma + 1 : NULL;
    }
    return true;
}

struct list_key list_key_of(const struct list_column *column, const numel_row *row)
{
    if (!column) return (struct list_key){ 0, { "", 0 } };
    if (row->error) return (struct list_key){ UINT64_MAX, text_of(row->name) };
    const struct cell c = list_cell(column, row);
    switch (c.kind) {
    case CELL_STR: return (struct list_key){ 0, c.s };
    case CELL_TEXT: return (struct list_key){ 0, text_of(c.t) };
    case CELL_NULL: return (struct list_key){ LIST_KEY_UNKNOWN, text_of(row->name) };
    default:
        return (struct list_key){ UINT64_MAX - 2 - (c.u > UINT64_MAX - 2 ? UINT64_MAX - 2 : c.u),
                                  text_of(row->name) };
    }
}
