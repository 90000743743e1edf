/*
 * choose.c -- chooses a model's specification: the one the user names, one whose match lines fit the
 * configuration, one with the configuration's class, or the only one that fits the tensors.
 */
#include "model/model_internal.h"

#include "formula/parts.h"

/* Sets `called`. One spec serves several architectures, and users know theirs by the name in its own
 * files. */
NUMEL_MUST static bool call_it(struct model *model, const numel_knowledge *k, numel_error *e)
{
    char shown[TEXT_QUOTE];
    const char *key;
    struct value v;
    numel_error why = { 0 }; /* for an unusable value */
    model->called = model->architecture;
    if (k->architecture) return true;
    if (!config_kind(model->config, NULL, model->side, &key, &v, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(e);
    if (v.kind != VALUE_TEXT || !v.s.n) return true;
    text_bare(shown, v.s);
    model->called = arena_text(&model->made, shown, strlen(shown));
    return model->called || error_nomem(e);
}

/* Without a configuration, or with an unknown one, names that occur in only one architecture may identify
 * it. In GGUF files of diffusion models, general.architecture is the converter's name, which several
 * models share. */
bool model_choose_by_tensors(struct model *model, numel_error *e)
{
    bool lost = model->why.code == NUMEL_E_KEY || model->why.code == NUMEL_E_ARCH;
    if (!lost || !model->ck) return true;
    void *names = (void *)(uintptr_t)model->inner->training.view;
    model->entry = library_by_tensors(model->library, "tensors", library_in_registry, names);
    if (!model->entry) return true;
    error_clear(&model->why);
    model->from = "the names of its tensors";
    model->by_tensors = true;
    model->architecture = model->called = model->entry->name;
    if (!library_serves_gguf(model->entry)) model->side = SIDE_HF;
    return library_spec_for(model->library, &model->linked, model->entry, model->config, &model->spec, e);
}

/* A spec matched by tensors yields to one that matches them better. */
static void or_by_tensors(struct model *model)
{
    const struct library_entry *said = model->entry;
    if (!said || !model->ck || model->side != SIDE_GGUF || !library_has_tensors(said)) return;
    void *names = (void *)(uintptr_t)&model->ck->registry;
    const struct library_entry *told =
        library_by_tensors(model->library, "tensors", library_in_registry, names);
    if (!told) return;
    if (!library_serves_gguf(told)) model->side = SIDE_HF;
    model->entry = told;
}

/* A known class under an unknown model type, from a fork or from custom code that names the class. It is
 * read as the type that has the class. */
NUMEL_MUST static bool choose_by_class(struct model *model, numel_error *e)
{
    numel_str key = text_of("architectures"), type;
    struct value v;
    numel_error why = { .code = NUMEL_OK }; /* for an unusable list */
    if (model->entry || model->why.code != NUMEL_E_ARCH || !config_has_json(model->config)) return true;
    if (!config_value(model->config, NULL, SIDE_HF, &key, 1, &v, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(e);
    if (v.kind == VALUE_LIST && v.list.n == 1) v = v.list.items[0];
    if (v.kind != VALUE_TEXT || !part_type_of_class(v.s, &type) || !library_type(model->library, type))
        return true;
    const char *class = arena_text(&model->arena, v.s.p, v.s.n);
    numel_str set = arena_join(&model->arena, text_of("model_type=\""), type, text_of("\""));
    if (!class || !set.p) return error_nomem(e);
    error_clear(&model->why);
    model->by_class = class;
    if (!config_set(model->config, set.p, e)) return false;
    model->entry = library_match(model->library, model->config, SIDE_HF, &model->why);
    return model->why.code != NUMEL_E_NOMEM || error_nomem(e);
}

bool model_choose(struct model *model, const numel_knowledge *k, numel_error *e)
{
    if (k->architecture) {
        model->entry = library_find(model->library, text_of(k->architecture));
        if (!model->entry || !model->entry->architecture)
            return library_unknown(model->library, k->architecture, e);
    } else if (error_free(&model->why)) {
        enum side side = config_has_json(model->config) ? SIDE_HF : model->side;
        model->entry = library_match(model->library, model->config, side, &model->why);
        if (side == SIDE_HF && !choose_by_class(model, e)) return false;
        or_by_tensors(model);
    }
    if (!model->entry) return model->why.code != NUMEL_E_NOMEM || error_nomem(e);
    model->architecture = model->entry->name;
    return call_it(model, k, e) &&
           library_spec_for(model->library, &model->linked, model->entry, model->config, &model->spec, e);
}

/* ---- files that are not models -------------------------------------------------------------- */

bool model_expand_file(const struct registry *file, const char *field,
                       void (*take)(void *ctx, const struct expansion *), void *ctx, const numel_allocator *m,
                       numel_error *e)
{
    struct expand_input in = { .side = SIDE_HF };
    const struct library_entry *entry;
    struct library *l = NULL;
    struct expansion *x = NULL;
    struct naming naming = { .arena = NULL };
    struct arena arena;
    numel_error why = { .code = NUMEL_OK }; /* why nothing was expanded */
    arena_init(&arena, m);
    bool found = library_open(&l, m, &why) &&
                 (entry = library_by_tensors(l, field, library_in_registry, (void *)(uintptr_t)file)) &&
                 library_spec(l, entry, &in.spec, &why) && config_new(&in.config, m, &why) &&
                 naming_init(&naming, file, in.spec, NULL, &arena, &why);
    const struct presence presence = naming_presence(&naming);
    in.file = &presence;
    if (found && expand(&x, &in, m, &why)) take(ctx, x);
    expansion_free(x);
    naming_done(&naming);
    arena_done(&arena);
    config_free(in.config);
    library_free(l);
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}
