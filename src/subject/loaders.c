/*
 * loaders.c -- finds what no loader would load, or would fill with fresh weights after a warning.
 *
 * A checkpoint may have every tensor of its architecture and still be useless: its loader looks tensors up by
 * name, takes those it finds, and initializes the rest. Each row of the table has a loader, its rule, the
 * rule's source, and a function that looks for evidence. A rule only makes a checkpoint disagree if the files
 * next to the tensors identify the loader.
 */
#include "subject/loaders.h"

#include "base/text.h"
#include "formula/parts.h"
#include "model/wrapper.h"

#include <string.h>

enum loader { NO_LOADER, TRANSFORMERS, DIFFUSERS, TIMM, MLX };

struct looking {
    struct causes *l;
    struct handle *c;
    const struct model *m;
    enum loader loader;
    bool own_code;    /* the configuration refers to code next to it, which may name its modules freely */
    numel_str prefix; /* the class's base_model_prefix, "model."; empty if unknown or none */
};

struct loader_rule {
    const char *code; /* of the cause, and of verify's finding */
    enum finding_rule finding;
    const char *loader; /* "" for every loader */
    const char *rule, *source;
    bool (*look)(struct looking *k,
                 const struct loader_rule *r); /* NULL: the previous row's rule, for another loader */
};

/* ---- which loader ------------------------------------------------------------------------- */

NUMEL_MUST static bool has_key(struct looking *k, const char *key, struct value *v, bool *has)
{
    numel_str path = text_of(key);
    numel_error why = { .code = NUMEL_OK };
    *has = config_value(k->m->config, k->m->spec, SIDE_HF, &path, 1, v, &why) && v->kind != VALUE_NULL &&
           v->evidence == EVIDENCE_DECLARED;
    return why.code != NUMEL_E_NOMEM || error_nomem(k->l->error);
}

/* Classes whose base_model_prefix is not that of their model type (transformers 5.24). */
static const struct {
    const char *class, *prefix;
} own_prefixes[] = {
    { "*ForQuestionAnswering", "transformer." }, { "DecisionTransformerGPT2Model", "transformer." },
    { "Llama4ForCausalLM", "language_model." },  { "DPR*ContextEncoder", "ctx_encoder." },
    { "DPR*Reader", "span_predictor." },         { "MusicgenForConditionalGeneration", "encoder_decoder." },
};

NUMEL_MUST static bool read_prefix(struct looking *k, numel_str type)
{
    struct value class;
    bool has;
    if (!part_prefix(k->l->arena, type, &k->prefix, k->l->error) ||
        !has_key(k, "architectures", &class, &has))
        return false;
    if (has && class.kind == VALUE_LIST && class.list.n) class = class.list.items[0];
    bool model = text_equal(k->prefix, "model."); /* classes like BERT's keep theirs */
    for (size_t i = 0; class.kind == VALUE_TEXT && i < sizeof own_prefixes / sizeof *own_prefixes; i++)
        if (text_glob(own_prefixes[i].class, class.s) && (i || model))
            k->prefix = text_of(own_prefixes[i].prefix);
    return true;
}

/* A timm file is identified by its tensors alone. */
static void tell_by_tensors(struct looking *k)
{
    const struct library_entry *entry = k->m->entry;
    if (entry && entry->family && strcmp(entry->family, "timm") == 0) k->loader = TIMM;
}

/* MLX writes its own names next to transformers' config.json. */
static bool is_mlx(const numel_checkpoint *ck)
{
    const struct metadata_entry *x = ck ? metadata_find(&ck->metadata, "format") : NULL;
    return x && x->type == META_STRING && text_equal(x->value.s, "mlx");
}

/* Identifies the loader by config.json, if there is one. */
NUMEL_MUST static bool tell_loader(struct looking *k)
{
    static const struct {
        const char *key;
        enum loader loader;
    } keys[] = { { "pretrained_cfg", TIMM }, { "_class_name", DIFFUSERS }, { "model_type", TRANSFORMERS } };
    struct value v;
    bool has = false;
    if (is_mlx(k->m->ck)) return k->loader = MLX, true;
    if (!config_has_json(k->m->config)) return tell_by_tensors(k), true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !has; i++) {
        if (!has_key(k, keys[i].key, &v, &has)) return false;
        if (has) k->loader = keys[i].loader;
    }
    if (k->loader == TRANSFORMERS && v.kind == VALUE_TEXT && !read_prefix(k, v.s)) return false;
    return has_key(k, "auto_map", &v, &k->own_code);
}

/* ---- names -------------------------------------------------------------------------------- */

/* Prefixes that training programs add to names and that no library class has. */
static const struct {
    const char *word, *whose, *remedy;
} trained[] = {
    { "_orig_mod.", "torch.compile's wrapper", "save model._orig_mod" },
    { "module.", "data-parallel training's wrapper", "save model.module" },
    { "_forward_module.", "Lightning Fabric's wrapper", "save the module inside" },
    { "_fsdp_wrapped_module.", "FSDP's wrapper", "save FSDP's full state dict" },
    { "_checkpoint_wrapped_module.", "activation checkpointing's wrapper", "save the module inside" },
    { "base_model.model.", "PEFT's wrapper", "save merge_and_unload()" },
    { "state_dict.", "the key of a checkpoint of training", "save what is under it" },
    { "ema.", "averaged weights", "save them under the model's own names" },
};

/* Prefixes that the mapping of some transformers class strips (conversion_mapping.py, PrefixChange). They
 * are not reported, because the specification may not know that class. */
static const char *const mapped[] = { "vision_model.", "text_model.", "vision_encoder.",
                                      "text_encoder.", "thinker.",    "ultrabert.",
                                      "new.",          "mtp.",        "vlm.",
                                      "timm_model." };

static size_t trained_word(numel_str text)
{
    size_t i = 0;
    while (i < sizeof trained / sizeof *trained && !text_starts(text, trained[i].word)) i++;
    return i;
}

static bool is_trained(numel_str text) { return trained_word(text) < sizeof trained / sizeof *trained; }

static bool is_mapped(numel_str text)
{
    for (size_t i = 0; i < sizeof mapped / sizeof *mapped; i++)
        if (text_equal(text, mapped[i])) return true;
    return false;
}

/* True if the class may keep its base model under this prefix. */
static bool may_be_base(const struct looking *k, numel_str text)
{
    enum prefix_kind kind = wrapper_prefix(k->m, text_upto(text, text_find(text, 0, '.')));
    return k->loader == TRANSFORMERS && (kind == PREFIX_OWN || (kind == PREFIX_COMMON && !k->prefix.n));
}

static bool is_accused(const struct looking *k, const struct wrapper *w)
{
    if (w->anywhere || is_trained(w->text)) return true;
    if (!w->unmatched && w->names < w->weights) return false; /* there is another tower next to it */
    return !k->own_code && !is_mapped(w->text) && !text_same(w->text, k->prefix) &&
           (w->before.n || !may_be_base(k, w->text));
}

NUMEL_MUST static const char *remedy_text(struct arena *a, numel_str text)
{
    size_t i = trained_word(text);
    if (i == sizeof trained / sizeof *trained) return "remove it from the names";
    return arena_format(a, "remove it from the names (%s: %s)", trained[i].whose, trained[i].remedy);
}

/* "every name begins with 'module.'", "9 of 21 names begin with 'module.'", "3 of 21 names have
 * '_orig_mod.' in them". */
NUMEL_MUST static const char *where_text(struct arena *a, const struct wrapper *w)
{
    char text[TEXT_QUOTE], before[TEXT_QUOTE], n[TEXT_NUMBER], of[TEXT_NUMBER];
    text_quote(text, w->text);
    text_quote(before, w->before);
    text_number(n, w->names);
    text_number(of, w->weights);
    bool all = w->names == w->weights;
    if (w->anywhere) return arena_format(a, "%s of %s names have %s in them", n, of, text);
    if (w->before.n && all) return arena_format(a, "every name has %s behind %s", text, before);
    if (w->before.n) return arena_format(a, "%s of %s names have %s behind %s", n, of, text, before);
    if (all) return arena_format(a, "every name begins with %s", text);
    return arena_format(a, "%s of %s names begin with %s", n, of, text);
}

NUMEL_MUST static bool add_wrapper(struct looking *k, const struct loader_rule *r, const struct wrapper *w)
{
    struct arena *a = k->l->arena;
    const char *where = where_text(a, w), *remedy = remedy_text(a, w->text);
    bool all = w->names == w->weights && !w->anywhere;
    if (!where || !remedy) return error_nomem(k->l->error);
    return cause_add(k->l, r->code, NUMEL_STATE_DISAGREES, w->explains,
                     arena_format(a, "%s, which %s does not strip: %s would be loaded; %s", where, r->loader,
                                  all ? "nothing" : "none of these", remedy));
}

NUMEL_MUST static bool look_for_wrappers(struct looking *k, const struct loader_rule *r)
{
    struct wrapper found[WRAPPERS];
    unsigned n = model_wrappers(k->m, k->prefix, found);
    for (unsigned i = 0; i < n; i++)
        if (is_accused(k, &found[i]) && !add_wrapper(k, r, &found[i])) return false;
    return true;
}

NUMEL_MUST static bool in_transformers(struct looking *k, const struct loader_rule *r)
{
    return k->loader != TRANSFORMERS || look_for_wrappers(k, r);
}

NUMEL_MUST static bool in_diffusers(struct looking *k, const struct loader_rule *r)
{
    return k->loader != DIFFUSERS || look_for_wrappers(k, r);
}

/* Without a configuration the loader is unknown, so names that training left behind only lead to the
 * verdict `in part`. */
NUMEL_MUST static bool in_none(struct looking *k, const struct loader_rule *r)
{
    struct wrapper found[WRAPPERS];
    unsigned n = k->loader == NO_LOADER ? model_wrappers(k->m, k->prefix, found) : 0;
    for (unsigned i = 0; i < n; i++) {
        if (found[i].unmatched || !(found[i].anywhere || is_trained(found[i].text))) continue;
        const char *where = where_text(k->l->arena, &found[i]),
                   *remedy = remedy_text(k->l->arena, found[i].text);
        if (!where || !remedy) return error_nomem(k->l->error);
        const char *text = arena_format(
            k->l->arena, "%s, which most loaders do not strip, and no config.json tells the loader; %s",
            where, remedy);
        if (!cause_add(k->l, r->code, NUMEL_STATE_IN_PART, 0, text)) return false;
    }
    return true;
}

/* ---- adapters in a model ------------------------------------------------------------------ */

NUMEL_MUST static bool look_for_adapters(struct looking *k, const struct loader_rule *r)
{
    char n[TEXT_NUMBER];
    bool inside;
    uint64_t count = model_adapters(k->m, &inside);
    if (!count || k->loader != TRANSFORMERS || k->own_code) return true;
    text_number(n, count);
    const char *text =
        inside
            ? arena_format(k->l->arena,
                           "LoRA is not merged: %s of its tensors are stored in the model, whose weights are "
                           "under base_layer, which %s does not load; merge it with PEFT's "
                           "merge_and_unload() and save again, or save the adapter alone",
                           n, r->loader)
            : arena_format(k->l->arena,
                           "%s LoRA tensors are stored next to the weights, which %s does not load; unless "
                           "they are merged already, use PEFT's merge_and_unload() and save again",
                           n, r->loader);
    /* next to weights under their own names, it may be a leftover after merging */
    return cause_add(k->l, r->code, inside ? NUMEL_STATE_DISAGREES : NUMEL_STATE_IN_PART, 0, text);
}

/* ---- no elements -------------------------------------------------------------------------- */

NUMEL_MUST static bool look_for_empty(struct looking *k, const struct loader_rule *r)
{
    const struct differences *d = &k->m->differences;
    char n[TEXT_NUMBER], of[TEXT_NUMBER], dims[TEXT_QUOTE];
    const numel_tensor *first = NULL;
    uint64_t count = 0;
    for (size_t i = d->missing; k->m->ck && k->m->x && i < d->missing + d->mismatched; i++) {
        const struct gap *g = &d->gaps[i];
        bool some = g->ndim > 0;
        for (uint32_t j = 0; j < g->ndim; j++) some &= g->dims[j] > 0;
        if (g->tensor == NAMES_ABSENT || !some || k->m->ck->registry.tensors[g->tensor].elements) continue;
        count++;
        if (!first) first = &k->m->ck->registry.tensors[g->tensor];
    }
    if (!first) return true;
    text_number(n, count);
    text_number(of, k->m->ck->registry.count);
    text_dims(dims, first->dims, first->ndim);
    bool all = count == k->m->ck->registry.count, partition = first->ndim == 1;
    return cause_add(
        k->l, r->code, NUMEL_STATE_DISAGREES, count,
        arena_format(k->l->arena, "%s%s%s%s %s empty (%s): %s", all ? "all " : "", n, all ? "" : " of ",
                     all ? "" : of, count == 1 && !all ? "tensors is" : "tensors are", dims,
                     partition ? "they were saved without being gathered (DeepSpeed ZeRO-3); save again with "
                                 "stage3_gather_16bit_weights_on_model_save, or run zero_to_fp32.py"
                               : "nothing is stored where the configuration gives a size"));
}

/* ---- longrope factors --------------------------------------------------------------------- */

static bool is_long_rope(const struct value *v)
{
    return v->kind == VALUE_TEXT && (text_equal(v->s, "longrope") || text_equal(v->s, "su"));
}

/* Checks the rope scaling that the configuration has at `path` ("rope_scaling."). */
NUMEL_MUST static bool look_for_factors(struct looking *k, const struct loader_rule *r, const char *path)
{
    static const char *const keys[] = { "rope_type", "type", "short_factor", "long_factor" };
    struct value v[4], kind;
    bool has[4];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *key = arena_format(k->l->arena, "%s%s", path, keys[i]);
        if (!key) return error_nomem(k->l->error);
        if (!has_key(k, key, &v[i], &has[i])) return false;
    }
    kind = has[0] ? v[0] : v[1];
    if (!(has[0] || has[1]) || !is_long_rope(&kind) || (has[2] && has[3])) return true;
    char said[TEXT_QUOTE];
    return cause_add(
        k->l, r->code, NUMEL_STATE_DISAGREES, 1,
        arena_format(k->l->arena,
                     "config.json gives %s%s %s without %s%s%s, which %s refuses: take %s from the "
                     "original config.json",
                     path, has[0] ? keys[0] : keys[1], text_quote(said, kind.s), has[2] ? "" : keys[2],
                     has[2] || has[3] ? "" : " and ", has[3] ? "" : keys[3], r->loader,
                     has[2] || has[3] ? "it" : "them"));
}

NUMEL_MUST static bool look_for_rope(struct looking *k, const struct loader_rule *r)
{
    static const char *const places[] = { "rope_parameters.", "rope_scaling.", "text_config.rope_parameters.",
                                          "text_config.rope_scaling." };
    if (k->loader != TRANSFORMERS) return true;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t before = k->l->count;
        if (!look_for_factors(k, r, places[i])) return false;
        if (k->l->count > before) break;
    }
    return true;
}

/* ---- the table ---------------------------------------------------------------------------- */

static const struct loader_rule rules[] = {
    { "adapter-unmerged", FINDING_ADAPTER_UNMERGED, "transformers",
      "a name is the class's own, which has no adapter in it",
      "transformers 5.24, core_model_loading.py; tried with from_pretrained()", look_for_adapters },
    { "names-wrapped", FINDING_NAMES_WRAPPED, "transformers",
      "a name is the class's own, with or without base_model_prefix, or one that its mapping renames",
      "transformers 5.24, core_model_loading.py, rename_source_key(); tried with from_pretrained()",
      in_transformers },
    { "names-wrapped", FINDING_NAMES_WRAPPED, "diffusers", "a name is the class's own",
      "diffusers 0.42, models/modeling_utils.py, _load_pretrained_model()", in_diffusers },
    { "names-wrapped", FINDING_NAMES_WRAPPED, "", "names are the model's own",
      "timm 1.0 alone strips _orig_mod. and module. (models/_helpers.py, clean_state_dict())", in_none },
    { "tensors-empty", FINDING_TENSORS_EMPTY, "", "a tensor has the elements of its parameter",
      "DeepSpeed 0.18, runtime/engine.py, save_16bit_model(); transformers raises for other shapes",
      look_for_empty },
    { "rope-factors-missing", FINDING_ROPE_FACTORS, "transformers",
      "longrope needs short_factor and long_factor",
      "transformers 5.24, modeling_rope_utils.py, validate_rope(); tried with AutoConfig", look_for_rope },
};

NUMEL_MUST static bool make(void *part, struct handle *c, numel_error *e)
{
    struct causes *l = part;
    struct looking k = { .l = l, .c = c, .m = c->model, .prefix = { "", 0 } };
    const struct adapter *a = c->ck ? adapter_of(c, e) : NULL;
    if (c->ck && !a) return false;
    *l = (struct causes){ .arena = &c->arena, .error = e };
    bool ok = (a && a->type) || tell_loader(&k);
    for (size_t i = 0; ok && !(a && a->type) && i < sizeof rules / sizeof *rules; i++)
        ok = rules[i].look(&k, &rules[i]);
    l->error = NULL; /* belongs to the caller */
    return ok;
}

const struct causes *loaders_of(struct handle *c, numel_error *e)
{
    static const struct handle_kind kind = { sizeof(struct causes), make, NULL };
    return handle_part(c, &kind, e);
}

bool causes_of_loaders(struct causes *l, struct handle *c)
{
    const struct causes *own = loaders_of(c, l->error);
    for (size_t i = 0; own && i < own->count; i++) {
        const numel_cause *x = &own->items[i];
        if (!cause_add(l, x->code, x->state, x->explains, x->text)) return false;
    }
    return own != NULL;
}

bool loaders_rule(const char *code, enum finding_rule *rule)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].code, code) == 0) return *rule = rules[i].finding, true;
    return false;
}
