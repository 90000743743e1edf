/*
 * values.c -- makes pairs from links, and sums up their comparison.
 */
#include "diff/values.h"

#include "base/num.h"
#include "content/dequant.h"
#include "model/meaning.h"
#include "registry/dtype.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs -------------------------------------------------------------------------------- */

/* The dims of a plain tensor; of an unpacked one, [stack, out, in] without a stack of 1. */
struct plain_dims {
    uint64_t dims[3];
    numel_tensor t; /* only dims */
};

static const numel_tensor *plain(struct plain_dims *own, const numel_tensor *t, const struct unpack *u)
{
    if (!u) return t;
    own->dims[0] = u->stack;
    own->dims[1] = u->out;
    own->dims[2] = u->in;
    own->t = (numel_tensor){ .dims = own->dims + (u->stack == 1), .ndim = u->stack == 1 ? 2 : 3 };
    return &own->t;
}

static enum compare_state state_of(const struct diff *d, const struct link *l, const struct compare_pair *p)
{
    struct plain_dims own[2];
    if (l->count[A] > 1 || l->count[B] > 1) return COMPARE_REGROUPED;
    const numel_tensor *a = plain(&own[A], diff_tensor(d, l, A, 0), p->view[A]),
                       *b = plain(&own[B], diff_tensor(d, l, B, 0), p->view[B]);
    if (diff_same_dims(a, b) || l->cause == &diff_codes[DIFF_SQUEEZED]) return COMPARE_DONE;
    return l->cause == &diff_codes[DIFF_TRANSPOSED] ? COMPARE_TRANSPOSED : COMPARE_SHAPES;
}

/* Integers that encode other numbers: a quantizer's codes, several in one. */
static bool is_code(const numel_tensor *t)
{
    if (dtype_kind(t->dtype) != DTYPE_INTEGER) return false;
    struct meaning m = meaning_of(t->name);
    return m.kind->kind == KIND_QUANT ||
           (m.kind->kind == KIND_WEIGHT && text_lists(text_of("U8 I32 U32"), text_of(t->dtype->name)));
}

/* Why a packed side has no numbers, else DONE. */
static enum compare_state unread(struct compare_pair *p, const struct diff *d)
{
    for (int w = A; w <= B; w++) {
        const struct handle *c = d->side[w].c;
        bool method = false;
        p->layout = !p->view[w] && c ? model_packed_as(c->model, p->tensor[w], &method) : NULL;
        if (p->layout) return method ? COMPARE_PARTS : COMPARE_PACKED;
    }
    return COMPARE_DONE;
}

/* Packed sides are compared as numbers; where these are not read, two that are stored alike as bits. */
NUMEL_MUST static bool find_views(struct compare_pair *p, const struct diff *d, const struct link *l)
{
    const numel_tensor *a = diff_tensor(d, l, A, 0), *b = diff_tensor(d, l, B, 0);
    if (l->count[A] > 1 || l->count[B] > 1) return true;
    if (!view_make(d, A, p->tensor[A], &p->view[A]) || !view_make(d, B, p->tensor[B], &p->view[B]))
        return false;
    p->state = (uint8_t)unread(p, d);
    if (p->state == COMPARE_DONE || !diff_same_dims(a, b) || strcmp(a->dtype->name, b->dtype->name) != 0)
        return true;
    p->state = COMPARE_DONE;
    p->view[A] = p->view[B] = NULL;
    p->plain = true;
    return true;
}

NUMEL_MUST static bool make_pair(struct compare_pair *p, const struct diff *d, const struct link *l)
{
    *p = (struct compare_pair){ .turn = 0 };
    for (int w = A; w <= B; w++) p->tensor[w] = d->side[w].members[l->first[w]];
    if (!find_views(p, d, l)) return false;
    if (p->state == COMPARE_DONE) p->state = (uint8_t)state_of(d, l, p);
    for (int w = A; w <= B; w++) p->plain = p->plain || (!p->view[w] && is_code(diff_tensor(d, l, w, 0)));
    return true;
}

/* Is there a matrix of a type in which quantizers store values? */
static bool may_be_packed(const struct registry *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const numel_dtype *t = r->tensors[i].dtype;
        if (r->tensors[i].ndim < 2) continue;
        if (text_starts(text_of(t->name), "F8_") ||
            text_lists(text_of("I8 U8 I16 I32 U32"), text_of(t->name)))
            return true;
    }
    return false;
}

NUMEL_MUST static bool make_pairs(struct diff_values *v, struct diff *d, numel_error *e)
{
    size_t n = 0;
    if ((may_be_packed(d->side[A].r) || may_be_packed(d->side[B].r)) && !diff_make_models(d)) return false;
    for (size_t i = 0; i < d->count; i++) n += d->links[i].count[A] && d->links[i].count[B];
    v->c.pairs = arena_alloc(d->arena, (n + 1) * sizeof *v->c.pairs);
    v->links = arena_alloc(d->arena, (n + 1) * sizeof *v->links);
    v->most = arena_alloc(d->arena, (n + 1) * sizeof *v->most);
    if (!v->c.pairs || !v->links || !v->most) return error_nomem(e);
    for (size_t i = 0; i < d->count; i++) {
        if (d->links[i].count[A] == 0 || d->links[i].count[B] == 0) continue;
        v->links[v->c.count] = (uint32_t)i;
        if (!make_pair(&v->c.pairs[v->c.count++], d, &d->links[i])) return false;
    }
    for (int w = A; w <= B; w++)
        v->c.side[w] =
            (struct compare_side){ d->side[w].ck->files, d->side[w].ck->file_count, d->side[w].r->tensors };
    return true;
}

/* ---- rows that a converter moves ---------------------------------------------------------- */

/* Rows of a head, from the configuration of either side; 0: unknown. */
static uint32_t head_rows(const struct diff *d)
{
    for (int w = A; w <= B; w++) {
        const struct handle *c = d->side[w].c;
        const struct expansion *x = c ? c->model->x : NULL;
        for (size_t i = 0; x && i < x->spec->symbol_count; i++)
            if (text_equal(x->spec->symbols[i].name, "D") && x->env.is_bound[i] &&
                x->env.bound[i].kind == VALUE_INT && x->env.bound[i].i > 0 && x->env.bound[i].i < UINT16_MAX)
                return (uint32_t)x->env.bound[i].i;
    }
    return 0;
}

static bool is_rotated(const struct diff *d, const struct compare_pair *p)
{
    const struct site *site = diff_site(d, A, p->tensor[A], NULL);
    return site && text_lists(text_of("attn.q attn.k attn.q.bias attn.k.bias"), site->role);
}

NUMEL_MUST static bool find_turns(struct diff_values *v, const struct diff *d, numel_error *e)
{
    uint32_t turn = d->cross ? head_rows(d) : 0;
    uint8_t halves = d->side[A].ck->files[0].format == NUMEL_GGUF ? B : A;
    for (size_t i = 0; turn && i < v->c.count; i++) {
        struct compare_pair *p = &v->c.pairs[i];
        if (p->state != COMPARE_DONE || !is_rotated(d, p) || compare_state_of(&v->c, p) != COMPARE_DONE)
            continue;
        p->turn = turn;
        p->turned = p->view[A] ? B : p->view[B] ? A : halves;
        p->pairs = p->turned != halves;
        if (!compare_find_turn(&v->c, p, d->memory, e)) return false;
    }
    return true;
}

/* ---- results ------------------------------------------------------------------------------ */

/* Orders pairs by their change: undefined distances come first, then distances, then bits alone. */
struct change_key {
    int kind;
    double much;
    uint32_t pair;
};

static struct change_key key_of(const struct diff_values *v, uint32_t pair)
{
    const struct compare_pair *p = &v->c.pairs[pair];
    double relative = distance_relative(&p->d);
    if (!p->measured)
        return (struct change_key){ 2, p->units ? (double)p->d.differing / (double)p->units : 0, pair };
    return (struct change_key){ isnan(relative) ? 0 : 1, isnan(relative) ? 0 : relative, pair };
}

static int by_change(const void *a, const void *b)
{
    const struct change_key *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->much > y->much || x->much < y->much) return x->much > y->much ? -1 : 1;
    return num_order(x->pair, y->pair);
}

NUMEL_MUST static bool rank(struct diff_values *v, const struct diff *d, numel_error *e)
{
    struct change_key *keys = memory_resize(d->memory, NULL, (v->differ + 1) * sizeof *keys);
    if (!keys) return error_nomem(e);
    for (uint32_t i = 0; i < v->c.count; i++)
        if (v->c.pairs[i].state == COMPARE_DONE && v->c.pairs[i].d.differing)
            keys[v->most_count++] = key_of(v, i);
    if (v->most_count) qsort(keys, v->most_count, sizeof *keys, by_change);
    for (size_t i = 0; i < v->most_count; i++) v->most[i] = keys[i].pair;
    memory_release(d->memory, keys);
    return true;
}

static void count(struct diff_values *v)
{
    for (size_t i = 0; i < v->c.count; i++) {
        const struct compare_pair *p = &v->c.pairs[i];
        bool done = p->state == COMPARE_DONE;
        v->why[p->state]++;
        v->not_compared += !done;
        v->differ += done && p->d.differing;
        v->equal += done && !p->d.differing;
        v->same_bytes += done && p->same_bytes;
        v->turned += done && p->turn;
        if (done && p->measured)
            for (int w = A; w <= B; w++)
                v->quantized |= p->view[w] || dequant_find(value_tensor(v, (uint32_t)i, w)->dtype);
    }
    for (int w = A; w <= B; w++)
        for (size_t i = 0; i < v->c.side[w].file_count; i++) v->unreadable += !error_free(&v->c.files[w][i]);
}

bool diff_compare(struct diff_values *v, struct diff *d, const numel_work *how, numel_error *e)
{
    *v = (struct diff_values){ .equal = 0 };
    if (!make_pairs(v, d, e) || !find_turns(v, d, e) || !compare_run(&v->c, how, d->arena, e)) return false;
    count(v);
    return rank(v, d, e) && values_fold(v, d, e);
}
