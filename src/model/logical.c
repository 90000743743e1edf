/*
 * logical.c -- packed tensors solved for the weights they stand for, when there is no configuration.
 *
 * The tensors are sorted by name, so that those of a module are neighbours; each that may be a layout's
 * values is tried as one. Modules whose siblings are alike in names, types and dims have one solution, which
 * is looked up by that signature: a model of 200,000 tensors is solved as often as it has kinds of modules.
 */
#include "model/logical.h"

#include "model/packed_internal.h"
#include "registry/dtype.h"

#include <stdlib.h>

struct solved { /* by signature; first: see names.h */
    numel_str signature;
    struct layout_solution solution;
};

struct unpacking {
    struct logical *out;
    const struct packed_file *file;
    struct config *config;
    struct arena *arena;
    struct layout **layouts;
    size_t layout_count;
    uint32_t *order; /* tensors by name, byte for byte: those of a module are neighbours */
    bool *gone;      /* by tensor: a weight stands in its place */
    struct solved *solved;
    size_t solved_count, solved_cap;
    struct names by_signature;
    numel_str weight; /* of the module at work */
    numel_error *error;
};

static const numel_tensor *tensors_of(const struct unpacking *u) { return u->file->registry->tensors; }

static bool begins(numel_str s, numel_str with) { return s.n >= with.n && memcmp(s.p, with.p, with.n) == 0; }

/* ---- order ------------------------------------------------------------------------------------ */

struct named {
    numel_str name;
    uint32_t tensor;
};

static int compare_named(const void *a, const void *b)
{
    return text_bytes(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static bool make_order(struct unpacking *u)
{
    size_t n = u->file->registry->count;
    struct named *all = memory_resize(u->arena->memory, NULL, (n + 1) * sizeof *all);
    u->order = arena_alloc(u->arena, (n + 1) * sizeof *u->order);
    u->gone = arena_alloc(u->arena, (n + 1) * sizeof *u->gone);
    bool ok = all && u->order && u->gone;
    for (size_t i = 0; ok && i < n; i++) {
        all[i] = (struct named){ tensors_of(u)[i].name, (uint32_t)i };
        u->gone[i] = false;
    }
    if (ok) qsort(all, n, sizeof *all, compare_named);
    for (size_t i = 0; ok && i < n; i++) u->order[i] = all[i].tensor;
    memory_release(u->arena->memory, all);
    return ok || error_nomem(u->error);
}

/* ---- what a module's tensors look like ---------------------------------------------------------- */

static bool find_marked(const struct unpacking *u, numel_str marked, uint32_t *tensor)
{
    char text[LAYOUT_NAME];
    numel_str name;
    if (!layout_name(marked, u->weight, text, &name)) return false;
    const numel_tensor *t = registry_find(u->file->registry, name);
    if (t) *tensor = (uint32_t)(t - tensors_of(u));
    return t != NULL;
}

static const numel_tensor *seen_find(void *ctx, numel_str marked)
{
    const struct unpacking *u = ctx;
    uint32_t tensor;
    return find_marked(u, marked, &tensor) && !u->gone[tensor] ? &tensors_of(u)[tensor] : NULL;
}

static bool seen_ask(void *ctx, const struct layout_check *c, numel_str marked, int64_t *declared)
{
    const struct unpacking *u = ctx;
    struct value v;
    json_value *doc = NULL;
    uint8_t bytes[PACKED_DATA];
    size_t n = 0;
    uint32_t t;
    if (!u->file->read || !find_marked(u, marked, &t) || !u->file->read(u->file->ctx, t, bytes, &n))
        return false;
    bool ok = packed_read_check(c, bytes, n, tensors_of(u)[t].dtype->name, &v, &doc, u->error);
    if (ok && v.kind == VALUE_INT) *declared = v.i;
    json_doc_free(doc);
    return ok && v.kind == VALUE_INT; /* layout_invert() asks whether there was an error */
}

/* Names behind the module's, types and dims of all that stands beside the tensor at `at` of the order. What
 * the data say may differ where all that looks alike: then there is no signature. */
static bool sign(struct unpacking *u, size_t at, struct buffer *b)
{
    numel_str module = layout_module_name(u->weight);
    size_t from = at, n = u->file->registry->count;
    while (from > 0 && begins(tensors_of(u)[u->order[from - 1]].name, module)) from--;
    b->n = 0;
    for (size_t i = from; i < n && begins(tensors_of(u)[u->order[i]].name, module); i++) {
        const numel_tensor *t = &tensors_of(u)[u->order[i]];
        buffer_add(b, t->name.p + module.n, t->name.n - module.n);
        buffer_format(b, " %s", t->dtype->name);
        for (uint32_t k = 0; k < t->ndim; k++) buffer_format(b, " %" PRIu64, t->dims[k]);
        buffer_char(b, '\n');
    }
    return !b->failed || error_nomem(u->error);
}

/* ---- solving ---------------------------------------------------------------------------------- */

/* Is there a value of the layout that has the tensor's type? One whose type rests on a symbol may be. */
static bool type_may_fit(const struct layout *l, const numel_tensor *t)
{
    for (unsigned i = 0; i < l->line_count; i++) {
        const struct node *n = &l->base->nodes[l->base->nodes[l->lines[i].types].a];
        if (l->lines[i].role != LAYOUT_VALUE) continue;
        if (n->kind != NODE_TEXT || n->next || layout_type_fits(n->text, t->dtype->name)) return true;
    }
    return false;
}

static bool solve(struct unpacking *u, const numel_tensor *value, struct layout_solution *best)
{
    *best = (struct layout_solution){ .layout = NULL };
    for (size_t i = 0; i < u->layout_count; i++)
        for (uint32_t lead = 0; lead < 2 && lead < value->ndim; lead++) {
            struct layout_seen seen = {
                .weight = u->weight,
                .module = { .role = { "", 0 }, .out = 1, .in = 1, .lead = value->dims, .lead_count = lead },
                .find = seen_find,
                .ask = seen_ask,
                .ctx = u
            };
            if (lead ? !u->layouts[i]->stacks : !u->layouts[i]->linears) continue;
            if (!type_may_fit(u->layouts[i], value)) continue;
            if (!layout_invert(best, u->layouts[i], u->config, &seen, u->arena, u->error)) return false;
        }
    return true;
}

static bool remember(struct unpacking *u, const struct buffer *b, const struct layout_solution *s)
{
    size_t k = u->solved_count;
    char *text = arena_text(u->arena, b->p, b->n);
    if (!text) return error_nomem(u->error);
    if (!memory_grow(u->arena->memory, (void **)&u->solved, &u->solved_cap, k + 1, sizeof *u->solved,
                     u->error))
        return false;
    u->solved[k] = (struct solved){ { text, b->n }, *s };
    if (s->layout && !(u->solved[k].solution.weight.p = arena_text(u->arena, s->weight.p, s->weight.n)))
        return error_nomem(u->error);
    if (!names_reserve(&u->by_signature, u->solved, k, k + 1, u->error)) return false;
    names_enter(&u->by_signature, u->solved, k);
    u->solved_count++;
    return true;
}

/* Does the data of its tensors speak of a layout's sizes? Then modules that look alike need not be. */
static bool asks_data(const struct layout_solution *s) { return s->layout && s->layout->check_count > 0; }

static bool solve_once(struct unpacking *u, size_t at, struct buffer *b, struct layout_solution *s)
{
    if (!sign(u, at, b)) return false;
    numel_str signature = { b->p, b->n };
    uint32_t known = names_find(&u->by_signature, u->solved, signature);
    if (known != NAMES_ABSENT && !asks_data(&u->solved[known].solution))
        return *s = u->solved[known].solution, true;
    return solve(u, &tensors_of(u)[u->order[at]], s) && (known != NAMES_ABSENT || remember(u, b, s));
}

/* ---- the registry ------------------------------------------------------------------------------- */

static bool add_weight(struct unpacking *u, const struct layout_solution *s, const numel_tensor *value)
{
    uint32_t lead = s->lead_count; /* 0 or 1 */
    uint64_t *dims = arena_alloc(u->arena, 4 * sizeof *dims);
    char *name = arena_text(u->arena, u->weight.p, u->weight.n);
    numel_tensor t = *value;
    if (!dims || !name) return error_nomem(u->error);
    t.name = (numel_str){ name, u->weight.n };
    t.dims = dims;
    t.ndim = 2;
    t.dtype = dtype_safetensors(text_of("BF16"));
    if (lead == 1) dims[0] = s->tensors[0]->dims[0], t.ndim = 3;
    dims[t.ndim - 2] = (uint64_t)s->out;
    dims[t.ndim - 1] = (uint64_t)s->in;
    t.elements = (uint64_t)s->out * (uint64_t)s->in; /* both below 2^30 */
    if (lead == 1 && __builtin_mul_overflow(t.elements, dims[0], &t.elements)) return true;
    u->out->weights++;
    return registry_add(&u->out->registry, &t, u->error);
}

/* Its tensors, by the names they have beside this weight: the solution may be another module's. */
static void take_away(struct unpacking *u, const struct layout_solution *s)
{
    numel_str module = layout_module_name(u->weight);
    for (unsigned i = 0; i < s->count; i++) {
        char text[LAYOUT_NAME];
        numel_str own = layout_module_name(s->weight), name = s->tensors[i]->name;
        if (!begins(name, own) || module.n + name.n - own.n > sizeof text) continue;
        memcpy(text, module.p, module.n);
        memcpy(text + module.n, name.p + own.n, name.n - own.n);
        const numel_tensor *t =
            registry_find(u->file->registry, (numel_str){ text, module.n + name.n - own.n });
        if (t) u->gone[t - tensors_of(u)] = true;
    }
}

/* The weight that the tensor would be a value of: its own name, or that of its module. False: of none. */
static bool weight_of(struct unpacking *u, const struct layout_line *line, const struct layout *l,
                      const numel_tensor *t, char text[LAYOUT_NAME])
{
    const struct node *nodes = l->base->nodes;
    uint32_t first = nodes[line->name].a, second = first ? nodes[first].next : 0;
    if (!first || nodes[first].kind != NODE_SYMBOL || (second && nodes[second].next)) return false;
    int64_t symbol = nodes[first].number - SYMBOLS_BUILT_IN;
    numel_str end = second && nodes[second].kind == NODE_TEXT ? nodes[second].text : (numel_str){ "", 0 };
    if (t->name.n <= end.n || t->name.n + 8 > LAYOUT_NAME ||
        memcmp(t->name.p + t->name.n - end.n, end.p, end.n) != 0)
        return false;
    size_t n = t->name.n - end.n;
    memcpy(text, t->name.p, n);
    if (symbol == GIVEN_M) memcpy(text + n, ".weight", 7), n += 7;
    else if (symbol != GIVEN_W) return false;
    u->weight = (numel_str){ text, n };
    return true;
}

static bool try_tensor(struct unpacking *u, size_t at, struct buffer *b)
{
    const numel_tensor *t = &tensors_of(u)[u->order[at]];
    char text[LAYOUT_NAME];
    struct layout_solution s;
    for (size_t i = 0; i < u->layout_count; i++)
        for (unsigned k = 0; k < u->layouts[i]->line_count; k++) {
            const struct layout_line *line = &u->layouts[i]->lines[k];
            if (line->role != LAYOUT_VALUE || !weight_of(u, line, u->layouts[i], t, text)) continue;
            if (!solve_once(u, at, b, &s)) return false;
            if (!s.layout) continue;
            take_away(u, &s);
            return add_weight(u, &s, t);
        }
    return true;
}

/* Only what has something beside it, or holds no floats, can be packed. */
static bool may_be_value(const struct unpacking *u, size_t at)
{
    const numel_tensor *t = &tensors_of(u)[u->order[at]];
    if (t->ndim < 2 || u->gone[u->order[at]]) return false;
    if (!packed_plain_type(t)) return true;
    return at + 1 < u->file->registry->count && begins(tensors_of(u)[u->order[at + 1]].name, t->name);
}

static bool unpack(struct unpacking *u)
{
    const struct registry *r = u->file->registry;
    struct buffer b;
    bool ok = true;
    size_t first, second;
    buffer_init(&b, u->arena->memory);
    for (size_t i = 0; ok && i < r->count; i++)
        if (may_be_value(u, i)) ok = try_tensor(u, i, &b);
    buffer_done(&b);
    for (size_t i = 0; ok && u->out->weights && i < r->count; i++)
        if (!u->gone[i]) ok = registry_add(&u->out->registry, &r->tensors[i], u->error);
    return ok && registry_commit(&u->out->registry, &first, &second, u->error);
}

static bool all_plain(const struct registry *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (!packed_plain_type(&r->tensors[i])) return false;
    return true;
}

bool logical_make(struct logical *l, struct config *c, struct library *library,
                  const struct packed_file *file, struct arena *a, numel_error *e)
{
    struct unpacking u = { .out = l, .file = file, .config = c, .arena = a, .error = e };
    *l = (struct logical){ .weights = 0 };
    registry_init(&l->registry, a);
    if (all_plain(file->registry)) return true;
    names_init(&u.by_signature, a->memory, sizeof *u.solved);
    bool ok = library_layouts(library, e);
    u.layouts = library->layouts;
    u.layout_count = library->layout_count;
    ok = ok && make_order(&u) && unpack(&u);
    names_done(&u.by_signature);
    memory_release(a->memory, u.solved);
    if (!ok) logical_done(l);
    return ok;
}

void logical_done(struct logical *l)
{
    if (l->registry.memory) registry_done(&l->registry);
}
