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
    return true;
}

const char *quantization_line(const struct numel_model *c, struct arena *a)
{
    const struct model_packing p = model_packing(c->model);
    char n[TEXT_NUMBER];
    if (!c->model->x || !p.layout) return NULL;
    const char *bits = bits_per_weight(&p, a);
    return arena_format(a, "%s (%s), %s weight%s%s%s%s", p.layout, p.choice, text_number(n, p.weights),
                        p.weights == 1 ? "" : "s", bits ? ", " : "", bits ? bits : "",
                        bits ? " bits a weight" : "");
}
