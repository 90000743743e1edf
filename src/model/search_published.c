/*
 * search_published.c -- sizes that are those of a published model; see search_parts.h.
 *
 * What was inferred proves little: of whatever size a tensor is, that size was inferred. Where the configuration of a
 * published model (published.table) explains all tensors as well, no size is the file's own word any more.
 */
#include "model/search_parts.h"

#include "formula/lookup.h"

NUMEL_MUST static bool weigh_published(struct trials *t, struct candidate *c, numel_str line)
{
    numel_str name = text_word(&line);
    *c = (struct candidate){ .is = t->best.is, .keep = KEEP_DEFAULTS, .off = UINT64_MAX, .parsed = true };
    c->is.published = arena_text(&t->model->arena, name.p, name.n);
    return c->is.published ? weigh(t, c) : error_nomem(t->error);
}

bool try_published(struct trials *t)
{
    struct candidate *best = &t->best, c;
    numel_str line;
    if (best->off || best->biases || !best->is.class) return true;
    for (uint32_t i = 0; !best->is.published && lookup_published(text_of(best->is.class), i, &line); i++) {
        bool ok = weigh_published(t, &c, line), fits = ok && c.off == 0 && c.biases == 0;
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
