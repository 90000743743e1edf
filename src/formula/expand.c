/* expand.c -- walking a spec; see expand.h. One function a kind of line. */
#include "formula/expand.h"

#include "base/hash.h"
#include "base/num.h"

#include <string.h>

struct walk {
    struct expansion *x;
    struct buffer prefix[SIDES];
    const struct turn *turn;
    enum evidence condition; /* of the branches taken on the way here */
    uint32_t group, alternative;
    numel_str extra;
    uint64_t steps;
    bool offer, offered; /* asked for; the line at hand is */
};

static bool walk(struct walk *w, uint32_t from, uint32_t to);

static numel_error *errors(struct walk *w) { return w->x->env.error; }

/* ---- names ------------------------------------------------------------------------------------ */

static bool mentions_stack(const struct spec *s, uint32_t node)
{
    const struct node *n = &s->nodes[node];
    if (n->kind == NODE_SYMBOL) return n->number == SYMBOL_E;
    uint32_t parts[3] = { n->a, n->b, n->c };
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t k = parts[i]; k; k = s->nodes[k].next)
            if (mentions_stack(s, k)) return true;
    return false;
}

/* Prefix, name and suffix; {NULL, 0} when the tensor does not exist on that side. */
static bool full_name(struct walk *w, const struct tensor_line *t, enum side side, enum part part,
                      numel_str *out)
{
    struct buffer *b = &w->prefix[side];
    size_t before = b->n;
    *out = (numel_str){ NULL, 0 };
    if (!t->name[side]) return true;
    if (!eval_text(&w->x->env, t->name[side], b)) return b->n = before, false;
    if (t->kind < TENSOR_RAW) buffer_text(b, part == PART_BIAS ? ".bias" : ".weight");
    char *text = b->failed ? NULL : arena_text(&w->x->arena, b->p, b->n);
    *out = (numel_str){ text, b->n };
    b->n = before;
    return text || error_nomem(errors(w));
}

/* The name on the other side is for alignment only: where it cannot be said, there is none. */
static bool other_name(struct walk *w, const struct tensor_line *t, enum part part, numel_str *out)
{
    numel_error *kept = w->x->env.error, mine = { 0 };
    w->x->env.error = &mine;
    bool ok = full_name(w, t, w->x->side == SIDE_HF ? SIDE_GGUF : SIDE_HF, part, out);
    w->x->env.error = kept;
    if (!ok) *out = (numel_str){ NULL, 0 };
    return mine.code != NUMEL_E_NOMEM || error_nomem(kept);
}

static void bind_stack(struct walk *w, const struct value *v) { env_bind(&w->x->env, SYMBOL_E, v); }

/* ---- tensors ---------------------------------------------------------------------------------- */

static bool add_row(struct walk *w, const struct row *row)
{
    struct expansion *x = w->x;
    if (x->row_count >= EXPAND_ROWS)
        return error_set(errors(w), NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d tensors", EXPAND_ROWS);
    if (!memory_grow(x->arena.memory, (void **)&x->rows, &x->row_cap, x->row_count + 1, sizeof *x->rows,
                     errors(w)))
        return false;
    x->rows[x->row_count++] = *row;
    return true;
}

static bool add_rows(struct walk *w, struct site *site, const struct tensor_line *t)
{
    struct row row = { .site = (uint32_t)w->x->site_count };
    struct value marker = value_text(text_of("{e}")), zero = value_int(0);
    bool other_stacks = t->stack && site->stacked;
    bind_stack(w, other_stacks ? &marker : &zero);
    if (!other_name(w, t, site->part, &row.other)) return false;
    site->first_row = (uint32_t)w->x->row_count;
    site->rows = t->stack && !site->stacked ? site->stack : 1;
    for (; row.index < site->rows; row.index++) {
        struct value e = value_int(row.index);
        if (site->rows > 1 || t->stack) bind_stack(w, &e);
        if (!full_name(w, t, w->x->side, site->part, &row.name) || !add_row(w, &row)) return false;
    }
    return true;
}

/* The dims of one row into dims[], their product into elements and as a polynomial. */
static bool sizes(struct walk *w, const struct tensor_line *t, struct site *site, uint64_t *dims)
{
    struct expansion *x = w->x;
    bool gguf = x->side == SIDE_GGUF && t->gguf_ndim && site->part == PART_WEIGHT;
    const uint32_t *nodes = gguf ? t->gguf_dims : t->dims;
    unsigned n = site->part == PART_BIAS ? 1 : gguf ? t->gguf_ndim : t->ndim, k = 0;
    bool reversed = t->transposed && x->side == SIDE_HF && site->part == PART_WEIGHT;
    struct value v;
    /* A bare parameter may be empty: DINOv3 without register tokens stores [1, 0, E]. */
    int64_t least = t->kind == TENSOR_RAW ? 0 : 1;
    site->elements = 1;
    site->each = poly_number(&x->factors, 1);
    if (site->stacked) dims[k++] = site->stack;
    for (unsigned i = 0; i < n; i++) {
        uint32_t node = nodes[reversed ? n - 1 - i : i];
        if (!eval_int(&x->env, node, least, "a size", &v)) return false;
        dims[k++] = (uint64_t)v.i;
        if (!num_mul(&site->elements, site->elements, (uint64_t)v.i))
            return eval_fail(&x->env, node, NUMEL_E_OVERFLOW, "the tensor does not fit in 64 bits");
        if (v.evidence > site->evidence) site->evidence = v.evidence;
    }
    for (unsigned i = 0; i < n; i++)
        site->each = poly_multiply(&x->factors, site->each, size_poly(x, nodes[i]));
    site->ndim = k;
    if (site->stacked && !num_mul(&site->elements, site->elements, site->stack))
        return eval_fail(&x->env, t->stack, NUMEL_E_OVERFLOW, "the tensor does not fit in 64 bits");
    return true;
}

static bool stack_size(struct walk *w, const struct tensor_line *t, struct site *site)
{
    struct expansion *x = w->x;
    struct value v;
    site->stack = 1;
    site->times = poly_number(&x->factors, 1);
    if (!t->stack) return true;
    if (!eval_int(&x->env, t->stack, 1, "a stack", &v)) return false;
    if (v.i > EXPAND_ROWS) return eval_fail(&x->env, t->stack, NUMEL_E_LIMIT, "a stack of %" PRId64, v.i);
    if (v.evidence > site->evidence) site->evidence = v.evidence;
    site->stack = (uint32_t)v.i;
    site->stacked = !mentions_stack(x->spec, t->name[x->side]);
    site->times = size_poly(x, t->stack);
    return true;
}

static bool role_name(struct walk *w, const struct tensor_line *t, struct site *site)
{
    site->role = t->role;
    if (site->part == PART_WEIGHT) return true;
    char *text = arena_format(&w->x->arena, "%.*s.bias", (int)t->role.n, t->role.p);
    if (!text) return error_nomem(errors(w));
    site->role = text_of(text);
    return true;
}

static bool is_present(const struct expansion *x, numel_str name, bool *there)
{
    const struct presence *file = x->env.file;
    *there = false;
    return !file || !file->has || file->has(file->ctx, name.p, there, x->env.error);
}

static bool add_site(struct walk *w, uint32_t line, enum part part, bool tied, enum evidence evidence)
{
    struct expansion *x = w->x;
    const struct tensor_line *t = x->spec->lines[line].tensor;
    struct site site = {
        .line = line,
        .kind = t->kind,
        .part = part,
        .group = w->group,
        .alternative = w->alternative,
        .layer = w->turn ? w->turn->at : -1,
        .evidence = evidence,
        .tied = tied,
        .optional = t->optional || w->extra.p,
        .extra = w->extra,
        .turn = w->turn,
        .offered = w->offered,
    };
    uint64_t dims[SPEC_DIMS + 1];
    bool there = true;
    if (!memory_grow(x->arena.memory, (void **)&x->sites, &x->site_cap, x->site_count + 1, sizeof *x->sites,
                     errors(w)) ||
        !role_name(w, t, &site) || !stack_size(w, t, &site) || !sizes(w, t, &site, dims) ||
        !add_rows(w, &site, t))
        return false;
    site.dims = arena_copy(&x->arena, dims, site.ndim * sizeof *dims);
    if (!site.dims) return error_nomem(errors(w));
    if (site.optional && !is_present(x, x->rows[site.first_row].name, &there)) return false;
    site.counted = !tied && !site.extra.p && !site.offered && there;
    x->sites[x->site_count++] = site;
    return true;
}

static bool always_has(void *ctx, const char *glob, bool *there, numel_error *e)
{
    (void)ctx, (void)glob, (void)e;
    return *there = true;
}

/* A buffer that is not there for lack of a file: would it be in one that holds what has() asks for? */
static bool is_offered(struct walk *w, const struct tensor_line *t, bool *offered)
{
    static const struct presence all = { .has = always_has };
    struct env *env = &w->x->env;
    enum evidence ignored = EVIDENCE_DECLARED;
    *offered = false;
    if (!w->offer || t->kind != TENSOR_BUF || env->file) return true;
    env->file = &all;
    bool ok = eval_bool(env, t->when, offered, &ignored);
    env->file = NULL;
    return ok;
}

static bool tensor(struct walk *w, uint32_t line)
{
    struct env *env = &w->x->env;
    const struct tensor_line *t = w->x->spec->lines[line].tensor;
    enum evidence evidence = w->condition;
    bool when = true, bias = false, tied = false;
    w->offered = false;
    if (!t->name[w->x->side]) return true;
    if (t->when && !eval_bool(env, t->when, &when, &evidence)) return false;
    if (!when && !is_offered(w, t, &w->offered)) return false;
    if (!when && !w->offered) return true;
    if (t->tied && !eval_bool(env, t->tied, &tied, &evidence)) return false;
    if (!add_site(w, line, PART_WEIGHT, tied, evidence)) return false;
    if (t->bias && !eval_bool(env, t->bias, &bias, &evidence)) return false;
    return !bias || add_site(w, line, PART_BIAS, tied, evidence);
}

/* ---- blocks ----------------------------------------------------------------------------------- */

static bool let(struct walk *w, const struct line *line)
{
    struct env *env = &w->x->env;
    uint32_t node = line->expr[env->values];
    struct value v;
    bool set = config_symbol(env->config, env->spec->symbols[line->symbol].name, &v);
    if (!set && !eval(env, node, &v)) return false;
    w->x->alias[line->symbol] = !set && env->spec->nodes[node].kind == NODE_SYMBOL ? node : 0;
    env_bind(env, line->symbol, &v);
    return true;
}

static bool prefix(struct walk *w, uint32_t at)
{
    const struct line *line = &w->x->spec->lines[at];
    size_t before[SIDES] = { w->prefix[SIDE_HF].n, w->prefix[SIDE_GGUF].n };
    for (int side = 0; side < SIDES; side++)
        if (line->expr[side] && !eval_text(&w->x->env, line->expr[side], &w->prefix[side])) return false;
    bool ok = walk(w, at + 1, line->close);
    for (int side = 0; side < SIDES; side++) w->prefix[side].n = before[side];
    return ok;
}

static bool loop(struct walk *w, uint32_t at)
{
    struct expansion *x = w->x;
    const struct line *line = &x->spec->lines[at];
    struct value from, to;
    const struct turn *outer = w->turn;
    if (!eval_int(&x->env, line->expr[0], 0, "the start of a loop", &from) ||
        !eval_int(&x->env, line->expr[1], 0, "the end of a loop", &to))
        return false;
    char shown[EVAL_SHOW];
    if (to.i - from.i > EXPAND_LOOP)
        return eval_fail(&x->env, line->expr[1], NUMEL_E_LIMIT, "a loop to %s, of %" PRId64 " turns",
                         eval_show(shown, &to), to.i - from.i);
    struct poly from_poly = size_poly(x, line->expr[0]), to_poly = size_poly(x, line->expr[1]);
    enum evidence condition = w->condition;
    if (to.evidence > w->condition) w->condition = to.evidence;
    bool ok = true;
    for (int64_t i = from.i; ok && i < to.i; i++) {
        struct turn *turn = arena_alloc(&x->arena, sizeof *turn);
        if (!turn) return error_nomem(errors(w));
        *turn = (struct turn){ outer, at, i, from.i, to.i, from_poly, to_poly };
        w->turn = turn;
        struct value v = value_int(i);
        v.varies = true;
        env_bind(&x->env, line->symbol, &v);
        ok = walk(w, at + 1, line->close);
    }
    w->turn = outer;
    w->condition = condition;
    return ok;
}

static uint32_t end_of(const struct spec *s, uint32_t at)
{
    while (s->lines[at].kind != LINE_END) at = s->lines[at].close;
    return at;
}

static bool branches(struct walk *w, uint32_t at)
{
    const struct spec *s = w->x->spec;
    enum evidence condition = w->condition;
    bool taken = false, ok = true;
    for (; ok && !taken && s->lines[at].kind != LINE_END; at = s->lines[at].close) {
        taken = s->lines[at].expr[0] == 0; /* plain else */
        if (!taken) ok = eval_bool(&w->x->env, s->lines[at].expr[0], &taken, &w->condition);
        if (ok && taken) ok = walk(w, at + 1, s->lines[at].close);
    }
    w->condition = condition;
    return ok;
}

static bool extra(struct walk *w, uint32_t at)
{
    const struct line *line = &w->x->spec->lines[at];
    numel_str outside = w->extra;
    bool inside = true;
    if (line->expr[0] && !eval_bool(&w->x->env, line->expr[0], &inside, NULL)) return false;
    if (inside) w->extra = line->label;
    bool ok = walk(w, at + 1, line->close);
    w->extra = outside;
    return ok;
}

/* ---- oneof ------------------------------------------------------------------------------------ */

struct tally {
    uint64_t elements, needed, present;
};

static bool tally(struct walk *w, uint32_t first, uint32_t alternative, struct tally *t)
{
    const struct expansion *x = w->x;
    *t = (struct tally){ 0 };
    for (size_t i = first; i < x->site_count; i++) {
        const struct site *site = &x->sites[i];
        uint64_t all;
        bool extra = site->extra.p && w->extra.p;
        if (site->alternative != alternative || (site->optional && !extra) || site->tied) continue;
        if (!num_mul(&all, site->elements, site->rows) || !num_add(&t->elements, t->elements, all))
            return error_set(errors(w), NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the total does not fit in 64 bits");
        for (uint32_t k = 0; k < site->rows; k++, t->needed++) {
            bool there;
            if (!is_present(x, x->rows[site->first_row + k].name, &there)) return false;
            t->present += there;
        }
    }
    return true;
}

/* Chooses, and takes the others out of the totals. */
static bool settle(struct walk *w, struct group *g)
{
    struct expansion *x = w->x;
    struct tally best = { 0 }, t;
    for (uint32_t k = 0; k < g->alternatives; k++) {
        if (!tally(w, g->first_site, k, &t)) return false;
        bool whole = t.needed && t.present == t.needed;
        if (k == 0 || (whole && !g->present)) {
            best = t;
            g->chosen = k;
            g->present = whole;
        }
        if (!x->env.file && t.elements != best.elements) {
            const struct line *line = &x->spec->lines[g->line];
            error_set(errors(w), NUMEL_E_SPEC, NUMEL_NOWHERE,
                      "line %u: alternatives of %" PRIu64 " and %" PRIu64 " elements", line->number,
                      best.elements, t.elements);
            error_file(errors(w), x->spec->files[line->file]);
            return false;
        }
    }
    g->elements = best.elements;
    for (size_t i = g->first_site; i < x->site_count; i++)
        if (x->sites[i].alternative != g->chosen) x->sites[i].counted = false;
    return true;
}

static bool oneof(struct walk *w, uint32_t at)
{
    struct expansion *x = w->x;
    const struct spec *s = x->spec;
    if (!memory_grow(x->arena.memory, (void **)&x->groups, &x->group_cap, x->group_count + 1,
                     sizeof *x->groups, errors(w)))
        return false;
    struct group g = { .line = at, .first_site = (uint32_t)x->site_count };
    w->group = (uint32_t)x->group_count;
    w->alternative = 0;
    for (; s->lines[at].kind != LINE_END; at = s->lines[at].close) {
        size_t before = x->site_count;
        if (!walk(w, at + 1, s->lines[at].close)) return false;
        w->alternative += x->site_count > before; /* one that this side lacks does not count */
    }
    g.alternatives = w->alternative;
    g.sites = (uint32_t)(x->site_count - g.first_site);
    w->group = NO_GROUP;
    w->alternative = 0;
    if (!settle(w, &g)) return false;
    x->groups[x->group_count++] = g;
    return true;
}

static bool one_line(struct walk *w, uint32_t at)
{
    const struct line *line = &w->x->spec->lines[at];
    switch (line->kind) {
    case LINE_LET: return let(w, line);
    case LINE_PREFIX: return prefix(w, at);
    case LINE_FOR: return loop(w, at);
    case LINE_IF: return branches(w, at);
    case LINE_ONEOF: return oneof(w, at);
    case LINE_EXTRA: return extra(w, at);
    case LINE_TENSOR: return tensor(w, at);
    case LINE_ELSE:
    case LINE_OR:
    case LINE_END: break;
    }
    return true;
}

static bool walk(struct walk *w, uint32_t from, uint32_t to)
{
    const struct spec *s = w->x->spec;
    for (uint32_t at = from; at < to; at++) {
        enum line_kind kind = s->lines[at].kind;
        if (++w->steps > EXPAND_STEPS)
            return error_set(errors(w), NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d steps", EXPAND_STEPS);
        if (!one_line(w, at)) return false;
        if (kind != LINE_LET && kind != LINE_TENSOR) at = end_of(s, at);
    }
    return true;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static bool add_total(struct expansion *x, const struct site *site, numel_error *e)
{
    struct totals *t = &x->totals;
    bool buffer = site->kind == TENSOR_BUF;
    bool chosen = site->group == NO_GROUP || x->groups[site->group].chosen == site->alternative;
    if (!site->counted && !(site->tied && chosen && !site->extra.p)) return true;
    uint64_t *sum = site->tied ? &t->copies : buffer ? &t->buffers : &t->parameters;
    uint64_t *tensors = site->tied ? &t->copy_tensors : buffer ? &t->buffer_tensors : &t->parameter_tensors;
    uint64_t all;
    *tensors += site->rows;
    return (num_mul(&all, site->elements, site->rows) && num_add(sum, *sum, all)) ||
           error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the total does not fit in 64 bits");
}

static bool named_twice(struct expansion *x, const struct row *a, const struct row *b, numel_error *e)
{
    char shown[TEXT_QUOTE];
    const struct line *la = &x->spec->lines[x->sites[a->site].line];
    const struct line *lb = &x->spec->lines[x->sites[b->site].line];
    error_set(e, NUMEL_E_DUPLICATE, NUMEL_NOWHERE, "lines %u and %u both give %s", la->number, lb->number,
              text_quote(shown, a->name));
    error_file(e, x->spec->files[lb->file]);
    return false;
}

static bool check_names(struct expansion *x, numel_error *e)
{
    size_t slots = 64;
    while (slots < x->row_count * 2) slots *= 2;
    uint32_t *table = memory_resize(x->arena.memory, NULL, slots * sizeof *table);
    if (!table) return error_nomem(e);
    memset(table, 0, slots * sizeof *table);
    uint64_t seed = hash_seed(table);
    for (size_t i = 0; i < x->row_count && error_free(e); i++) {
        const struct row *row = &x->rows[i];
        const struct site *site = &x->sites[row->site];
        if (site->group != NO_GROUP && site->alternative != x->groups[site->group].chosen) continue;
        size_t at = hash_bytes(row->name.p, row->name.n, seed) & (slots - 1);
        for (; table[at]; at = (at + 1) & (slots - 1))
            if (text_same(x->rows[table[at] - 1].name, row->name))
                named_twice(x, &x->rows[table[at] - 1], row, e);
        table[at] = (uint32_t)i + 1;
    }
    memory_release(x->arena.memory, table);
    return error_free(e);
}

static bool prepare(struct expansion *x, const struct expand_input *in, numel_error *e)
{
    size_t symbols = in->spec->symbol_count, nodes = in->spec->node_count;
    x->spec = in->spec;
    x->side = in->side;
    x->env = (struct env){ .spec = in->spec,
                           .config = in->config,
                           .names = in->side,
                           .values = in->other_values ? SIDES - 1 - in->side : in->side,
                           .file = in->file,
                           .arena = &x->arena };
    x->shown = arena_alloc(&x->arena, symbols * sizeof *x->shown);
    x->sizes = arena_alloc(&x->arena, nodes * sizeof *x->sizes);
    x->alias = arena_alloc(&x->arena, symbols * sizeof *x->alias);
    if (!x->shown || !x->sizes || !x->alias) return error_nomem(e);
    memset(x->shown, 0, symbols * sizeof *x->shown);
    memset(x->alias, 0, symbols * sizeof *x->alias);
    memset(x->sizes, 0, nodes * sizeof *x->sizes);
    return env_init(&x->env, e);
}

static bool expand_all(struct expansion *x, bool offer, numel_error *e)
{
    struct walk w = { .x = x, .group = NO_GROUP, .offer = offer };
    for (int side = 0; side < SIDES; side++) buffer_init(&w.prefix[side], x->arena.memory);
    bool ok = walk(&w, 0, (uint32_t)x->spec->line_count);
    for (int side = 0; side < SIDES; side++) buffer_done(&w.prefix[side]);
    for (size_t i = 0; ok && i < x->site_count; i++) ok = add_total(x, &x->sites[i], e);
    if (ok && x->factors.failed) ok = error_nomem(e);
    return ok && check_names(x, e);
}

bool expand(struct expansion **out, const struct expand_input *in, const numel_allocator *m, numel_error *e)
{
    struct expansion *x = memory_resize(m, NULL, sizeof *x);
    *out = NULL;
    if (!x) return error_nomem(e);
    *x = (struct expansion){ 0 };
    arena_init(&x->arena, m);
    factors_init(&x->factors, &x->arena);
    if (prepare(x, in, e) && expand_all(x, in->offer, e)) *out = x;
    else expansion_free(x);
    return *out != NULL;
}

void expansion_free(struct expansion *x)
{
    if (!x) return;
    const numel_allocator *m = x->arena.memory;
    factors_done(&x->factors);
    memory_release(m, x->sites);
    memory_release(m, x->rows);
    memory_release(m, x->groups);
    arena_done(&x->arena);
    memory_release(m, x);
}
