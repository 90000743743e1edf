/*
 * logical.c -- without a configuration, solves packed tensors for the weights they represent.
 *
 * The tensors are sorted by name, so those of a module are adjacent. Each one that may hold a layout's values
 * is tried. Modules with the same names, types and dims have the same signature and share one solution, so a
 * model of 200,000 tensors is solved once per kind of module.
 */
#include "model/logical_internal.h"

#include "base/num.h"
#include "registry/dtype.h"

#include <stdlib.h>

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

NUMEL_MUST static bool make_order(struct unpacking *u)
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

/* ---- a module's signature ----------------------------------------------------------------------- */

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

static bool seen_dim(void *ctx, numel_str marked, uint64_t axis, uint64_t *size)
{
    const struct unpacking *u = ctx;
    uint32_t t;
    if (!find_marked(u, marked, &t) || axis >= tensors_of(u)[t].ndim) return false;
    *size = tensors_of(u)[t].dims[axis];
    return true;
}

static bool seen_read(void *ctx, numel_str marked, uint8_t out[WITNESS_DATA], size_t *n, const char **type)
{
    const struct unpacking *u = ctx;
    uint32_t t;
    if (!u->file->read || !find_marked(u, marked, &t) || !u->file->read(u->file->ctx, t, out, n))
        return false;
    *type = tensors_of(u)[t].dtype->name;
    return true;
}

static bool seen_meta(void *ctx, numel_str marked, numel_str *text)
{
    const struct unpacking *u = ctx;
    char space[LAYOUT_NAME];
    numel_str name;
    return packed_meta_may(u->file, marked, u->weight) && layout_name(marked, u->weight, space, &name) &&
           u->file->meta(u->file->ctx, name, text);
}

static bool seen_key(void *ctx, numel_str marked, struct arena *a, numel_str *key)
{
    const struct unpacking *u = ctx;
    return packed_key(u->file, marked, u->weight, a, key);
}

/* Signatures already contain which tensors are next to a weight, and their dims. */
static bool seen_silent(void *ctx, enum function function, numel_str marked)
{
    const struct unpacking *u = ctx;
    if (function == FUNCTION_META) return packed_meta_silent(u->file, marked);
    return (function == FUNCTION_DIM && layout_is_beside(marked)) || !packed_end_occurs(u->ends, marked);
}

/* The signature: name after the module's, type and dims of every tensor of the module. `at` is a position
 * in the order. Modules that look alike may still differ in their data. */
NUMEL_MUST static bool sign(struct unpacking *u, size_t at, struct buffer *b)
{
    numel_str module = layout_module_name(u->weight);
    size_t n = u->file->registry->count;
    u->from = u->to = at;
    while (u->from > 0 && begins(tensors_of(u)[u->order[u->from - 1]].name, module)) u->from--;
    while (u->to < n && begins(tensors_of(u)[u->order[u->to]].name, module)) u->to++;
    b->n = 0;
    for (size_t i = u->from; i < u->to; i++) {
        const numel_tensor *t = &tensors_of(u)[u->order[i]];
        numel_str behind = text_from(t->name, module.n);
        buffer_add(b, &behind.n, sizeof behind.n);
        buffer_str(b, behind);
        buffer_add(b, t->dtype->name, strlen(t->dtype->name) + 1);
        buffer_add(b, &t->ndim, sizeof t->ndim);
        if (t->ndim) buffer_add(b, t->dims, t->ndim * sizeof *t->dims);
    }
    return !b->failed || error_nomem(u->error);
}

/* ---- solving ---------------------------------------------------------------------------------- */

/* True if the layout may store values in the tensor's type. Types that depend on a symbol may fit. */
static bool type_may_fit(const struct layout *l, const numel_tensor *t)
{
    for (unsigned i = 0; i < l->line_count; i++) {
        const struct node *n = &l->base->nodes[l->base->nodes[l->lines[i].types].a];
        if (l->lines[i].role != LAYOUT_VALUE) continue;
        if (n->kind != NODE_TEXT || n->next || layout_type_fits(n->text, t->dtype->name)) return true;
    }
    return false;
}

static bool solve(struct unpacking *u, const numel_tensor *value, struct layout_solutions *found,
                  struct asking *asking)
{
    found->count = 0;
    for (size_t i = 0; i < u->layouts.count; i++)
        for (uint32_t lead = 0; lead < 2 && lead < value->ndim; lead++) {
            struct layout_seen seen = { .weight = u->weight,
                                        .module = { .role = { "", 0 },
                                                    .out = 1,
                                                    .in = 1,
                                                    .lead = value->dims,
                                                    .lead_count = lead,
                                                    .nearby = asking->nearby },
                                        .find = seen_find,
                                        .ctx = u,
                                        .asking = asking };
            if (lead ? !u->layouts.items[i]->stacks : !u->layouts.items[i]->linears) continue;
            if (!type_may_fit(u->layouts.items[i], value)) continue;
            if (!layout_invert(found, u->layouts.items[i], u->config, &seen, &u->trial, u->error))
                return false;
        }
    return true;
}

/* *k is the new index, `before` that of the last solution with the same signature. Options keep the name
 * of the weight they were solved for. */
NUMEL_MUST static bool remember(struct unpacking *u, const struct buffer *b, const struct layout_solutions *s,
                                const struct asked *asked, uint32_t before, uint32_t *k)
{
    struct layout_solution *options = s->count ? arena_alloc(u->arena, s->count * sizeof *options) : NULL;
    bool first = before == NAMES_ABSENT;
    char *text = arena_text(u->arena, b->p, first ? b->n : 0);
    *k = (uint32_t)u->solved_count;
    if (!text || (s->count && !options)) return error_nomem(u->error);
    if (!memory_grow(u->arena->memory, (void **)&u->solved, &u->solved_cap, *k + 1u, sizeof *u->solved,
                     u->error))
        return false;
    for (unsigned i = 0; i < s->count; i++) {
        options[i] = s->items[i];
        if (!(options[i].weight.p = arena_text(u->arena, options[i].weight.p, options[i].weight.n)))
            return error_nomem(u->error);
    }
    u->solved[*k] = (struct solved){ { text, first ? b->n : 0 }, options, s->count, 0, asked, NAMES_ABSENT };
    u->solved_count++;
    if (!first) return u->solved[before].next = *k, true;
    if (!names_reserve(&u->by_signature, *k + 1u, u->error)) return false;
    names_enter(&u->by_signature, u->solved, *k);
    return true;
}

/* Modules that look alike share a solution if the file answers the layouts' questions the same for both. */
NUMEL_MUST static bool solve_once(struct unpacking *u, size_t at, struct buffer *b, uint32_t *k)
{
    const struct nearby nearby = { seen_dim, seen_read, seen_meta, seen_key, seen_silent, u };
    struct layout_solutions found;
    struct asking asking = { .nearby = &nearby, .arena = u->arena };
    bool same;
    uint32_t last = NAMES_ABSENT;
    arena_reset(&u->trial);
    if (!sign(u, at, b)) return false;
    for (*k = names_find(&u->by_signature, u->solved, buffer_view(b)); *k != NAMES_ABSENT;
         *k = u->solved[*k].next) {
        if (!witness_same(u->solved[*k].asked, &nearby, &u->trial, &same, u->error)) return false;
        if (same) return true;
        last = *k;
    }
    return solve(u, &tensors_of(u)[u->order[at]], &found, &asking) &&
           remember(u, b, &found, asking.first, last, k);
}

/* ---- biases -------------------------------------------------------------------------------------- */

/* The bias of a packed weight, or NAMES_ABSENT. */
static uint32_t bias_of(const struct unpacking *u, numel_str weight)
{
    char text[LAYOUT_NAME];
    numel_str name =
        text_join(text, sizeof text, layout_module_name(weight), text_of(".bias"), (numel_str){ NULL, 0 });
    const numel_tensor *t = name.p ? registry_find(u->file->registry, name) : NULL;
    return t ? (uint32_t)(t - tensors_of(u)) : NAMES_ABSENT;
}

static bool may_bias(const struct layout *l)
{
    for (unsigned i = 0; i < l->line_count; i++)
        if (l->lines[i].role == LAYOUT_BIAS) return true;
    return false;
}

/* Older GPTQ writers add a bias to every packed weight, even if it is zero. A model with real biases also
 * has them in its norms, so if no other tensor has one, they are the quantizer's. */
static void drop_biases(struct unpacking *u)
{
    uint64_t with = 0, all = 0;
    for (size_t i = 0; i < u->module_count; i++) {
        if (!may_bias(u->solved[u->modules[i].solved].options[0].layout)) return;
        if (bias_of(u, u->modules[i].weight) == NAMES_ABSENT) return;
        with++;
    }
    for (size_t i = 0; i < u->file->registry->count; i++) all += text_ends(tensors_of(u)[i].name, ".bias");
    for (size_t i = 0; all == with && i < u->module_count; i++)
        u->gone[bias_of(u, u->modules[i].weight)] = true;
}

/* ---- the registry ------------------------------------------------------------------------------- */

NUMEL_MUST static bool add_weight(struct unpacking *u, const struct module *m)
{
    const struct layout_solution *s = &u->solved[m->solved].options[u->solved[m->solved].chosen];
    uint32_t lead = s->lead_count; /* 0 or 1 */
    uint64_t *dims = arena_alloc(u->arena, 4 * sizeof *dims);
    numel_tensor t = tensors_of(u)[m->value];
    if (!dims) return error_nomem(u->error);
    t.name = m->weight;
    t.dims = dims;
    t.ndim = 2;
    t.dtype = u->plain;
    if (lead == 1) dims[0] = s->tensors[0]->dims[0], t.ndim = 3;
    dims[t.ndim - 2] = (uint64_t)(s->layout->turned ? s->in : s->out);
    dims[t.ndim - 1] = (uint64_t)(s->layout->turned ? s->out : s->in);
    t.elements = (uint64_t)s->out * (uint64_t)s->in; /* both below 2^30 */
    if (lead == 1 && __builtin_mul_overflow(t.elements, dims[0], &t.elements)) return true;
    u->out->weights++;
    return registry_add(&u->out->registry, &t, u->error);
}

/* Marks the module's tensors as replaced. The solution may be another module's, so they are found by what
 * follows the module's name. */
static void take_away(struct unpacking *u, const struct layout_solution *s)
{
    numel_str module = layout_module_name(u->weight), own = layout_module_name(s->weight);
    for (unsigned i = 0; i < s->count; i++) {
        if (!begins(s->tensors[i]->name, own)) continue;
        numel_str behind = text_from(s->tensors[i]->name, own.n);
        for (size_t k = u->from; k < u->to; k++)
            if (text_same(text_from(tensors_of(u)[u->order[k]].name, module.n), behind))
                u->gone[u->order[k]] = true;
    }
}

/* The text that the layout's symbol adds to a name, in its n-th choice; a computed symbol is tried as
 * empty. False if the symbol has no text. */
static bool choice_of(const struct layout *l, uint64_t symbol, unsigned *way, numel_str *out)
{
    *out = text_of(symbol == SYMBOLS_BUILT_IN + GIVEN_JOIN ? "." : "");
    if (out->n) return true;
    for (unsigned i = 0; i < l->step_count; i++) {
        const struct layout_step *x = &l->steps[i];
        if (x->symbol != symbol || x->kind != STEP_SYM) continue;
        const struct layout_choice *c = &x->choices[*way % x->choice_count];
        if (!c->expr && c->value.kind == VALUE_TEXT) *out = c->value.s;
        *way /= x->choice_count;
        return true;
    }
    return false;
}

enum { NAME_END = 80 };

/* The rest of a name as text, in the n-th of all combinations; false if there are no more. */
static bool end_of(const struct layout *l, uint32_t part, unsigned way, struct fixed *end)
{
    for (; part; part = l->base->nodes[part].next) {
        const struct node *n = &l->base->nodes[part];
        numel_str more = n->text;
        if (n->kind != NODE_TEXT &&
            (n->kind != NODE_SYMBOL || !choice_of(l, (uint64_t)n->number, &way, &more)))
            return false;
        fixed_add(end, more);
    }
    return way == 0 && !end->cut;
}

/* Gets "P.weight" from "P._weight_qdata", for {P}._{L}_qdata, in two pieces. `name` is without its ending. */
static bool inner_weight(const struct layout *l, uint32_t middle, numel_str name, numel_str piece[2])
{
    numel_str before = l->base->nodes[middle].text, head = text_head(name, '.');
    if (text_first(before) != '.' || !head.n) return false;
    numel_str last = text_from(name, head.n), rest = text_from(before, 1); /* its dot ends the head */
    piece[0] = head;
    piece[1] = text_from(last, rest.n);
    return last.n > rest.n && text_same(text_upto(last, rest.n), rest);
}

/* The weight whose values the tensor would hold, in the n-th spelling: the tensor's own name, that of its
 * module, or one contained in its name. *more is false if there are no more spellings. */
static bool weight_of(struct unpacking *u, const struct layout_line *line, const struct layout *l,
                      const numel_tensor *t, unsigned way, char text[LAYOUT_NAME], bool *more)
{
    const struct node *nodes = l->base->nodes;
    uint32_t first = nodes[line->name].a, second = first ? nodes[first].next : 0;
    int64_t symbol = first && nodes[first].kind == NODE_SYMBOL ? nodes[first].number - SYMBOLS_BUILT_IN : -1;
    uint32_t third = second ? nodes[second].next : 0;
    bool inside = symbol == GIVEN_P && third && nodes[second].kind == NODE_TEXT &&
                  nodes[third].kind == NODE_SYMBOL && nodes[third].number == SYMBOLS_BUILT_IN + GIVEN_L;
    char space[NAME_END];
    struct fixed end = FIXED(space);
    *more = (inside || symbol == GIVEN_M || symbol == GIVEN_W) &&
            end_of(l, inside ? nodes[third].next : second, way, &end);
    if (!*more || t->name.n <= end.n || !text_same(text_tail(t->name, end.n), fixed_str(&end))) return false;
    numel_str piece[2] = { text_less(t->name, end.n), { "", 0 } };
    if (inside && !inner_weight(l, second, piece[0], piece)) return false;
    numel_str kind = text_of(symbol == GIVEN_M ? ".weight" : "");
    u->weight = text_join(text, LAYOUT_NAME, piece[0], piece[1], kind);
    return u->weight.p != NULL;
}

NUMEL_MUST static bool add_module(struct unpacking *u, uint32_t value, uint32_t solved)
{
    char *name = arena_text(u->arena, u->weight.p, u->weight.n);
    if (!name) return error_nomem(u->error);
    if (!memory_grow(u->arena->memory, (void **)&u->modules, &u->module_cap, u->module_count + 1,
                     sizeof *u->modules, u->error))
        return false;
    u->modules[u->module_count++] = (struct module){ { name, u->weight.n }, value, solved };
    return true;
}

/* Tries one line of a layout; sets *done if it solves the tensor. */
static bool try_line(struct unpacking *u, size_t at, const struct layout *l, const struct layout_line *line,
                     struct buffer *b, bool *done)
{
    const numel_tensor *t = &tensors_of(u)[u->order[at]];
    char text[LAYOUT_NAME];
    uint32_t solved;
    bool more = true;
    for (unsigned way = 0; more && !*done; way++) {
        if (!weight_of(u, line, l, t, way, text, &more)) continue;
        if (!solve_once(u, at, b, &solved)) return false;
        if (!u->solved[solved].count) continue;
        take_away(u, &u->solved[solved].options[0]);
        *done = true;
        if (!add_module(u, u->order[at], solved)) return false;
    }
    return true;
}

static bool try_tensor(struct unpacking *u, size_t at, struct buffer *b)
{
    bool done = false;
    for (size_t i = 0; i < u->layouts.count; i++)
        for (unsigned k = 0; k < u->layouts.items[i]->line_count && !done; k++) {
            const struct layout_line *line = &u->layouts.items[i]->lines[k];
            if (line->role != LAYOUT_VALUE || u->layouts.items[i]->opaque) continue;
            if (!try_line(u, at, u->layouts.items[i], line, b, &done)) return false;
        }
    return true;
}

/* A tensor can only be packed if it has others next to it, or does not store floats. */
static bool may_be_value(const struct unpacking *u, size_t at)
{
    const numel_tensor *t = &tensors_of(u)[u->order[at]];
    if (t->ndim < 2 || u->gone[u->order[at]]) return false;
    if (!packed_plain_type(t)) return true;
    return at + 1 < u->file->registry->count && begins(tensors_of(u)[u->order[at + 1]].name, t->name);
}

NUMEL_MUST static bool unpack(struct unpacking *u)
{
    const struct registry *r = u->file->registry;
    struct buffer b;
    bool ok = true;
    buffer_init(&b, u->arena->memory);
    for (size_t i = 0; ok && i < r->count; i++)
        if (may_be_value(u, i)) ok = try_tensor(u, i, &b);
    buffer_done(&b);
    ok = ok && logical_choose(u);
    if (ok) drop_biases(u);
    for (size_t i = 0; ok && i < u->module_count; i++) ok = add_weight(u, &u->modules[i]);
    for (size_t i = 0; ok && u->out->weights && i < r->count; i++)
        if (!u->gone[i]) ok = registry_add(&u->out->registry, &r->tensors[i], u->error);
    return ok && registry_commit_firsts(&u->out->registry, u->error);
}

/* Chooses the layouts that may occur in the file. */
NUMEL_MUST static bool choose_layouts(struct unpacking *u, const struct library *library)
{
    u->ends = arena_alloc(u->arena, sizeof *u->ends);
    if (!u->ends) return error_nomem(u->error);
    *u->ends = (struct packed_ends){ .registry = u->file->registry, .arena = u->arena };
    return packed_possible(&u->layouts, u->ends, library->layouts, library->layout_count, u->config, u->arena,
                           u->error);
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
    u.plain = dtype_safetensors(text_of("BF16"));
    *l = (struct logical){ .weights = 0 };
    registry_init(&l->registry, a);
    if (all_plain(file->registry)) return true;
    names_init(&u.by_signature, a->memory, sizeof *u.solved);
    arena_init(&u.trial, a->memory);
    bool ok = library_layouts(library, e) && choose_layouts(&u, library) && make_order(&u) && unpack(&u);
    names_done(&u.by_signature);
    arena_done(&u.trial);
    memory_release(a->memory, u.solved);
    memory_release(a->memory, u.modules);
    if (!ok) logical_done(l);
    return ok;
}

void logical_done(struct logical *l)
{
    if (l->registry.memory) registry_done(&l->registry);
}
