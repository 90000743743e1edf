/*
 * search_timm.c -- finds the architecture of a timm checkpoint without its configuration; see
 * search_internal.h.
 *
 * Its tensors indicate a few architectures (formula/timm.h). Only the numbers of classes and channels are
 * inferred; each architecture is tried with its own values for everything else. If only the network before
 * the patches matches an architecture, which no specification can infer, the rest is inferred.
 */
#include "base/text.h"
#include "formula/timm.h"
#include "model/search_internal.h"

NUMEL_MUST static bool tell(struct trials *t, const char *key, int64_t n)
{
    struct value v = value_int(n);
    return n < 0 || config_add_inferred(t->model->config, text_of(key), &v, t->error);
}

/* A head that is given both averages and maxima has twice the inputs. */
NUMEL_MUST static bool tell_both(struct trials *t, bool both)
{
    struct value v = value_text(text_of("catavgmax"));
    return !both || config_add_inferred(t->model->config, text_of("global_pool"), &v, t->error);
}

/* Adds a found architecture as a candidate with inferred values of its own. */
NUMEL_MUST static bool add(struct trials *t, const struct timm_found *x, bool wrapped, bool both)
{
    const struct library_entry *entry = library_timm(t->model->library, x->class);
    if (!entry) return true;
    struct candidate *c = &t->list[t->count];
    *c = (struct candidate){
        .is = { .entry = entry, .wrapped = wrapped }, .keep = KEEP_DEFAULTS, .off = UINT64_MAX, .parsed = true
    };
    c->is.type = arena_text(&t->model->arena, x->name.p, x->name.n);
    c->is.class = !wrapped ? "" : x->classes ? "TimmWrapperForImageClassification" : "TimmWrapperModel";
    if (!c->is.type) return error_nomem(t->error);
    t->count++;
    return tell(t, "num_classes", x->classes) && tell(t, "in_chans", x->channels) && tell_both(t, both) &&
           (config_swap_inferred(t->model->config, &c->inferred), true);
}

/* Lists the architectures that explain the files, in the form for say_alike(): "a:,b:". */
NUMEL_MUST static bool name_alike(struct trials *t, unsigned first)
{
    struct buffer b;
    buffer_init(&b, t->model->arena.memory);
    for (unsigned i = first; i < t->count; i++)
        if (t->list[i].off == 0) buffer_format(&b, "%s%s:", b.n ? "," : "", t->list[i].is.type);
    const char *text = buffer_keep(&b, &t->model->arena);
    if (!text) return error_nomem(t->error);
    t->best.classes = text_of(text);
    t->named.is.type = NULL;
    return true;
}

/* Tries architectures of which only the network before the patches is known, and infers all else. */
NUMEL_MUST static bool try_networks(struct trials *t)
{
    struct timm_found found[TIMM_FOUND];
    unsigned n = timm_find_before(t->seen, found), first = t->count;
    for (unsigned i = 0; i < n; i++)
        if (!add(t, &found[i], false, false)) return false;
    for (unsigned i = first; i < t->count && !t->perfect; i++) {
        struct candidate *c = &t->list[i];
        c->is.part = true;
        if (!fit(t, c) || !weigh(t, c)) return false;
    }
    if (t->perfect) t->named.is.type = NULL;
    return true;
}

bool try_timm(struct trials *t, bool wrapped)
{
    struct timm_found found[TIMM_FOUND];
    bool is_wrapped;
    unsigned n = timm_find(t->seen, found, &is_wrapped), first = t->count;
    if (is_wrapped != wrapped) return true;
    for (unsigned both = 0; both < 2 && !t->perfect; both++) {
        unsigned from = t->count;
        for (unsigned i = 0; i < n; i++)
            if (!add(t, &found[i], wrapped, both)) return false;
        for (unsigned i = from; i < t->count; i++)
            if (!weigh(t, &t->list[i])) return false;
    }
    if (t->perfect) return name_alike(t, first);
    return wrapped || try_networks(t);
}
