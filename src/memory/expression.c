/* expression.c -- describes the caches of layers in the specification's symbols: "2*K*D per token, 32
 * layers". */
#include "memory/expression.h"

#include "base/buffer.h"
#include "base/text.h"

enum { PHRASES = 24 };

struct phrase {
    numel_str size; /* as written in the specification */
    const struct cache_site *site;
    uint64_t layers, times; /* times: 2 if k and v have equal sizes */
};

static bool same(const struct phrase *p, const struct cache_site *c, numel_str size)
{
    return text_same(p->size, size) && p->site->line->per == c->line->per && p->site->window == c->window &&
           p->site->every == c->every && p->site->rest == c->rest;
}

/* Sites in the same layer add to a phrase's `times`, those in other layers to its `layers`. */
static size_t collect(struct phrase out[PHRASES], const struct expansion *x)
{
    const struct turn *last[PHRASES];
    size_t n = 0;
    for (size_t i = 0; i < x->cache_count; i++) {
        const struct cache_site *c = &x->caches[i];
        if (c->line->kind == CACHE_SHARED) continue;
        numel_str size = x->spec->nodes[c->line->size].source;
        size_t k = 0;
        while (k < n && !same(&out[k], c, size)) k++;
        if (k == PHRASES) continue;
        if (k == n) out[n++] = (struct phrase){ size, c, 0, 0 }, last[k] = NULL;
        if (last[k] == c->site.turn && out[k].layers) {
            if (out[k].layers == site_turns(&c->site)) out[k].times++;
            continue;
        }
        if (!out[k].layers) out[k].times = 1;
        last[k] = c->site.turn;
        out[k].layers += site_turns(&c->site);
    }
    return n;
}

static bool is_sum(numel_str s)
{
    unsigned depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        depth += s.p[i] == '(';
        depth -= s.p[i] == ')' && depth;
        if (!depth && strchr("+-?<>=&|", s.p[i])) return true;
    }
    return false;
}

static void say(struct buffer *b, const struct phrase *p)
{
    char n[TEXT_NUMBER], layers[TEXT_COUNT];
    const struct cache_site *c = p->site;
    bool brackets = p->times > 1 && is_sum(p->size);
    if (b->n) buffer_text(b, "; ");
    if (p->times > 1) buffer_format(b, "%s*", text_number(n, p->times));
    if (brackets) buffer_char(b, '(');
    text_safe(b, p->size, false);
    if (brackets) buffer_char(b, ')');
    buffer_format(b, " per %s", cache_per_name(c->line->per));
    if (c->every) buffer_format(b, " of every %s", text_number(n, (uint64_t)c->every));
    if (c->rest) buffer_format(b, " left over by %s", text_number(n, (uint64_t)c->rest));
    if (c->window > 0) buffer_format(b, ", window %s", text_number(n, (uint64_t)c->window));
    buffer_format(b, ", %s", text_count(layers, p->layers, "layer"));
}

const char *memory_expression(const struct expansion *x, struct arena *a)
{
    struct phrase phrases[PHRASES];
    struct buffer b;
    size_t n = collect(phrases, x);
    buffer_init(&b, a->memory);
    for (size_t i = 0; i < n; i++) say(&b, &phrases[i]);
    const char *text = b.failed ? NULL : arena_text(a, b.p ? b.p : "", b.n);
    buffer_done(&b);
    return text;
}
