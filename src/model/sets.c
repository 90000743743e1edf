/* sets.c -- checks that the model has the names that the user sets; see model_internal.h. */
#include "model/model_internal.h"

#include "base/fixed.h"
#include "base/text.h"

#include <stdio.h>

/* Lists the symbols that occur in sizes: "E, L, H". */
static numel_str list_symbols(const struct model *model, struct arena *a)
{
    enum { SHOWN = 12 };
    const struct expansion *x = model->x ? model->x : model->folded;
    numel_str all = { "", 0 };
    size_t n = 0;
    for (size_t i = SYMBOLS_BUILT_IN; all.p && n < SHOWN && i < model->spec->symbol_count; i++) {
        if (!x->shown[i]) continue;
        all = arena_join(a, all, text_of(n++ ? ", " : ""), model->spec->symbols[i].name);
    }
    return all;
}

/* Sets the error; always false. */
NUMEL_MUST static bool lacks(const struct model *model, numel_str name, struct arena *a, numel_error *e)
{
    char quoted[TEXT_QUOTE], shown[TEXT_QUOTE];
    numel_str all = list_symbols(model, a);
    if (!all.p) return error_nomem(e);
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                     "--set: %s has no symbol %s: %s, or a key of its configuration", model->called,
                     text_bare(quoted, name), text_bare(shown, all));
}

/* A name that is missing in one model may be in another, so it is only noted; the caller reports it after
 * all models. */
NUMEL_MUST static bool note(struct model *model, numel_set_use *use, size_t i, numel_error *e)
{
    numel_error why = { .code = NUMEL_OK };
    use->lacked |= UINT64_C(1) << i;
    if (lacks(model, config_set_name(model->config, i), &model->made, &why)) return true; /* cannot happen */
    if (why.code == NUMEL_E_NOMEM) return error_nomem(e);
    if (!use->what[0]) text_format(use->what, sizeof use->what, "%s", why.what);
    return true;
}

bool model_sets_known(struct model *model, const numel_knowledge *k, numel_error *e)
{
    numel_set_use *use = k->set_use;
    for (size_t i = 0; model_formula(model) && model->spec && i < k->set_count; i++) {
        bool known = config_set_known(model->config, model->spec, i), counts = use && i < 64;
        if (known && counts) use->had |= UINT64_C(1) << i;
        if (known) continue;
        if (!use && !lacks(model, config_set_name(model->config, i), &model->made, e)) return false;
        if (counts && !note(model, use, i, e)) return false;
    }
    return true;
}
