/*
 * search_fit.c -- tries one specification, or one of its classes, on a checkpoint; see search_internal.h.
 *
 * All trials share one library and one configuration. Each has its own inferred values, which are swapped in
 * and out; nothing else of a trial remains.
 */
#include "model/search_internal.h"
#include "model/tensor.h"

enum {
    WHOLE = 8, /* steps for all specifications together, as a multiple of one's (infer.h) */
    LIKE = 512 /* longest name or pattern that is searched among similar layers */
};

/* ---- inference ---------------------------------------------------------------------------- */

struct view { /* the inference's view of the files */
    struct naming *naming;
    const struct sample *sample;
};

struct purse purse_for(const struct sample *s)
{
    return (struct purse){ .steps = WHOLE * (INFER_STEPS + INFER_STEPS_NAME * (uint64_t)s->registry.count) };
}

/* If a specification computes the number of a layer, loops visit layers that the sample omits as similar. */
NUMEL_MUST static bool view_has(void *ctx, const char *glob, bool *there, numel_error *e)
{
    struct view *view = ctx;
    char like[LIKE];
    if (!naming_has(view->naming, glob, there, e)) return false;
    if (*there || !sample_kept_like(view->sample, text_of(glob), like, sizeof like)) return true;
    return naming_has(view->naming, like, there, e);
}

NUMEL_MUST static bool view_dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e)
{
    struct view *view = ctx;
    if (!naming_dim(view->naming, name, axis, size, e)) return false;
    const numel_tensor *t = *size == PRESENCE_NONE ? sample_left_out(view->sample, text_of(name)) : NULL;
    if (t && axis < t->ndim) *size = t->dims[axis];
    return true;
}

static bool view_in_run(void *ctx, int64_t i) { return sample_in_run(((struct view *)ctx)->sample, i); }

/* The names in the files, then those as the specification spells them. */
static bool next_name(void *ctx, size_t i, numel_str *name)
{
    const struct naming *n = ((struct view *)ctx)->naming;
    if (i < n->registry->count) *name = n->registry->tensors[i].name;
    else if (i - n->registry->count < n->renamed_count) *name = n->renamed[i - n->registry->count].name;
    else return false;
    return true;
}

/* *known: something was inferred; the caller then frees *out. */
NUMEL_MUST static bool infer_sample(struct model *model, const struct sample *sample, struct infer_input *in,
                                    struct inference *out, bool *known, numel_error *e)
{
    struct naming naming;
    struct view view = { &naming, sample };
    const char *type = model->inner->naming.arena ? model->inner->naming.model_type.p : model->called;
    struct infer_file file = { { view_has, view_dim, NULL, &view }, next_name, view_in_run };
    numel_error why;
    error_clear(&why);
    in->spec = model->spec;
    in->config = model->config;
    in->side = model->side;
    in->file = &file;
    bool ok = naming_init(&naming, &sample->registry, model->spec, type, &model->made, e) &&
              naming_spell(&naming, e); /* next_name() returns all of them */
    naming.repeats = true;
    *known = ok && infer(out, in, model->arena.memory, &why);
    in->file = NULL;
    naming_done(&naming);
    return ok && error_free(e) && (why.code != NUMEL_E_NOMEM || error_nomem(e));
}

/* Adds the values that the sample's tensors show to the configuration. *off: number of tensors of the
 * sample that these leave open; UINT64_MAX if nothing was inferred. */
NUMEL_MUST static bool infer_config(struct model *model, const struct sample *sample, enum infer_keep keep,
                                    struct purse *purse, uint64_t *off, numel_error *e)
{
    struct inference found;
    struct infer_input in = { .steps = &purse->steps, .keep = keep };
    bool known, ok = infer_sample(model, sample, &in, &found, &known, e);
    *off = UINT64_MAX;
    if (!known) return ok;
    *off = found.missing + found.conflicts;
    purse->cut |= !found.complete;
    purse->matched += found.matched;
    infer_done(&found);
    return ok;
}

bool infer_shown(struct model *model, const struct sample *sample, const char *hidden, struct inference *out,
                 bool *known, numel_error *e)
{
    struct config_inferred none = { NULL, 0, 0 };
    struct purse purse = purse_for(sample);
    bool all = hidden && hidden[0] == '.';
    struct infer_input in = { .steps = &purse.steps,
                              .keep = all ? KEEP_FLAGS : KEEP_DEFAULTS,
                              .whole = true };
    config_swap_inferred(model->config, &none);
    config_hide(model->config, hidden);
    bool ok = infer_sample(model, sample, &in, out, known, e);
    config_hide(model->config, NULL);
    config_swap_inferred(model->config, &none);
    config_free_inferred(model->config, &none);
    return ok;
}

bool make_logical(struct model *model, struct logical *l, struct arena *a, numel_error *e)
{
    struct packed_file file = { .registry = &model->ck->registry,
                                .read = model_read_tensor,
                                .meta = model_read_meta,
                                .keyed = model->inner->meta_dotted,
                                .dotted = registry_dotted(&model->ck->registry),
                                .full = model->ck->full,
                                .ctx = model };
    return logical_make(l, model->config, model->library, &file, a, e);
}

const struct registry *logical_or(const struct logical *l, const struct registry *files)
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
              sample_make(&sample, logical_or(&logical, model->inner->training.view), &a, e);
    if (ok) purse = purse_for(&sample);
    ok = ok && infer_config(model, &sample, KEEP_DEFAULTS, &purse, &off, e);
    sample_done(&sample);
    logical_done(&logical);
    arena_done(&a);
    return ok;
}

/* Does a tensor of the same line have the shape that the line states? */
static bool fits_elsewhere(const struct model *m, uint32_t row)
{
    uint32_t line = model_site(m, row)->line;
    for (uint32_t i = 0; i < m->x->row_count; i++)
        if (model_site(m, i)->line == line && m->inner->match.rows[i].fit == FIT_SAME) return true;
    return false;
}

/* Would no configuration fix the deviations? They are few, and a shape that is wrong in one layer is right
 * in others. A shape that is right nowhere may depend on a size that was not inferred. */
static bool is_sure(const struct model *m)
{
    const struct differences *d = &m->differences;
    if (differences_count(d) > FEW) return false;
    for (size_t i = d->missing; i < d->missing + d->mismatched; i++)
        if (d->gaps[i].row == NAMES_ABSENT || !fits_elsewhere(m, d->gaps[i].row)) return false;
    return true;
}

/* Are all tensors of a line with several missing? A file may lose one tensor; a model without all of a
 * kind is another model. */
static bool lacks_kind(const struct model *m)
{
    const struct differences *d = &m->differences;
    for (size_t i = 0; i < d->missing; i++) {
        uint32_t rows = 0, there = 0;
        for (uint32_t k = 0; d->gaps[i].row != NAMES_ABSENT && k < m->x->row_count; k++) {
            if (model_site(m, k)->line != model_site(m, d->gaps[i].row)->line) continue;
            rows++;
            there += m->inner->match.rows[k].fit != FIT_ABSENT;
        }
        if (rows > 1 && !there) return true;
    }
    return false;
}

/* Does the file have more sizes than there are undeclared values? A single matrix of any size proves
 * nothing. */
static bool shows_more(const struct model *m)
{
    size_t sizes = 0, open = 0;
    for (size_t i = 0; i < m->ck->registry.count; i++) sizes += m->ck->registry.tensors[i].ndim;
    for (size_t i = 0; i < m->spec->symbol_count; i++)
        open += m->x->env.is_bound[i] && m->x->env.bound[i].evidence > EVIDENCE_SET;
    return sizes > open;
}

/* Is it a class of diffusers? Files of these have no tensors that would be recognised only by name. */
static bool is_alone(const struct candidate *c)
{
    return c->is.type ? strcmp(c->is.type, c->is.class) == 0 : library_class(c->is.entry).n > 0;
}

/* Measures what the specification leaves open: tensors that are missing, of the wrong shape or unexpected;
 * and unused biases. */
NUMEL_MUST static bool measure(struct model *model, struct candidate *c, numel_error *e)
{
    model->inner->presence = naming_presence(&model->inner->naming);
    struct expand_input in = { .spec = model->spec,
                               .config = model->config,
                               .file = &model->inner->presence };
    numel_error why;
    error_clear(&why);
    c->off = UINT64_MAX;
    c->biases = 0;
    bool ok = model_expand(model, &in, &why) && match_make(&model->inner->match, model, &why) &&
              differences_make(model, &why);
    if (ok) c->off = differences_count(&model->differences);
    for (uint32_t i = 0; ok && i < model->ck->registry.count; i++) {
        enum cause cause = (enum cause)model->inner->match.tensors[i].cause;
        c->biases += cause == CAUSE_QUANT_BIAS;
        c->off += is_alone(c) && (cause == CAUSE_TOWER || cause == CAUSE_BUFFER || cause == CAUSE_HEAD) &&
                  model->inner->match.tensors[i].ground == GROUND_NAME;
    }
    c->lacks = ok && c->off <= FEW && lacks_kind(model);
    c->sure = ok && !c->lacks && is_sure(model);
    c->shown = ok && shows_more(model);
    return ok || why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* ---- trying ------------------------------------------------------------------------------- */

/* Sets the candidate's identity in the configuration, as if the tensors had stated it. A class of
 * diffusers has no model type, so the class stands for both in the table. */
NUMEL_MUST static bool suppose(struct trials *t, const struct candidate *c)
{
    struct config *config = t->model->config;
    bool defaults = c->is.type && c->keep != KEEP_NOTHING;
    const char *type_of = c->is.published ? c->is.published : c->is.type;
    config_suppose(config, defaults ? text_of(type_of) : (numel_str){ NULL, 0 });
    if (!c->is.type) return true;
    struct value yes = value_bool(true);
    if (c->is.tied && !config_add_inferred(config, text_of("tie_word_embeddings"), &yes, t->error))
        return false;
    struct value type = value_text(text_of(c->is.wrapped ? "timm_wrapper" : c->is.type));
    struct value class = value_text(text_of(c->is.class));
    struct value classes = { .kind = VALUE_LIST, .list = { &class, 1 } };
    if (text_same(type.s, class.s))
        return config_add_inferred(config, text_of("_class_name"), &class, t->error);
    return config_add_inferred(config, text_of("model_type"), &type, t->error) &&
           config_add_inferred(config, text_of("architectures"), &classes, t->error);
}

bool take(struct trials *t, struct candidate *c)
{
    struct model *model = t->model;
    numel_error why;
    error_clear(&why);
    config_swap_inferred(model->config, &c->inferred);
    if (!suppose(t, c)) return false;
    library_linked_free(&model->linked, model->library->arena.memory); /* parts of another type */
    c->parsed =
        library_spec_for(model->library, &model->linked, c->is.entry, model->config, &model->spec, &why);
    if (!c->parsed) return why.code != NUMEL_E_NOMEM || error_nomem(t->error);
    model->entry = c->is.entry;
    model->called = c->is.type ? c->is.type : c->is.entry->name;
    return true;
}

static bool is_better(const struct candidate *c, const struct candidate *best)
{
    return c->off < best->off || (c->off == best->off && c->biases < best->biases);
}

/* Makes the candidate the best, with its inferred values. */
static void keep_best(struct trials *t, struct candidate *c)
{
    config_free_inferred(t->model->config, &t->best.inferred);
    t->best = *c;
    c->inferred = (struct config_inferred){ .count = 0 };
}

/* Returns the inferred values to the candidate, and undoes what was made with them. */
static void leave(struct trials *t, struct candidate *c)
{
    config_swap_inferred(t->model->config, &c->inferred);
    config_suppose(t->model->config, (numel_str){ NULL, 0 });
    model_undo(t->model);
}

bool fit(struct trials *t, struct candidate *c)
{
    c->apart = UINT64_MAX;
    if (!take(t, c)) return false;
    bool ok = !c->parsed || infer_config(t->model, &t->sample, c->keep, &t->purse, &c->apart, t->error);
    leave(t, c);
    return ok;
}

bool name_all(struct model *model, numel_error *e)
{
    return naming_init(&model->inner->naming, model->inner->training.view, model->spec, model->called,
                       &model->made, e);
}

bool weigh(struct trials *t, struct candidate *c)
{
    c->weighed = true;
    if (!c->parsed) return true;
    t->measured++;
    bool ok = take(t, c);
    bool read = ok && c->parsed; /* a user's specification may have a mistake */
    if (read) ok = name_all(t->model, t->error) && measure(t->model, c, t->error);
    bool better = ok && read && is_better(c, &t->best), perfect = ok && c->off == 0;
    if (better && perfect) kept_take(&t->kept, t->model);
    leave(t, c);
    if (better) keep_best(t, c);
    t->perfect += perfect;
    return ok;
}
