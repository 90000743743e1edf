/*
 * search_published.c -- recognises the sizes of a published model; see search_internal.h.
 *
 * Inferred sizes prove little: any size of a tensor would have been inferred. If the configuration of a
 * published model (`spec` of a product) explains all tensors as well, the sizes no longer rest on the file
 * alone.
 */
#include "formula/skeleton.h"
#include "model/search_internal.h"

#include "formula/lookup.h"

NUMEL_MUST static bool weigh_published(struct trials *t, const struct identity *is, struct candidate *c,
                                       numel_str line)
{
    numel_str name = text_word(&line);
    *c = (struct candidate){ .is = *is, .keep = KEEP_DEFAULTS, .off = UINT64_MAX, .parsed = true };
    c->is.published = arena_text(&t->model->arena, name.p, name.n);
    return c->is.published ? weigh(t, c) : error_nomem(t->error);
}

/* Tries the sizes of one class. */
NUMEL_MUST static bool try_lines(struct trials *t, const struct identity *is)
{
    struct candidate *best = &t->best, c;
    numel_str line;
    for (uint32_t i = 0; !best->is.published && lookup_published(text_of(is->class), i, &line); i++) {
        bool ok = weigh_published(t, is, &c, line), fits = ok && c.off == 0 && c.biases == 0;
        struct candidate *done = fits ? best : &c;
        config_free_inferred(t->model->config, &done->inferred);
        if (!ok) return false;
        if (!fits) continue;
        best->is = c.is;
        best->keep = c.keep;
        best->inferred = c.inferred;
    }
    return true;
}

bool try_published(struct trials *t)
{
    struct candidate *best = &t->best;
    const struct identity own = best->is;
    numel_str rest = best->classes, type, class;
    if (best->off || best->biases || !own.class) return true;
    if (!try_lines(t, &own)) return false;
    while (!best->is.published && skeleton_class(&rest, &type, &class)) { /* of the same names */
        struct identity is = own;
        is.entry = library_type(t->model->library, type);
        if (!is.entry || text_equal(type, own.type)) continue;
        is.type = arena_text(&t->model->arena, type.p, type.n);
        is.class = arena_text(&t->model->arena, class.p, class.n);
        if (!is.type || !is.class) return error_nomem(t->error);
        if (!try_lines(t, &is)) return false;
    }
    return true;
}
