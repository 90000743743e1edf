/*
 * search_spec.c -- a checkpoint without its configuration.
 *
 * The spec that explains most tensors and leaves least over is taken, its configuration inferred
 * from shapes (formula/infer.h). Specs are many and inference is work, so those that share few words
 * with the file's names are not tried at all, and those of classes that call their tensors as the file does
 * (formula/skeleton.h) are tried first, as these classes: flags have the values of the class then, and only sizes
 * are inferred. Specs that explain the file equally well are named:
 * what only the configuration could tell apart stays open.
 *
 * All trials are over one library and one configuration: each has its own inferred values, which change places
 * with those of the next, and nothing else of it stays. What the search needs beside the model is in an arena
 * that goes with it.
 */
#include "model/model_internal.h"

#include "formula/forms.h"
#include "formula/infer.h"
#include "formula/skeleton.h"
#include "model/logical.h"
#include "model/sample.h"

#include <stdlib.h>

enum {
    OPEN = 2,      /* of those whose flags are inferred too */
    LIKELY = 4,    /* lines of skeletons.table */
    NAMED = 12,    /* classes that a file may be of by its names, and that are said */
    WORDS = 96,    /* different ones of the file, to choose specs by */
    TRIED = 24,    /* specs */
    ALIKE = 4,     /* that explain all and are named */
    MORE = 4,      /* tried after the first that explains all */
    ROUNDS = 4,    /* that are held against all tensors though the sample fits badly, */
    LOOKS = 20000, /* or as many as make so many tensors together */
    WHOLE = 8,     /* steps that all specs may take together, of what one may (infer.h); */
    STEPS = 60000  /* and those that are likely by their names, each */
};

/* ---- inference ---------------------------------------------------------------------------- */

struct view { /* what the inference sees of the files */
    struct naming *naming;
    const struct sample *sample;
};

/* What is left of the work that a search may be: a file with many names that fit nothing must not take for ever. */
struct purse {
    uint64_t steps;
    bool cut; /* it was not enough, or that of one inference was not */
};

static struct purse purse_for(const struct sample *s)
{
    return (struct purse){ .steps = WHOLE * (INFER_STEPS + INFER_STEPS_NAME * (uint64_t)s->registry.count) };
}

NUMEL_MUST static bool view_has(void *ctx, const char *glob, bool *there, numel_error *e)
{
    return naming_has(((struct view *)ctx)->naming, glob, there, e);
}

NUMEL_MUST static bool view_dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e)
{
    return naming_dim(((struct view *)ctx)->naming, name, axis, size, e);
}

static bool view_in_run(void *ctx, int64_t i) { return sample_in_run(((struct view *)ctx)->sample, i); }

/* Names of the files as they stand, then as the spec spells them. */
static bool next_name(void *ctx, size_t i, numel_str *name)
{
    const struct naming *n = ((struct view *)ctx)->naming;
    if (i < n->registry->count) *name = n->registry->tensors[i].name;
    else if (i - n->registry->count < n->renamed_count) *name = n->renamed[i - n->registry->count].name;
    else return false;
    return true;
}

/* Adds to the configuration what the sample's tensors show. *off: what it then leaves open there,
 * UINT64_MAX when nothing can be said. */
NUMEL_MUST static bool infer_config(struct model *model, const struct sample *sample, enum infer_keep keep,
                                    struct purse *purse, uint64_t *off, numel_error *e)
{
    struct inference found;
    struct naming naming;
    struct view view = { &naming, sample };
    const char *type = model->inner->naming.arena ? model->inner->naming.model_type.p : model->called;
    struct infer_file file = {
        { view_has, view_dim, &view }, next_name, model->ck->registry.count, view_in_run
    };
    struct infer_input in = { .spec = model->spec,
                              .config = model->config,
                              .side = model->side,
                              .file = &file,
                              .steps = &purse->steps,
                              .keep = keep };
    numel_error why;
    error_clear(&why);
    *off = UINT64_MAX;
    bool ok = naming_init(&naming, &sample->registry, model->spec, type, &model->made, e);
    naming.repeats = true;
    if (ok && infer(&found, &in, model->arena.memory, &why)) {
        *off = found.missing + found.conflicts;
        purse->cut |= !found.complete;
        infer_done(&found);
    }
    naming_done(&naming);
    return ok && error_free(e) && (why.code != NUMEL_E_NOMEM || error_nomem(e));
}

NUMEL_MUST static bool make_logical(struct model *model, struct logical *l, struct arena *a, numel_error *e)
{
    struct packed_file file = {
        .registry = &model->ck->registry, .read = model_read_tensor, .meta = model_read_meta, .ctx = model
    };
    return logical_make(l, model->config, model->library, &file, a, e);
}

static const struct registry *logical_or(const struct logical *l, const struct registry *files)
{
    return l->weights ? &l->registry : files;
}

bool infer_missing_keys(struct model *model, numel_error *e)
{
    struct sample sample = { .numbers = 0 };
    struct logical logical;
    struct purse purse;
    struct arena a;
    uint64_t off;
    arena_init(&a, model->made.memory);
    bool ok = make_logical(model, &logical, &a, e) &&
              sample_make(&sample, logical_or(&logical, &model->ck->registry), &a, e);
    if (ok) purse = purse_for(&sample);
    ok = ok && infer_config(model, &sample, KEEP_DEFAULTS, &purse, &off, e);
    sample_done(&sample);
    logical_done(&logical);
    arena_done(&a);
    return ok;
}

/* What the spec leaves open: tensors missing, of the wrong shape, unexpected; and how many biases it has no use for. */
NUMEL_MUST static bool measure(struct model *model, uint64_t *off, uint64_t *biases, numel_error *e)
{
    struct presence file = { naming_has, naming_dim, &model->inner->naming };
    struct expand_input in = { .spec = model->spec, .config = model->config, .file = &file };
    numel_error why;
    error_clear(&why);
    *off = UINT64_MAX;
    *biases = 0;
    bool ok = model_expand(model, &in, &why) && match_make(&model->inner->match, model, &why) &&
              differences_make(model, &why);
    if (ok) *off = differences_count(&model->differences);
    for (uint32_t i = 0; ok && i < model->ck->registry.count; i++)
        *biases += model->inner->match.tensors[i].cause == CAUSE_QUANT_BIAS;
    return ok || why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* ---- words -------------------------------------------------------------------------------- */

/* The part of a name that says most: "q_proj" of "model.layers.0.self_attn.q_proj.weight". */
static numel_str telling_part(numel_str name)
{
    size_t end = name.n, start;
    for (int round = 0; round < 4; round++) {
        start = end;
        while (start > 0 && name.p[start - 1] != '.') start--;
        numel_str part = { name.p + start, end - start };
        bool number = part.n && part.p[0] >= '0' && part.p[0] <= '9';
        if (!text_equal(part, "weight") && !text_equal(part, "bias") && !number) return part;
        if (start < 2) return part;
        end = start - 1;
    }
    return (numel_str){ name.p, 0 };
}

/* The different ones of the file's names, as many as there is room for. */
static unsigned collect_words(const struct registry *r, numel_str words[WORDS])
{
    unsigned n = 0;
    for (size_t i = 0; i < r->count && n < WORDS; i++) {
        numel_str part = telling_part(r->tensors[i].name);
        unsigned k = 0;
        while (k < n && !text_same(words[k], part)) k++;
        if (k == n && part.n) words[n++] = part;
    }
    return n;
}

struct candidate {
    const struct library_entry *entry;
    const char *type, *class; /* that it is taken for by its names; NULL: any that the spec is for */
    numel_str classes;        /* all that have these names */
    enum infer_keep keep;
    unsigned known;                  /* words of the file's names that it has */
    unsigned place;                  /* in `usual` */
    bool parsed;                     /* its spec is not an error */
    struct config_inferred inferred; /* of its configuration */
    uint64_t apart;                  /* what it leaves open of the sample */
    uint64_t off;                    /* and of all tensors; UINT64_MAX when that is not known */
    uint64_t biases;                 /* that it takes for a quantizer's: another may know them */
    bool weighed;                    /* it was looked at, at least */
};

/* Where specs explain a file alike, the name that most such files go by is said first. */
/* clang-format off */
static const char *const usual[] = {
    "llama", "qwen2", "mixtral", "qwen3_moe", "deepseek_v3", "gemma", "gemma3", "phi3", "gpt2",
    "bert", "roberta", "t5", "falcon", "gpt_neox", "opt", "bloom", "mamba", "clip", "vit", "whisper",
};
/* clang-format on */

static unsigned place_of(const char *name)
{
    unsigned i = 0;
    while (i < sizeof usual / sizeof *usual && strcmp(usual[i], name) != 0) i++;
    return i;
}

static int by_known(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->known != y->known) return x->known < y->known ? 1 : -1;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return strcmp(x->entry->name, y->entry->name);
}

/* ---- trying ------------------------------------------------------------------------------- */

struct trials {
    struct model *model;
    struct arena arena;
    struct logical logical;      /* the files as if nothing were packed */
    const struct registry *seen; /* what is looked at: that, or the files' own */
    struct registry reversed;    /* those, and what a spec may have in place of a writer's names */
    struct sample sample;
    struct candidate *list;
    unsigned count, best;
    unsigned measured, perfect;
    struct purse purse;
    bool told; /* by the names alone */
    numel_error *error;
};

/* What the candidate is taken for, as if the tensors had said it. */
NUMEL_MUST static bool suppose(struct trials *t, const struct candidate *c)
{
    struct config *config = t->model->config;
    bool defaults = c->type && c->keep != KEEP_NOTHING;
    config_suppose(config, defaults ? text_of(c->type) : (numel_str){ NULL, 0 }, c->keep == KEEP_DEFAULTS);
    if (!c->type) return true;
    struct value type = value_text(text_of(c->type)), class = value_text(text_of(c->class));
    struct value classes = { .kind = VALUE_LIST, .list = { &class, 1 } };
    return config_add_inferred(config, text_of("model_type"), &type, t->error) &&
           config_add_inferred(config, text_of("architectures"), &classes, t->error);
}

/* The candidate's spec and inferred values are the model's now. */
NUMEL_MUST static bool take(struct trials *t, struct candidate *c)
{
    struct model *model = t->model;
    numel_error why;
    error_clear(&why);
    config_swap_inferred(model->config, &c->inferred);
    if (!suppose(t, c)) return false;
    library_linked_free(&model->linked, model->library->arena.memory); /* parts of another type's */
    c->parsed = library_spec_for(model->library, &model->linked, c->entry, model->config, &model->spec, &why);
    if (!c->parsed) return why.code != NUMEL_E_NOMEM || error_nomem(t->error);
    model->entry = c->entry;
    model->called = c->type ? c->type : c->entry->name;
    return true;
}

/* The candidate's again; what was made with them goes. */
static void leave(struct trials *t, struct candidate *c)
{
    config_swap_inferred(t->model->config, &c->inferred);
    config_suppose(t->model->config, (numel_str){ NULL, 0 }, false);
    model_undo(t->model);
}

/* What the sample speaks of the candidate's configuration. */
static bool fit(struct trials *t, struct candidate *c)
{
    c->apart = UINT64_MAX;
    if (!take(t, c)) return false;
    bool ok = !c->parsed || infer_config(t->model, &t->sample, c->keep, &t->purse, &c->apart, t->error);
    leave(t, c);
    return ok;
}

NUMEL_MUST static bool name_all(struct model *model, numel_error *e)
{
    return naming_init(&model->inner->naming, &model->ck->registry, model->spec, model->called, &model->made,
                       e);
}

/* The candidate against all tensors. */
static bool weigh(struct trials *t, struct candidate *c)
{
    c->weighed = true;
    if (!c->parsed) return true;
    t->measured++;
    bool ok = take(t, c) && name_all(t->model, t->error) && measure(t->model, &c->off, &c->biases, t->error);
    leave(t, c);
    t->perfect += ok && c->off == 0;
    const struct candidate *best = &t->list[t->best];
    if (c->off < best->off || (c->off == best->off && c->biases < best->biases))
        t->best = (unsigned)(c - t->list);
    return ok;
}

/* All specs against the sample, and those that leave least of it open against all tensors at once.
 * When one leaves nothing open, a few more are tried: others may explain the file as well. */
static bool try_specs(struct trials *t)
{
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0, more = 0; i < t->count && t->perfect < ALIKE && more < MORE; i++) {
        struct candidate *c = &t->list[i];
        if (!t->purse.steps) break;
        if (t->perfect && c->known < t->list[t->best].known) break; /* lacks some of its names */
        more += t->perfect > 0;
        if (!fit(t, c)) return false;
        if (c->apart > least) continue;
        least = c->apart;
        if (!weigh(t, c)) return false;
    }
    return true;
}

/* No spec leaves nothing open: the sample may have reported too little of those not looked at. */
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

/* Those that know more than two thirds of the file's words, the best first. */
NUMEL_MUST static bool choose(struct trials *t, unsigned room)
{
    const struct library *l = t->model->library;
    numel_str words[WORDS];
    unsigned n = collect_words(t->seen, words);
    unsigned *known = arena_alloc(&t->arena, room * sizeof *known);
    if (!known) return error_nomem(t->error);
    if (!library_words(l, words, n, known, t->error)) return false;
    for (unsigned i = 0; i < room; i++) {
        const struct library_entry *entry = library_at(l, i);
        if (!entry->architecture || !entry->serves_hf || known[i] * 3 <= n * 2) continue;
        t->list[t->count++] = (struct candidate){
            .entry = entry, .known = known[i], .place = place_of(entry->name), .off = UINT64_MAX
        };
    }
    if (t->count) qsort(t->list, t->count, sizeof *t->list, by_known);
    if (t->count > TRIED) t->count = TRIED;
    return true;
}

/* Does it leave more open than an explanation may? */
static bool is_far(const struct trials *t, const struct candidate *c)
{
    return c->off > t->model->ck->registry.count / 10;
}

/* The other classes that have these names, by their model types. */
static void say_classes(struct buffer *b, const struct candidate *c)
{
    numel_str rest = c->classes, type, name, before = { NULL, 0 };
    unsigned named = 0;
    while (skeleton_class(&rest, &type, &name)) {
        if (text_equal(type, c->type) || (before.p && text_same(type, before))) continue;
        before = type;
        if (named < NAMED) {
            buffer_text(b, named ? ", " : "; of the same names: ");
            buffer_add(b, type.p, type.n);
        }
        named++;
    }
    if (named > NAMED) buffer_format(b, " and %u more", named - NAMED);
}

static const char *say_alike(const struct trials *t)
{
    struct model *model = t->model;
    const struct candidate *list = t->list;
    unsigned n = t->count, best = t->best;
    struct buffer b;
    buffer_init(&b, model->arena.memory);
    buffer_text(&b, "the tensors' names and shapes");
    for (unsigned i = 0, named = 0; i < n; i++) {
        if (i == best || list[i].off != list[best].off || list[i].biases != list[best].biases) continue;
        if (list[i].entry == list[best].entry) continue;
        buffer_format(&b, "%s%s", named++ ? ", " : "; also fits: ", list[i].entry->name);
    }
    if (list[best].type) say_classes(&b, &list[best]);
    if (t->purse.cut) buffer_text(&b, "; the search was cut short");
    const char *text = b.failed ? NULL : arena_text(&model->arena, b.p, b.n);
    buffer_done(&b);
    return text;
}

/* No spec is found, and one may be there. */
static bool tell_cut(struct model *model)
{
    numel_error why = model->why;
    error_clear(&model->why);
    error_set(&model->why, why.code ? why.code : NUMEL_E_KEY, why.offset,
              "%s%sthe search for a specification that fits was cut short", why.what,
              why.what[0] ? "; " : "");
    return true;
}

/* Whose names they are is known, and what its sizes are is not. */
NUMEL_MUST static bool tell_names(struct trials *t, const struct candidate *c)
{
    struct model *model = t->model;
    struct buffer b;
    buffer_init(&b, model->arena.memory);
    buffer_format(&b, "the names are those of %s", c->type);
    say_classes(&b, c);
    buffer_text(&b, "; the sizes do not say the configuration");
    const char *text = b.failed ? NULL : arena_text(&model->arena, b.p, b.n);
    buffer_done(&b);
    if (!text) return error_nomem(t->error);
    error_clear(&model->why);
    error_set(&model->why, NUMEL_E_KEY, NUMEL_NOWHERE, "%s", text);
    return true;
}

/* The best becomes the model's. An explanation that leaves more than a tenth open is none. */
NUMEL_MUST static bool settle(struct trials *t)
{
    struct model *model = t->model;
    struct candidate *best = t->count ? &t->list[t->best] : NULL;
    if (best && best->type && t->told && is_far(t, best)) return tell_names(t, &t->list[0]);
    if (!best || is_far(t, best)) return t->purse.cut ? tell_cut(model) : true;
    if (!take(t, best)) return false;
    model->from = say_alike(t);
    error_clear(&model->why);
    model->architecture = best->entry->name;
    model->called = best->type ? best->type : best->entry->name;
    model->inferred = true;
    return (model->from || error_nomem(t->error)) && name_all(model, t->error);
}

/* The files as if nothing in them were packed, and the few tensors of them that say what all say. */
NUMEL_MUST static bool look(struct trials *t)
{
    struct model *model = t->model;
    size_t room = library_count(model->library);
    t->list = arena_alloc(&t->arena, room * sizeof *t->list);
    if (!t->list) return error_nomem(t->error);
    if (!make_logical(model, &t->logical, &t->arena, t->error)) return false;
    t->seen = logical_or(&t->logical, &model->ck->registry);
    if (!sample_make(&t->sample, t->seen, &t->arena, t->error)) return false;
    t->purse = purse_for(&t->sample);
    return true;
}

static void free_list(struct trials *t)
{
    for (unsigned i = 0; i < t->count; i++) config_free_inferred(t->model->config, &t->list[i].inferred);
    t->count = t->best = t->measured = t->perfect = 0;
}

/* No spec explains all: its names may be a writer's own. The sample is then of what specs may have in their
 * place; *any: there is something of that kind. */
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

/* What the candidate is taken for; false with no memory. */
NUMEL_MUST static bool take_for(struct trials *t, struct candidate *c, const struct library_entry *entry,
                                numel_str type, numel_str class)
{
    c->entry = entry;
    c->type = arena_text(&t->model->arena, type.p, type.n);
    c->class = arena_text(&t->model->arena, class.p, class.n);
    return (c->type && c->class) || error_nomem(t->error);
}

/* Classes that call their tensors as the file does, those that are most alike first. */
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
        t->told |= t->count++ == 0 && found[i].common * 20 >= found[i].names * 9; /* nine of ten names */
    }
    return true;
}

/* One with what is kept of its class; what it was tried with before is forgotten. */
NUMEL_MUST static bool try_with(struct trials *t, struct candidate *c, enum infer_keep keep)
{
    config_free_inferred(t->model->config, &c->inferred);
    c->keep = keep;
    t->purse.steps = STEPS + INFER_STEPS_NAME * (uint64_t)t->sample.registry.count;
    if (!fit(t, c)) return false;
    return c->apart > t->sample.registry.count / 10 || weigh(t, c);
}

/* Classes of the same names differ in the values that a configuration leaves out: as each of them, then as the first. */
NUMEL_MUST static bool try_classes(struct trials *t, struct candidate *c)
{
    const struct candidate first = *c;
    numel_str rest = c->classes, type, class;
    for (unsigned tried = 0; tried < NAMED && !t->perfect && skeleton_class(&rest, &type, &class);) {
        const struct library_entry *entry = library_type(t->model->library, type);
        if (!entry) continue;
        if (!take_for(t, c, entry, type, class) || !try_with(t, c, KEEP_DEFAULTS)) return false;
        tried++;
    }
    if (!t->perfect) c->entry = first.entry, c->type = first.type, c->class = first.class;
    return true;
}

/* Each with all values of its class, then with its flags alone; the first ones then with whatever flags fit. */
NUMEL_MUST static bool try_likely(struct trials *t)
{
    for (unsigned i = 0; i < t->count && !t->perfect; i++)
        if (!try_classes(t, &t->list[i])) return false;
    for (unsigned i = 0; i < t->count && !t->perfect; i++)
        if (!try_with(t, &t->list[i], KEEP_FLAGS)) return false;
    for (unsigned i = 0; i < t->count && i < OPEN && !t->perfect; i++)
        if (!try_with(t, &t->list[i], KEEP_NOTHING)) return false;
    t->purse = purse_for(&t->sample);
    return true;
}

/* Those that are alike by all names of theirs, then those that share words. */
NUMEL_MUST static bool try_all(struct trials *t)
{
    if (!choose_likely(t) || !try_likely(t)) return false;
    if (t->perfect || (t->told && is_far(t, &t->list[t->best]))) return true;
    free_list(t);
    return choose(t, (unsigned)library_count(t->model->library)) && try_specs(t) && try_rest(t);
}

/* What is told of the names as they are stands: then a writer's are not looked for. */
NUMEL_MUST static bool try_both(struct trials *t)
{
    bool again = false;
    if (!try_all(t)) return false;
    if (t->perfect || (t->told && t->count && t->list[0].type)) return true;
    return look_again(t, &again) && (!again || try_all(t));
}

bool search_spec(struct model *model, numel_error *e)
{
    struct trials t = { .model = model, .error = e };
    arena_init(&t.arena, model->made.memory);
    registry_init(&t.reversed, &t.arena);
    bool ok = look(&t) && try_both(&t) && settle(&t);
    free_list(&t);
    sample_done(&t.sample);
    registry_done(&t.reversed);
    logical_done(&t.logical);
    arena_done(&t.arena);
    return ok;
}
