/* others_sections.c -- what other counters show: in text a line a counter with the causes below it, in
 * JSON a list. */
#include "reporter/lines.h"
#include "reporter/sections.h"

static const struct column page_columns[] = { { NULL, "counter", 0 },
                                              { NULL, "count", COLUMN_RIGHT },
                                              { NULL, "shown as, or because of", COLUMN_NOTE } };

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

static void text_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct others_page *page = ctx;
    const struct page_row *row = &page->rows[i];
    const struct counted *t = row->reading;
    if (row->line) {
        *depth = 1;
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

/* clang-format off */
static const struct column json_columns[] = {
    { "counter", NULL, 0 },    { "where", NULL, 0 }, { "value", NULL, 0 },  { "text", NULL, 0 },
    { "difference", NULL, 0 }, { "from", NULL, 0 },  { "reason", NULL, 0 }, { "causes", NULL, 0 },
};
/* clang-format on */

static void json_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    static const char *const froms[] = { "parameters", "stored", "bytes" };
    const struct others_page *page = ctx;
    const struct counted *t = &page->o->readings[i];
    (void)depth;
    c[0] = CELL_T(t->counter->name);
    c[1] = CELL_T(t->counter->where);
    if (!t->none) {
        c[2] = CELL_U(CELL_COUNT, t->value);
        if (t->text) c[3] = CELL_T(t->text);
        c[4] = (struct cell){ .kind = CELL_SIGNED, .i = t->difference };
        c[5] = CELL_T(froms[t->from]);
    }
    if (page->texts[i].reason[0]) c[6] = CELL_T(page->texts[i].reason);
    c[7] = (struct cell){ .kind = CELL_RAW, .t = page->texts[i].causes };
}

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
    report_section(r, &(struct section){ .title = "",
                                         .form = SECTION_LIST,
                                         .headed = true,
                                         .columns = page_columns,
                                         .column_count = 3,
                                         .rows = page->row_count,
                                         .row = text_row,
                                         .ctx = page });
    report_section(r, &(struct section){ .key = "others",
                                         .form = SECTION_LIST,
                                         .hidden = true,
                                         .columns = json_columns,
                                         .column_count = 8,
                                         .rows = others_counter_count,
                                         .row = json_row,
                                         .ctx = page });
    return true;
}
