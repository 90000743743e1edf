/*
 * forms_reverse.c -- turns the tensors of a file into what a spec may expect, for the search without a
 * configuration.
 *
 * Tensors that look like the new ones of a form become the old ones, in every form that fits. The search then
 * finds out which of them a spec expects; its result is checked against the file as it is.
 */
#include "formula/forms_internal.h"

#include "base/names.h"
#include "base/num.h"

#include <string.h>

struct reversing {
    const struct registry *from;
    struct registry *to;
    struct form_sizes sizes;
    struct buffer text;
    struct arena *arena;
    bool *gone; /* by tensor: replaced by one with the same name */
    uint64_t made;
    numel_error *error;
};

static const numel_tensor *named(struct reversing *r, const struct form_line *l, numel_str prefix,
                                 numel_str word, uint32_t e)
{
    numel_str name;
    return forms_name(&r->text, l, prefix, word, e, &name) ? registry_find(r->from, name) : NULL;
}

static void bind_experts(struct reversing *r, int64_t n)
{
    struct value v = value_int(n);
    env_bind(&r->sizes.env, r->sizes.forms->experts, &v);
}

/* Finds all new tensors of the form and their sizes; `first` is the one already found. */
static bool fits(struct reversing *r, const struct form *f, const numel_tensor *first, numel_str prefix,
                 numel_str word)
{
    forms_forget(&r->sizes);
    for (unsigned i = 0; i < f->new_count; i++) {
        const struct form_line *l = &f->new[i];
        const numel_tensor *t = i ? named(r, l, prefix, word, 0) : first;
        uint32_t n = 1;
        if (!t || t->ndim != l->ndim) return false;
        while (l->each && n < EXPAND_ROWS && named(r, l, prefix, word, n)) n++;
        if (l->each) bind_experts(r, n);
        for (uint32_t k = 0; k < l->ndim; k++)
            if (!forms_unify(&r->sizes, l->dims[k], t->dims[k])) return false;
    }
    return true;
}

NUMEL_MUST static bool add(struct reversing *r, const numel_tensor *like, const uint64_t *dims, uint32_t ndim,
                           uint64_t elements)
{
    size_t first, second;
    numel_str name = { r->text.p, r->text.n };
    numel_tensor t = *like;
    if (registry_find(r->to, name)) return true;
    t.name = (numel_str){ arena_text(r->arena, name.p, name.n), name.n };
    t.dims = dims;
    t.ndim = ndim;
    t.elements = elements;
    if (!t.name.p) return error_nomem(r->error);
    r->made++;
    return registry_add(r->to, &t, r->error) && registry_commit(r->to, &first, &second, r->error);
}

/* Makes the old tensors of a line: one, or one for each expert. */
NUMEL_MUST static bool make_old(struct reversing *r, const struct form_line *l, const numel_tensor *like,
                                numel_str prefix, numel_str word)
{
    uint64_t *dims = arena_alloc(r->arena, FORM_DIMS * sizeof *dims), elements = 1;
    const struct env *env = &r->sizes.env;
    uint32_t experts = r->sizes.forms->experts;
    int64_t n;
    numel_str name;
    if (!dims) return error_nomem(r->error);
    for (uint32_t k = 0; k < l->ndim; k++) {
        if (!forms_value(&r->sizes, l->dims[k], &n) || !num_mul(&elements, elements, (uint64_t)n))
            return true;
        dims[k] = (uint64_t)n;
    }
    n = l->each ? (env->is_bound[experts] ? env->bound[experts].i : 0) : 1;
    for (uint32_t e = 0; e < n && n <= EXPAND_ROWS; e++) {
        if (!forms_name(&r->text, l, prefix, word, e, &name)) return error_nomem(r->error);
        if (!add(r, like, dims, l->ndim, elements)) return false;
    }
    return true;
}

static bool reverse_one(struct reversing *r, const struct form *f, uint32_t tensor)
{
    const numel_tensor *t = &r->from->tensors[tensor];
    numel_str prefix, word;
    if (!forms_match(&f->new[0], t->name, &prefix, &word) || named(r, &f->new[0], prefix, word, 0) != t ||
        !fits(r, f, t, prefix, word))
        return true;
    r->gone[tensor] |= f->same;
    for (unsigned i = 0; i < f->old_count; i++)
        if (!make_old(r, &f->old[i], t, prefix, word)) return false;
    return true;
}

NUMEL_MUST static bool reverse_all(struct reversing *r, const char *writer)
{
    for (size_t i = 0; i < r->sizes.forms->count; i++) {
        const struct form *f = &r->sizes.forms->items[i];
        const struct form_piece *end = &f->new[0].pieces[f->new[0].piece_count - 1];
        if (f->writer && (!writer || strcmp(writer, f->writer) != 0)) continue;
        if (end->mark == FORM_TEXT && !registry_ends(r->from, end->text)) continue;
        for (uint32_t t = 0; t < r->from->count; t++)
            if (!reverse_one(r, f, t)) return false;
    }
    if (r->text.failed) return error_nomem(r->error);
    if (!r->made) return true;
    for (uint32_t t = 0; t < r->from->count; t++)
        if (!r->gone[t] && !registry_find(r->to, r->from->tensors[t].name) &&
            !registry_add(r->to, &r->from->tensors[t], r->error))
            return false;
    return registry_commit_firsts(r->to, r->error);
}

bool forms_reverse(const struct forms *f, const struct registry *from, const char *writer,
                   struct registry *to, uint64_t *made, struct arena *a, numel_error *e)
{
    struct reversing r = { .from = from, .to = to, .sizes = { .forms = f }, .arena = a, .error = e };
    r.sizes.env = (struct env){ .spec = f->base, .arena = a };
    r.gone = arena_alloc(a, from->count + 1);
    if (!r.gone) return error_nomem(e);
    memset(r.gone, 0, from->count + 1);
    if (!env_init(&r.sizes.env, e)) return false;
    r.sizes.env.error = &r.sizes.mine;
    buffer_init(&r.text, a->memory);
    bool ok = reverse_all(&r, writer);
    if (r.sizes.mine.code == NUMEL_E_NOMEM) ok = error_nomem(e);
    buffer_done(&r.text);
    *made += r.made;
    return ok;
}
