/* others_sections.c -- what other counters show: in text a line a counter with the causes below it, in
 * JSON a list. */
#include "reporter/lines.h"
#include "reporter/sections.h"

struct page_row {                  /* of the text: a reading, or one of its lines */
    const struct counted *reading; /* NULL: what they start from */
    const struct tally_line *line;
};

struct others_page {
    const struct others *o;
    struct page_row *rows;
    size_t row_count;
    struct counted_text {
        const char *reason, *causes;
    } * texts; /* by counter */
};

static void text_row(struct table_row *at, struct cell *c)
{
    const struct others_page *page = at->of;
    const struct page_row *row = &page->rows[at->i];
    const struct counted *t = row->reading;
    if (row->line) {
        at->depth = 1;
        c[0] = CELL_T(row->line->cause);
        c[1] = (struct cell){ .kind = CELL_SIGNED, .i = row->line->elements };
        c[2] = CELL_T(row->line->detail);
    } else if (!t) {
        c[0] = CELL_T(page->o->known ? "parameters" : "stored elements");
        c[1] = CELL_U(CELL_COUNT, page->o->from);
    } else {
        c[0] = CELL_T(t->counter->name);
        if (!t->none) c[1] = CELL_U(CELL_COUNT, t->value);
        if (t->none || t->text) c[2] = CELL_T(t->none ? t->none : t->text);
    }
}

static const struct table text_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED, text_row, { NULL, "counter", 0, MADE },
          { NULL, "count", COLUMN_RIGHT, MADE }, { NULL, "shown as, or because of", COLUMN_NOTE, MADE });

static void json_row(struct table_row *row, struct cell *c)
{
    static const char *const froms[] = { "parameters", "stored", "bytes" };
    const struct others_page *page = row->of;
    const struct counted *t = &page->o->readings[row->i];
    c[0] = CELL_T(t->counter->name);
    c[1] = CELL_T(t->counter->where);
    if (!t->none) {
        c[2] = CELL_U(CELL_COUNT, t->value);
        if (t->text) c[3] = CELL_T(t->text);
        c[4] = (struct cell){ .kind = CELL_SIGNED, .i = t->difference };
        c[5] = CELL_T(froms[t->from]);
    }
    if (page->texts[row->i].reason[0]) c[6] = CELL_T(page->texts[row->i].reason);
    c[7] = (struct cell){ .kind = CELL_RAW, .t = page->texts[row->i].causes };
}

static const struct table json_table =
    TABLE("others", NULL, SECTION_LIST, TABLE_HIDDEN, json_row, { "counter", NULL, 0, MADE },
          { "where", NULL, 0, MADE }, { "value", NULL, 0, MADE }, { "text", NULL, 0, MADE },
          { "difference", NULL, 0, MADE }, { "from", NULL, 0, MADE }, { "reason", NULL, 0, MADE },
          { "causes", NULL, 0, MADE });

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

/* Counters of the other format stand in JSON only. */
static bool fill(struct others_page *page, struct arena *a)
{
    const struct others *o = page->o;
    size_t n = 1;
    for (size_t i = 0; i < others_counter_count; i++) n += 1 + o->readings[i].tally.count;
    page->rows = arena_alloc(a, n * sizeof *page->rows);
    page->texts = arena_alloc(a, others_counter_count * sizeof *page->texts);
    if (!page->rows || !page->texts) return false;
    page->rows[page->row_count++] = (struct page_row){ NULL, NULL };
    for (size_t i = 0; i < others_counter_count; i++) {
        const struct counted *t = &o->readings[i];
        page->texts[i] = (struct counted_text){ sentence(a, t), lines_json(a, &t->tally) };
        if (!page->texts[i].reason || !page->texts[i].causes) return false;
        if (!others_reads(o, t->counter)) continue;
        page->rows[page->row_count++] = (struct page_row){ t, NULL };
        for (size_t k = 0; k < t->tally.count; k++)
            page->rows[page->row_count++] = (struct page_row){ t, t->tally.lines[k] };
    }
    return true;
}

bool others_sections(struct numel_report *r, const struct others *o)
{
    struct others_page *page = arena_alloc(&r->arena, sizeof *page);
    if (!page) return false;
    *page = (struct others_page){ .o = o };
    if (!fill(page, &r->arena)) return false;
    report_list(r, &text_table, page, 0, page->row_count, page);
    report_list(r, &json_table, page, 0, others_counter_count, page);
    return true;
}
