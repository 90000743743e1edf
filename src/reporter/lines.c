/* lines.c -- lines as cells: all reports share one order of columns, and omit those they lack. */
#include "reporter/lines.h"

#include "base/text.h"

enum { CAUSE, TENSORS, ELEMENTS, BYTES, DETAIL, CODE, GROUND, EXPLAINED, COLUMNS };

static struct cell signed_cell(enum cell_kind kind, int64_t v)
{
    return (struct cell){ .kind = kind, .i = v };
}

struct cell rest_cell(int64_t v) { return v ? signed_cell(CELL_SIGNED, v) : CELL_U(CELL_COUNT, 0); }

static void line_cells(const struct line_table *t, size_t i, struct cell *c)
{
    const struct tally_line *l = t->tally->lines[i];
    bool differs = t->shows & LINES_DIFFERENCES;
    c[CAUSE] = CELL_TONE(l->cause, t->tone ? t->tone(l->code) : TONE_NONE);
    if (differs) c[TENSORS] = signed_cell(CELL_SIGNED, l->tensors);
    else if (l->tensors || t->shows & LINES_ZEROS) c[TENSORS] = CELL_U(CELL_COUNT, (uint64_t)l->tensors);
    c[ELEMENTS] = i == 0 && !differs ? CELL_U(CELL_COUNT, (uint64_t)l->elements)
                                     : signed_cell(CELL_SIGNED, l->elements);
    c[BYTES] = differs ? signed_cell(CELL_SIGNED_BYTES, l->bytes) : CELL_U(CELL_BYTES, (uint64_t)l->bytes);
    c[DETAIL] = CELL_T(l->detail);
    c[CODE] = CELL_T(l->code->code);
    c[GROUND] = CELL_T(ground_text(l->ground));
    c[EXPLAINED] = CELL_U(CELL_BOOL, l->explains);
}

static void json_row(struct table_row *row, struct cell *c) { line_cells(row->of, row->i, c); }

static void text_row(struct table_row *row, struct cell *c)
{
    const struct line_table *t = row->of;
    size_t shown = t->tally->count - t->unshown;
    if (row->i >= t->before && row->i < t->before + shown) {
        line_cells(t, row->i - t->before, c);
        return;
    }
    const struct line_end *end = &t->ends[row->i < t->before ? row->i : row->i - shown];
    c[CAUSE] = CELL_T(end->cause);
    c[TENSORS] = end->tensors;
    c[ELEMENTS] = end->elements;
    c[BYTES] = end->bytes;
    if (end->detail) c[DETAIL] = CELL_T(end->detail);
}

void line_sections(struct numel_report *r, struct line_table *t, const char *key)
{
    const struct column all[COLUMNS] = {
        [CAUSE] = { "cause", "cause", 0, MADE },
        [TENSORS] = { "tensors", t->shows & LINES_TENSORS ? "tensors" : NULL, COLUMN_RIGHT | COLUMN_RANK(8),
                      MADE },
        [ELEMENTS] = { "elements", "elements", COLUMN_RIGHT, MADE },
        [DETAIL] = { "detail", "", COLUMN_NOTE, MADE },
        [CODE] = { "code", NULL, 0, MADE },
    };
    memcpy(t->columns, all, sizeof all);
    if (t->shows & LINES_BYTES)
        t->columns[BYTES] = (struct column){ "bytes", t->shows & LINES_BYTES_TEXT ? "bytes" : NULL,
                                             COLUMN_RIGHT | COLUMN_RANK(9), MADE };
    if (t->shows & LINES_GROUND) t->columns[GROUND].key = "ground";
    if (t->shows & LINES_EXPLAINED) t->columns[EXPLAINED].key = "explained";
    const struct table json = TABLE_OF(key, NULL, SECTION_LIST, TABLE_HIDDEN, json_row, t->columns);
    const struct table text = TABLE_OF(NULL, "", SECTION_LIST, TABLE_HEADED, text_row, t->columns);
    if (key) report_list(r, &json, t, 0, t->tally->count, t);
    report_list(r, &text, t, 0, t->tally->count + t->before + t->after - t->unshown, t)->hidden = t->hidden;
}

const char *lines_json(struct arena *a, const struct tally *t)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    buffer_char(&b, '[');
    for (size_t i = 0; i < t->count; i++) {
        const struct tally_line *l = t->lines[i];
        buffer_text(&b, i ? ",{\"cause\":" : "{\"cause\":");
        text_json(&b, text_of(l->cause));
        buffer_format(&b, ",\"tensors\":%" PRId64 ",\"elements\":%" PRId64 ",\"detail\":", l->tensors,
                      l->elements);
        text_json(&b, text_of(l->detail));
        buffer_format(&b, ",\"code\":\"%s\"}", l->code->code);
    }
    buffer_char(&b, ']');
    return buffer_keep(&b, a);
}
