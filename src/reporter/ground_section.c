/* ground_section.c -- "ground": what the tensors rest on. Without a formula this is nothing, except for an
 * adapter. */
#include "statement/handle.h"
#include "reporter/sections.h"

struct grounds {
    uint64_t tensors[GROUND_COUNT];
};

static const struct table table =
    TABLE("ground", NULL, SECTION_OBJECT, TABLE_HIDDEN, NULL,
          { "shape", NULL, 0, AT(CELL_COUNT, struct grounds, tensors[GROUND_SHAPE]) },
          { "name", NULL, 0, AT(CELL_COUNT, struct grounds, tensors[GROUND_NAME]) },
          { "none", NULL, 0, AT(CELL_COUNT, struct grounds, tensors[GROUND_NONE]) });

bool ground_section(struct numel_report *r, const struct handle *c, const struct adapter *a, numel_error *e)
{
    struct grounds *g = arena_alloc(&r->arena, sizeof *g);
    if (!g) return error_nomem(e);
    *g = (struct grounds){ { 0 } };
    g->tensors[GROUND_NONE] = c->model->x ? 0 : c->model->ck->registry.count;
    for (int k = 0; c->model->x && k < GROUND_COUNT; k++) g->tensors[k] = c->model->differences.grounds[k];
    for (int k = 0; a && a->type && k < GROUND_COUNT; k++) g->tensors[k] = a->grounds[k];
    report_one(r, &table, g);
    return true;
}
