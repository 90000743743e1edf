/*
 * config_relations.c -- counts of a configuration that cannot be, one beside the other.
 *
 * Heads share out a width, heads of queries those of keys and values, groups of a norm its channels; a router chooses from the experts
 * that there are. None of it shows in the shapes where a formula reads the width alone. Some classes refuse to be built: words
 * `key/other` of defaults.table and diffusers.table, tried with them (mkshares.py, mkrefused.py). Others are built and fail with the
 * first token, and some cut a width down to what its heads divide and run: what fails in all of them is for verify to tell.
 * Names of config.json only, in its object and those of parts in it; what it does not say is its class's default.
 */
#include "base/number.h"
#include "base/text.h"
#include "formula/config_internal.h"

#include <inttypes.h>
#include <string.h>

/* Heads that have a size of their own share out nothing. */
#define OWN_SIZE                                                                                    \
    "head_dim d_kv d_head kv_channels attention_head_size qk_nope_head_dim qk_head_dim v_head_dim " \
    "global_head_dim attention_head_dim attention_hidden_size"

static const struct relation {
    const char *part, *whole;
    bool divides;         /* else it is at most as many */
    const char *together; /* with this it is the whole */
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

/* What the object says of the key, by itself or by the other name that its class has for it; NULL: nothing. */
static const json_value *said(const json_value *object, const struct defaults_class *class, numel_str key)
{
    const json_value *v = json_at(object, key);
    return v || !class->line.p ? v : defaults_renamed(class, object, key);
}

/* A whole number from 1 on, that it says or its class supposes (line.p NULL: none is known). */
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

/* Is one of the words a count? */
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

/* A class with one tower makes nothing of the other: of its configuration, or of its heads. */
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

/* Heads of transformers that the object does not say itself, that share out nothing, or that their class makes nothing of. */
static bool is_idle(const json_value *object, const struct defaults_class *class, numel_str key)
{
    if (json_get(object, "_class_name")) return false;
    return !json_at(object, key) || says_one(object, class, OWN_SIZE) || config_unused(object, key);
}

/* A number, or one of a list, that has a rest. */
static bool leaves_rest(const json_value *v, int64_t by)
{
    int64_t n;
    if (json_kind(v) != JSON_ARRAY) return json_integer(v, &n) && n % by;
    for (const json_value *x = json_first(v); x; x = json_next(x))
        if (leaves_rest(x, by)) return true;
    return false;
}

/* *rest: the other argument, as the document or the class has it under either name, is not a multiple of n; *other becomes the name
 * that it has there. False where memory ran out. */
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
                  "%s is %" PRId64 ", which does not divide %s: no %s can be built", text_bare(shown, key), n,
                  text_bare(name, other), text_bare(called, class->name));
        return error_file(e, file), false;
    }
    return true;
}

/* Of an object, and of those of parts in it. The scanner has bounded how deep they lie. */
static void tell_object(const json_value *object, const struct defaults_class *class, const char *file,
                        config_relation_fn *tell, void *ctx)
{
    struct config_relation found;
    const char *told = ""; /* a count that goes by two names is told once */
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
