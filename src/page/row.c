/*
 * row.c -- makes the cells of a row from its struct.
 *
 * Reports have about a hundred tables over structs from the rooms below, and most cells are a plain member.
 * So a column states which member it shows and as what kind of fact, like a debugger's description of a
 * struct:
 *
 *     static const struct table unread =
 *         TABLE("unread", "", SECTION_LIST, TABLE_HEADED, NULL,
 *               { "key", "not read", 0, AT(CELL_STR, struct config_unread, key) },
 *               { "value", "value", COLUMN_RIGHT, AT(CELL_COUNT, struct config_unread, value) });
 *     report_list(r, &unread, ROWS(u->items, u->count), NULL);
 *
 * AT() gets the member's type (a numel_str, a pointer, an array of char, a number of so many bytes) from the
 * compiler. A computed cell is MADE by the table's function, which sees the cells that the columns have
 * filled.
 */
#include "page/report.h"

#include "base/text.h"

#include <string.h>

static uint64_t number_at(const char *p, size_t size)
{
    switch (size) {
    case 1: return *(const uint8_t *)p;
    case 2: return *(const uint16_t *)(const void *)p;
    case 4: return *(const uint32_t *)(const void *)p;
    default: return *(const uint64_t *)(const void *)p;
    }
}

static struct cell number_cell(const struct field *f, const char *p)
{
    uint64_t v = number_at(p, f->size);
    bool none = (f->null == FIELD_SOME && v == 0) || (f->null == FIELD_KNOWN && v == NUMEL_NOT_KNOWN);
    return (struct cell){ .kind = none ? CELL_NULL : f->kind, .u = v, .i = (int64_t)v };
}

static struct cell text_cell_of(enum cell_kind kind, const char *text)
{
    if (!text) return (struct cell){ .kind = CELL_NULL };
    return kind == CELL_STR ? CELL_S(text_of(text)) : (struct cell){ .kind = kind, .t = text };
}

static struct cell toned_cell(const char *p)
{
    const struct toned *t = (const void *)p;
    return t->text ? CELL_TONED(*t) : (struct cell){ .kind = CELL_NULL };
}

/* Does the member that the cell depends on have a byte other than 0? */
static bool is_there(const struct field *f, const char *item)
{
    bool any = !f->upto;
    for (size_t i = 0; i < f->upto && !any; i++) any = item[f->when + i] != 0;
    return any;
}

struct cell field_cell(const struct field *f, const void *of)
{
    const char *item = of, *p = item + f->at;
    if (!is_there(f, item)) return (struct cell){ .kind = CELL_NULL };
    if (f->via) p = *(const char *const *)(const void *)p + f->via - 1;
    switch (f->store) {
    case FIELD_NUMBER: return number_cell(f, p);
    case FIELD_STR: return CELL_S(*(const numel_str *)(const void *)p);
    case FIELD_POINTER: return text_cell_of(f->kind, *(const char *const *)(const void *)p);
    case FIELD_CHARS: return text_cell_of(f->kind, p);
    case FIELD_TONED: return toned_cell(p);
    case FIELD_SAID: return CELL_TONE(f->said, f->tone);
    case FIELD_NONE: break;
    }
    return (struct cell){ .kind = CELL_NULL };
}

unsigned section_row(const struct section *s, size_t i, struct cell *cells)
{
    const char *items = s->items;
    size_t at = s->which ? s->which[i] : i;
    struct table_row row = { .item = s->stride ? items + at * s->stride : items, .of = s->of, .i = at };
    memset(cells, 0, REPORT_COLUMNS * sizeof *cells);
    for (unsigned c = 0; c < s->is.column_count; c++)
        if (row.item && s->is.columns[c].from.store) cells[c] = field_cell(&s->is.columns[c].from, row.item);
    if (s->is.row) s->is.row(&row, cells);
    return row.depth;
}

bool section_shown(const struct section *s, size_t rows, struct buffer *text, bool shown[REPORT_COLUMNS])
{
    struct cell cells[REPORT_COLUMNS];
    bool any = false;
    memset(shown, 0, REPORT_COLUMNS * sizeof *shown);
    for (size_t i = 0; i < rows && !text->failed; i++) {
        section_row(s, i, cells);
        for (unsigned c = 0; c < s->is.column_count; c++) {
            if (shown[c] || !s->is.columns[c].heading) continue;
            text->n = 0;
            text_cell(text, &cells[c]);
            if (text->n) any = shown[c] = true;
        }
    }
    return any;
}
