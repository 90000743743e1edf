/*
 * prefix.c -- names with different prefixes: "transformer.h.0.x" and "h.0.x".
 *
 * Without their common end, which starts at a dot, two names leave two heads: "transformer." and "". If no
 * spec pairs tensors by role, the heads most common in a sample pair all tensors that they fit. A report
 * shows a change of heads once.
 */
#include "diff/diff.h"

enum { SAMPLE = 64, HEADS = 32, ROUNDS = 4, AGREED = 2 };

struct heads {
    numel_str head[2];
    size_t votes;
    struct line_code cause; /* no text: too few tensors */
};

/* Finds the two heads; false if the names have no common last segment. */
static bool cut_heads(numel_str a, numel_str b, struct heads *h)
{
    size_t n = 0, kept = 0;
    numel_str x = a, y = b;
    while (x.n && y.n && text_last(x) == text_last(y)) {
        x = text_less(x, 1);
        y = text_less(y, 1);
        n++;
        if ((!x.n || text_last(x) == '.') && (!y.n || text_last(y) == '.')) kept = n;
    }
    *h = (struct heads){ .head = { text_less(a, kept), text_less(b, kept) } };
    return kept > 0;
}

static struct heads *vote(struct heads *all, size_t *count, const struct heads *h)
{
    for (size_t i = 0; i < *count; i++)
        if (text_same(all[i].head[A], h->head[A]) && text_same(all[i].head[B], h->head[B])) {
            all[i].votes++;
            return &all[i];
        }
    if (*count == HEADS) return NULL;
    all[*count] = *h;
    all[*count].votes = 1;
    return &all[(*count)++];
}

/* ---- pairing ------------------------------------------------------------------------------ */

/* The heads for the unpaired tensor of B with the same shape and the longest common end of the name. */
static bool nearest(const struct diff *d, const numel_tensor *t, struct heads *best)
{
    const struct diff_side *b = &d->side[B];
    struct heads h;
    bool found = false;
    for (size_t i = 0; i < b->r->count; i++) {
        const numel_tensor *o = &b->r->tensors[i];
        if (b->link[i] != NO_LINK || !diff_same_dims(t, o) || !cut_heads(t->name, o->name, &h)) continue;
        if (!found || h.head[A].n < best->head[A].n ||
            (h.head[A].n == best->head[A].n && h.head[B].n < best->head[B].n))
            *best = h;
        found = true;
    }
    return found;
}

static bool sample_heads(const struct diff *d, struct heads *best)
{
    const struct diff_side *a = &d->side[A];
    struct heads all[HEADS] = { { .votes = 0 } }, h;
    size_t open = 0, count = 0, seen = 0;
    for (size_t i = 0; i < a->r->count; i++) open += a->link[i] == NO_LINK;
    size_t step = open / SAMPLE + 1;
    for (size_t i = 0; i < a->r->count; i++)
        if (a->link[i] == NO_LINK && seen++ % step == 0 && nearest(d, &a->r->tensors[i], &h))
            vote(all, &count, &h);
    best->votes = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].votes > best->votes) *best = all[i];
    return best->votes >= AGREED;
}

/* Pairs tensors by the heads; *paired counts the pairs. False: NOMEM. */
static bool pair_heads(struct diff *d, const struct heads *h, uint32_t *count, size_t *paired)
{
    const struct diff_side *a = &d->side[A], *b = &d->side[B];
    struct buffer name;
    buffer_init(&name, d->memory);
    *paired = 0;
    for (size_t i = 0; i < a->r->count && !name.failed; i++) {
        numel_str own = a->r->tensors[i].name, p = h->head[A];
        if (a->link[i] != NO_LINK || own.n <= p.n || memcmp(own.p, p.p, p.n) != 0) continue;
        name.n = 0;
        buffer_add(&name, h->head[B].p, h->head[B].n);
        buffer_str(&name, text_from(own, p.n));
        if (name.failed) break;
        const numel_tensor *o = registry_find(b->r, buffer_view(&name));
        if (!o || b->link[o - b->r->tensors] != NO_LINK) continue;
        a->link[i] = b->link[o - b->r->tensors] = (*count)++;
        ++*paired;
    }
    bool ok = !name.failed || error_nomem(d->error);
    buffer_done(&name);
    return ok;
}

bool diff_pair_prefixes(struct diff *d, uint32_t *count)
{
    struct heads best;
    size_t paired = 1;
    for (int round = 0; round < ROUNDS && paired && sample_heads(d, &best); round++)
        if (!pair_heads(d, &best, count, &paired)) return false;
    return true;
}

/* ---- causes ------------------------------------------------------------------------------- */

NUMEL_MUST static const char *heads_text(const struct diff *d, const struct heads *h)
{
    struct buffer b;
    buffer_init(&b, d->memory);
    buffer_text(&b, "prefix ");
    text_escape(&b, h->head[h->head[A].n ? A : B]);
    if (h->head[A].n && h->head[B].n) {
        buffer_text(&b, " -> ");
        text_escape(&b, h->head[B]);
    } else {
        buffer_text(&b, h->head[A].n ? " dropped" : " added");
    }
    return buffer_keep(&b, d->arena);
}

/* Heads shared by at least AGREED tensors are the cause of their links. */
bool diff_find_prefixes(struct diff *d)
{
    struct heads *all = arena_alloc(d->arena, HEADS * sizeof *all), h;
    size_t count = 0;
    if (!all) return error_nomem(d->error);
    for (int pass = 0; pass < 2; pass++) { /* votes, then causes */
        for (size_t i = 0; i < d->count; i++) {
            struct link *l = &d->links[i];
            if (l->change != CHANGE_RENAMED || l->cause) continue;
            if (!cut_heads(diff_tensor(d, l, A, 0)->name, diff_tensor(d, l, B, 0)->name, &h)) continue;
            struct heads *known = vote(all, &count, &h);
            if (pass == 1 && known && known->cause.text) l->cause = &known->cause;
        }
        for (size_t i = 0; pass == 0 && i < count; i++)
            if (all[i].votes >= AGREED) {
                all[i].cause = diff_codes[DIFF_PREFIX];
                all[i].cause.text = heads_text(d, &all[i]);
                if (!all[i].cause.text) return error_nomem(d->error);
            }
    }
    return true;
}
