/*
 * layout_solve.c -- finds the forms of one size; see layout.h.
 *
 * The steps of a layout (let, sym) run in order. A symbol with several possible values branches, depth first,
 * in order of preference. At the end of each branch the lines are evaluated: a remainder or a negative size
 * means that there is no form.
 */
#include "base/text.h"
#include "formula/layout_internal.h"

/* ---- names ------------------------------------------------------------------------------------ */

/* A mark is a control character, which no name in a layout contains. */
enum mark { MARK_W = 1, MARK_M, MARK_P, MARK_L, MARK_X, MARK_U, MARK_JOIN };

numel_str layout_module_name(numel_str weight)
{
    text_take_end(&weight, ".weight");
    return weight;
}

/* "mlp.experts" for "mlp.experts.3.up_proj.weight": everything before the last part that is a number. */
static numel_str experts_of(numel_str weight)
{
    for (size_t end = weight.n; end > 0;) {
        size_t from = end;
        bool digits = true;
        while (from > 0 && weight.p[from - 1] != '.') {
            from--;
            digits = digits && weight.p[from] >= '0' && weight.p[from] <= '9';
        }
        if (digits && from > 0 && end > from) return text_upto(weight, from - 1);
        end = from ? from - 1 : 0;
    }
    return (numel_str){ weight.p, 0 };
}

/* The part of a weight's name that a mark stands for. */
static numel_str marked_part(char mark, numel_str weight)
{
    numel_str module = layout_module_name(weight);
    size_t dot = weight.n;
    while (dot > 0 && weight.p[dot - 1] != '.') dot--;
    switch (mark) {
    case MARK_W: return weight;
    case MARK_M: return module;
    case MARK_P: return text_less(text_upto(weight, dot), 1);
    case MARK_L: return text_from(weight, dot);
    case MARK_X: return experts_of(weight);
    case MARK_U: return text_less(text_head(module, '.'), 1);
    default: return text_of(module.n < weight.n ? "." : "_");
    }
}

bool layout_name(numel_str marked, numel_str weight, char out[LAYOUT_NAME], numel_str *name)
{
    struct fixed text = fixed_of(out, LAYOUT_NAME);
    for (size_t i = 0, from = 0; i <= marked.n && !text.cut; i++) {
        bool mark = i < marked.n && marked.p[i] >= MARK_W && marked.p[i] <= MARK_JOIN;
        if (!mark && i < marked.n) continue;
        fixed_add(&text, text_slice(marked, from, i));
        if (mark) fixed_add(&text, marked_part(marked.p[i], weight));
        from = i + 1;
    }
    *name = fixed_str(&text);
    return !text.cut;
}

/* The template of a name, possibly through a `let`; 0 if the name is computed in another way. */
static uint32_t name_of(const struct layout *l, uint32_t node)
{
    const struct node *n = &l->base->nodes[node];
    if (n->kind == NODE_TEMPLATE || n->kind == NODE_TEXT) return node;
    for (unsigned i = 0; n->kind == NODE_SYMBOL && i < l->step_count; i++)
        if (l->steps[i].kind == STEP_LET && l->steps[i].symbol == (uint64_t)n->number) {
            uint32_t expr = l->steps[i].expr;
            uint8_t kind = l->base->nodes[expr].kind;
            return kind == NODE_TEMPLATE || kind == NODE_TEXT ? expr : 0;
        }
    return 0;
}

static void add_part(struct buffer *b, const struct node *part)
{
    if (part->kind == NODE_TEXT) buffer_add(b, part->text.p, part->text.n);
    else buffer_text(b, "*");
}

NUMEL_MUST static const char *glob_of(const struct layout *l, uint32_t name, struct arena *a)
{
    const struct node *nodes = l->base->nodes;
    struct buffer b;
    buffer_init(&b, a->memory);
    if (nodes[name].kind == NODE_TEXT) add_part(&b, &nodes[name]);
    else
        for (uint32_t k = nodes[name].a; k; k = nodes[k].next) add_part(&b, &nodes[k]);
    return buffer_keep(&b, a);
}

bool layout_reads(const struct layout *l, uint32_t *at, struct arena *a, const char **glob, numel_error *e)
{
    while (++*at < l->base->node_count) {
        const struct node *n = &l->base->nodes[*at];
        bool reads = n->kind == NODE_CALL && (n->number == FUNCTION_JSON || n->number == FUNCTION_INTS ||
                                              n->number == FUNCTION_NUMBER);
        uint32_t name = reads ? name_of(l, n->a) : 0;
        if (!name) continue;
        *glob = glob_of(l, name, a);
        return *glob || error_nomem(e);
    }
    return false;
}

bool layout_is_beside(numel_str marked)
{
    return text_first(marked) == MARK_M || text_first(marked) == MARK_W;
}

bool layout_is_float(const char *type)
{
    const char *bits = text_starts(text_of(type), "BF") ? type + 2 : *type == 'F' ? type + 1 : "";
    return strcmp(bits, "16") == 0 || (*type == 'F' && (strcmp(bits, "32") == 0 || strcmp(bits, "64") == 0));
}

bool layout_type_fits(numel_str types, const char *type)
{
    for (size_t i = 0; i <= types.n; i++) {
        size_t from = i;
        while (i < types.n && types.p[i] != '|') i++;
        numel_str one = text_slice(types, from, i);
        if (text_equal(one, type)) return true;
        if (text_equal(one, "float") && layout_is_float(type)) return true;
    }
    return false;
}

/* ---- one form --------------------------------------------------------------------------------- */

bool solving_text(struct solving *s, uint32_t node, numel_str *out)
{
    struct value v;
    if (!eval(&s->env, node, &v) || v.kind != VALUE_TEXT) return false;
    *out = v.s;
    return true;
}

/* False: no form, or out of memory with env.error set. */
NUMEL_MUST static bool line_dims(struct solving *s, const struct layout_line *line, struct stored *out)
{
    const struct layout_module *m = s->m;
    uint32_t lead = line->flat ? 0 : m->lead_count;
    uint64_t *dims = arena_alloc(s->arena, (lead + line->ndim + 1u) * sizeof *dims);
    if (!dims) return error_nomem(s->error);
    for (uint32_t i = 0; i < lead; i++) dims[i] = m->lead[i];
    for (uint32_t i = 0; i < line->ndim; i++) {
        struct value v;
        dims[lead + i] = UINT64_MAX;
        if (line->any >> i & 1) continue;
        if (!eval_int(&s->env, line->dims[i], 0, "a size", &v)) return false;
        dims[lead + i] = (uint64_t)v.i;
    }
    out->dims = dims;
    out->ndim = lead + line->ndim;
    out->any_size = line->any != 0;
    return true;
}

NUMEL_MUST static bool make_line(struct solving *s, const struct layout_line *line, unsigned i,
                                 struct stored *out)
{
    *out = (struct stored){ .role = line->role, .need = line->need, .line = (uint16_t)i };
    struct value v;
    if (s->l->opaque) return out->unknown = true, solving_text(s, line->name, &out->name);
    if (line->shared && !eval_int(&s->env, line->shared, 1, "a number of weights", &v)) return false;
    if (line->shared) out->shared = v.i;
    return solving_text(s, line->name, &out->name) && solving_text(s, line->types, &out->types) &&
           line_dims(s, line, out);
}

/* True if the form has the tensor already: used twice, a tensor would prove itself. */
static bool stored_before(const struct stored *stored, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (text_same(stored[i].name, stored[count].name)) return true;
    return false;
}

/* Without a configuration, a tensor that each weight needs must exist somewhere in the file. */
static bool may_be_there(const struct solving *s, const struct stored *stored)
{
    const struct nearby *b = s->m->nearby;
    return !s->env.silent || stored->need != NEED_ALWAYS || !b || !b->silent ||
           !b->silent(b->ctx, FUNCTION_DIM, stored->name);
}

/* False: no form. It has a tensor twice, or no required values (the other tensors do not stand for a
 * weight). */
NUMEL_MUST static bool make_lines(struct solving *s, struct layout_form *f)
{
    struct stored *stored = arena_alloc(s->arena, (s->l->line_count + 1) * sizeof *stored);
    bool yes = true, valued = false;
    if (!stored) return error_nomem(s->error);
    f->stored = stored;
    for (unsigned i = 0; i < s->l->line_count; i++) {
        const struct layout_line *line = &s->l->lines[i];
        if (line->when && !eval_bool(&s->env, line->when, &yes, NULL)) return false;
        if (line->when && !yes) continue;
        if (!make_line(s, line, i, &stored[f->count]) || stored_before(stored, f->count) ||
            !may_be_there(s, &stored[f->count]))
            return false;
        valued |= line->role == LAYOUT_VALUE && line->need == NEED_ALWAYS;
        f->count++;
    }
    return valued;
}

void solving_number(struct solving *s, uint32_t node, int64_t *out)
{
    struct value v;
    *out = node && eval(&s->env, node, &v) && v.kind == VALUE_INT && v.i > 0 ? v.i : 0;
}

/* "b 4, g 128": the values chosen or given; `quiet`: with spellings. */
NUMEL_MUST static const char *choice(struct solving *s, bool quiet)
{
    char shown[VALUE_SHOW], digits[TEXT_DECIMAL];
    numel_str text = { "", 0 };
    for (unsigned i = 0; i < s->l->step_count; i++) {
        const struct layout_step *x = &s->l->steps[i];
        const struct value *v = &s->env.bound[x->symbol];
        if (x->kind != STEP_SYM || (x->quiet && !quiet) || text.n > 200 || v->kind == VALUE_NULL) continue;
        numel_str name = s->l->base->symbols[x->symbol].name;
        numel_str value = v->kind == VALUE_INT ? text_decimal(digits, v->i) : text_of(value_show(shown, v));
        text = arena_join(s->arena, text, text_of(text.n ? ", " : ""), name);
        text = arena_join(s->arena, text, text_of(" "), text_upto(value, 40));
        if (!text.p) return NULL;
    }
    return text.p;
}

/* Records the values that the configuration gives. */
NUMEL_MUST static bool take_said(struct solving *s, struct layout_form *f)
{
    struct layout_said *said = arena_alloc(s->arena, (s->l->step_count + 1) * sizeof *said);
    if (!said) return error_nomem(s->error);
    f->said = said;
    for (unsigned i = 0; i < s->l->step_count; i++) {
        const struct layout_step *x = &s->l->steps[i];
        const struct value *v = &s->env.bound[x->symbol];
        if (x->kind != STEP_SYM || !v->key || !v->by) continue;
        said[f->said_count++] = (struct layout_said){ s->l->base->symbols[x->symbol].name, *v };
    }
    return true;
}

NUMEL_MUST static bool add_form(struct solving *s, const struct layout_form *f)
{
    struct layout_forms *out = s->out;
    if (out->count == LAYOUT_FORMS)
        return error_set(s->error, NUMEL_E_LIMIT, NUMEL_NOWHERE, "%s: more than %d forms of one size",
                         s->l->base->files[0], LAYOUT_FORMS);
    if (!memory_grow(s->arena->memory, (void **)&out->items, &out->cap, out->count + 1, sizeof *out->items,
                     s->error))
        return false;
    out->items[out->count++] = *f;
    return true;
}

bool solving_allowed(struct solving *s)
{
    bool yes = true;
    for (unsigned i = 0; i < s->l->only_count && yes; i++)
        if (!eval_bool(&s->env, s->l->onlys[i], &yes, NULL)) return false;
    return yes;
}

bool solving_plain(struct solving *s)
{
    bool yes = false;
    for (unsigned i = 0; i < s->l->plain_count && !yes; i++)
        if (!layout_when(&s->env, s->l->plains[i], &yes, s->error)) return false;
    return yes;
}

/* Evaluates an expression that may have no value in this branch; *said is then false. Fails only if out of
 * memory. */
NUMEL_MUST static bool attempt(struct solving *s, uint32_t node, struct value *out, bool *said)
{
    numel_error mine = { 0 };
    s->env.error = &mine;
    *said = eval(&s->env, node, out);
    s->env.error = s->error;
    return mine.code != NUMEL_E_NOMEM || error_nomem(s->error);
}

/* Evaluates a source: a number or a text, if it has a value. A flag is a number. */
bool solving_hear(struct solving *s, uint32_t node, struct value *v, bool *said)
{
    if (!attempt(s, node, v, said)) return false;
    if (*said && v->kind == VALUE_BOOL) v->kind = VALUE_INT, v->i = v->b;
    *said = *said && (v->kind == VALUE_INT || v->kind == VALUE_TEXT || v->kind == VALUE_REAL);
    return true;
}

/* "config.json (bits)" */
static void put_witness(char out[EVAL_SHOW], const struct value *v)
{
    if (v->by && v->key) text_format(out, EVAL_SHOW, "%.100s (%.100s)", v->by, v->key);
    else text_format(out, EVAL_SHOW, "%.100s", v->by ? v->by : v->key ? v->key : "the layout");
}

/* "config.json (bits) says bits 4, nbits says 3": both values with their sources. */
NUMEL_MUST static bool contradict(struct solving *s, uint32_t symbol, const struct value *a,
                                  const struct value *b)
{
    char x[EVAL_SHOW], y[EVAL_SHOW], v[VALUE_SHOW], w[VALUE_SHOW], what[TEXT_QUOTE];
    numel_str name = s->l->base->symbols[symbol].name;
    bool said = a->by || a->key;
    put_witness(x, a);
    put_witness(y, b);
    if (symbol == SYMBOLS_BUILT_IN + GIVEN_O) name = text_of("outputs");
    if (symbol == SYMBOLS_BUILT_IN + GIVEN_I) name = text_of("inputs");
    if (symbol < SYMBOLS_BUILT_IN + LAYOUT_GIVEN) text_format(x, sizeof x, "the model"), said = true;
    value_show(v, a);
    value_show(w, b);
    text_bare(what, name);
    s->contradiction =
        said ? arena_format(s->arena, "%s says %s %s, but %s says %s", x, what, v, y, w)
             : arena_format(s->arena, "by their shapes %s is %s, but %s says %s", what, v, y, w);
    return s->contradiction || error_nomem(s->error);
}

/* Checks, when all symbols have a value, whether a witness has another one. */
static bool hear_witnesses(struct solving *s, struct layout_form *f)
{
    const char *before = s->contradiction;
    for (unsigned i = 0; i < s->l->witness_count && !s->contradiction; i++) {
        const struct layout_witness *w = &s->l->witnesses[i];
        const struct value *is = &s->env.bound[w->symbol];
        struct value v;
        bool said;
        if (!solving_hear(s, w->expr, &v, &said)) return false;
        if (said && !value_same(&v, is) && !contradict(s, w->symbol, is, &v)) return false;
    }
    f->contradiction = s->contradiction;
    s->contradiction = before;
    return true;
}

/* Divides as reals, not as integers. */
static bool real_of(struct solving *s, uint32_t node, double *out)
{
    const struct node *n = &s->l->base->nodes[node];
    struct value v;
    bool said;
    double a, b;
    *out = 0;
    if (n->kind == NODE_DIV) {
        if (!real_of(s, n->a, &a) || !real_of(s, n->b, &b)) return false;
        *out = b > 0 ? a / b : 0;
        return true;
    }
    if (!solving_hear(s, node, &v, &said)) return false;
    if (said && v.kind == VALUE_INT) *out = (double)v.i;
    if (said && v.kind == VALUE_REAL) *out = v.r;
    return true;
}

/* Evaluates a `mean` line for this form. */
NUMEL_MUST static bool take_mean(struct solving *s, struct layout_form *f)
{
    char who[EVAL_SHOW];
    bool yes = true, said;
    struct value v;
    if (!s->l->mean) return true;
    if (s->l->mean_when && !layout_when(&s->env, s->l->mean_when, &yes, s->error)) return false;
    if (!yes || !solving_hear(s, s->l->mean_said, &v, &said)) return !yes;
    if (!said || v.kind == VALUE_TEXT) return true;
    f->mean_said = v.kind == VALUE_INT ? (double)v.i : v.r;
    put_witness(who, &v);
    f->mean_by = arena_text(s->arena, who, strlen(who));
    return f->mean_by ? real_of(s, s->l->mean, &f->mean) : error_nomem(s->error);
}

/* The first `unpack` line whose condition holds. */
NUMEL_MUST static bool take_unpack(struct solving *s, struct layout_form *f)
{
    for (unsigned i = 0; i < s->l->unpack_count; i++) {
        const struct layout_unpack *x = &s->l->unpacks[i];
        bool yes = true;
        if (x->when && !layout_when(&s->env, x->when, &yes, s->error)) return false;
        if (!yes) continue;
        f->method = x->method;
        for (unsigned k = 0; k < LAYOUT_ARGS; k++) {
            struct value v;
            bool said = false;
            if (x->args[k] && !attempt(s, x->args[k], &v, &said)) return false;
            f->args[k] = said && v.kind == VALUE_INT && v.i > 0 ? v.i : 0;
        }
        return true;
    }
    return true;
}

/* The end of a branch. What cannot be computed has no form; *s->error is for memory and limits. */
NUMEL_MUST static bool finish(struct solving *s)
{
    struct layout_form f = { .layout = s->l, .contradiction = s->contradiction };
    numel_error mine = { 0 };
    bool plain = solving_plain(s);
    s->out->plain |= plain;
    if (plain || !error_free(s->error)) return error_free(s->error);
    s->env.error = &mine;
    bool ok = solving_allowed(s) && make_lines(s, &f);
    solving_number(s, s->l->bits, &f.bits);
    solving_number(s, s->l->group, &f.group);
    s->env.error = s->error;
    if (mine.code == NUMEL_E_NOMEM || !error_free(s->error))
        return error_free(s->error) ? error_nomem(s->error) : false;
    if (!ok) return true;
    if (!hear_witnesses(s, &f) || !take_mean(s, &f) || !take_unpack(s, &f)) return false;
    f.whole = f.group && f.group >= s->env.bound[SYMBOLS_BUILT_IN + GIVEN_I].i;
    f.choice = choice(s, false);
    f.spelling = choice(s, true);
    if (!f.choice || !f.spelling) return error_nomem(s->error);
    return (s->env.silent || take_said(s, &f)) && add_form(s, &f);
}

/* ---- branches --------------------------------------------------------------------------------- */

NUMEL_MUST static bool choice_value(struct solving *s, const struct layout_choice *c, struct value *out,
                                    bool *said)
{
    *out = c->value;
    return (*said = !c->expr) || attempt(s, c->expr, out, said);
}

/* Sets *yes if the layout lists the value. */
static bool listed(struct solving *s, const struct layout_step *x, unsigned count, const struct value *v,
                   bool *yes)
{
    struct value one;
    bool said;
    *yes = false;
    for (unsigned i = 0; i < count && !*yes; i++) {
        if (!choice_value(s, &x->choices[i], &one, &said)) return false;
        *yes = said && value_same(v, &one);
    }
    return true;
}

/* Reads the sources; sets *declared if one has a value. Sources that disagree, or an impossible value,
 * contradict. */
NUMEL_MUST static bool ask(struct solving *s, const struct layout_step *x, struct value *out, bool *declared)
{
    char who[EVAL_SHOW], shown[VALUE_SHOW], what[TEXT_QUOTE];
    *declared = false;
    for (unsigned i = 0; i < x->source_count; i++) {
        struct value v;
        bool said;
        if (!solving_hear(s, x->sources[i], &v, &said)) return false;
        if (!said) continue;
        if (*declared && !value_same(&v, out) && !contradict(s, x->symbol, out, &v)) return false;
        if (!*declared) *out = v;
        *declared = true;
    }
    if (!*declared || x->open) return true;
    bool known;
    if (!listed(s, x, x->choice_count, out, &known) || known) return error_free(s->error);
    text_bare(what, s->l->base->symbols[x->symbol].name);
    put_witness(who, out);
    s->contradiction = arena_format(s->arena, "%s says %s %s, which is impossible in %s", who, what,
                                    value_show(shown, out), s->l->name);
    return s->contradiction || error_nomem(s->error);
}

/* Branches on each value that differs from those before it; computed[] keeps the expression of the value. */
static bool branch_choices(struct solving *s, unsigned step)
{
    const struct layout_step *x = &s->l->steps[step];
    for (unsigned i = 0; i < x->choice_count; i++) {
        struct value v;
        bool said, again = false;
        if (!choice_value(s, &x->choices[i], &v, &said)) return false;
        if (said && x->choices[i].expr && !listed(s, x, i, &v, &again)) return false;
        if (!said || again) continue;
        v.evidence = EVIDENCE_INFERRED;
        env_bind(&s->env, x->symbol, &v);
        s->computed[step] = x->choices[i].expr;
        if (!solving_branch(s, step + 1)) return false;
    }
    s->computed[step] = 0;
    return true;
}

NUMEL_MUST static bool branch_sym(struct solving *s, unsigned step)
{
    const struct layout_step *x = &s->l->steps[step];
    const char *before = s->contradiction;
    struct value v = value_null();
    bool declared, wanted = true;
    if (x->when && !layout_when(&s->env, x->when, &wanted, s->error)) return false;
    if (!wanted) {
        env_bind(&s->env, x->symbol, &v);
        return solving_branch(s, step + 1);
    }
    if (!ask(s, x, &v, &declared)) return false;
    if (declared) {
        env_bind(&s->env, x->symbol, &v);
        bool ok = solving_branch(s, step + 1);
        s->contradiction = before;
        return ok;
    }
    return branch_choices(s, step);
}

bool solving_branch(struct solving *s, unsigned step)
{
    if (step == s->l->step_count) return s->finish(s);
    const struct layout_step *x = &s->l->steps[step];
    if (x->kind == STEP_SYM) return branch_sym(s, step);
    struct value v;
    bool ok;
    if (!attempt(s, x->expr, &v, &ok)) return false;
    if (!ok) return true; /* no form in this branch */
    env_bind(&s->env, x->symbol, &v);
    return solving_branch(s, step + 1);
}

static void bind(struct solving *s, enum layout_given what, struct value v)
{
    env_bind(&s->env, SYMBOLS_BUILT_IN + (uint32_t)what, &v);
}

bool solving_sizes(struct solving *s, int64_t out, int64_t in)
{
    const struct layout_module *m = s->m;
    int64_t n;
    if (__builtin_mul_overflow(out, in, &n)) return false;
    for (uint32_t i = 0; i < m->lead_count; i++)
        if (m->lead[i] > INT64_MAX || __builtin_mul_overflow(n, (int64_t)m->lead[i], &n)) return false;
    bind(s, GIVEN_O, value_int(out));
    bind(s, GIVEN_I, value_int(in));
    bind(s, GIVEN_N, value_int(n));
    return true;
}

bool solving_bind(struct solving *s)
{
    static const char marks[] = { MARK_W, MARK_M, MARK_P, MARK_L, MARK_X, MARK_U, MARK_JOIN };
    for (unsigned i = 0; i <= GIVEN_JOIN; i++)
        bind(s, (enum layout_given)i, value_text((numel_str){ &marks[i], 1 }));
    bind(s, GIVEN_ROLE, value_text(s->m->role));
    bind(s, GIVEN_STACK, value_int(s->m->stack));
    return solving_sizes(s, s->m->out, s->m->in);
}

static bool whens_hold(struct solving *s, bool *yes)
{
    *yes = true;
    for (unsigned i = 0; i < s->l->when_count && *yes; i++)
        if (!layout_when(&s->env, s->l->whens[i], yes, s->error)) return false;
    return true;
}

bool layout_extras(const struct layout *l, struct config *c, bool declared, struct arena *a,
                   const struct stored **out, numel_error *e)
{
    static const struct layout_module none = { .role = { "", 0 } };
    struct solving s = { .l = l, .m = &none, .arena = a, .error = e };
    struct stored *stored = arena_alloc(a, (l->extra_count + 1) * sizeof *stored);
    *out = stored;
    if (!stored) return error_nomem(e);
    s.env = (struct env){ .spec = l->base, .config = c, .arena = a, .silent = !declared };
    if (!env_init(&s.env, e) || !solving_bind(&s)) return false;
    for (unsigned i = 0; i < l->extra_count; i++)
        if (!make_line(&s, &l->extras[i], i, &stored[i])) return false;
    return true;
}

bool layout_solve(struct layout_forms *out, const struct layout *l, struct config *c, bool declared,
                  const struct layout_module *m, struct arena *a, numel_error *e)
{
    struct layout_module own = *m;
    struct solving s = { .l = l, .m = &own, .finish = finish, .out = out, .arena = a, .error = e };
    bool yes = true;
    if (l->turned) own.out = m->in, own.in = m->out;
    out->asking.nearby = m->nearby;
    s.env = (struct env){
        .spec = l->base, .config = c, .arena = a, .over = m->over, .asking = &out->asking, .silent = !declared
    };
    if (!env_init(&s.env, e)) return false;
    if (!solving_bind(&s)) return true; /* too large for any form */
    if (declared && !whens_hold(&s, &yes)) return false;
    return !yes || solving_branch(&s, 0);
}
