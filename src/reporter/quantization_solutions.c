/*
 * quantization_solutions.c -- what nobody decides: the same tensors may be read in several ways.
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

/* clang-format off */
static const struct column solution_columns[] = {
    { "layout", NULL, 0 }, { "bits", NULL, 0 }, { "group", NULL, 0 }, { "weights", NULL, 0 },
};
/* clang-format on */

static void solution_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct handle *model = ctx;
    struct model_solution s;
    (void)depth;
    if (!model_solution(model->model, (unsigned)i, &s)) return;
    c[0] = CELL_T(s.layout);
    if (s.bits) c[1] = CELL_U(CELL_NUMBER, (uint64_t)s.bits);
    if (s.group) c[2] = CELL_U(CELL_NUMBER, (uint64_t)s.group);
    c[3] = CELL_U(CELL_COUNT, s.weights);
}

void solutions_section(struct numel_report *r, const struct handle *c)
{
    struct model_solution s;
    size_t n = 0;
    while (c->model->x && model_solution(c->model, (unsigned)n, &s)) n++;
    report_section(r, &(struct section){ .key = "solutions",
                                         .form = SECTION_LIST,
                                         .columns = solution_columns,
                                         .column_count = sizeof solution_columns / sizeof *solution_columns,
                                         .rows = n,
                                         .row = solution_row,
                                         .ctx = c,
                                         .hidden = true });
}
