/*
 * expand.c -- the visitor that lists what a checkpoint should hold; see expand.h.
 *
 * Every condition is decided: an expression that cannot be evaluated ends the expansion.
 */
#include "formula/expand_internal.h"

#include "base/num.h"

#include <string.h>

static struct expanding *own(const struct spec_walk *w) { return w->ctx; }

static numel_error *errors(const struct spec_walk *w) { return w->env->error; }

/* Remembers the largest loop or stack, which makes most of the tensors. */
static void note_most(struct expansion *x, const struct value *v, int64_t n)
{
    if (n <= x->most) return;
    x->most = n;
    eval_show(x->most_of, v);
}

NUMEL_MUST static bool too_many(const struct expansion *x, uint64_t rows, numel_error *e)
{
    char expected[TEXT_NUMBER], most[TEXT_NUMBER];
    return error_set(
        e, NUMEL_E_LIMIT, NUMEL_NOWHERE,
        "%s%s tensors are expected, one loop or stack is to %s: at most %s are listed one by one "
        "('numel formula' has their sum)",
        x->expected == UINT64_MAX ? "more than " : "", text_number(expected, x->expected), x->most_of,
        text_number(most, rows));
}

/* ---- sizes ------------------------------------------------------------------------------------ */

static void weaken(struct site *site, enum evidence evidence)
{
    if (evidence > site->evidence) site->evidence = evidence;
}

static bool too_large(struct spec_walk *w, uint32_t node)
{
    return eval_fail(w->env, node, NUMEL_E_OVERFLOW, "the tensor does not fit in 64 bits");
}

/* Writes the dims of one row to dims[] and their product to elements. Sets *varies if they depend on a
 * loop. */
static bool find_dims(struct spec_walk *w, const struct tensor_part *p, struct site *site, uint64_t *dims,
                      bool *varies)
{
    struct expansion *x = own(w)->x;
    bool reversed;
    unsigned n;
    const uint32_t *nodes = part_dims(p->tensor, x->side, p->part, &n, &reversed);
    struct value v;
    /* A bare parameter may be empty: DINOv3 without register tokens stores [1, 0, E]. Others only if their
     * line allows it. */
    int64_t least = p->tensor->kind == TENSOR_RAW || p->tensor->empty ? 0 : 1;
    site->elements = 1;
    if (site->stacked) dims[site->ndim++] = site->stack;
    for (unsigned i = 0; i < n; i++) {
        uint32_t node = nodes[reversed ? n - 1 - i : i];
        if (!eval_int(w->env, node, least, "a size", &v)) return false;
        dims[site->ndim++] = (uint64_t)v.i;
        if (!num_mul(&site->elements, site->elements, (uint64_t)v.i)) return too_large(w, node);
        weaken(site, v.evidence);
        *varies |= v.varies;
    }
    return !site->stacked || num_mul(&site->elements, site->elements, site->stack) ||
           too_large(w, p->tensor->stack);
}

/* The number of rows in files that pad the table; the class cuts off the extra ones. */
static bool find_padding(struct spec_walk *w, const struct tensor_line *t, struct site *site)
{
    struct value v;
    site->padded = 0;
    if (!t->pad) return true;
    if (!eval_int(w->env, t->pad, 0, "a size", &v)) return false;
    site->padded = (uint64_t)v.i;
    return true;
}

static bool find_stack(struct spec_walk *w, const struct tensor_line *t, struct site *site, bool *varies)
{
    struct expansion *x = own(w)->x;
    struct value v;
    char shown[EVAL_SHOW];
    site->stack = 1;
    if (!t->stack) return true;
    if (!eval_int(w->env, t->stack, 1, "a stack", &v)) return false;
    if (v.i >= UINT32_MAX)
        return eval_fail(w->env, t->stack, NUMEL_E_LIMIT, "a stack of %s", eval_show(shown, &v));
    note_most(x, &v, v.i);
    weaken(site, v.evidence);
    site->stack = (uint32_t)v.i;
    site->stacked = is_stacked(x->spec, t, x->side);
    *varies = v.varies;
    return true;
}

/* Reuses dims and polynomials of the line's previous site: most layers are equal. */
static bool share_sizes(struct expansion *x, const struct tensor_part *p, struct site *site,
                        const uint64_t *dims)
{
    uint32_t *last = &x->last_site[2 * p->line + p->part];
    const struct site *s = *last && !x->folded ? &x->sites[*last - 1] : NULL;
    *last = (uint32_t)x->site_count + 1;
    if (!s || s->stack != site->stack || s->ndim != site->ndim) return false;
    if (memcmp(s->dims, dims, s->ndim * sizeof *dims) != 0) return false;
    site->dims = s->dims;
    site->each = s->each;
    site->times = s->times;
    return true;
}

NUMEL_MUST static bool find_sizes(struct spec_walk *w, const struct tensor_part *p, struct site *site)
{
    struct expansion *x = own(w)->x;
    struct factors *f = &x->factors;
    uint64_t dims[SPEC_DIMS + 1];
    bool varies = false, reversed;
    unsigned n;
    if (!find_stack(w, p->tensor, site, &varies) || !find_dims(w, p, site, dims, &varies) ||
        !find_padding(w, p->tensor, site))
        return false;
    if (!varies && share_sizes(x, p, site, dims)) return true;
    const uint32_t *nodes = part_dims(p->tensor, x->side, p->part, &n, &reversed);
    site->times = p->tensor->stack ? size_poly(x, p->tensor->stack) : poly_number(f, 1);
    site->each = poly_number(f, 1);
    for (unsigned i = 0; i < n && !x->ranged; i++)
        site->each = poly_multiply(f, site->each, size_poly(x, nodes[i]));
    site->dims = arena_copy(&x->arena, dims, site->ndim * sizeof *dims);
    return site->dims || error_nomem(errors(w));
}

/* ---- tensors ---------------------------------------------------------------------------------- */

NUMEL_MUST static bool role_name(struct spec_walk *w, const struct tensor_part *p, numel_str *role)
{
    *role = p->tensor->role;
    if (p->part == PART_WEIGHT) return true;
    *role = arena_join(&own(w)->x->arena, *role, text_of(".bias"), text_of(""));
    return role->p || error_nomem(errors(w));
}

static bool is_present(const struct expansion *x, numel_str name, bool *there)
{
    const struct presence *file = x->env.file;
    *there = false;
    if (file && x->env.alike) alike_alone(x->env.alike);
    return !file || !file->has || file->has(file->ctx, name.p, there, x->env.error);
}

static struct site new_site(const struct spec_walk *w, const struct tensor_part *p)
{
    const struct expanding *a = own(w);
    return (struct site){
        .line = p->line,
        .kind = p->tensor->kind,
        .holds = p->tensor->holds,
        .part = p->part,
        .group = a->grouped ? (uint32_t)a->x->group_count : NO_GROUP,
        .alternative = a->grouped ? a->group.alternatives : 0,
        .layer = w->at.turn ? w->at.turn->at : -1,
        .evidence = p->evidence,
        .tied = p->tied == DECIDED_YES,
        .optional = p->tensor->optional || w->at.extra.p,
        .extra = w->at.extra,
        .turn = w->at.turn,
        .asked = p->asked,
        .offered = p->offered,
    };
}

NUMEL_MUST static bool expand_tensor(struct spec_walk *w, const struct tensor_part *p)
{
    struct expansion *x = own(w)->x;
    struct site site = new_site(w, p);
    bool there = true;
    numel_str sense = text_upto(p->tensor->role, 2);
    if (x->blind && (text_equal(sense, "v.") || text_equal(sense, "a."))) return true;
    if (!memory_grow(x->arena.memory, (void **)&x->sites, &x->site_cap, x->site_count + 1, sizeof *x->sites,
                     errors(w)) ||
        !role_name(w, p, &site.role) || !find_sizes(w, p, &site) || !expand_rows(w, &site, p))
        return false;
    if (site.optional && x->unnamed) there = false;
    else if (site.optional && !is_present(x, x->rows[site.first_row].name, &there)) return false;
    site.counted = !site.tied && !site.extra.p && !site.offered && there;
    x->sites[x->site_count++] = site;
    return true;
}

NUMEL_MUST static bool always_has(void *ctx, const char *glob, bool *there, numel_error *e)
{
    (void)ctx, (void)glob, (void)e;
    return *there = true;
}

/* Offers a buffer whose condition fails only because there is no file: would has() make it true? */
static bool expand_offer(struct spec_walk *w, bool *offered)
{
    static const struct presence all = { .has = always_has };
    const struct tensor_line *t = w->line->tensor;
    if (!own(w)->x->offers || t->kind != TENSOR_BUF || w->env->file) return true;
    w->env->file = &all;
    bool ok = eval_bool(w->env, t->when, offered, NULL);
    w->env->file = NULL;
    return ok;
}

/* ---- the other lines -------------------------------------------------------------------------- */

/* Frees values other than those of symbols: none is in use here. */
NUMEL_MUST static bool expand_step(struct spec_walk *w)
{
    if (!scratch_sweep(&own(w)->scratch, w->env)) return false;
    return ++own(w)->steps <= EXPAND_STEPS ||
           error_set(errors(w), NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d steps", EXPAND_STEPS);
}

/* The node of `let A = B`, so that B counts as shown; 0 for other expressions, or if B is an alias of A. */
static uint32_t alias_of(const struct expansion *x, uint32_t symbol, uint32_t node)
{
    if (x->spec->nodes[node].kind != NODE_SYMBOL) return 0;
    for (uint32_t at = node; at; at = x->alias[x->spec->nodes[at].number])
        if (x->spec->nodes[at].number == symbol) return 0;
    return node;
}

static bool expand_define(struct spec_walk *w, bool set)
{
    uint32_t node = w->line->expr[w->env->values], symbol = w->line->symbol;
    struct value v;
    own(w)->x->alias[symbol] = set ? 0 : alias_of(own(w)->x, symbol, node);
    if (!set && !eval(w->env, node, &v)) return false;
    if (!set) env_bind(w->env, symbol, &v);
    if (w->env->alike) alike_bound(w->env, symbol);
    return true;
}

NUMEL_MUST static bool expand_lost(struct spec_walk *w)
{
    const struct part_line *part = w->line->part;
    char room[TEXT_QUOTE], type[TEXT_QUOTE], *path = text_bare(room, part->path);
    if (part->beyond)
        return error_set(errors(w), NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "%s: parts of models are nested deeper than %d, or are more than %d", path,
                         PART_DEPTH, SPEC_SCOPES - 1);
    if (part->type.p)
        return error_set(errors(w), NUMEL_E_ARCH, NUMEL_NOWHERE, "no specification for %s.model_type %s",
                         path, text_quote(type, part->type));
    return error_set(errors(w), NUMEL_E_KEY, NUMEL_NOWHERE,
                     "the configuration has no %s.model_type; give it with --set %s.model_type=TYPE", path,
                     path);
}

static bool expand_test(struct spec_walk *w, uint32_t node, enum decision *out, enum evidence *evidence)
{
    bool holds;
    if (!eval_bool(w->env, node, &holds, evidence)) return false;
    return *out = holds ? DECIDED_YES : DECIDED_NO, true;
}

NUMEL_MUST static bool expand_range(struct spec_walk *w, int64_t *from, int64_t *to)
{
    struct expansion *x = own(w)->x;
    const struct line *line = w->line;
    struct value first, end;
    char shown[EVAL_SHOW];
    if (!eval_int(w->env, line->expr[0], 0, "the start of a loop", &first) ||
        !eval_int(w->env, line->expr[1], 0, "the end of a loop", &end))
        return false;
    if (!x->folded && end.i - first.i > EXPAND_TURNS)
        return eval_fail(w->env, line->expr[1], NUMEL_E_LIMIT, "a loop to %s, of %" PRId64 " turns",
                         eval_show(shown, &end), end.i - first.i);
    note_most(x, &end, end.i - first.i);
    struct loop *loop = arena_alloc(&x->arena, sizeof *loop);
    if (!loop) return error_nomem(errors(w));
    *loop = (struct loop){ walk_at(w), *from = first.i, *to = end.i, size_poly(x, line->expr[0]),
                           size_poly(x, line->expr[1]) };
    w->at.loop = loop;
    if (end.evidence > w->at.evidence) w->at.evidence = end.evidence;
    return true;
}

NUMEL_MUST static bool expand_turn(struct spec_walk *w, int64_t i, int64_t to, int64_t *next)
{
    struct value v = value_int(i);
    struct turn *turn;
    (void)to, (void)next;
    if (own(w)->fold && !fold_begin(w, i, to)) return false;
    if (!(turn = arena_alloc(&own(w)->x->arena, sizeof *turn))) return error_nomem(errors(w));
    *turn = (struct turn){ w->at.turn, w->at.loop, i, i, 1 };
    w->at.turn = turn;
    v.varies = true;
    if (own(w)->fold) fold_turn(w, turn, &v);
    env_bind(w->env, w->line->symbol, &v);
    if (w->env->alike) alike_bound(w->env, w->line->symbol);
    return true;
}

static bool expand_turned(struct spec_walk *w, int64_t i, int64_t to, int64_t *next)
{
    if (own(w)->fold) fold_end(w, i, to, next);
    return true;
}

/* ---- oneof ------------------------------------------------------------------------------------ */

NUMEL_MUST static bool expand_open(struct spec_walk *w)
{
    struct expanding *a = own(w);
    a->group = (struct group){ .line = walk_at(w), .first_site = (uint32_t)a->x->site_count };
    a->grouped = true;
    return memory_grow(a->x->arena.memory, (void **)&a->x->groups, &a->x->group_cap, a->x->group_count + 1,
                       sizeof *a->x->groups, errors(w));
}

/* Counts the alternative only if this side has it. */
static bool expand_alternative(struct spec_walk *w)
{
    struct expanding *a = own(w);
    const struct expansion *x = a->x;
    bool any = x->site_count > a->group.first_site &&
               x->sites[x->site_count - 1].alternative == a->group.alternatives;
    a->group.alternatives += any;
    return true;
}

struct tally {
    uint64_t elements, needed, present;
};

/* True if the file has the whole stack. The names must differ only in a number. */
static bool all_present(const struct expansion *x, const struct site *site)
{
    const struct presence *file = x->env.file;
    const struct row *first = &x->rows[site->first_row];
    return file && file->stack && site->counts &&
           file->stack(file->ctx, first[0].name, first[1].name, site->rows);
}

NUMEL_MUST static bool tally_site(const struct expansion *x, const struct site *site, struct tally *t)
{
    uint64_t all;
    if (!num_mul(&all, site->elements, site->rows) || !num_mul(&all, all, site_turns(site)) ||
        !num_add(&t->elements, t->elements, all))
        return error_set(x->env.error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the total does not fit in 64 bits");
    uint32_t rows = x->unnamed ? 0 : x->folded && site->rows ? 1 : site->rows;
    if (rows > 1 && all_present(x, site)) {
        t->needed += rows;
        t->present += rows;
        return true;
    }
    for (uint32_t k = 0; k < rows; k++, t->needed++) {
        bool there;
        if (!is_present(x, x->rows[site->first_row + k].name, &there)) return false;
        t->present += there;
    }
    return true;
}

/* Inside `extra` everything is optional, but its alternatives must still be told apart. */
static bool tally(const struct spec_walk *w, uint32_t alternative, struct tally *t)
{
    const struct expansion *x = own(w)->x;
    *t = (struct tally){ 0 };
    for (size_t i = own(w)->group.first_site; i < x->site_count; i++) {
        const struct site *site = &x->sites[i];
        bool extra = site->extra.p && w->at.extra.p;
        if (site->alternative != alternative || (site->optional && !extra) || site->tied) continue;
        if (!tally_site(x, site, t)) return false;
    }
    return true;
}

static bool unlike(const struct spec_walk *w, uint64_t a, uint64_t b)
{
    const struct spec *s = w->env->spec;
    const struct line *line = &s->lines[own(w)->group.line];
    error_set(errors(w), NUMEL_E_SPEC, NUMEL_NOWHERE,
              "line %u: alternatives of %" PRIu64 " and %" PRIu64 " elements", line->number, a, b);
    error_file(errors(w), s->files[line->file]);
    return false;
}

/* Chooses an alternative and removes the others from the totals. */
static bool expand_close(struct spec_walk *w)
{
    struct expansion *x = own(w)->x;
    struct group *g = &own(w)->group;
    struct tally best = { 0 }, t;
    own(w)->grouped = false;
    for (uint32_t k = 0; k < g->alternatives; k++) {
        if (!tally(w, k, &t)) return false;
        bool whole = t.needed && t.present == t.needed;
        if (k == 0 || (whole && !g->present)) {
            best = t;
            g->chosen = k;
            g->present = whole;
        }
        if (!x->env.file && t.elements != best.elements) return unlike(w, best.elements, t.elements);
    }
    g->elements = best.elements;
    g->sites = (uint32_t)(x->site_count - g->first_site);
    for (size_t i = g->first_site; i < x->site_count; i++)
        if (x->sites[i].alternative != g->chosen) x->sites[i].counted = false;
    x->groups[x->group_count++] = *g;
    return true;
}

static const struct walk_visitor expander = {
    .step = expand_step,
    .define = expand_define,
    .test = expand_test,
    .range = expand_range,
    .turn = expand_turn,
    .turned = expand_turned,
    .lost = expand_lost,
    .open = expand_open,
    .alternative = expand_alternative,
    .close = expand_close,
    .offer = expand_offer,
    .tensor = expand_tensor,
    .cache = expand_cache,
};

/* ---- the whole expansion ---------------------------------------------------------------------- */

NUMEL_MUST static bool prepare(struct expansion *x, const struct expand_input *in, numel_error *e)
{
    size_t symbols = in->spec->symbol_count, nodes = in->spec->node_count;
    if (in->config && in->side == SIDE_HF && !config_counts_hold(in->config, e)) return false;
    x->spec = in->spec;
    x->side = in->side;
    x->offers = in->offer;
    x->blind = in->blind;
    x->keeps = in->cache;
    x->turns = in->turns ? in->turns : EXPAND_TURNS;
    x->unnamed = in->unnamed && !x->folded;
    x->ranged = in->ranged && x->folded;
    x->env = (struct env){ .spec = in->spec,
                           .config = in->config,
                           .names = in->side,
                           .values = in->other_values ? SIDES - 1 - in->side : in->side,
                           .llama_cpp = in->llama_cpp,
                           .file = in->file,
                           .ranged = x->ranged,
                           .bounded = true,
                           .arena = &x->arena };
    x->shown = arena_alloc(&x->arena, symbols * sizeof *x->shown);
    x->sizes = arena_alloc(&x->arena, nodes * sizeof *x->sizes);
    x->sized = arena_alloc(&x->arena, nodes * sizeof *x->sized);
    x->alias = arena_alloc(&x->arena, symbols * sizeof *x->alias);
    x->last_site = arena_alloc(&x->arena, 2 * in->spec->line_count * sizeof *x->last_site);
    if (!x->shown || !x->sizes || !x->sized || !x->alias || !x->last_site) return error_nomem(e);
    memset(x->last_site, 0, 2 * in->spec->line_count * sizeof *x->last_site);
    memset(x->shown, 0, symbols * sizeof *x->shown);
    memset(x->alias, 0, symbols * sizeof *x->alias);
    memset(x->sizes, 0, nodes * sizeof *x->sizes);
    if (!env_init(&x->env, e)) return false;
    x->env.arena = &x->values;
    return true;
}

NUMEL_MUST static bool walk_all(struct expansion *x, numel_error *e)
{
    struct expanding a = { .x = x };
    struct spec_walk w;
    scratch_init(&a.scratch, &x->values);
    walk_init(&w, x->arena.memory);
    w.both = !x->ranged;
    w.names = &x->arena;
    bool ok = (!x->folded || fold_init(&a, e)) && walk_spec(&w, &expander, &a, &x->env);
    x->env.alike = NULL;
    if (x->folded) fold_done(&a);
    scratch_done(&a.scratch);
    walk_done(&w);
    return ok && (!x->ranged || expand_ranges(x, e)) &&
           error_free(e); /* an allocation that failed on the way has set it */
}

enum { FEW_TURNS = 4096 }; /* tried first with a file, before the total is known */

/* Number of sites over all iterations; at most the number of rows. */
static size_t all_sites(const struct expansion *folded)
{
    uint64_t n = 0;
    for (size_t i = 0; i < folded->site_count; i++)
        if (!num_add(&n, n, site_turns(&folded->sites[i]))) return 0;
    return n < SIZE_MAX ? (size_t)n : 0;
}

/* `room`: known numbers of sites and rows; NULL if unknown. */
NUMEL_MUST static bool make(struct expansion **out, const struct expand_input *in, bool folded,
                            const struct expansion *room, const numel_allocator *m, numel_error *e)
{
    struct expansion *x = memory_resize(m, NULL, sizeof *x);
    *out = NULL;
    if (!x) return error_nomem(e);
    *x = (struct expansion){ .folded = folded };
    arena_init(&x->arena, m);
    arena_init(&x->values, m);
    factors_init(&x->factors, &x->arena);
    bool ok = !room ||
              (memory_grow(m, (void **)&x->sites, &x->site_cap, room->site_cap, sizeof *x->sites, e) &&
               (in->unnamed ||
                memory_grow(m, (void **)&x->rows, &x->row_cap, (size_t)room->expected, sizeof *x->rows, e)));
    if (ok && prepare(x, in, e) && walk_all(x, e) && expansion_close(x, e)) *out = x;
    else expansion_free(x);
    return *out != NULL;
}

bool expand_folded(struct expansion **out, const struct expand_input *in, const numel_allocator *m,
                   numel_error *e)
{
    return make(out, in, true, NULL, m, e);
}

/* Counts without the file, which makes each iteration of a loop unlike the next. LIMIT if there are more than
 * twice as many rows as allowed. */
NUMEL_MUST static bool is_within(const struct expand_input *in, uint64_t rows, const numel_allocator *m,
                                 numel_error *e)
{
    struct expand_input alone = *in;
    struct expansion *x;
    alone.file = NULL;
    if (!make(&x, &alone, true, NULL, m, e)) return false;
    bool few = x->expected / 2 <= rows || too_many(x, rows, e);
    expansion_free(x);
    return few;
}

/* Expands folded, to count. A file is asked in each iteration, so this first makes sure that there are not
 * too many. */
NUMEL_MUST static bool count_rows(struct expansion **out, const struct expand_input *in, uint64_t rows,
                                  const numel_allocator *m, numel_error *e)
{
    struct expand_input first = *in;
    if (!in->file) return expand_folded(out, in, m, e);
    first.turns = FEW_TURNS;
    if (make(out, &first, true, NULL, m, e)) return true;
    if (e->code != NUMEL_E_LIMIT) return false;
    error_clear(e);
    return is_within(in, rows, m, e) && expand_folded(out, in, m, e);
}

bool expand(struct expansion **out, const struct expand_input *in, const numel_allocator *m, numel_error *e)
{
    uint64_t rows = in->rows ? in->rows : EXPAND_ROWS;
    if (!count_rows(out, in, rows, m, e)) return false;
    struct expansion room = { .expected = (*out)->expected, .site_cap = all_sites(*out) };
    bool few = (*out)->expected <= rows || too_many(*out, rows, e);
    expansion_free(*out);
    *out = NULL;
    return few && make(out, in, false, &room, m, e);
}

numel_str expansion_text(const struct expansion *x, const char *symbol)
{
    for (size_t i = 0; i < x->spec->symbol_count; i++) {
        const struct value *v = &x->env.bound[i];
        bool is = text_equal(x->spec->symbols[i].name, symbol) && x->env.is_bound[i];
        if (is && v->kind == VALUE_TEXT && v->s.n) return v->s;
    }
    return (numel_str){ NULL, 0 };
}

void expansion_free(struct expansion *x)
{
    if (!x) return;
    const numel_allocator *m = x->arena.memory;
    factors_done(&x->factors);
    memory_release(m, x->sites);
    memory_release(m, x->rows);
    memory_release(m, x->groups);
    memory_release(m, x->caches);
    arena_done(&x->values);
    arena_done(&x->arena);
    memory_release(m, x);
}
