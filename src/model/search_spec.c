/*
 * search_spec.c -- finds the specification of a checkpoint without its configuration.
 *
 * It chooses the specification that explains most tensors and leaves least open, with a configuration
 * inferred from shapes (formula/infer.h). There are many specifications, and inference is expensive, so those
 * that share few words with the file's names are not tried. Those of classes with names like the file's
 * (formula/skeleton.h) are tried first, as these classes: flags then have the values of the class, and only
 * sizes are inferred. Specifications that explain the file equally well are named; what only the
 * configuration could decide stays open. If nine of ten names are those of one class, no other class is
 * claimed: some combination of flags could explain a missing or a surplus tensor.
 *
 * The search keeps its own data in a separate arena.
 */
#include "model/search_internal.h"

#include "formula/forms.h"
#include "formula/skeleton.h"
#include "model/training.h"

#include <stdlib.h>

enum {
    OPEN = 2,      /* classes whose flags are inferred, too */
    LIKELY = 4,    /* lines of classes (skeleton.h) */
    SAME = 12,     /* classes of the same names that are tried */
    WORDS = 96,    /* distinct words of the file, to select specifications */
    TRIED = 24,    /* specifications, */
    FIRST = 8,     /* but only these if none of them expects a tensor of the file */
    MEAGRE = 12,   /* tensors: fewer are a class' only with all names and nothing open */
    SPARSE = 3,    /* ... and fewer have names that are too common */
    ALIKE = 4,     /* that explain everything, and are named */
    MORE = 4,      /* tried after the first that explains everything */
    ROUNDS = 4,    /* compared with all tensors although the sample fits badly, */
    LOOKS = 20000, /* ... or as many as have this many tensors in total */
    STEPS = 60000  /* for each class that is likely by its names */
};

/* ---- words -------------------------------------------------------------------------------- */

/* The most specific part of a name: "q_proj" in "model.layers.0.self_attn.q_proj.weight". */
static numel_str telling_part(numel_str name)
{
    size_t end = name.n, start;
    for (int round = 0; round < 4; round++) {
        start = end;
        while (start > 0 && name.p[start - 1] != '.') start--;
        numel_str part = text_slice(name, start, end);
        bool number = part.n && part.p[0] >= '0' && part.p[0] <= '9';
        if (!text_equal(part, "weight") && !text_equal(part, "bias") && !number) return part;
        if (start < 2) return part;
        end = start - 1;
    }
    return (numel_str){ name.p, 0 };
}

/* The part together with the one before it, unless that is a number: "attn.qkv". */
static numel_str telling_phrase(numel_str name, numel_str part)
{
    const char *start = part.p, *end = part.p + part.n;
    if (start < name.p + 2) return part;
    for (start--; start > name.p && start[-1] != '.';) start--;
    return *start >= '0' && *start <= '9' ? part : text_span(start, end);
}

/* True for a buffer that every batch norm has, which says nothing about the model. */
static bool is_statistic(numel_str part)
{
    return text_equal(part, "running_mean") || text_equal(part, "running_var") ||
           text_equal(part, "num_batches_tracked");
}

/* Collects the distinct words of the file's names, or their phrases, up to WORDS. */
static unsigned collect_words(const struct registry *r, bool phrases, numel_str words[WORDS])
{
    unsigned n = 0;
    for (size_t i = 0; i < r->count && n < WORDS; i++) {
        numel_str part = telling_part(r->tensors[i].name);
        if (training_hides(part) || is_statistic(part)) continue;
        if (phrases) part = telling_phrase(r->tensors[i].name, part);
        unsigned k = 0;
        while (k < n && !text_same(words[k], part)) k++;
        if (k == n && part.n) words[n++] = part;
    }
    return n;
}

static int by_known(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->known != y->known) return x->known < y->known ? 1 : -1;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    if (x->phrases != y->phrases) return x->phrases < y->phrases ? 1 : -1;
    return strcmp(x->is.entry->name, y->is.entry->name);
}

/* ---- trying ------------------------------------------------------------------------------- */

/* Tries all specifications on the sample, and those that leave least of it open on all tensors right away.
 * If one leaves nothing open, a few more are tried, as others may explain the file as well. */
static bool try_specs(struct trials *t)
{
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0, more = 0; i < t->count && t->perfect < ALIKE && more < MORE; i++) {
        struct candidate *c = &t->list[i];
        if (!t->purse.steps || (i == FIRST && !t->purse.matched)) break;
        if (t->perfect && c->known < t->best.known) break; /* lacks some of its names */
        more += t->perfect > 0;
        if (!fit(t, c)) return false;
        if (c->apart > least) continue;
        least = c->apart;
        if (!weigh(t, c)) return false;
    }
    return true;
}

/* No specification leaves nothing open: the sample may have shown too little of those not measured. */
static bool try_rest(struct trials *t)
{
    while (!t->perfect && (t->measured < ROUNDS || t->measured * t->model->ck->registry.count < LOOKS)) {
        struct candidate *next = NULL;
        for (unsigned i = 0; i < t->count; i++) {
            struct candidate *c = &t->list[i];
            if (c->parsed && !c->weighed && (!next || c->apart < next->apart)) next = c;
        }
        if (!next) break;
        if (!weigh(t, next)) return false;
    }
    return true;
}

/* Many specifications have all the words; counts which have them next to each other. */
static void count_phrases(struct trials *t)
{
    numel_str phrases[WORDS];
    unsigned n = t->count > TRIED ? collect_words(t->seen, true, phrases) : 0;
    for (unsigned i = 0; n && i < t->count; i++)
        t->list[i].phrases = library_phrases(t->model->library, t->list[i].is.entry, phrases, n);
}

/* Keeps the first TRIED candidates that the file does not rule out. */
static void keep_tried(struct trials *t)
{
    unsigned kept = 0;
    void *names = (void *)(uintptr_t)t->seen;
    for (unsigned i = 0; i < t->count && kept < TRIED; i++)
        if (!library_rules_out(t->list[i].is.entry, library_in_registry, names)) t->list[kept++] = t->list[i];
    t->count = kept;
}

/* Selects specifications with more than two thirds of the file's words, the best first. */
NUMEL_MUST static bool choose(struct trials *t, unsigned room)
{
    const struct library *l = t->model->library;
    numel_str words[WORDS];
    unsigned n = collect_words(t->seen, false, words);
    unsigned *known = arena_alloc(&t->arena, room * sizeof *known);
    if (!known) return error_nomem(t->error);
    if (!library_words(l, words, n, known, t->error)) return false;
    for (unsigned i = 0; i < room; i++) {
        const struct library_entry *entry = library_at(l, i);
        if (!entry->architecture || !entry->serves_hf || known[i] * 3 <= n * 2) continue;
        t->list[t->count++] = (struct candidate){
            .is = { .entry = entry }, .known = known[i], .place = usual_place(entry->name), .off = UINT64_MAX
        };
    }
    count_phrases(t);
    if (t->count) qsort(t->list, t->count, sizeof *t->list, by_known);
    keep_tried(t);
    return true;
}

/* Does it leave more open than an explanation may? */
static bool is_far(const struct trials *t, const struct candidate *c)
{
    return c->off > t->model->ck->registry.count / 10;
}

/* Is the best candidate one that the names indicate, too? */
static bool is_named(const struct trials *t)
{
    numel_str rest = t->named.classes, type, class;
    while (t->best.is.entry && skeleton_class(&rest, &type, &class))
        if (library_type(t->model->library, type) == t->best.is.entry) return true;
    return false;
}

/* ... and leaves little open? Then the file is at fault, and no other specification is tried. */
static bool is_near(const struct trials *t) { return t->named.is.type && t->best.off <= FEW && is_named(t); }

/* If the names indicate a class, another class that leaves something open does not count. Without a
 * configuration, only deviations that no sizes explain count against the file. */
static bool is_known(const struct trials *t) { return t->best.off == 0 || (is_named(t) && t->best.sure); }

static bool is_meagre(const struct trials *t) { return t->model->ck->registry.count < MEAGRE; }

/* Makes the best candidate the model's. It is not an explanation if it leaves more than a tenth open. */
NUMEL_MUST static bool settle(struct trials *t)
{
    struct model *model = t->model;
    struct candidate *best = &t->best;
    if (is_meagre(t) && (best->off || !best->shown))
        return !t->named.is.type || model->ck->registry.count < SPARSE || tell_names(t, &t->named);
    if (t->named.is.type && !is_known(t))
        return tell_names(t, is_named(t) && !t->named.same ? best : &t->named);
    if (is_far(t, best)) {
        if (t->purse.cut) tell_cut(model);
        return true;
    }
    if (!try_published(t) || !take(t, best)) return false;
    model->from = say_alike(t);
    error_clear(&model->why);
    model->entry = best->is.entry;
    model->architecture = best->is.entry->name;
    model->called = say_called(t);
    model->inferred = !best->is.published;
    if (!model->from || !model->called) return error_nomem(t->error);
    if (t->kept.there && !best->is.published) return kept_give(&t->kept, model), true;
    if (!name_all(model, t->error)) return false;
    if (!best->is.published) return true;
    model->called = say_published(t);
    return model->called || error_nomem(t->error);
}

/* Unpacks the files logically, and takes a sample of their tensors. */
NUMEL_MUST static bool look(struct trials *t)
{
    struct model *model = t->model;
    size_t room = library_count(model->library);
    t->list = arena_alloc(&t->arena, room * sizeof *t->list);
    if (!t->list) return error_nomem(t->error);
    if (!make_logical(model, &t->logical, &t->arena, t->error)) return false;
    t->seen = logical_or(&t->logical, model->inner->training.view);
    if (!sample_make(&t->sample, t->seen, &t->arena, t->error)) return false;
    t->purse = purse_for(&t->sample);
    return true;
}

static void free_list(struct trials *t)
{
    for (unsigned i = 0; i < t->count; i++) config_free_inferred(t->model->config, &t->list[i].inferred);
    t->count = t->measured = t->perfect = 0;
}

/* No specification explains everything: the names may be a writer's own. Makes a sample of the names that
 * specifications may have instead; *any: there are such names. */
NUMEL_MUST static bool look_again(struct trials *t, bool *any)
{
    struct model *model = t->model;
    const char *writer;
    uint64_t made = 0;
    *any = false;
    if (!library_forms(model->library, t->error) || !model_writer(model, &writer, t->error)) return false;
    for (size_t i = 0; i < model->library->form_count && !made; i++) {
        registry_done(&t->reversed);
        if (!forms_reverse(model->library->forms[i], t->seen, writer, &t->reversed, &made, &t->arena,
                           t->error))
            return false;
    }
    if (!made) return true;
    *any = true;
    sample_done(&t->sample);
    free_list(t);
    t->seen = &t->reversed;
    return sample_make(&t->sample, t->seen, &t->arena, t->error);
}

/* Sets the candidate's identity. False if memory runs out. */
NUMEL_MUST static bool take_for(struct trials *t, struct candidate *c, const struct library_entry *entry,
                                numel_str type, numel_str class)
{
    c->is.entry = entry;
    c->is.type = arena_text(&t->model->arena, type.p, type.n);
    c->is.class = arena_text(&t->model->arena, class.p, class.n);
    return (c->is.type && c->is.class) || error_nomem(t->error);
}

/* Selects classes with names like the file's, the most similar first. */
NUMEL_MUST static bool choose_likely(struct trials *t)
{
    struct skeleton found[LIKELY];
    unsigned n;
    if (!skeleton_find(t->seen, found, LIKELY, &n, t->error)) return false;
    for (unsigned i = 0; i < n; i++) {
        numel_str rest = found[i].classes, type, class;
        const struct library_entry *entry = NULL;
        while (!entry && skeleton_class(&rest, &type, &class)) entry = library_type(t->model->library, type);
        if (!entry) continue;
        struct candidate *c = &t->list[t->count];
        *c = (struct candidate){ .classes = found[i].classes, .keep = KEEP_DEFAULTS, .off = UINT64_MAX };
        if (!take_for(t, c, entry, type, class)) return false;
        const uint32_t all = found[i].own + found[i].names;
        c->told = found[i].common * 20 >= all * 9;
        c->same = found[i].common * 2 == all;
        c->lacked = found[i].common == found[i].own ? found[i].names - found[i].own : UINT32_MAX;
        if (is_meagre(t) && !c->same) continue;
        if (t->count++ == 0 && c->told) t->named = *c;
    }
    return true;
}

bool try_with(struct trials *t, struct candidate *c, enum infer_keep keep)
{
    config_free_inferred(t->model->config, &c->inferred);
    c->keep = keep;
    t->purse.steps = STEPS + INFER_STEPS_NAME * (uint64_t)t->sample.registry.count;
    if (!fit(t, c)) return false;
    bool nothing = !t->purse.steps && t->named.is.type && !c->told; /* out of steps, and not a likely class */
    return nothing || c->apart > t->sample.registry.count / 10 || weigh(t, c);
}

/* Classes of the same names differ in defaults. Tries each, then returns to the first. */
NUMEL_MUST static bool try_classes(struct trials *t, struct candidate *c, enum infer_keep keep)
{
    const struct identity first = c->is;
    uint64_t least = UINT64_MAX;
    numel_str rest = c->classes, type, class;
    for (unsigned tried = 0; tried < SAME && !t->perfect && skeleton_class(&rest, &type, &class);) {
        const struct library_entry *entry = library_type(t->model->library, type);
        if (!entry) continue;
        if (!take_for(t, c, entry, type, class) || !try_with(t, c, keep)) return false;
        if (tried++ == 0 || c->apart < least) least = c->apart, c->closest = c->is;
    }
    if (!t->perfect) c->is = first;
    return true;
}

static bool is_same(const struct identity *a, const struct identity *b)
{
    return strcmp(a->type, b->type) == 0 && strcmp(a->class, b->class) == 0;
}

/* Tries all likely classes from one on; if little is left open, only those that the names indicate. */
NUMEL_MUST static bool try_open(struct trials *t, enum infer_keep keep, unsigned from, unsigned most)
{
    for (unsigned i = from; i < t->count && i < most && !t->perfect; i++) {
        struct candidate *c = &t->list[i];
        const struct identity first = c->is;
        if (t->named.is.type && !c->told) continue;
        if (is_near(t) && c->classes.p != t->best.classes.p) continue;
        if (keep == KEEP_FLAGS) {
            if (!try_classes(t, c, keep)) return false;
            continue;
        }
        if (!is_near(t) && !try_with(t, c, keep)) return false;
        c->is = is_near(t) ? t->best.is : c->closest;
        bool again = !t->perfect && (is_near(t) || !is_same(&c->is, &first));
        if (again && !try_with(t, c, keep)) return false;
        c->is = first;
    }
    return true;
}

/* Tries each with all values of its class, then with its flags only; the first ones then with any flags. A
 * class that has exactly the file's names, except perhaps a tied head, precedes those that would need
 * other values to explain the file. */
NUMEL_MUST static bool try_likely(struct trials *t)
{
    const unsigned same = t->count && (t->list[0].same || t->list[0].lacked == 1);
    if (same && (!try_classes(t, &t->list[0], KEEP_DEFAULTS) || !try_open(t, KEEP_FLAGS, 0, 1) ||
                 !try_open(t, KEEP_WORDS, 0, 1) || !try_open(t, KEEP_NOTHING, 0, 1)))
        return false;
    for (unsigned i = same; i < t->count && !t->perfect; i++)
        if (!try_classes(t, &t->list[i], KEEP_DEFAULTS)) return false;
    if (!try_open(t, KEEP_FLAGS, same, t->count) || !try_open(t, KEEP_WORDS, same, OPEN) ||
        !try_open(t, KEEP_NOTHING, same, OPEN))
        return false;
    t->purse = purse_for(&t->sample);
    return true;
}

/* Tries classes with similar names, then specifications that share words. */
NUMEL_MUST static bool try_others(struct trials *t)
{
    if (!choose_likely(t) || !try_likely(t)) return false;
    if (is_named(t) && t->best.lacks) t->named.is.type = NULL; /* of few kinds, one may be a tenth */
    if (t->perfect || t->named.is.type || is_meagre(t)) return true;
    free_list(t);
    return choose(t, (unsigned)library_count(t->model->library)) && try_specs(t) && try_rest(t);
}

/* Tries timm's architectures first, which is cheap; in transformers' wrapper last, because other models
 * with such towers have names of their own. */
NUMEL_MUST static bool try_all(struct trials *t)
{
    if (!try_timm(t, false)) return false;
    if (t->perfect) return true;
    free_list(t);
    return try_others(t) && (t->perfect || try_timm(t, true));
}

/* If the original names indicate something, that stands, and a writer's names are not tried. */
NUMEL_MUST static bool try_both(struct trials *t)
{
    bool again = false;
    if (!try_all(t)) return false;
    if (t->perfect || t->named.is.type) return true;
    return look_again(t, &again) && (!again || try_all(t));
}

bool search_spec(struct model *model, numel_error *e)
{
    struct trials t = { .model = model, .best = { .off = UINT64_MAX, .biases = UINT64_MAX }, .error = e };
    arena_init(&t.arena, model->made.memory);
    registry_init(&t.reversed, &t.arena);
    bool ok = look(&t) && try_both(&t) && prefer_usual(&t) && settle(&t);
    free_list(&t);
    config_free_inferred(model->config, &t.best.inferred);
    kept_drop(&t.kept, model->made.memory);
    sample_done(&t.sample);
    registry_done(&t.reversed);
    logical_done(&t.logical);
    arena_done(&t.arena);
    return ok;
}
