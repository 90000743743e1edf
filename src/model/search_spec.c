/*
 * search_spec.c -- a checkpoint without its configuration.
 *
 * The spec that explains most tensors and leaves least over is taken, its configuration inferred
 * from shapes (formula/infer.h). Specs are many and inference is work, so those that share few words
 * with the file's names are not tried at all. Specs that explain the file equally well are named:
 * what only the configuration could tell apart stays open.
 */
#include "model/model.h"

#include "model/sample.h"
#include "formula/infer.h"

#include <stdlib.h>

enum {
    WORDS = 96,   /* different ones of the file, to choose specs by */
    TRIED = 24,   /* specs */
    ALIKE = 4,    /* that explain all and are named */
    MORE = 4,     /* tried after the first that explains all */
    ROUNDS = 4,   /* that are held against all tensors though the sample fits badly, */
    LOOKS = 20000 /* or as many as make so many tensors together */
};

/* ---- inference ---------------------------------------------------------------------------- */

struct view { /* what the inference sees of the files */
    struct naming *naming;
    const struct sample *sample;
};

static bool view_has(void *ctx, const char *glob, bool *there, numel_error *e)
{
    return naming_has(((struct view *)ctx)->naming, glob, there, e);
}

static bool view_dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e)
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

/* Adds to the configuration what the sample's tensors tell. *off: what it then leaves open there,
 * UINT64_MAX when nothing can be said. */
static bool infer_config(struct model *model, const struct sample *sample, bool keep_defaults, uint64_t *off,
                         numel_error *e)
{
    struct inference found;
    struct naming naming;
    struct view view = { &naming, sample };
    const char *type = keep_defaults ? model->naming.model_type.p : model->entry->name;
    struct infer_file file = {
        { view_has, view_dim, &view }, next_name, model->ck->registry.count, view_in_run
    };
    struct infer_input in = { .spec = model->spec,
                              .config = model->config,
                              .side = model->side,
                              .file = &file,
                              .keep_defaults = keep_defaults };
    numel_error why;
    error_clear(&why);
    *off = UINT64_MAX;
    bool ok = naming_init(&naming, &sample->registry, model->spec, type, &model->arena, e);
    naming.repeats = true;
    if (ok && infer(&found, &in, model->arena.memory, &why)) {
        *off = found.missing + found.conflicts;
        infer_done(&found);
    }
    naming_done(&naming);
    return ok && error_free(e) && (why.code != NUMEL_E_NOMEM || error_nomem(e));
}

bool guess_missing_keys(struct model *model, numel_error *e)
{
    struct sample sample;
    uint64_t off;
    bool ok = sample_make(&sample, &model->ck->registry, &model->arena, e) &&
              infer_config(model, &sample, true, &off, e);
    sample_done(&sample);
    return ok;
}

/* What the understanding leaves open: tensors missing, of the wrong shape, unexpected. */
static bool measure(struct model *model, uint64_t *off, numel_error *e)
{
    struct presence file = { naming_has, naming_dim, &model->naming };
    struct expand_input in = { .spec = model->spec, .config = model->config, .file = &file };
    numel_error why;
    error_clear(&why);
    *off = UINT64_MAX;
    if (!expand(&model->x, &in, model->arena.memory, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(e);
    bool ok = match_make(&model->match, model, &why) && differences_make(model, &why);
    if (ok) *off = differences_count(&model->differences);
    match_done(&model->match);
    expansion_free(model->x);
    model->x = NULL;
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
    unsigned known; /* words of the file's names that it has */
    unsigned place; /* in `usual` */
    struct spec *spec;
    struct config *config; /* as inferred */
    uint64_t apart;        /* what it leaves open of the sample */
    uint64_t off;          /* and of all tensors; UINT64_MAX when that is not known */
    bool weighed;          /* it was looked at, at least */
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
    const numel_knowledge *knowledge;
    struct sample sample;
    struct candidate *list;
    unsigned count, best;
    unsigned measured, perfect;
    numel_error *error;
};

/* The understanding becomes that of a candidate, or of none; what it had is not freed. */
static void turn_to(struct model *model, const struct candidate *c)
{
    naming_done(&model->naming);
    model->naming = (struct naming){ .registry = NULL };
    model->entry = c ? c->entry : NULL;
    model->spec = c ? c->spec : NULL;
    model->config = c ? c->config : NULL;
}

/* A configuration of nothing but what the user set. */
static bool new_config(struct trials *t, struct config **c)
{
    const numel_knowledge *k = t->knowledge;
    if (!config_new(c, t->model->arena.memory, t->error)) return false;
    for (size_t i = 0; i < k->set_count; i++)
        if (!config_set(*c, k->sets[i], t->error)) return false;
    return true;
}

/* The spec, and what the sample tells of its configuration. */
static bool fit(struct trials *t, struct candidate *c)
{
    const numel_allocator *m = t->model->arena.memory;
    numel_error why;
    error_clear(&why);
    c->apart = UINT64_MAX;
    if (!new_config(t, &c->config)) return false;
    if (!library_parse(t->model->library, c->entry, &c->spec, m, NULL, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(t->error);
    turn_to(t->model, c);
    return infer_config(t->model, &t->sample, false, &c->apart, t->error);
}

/* The candidate against all tensors. */
static bool weigh(struct trials *t, struct candidate *c)
{
    struct model *model = t->model;
    c->weighed = true;
    if (!c->spec) return true;
    turn_to(model, c);
    t->measured++;
    if (!naming_init(&model->naming, &model->ck->registry, model->spec, c->entry->name, &model->arena,
                     t->error) ||
        !measure(model, &c->off, t->error))
        return false;
    t->perfect += c->off == 0;
    if (c->off < t->list[t->best].off) t->best = (unsigned)(c - t->list);
    return true;
}

/* All specs against the sample, and those that leave least of it open against all tensors at once.
 * When one leaves nothing open, a few more are tried: others may explain the file as well. */
static bool try_specs(struct trials *t)
{
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0, more = 0; i < t->count && t->perfect < ALIKE && more < MORE; i++) {
        struct candidate *c = &t->list[i];
        if (t->perfect && c->known < t->list[t->best].known) break; /* lacks some of its names */
        more += t->perfect > 0;
        if (!fit(t, c)) return false;
        if (c->apart > least) continue;
        least = c->apart;
        if (!weigh(t, c)) return false;
    }
    return true;
}

/* No spec leaves nothing open: the sample may have told too little of those not looked at. */
static bool try_rest(struct trials *t)
{
    while (!t->perfect && (t->measured < ROUNDS || t->measured * t->model->ck->registry.count < LOOKS)) {
        struct candidate *next = NULL;
        for (unsigned i = 0; i < t->count; i++) {
            struct candidate *c = &t->list[i];
            if (c->spec && !c->weighed && (!next || c->apart < next->apart)) next = c;
        }
        if (!next) break;
        if (!weigh(t, next)) return false;
    }
    return true;
}

/* Those that know more than two thirds of the file's words, the best first. */
static bool choose(struct trials *t, unsigned room)
{
    const struct library *l = t->model->library;
    numel_str words[WORDS];
    unsigned n = collect_words(t->model->seen, words);
    unsigned *known = arena_alloc(&t->model->arena, room * sizeof *known);
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

static const char *say_alike(struct model *model, const struct candidate *list, unsigned n, unsigned best)
{
    struct buffer b;
    buffer_init(&b, model->arena.memory);
    buffer_text(&b, "the tensors' names and shapes");
    for (unsigned i = 0, named = 0; i < n; i++) {
        if (i == best || list[i].off != list[best].off) continue;
        buffer_format(&b, "%s%s", named++ ? ", " : "; as well: ", list[i].entry->name);
    }
    const char *text = b.failed ? NULL : arena_text(&model->arena, b.p, b.n);
    buffer_done(&b);
    return text;
}

/* The best becomes the understanding; the others go. An explanation that leaves more than a tenth
 * open is none. */
static bool settle(struct trials *t)
{
    struct model *model = t->model;
    struct candidate *best = t->count ? &t->list[t->best] : NULL;
    if (best && best->off > model->ck->registry.count / 10) best = NULL;
    turn_to(model, best);
    if (!best) return new_config(t, &model->config);
    best->spec = NULL; /* the understanding's now */
    best->config = NULL;
    model->from = say_alike(model, t->list, t->count, t->best);
    error_clear(&model->why);
    model->architecture = best->entry->name;
    model->inferred = true;
    return (model->from || error_nomem(t->error)) &&
           naming_init(&model->naming, &model->ck->registry, model->spec, best->entry->name, &model->arena,
                       t->error);
}

bool guess_architecture(struct model *model, const numel_knowledge *k, numel_error *e)
{
    size_t room = library_count(model->library);
    struct trials t = { .model = model, .knowledge = k, .error = e };
    t.list = arena_alloc(&model->arena, room * sizeof *t.list);
    if (!t.list) return error_nomem(e);
    config_free(model->config);
    turn_to(model, NULL);
    bool ok = sample_make(&t.sample, model->seen, &model->arena, e) && choose(&t, (unsigned)room) &&
              try_specs(&t) && try_rest(&t);
    if (!ok) turn_to(model, NULL);
    ok = ok && settle(&t);
    for (unsigned i = 0; i < t.count; i++) {
        spec_free(t.list[i].spec);
        config_free(t.list[i].config);
    }
    sample_done(&t.sample);
    return ok;
}
