/* list_columns.c -- a row a column. */
#include "reporter/list_columns.h"

#include "base/text.h"

#include <stdio.h>

static void put_text(struct cell *c, const char *text)
{
    if (text) *c = CELL_S(text_of(text));
}

static void put_count(struct cell *c, enum cell_kind kind, uint64_t n)
{
    if (n != NUMEL_NOT_KNOWN) *c = CELL_U(kind, n);
}

static void name_cell(const numel_row *r, struct cell *c) { put_text(c, r->name); }
static void path_cell(const numel_row *r, struct cell *c) { put_text(c, r->path); }
static void format_cell(const numel_row *r, struct cell *c) { put_text(c, r->format); }
static void architecture_cell(const numel_row *r, struct cell *c) { put_text(c, r->architecture); }
static void adapter_cell(const numel_row *r, struct cell *c) { put_text(c, r->adapter); }
static void parameters_cell(const numel_row *r, struct cell *c) { put_count(c, CELL_SHORT, r->parameters); }
static void stored_cell(const numel_row *r, struct cell *c) { put_count(c, CELL_SHORT, r->stored); }
static void tensors_cell(const numel_row *r, struct cell *c) { put_count(c, CELL_COUNT, r->tensors); }
static void bits_cell(const numel_row *r, struct cell *c) { put_count(c, CELL_HUNDREDTHS, r->whole); }
static void dtype_cell(const numel_row *r, struct cell *c) { put_text(c, r->dtype); }
static void context_cell(const numel_row *r, struct cell *c) { put_count(c, CELL_COUNT, r->context_length); }
static void bytes_cell(const numel_row *r, struct cell *c) { put_count(c, CELL_BYTES, r->bytes); }
static void disk_cell(const numel_row *r, struct cell *c) { put_count(c, CELL_BYTES, r->disk); }
static void repeated_cell(const numel_row *r, struct cell *c) { put_count(c, CELL_BYTES, r->repeated); }
static void files_cell(const numel_row *r, struct cell *c) { put_count(c, CELL_COUNT, r->files); }

static void method_cell(const numel_row *r, struct cell *c) { put_text(c, r->method); }

/* Of what is not quantized, its type. */
static void quantization_cell(const numel_row *r, struct cell *c)
{
    put_text(c, r->quantization ? r->quantization : r->dtype);
}

/* Where nothing says what it is, a list tries no specification unless it is asked to. */
static void verdict_cell(const numel_row *r, struct cell *c)
{
    bool tried = r->state != NUMEL_STATE_UNKNOWN || r->architecture || r->adapter || r->searched;
    *c = CELL_T(tried ? numel_state_name(r->state) : "not checked");
}

static void fits_cell(const numel_row *r, struct cell *c) { put_text(c, r->fits); }
static void id_cell(const numel_row *r, struct cell *c) { *c = CELL_U(CELL_HEX, r->id); }

enum { R = COLUMN_RIGHT, N = COLUMN_NAME };
#define X(n) COLUMN_RANK(n)

/* clang-format off */
const struct list_column list_columns[LIST_COLUMNS] = {
    { "name",         "name",         "name",           N,        true,  name_cell },
    { "path",         "path",         "path",           N,        false, path_cell },
    { "format",       "format",       "format",         X(5),     false, format_cell },
    { "architecture", "architecture", "architecture",   X(9),     true,  architecture_cell },
    { "adapter",      "adapter",      "adapter",        X(8),     false, adapter_cell },
    { "parameters",   "parameters",   "counts",         R,        true,  parameters_cell },
    { "stored",       "stored",       "counts",         R | X(6), false, stored_cell },
    { "tensors",      "tensors",      "counts",         R | X(5), false, tensors_cell },
    { "quantization", "quantization", "quantization",   X(11),    true,  quantization_cell },
    { "method",       "method",       "quantization",   X(6),     false, method_cell },
    { "bits",         "bits",         "quantization",   R | X(7), true,  bits_cell },
    { "dtype",        "dtype",        "dtype",          X(8),     false, dtype_cell },
    { "context",      "context",      "context_length", R | X(6), false, context_cell },
    { "bytes",        "size",         "bytes",          R,        true,  bytes_cell },
    { "disk",         "on disk",      "disk_bytes",     R | X(7), false, disk_cell },
    { "repeated",     "repeated",     "repeated_bytes", R | X(6), false, repeated_cell },
    { "files",        "files",        "files",          R | X(6), true,  files_cell },
    { "fits",         "fits",         "fits",           X(12),    false, fits_cell },
    { "verdict",      "verdict",      "verdict",        X(13),    true,  verdict_cell },
    { "id",           "id",           "id",             X(5),     false, id_cell },
};
#undef X
/* clang-format on */

/* NULL when there is none of that name. */
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
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "no column %s: there are %s", text_quote(quoted, name),
                     all);
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
    struct cell c = { .kind = CELL_NULL };
    if (!column) return (struct list_key){ 0, { "", 0 } };
    if (row->error) return (struct list_key){ UINT64_MAX, text_of(row->name) };
    column->cell(row, &c);
    switch (c.kind) {
    case CELL_STR: return (struct list_key){ 0, c.s };
    case CELL_TEXT: return (struct list_key){ 0, text_of(c.t) };
    case CELL_NULL: return (struct list_key){ UINT64_MAX - 1, text_of(row->name) };
    default:
        return (struct list_key){ UINT64_MAX - 2 - (c.u > UINT64_MAX - 2 ? UINT64_MAX - 2 : c.u),
                                  text_of(row->name) };
    }
}
