/*
 * infer_form.c -- expressions with unknown keys; see infer_internal.h.
 *
 * An expression is open if its value depends on a hole. Then a condition may be undecided, and a size is a
 * polynomial over the unknown keys; a quotient is an unknown of its own.
 */
#include "formula/infer_internal.h"

#include <math.h>

/* Of the errors in an evaluation, only NOMEM ends the search. */
static void pass_on(const struct trial *s)
{
    if (s->scratch.code == NUMEL_E_NOMEM) error_put_nomem(s->f->error);
}

bool form_unknown(struct trial *s)
{
    pass_on(s);
    return s->scratch.code != NUMEL_E_NOMEM;
}

bool form_eval(struct trial *s, uint32_t node, struct value *out)
{
    error_clear(&s->scratch);
    if (eval(&s->env, node, out)) return true;
    pass_on(s);
    return false;
}

static bool is_hole(const struct value *v)
{
    return v->kind == VALUE_REAL && v->evidence == EVIDENCE_INFERRED && isnan(v->r);
}

NUMEL_MUST static bool is_null(struct trial *s, uint32_t node)
{
    struct value v;
    return form_eval(s, node, &v) && v.kind == VALUE_NULL;
}

NUMEL_MUST static bool open_call(struct trial *s, const struct node *n, uint32_t node)
{
    struct value v;
    if (n->number == FUNCTION_ISNUM || n->number == FUNCTION_CLASS) return false;
    if (n->number == FUNCTION_CFG) return form_eval(s, node, &v) && is_hole(&v);
    for (uint32_t a = n->a; a; a = s->env.spec->nodes[a].next)
        if (form_open(s, a)) return true;
    return false;
}

/* True if the value depends on a hole. */
bool form_open(struct trial *s, uint32_t node)
{
    const struct node *n = &s->env.spec->nodes[node];
    switch ((enum node_kind)n->kind) {
    case NODE_SYMBOL: return s->open[n->number];
    case NODE_CALL: return open_call(s, n, node);
    case NODE_ELSE: return form_open(s, n->a) || (is_null(s, n->a) && form_open(s, n->b));
    case NODE_CHOOSE: {
        enum decision test = form_test(s, n->a);
        return test == UNDECIDED ? form_open(s, n->b) || form_open(s, n->c)
                                 : form_open(s, test == DECIDED_YES ? n->b : n->c);
    }
    case NODE_TEMPLATE: return false;
    default: return (n->a && form_open(s, n->a)) || (n->b && form_open(s, n->b));
    }
}

enum decision form_test(struct trial *s, uint32_t node)
{
    const struct node *n = &s->env.spec->nodes[node];
    enum decision a, b;
    struct value v;
    if (n->kind == NODE_NOT) {
        a = form_test(s, n->a);
        return a == UNDECIDED ? a : a == DECIDED_YES ? DECIDED_NO : DECIDED_YES;
    }
    if (n->kind == NODE_AND || n->kind == NODE_OR) {
        enum decision decided = n->kind == NODE_OR ? DECIDED_YES : DECIDED_NO;
        a = form_test(s, n->a);
        if (a == decided) return a;
        b = form_test(s, n->b);
        return b == decided || a == DECIDED_YES || a == DECIDED_NO ? b : UNDECIDED;
    }
    if (form_open(s, node) || !form_eval(s, node, &v) || v.kind != VALUE_BOOL) return UNDECIDED;
    return v.b ? DECIDED_YES : DECIDED_NO;
}

/* ---- polynomials ------------------------------------------------------------------------------ */

static const struct poly lost = { NULL, 0, true };
static const struct origin from_rule = { "a rule of the specification", ORIGIN_FIRST };

/* Makes a / b an unknown of its own, with the equation (a / b) * b = a. */
static struct poly quotient(struct trial *s, struct poly a, struct poly b)
{
    struct buffer text;
    if (a.lost || b.lost) return lost;
    buffer_init(&text, s->arena.memory);
    buffer_char(&text, '(');
    poly_print(&s->factors, a, &text);
    buffer_text(&text, ")/(");
    poly_print(&s->factors, b, &text);
    buffer_char(&text, ')');
    char *name = text.failed ? NULL : arena_text(&s->arena, text.p, text.n);
    numel_str known = { name, text.n };
    buffer_done(&text);
    if (!name) return error_nomem(s->f->error), lost;
    struct poly q = poly_factor(&s->factors, known, 0);
    struct poly left = poly_subtract(&s->factors, poly_multiply(&s->factors, q, b), a);
    return form_equation(s, left, 0, INFER_TURNS, from_rule) ? q : lost;
}

static struct poly combined(struct trial *s, const struct node *n)
{
    struct poly a = form_poly(s, n->a), b = form_poly(s, n->b);
    switch ((enum node_kind)n->kind) {
    case NODE_ADD: return poly_add(&s->factors, a, b);
    case NODE_SUB: return poly_subtract(&s->factors, a, b);
    case NODE_MUL: return poly_multiply(&s->factors, a, b);
    case NODE_DIV: return quotient(s, a, b);
    default: return lost;
    }
}

struct poly form_poly(struct trial *s, uint32_t node)
{
    const struct node *n = &s->env.spec->nodes[node];
    struct value v;
    if (!form_open(s, node))
        return form_eval(s, node, &v) && v.kind == VALUE_INT ? poly_number(&s->factors, v.i) : lost;
    switch ((enum node_kind)n->kind) {
    case NODE_SYMBOL: return s->forms[n->number];
    case NODE_CALL: {
        if (n->number == FUNCTION_FLOOR_DIV) /* remainders are rare: solved as if there were none */
            return quotient(s, form_poly(s, n->a), form_poly(s, s->env.spec->nodes[n->a].next));
        const struct key *k = n->number == FUNCTION_CFG ? key_of(s->f, &s->env, node) : NULL;
        if (!k && !form_unknown(s)) return lost;
        return k ? poly_factor(&s->factors, k->path, 0) : lost;
    }
    case NODE_ELSE: return form_poly(s, is_null(s, n->a) ? n->b : n->a);
    case NODE_CHOOSE: {
        enum decision test = form_test(s, n->a);
        return test == UNDECIDED ? lost : form_poly(s, test == DECIDED_YES ? n->b : n->c);
    }
    default: return n->kind >= NODE_ADD && n->kind <= NODE_DIV ? combined(s, n) : lost;
    }
}

/* Merges equal equations, adding their weights. False if out of memory. */
bool form_equation(struct trial *s, struct poly left, int64_t right, uint64_t weight, struct origin origin)
{
    if (s->factors.failed) return error_nomem(s->f->error);
    if (left.lost) return s->score.unsaid++, true;
    for (size_t i = 0; i < s->equation_count; i++)
        if (s->equations[i].right == right && poly_same(s->equations[i].left, left))
            return s->equations[i].weight += weight, true;
    if (s->equation_count == INFER_EQUATIONS) return true;
    if (!memory_grow(s->arena.memory, (void **)&s->equations, &s->equation_cap, s->equation_count + 1,
                     sizeof *s->equations, s->f->error))
        return false;
    s->equations[s->equation_count++] = (struct equation){ left, right, weight, origin };
    return true;
}
