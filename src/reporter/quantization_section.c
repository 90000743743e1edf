/* quantization_section.c -- how the weights are stored, as their shapes prove it. */
#include "statement/handle.h"
#include "reporter/sections.h"

/* clang-format off */
static const struct column columns[] = {
    { "method", NULL, 0 }, { "bits", NULL, 0 },            { "group", NULL, 0 },
    { "layout", NULL, 0 }, { "bits_per_weight", NULL, 0 }, { "weights", NULL, 0 },
    { "from", NULL, 0 },
};
/* clang-format on */

/* "4.15", of integers: hundredths of a bit. */
static const char *bits_per_weight(const struct model_packing *p, struct arena *a)
{
    uint64_t most = UINT64_MAX / 800;
    if (!p->elements || p->bytes > most) return NULL;
    uint64_t n = (p->bytes * 800 + p->elements / 2) / p->elements;
    return arena_format(a, "%" PRIu64 ".%02" PRIu64, n / 100, n % 100);
}

struct quantization {
    struct model_packing packing;
    const char *bits_per_weight;
};

static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct quantization *q = ctx;
    const struct model_packing *p = &q->packing;
    (void)i, (void)depth;
    if (p->method) c[0] = CELL_T(p->method);
    if (p->bits) c[1] = CELL_U(CELL_NUMBER, (uint64_t)p->bits);
    if (p->group) c[2] = CELL_U(CELL_NUMBER, (uint64_t)p->group);
    if (p->layout) c[3] = CELL_T(p->layout);
    if (q->bits_per_weight) c[4] = CELL_T(q->bits_per_weight);
    c[5] = CELL_U(CELL_COUNT, p->weights);
    c[6] = CELL_T(p->method ? "config.json" : "names");
}

/* ---- what nobody decides ---------------------------------------------------------------------- */

/* "4 bits in groups of 64" */
static void say_solution(struct buffer *b, const struct model_solution *s)
{
    if (s->bits) buffer_format(b, "%" PRId64 " bit%s", s->bits, s->bits == 1 ? "" : "s");
    else buffer_text(b, "any number of bits");
    if (s->whole) buffer_text(b, ", a group a row");
    else if (s->group) buffer_format(b, " in groups of %" PRId64, s->group);
}

const char *solutions_text(const struct numel_model *c, struct arena *a)
{
    struct model_solution s;
    struct buffer b;
    buffer_init(&b, a->memory);
    for (unsigned i = 0; model_solution(c->model, i, &s); i++) {
        if (i) buffer_text(&b, ", or ");
        say_solution(&b, &s);
    }
    const char *text = b.failed ? NULL : arena_text(a, b.p, b.n);
    buffer_done(&b);
    return text;
}

/* clang-format off */
static const struct column solution_columns[] = {
    { "layout", NULL, 0 }, { "bits", NULL, 0 }, { "group", NULL, 0 }, { "weights", NULL, 0 },
};
/* clang-format on */

static void solution_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct numel_model *model = ctx;
    struct model_solution s;
    (void)depth;
    if (!model_solution(model->model, (unsigned)i, &s)) return;
    c[0] = CELL_T(s.layout);
    if (s.bits) c[1] = CELL_U(CELL_NUMBER, (uint64_t)s.bits);
    if (s.group) c[2] = CELL_U(CELL_NUMBER, (uint64_t)s.group);
    c[3] = CELL_U(CELL_COUNT, s.weights);
}

static void solution_section(struct numel_report *r, const struct numel_model *c)
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

/* ---- all of it -------------------------------------------------------------------------------- */

bool quantization_section(struct numel_report *r, const struct numel_model *c, numel_error *e)
{
    const struct model_packing p = model_packing(c->model);
    struct quantization *q = arena_alloc(&r->arena, sizeof *q);
    bool none = !c->model->x || (!p.method && !p.weights);
    if (!q) return error_nomem(e);
    *q = (struct quantization){ p, none ? NULL : bits_per_weight(&p, &r->arena) };
    report_section(r, &(struct section){ .key = "quantization",
                                         .form = SECTION_OBJECT,
                                         .columns = columns,
                                         .column_count = sizeof columns / sizeof *columns,
                                         .rows = 1,
                                         .row = row,
                                         .ctx = q,
                                         .null = none,
                                         .hidden = true });
    solution_section(r, c);
    return true;
}

const char *quantization_line(const struct numel_model *c, struct arena *a)
{
    const struct model_packing p = model_packing(c->model);
    char n[TEXT_NUMBER];
    if (!c->model->x || !p.layout) return NULL;
    const char *bits = bits_per_weight(&p, a), *choice = p.open ? solutions_text(c, a) : p.choice;
    if (!choice) return NULL;
    return arena_format(a, "%s (%s), %s weight%s%s%s%s", p.layout, choice, text_number(n, p.weights),
                        p.weights == 1 ? "" : "s", bits ? ", " : "", bits ? bits : "",
                        bits ? " bits a weight" : "");
}
