/*
 * written.c -- finds expected names in the files, for the forms that writers use (formula/forms.h).
 *
 * A form is looked up by the names of plain tensors, but the file may have packed ones instead: `qweight` and
 * `scales` of a module, `gate_up_proj_blocks` of a stack. The files' names are therefore collected once more,
 * each as the weight that it may be part of, and looked up with the same prefixes and spellings as other
 * names.
 */
#include "model/model_internal.h"

#include "formula/forms.h"
#include "registry/metadata.h"

/* Weights that the tensors may be part of. */
struct weights {
    struct registry names; /* names only */
    struct naming naming;  /* based on `names` */
    bool gathered;
};

struct written {
    struct model *model;
    struct weights sketch; /* from one name of each pattern; rules out most forms */
    struct weights all;
};

NUMEL_MUST static bool add_weight(struct registry *r, numel_str stem, const char *suffix, numel_error *e)
{
    size_t first, second;
    numel_tensor t = { .name = arena_join(r->arena, stem, text_of(suffix), text_of("")) };
    if (!t.name.p) return error_nomem(e);
    if (registry_find(r, t.name)) return true;
    return registry_add(r, &t, e) && registry_commit(r, &first, &second, e);
}

/* True for the rest of a tensor's name after "down_proj", in "down_proj_weight_scale". */
static bool is_beside(numel_str rest)
{
    static const char *const words[] = { "blocks",  "scale", "weight", "input_scale",
                                         "qweight", "qdata", "packed", "zero" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_starts(rest, words[i])) return true;
    return false;
}

/* Adds the weights that the tensor may be, or be part of. */
NUMEL_MUST static bool gather_one(struct registry *w, numel_str name, numel_error *e)
{
    size_t dot = name.n;
    while (dot && name.p[dot - 1] != '.') dot--;
    numel_str parent = text_less(text_upto(name, dot), 1), last = text_from(name, dot);
    if (!add_weight(w, name, "", e)) return false;
    if (parent.n && !text_equal(last, "bias") && !add_weight(w, parent, ".weight", e)) return false;
    if (parent.n && text_equal(last, "blocks") && !add_weight(w, parent, "", e)) return false;
    for (size_t i = 1; i + 1 < last.n; i++) {
        numel_str rest = text_from(last, i + 1);
        if (last.p[i] != '_' || !is_beside(rest)) continue;
        if (!add_weight(w, (numel_str){ name.p, dot + i }, "", e)) return false;
    }
    return true;
}

/* Uses the first tensor of each pattern (`sketch`), or all. */
NUMEL_MUST static bool gather(struct written *w, struct weights *to, bool sketch, numel_error *e)
{
    const struct registry *r = &w->model->ck->registry;
    const struct naming *n = &w->model->inner->naming;
    size_t count = sketch ? r->patterns.count : r->count;
    if (to->gathered) return true;
    for (size_t i = 0; i < count; i++)
        if (!gather_one(&to->names, r->tensors[sketch ? r->patterns.items[i].first : i].name, e))
            return false;
    const char *type = n->loose ? arena_text(&w->model->made, n->model_type.p, n->model_type.n) : NULL;
    if (n->loose && !type) return error_nomem(e);
    return to->gathered = naming_init(&to->naming, &to->names, w->model->spec, type, &w->model->made, e);
}

NUMEL_MUST static bool written_holds(void *ctx, numel_str name, bool *yes, numel_error *e)
{
    struct written *w = ctx;
    struct naming *plain = &w->model->inner->naming;
    *yes = naming_find(plain, name) != NAMES_ABSENT;
    if (*yes || !naming_complete(plain, e)) return *yes;
    const struct registry *r = &w->model->ck->registry;
    if (r->patterns.count < r->count / 4 && !spec_spells_numbers(w->model->spec)) {
        if (!gather(w, &w->sketch, true, e)) return false;
        if (!naming_may_find(&w->sketch.naming, name)) return true;
    }
    if (!gather(w, &w->all, false, e)) return false;
    *yes = naming_find(&w->all.naming, name) != NAMES_ABSENT;
    return naming_complete(&w->all.naming, e);
}

static bool written_dims(void *ctx, numel_str name, const uint64_t **dims, uint32_t *ndim)
{
    const struct model *m = ((struct written *)ctx)->model;
    uint32_t t = naming_find(&m->inner->naming, name);
    if (t == NAMES_ABSENT) return false;
    *dims = m->ck->registry.tensors[t].dims;
    *ndim = m->ck->registry.tensors[t].ndim;
    return true;
}

static bool written_occurs(void *ctx, numel_str text)
{
    return registry_mentions(&((struct written *)ctx)->model->ck->registry, text);
}

bool model_writer(struct model *m, const char **out, numel_error *e)
{
    const struct metadata_entry *entry = metadata_find(&m->ck->metadata, "format");
    *out = NULL;
    if (!entry || entry->type != META_STRING) return true;
    *out = arena_text(&m->arena, entry->value.s.p, entry->value.s.n);
    return *out || error_nomem(e);
}

/* If there are too many tensors to list, the folded formula is enough. Always false; *e only changes for
 * NOMEM. */
NUMEL_MUST static bool fold(struct model *model, const struct expand_input *in, numel_error *e)
{
    numel_error why = { 0 };
    struct expand_input alone = *in;
    bool more = e->code == NUMEL_E_LIMIT && !model->folded;
    alone.file = NULL; /* not consulted, for so many layers */
    if (more && !expand_folded(&model->folded, &alone, model->made.memory, &why) && why.code == NUMEL_E_NOMEM)
        *e = why; /* instead of LIMIT */
    return false;
}

/* mlx-lm keeps only the text part of a multimodal model, and removes `vision_config` from its
 * configuration. */
NUMEL_MUST static bool find_blind(const struct model *m, const char *writer, bool *blind, numel_error *e)
{
    const struct registry *r = &m->ck->registry;
    const numel_str vision = text_of("vision_config"), text = text_of("text_config");
    struct value sees, writes;
    *blind = writer && strcmp(writer, "mlx") == 0;
    *blind = *blind && !registry_mentions(r, text_of("vision")) && !registry_mentions(r, text_of("visual"));
    if (!*blind) return true;
    if (!config_value(m->config, m->spec, SIDE_HF, &vision, 1, &sees, e) ||
        !config_value(m->config, m->spec, SIDE_HF, &text, 1, &writes, e))
        return false;
    *blind = sees.evidence != EVIDENCE_DECLARED && writes.evidence == EVIDENCE_DECLARED;
    return true;
}

bool model_expand(struct model *model, const struct expand_input *in, numel_error *e)
{
    struct expand_input limited = *in;
    size_t stored = model->ck ? model->ck->registry.count : 0;
    limited.rows = stored > EXPAND_ROWS / 2 ? 2 * stored : EXPAND_ROWS;
    bool named = model->ck && model->side == SIDE_HF;
    struct written w = { .model = model };
    struct form_file file = { written_occurs, written_holds, written_dims, NULL, &w };
    if (named &&
        (!model_writer(model, &file.writer, e) || !find_blind(model, file.writer, &limited.blind, e)))
        return false;
    if (!expand(&model->x, &limited, model->made.memory, e)) return fold(model, in, e);
    if (!named) return true;
    registry_init(&w.sketch.names, &model->made);
    registry_init(&w.all.names, &model->made);
    bool ok = library_forms(model->library, e);
    for (size_t i = 0; ok && i < model->library->form_count; i++)
        ok = forms_apply(model->x, model->library->forms[i], &file, e);
    naming_done(&w.sketch.naming);
    naming_done(&w.all.naming);
    registry_done(&w.sketch.names);
    registry_done(&w.all.names);
    if (!ok) expansion_free(model->x), model->x = NULL;
    return ok;
}
