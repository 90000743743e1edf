/*
 * explain_classes.c -- counts the same configuration as another class: LlamaModel has no head,
 * BertForPreTraining has two. Specs define what a class contains. Each usual ending of its name is tried, and
 * counted if it makes a difference.
 */
#include "explain/explain_internal.h"

/* clang-format off */
static const char *const endings[] = {
    "Model", "ForCausalLM", "LMHeadModel", "ForMaskedLM", "ForPreTraining",
    "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering",
    "ForMultipleChoice", "ForConditionalGeneration", "ForImageClassification", "EncoderModel",
    "ForCTC",
};
/* clang-format on */
enum { ENDINGS = sizeof endings / sizeof *endings };

/* "Llama" for "LlamaForCausalLM": the name without its longest known ending; {NULL, 0} if it has none. */
static numel_str family_of(numel_str name)
{
    numel_str family = { NULL, 0 };
    for (int i = 0; i < ENDINGS; i++) {
        size_t n = strlen(endings[i]);
        if (name.n > n && text_ends(name, endings[i]) && (!family.p || text_less(name, n).n < family.n))
            family = text_less(name, n);
    }
    return family;
}

NUMEL_MUST static bool declared_class(const struct ledger *l, numel_str *class, numel_error *e)
{
    numel_str path = text_of("architectures");
    struct value v;
    numel_error why = { 0 }; /* for an unusable list */
    bool found = config_value(l->model->config, l->model->spec, SIDE_HF, &path, 1, &v, &why) &&
                 v.kind == VALUE_LIST && v.list.n && v.list.items && v.list.items[0].kind == VALUE_TEXT;
    *class = found ? v.list.items[0].s : (numel_str){ NULL, 0 };
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* Skips a class that the spec cannot count. False only if out of memory. */
NUMEL_MUST static bool add_class(struct explanation *x, const char *name, numel_error *e)
{
    const struct ledger *l = x->ledger;
    struct expansion *other = NULL;
    numel_error mine;
    char *set = arena_format(l->arena, "architectures=[\"%s\"]", name);
    struct expand_input in = { .spec = l->model->spec, .config = l->model->config, .side = l->model->side };
    error_clear(&mine);
    if (!set) return error_nomem(e);
    if (!config_set(l->model->config, set, e)) return false;
    bool ok = expand_folded(&other, &in, l->arena->memory, &mine);
    config_unset(l->model->config);
    if (!ok) return mine.code != NUMEL_E_NOMEM || error_nomem(e);
    struct counting c = { .divide = 1,
                          .kind = NO_KIND,
                          .cost = 3,
                          .class = true,
                          .line = &explain_codes[EXPLAIN_CLASS],
                          .detail = "another class of the same configuration",
                          .value = other->totals.parameters,
                          .tensors = other->totals.parameter_tensors };
    expansion_free(other);
    if (c.value == x->countings[0].value) return true;
    c.name = arena_format(l->arena, "as %s", name);
    return c.name ? explain_add(x, c, e) : error_nomem(e);
}

/* The class may be any text that the configuration contains, so it is checked. */
static bool is_word(numel_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!(s.p[i] >= '0' && s.p[i] <= '9') && !((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z') &&
            s.p[i] != '_')
            return false;
    return s.n > 0;
}

bool explain_classes(struct explanation *x, numel_error *e)
{
    numel_str own;
    if (!declared_class(x->ledger, &own, e)) return false;
    numel_str family = family_of(own);
    for (int i = 0; family.p && x->counting_count && i < ENDINGS; i++) {
        numel_str name = arena_join(x->ledger->arena, family, text_of(endings[i]), (numel_str){ NULL, 0 });
        if (!name.p) return error_nomem(e);
        if (!is_word(name) || text_same(own, name)) continue;
        if (!add_class(x, name.p, e)) return false;
    }
    return true;
}
