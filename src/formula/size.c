/* size.c -- the size of a tensor in symbols: expressions of a spec as polynomials; see poly.h. */
#include "formula/expand.h"

#include <string.h>

static struct poly piece(struct expansion *x, uint32_t node, const struct value *v)
{
    const struct node *n = &x->spec->nodes[node];
    numel_str text = n->source;
    if (n->kind == NODE_CALL && n->number == FUNCTION_CFG &&
        x->spec->nodes[n->a].kind == NODE_TEXT) { /* cfg("a.b") reads as a.b */
        numel_str base = x->spec->scopes[n->scope].base;
        text = arena_join(&x->arena, base, text_of(base.n ? "." : ""), x->spec->nodes[n->a].text);
    } else if (n->kind > NODE_MEMBER) {
        text = arena_join(&x->arena, text_of("("), text, text_of(")"));
        text = arena_join(&x->arena, x->spec->scopes[n->scope].label, text, text_of("")); /* vision.(E/2) */
    } else {
        text = arena_join(&x->arena, x->spec->scopes[n->scope].label, text, text_of(""));
    }
    if (!text.p) return x->factors.failed = true, (struct poly){ .lost = true };
    return poly_factor(&x->factors, text, v->i);
}

/* Marks the symbols inside a piece as shown. */
static void show_symbols(struct expansion *x, uint32_t node)
{
    const struct node *n = &x->spec->nodes[node];
    if (n->kind == NODE_SYMBOL) x->shown[n->number] = true;
    uint32_t parts[3] = { n->a, n->b, n->c };
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t k = parts[i]; k; k = x->spec->nodes[k].next) show_symbols(x, k);
}

/* Takes the branch that holds for this tensor; the rest is a polynomial. */
static struct poly chosen(struct expansion *x, uint32_t node)
{
    const struct node *n = &x->spec->nodes[node];
    struct value v;
    if (!eval(&x->env, n->a, &v)) return (struct poly){ .lost = true };
    if (n->kind == NODE_ELSE) return size_poly(x, v.kind == VALUE_NULL ? n->b : n->a);
    return size_poly(x, v.kind == VALUE_BOOL && v.b ? n->b : n->c);
}

static struct poly made(struct expansion *x, uint32_t node, const struct value *v)
{
    const struct node *n = &x->spec->nodes[node];
    struct factors *f = &x->factors;
    switch (n->kind) {
    case NODE_ADD: return poly_add(f, size_poly(x, n->a), size_poly(x, n->b));
    case NODE_SUB: return poly_subtract(f, size_poly(x, n->a), size_poly(x, n->b));
    case NODE_MUL: return poly_multiply(f, size_poly(x, n->a), size_poly(x, n->b));
    case NODE_CHOOSE:
    case NODE_ELSE: return chosen(x, node);
    default: break;
    }
    /* a term of 0 is dropped: L + M reads L if there are no further layers */
    if (v->varies || n->kind == NODE_INT || v->i == 0) return poly_number(f, v->i);
    if (n->kind == NODE_SYMBOL && x->alias[n->number]) return size_poly(x, x->alias[n->number]);
    show_symbols(x, node);
    if (n->kind == NODE_SYMBOL) return poly_factor(f, x->spec->symbols[n->number].name, v->i);
    return piece(x, node, v);
}

struct poly size_poly(struct expansion *x, uint32_t node)
{
    struct size *known = &x->sizes[node];
    struct value v;
    if (!eval(&x->env, node, &v) || v.kind != VALUE_INT) return (struct poly){ .lost = true };
    if (known->known && !v.varies && known->value == v.i) return known->poly;
    struct poly p = made(x, node, &v);
    if (v.varies || x->sized_count == x->spec->node_count) return p;
    x->sized[x->sized_count++] = node;
    *known = (struct size){ p, v.i, true };
    return p;
}
