/* meanings.c -- see meanings.h. */
#include "model/meanings.h"

enum { FEW = 1024 }; /* patterns; with more, answers are only kept if they save lookups */

bool meanings_init(struct meanings *m, const struct registry *r, struct arena *a, numel_error *e)
{
    size_t n = r->patterns.count + 1;
    *m = (struct meanings){ .registry = r };
    if (r->patterns.count > FEW && r->patterns.count > r->count / 2) return true; /* nothing to gain */
    m->of = arena_alloc(a, n * sizeof *m->of);
    m->known = arena_alloc(a, n * sizeof *m->known);
    if (!m->of || !m->known) return error_nomem(e);
    memset(m->known, 0, n * sizeof *m->known);
    return true;
}

/* True if the name has a number at or after the end of its module, so that the stem's distance from the
 * end varies. */
static bool varies_behind(const struct pattern *x, size_t stem)
{
    return x->slots && (size_t)x->at[x->slots - 1] + x->digits[x->slots - 1] > stem;
}

struct meaning meanings_at(struct meanings *m, size_t tensor)
{
    const struct pattern *x = registry_pattern(m->registry, tensor);
    numel_str name = m->registry->tensors[tensor].name;
    uint32_t i = m->registry->patterns.of[tensor];
    if (x->named || !m->of) return meaning_of(name);
    if (!m->known[i]) {
        m->of[i] = meaning_of(x->sample);
        m->known[i] = true;
    }
    struct meaning own = m->of[i];
    if (own.stem < x->sample.n && varies_behind(x, own.stem)) return meaning_of(name);
    own.stem = text_less(name, text_from(x->sample, own.stem).n).n;
    return own;
}
