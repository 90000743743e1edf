/*
 * list_report.c -- rows as reports: a single row, or all kept rows, which are read one after the other.
 *
 * A report of rows has two faces: a section of lines for JSON, and a table for text and CSV.
 */
#include "reporter/list_rows.h"

#include "base/border.h"
#include "base/num.h"
#include "base/text.h"

#include <string.h>

/* ---- rows that are kept ------------------------------------------------------------------- */

bool list_rows_begin(struct list_rows *r, const numel_listing *how, const numel_allocator *m, numel_error *e)
{
    struct list_choice choice;
    *r = (struct list_rows){ .allocator = m };
    arena_init(&r->arena, m);
    buffer_init(&r->record, m);
    const char *folder = how->folder ? how->folder : "/tmp";
    if (!(folder = arena_text(&r->arena, folder, strlen(folder)))) return error_nomem(e);
    bool chosen = list_choose(&choice, how->sort, e);
    if (chosen && how->sort) r->by = choice.columns[0];
    sorter_init(&r->sorter, how->memory ? (size_t)num_min(how->memory, SIZE_MAX / 4) : 16 << 20, folder,
                r->by ? list_record_order : NULL, &r->reverse, m);
    r->reverse = how->reverse;
    r->top = how->top ? how->top : UINT64_MAX;
    if (chosen && how->reverse && !how->sort)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "rows that are not sorted cannot be reversed");
    if (chosen && how->sort && choice.count != 1)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "rows can be sorted by one column only");
    return chosen;
}

void list_rows_done(struct list_rows *r)
{
    if (!r->allocator) return;
    sorter_done(&r->sorter);
    buffer_done(&r->record);
    arena_done(&r->arena);
}

bool list_rows_add(struct list_rows *r, const numel_row *row, numel_error *e)
{
    struct list_key key = list_key_of(r->by, row);
    r->record.n = 0;
    list_record_put(&r->record, &key, row);
    if (r->record.failed) return error_nomem(e);
    if (!sorter_add(&r->sorter, buffer_view(&r->record), e)) return false;
    r->good += !row->error && r->good < r->top;
    return true;
}

/* Reads the next row; *more is false at the end. */
NUMEL_MUST static bool next_row(struct list_rows *r, numel_row *row, numel_error *of_row, bool *more,
                                numel_error *e)
{
    numel_str record;
    *more = false;
    if (!sorter_next(&r->sorter, &record, e)) return false;
    *more = record.p != NULL;
    return !*more || list_record_get(record, row, of_row) ||
           error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "the temporary file differs from what was written");
}

bool list_rows_each(struct list_rows *r, numel_row_fn *each, void *ctx, numel_error *e)
{
    numel_error of_row;
    numel_row row;
    bool more = true;
    uint64_t left = r->top;
    if (!sorter_rewind(&r->sorter, e)) return false;
    while (left && next_row(r, &row, &of_row, &more, e) && more)
        if (left -= !row.error, !each(ctx, &row))
            return error_set(e, NUMEL_E_STOPPED, NUMEL_NOWHERE, "no more rows are wanted");
    return error_free(e);
}

/* ---- reports ------------------------------------------------------------------------------ */

struct view {
    struct numel_report *report;
    struct list_rows *rows; /* NULL: only `row` */
    numel_row row;
    numel_error of_row;
    size_t next;
    struct list_choice choice;
    struct column columns[LIST_COLUMNS];
    struct arena scratch; /* texts of one row */
    numel_error error;
    const numel_totals *totals;
    const char *total;
};

/* Fetches the i-th row without an error. Rows are requested in order, but maybe more than once. */
static bool bring(struct view *v, size_t i)
{
    bool more = true;
    if (!v->rows) return true;
    if (!error_free(&v->error)) return false;
    if (i == 0 && (v->next = 0, !sorter_rewind(&v->rows->sorter, &v->error))) return false;
    while (v->next <= i && next_row(v->rows, &v->row, &v->of_row, &more, &v->error) && more)
        v->next += !v->row.error;
    return more && error_free(&v->error);
}

static void table_row(struct table_row *at, struct cell *c)
{
    struct view *v = (struct view *)(uintptr_t)at->of;
    if (!bring(v, at->i)) return;
    for (unsigned k = 0; k < v->choice.count; k++) c[k] = list_cell(v->choice.columns[k], &v->row);
}

static const struct column keys[] = {
    { "schema", NULL, 0, MADE },
    { "path", NULL, 0, AT(CELL_STR, struct view, row.path) },
    { "name", NULL, 0, AT(CELL_STR, struct view, row.name) },
    { "format", NULL, 0, AT(CELL_TEXT, struct view, row.format) },
    { "architecture", NULL, 0, AT(CELL_STR, struct view, row.architecture) },
    { "adapter", NULL, 0, AT(CELL_TEXT, struct view, row.adapter) },
    { "quantization", NULL, 0, MADE },
    { "dtype", NULL, 0, AT(CELL_TEXT, struct view, row.dtype) },
    { "counts", NULL, 0, MADE },
    { "context_length", NULL, 0, AT_KNOWN(CELL_COUNT, struct view, row.context_length) },
    { "bytes", NULL, 0, AT(CELL_BYTES, struct view, row.bytes) },
    { "disk_bytes", NULL, 0, AT(CELL_BYTES, struct view, row.disk) },
    { "repeated_bytes", NULL, 0, AT(CELL_BYTES, struct view, row.repeated) },
    { "files", NULL, 0, AT(CELL_COUNT, struct view, row.files) },
    { "repeated_files", NULL, 0, AT(CELL_COUNT, struct view, row.shared) },
    { "verdict", NULL, 0, MADE },
    { "id", NULL, 0, AT(CELL_HEX, struct view, row.id) },
    { "fits", NULL, 0, AT(CELL_TEXT, struct view, row.fits) },
    { "error", NULL, 0, MADE },
    { "judgement", NULL, 0, AT(CELL_RAW, struct view, row.judgement) },
    { "remote", NULL, 0, AT(CELL_RAW, struct view, row.remote) },
    { "modified", NULL, 0, AT_SOME(CELL_DATE, struct view, row.modified) },
    { "accessed", NULL, 0, AT_SOME(CELL_DATE, struct view, row.accessed) },
    { "rank", NULL, 0, AT_SOME(CELL_COUNT, struct view, row.rank) },
    { "family", NULL, 0, AT(CELL_STR, struct view, row.family) },
    { "base", NULL, 0, AT(CELL_TEXT, struct view, row.base) },
    { "layers", NULL, 0, AT_SOME(CELL_COUNT, struct view, row.layers) },
    { "class", NULL, 0, AT(CELL_STR, struct view, row.class_name) },
};
/* The last ones are there only where --columns names them. */
enum { KEYS = sizeof keys / sizeof *keys, KEYS_BY_NAME = 7 };

static struct cell object_cell(struct view *v, const struct table *t, const void *item)
{
    return (struct cell){ .kind = CELL_RAW, .t = table_json(t, item, 0, 1, item, &v->scratch) };
}

static void quantization_row(struct table_row *row, struct cell *c)
{
    const numel_row *r = row->item;
    if (!r->quantization_name && r->quantization) c[1] = CELL_T(r->quantization);
}

static const struct table quantization_table = TABLE(
    NULL, NULL, SECTION_OBJECT, 0, quantization_row, { "method", NULL, 0, AT(CELL_TEXT, numel_row, method) },
    { "name", NULL, 0, AT(CELL_TEXT, numel_row, quantization_name) },
    { "bits", NULL, 0, AT_SOME(CELL_NUMBER, numel_row, bits) },
    { "bits_per_weight", NULL, 0, AT(CELL_RAW, numel_row, bits_per_weight) },
    { "whole_bits_per_weight", NULL, 0, AT_KNOWN(CELL_HUNDREDTHS, numel_row, whole) });

static const struct table count_table = TABLE(
    NULL, NULL, SECTION_OBJECT, 0, NULL, { "tensors", NULL, 0, AT_KNOWN(CELL_COUNT, numel_row, tensors) },
    { "stored", NULL, 0, AT_KNOWN(CELL_COUNT, numel_row, stored) },
    { "parameters", NULL, 0, AT_KNOWN(CELL_COUNT, numel_row, parameters) });

static void checkpoint_cells(struct view *v, struct cell *c)
{
    const numel_row *r = &v->row;
    if (r->method) c[6] = object_cell(v, &quantization_table, r);
    c[8] = object_cell(v, &count_table, r);
    c[15] = CELL_T(numel_state_name(r->state));
    if (!r->fits) c[17].kind = CELL_ABSENT;
    if (!r->remote) c[20].kind = CELL_ABSENT;
    c[18].kind = CELL_ABSENT;
}

static bool is_asked(const struct list_choice *choice, const char *key)
{
    bool asked = choice->all;
    for (unsigned i = 0; i < choice->count && !asked; i++) asked = strcmp(choice->columns[i]->json, key) == 0;
    return asked;
}

static void json_row(struct table_row *at, struct cell *c)
{
    struct view *v = (struct view *)(uintptr_t)at->of;
    arena_reset(&v->scratch);
    c[0] = CELL_T(v->row.error ? "numel.error/1" : "numel.list/1");
    if (v->row.error) {
        for (unsigned k = 2; k < KEYS; k++) c[k].kind = CELL_ABSENT;
        c[18] = object_cell(v, &error_table, v->row.error);
        return;
    }
    checkpoint_cells(v, c);
    for (unsigned k = 2; k < KEYS; k++)
        if (!is_asked(&v->choice, keys[k].key) || (v->choice.all && k >= KEYS - KEYS_BY_NAME))
            c[k].kind = CELL_ABSENT;
}

static const struct table json_table = TABLE_OF(NULL, NULL, SECTION_LINES, TABLE_HIDDEN, json_row, keys);

static void free_view(void *ctx) { arena_done(&((struct view *)ctx)->scratch); }

/* NULL on failure; the caller passes *out, if it was made, to report_made(). */
NUMEL_MUST static struct view *new_view(numel_report **out, const numel_columns *columns,
                                        const numel_options *options, numel_error *e)
{
    numel_columns own;
    numel_options opened;
    struct list_choice choice;
    *out = NULL;
    if (!border_options(&opened, options, e) || !border_columns(&own, columns, e) ||
        !list_choose(&choice, own.columns, e))
        return NULL;
    *out = report_new(opened.allocator, "numel.list/1", e);
    struct view *v = *out ? arena_alloc(&(*out)->arena, sizeof *v) : NULL;
    if (!v) return error_nomem(e), NULL;
    *v = (struct view){ .report = *out, .choice = choice };
    arena_init(&v->scratch, opened.allocator);
    error_clear(&v->error);
    for (unsigned i = 0; i < choice.count; i++) {
        const struct list_column *c = choice.columns[i];
        v->columns[i] = (struct column){ .key = c->name, .heading = c->heading, .flags = c->flags };
    }
    (*out)->headless = own.headless;
    (*out)->lost = &v->error;
    (*out)->done = free_view;
    (*out)->done_ctx = v;
    return v;
}

static void add_table(struct view *v, size_t rows)
{
    unsigned headed = v->report->headless ? 0 : TABLE_HEADED;
    const struct table table = { .form = SECTION_LIST,
                                 .shows = TABLE_CSV | headed,
                                 .columns = v->columns,
                                 .column_count = v->choice.count,
                                 .row = table_row };
    report_list(v->report, &table, v, 0, rows, v);
}

/* The path as one line, whatever characters it has. Callers that need it raw separate paths by NULs. */
NUMEL_MUST static bool quiet_path(struct view *v, numel_report *r, numel_error *e)
{
    struct buffer b;
    buffer_init(&b, r->arena.memory);
    text_escape(&b, text_of(v->row.path));
    r->quiet_text = buffer_keep(&b, &r->arena);
    return r->quiet_text || error_nomem(e);
}

numel_rc numel_report_row(numel_report **out, const numel_row *row, const numel_columns *columns,
                          const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct view *v = new_view(out, columns, options, e);
    if (!v) return report_made(out, false, e);
    if (!border_row(&v->row, row, e) || !quiet_path(v, *out, e)) return report_made(out, false, e);
    report_list(*out, &json_table, v, 0, 1, v);
    add_table(v, v->row.error ? 0 : 1);
    return e->code;
}

/* ---- totals ------------------------------------------------------------------------------- */

static const struct table total_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL, { NULL, "total", 0, AT(CELL_TEXT, struct view, total) });

static void put_plural(struct buffer *b, const char *before, uint64_t n, const char *what)
{
    char number[TEXT_NUMBER];
    buffer_format(b, "%s%s %s%s", before, text_number(number, n), what, n == 1 ? "" : "s");
}

static void put_value(struct buffer *b, enum cell_kind kind, uint64_t n)
{
    const struct cell c = CELL_U(kind, n);
    text_cell(b, &c);
}

const char *list_total_text(struct arena *a, const numel_totals *t)
{
    struct buffer b;
    char n[TEXT_NUMBER];
    buffer_init(&b, a->memory);
    put_plural(&b, "", t->checkpoints, "checkpoint");
    put_plural(&b, ", ", t->files, "file");
    buffer_text(&b, ", ");
    put_value(&b, CELL_BYTES, t->bytes);
    if (t->disk != t->bytes) {
        buffer_text(&b, " (");
        put_value(&b, CELL_BYTES, t->disk);
        buffer_text(&b, " on disk)");
    }
    buffer_text(&b, ", ");
    if (t->parameters || !t->unknown) {
        put_value(&b, CELL_SHORT, t->parameters);
        buffer_text(&b, t->unknown ? " parameters and " : " parameters");
    }
    if (t->unknown) {
        put_value(&b, CELL_SHORT, t->stored);
        put_plural(&b, " elements in ", t->unknown, "checkpoint");
        buffer_text(&b, " of unknown architecture");
    }
    if (t->found) put_plural(&b, "; ", t->found, "damaged or incomplete checkpoint");
    if (t->links) put_plural(&b, "; ", t->links, "link");
    if (t->links) buffer_text(&b, " to these not counted again");
    if (t->failed) buffer_format(&b, "; %s could not be read", text_number(n, t->failed));
    if (t->resumed) buffer_format(&b, "; %s done before", text_number(n, t->resumed));
    return buffer_keep(&b, a);
}

numel_rc numel_report_rows(numel_report **out, numel_list *list, const numel_totals *totals,
                           const numel_columns *columns, const numel_options *options, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_totals own;
    *out = NULL;
    struct list_rows *rows = list_kept(list, e);
    struct view *v = rows ? new_view(out, columns, options, e) : NULL;
    if (!v) return report_made(out, false, e);
    v->rows = rows;
    if (rows->good) add_table(v, (size_t)rows->good);
    bool ok = !totals || border_totals(&own, totals, e);
    if (ok && totals && !(v->total = list_total_text(&v->report->arena, &own))) ok = error_nomem(e);
    ok = ok && (!totals || wholes_section(list_wholes(list), *out, e));
    if (ok && totals) report_one(*out, &total_table, v)->is.title = rows->good ? "" : NULL;
    return report_made(out, ok, e);
}
