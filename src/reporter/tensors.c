/* tensors.c -- the report of `numel tensors`: a line a tensor, a JSON object a line. */
#include "page/report.h"

#include "base/border.h"
#include "base/text.h"
#include "reporter/handles.h"

struct tensors {
    const numel_checkpoint *ck;
    uint32_t *order; /* of those that match */
    size_t count;
    const struct model *model; /* what the architecture expects: role and class */
};

static const struct column columns[] = {
    { "name", "name", COLUMN_NAME },
    { "dtype", "type", 0 },
    { "shape", "shape", 0 },
    { "elements", "elements", COLUMN_RIGHT | COLUMN_RANK(5) },
    { "bytes", "bytes", COLUMN_RIGHT | COLUMN_RANK(6) },
    { "offset", "offset", COLUMN_RIGHT | COLUMN_RANK(3) },
    { "file", NULL, 0 },
    { NULL, "file", COLUMN_RANK(1) },
    { "role", "role", COLUMN_RANK(2) },
    { "class", NULL, 0 },
    { "bytes_inferred", NULL, 0 },
    { "ground", NULL, 0 },
    { "logical", NULL, 0 },
    { "layout", NULL, 0 },
};

static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct tensors *l = ctx;
    const numel_tensor *t = &l->ck->registry.tensors[l->order[i]];
    const char *file = l->ck->files[t->file].path;
    (void)depth;
    c[0] = CELL_S(t->name);
    c[1] = CELL_S(text_of(t->dtype->name));
    c[2] = (struct cell){ .kind = CELL_DIMS, .dims = t->dims, .n = t->ndim };
    c[3] = CELL_U(CELL_COUNT, t->elements);
    c[4] = CELL_U(CELL_COUNT, t->bytes);
    c[5] = CELL_U(CELL_NUMBER, t->offset);
    c[6] = CELL_S(text_of(file));
    if (l->ck->file_count > 1) c[7] = CELL_S(text_of(file));
    const struct model_tensor is = model_tensor(l->model, l->order[i]);
    if (is.role.p) c[8] = CELL_S(is.role);
    if (is.known) c[9] = CELL_T(is.class);
    c[11] = CELL_T(ground_text(is.ground));
    if (is.known) c[12] = CELL_U(CELL_COUNT, is.logical);
    if (is.layout) c[13] = CELL_T(is.layout);
    c[10] = CELL_U(CELL_BOOL, t->flags & NUMEL_BYTES_INFERRED);
}

NUMEL_MUST static bool make_list(struct numel_report *r, struct numel_model *c, const numel_view *view,
                                 numel_error *e)
{
    const numel_checkpoint *ck = c->ck;
    struct tensors *l = arena_alloc(&r->arena, sizeof *l);
    uint32_t *order;
    if (!l) return error_nomem(e);
    if (!report_ready(c, e)) return false;
    *l = (struct tensors){ .ck = ck, .model = c->model };
    if (!registry_order(&ck->registry, view->sort, &order, e)) return false;
    for (size_t i = 0; i < ck->registry.count; i++)
        if (!view->match || text_glob(view->match, ck->registry.tensors[order[i]].name)) {
            r->quiet += ck->registry.tensors[order[i]].elements;
            order[l->count++] = order[i];
        }
    l->order = arena_copy(&r->arena, order, l->count * sizeof *order);
    memory_release(ck->registry.memory, order);
    if (!l->order) return error_nomem(e);
    report_section(r, &(struct section){ .form = SECTION_LINES,
                                         .columns = columns,
                                         .column_count = sizeof columns / sizeof *columns,
                                         .rows = l->count,
                                         .headed = true,
                                         .row = row,
                                         .ctx = l });
    return true;
}

numel_rc numel_report_tensors(numel_report **out, numel_model *c, const numel_view *view, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_view seen;
    error_clear(e);
    *out = NULL;
    if (!border_view(&seen, view, e) || !report_has_checkpoint(c, e)) return e->code;
    *out = report_new(c->memory, "numel.tensors/1", e);
    return report_made(out, *out && make_list(*out, c, &seen, e), e);
}
