/*
 * printed_find.c -- finds the name of a parameter in a printed tree.
 *
 * A name is followed down the tree part by part. Either side may have wrappers: PEFT's
 * base_model.model and base_layer, FSDP's _fsdp_wrapped_module, torch.compile's _orig_mod, and the base
 * model that some files are saved without ("model.", "bert."). So a module with such a name may be
 * entered without using up a part of the name, and such a part may be skipped. Every other part must
 * be found. A walk has a limited number of steps, so no tree makes it long.
 */
#include "printout/printed.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <stdlib.h>

enum { PARTS = 64, STEPS = 400 };

/* Names that may be skipped in trees and in names. */
/* clang-format off */
static const char *const wrappers[] = {
    "base_model", "model", "base_layer", "module", "_fsdp_wrapped_module", "_fpw_module",
    "_orig_mod", "_checkpoint_wrapped_module", "original_module", "transformer", "backbone",
    "language_model", "linear",
};
/* clang-format on */

enum { WRAPPERS = sizeof wrappers / sizeof *wrappers };

/* ---- children by name --------------------------------------------------------------------- */

struct key {
    uint32_t parent;
    bool numbered;
    uint64_t number;
    numel_str name;
};

static struct key key_of(const struct module *m)
{
    return (struct key){ m->parent, m->numbered, m->from, m->name };
}

static int by_key(const struct key *a, const struct key *b)
{
    if (a->parent != b->parent) return a->parent < b->parent ? -1 : 1;
    if (a->numbered != b->numbered) return a->numbered ? -1 : 1;
    if (a->numbered) return num_order(a->number, b->number);
    return text_bytes(a->name, b->name);
}

/* qsort() takes no context: the records carry their keys. */
struct kid {
    struct key key;
    uint32_t module;
};

static int by_kid(const void *a, const void *b)
{
    const struct kid *x = a, *y = b;
    int order = by_key(&x->key, &y->key);
    return order ? order : num_order(x->module, y->module);
}

bool printed_index_make(struct printed_index *i, const struct printout *p, const struct printed *x,
                        struct arena *a, numel_error *e)
{
    size_t n = x->end - x->module - 1;
    *i = (struct printed_index){ .p = p, .x = x, .kid_count = n };
    i->kids = arena_alloc(a, (n + 1) * sizeof *i->kids);
    if (!i->kids) return error_nomem(e);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t m = x->module + 1 + k;
        i->kids[k] = (struct kid){ key_of(&p->modules[m]), m };
    }
    qsort(i->kids, n, sizeof *i->kids, by_kid);
    return true;
}

/* The child of that name, or NAMES_ABSENT. A number finds the range that contains it. */
static uint32_t child_of(const struct printed_index *i, uint32_t parent, numel_str name)
{
    struct key want = { .parent = parent, .name = name };
    want.numbered = number_plain(name, &want.number);
    size_t low = 0, high = i->kid_count; /* the first that is larger */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_key(&i->kids[middle].key, &want) > 0) high = middle;
        else low = middle + 1;
    }
    if (low == 0) return NAMES_ABSENT;
    const struct module *m = &i->p->modules[i->kids[low - 1].module];
    if (m->parent != parent || m->numbered != want.numbered) return NAMES_ABSENT;
    bool hit = m->numbered ? want.number >= m->from && want.number <= m->to : text_same(m->name, name);
    return hit ? i->kids[low - 1].module : NAMES_ABSENT;
}

/* ---- walking ------------------------------------------------------------------------------ */

struct walk {
    const struct printed_index *i;
    numel_str parts[PARTS];
    unsigned count, steps;
    struct place best;  /* the furthest place */
    unsigned used;      /* parts found in the tree up to `best` */
    bool without_first; /* it arrived, but skipped the first part */
};

/* The position of a walk. */
struct stand {
    uint32_t module;
    unsigned part; /* the next part of the name */
    unsigned used; /* parts found so far */
    bool guessed;  /* skipped a first part that is not a wrapper, and has found nothing since */
};

static bool is_wrapper(numel_str s)
{
    for (size_t i = 0; i < WRAPPERS; i++)
        if (text_equal(s, wrappers[i])) return true;
    return false;
}

static uint32_t shown_in(const struct walk *w, uint32_t module, numel_str name)
{
    const struct module *m = &w->i->p->modules[module];
    for (uint32_t i = 0; i < m->parameters; i++)
        if (text_equal(name, w->i->p->parameters[m->parameter + i].name)) return m->parameter + i;
    return NAMES_ABSENT;
}

static void note(struct walk *w, struct stand s)
{
    const struct module *m = &w->i->p->modules[s.module];
    bool inside = s.part + 1 >= w->count || m->shows == SHOWS_NO_SIZE;
    bool better = s.used > w->used || (s.used == w->used && inside && !w->best.inside);
    if (s.guessed || !better) return;
    w->used = s.used;
    w->best = (struct place){ s.module, NAMES_ABSENT, inside };
}

static bool arrive(struct walk *w, uint32_t module, numel_str name)
{
    uint32_t q = shown_in(w, module, name);
    if (q == NAMES_ABSENT) return false;
    w->best = (struct place){ module, q, true };
    return true;
}

static bool step(struct walk *w, struct stand s);

/* Enters a wrapper's child without using up a part of the name. */
static bool pass_wrappers(struct walk *w, struct stand s)
{
    const struct module *modules = w->i->p->modules;
    uint32_t parent = s.module, end = modules[parent].end, tried = 0;
    for (size_t i = 0; i < WRAPPERS; i++) {
        s.module = child_of(w->i, parent, text_of(wrappers[i]));
        if (s.module != NAMES_ABSENT && step(w, s)) return true;
    }
    if (parent != w->i->x->module) return false;
    for (s.module = parent + 1; s.module < end && tried++ < 16; s.module = modules[s.module].end)
        if (text_ends(modules[s.module].class, "Model") && step(w, s)) return true;
    return false;
}

/* Recursion: at most PARTS + PRINTOUT_DEPTH deep, since each call uses a part or goes down. */
static bool step(struct walk *w, struct stand s)
{
    if (w->steps == 0) return false;
    w->steps--;
    note(w, s);
    if (s.part == w->count) return false;
    numel_str name = w->parts[s.part];
    bool last = s.part + 1 == w->count;
    if (last && arrive(w, s.module, name)) {
        w->without_first = s.part > s.used;
        return true;
    }
    uint32_t child = child_of(w->i, s.module, name);
    if (child != NAMES_ABSENT) {
        if (last && arrive(w, child, text_of(""))) return true;
        if (!last && step(w, (struct stand){ child, s.part + 1, s.used + 1, false })) return true;
    }
    if (pass_wrappers(w, s)) return true;
    bool wrapper = is_wrapper(name) || (s.part == 0 && text_same(name, w->i->prefix));
    bool first = s.part == 0 && s.module == w->i->x->module;
    if (last || child != NAMES_ABSENT || (!wrapper && !first)) return false;
    return step(w, (struct stand){ s.module, s.part + 1, s.used, s.guessed || !wrapper });
}

/* The name of the weight for a parametrized one, which torch keeps one level down:
 * "conv.parametrizations.weight.original1" of weight_norm, formerly "conv.weight_v", has the weight's shape. */
static numel_str plain_weight(numel_str name, char text[512])
{
    static const char *const forms[] = { ".parametrizations.weight.original1", ".weight_v" };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        numel_str stem = name;
        if (!text_take_end(&stem, forms[i])) continue;
        numel_str plain = text_join(text, 512, stem, text_of(".weight"), text_of(""));
        if (plain.p) return plain;
    }
    return name;
}

static struct walk walk_down(const struct printed_index *i, numel_str name)
{
    struct walk w = { .i = i, .steps = STEPS, .best = { i->x->module, NAMES_ABSENT, false } };
    for (size_t at = 0; at <= name.n && w.count < PARTS;) {
        size_t end = text_find(name, at, '.');
        w.parts[w.count++] = text_slice(name, at, end);
        at = end + 1;
    }
    step(&w, (struct stand){ .module = i->x->module });
    return w;
}

struct place printed_find(const struct printed_index *i, numel_str name)
{
    char text[512];
    return walk_down(i, plain_weight(name, text)).best;
}

void printed_learn_prefix(struct printed_index *i, const struct holdings *h)
{
    enum { ASKED = 200 };
    size_t stride = h->count / ASKED + 1;
    for (size_t k = 0; k < h->count; k += stride) {
        struct walk w = walk_down(i, h->items[k].name);
        if (w.best.parameter == NAMES_ABSENT || !w.without_first || is_wrapper(w.parts[0])) continue;
        i->prefix = w.parts[0];
        return;
    }
}
