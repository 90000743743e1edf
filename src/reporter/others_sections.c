/* others_sections.c -- what other counters show: in text a line per counter with its causes below, in JSON
 * a list. */
#include "reporter/lines.h"
#include "reporter/sections.h"

struct page_row { /* a row of the text: the starting count, a reading, or one of its lines */
    const char *name, *note;
    struct cell count;
    unsigned depth;
};

static void text_row(struct table_row *at, struct cell *c)
{
    const struct page_row *row = at->item;
    at->depth = row->depth;
    c[1] = row->count;
}

static const struct table text_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED, text_row,
          { NULL, "counter", 0, AT(CELL_TEXT, struct page_row, name) }, { NULL, "count", COLUMN_RIGHT, MADE },
          { NULL, "shown as, or because of", COLUMN_NOTE, AT(CELL_TEXT, struct page_row, note) });

struct other {
    const struct counter *counter;
    const struct counted *reading; /* NULL if it shows none */
    const char *from, *reason, *causes;
};

static const struct table json_table =
    TABLE("others", NULL, SECTION_LIST, TABLE_HIDDEN, NULL,
          { "counter", NULL, 0, VIA(CELL_TEXT, struct other, counter, name) },
          { "where", NULL, 0, VIA(CELL_TEXT, struct other, counter, where) },
          { "value", NULL, 0, VIA(CELL_COUNT, struct other, reading, value) },
          { "text", NULL, 0, VIA(CELL_TEXT, struct other, reading, text) },
          { "difference", NULL, 0, VIA(CELL_SIGNED, struct other, reading, difference) },
          { "from", NULL, 0, AT(CELL_TEXT, struct other, from) },
          { "reason", NULL, 0, AT(CELL_TEXT, struct other, reason) },
          { "causes", NULL, 0, AT(CELL_RAW, struct other, causes) });

/* "+155,582,464 tied copy stored (lm_head.weight); ..." */
NUMEL_MUST static const char *sentence(struct arena *a, const struct counted *t)
{
    struct buffer b;
    char n[TEXT_NUMBER];
    if (t->none) return t->none;
    buffer_init(&b, a->memory);
    for (size_t i = 0; i < t->tally.count; i++) {
        const struct tally_line *l = t->tally.lines[i];
        bool less = l->elements < 0;
        buffer_format(&b, "%s%s%s %s", i ? "; " : "", less ? "-" : "+",
                      text_number(n, less ? 0 - (uint64_t)l->elements : (uint64_t)l->elements), l->cause);
        if (l->detail[0]) buffer_format(&b, " (%s)", l->detail);
    }
    return buffer_keep(&b, a);
}

static bool make_other(struct other *x, const struct counted *t, struct arena *a)
{
    static const char *const froms[] = { "parameters", "stored", "bytes" };
    const char *reason = sentence(a, t);
    *x = (struct other){ .counter = t->counter,
                         .reading = t->none ? NULL : t,
                         .from = t->none ? NULL : froms[t->from],
                         .reason = reason && reason[0] ? reason : NULL,
                         .causes = lines_json(a, &t->tally) };
    return reason && x->causes;
}

static void add_rows(struct page_row *rows, size_t *n, const struct counted *t)
{
    const struct cell value = t->none ? (struct cell){ .kind = CELL_NULL } : CELL_U(CELL_COUNT, t->value);
    rows[(*n)++] = (struct page_row){ t->counter->name, t->none ? t->none : t->text, value, 0 };
    for (size_t k = 0; k < t->tally.count; k++) {
        const struct tally_line *l = t->tally.lines[k];
        rows[(*n)++] = (struct page_row){ l->cause, l->detail, { .kind = CELL_SIGNED, .i = l->elements }, 1 };
    }
}

/* Counters of the other format appear in JSON only. */
bool others_sections(struct numel_report *r, const struct others *o)
{
    size_t n = 1;
    for (size_t i = 0; i < others_counter_count; i++) n += 1 + o->readings[i].tally.count;
    struct page_row *rows = arena_alloc(&r->arena, n * sizeof *rows);
    struct other *all = arena_alloc(&r->arena, others_counter_count * sizeof *all);
    if (!rows || !all) return false;
    n = 0;
    rows[n++] = (struct page_row){ o->known ? "parameters" : "stored elements", NULL,
                                   CELL_U(CELL_COUNT, o->from), 0 };
    for (size_t i = 0; i < others_counter_count; i++) {
        if (!make_other(&all[i], &o->readings[i], &r->arena)) return false;
        if (others_reads(o, o->readings[i].counter)) add_rows(rows, &n, &o->readings[i]);
    }
    report_list(r, &text_table, ROWS(rows, n), NULL);
    report_list(r, &json_table, ROWS(all, others_counter_count), NULL);
    return true;
}
