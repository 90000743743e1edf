/*
 * pytorch_walk.c -- the tensors of an object: those of dicts, lists and tuples in one another, named by their
 * keys with dots between.
 *
 * A training checkpoint has its weights in a dict of its own, next to the optimizer's states. As converters to
 * safetensors do, the names of that dict stand for themselves; what is beside it keeps its path. A container
 * is read where it is met first, so one that contains itself, or is met a million times, costs its bytes once.
 */
#include "reader/pytorch_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "reader/pickle_imports.h"

/* Keys of dicts of weights, the first of them counts. */
static const char *const models[] = { "state_dict", "model_state_dict", "model", "module",
                                      "net",        "params_ema",       "params" };

enum { SCALARS = 256, SCALAR_DEPTH = 4, SCALAR_BYTES = 4096 };

NUMEL_MUST static bool walk(struct torch *t, const struct pickle_value *v);

/* Classes that are dicts. */
static bool is_dict(const struct pickle_object *x)
{
    const struct pickle_global *g = torch_callee(&x->callee);
    return g && ((text_equal(g->module, "collections") &&
                  text_lists(text_of("OrderedDict defaultdict Counter"), g->name)) ||
                 ((text_equal(g->module, "builtins") || text_equal(g->module, "__builtin__")) &&
                  text_equal(g->name, "dict")));
}

/* The items of a dict; NULL if it is none. */
static struct pickle_items *dict_of(const struct pickle_value *v)
{
    if (v->kind == PICKLE_DICT) return v->items;
    if (v->kind != PICKLE_OBJECT || !is_dict(v->object) || !v->object->given) return NULL;
    return &v->object->given->items;
}

/* ---- the dict of the weights -------------------------------------------------------------- */

/* A tensor without dimensions is a number: a loss, a step. */
static bool is_number(const struct pickle_object *x)
{
    const struct pickle_tuple *a = x->args.kind == PICKLE_TUPLE ? x->args.tuple : NULL;
    return torch_form(x) == TORCH_TENSOR && a && a->n > 2 && a->items[2].kind == PICKLE_TUPLE &&
           a->items[2].tuple->n == 0;
}

static bool has_tensors(const struct pickle_items *d)
{
    for (const struct pickle_item *x = d->first; x; x = x->next)
        if (x->value.kind == PICKLE_OBJECT && torch_form(x->value.object) != TORCH_NOTHING &&
            !is_number(x->value.object))
            return true;
    return false;
}

static const struct pickle_items *chosen(const struct pickle_items *root, const char *key)
{
    for (const struct pickle_item *x = root->first; x; x = x->next) {
        bool is = x->key.kind == PICKLE_TEXT && text_equal(pickle_text(&x->key), key);
        const struct pickle_items *d = is ? dict_of(&x->value) : NULL;
        if (d && has_tensors(d)) return d;
    }
    return NULL;
}

void torch_choose(struct torch *t, const struct pickle_value *root)
{
    const struct pickle_items *d = dict_of(root);
    t->model = NULL;
    if (!d || has_tensors(d)) return;
    for (size_t i = 0; !t->model && i < sizeof models / sizeof *models; i++) t->model = chosen(d, models[i]);
}

/* ---- paths -------------------------------------------------------------------------------- */

NUMEL_MUST static bool too_deep(struct torch *t)
{
    return error_set(t->r->error, NUMEL_E_LIMIT, t->at,
                     "the pickle has values in one another, more than %d deep", TORCH_DEPTH);
}

/* Walks a value under one more part of the path. */
NUMEL_MUST static bool step(struct torch *t, numel_str part, const struct pickle_value *v)
{
    size_t was = t->length;
    if (t->hidden) return walk(t, v);
    numel_str all =
        text_join(t->path + was, sizeof t->path - was, text_of(was ? "." : ""), part, text_of(""));
    if (!all.p && pickle_plain(v)) return true;
    if (!all.p)
        return error_set(t->r->error, NUMEL_E_LIMIT, t->at, "a name has more than %d bytes", TORCH_NAME);
    t->length += all.n;
    bool ok = walk(t, v);
    t->length = was;
    return ok;
}

NUMEL_MUST static bool step_number(struct torch *t, uint64_t i, const struct pickle_value *v)
{
    char digits[TEXT_DECIMAL];
    return step(t, text_decimal(digits, (int64_t)i), v);
}

NUMEL_MUST static bool step_key(struct torch *t, const struct pickle_value *key, uint64_t i,
                                const struct pickle_value *v)
{
    numel_str text = pickle_text(key);
    if (key->kind == PICKLE_INT && key->number >= 0) return step_number(t, (uint64_t)key->number, v);
    if (key->kind != PICKLE_TEXT && key->kind != PICKLE_BYTES) return step_number(t, i, v);
    bool inside = text.p >= t->code.p && text.p < t->code.p + t->code.n;
    if (inside) t->at = t->origin + (uint64_t)(text.p - t->code.p);
    return step(t, text, v);
}

/* ---- values ------------------------------------------------------------------------------- */

/* Keeps a number or a text of a training checkpoint as metadata. */
NUMEL_MUST static bool keep_scalar(struct torch *t, const struct pickle_value *v)
{
    static const enum metadata_type types[] = { [PICKLE_BOOL] = META_BOOL,
                                                [PICKLE_INT] = META_I64,
                                                [PICKLE_FLOAT] = META_F64,
                                                [PICKLE_TEXT] = META_STRING };
    struct reading *r = t->r;
    uint32_t known;
    bool kept = v->kind >= PICKLE_BOOL && v->kind <= PICKLE_TEXT && t->length && !t->hidden;
    if (!kept || t->depth > SCALAR_DEPTH || v->n > SCALAR_BYTES || t->scalars++ >= SCALARS) return true;
    struct metadata_entry e = { .key = { arena_copy(r->arena, t->path, t->length), t->length },
                                .type = types[v->kind],
                                .offset = t->at,
                                .file = r->number };
    e.value.type = e.type;
    if (v->kind == PICKLE_FLOAT) e.value.f = v->real;
    else if (v->kind == PICKLE_TEXT) e.value.s = (numel_str){ arena_copy(r->arena, v->text, v->n), v->n };
    else e.value.i = v->number;
    if (!e.key.p || (v->kind == PICKLE_TEXT && !e.value.s.p)) return error_nomem(r->error);
    return reading_key(r, &e, &known);
}

NUMEL_MUST static bool walk_tuple(struct torch *t, struct pickle_tuple *x)
{
    if (x->seen) return true;
    x->seen = true;
    for (uint32_t i = 0; i < x->n; i++)
        if (!pickle_plain(&x->items[i]) && !step_number(t, i, &x->items[i])) return false;
    return true;
}

NUMEL_MUST static bool walk_items(struct torch *t, struct pickle_items *x)
{
    uint64_t i = 0;
    size_t was = t->length;
    if (x->seen) return true;
    x->seen = true;
    if (x == t->model) t->length = 0;
    for (const struct pickle_item *p = x->first; p; p = p->next, i++) {
        if (!step_key(t, &p->key, i, &p->value)) return false;
    }
    t->length = was;
    return true;
}

/* Puts an object that needs code aside: what it contains is counted when all else is read. */
NUMEL_MUST static bool put_aside(struct torch *t, struct pickle_object *x)
{
    const struct pickle_global *g = torch_callee(&x->callee);
    char path[TEXT_QUOTE], name[TEXT_QUOTE];
    struct torch_object *aside = arena_alloc(torch_arena(t), sizeof *aside);
    if (!aside) return error_nomem(t->r->error);
    *aside = (struct torch_object){ x, NULL };
    *t->last = aside;
    t->last = &aside->next;
    if (t->hidden || t->object_count++ >= TORCH_OBJECTS) return true;
    numel_str full =
        g ? arena_join(torch_arena(t), g->module, text_of("."), g->name) : text_of("a computed name");
    if (!full.p) return error_nomem(t->r->error);
    text_format(t->named[t->object_count - 1], sizeof t->named[0], "%.50s%s%.60s",
                t->length ? text_bare(path, (numel_str){ t->path, t->length }) : "", t->length ? " is " : "",
                text_bare(name, full));
    return true;
}

/* What was given to an object that is no tensor: arguments, state, items. */
NUMEL_MUST static bool walk_parts(struct torch *t, struct pickle_object *x)
{
    return walk(t, &x->args) && (!x->given || (walk(t, &x->given->state) && walk_items(t, &x->given->items)));
}

/* OrderedDict([(key, value), ...]), as Python 2 wrote it. */
NUMEL_MUST static bool walk_pairs(struct torch *t, const struct pickle_object *x)
{
    const struct pickle_tuple *args = x->args.kind == PICKLE_TUPLE ? x->args.tuple : NULL;
    if (!args || !args->n || args->items[0].kind != PICKLE_LIST) return true;
    uint64_t i = 0;
    for (const struct pickle_item *p = args->items[0].items->first; p; p = p->next, i++) {
        const struct pickle_items *pair = p->value.kind == PICKLE_LIST ? p->value.items : NULL;
        const struct pickle_tuple *two = p->value.kind == PICKLE_TUPLE ? p->value.tuple : NULL;
        if (two && two->n == 2 && !step_key(t, &two->items[0], i, &two->items[1])) return false;
        if (pair && pair->count == 2 && pair->first && pair->first->next &&
            !step_key(t, &pair->first->value, i, &pair->first->next->value))
            return false;
    }
    return true;
}

/* _rebuild_from_type_v2(function, type, arguments, state) */
NUMEL_MUST static bool walk_typed(struct torch *t, struct pickle_object *x)
{
    const struct pickle_tuple *a =
        x->args.kind == PICKLE_TUPLE && x->args.tuple->n >= 3 ? x->args.tuple : NULL;
    const struct pickle_global *type = a ? torch_callee(&a->items[1]) : NULL;
    struct pickle_object *made = arena_zeroed(torch_arena(t), sizeof *made);
    if (!made) return error_nomem(t->r->error);
    if (!type) return put_aside(t, x);
    if (pickle_judge(type->module, type->name) != PICKLE_KNOWN) {
        made->callee = a->items[1]; /* a subclass: its code decides what the tensor is */
        made->args = x->args;
        return put_aside(t, made);
    }
    made->callee = a->items[0];
    made->args = a->items[2];
    return walk(t, &(struct pickle_value){ .kind = PICKLE_OBJECT, .object = made });
}

/* Layouts of sparse tensors, and the names of the tensors that are stored. */
static const char *const layouts[][4] = { { "sparse_coo", "indices", "values" },
                                          { "sparse_csr", "crow_indices", "col_indices", "values" },
                                          { "sparse_bsr", "crow_indices", "col_indices", "values" },
                                          { "sparse_csc", "ccol_indices", "row_indices", "values" },
                                          { "sparse_bsc", "ccol_indices", "row_indices", "values" } };

/* The row of torch.sparse_csr, since torch 1.13 _get_layout('torch.sparse_csr'); NULL if there is none. */
static const char *const *layout_of(const struct pickle_value *v)
{
    if (v->kind == PICKLE_OBJECT && v->object->args.kind == PICKLE_TUPLE && v->object->args.tuple->n == 1)
        v = v->object->args.tuple->items;
    numel_str name = v->kind == PICKLE_GLOBAL ? v->global->name
                     : v->kind == PICKLE_TEXT ? pickle_text(v)
                                              : text_of("");
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (text_ends(name, layouts[i][0])) return layouts[i];
    return NULL;
}

/* _rebuild_sparse_tensor(layout, (indices, values, size, ...)) */
NUMEL_MUST static bool walk_sparse(struct torch *t, struct pickle_object *x)
{
    const struct pickle_tuple *a =
        x->args.kind == PICKLE_TUPLE && x->args.tuple->n > 1 ? x->args.tuple : NULL;
    struct pickle_tuple *parts = a && a->items[1].kind == PICKLE_TUPLE ? a->items[1].tuple : NULL;
    const char *const *layout = parts ? layout_of(a->items) : NULL;
    if (!layout) return put_aside(t, x);
    if (parts->seen) return true;
    parts->seen = true;
    for (size_t i = 0; i + 1 < 4 && layout[i + 1] && i < parts->n; i++)
        if (!step(t, text_of(layout[i + 1]), &parts->items[i])) return false;
    return true;
}

NUMEL_MUST static bool walk_object(struct torch *t, struct pickle_object *x)
{
    const struct pickle_global *g = torch_callee(&x->callee);
    bool args = x->args.kind == PICKLE_TUPLE && x->args.tuple->n > 0;
    switch (torch_form(x)) {
    case TORCH_TENSOR: return torch_add(t, x);
    case TORCH_TYPED: return walk_typed(t, x);
    case TORCH_WRAPPED: return !args || walk(t, &x->args.tuple->items[0]);
    case TORCH_SPARSE: return walk_sparse(t, x);
    case TORCH_BARE: return t->bare++, true;
    case TORCH_NOTHING: break;
    }
    if (x->seen) return true;
    x->seen = true;
    if (is_dict(x)) return (!x->given || walk_items(t, &x->given->items)) && walk_pairs(t, x);
    if (g && pickle_judge(g->module, g->name) == PICKLE_KNOWN) return walk_parts(t, x);
    return put_aside(t, x);
}

NUMEL_MUST static bool walk_value(struct torch *t, const struct pickle_value *v)
{
    uint32_t storage;
    uint64_t view;
    switch (v->kind) {
    case PICKLE_TUPLE: return walk_tuple(t, v->tuple);
    case PICKLE_LIST:
    case PICKLE_DICT: return walk_items(t, v->items);
    case PICKLE_OBJECT: return walk_object(t, v->object);
    case PICKLE_PERSISTENT: return torch_callee(v) || torch_storage_of(t, v, &storage, &view);
    default: return keep_scalar(t, v);
    }
}

static bool walk(struct torch *t, const struct pickle_value *v)
{
    if (t->depth >= TORCH_DEPTH) return too_deep(t);
    t->depth++;
    bool ok = walk_value(t, v);
    t->depth--;
    return ok;
}

bool torch_walk(struct torch *t, const struct pickle_value *root)
{
    if (!walk(t, root)) return false;
    t->hidden = true;
    for (const struct torch_object *x = t->objects; x; x = x->next)
        if (!walk_parts(t, x->object)) return false;
    return true;
}
