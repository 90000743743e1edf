/*
 * training_names.c -- what the name of a tensor in a training checkpoint shows by itself: its weight, and the
 * kind of state.
 *
 * Most checkpoints have no such names. training_plain() finds this out by one look at each pattern of names.
 */
#include "model/training_internal.h"

#include "base/text.h"

#include <string.h>

/* ---- words -------------------------------------------------------------------------------- */

/* Prefixes of optimizer states, of which a name may have several, and of copies. */
static const char *const containers[] = { "optimizer.",   "optimizers.", "optimizer_state.",
                                          "optim.",       "opt.",        "optimizer_state_dict.",
                                          "optim_state.", "state.",      "zero/",
                                          "chained_0.",   "chained_1.",  "optimizer_states.0." };
static const char *const copies[] = { "ema.shadow.",     "swa_model.",     "ema.",
                                      "ema_model.",      "model_ema.",     "ema_params.",
                                      "ema_state_dict.", "shadow_params.", "ema_weights.",
                                      "shadow.",         "params_ema." };
/* Wrappers of weights: in front of all names, and anywhere in a name. */
static const char *const wrappers[] = { "module.",          "model.module.",
                                        "state_dict.",      "model_state_dict.",
                                        "model_state.",     "app.",
                                        "_forward_module.", "online_model.",
                                        "model.",           "params." };
static const char *const layers[TRAINING_LAYERS] = { "_orig_mod.", "_fsdp_wrapped_module.",
                                                     "_checkpoint_wrapped_module." };

const char *training_layer_text(unsigned i) { return layers[i]; }

size_t training_layer(numel_str name, unsigned *which)
{
    for (unsigned i = 0; i < TRAINING_LAYERS; i++) {
        size_t n = strlen(layers[i]);
        if (name.n <= n || memcmp(name.p, layers[i], n) != 0) continue;
        if (which) *which = i;
        return n;
    }
    return 0;
}

const char *training_wrapper_text(unsigned i)
{
    return i < sizeof wrappers / sizeof *wrappers ? wrappers[i] : NULL;
}

bool training_drop_one(numel_str *s, const char *start)
{
    size_t n = strlen(start);
    if (s->n <= n || memcmp(s->p, start, n) != 0) return false;
    *s = text_from(*s, n);
    return true;
}

static bool drop_any(numel_str *s, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (training_drop_one(s, list[i])) return true;
    return false;
}
#define DROP_ANY(s, list) drop_any(s, list, sizeof(list) / sizeof *(list))

/* ---- names by themselves ------------------------------------------------------------------ */

static bool is_number(numel_str s) { return s.n < 10 && text_is_number(s); }

/* Looks for a word after the last dot (or slash) or, in an optimizer, before the first dot. */
static bool take_word(struct told *x, numel_str name, bool contained)
{
    size_t at = name.n, first = 0;
    while (at > 0 && name.p[at - 1] != '.' && name.p[at - 1] != '/') at--;
    x->word = training_word_of(text_from(name, at), contained);
    x->base = text_less(text_upto(name, at), 1);
    if (x->word < COPY_WORD) return at > 0 || training_word(x->word)->part == TRAINING_STEP;
    while (first < name.n && name.p[first] != '.') first++;
    x->word = training_word_of((numel_str){ name.p, first }, contained);
    if (x->word >= COPY_WORD || first == name.n) return false;
    bool plain = strncmp(training_word(x->word)->name, "exp_avg", 7) == 0; /* no module has such a name */
    x->base = text_from(name, first + 1);
    return contained || plain;
}

/* Does the name consist of an existing weight's, an unknown word and perhaps a number? */
static bool is_untold(const struct taking *g, struct told *x, numel_str name)
{
    static const char *const fronts[] = { "", "model.", "module.", "model.module.", "_orig_mod." };
    char full[600];
    numel_str base = name;
    for (unsigned parts = 0; parts < 2; parts++) {
        while (base.n && text_last(base) != '.' && text_last(base) != '/') base = text_less(base, 1);
        if (base.n < 2) return false;
        base = text_less(base, 1);
        x->base = base;
        x->word = UNTOLD_WORD;
        for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
            numel_str s = text_join(full, sizeof full, text_of(fronts[i]), base, (numel_str){ NULL, 0 });
            if (s.p && registry_find(g->r, s)) return true;
        }
        if ((x->numbered = is_number(base))) return true;
    }
    return false;
}

/* Does the name look like an optimizer's setting, or another number of the training? */
static bool is_setting(numel_str name)
{
    static const char *const globs[] = { "*param_groups.*", "lr_scheduler.*", "scheduler.*", "train_state.*",
                                         "callbacks.*",     "best_*loss",     "loss" };
    bool found = false;
    for (size_t i = 0; i < sizeof globs / sizeof *globs; i++) found |= text_glob(globs[i], name);
    return found;
}

void training_tell(const struct taking *g, struct told *x, const numel_tensor *t)
{
    numel_str name = t->name;
    bool contained = false;
    *x = (struct told){ .word = UINT32_MAX };
    if (t->elements <= 1 && is_setting(name)) {
        x->word = training_word_of(text_of("param_groups"), true);
        return;
    }
    while (DROP_ANY(&name, containers)) contained = true;
    if (take_word(x, name, contained)) {
        x->numbered = is_number(x->base);
        return;
    }
    if (contained && is_untold(g, x, name)) return;
    x->base = t->name;
    x->word = UINT32_MAX;
    if (DROP_ANY(&x->base, copies)) x->word = COPY_WORD;
    else if (text_ends(x->base, "_ema") || text_ends(x->base, ".ema"))
        x->base = text_less(x->base, 4), x->word = COPY_WORD;
    x->numbered = x->word == COPY_WORD && is_number(x->base);
}

/* ---- by pattern --------------------------------------------------------------------------- */

/* Does the name begin with one of the words? Of a word with a number, only the part before the number must
 * match. */
static bool begins_with_any(numel_str name, const char *const *list, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        numel_str word = { list[i], strcspn(list[i], "0123456789") };
        found |= name.n >= word.n && memcmp(name.p, word.p, word.n) == 0;
    }
    return found;
}

static bool has_layer(numel_str name)
{
    bool found = false;
    for (unsigned i = 0; i < TRAINING_LAYERS; i++) found |= text_holds(name, text_of(layers[i]));
    return found;
}

/* Is it the name of a weight, whatever numbers it has? */
static bool is_plain(const struct taking *g, const struct pattern *x)
{
    struct told told;
    numel_str name = x->sample;
    if (is_setting(name) || has_layer(name)) return false;
    if (begins_with_any(name, containers, sizeof containers / sizeof *containers)) return false;
    training_tell(g, &told, &g->r->tensors[x->first]);
    return told_weight(&told) && !(x->named && text_holds(name, text_of("exp_avg_lr_")));
}

static bool all_begin_with(const struct patterns *all, const char *start)
{
    size_t n = 0;
    while (n < all->count && text_starts(all->items[n].sample, start)) n++;
    return n == all->count;
}

static bool any_begins_with(const struct patterns *all, const char *start)
{
    bool found = false;
    for (size_t i = 0; i < all->count; i++) found |= text_starts(all->items[i].sample, start);
    return found;
}

bool training_plain(const struct taking *g)
{
    const struct patterns *all = &g->r->patterns;
    const char *wrapper;
    for (size_t i = 0; i < all->count; i++)
        if (!is_plain(g, &all->items[i])) return false;
    for (unsigned w = 0; (wrapper = training_wrapper_text(w)) != NULL; w++) {
        bool twice = strcmp(wrapper, "model.") != 0 || any_begins_with(all, "model.model.");
        if (twice && all_begin_with(all, wrapper)) return false;
    }
    return true;
}
