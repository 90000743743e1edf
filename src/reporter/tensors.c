/* tensors.c -- the report of `numel tensors`: one line per tensor, a JSON object a line. */
#include "page/report.h"

#include <string.h>

#include "base/border.h"
#include "base/text.h"
#include "reporter/handles.h"

struct tensors {
    const numel_checkpoint *ck;
    uint32_t *order; /* of those that match */
    size_t count;
    const numel_str *full;     /* of a component, its tensors: as the file of several models has them, or
                            * "unet.conv_in.weight" where it is a folder; NULL: it is none */
    const struct model *model; /* what the architecture expects: role and class */
};

static const struct column columns[] = {
    { "name", NULL, 0 },
    { NULL, "name", COLUMN_NAME },
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
    { "component", NULL, 0 }, /* the last: left out where a model stands alone */
};

static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct tensors *l = ctx;
    const numel_tensor *t = &l->ck->registry.tensors[l->order[i]];
    const char *file = l->ck->files[t->file].path;
    (void)depth;
    numel_str full = l->full ? l->full[l->order[i]] : t->name;
    c[0] = CELL_S(l->ck->full ? full : t->name);
    c[1] = CELL_S(full);
    c[2] = CELL_S(text_of(t->dtype->name));
    c[3] = (struct cell){ .kind = CELL_DIMS, .dims = t->dims, .n = t->ndim };
    c[4] = CELL_U(CELL_COUNT, t->elements);
    c[5] = CELL_U(CELL_COUNT, t->bytes);
    c[6] = CELL_U(CELL_NUMBER, t->offset);
    c[7] = CELL_S(text_of(file));
    if (l->ck->file_count > 1) c[8] = CELL_S(text_of(file));
    const struct model_tensor is = model_tensor(l->model, l->order[i]);
    if (is.role.p) c[9] = CELL_S(is.role);
    if (is.known) c[10] = CELL_T(is.class);
    c[11] = CELL_U(CELL_BOOL, t->flags & NUMEL_BYTES_INFERRED);
    c[12] = CELL_T(ground_text(is.ground));
    if (is.known) c[13] = CELL_U(CELL_COUNT, is.logical);
    if (is.layout) c[14] = CELL_T(is.layout);
    if (l->ck->part) c[15] = CELL_S(text_of(l->ck->part));
}

bool numel_matches(const char *pattern, numel_str name) { return text_search(pattern, name); }

static const char *pattern_of(const numel_view *view, size_t i)
{
    return i < view->match_count ? view->matches[i] : view->match;
}

/* Which patterns have matched a name is noted in hit[]; all of them are tried on each. `full`: with its component in
 * front, or the same. */
static bool is_wanted(const numel_view *view, size_t patterns, bool *hit, numel_str name, numel_str full)
{
    bool any = patterns == 0;
    for (size_t i = 0; i < patterns; i++) {
        const char *pattern = pattern_of(view, i);
        if (!text_search(pattern, name) && !text_search(pattern, full)) continue;
        hit[i] = any = true;
    }
    return any;
}

/* In a folder of several models their tensors' names begin with the component's; in a file they are as it has them. */
NUMEL_MUST static bool name_parts(struct numel_report *r, struct tensors *l, numel_error *e)
{
    const struct registry *all = &l->ck->registry;
    l->full = l->ck->full;
    if (!l->ck->part || l->full) return true;
    numel_str *full = arena_alloc(&r->arena, (all->count + 1) * sizeof *full);
    if (!full) return error_nomem(e);
    for (size_t i = 0; i < all->count; i++) {
        full[i] = arena_join(&r->arena, text_of(l->ck->part), text_of("."), all->tensors[i].name);
        if (!full[i].p) return error_nomem(e);
    }
    l->full = full;
    return true;
}

/* Leaves in order[] what is wanted, and says how much. */
NUMEL_MUST static bool select_wanted(struct numel_report *r, struct tensors *l, uint32_t *order,
                                     const numel_view *view, numel_error *e)
{
    const struct registry *all = &l->ck->registry;
    size_t patterns = view->match_count + (view->match != NULL);
    bool *hit = arena_alloc(&r->arena, patterns + 1);
    if (!hit) return error_nomem(e);
    memset(hit, 0, patterns + 1);
    for (size_t i = 0; i < all->count; i++) {
        const numel_tensor *t = &all->tensors[order[i]];
        if (!is_wanted(view, patterns, hit, t->name, l->full ? l->full[order[i]] : t->name)) continue;
        r->quiet += t->elements;
        order[l->count++] = order[i];
    }
    for (size_t i = 0; i < patterns && !l->full; i++)
        r->disagrees |= !hit[i]; /* another component may have it */
    return true;
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
    if (!name_parts(r, l, e)) return false;
    if (!registry_order(&ck->registry, view->sort, &order, e)) return false;
    bool ok = select_wanted(r, l, order, view, e);
    if (ok) l->order = arena_copy(&r->arena, order, l->count * sizeof *order);
    memory_release(ck->registry.memory, order);
    if (!l->order) return ok ? error_nomem(e) : false;
    report_section(r, &(struct section){ .form = SECTION_LINES,
                                         .columns = columns,
                                         .column_count = sizeof columns / sizeof *columns - !ck->part,
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
