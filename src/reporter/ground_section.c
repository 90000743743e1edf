/* ground_section.c -- "ground": on what the tensors rest; without a formula all on nothing, unless they are an adapter's. */
#include "statement/handle.h"
#include "reporter/sections.h"

struct grounds {
    uint64_t tensors[GROUND_COUNT];
};

static const struct column columns[] = { { "shape", NULL, 0 }, { "name", NULL, 0 }, { "none", NULL, 0 } };

static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct grounds *g = ctx;
    (void)i, (void)depth;
    c[0] = CELL_U(CELL_COUNT, g->tensors[GROUND_SHAPE]);
    c[1] = CELL_U(CELL_COUNT, g->tensors[GROUND_NAME]);
    c[2] = CELL_U(CELL_COUNT, g->tensors[GROUND_NONE]);
}

bool ground_section(struct numel_report *r, const struct handle *c, const struct adapter *a, numel_error *e)
{
    struct grounds *g = arena_alloc(&r->arena, sizeof *g);
    if (!g) return error_nomem(e);
    *g = (struct grounds){ { 0 } };
    g->tensors[GROUND_NONE] = c->model->x ? 0 : c->model->ck->registry.count;
    for (int k = 0; c->model->x && k < GROUND_COUNT; k++) g->tensors[k] = c->model->differences.grounds[k];
    for (int k = 0; a && a->type && k < GROUND_COUNT; k++) g->tensors[k] = a->grounds[k];
    report_section(r, &(struct section){ .key = "ground",
                                         .form = SECTION_OBJECT,
                                         .hidden = true,
                                         .columns = columns,
                                         .column_count = 3,
                                         .rows = 1,
                                         .row = row,
                                         .ctx = g });
    return true;
}
