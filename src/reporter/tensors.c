/* tensors.c -- the report of `numel tensors`: a line a tensor, a JSON object a line. */
#include "page/report.h"

#include "statement/statement.h"
#include "base/border.h"
#include "base/text.h"

struct tensors {
    const numel_checkpoint *ck;
    uint32_t *order; /* of those that match */
    size_t count;
    struct numel_model *comparison; /* with what the architecture expects: role and class */
};

static const struct column columns[] = {
    { "name", "name", COLUMN_NAME },
    { "dtype", "type", 0 },
    { "shape", "shape", 0 },
    { "elements", "elements", COLUMN_RIGHT },
    { "bytes", "bytes", COLUMN_RIGHT | COLUMN_EXTRA },
    { "offset", "offset", COLUMN_RIGHT | COLUMN_EXTRA },
    { "file", NULL, 0 },
    { NULL, "file", COLUMN_EXTRA },
    { "role", "role", COLUMN_EXTRA },
    { "class", NULL, 0 },
    { "bytes_inferred", NULL, 0 },
    { "ground", NULL, 0 },
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
    if (l->comparison->model->x) {
        uint32_t index = l->order[i], r = l->comparison->model->match.tensors[index].row;
        const struct expansion *x = l->comparison->model->x;
        if (r != NAMES_ABSENT) c[8] = CELL_S(x->sites[x->rows[r].site].role);
        c[9] = CELL_T(match_class(&l->comparison->model->match, index));
    }
    c[11] = CELL_T(ground_text(!l->comparison->model->x
                                   ? GROUND_NONE
                                   : (enum ground)l->comparison->model->match.tensors[l->order[i]].ground));
    c[10] = CELL_U(CELL_BOOL, t->flags & NUMEL_BYTES_INFERRED);
}

static void done(void *ctx) { comparison_free(((struct tensors *)ctx)->comparison); }

static bool make_list(struct numel_report *r, const numel_checkpoint *ck, const numel_view *view,
                      numel_error *e)
{
    struct tensors *l = arena_alloc(&r->arena, sizeof *l);
    uint32_t *order;
    if (!l) return error_nomem(e);
    *l = (struct tensors){ .ck = ck };
    r->done = done;
    r->done_ctx = l;
    l->comparison = comparison_make(ck, view->knowledge, false, r->arena.memory, e);
    if (!l->comparison) return false;
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

numel_rc numel_report_tensors(numel_report **out, const numel_checkpoint *ck, const numel_view *view,
                              numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_knowledge known;
    numel_view seen;
    error_clear(e);
    *out = NULL;
    if (!border_view(&seen, view, e) || !border_knowledge(&known, seen.knowledge, e)) return e->code;
    if (seen.knowledge) seen.knowledge = &known;
    *out = report_new(ck->arena.memory, "numel.tensors/1", e);
    if (*out && !make_list(*out, ck, &seen, e)) {
        numel_report_free(*out);
        *out = NULL;
    }
    return e->code;
}
