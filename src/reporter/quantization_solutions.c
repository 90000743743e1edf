/*
 * quantization_solutions.c -- ambiguous packing: the same tensors can be read in several ways.
 */
#include "reporter/quantization.h"

/* "4 bits in groups of 64" */
static void say_solution(struct buffer *b, const struct model_solution *s)
{
    if (s->bits) buffer_format(b, "%" PRId64 " bit%s", s->bits, s->bits == 1 ? "" : "s");
    else buffer_text(b, "any number of bits");
    if (s->whole) buffer_text(b, ", one group per row");
    else if (s->group) buffer_format(b, " in groups of %" PRId64, s->group);
}

const char *solutions_text(const struct handle *c, struct arena *a)
{
    struct model_solution s;
    struct buffer b;
    buffer_init(&b, a->memory);
    for (unsigned i = 0; model_solution(c->model, i, &s); i++) {
        if (i) buffer_text(&b, ", or ");
        say_solution(&b, &s);
    }
    return buffer_keep(&b, a);
}

static void solution_row(struct table_row *row, struct cell *c)
{
    const struct handle *model = row->of;
    struct model_solution s;
    if (!model_solution(model->model, (unsigned)row->i, &s)) return;
    c[0] = CELL_T(s.layout);
    if (s.bits) c[1] = CELL_U(CELL_NUMBER, (uint64_t)s.bits);
    if (s.group) c[2] = CELL_U(CELL_NUMBER, (uint64_t)s.group);
    c[3] = CELL_U(CELL_COUNT, s.weights);
}

static const struct table solution_table =
    TABLE("solutions", NULL, SECTION_LIST, TABLE_HIDDEN, solution_row, { "layout", NULL, 0, MADE },
          { "bits", NULL, 0, MADE }, { "group", NULL, 0, MADE }, { "weights", NULL, 0, MADE });

void solutions_section(struct numel_report *r, const struct handle *c)
{
    struct model_solution s;
    size_t n = 0;
    while (c->model->x && model_solution(c->model, (unsigned)n, &s)) n++;
    report_list(r, &solution_table, c, 0, n, c);
}
