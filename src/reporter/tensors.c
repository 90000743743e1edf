/* tensors.c -- the report of `numel tensors`: a line of text, or of JSON, for each tensor. */
#include "page/report.h"

#include <string.h>

#include "adapter/adapter.h"
#include "base/border.h"
#include "base/text.h"
#include "reporter/handles.h"
#include "subject/parts.h"
#include "reporter/judged_text.h"

struct tensors {
    const numel_checkpoint *ck;
    uint32_t *order; /* indices of matching tensors */
    size_t count;
    numel_str *parts;             /* a component's tensors, "unet.conv_in.weight"; else NULL */
    struct single_parts *several; /* the models of a single file; NULL if it has one */
    struct handle **models;       /* of its components */
    size_t model_count;
    uint32_t *place;               /* of each tensor: its component; then its index in it */
    const struct model *model;     /* the architecture's: roles and classes */
    const struct adapter *adapter; /* has no architecture; type NULL for a model */
    struct judged_text judged;
};

static const struct column columns[] = {
    { "name", NULL, 0, MADE },
    { NULL, "name", COLUMN_NAME, MADE },
    { "dtype", "type", COLUMN_TYPE, MADE },
    { "shape", "shape", 0, MADE },
    { "elements", "elements", COLUMN_RIGHT | COLUMN_RANK(5), MADE },
    { "bytes", "bytes", COLUMN_RIGHT | COLUMN_RANK(6), MADE },
    { "offset", "offset", COLUMN_RIGHT | COLUMN_RANK(3), MADE },
    { "file", NULL, 0, MADE },
    { NULL, "file", COLUMN_RANK(1), MADE },
    { "role", "role", COLUMN_RANK(2) | COLUMN_ROLE, MADE },
    { "class", NULL, 0, MADE },
    { "bytes_inferred", NULL, 0, MADE },
    { "ground", NULL, 0, MADE },
    { "logical", NULL, 0, MADE },
    { "layout", NULL, 0, MADE },
    { "judgement", NULL, 0, MADE }, /* of the checkpoint, in the first line only */
    { "component", NULL, 0, MADE }, /* last: omitted for a single model */
};

enum { JUDGEMENT = 15, COLUMN_ALL = sizeof columns / sizeof *columns };

/* Nothing is expected of tensors outside all components. */
static struct model_tensor tensor_is(const struct tensors *l, uint32_t i)
{
    if (!l->several && l->adapter->type) return (struct model_tensor){ .ground = l->adapter->rests[i] };
    if (!l->several) return model_tensor(l->model, i);
    uint32_t part = l->place[i], at = l->place[l->ck->registry.count + i];
    if (part < l->model_count) return model_tensor(l->models[part]->model, at);
    return (struct model_tensor){ .ground = l->several->items[part].kind == SINGLE_BUFFERS ? GROUND_SHAPE
                                                                                           : GROUND_NONE };
}

static void fill_row(struct table_row *row, struct cell *c)
{
    const struct tensors *l = row->of;
    uint32_t n = *(const uint32_t *)row->item;
    const numel_tensor *t = &l->ck->registry.tensors[n];
    const char *file = l->ck->files[t->file].path;
    c[0] = CELL_S(t->name);
    c[1] = CELL_S(l->parts ? l->parts[n] : t->name);
    c[2] = CELL_S(text_of(t->dtype->name));
    c[3] = (struct cell){ .kind = CELL_DIMS, .dims = t->dims, .n = t->ndim };
    c[4] = CELL_U(CELL_COUNT, t->elements);
    c[5] = CELL_U(CELL_COUNT, t->bytes);
    if (t->offset != NUMEL_NOWHERE) c[6] = CELL_U(CELL_NUMBER, t->offset); /* else joined of slices */
    c[7] = CELL_S(text_of(file));
    if (l->ck->file_count > 1) c[8] = CELL_S(text_of(file));
    const struct model_tensor is = tensor_is(l, n);
    if (is.role.p) c[9] = CELL_S(is.role);
    if (is.known) c[10] = CELL_T(is.class);
    c[11] = CELL_U(CELL_BOOL, t->flags & NUMEL_BYTES_INFERRED);
    c[12] = CELL_T(ground_text(is.ground));
    if (is.known) c[13] = CELL_U(CELL_COUNT, is.logical);
    if (is.layout) c[14] = CELL_T(is.layout);
    if (l->ck->part) c[16] = CELL_S(text_of(l->ck->part));
    if (l->several) c[16] = CELL_S(text_of(l->several->items[l->place[n]].ck->part));
}

/* A line of JSON. */
static void record(struct table_row *at, struct cell *c)
{
    fill_row(at, c);
    if (at->i == 0) c[JUDGEMENT] = judged_cell(&((struct tensors *)(uintptr_t)at->of)->judged);
    else c[JUDGEMENT].kind = CELL_ABSENT;
}

static const char *pattern_of(const numel_view *view, size_t i)
{
    return i < view->match_count ? view->matches[i] : view->match;
}

/* Does a pattern match the name? All are tried, and those that match are noted in hit[]. `full` is the
 * name with its component in front, or the same name. */
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

/* In the folder of a multi-part model, the names of tensors begin with their component. */
NUMEL_MUST static bool name_parts(struct numel_report *r, struct tensors *l, numel_error *e)
{
    const struct registry *all = &l->ck->registry;
    if (!l->ck->part) return true;
    l->parts = arena_alloc(&r->arena, (all->count + 1) * sizeof *l->parts);
    if (!l->parts) return error_nomem(e);
    for (size_t i = 0; i < all->count; i++) {
        l->parts[i] = arena_join(&r->arena, text_of(l->ck->part), text_of("."), all->tensors[i].name);
        if (!l->parts[i].p) return error_nomem(e);
    }
    return true;
}

static size_t count_matches(const struct registry *all, const char *pattern)
{
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++) n += text_search(pattern, all->tensors[i].name);
    return n;
}

/* Without a message, no match would look like a checkpoint without tensors. A pattern with wildcards must
 * match the whole name, while its author often means a part of it. */
NUMEL_MUST static const char *unmatched_text(const struct registry *all, const char *pattern, struct arena *a)
{
    size_t n = strlen(pattern);
    bool glob = strpbrk(pattern, "*?[") != NULL, open = pattern[0] == '*', end = n && pattern[n - 1] == '*';
    const char *wider = arena_format(a, "%s%s%s", open ? "" : "*", pattern, end ? "" : "*");
    size_t others = glob && wider ? count_matches(all, wider) : 0;
    if (!wider) return NULL;
    if (others)
        return arena_format(a, "no complete name matches '%s'; '%s' matches %zu", pattern, wider, others);
    return arena_format(a, "none of its %zu tensor names %s '%s'", all->count, glob ? "matches" : "contains",
                        pattern);
}

/* A pattern that one component lacks may match in another. */
NUMEL_MUST static bool answer_patterns(struct numel_report *r, const struct tensors *l,
                                       const numel_view *view, const bool *hit, size_t n, numel_error *e)
{
    struct report_answer *all = arena_alloc(&r->arena, n * sizeof *all);
    if (!all) return error_nomem(e);
    for (size_t i = 0; i < n; i++) {
        all[i].verdict = hit[i] ? NUMEL_AGREES : l->parts ? NUMEL_IN_PART : NUMEL_DISAGREES;
        all[i].text = hit[i] ? "" : unmatched_text(&l->ck->registry, pattern_of(view, i), &r->arena);
        if (!all[i].text) return error_nomem(e);
        r->disagrees |= all[i].verdict == NUMEL_DISAGREES;
    }
    r->answers = all;
    r->answer_count = n;
    return true;
}

/* Keeps the matching tensors in order[], and adds up their elements. */
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
        if (!is_wanted(view, patterns, hit, t->name, l->parts ? l->parts[order[i]] : t->name)) continue;
        r->quiet += t->elements;
        order[l->count++] = order[i];
    }
    return !patterns || answer_patterns(r, l, view, hit, patterns, e);
}

/* ---- one file that is several models ------------------------------------------------------ */

static void done(void *ctx)
{
    struct tensors *l = ctx;
    for (size_t i = 0; i < l->model_count; i++) handle_free(l->models[i]);
    single_close(l->several);
}

/* Finds the component of each tensor of the file. */
NUMEL_MUST static bool find_places(struct numel_report *r, struct tensors *l, numel_error *e)
{
    size_t n = l->ck->registry.count;
    l->place = arena_alloc(&r->arena, (2 * n + 1) * sizeof *l->place);
    if (!l->place) return error_nomem(e);
    for (uint32_t p = 0; p < l->several->count; p++) {
        const numel_checkpoint *ck = l->several->items[p].ck;
        for (uint32_t k = 0; k < ck->registry.count; k++)
            l->place[ck->whole[k]] = p, l->place[n + ck->whole[k]] = k;
    }
    return true;
}

NUMEL_MUST static bool make_several(struct numel_report *r, struct tensors *l, struct handle *c,
                                    numel_error *e)
{
    if (!parts_open(&l->several, l->ck, &c->knowledge, c->memory, e)) return false;
    if (!l->several) return true;
    l->models = arena_alloc(&r->arena, (l->several->models + 1) * sizeof *l->models);
    if (!l->models) return error_nomem(e);
    while (l->model_count < l->several->models) {
        const numel_checkpoint *ck = l->several->items[l->model_count].ck;
        struct handle *model = handle_new(ck, NULL, &c->knowledge, c->search, c->memory, e);
        if (!model) return false;
        l->models[l->model_count++] = model;
        if (!report_ready(model, e)) return false;
    }
    return find_places(r, l, e);
}

NUMEL_MUST static bool make_list(struct numel_report *r, numel_subject *s, const numel_view *view,
                                 numel_error *e)
{
    const numel_checkpoint *ck = s->ck;
    struct handle *c = s->handle;
    struct tensors *l = arena_alloc(&r->arena, sizeof *l);
    uint32_t *order;
    if (!l) return error_nomem(e);
    *l = (struct tensors){ .ck = ck, .judged = { .ck = ck, .subject = s, .report = r } };
    r->done = done;
    r->done_ctx = l;
    if (!make_several(r, l, c, e) || (!l->several && !report_ready(c, e))) return false;
    l->model = c->model;
    if (!(l->adapter = adapter_whole_of(c, e))) return false;
    if (!name_parts(r, l, e)) return false;
    if (!registry_order(&ck->registry, view->sort, &order, e)) return false;
    bool ok = select_wanted(r, l, order, view, e);
    if (ok) l->order = arena_copy(&r->arena, order, l->count * sizeof *order);
    memory_release(ck->registry.memory, order);
    if (!l->order) return ok ? error_nomem(e) : false;
    struct table lines = TABLE_OF(NULL, NULL, SECTION_LINES, TABLE_HIDDEN, record, columns);
    struct table table = TABLE_OF(NULL, NULL, SECTION_LIST, TABLE_HEADED | TABLE_FILLED, fill_row, columns);
    if (!ck->part && !l->several) lines.column_count = table.column_count = COLUMN_ALL - 1;
    report_list(r, &lines, ROWS(l->order, l->count), l);
    report_list(r, &table, ROWS(l->order, l->count), l);
    return true;
}

numel_rc numel_report_tensors(numel_report **out, numel_subject *s, const numel_view *view,
                              numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_view seen;
    *out = NULL;
    struct handle *c = border_view(&seen, view, e) ? subject_stored(s, e) : NULL;
    *out = c ? report_new(c->memory, "numel.tensors/1", e) : NULL;
    return report_made(out, *out && make_list(*out, s, &seen, e), e);
}
