/*
 * config_relations.c -- counts of a configuration that contradict each other.
 *
 * Heads divide a width, key-value heads divide query heads, groups of a norm divide its channels; a router
 * cannot choose more experts than exist. None of this shows in the shapes if a formula reads only the width.
 * Some classes refuse such values when they are built: words `key/other` of defaults.table and
 * diffusers.table, found by running them (mkshares.py, mkrefused.py). Others are built and fail at the first
 * token; some round the width down to a multiple of the heads and run. Verify reports only relations whose
 * violation fails in every class. Only names of config.json are checked, at the top and in parts; a key that
 * is not given has its class's default.
 */
#include "base/number.h"
#include "base/text.h"
#include "formula/config_internal.h"

#include <inttypes.h>
#include <string.h>

/* Heads with a size of their own do not divide the width. */
#define OWN_SIZE                                                                                    \
    "head_dim d_kv d_head kv_channels attention_head_size qk_nope_head_dim qk_head_dim v_head_dim " \
    "global_head_dim attention_head_dim attention_hidden_size"

static const struct relation {
    const char *part, *whole;
    bool divides;         /* else it is at most the whole */
    const char *together; /* added to the whole */
} relations[] = {
    { "num_key_value_heads", "num_attention_heads", true, "" },
    { "num_kv_heads", "num_attention_heads", true, "" },
    { "moe_topk", "n_routed_experts", false, "zero_expert_num" },
    { "moe_topk", "num_experts", false, "" },
    { "moe_top_k", "moe_num_experts", false, "" },
    { "num_experts_per_tok", "n_routed_experts", false, "zero_expert_num" },
    { "num_experts_per_tok", "num_experts", false, "" },
    { "num_experts_per_tok", "num_local_experts", false, "" },
    { "num_experts_per_token", "num_experts", false, "" },
    { "top_k_experts", "num_experts", false, "" },
    { "n_group", "n_routed_experts", true, "" },
    { "topk_group", "n_group", false, "" },
};

/* The value of a key in the object, under its own name or the class's other name; NULL if none. */
static const json_value *said(const json_value *object, const struct defaults_class *class, numel_str key)
{
    const json_value *v = json_at(object, key);
    return v || !class->line.p ? v : defaults_renamed(class, object, key);
}

/* A whole number from 1 on, stated or the class's default (line.p NULL: class unknown). */
static bool count_of(const json_value *object, const struct defaults_class *class, numel_str key, int64_t *n)
{
    numel_str json;
    uint64_t u;
    const json_value *v = said(object, class, key);
    if (v) return json_integer(v, n) && *n > 0;
    if (!class->line.p || !defaults_value(class, key, &json) || !number_plain(json, &u) || u > INT32_MAX)
        return false;
    *n = (int64_t)u;
    return u > 0;
}

/* True if one of the keys is a count. */
static bool says_one(const json_value *object, const struct defaults_class *class, const char *words)
{
    int64_t n;
    for (numel_str rest = text_of(words), word; (word = text_word(&rest)).n;)
        if (count_of(object, class, word, &n)) return true;
    return false;
}

static bool relation_holds(const struct relation *r, const json_value *object,
                           const struct defaults_class *class, struct config_relation *out)
{
    int64_t more;
    *out = (struct config_relation){ .part = r->part, .whole = r->whole, .divides = r->divides };
    if (!said(object, class, text_of(r->part)) && !said(object, class, text_of(r->whole))) return true;
    if (!count_of(object, class, text_of(r->part), &out->parts) ||
        !count_of(object, class, text_of(r->whole), &out->wholes))
        return true;
    if (*r->together && count_of(object, class, text_of(r->together), &more)) out->wholes += more;
    return r->divides ? out->wholes % out->parts == 0 : out->parts <= out->wholes;
}

/* True if the class has only the other tower, so that it ignores the configuration or heads of this one. */
bool config_unused(const json_value *root, numel_str key)
{
    static const struct {
        const char *key, *class;
    } unused[] = { { "encoder_*", "*ForCausalLM" },
                   { "decoder_*", "*AudioClassification" },
                   { "decoder_*", "*EncoderModel" },
                   { "vision_config", "*TextModel*" },
                   { "audio_config", "*TextModel*" },
                   { "text_config", "*Vision*" },
                   { "text_config", "*ForImageClassification" } };
    const char *class = json_text_of(json_first(json_get(root, "architectures")));
    for (size_t i = 0; class && i < sizeof unused / sizeof *unused; i++)
        if (text_glob(unused[i].key, key) && text_glob(unused[i].class, text_of(class))) return true;
    return false;
}

/* True for heads in transformers that the object does not state itself, that do not divide a width, or that
 * the class ignores. */
static bool is_idle(const json_value *object, const struct defaults_class *class, numel_str key)
{
    if (json_get(object, "_class_name")) return false;
    return !json_at(object, key) || says_one(object, class, OWN_SIZE) || config_unused(object, key);
}

/* True if a number, or one in a list, is not a multiple. */
static bool leaves_rest(const json_value *v, int64_t by)
{
    int64_t n;
    if (json_kind(v) != JSON_ARRAY) return json_integer(v, &n) && n % by;
    for (const json_value *x = json_first(v); x; x = json_next(x))
        if (leaves_rest(x, by)) return true;
    return false;
}

/* Sets *rest if the other argument is not a multiple of n: as stated, or the class's default, under either
 * name. *other becomes the name used. False only if out of memory. */
NUMEL_MUST static bool look_for_rest(const json_value *object, const struct defaults_class *class,
                                     numel_str *other, int64_t n, bool *rest, numel_error *e)
{
    numel_str json, alias;
    const json_value *v = said(object, class, *other);
    *rest = v && leaves_rest(v, n);
    if (v) return *other = text_of(json_name(v)), true;
    if (!defaults_value(class, *other, &json)) {
        if (!defaults_alias(class, *other, &alias) || !defaults_value(class, alias, &json)) return true;
        *other = alias;
    }
    json_value *own = json_doc_parse(json.p, json.n, e);
    if (!own) return false;
    *rest = leaves_rest(own, n);
    json_doc_free(own);
    return true;
}

bool config_parts_fit(const json_value *object, const struct defaults_class *class, const char *file,
                      numel_error *e)
{
    numel_str key, other;
    char shown[TEXT_QUOTE], name[TEXT_QUOTE], called[TEXT_QUOTE];
    for (size_t i = 0; defaults_divides(class, i, &key, &other); i++) {
        int64_t n;
        bool rest = false;
        if (!count_of(object, class, key, &n) || is_idle(object, class, key)) continue;
        if (!look_for_rest(object, class, &other, n, &rest, e)) return false;
        if (!rest) continue;
        error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE,
                  "%s is %" PRId64 ", which does not divide %s: no %s can be built of it",
                  text_bare(shown, key), n, text_bare(name, other), text_bare(called, class->name));
        return error_file(e, file), false;
    }
    return true;
}

/* Checks an object and those of its parts. The scanner has bounded the depth. */
static void tell_object(const json_value *object, const struct defaults_class *class, const char *file,
                        config_relation_fn *tell, void *ctx)
{
    struct config_relation found;
    const char *told = ""; /* a count with two names is reported once */
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        if (strcmp(relations[i].part, told) == 0 || relation_holds(&relations[i], object, class, &found))
            continue;
        found.file = file;
        told = relations[i].part;
        tell(ctx, &found);
    }
    for (const json_value *v = json_first(object); v; v = json_next(v)) {
        struct defaults_class part = { 0 };
        if (json_kind(v) != JSON_OBJECT || !text_ends(text_of(json_name(v)), "_config")) continue;
        if (!defaults_of_part(class, v, &part)) part.line.p = NULL;
        tell_object(v, &part, file, tell, ctx);
    }
}

void config_relations(const struct config *c, config_relation_fn *tell, void *ctx)
{
    for (size_t i = 0; i < c->document_count; i++) {
        const json_value *root = c->documents[i].root;
        const char *type = json_text_of(json_get(root, "model_type"));
        struct defaults_class class = { 0 };
        if (c->documents[i].params || json_get(root, "_class_name")) continue;
        if (!type || !defaults_find(text_of(type), &class)) class.line.p = NULL;
        tell_object(root, &class, c->documents[i].file, tell, ctx);
    }
}
