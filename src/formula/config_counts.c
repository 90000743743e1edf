/*
 * config_counts.c -- checks keys of config.json that count something, whether a formula reads them or not.
 *
 * BERT's number of heads shows in no shape: a configuration with 0, -1 or "x" would pass every formula, yet
 * no class can be built from it. So each value declared under a name below must be a whole number or a list
 * of whole numbers; null stands for a default. Only names of config.json are listed: params.json has few, and
 * formulas read them all. A nested object whose key ends in "_config" is the configuration of a part.
 */
#include "base/text.h"
#include "formula/config_internal.h"

#include <inttypes.h>
#include <string.h>

static const struct counted {
    const char *key;
    int64_t least; /* 0 if models may have none: experts, layers of a tower */
} counted[] = {
    { "attention_heads", 1 },
    { "d_model", 1 },
    { "decoder_attention_heads", 1 },
    { "decoder_ffn_dim", 1 },
    { "decoder_layers", 0 },
    { "depth", 0 },
    { "embed_dim", 1 },
    { "encoder_attention_heads", 1 },
    { "encoder_ffn_dim", 1 },
    { "encoder_layers", 0 },
    { "head_dim", 0 },
    { "hidden_size", 1 },
    { "image_size", 1 },
    { "in_channels", 1 },
    { "intermediate_size", 0 },
    { "kv_lora_rank", 0 },
    { "linear_conv_kernel_dim", 1 },
    { "linear_key_head_dim", 1 },
    { "linear_num_key_heads", 1 },
    { "linear_num_value_heads", 1 },
    { "linear_value_head_dim", 1 },
    { "mamba_d_head", 0 },
    { "mamba_n_groups", 1 },
    { "mamba_n_heads", 0 },
    { "max_position_embeddings", 0 },
    { "moe_intermediate_size", 0 },
    { "moe_num_experts", 0 },
    { "n_embd", 1 },
    { "n_group", 0 },
    { "n_head", 1 },
    { "n_heads", 1 },
    { "n_layer", 0 },
    { "n_layers", 0 },
    { "n_routed_experts", 0 },
    { "n_shared_experts", 0 },
    { "num_attention_heads", 1 },
    { "num_channels", 1 },
    { "num_experts", 0 },
    { "num_experts_per_tok", 0 },
    { "num_heads", 1 },
    { "num_hidden_layers", 0 },
    { "num_key_value_heads", 1 },
    { "num_kv_heads", 1 },
    { "num_layers", 0 },
    { "num_local_experts", 0 },
    { "num_nextn_predict_layers", 0 },
    { "num_shared_experts", 0 },
    { "patch_size", 1 },
    { "projection_dim", 0 },
    { "q_lora_rank", 0 },
    { "qk_head_dim", 0 },
    { "qk_nope_head_dim", 0 },
    { "qk_rope_head_dim", 0 },
    { "spatial_merge_size", 1 },
    { "state_size", 1 },
    { "topk_group", 0 },
    { "type_vocab_size", 0 },
    { "v_head_dim", 0 },
    { "vocab_size", 0 },
};

/* Always false. */
NUMEL_MUST static bool fails(const char *wanted, const char *key, const json_value *v, const char *file,
                             numel_error *e)
{
    char shown[TEXT_QUOTE];
    const char *constant = json_constant(v);
    char *said = json_print(v);
    if (!said) return error_nomem(e);
    error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "%s is %s, which is not %s", key,
              text_bare(shown, text_of(constant ? constant : said)), wanted);
    json_print_free(said);
    if (file) error_file(e, file);
    return false;
}

/* True if it is a whole number of at least `least`. */
NUMEL_MUST static bool number_holds(const struct counted *k, const json_value *v, const char *file,
                                    numel_error *e)
{
    char wanted[64];
    int64_t n;
    if (json_integer(v, &n) && n >= k->least) return true;
    text_format(wanted, sizeof wanted, "a whole number from %" PRId64 " to 2^53", k->least);
    return fails(wanted, k->key, v, file, e);
}

/* A list has an item for each layer or stage. image_size may be an object of height and width,
 * num_hidden_layers an object with a number for each tower (LXMERT). */
NUMEL_MUST static bool count_holds(const struct counted *k, const json_value *v, const char *file,
                                   numel_error *e)
{
    bool list = json_kind(v) == JSON_ARRAY,
         named = json_kind(v) == JSON_OBJECT &&
                 (strcmp(k->key, "image_size") == 0 || strcmp(k->key, "num_hidden_layers") == 0);
    if (json_kind(v) == JSON_NULL) return true;
    if (!(list || named) || !json_first(v)) return number_holds(k, v, file, e);
    for (const json_value *x = json_first(v); x; x = json_next(x))
        if (!count_holds(k, x, file, e)) return false;
    return true;
}

static bool is_part(const char *key, const json_value *v)
{
    return json_kind(v) == JSON_OBJECT && text_ends(text_of(key), "_config") &&
           !text_ends(text_of(key), "quantization_config");
}

/* quantization_config must be an object, and a block has two sides. */
NUMEL_MUST static bool quantization_holds(const json_value *config, const char *file, numel_error *e)
{
    static const struct counted side = { "weight_block_size", 1 };
    const json_value *q = json_get(config, "quantization_config"), *block = json_get(q, side.key);
    if (q && json_kind(q) != JSON_OBJECT && json_kind(q) != JSON_NULL) {
        error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "quantization_config is not an object");
        error_file(e, file);
        return false;
    }
    if (!block || json_kind(block) == JSON_NULL) return true;
    const json_value *first = json_kind(block) == JSON_ARRAY ? json_first(block) : NULL;
    const json_value *second = first ? json_next(first) : NULL;
    if (!second || json_next(second)) return fails("a list of two whole numbers", side.key, block, file, e);
    return count_holds(&side, block, file, e);
}

/* Heads of each level of Stable Cascade: 0 or -1 for a level without attention. */
static bool are_levels(const json_value *object, const struct counted *k, const json_value *v)
{
    const char *class = json_text_of(json_get(object, "_class_name"));
    int64_t n;
    if (strcmp(k->key, "num_attention_heads") != 0 || !class || strcmp(class, "StableCascadeUNet") != 0)
        return false;
    if (json_kind(v) != JSON_ARRAY) return false;
    for (const json_value *x = json_first(v); x; x = json_next(x))
        if (!json_integer(x, &n) || n < -1) return false;
    return true;
}

/* Checks a configuration and those of its parts. The scanner has bounded the depth. */
NUMEL_MUST static bool object_holds(const json_value *object, const char *file, numel_error *e)
{
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        const json_value *v = json_get(object, counted[i].key);
        if (v && !are_levels(object, &counted[i], v) && !count_holds(&counted[i], v, file, e)) return false;
    }
    if (!quantization_holds(object, file, e)) return false;
    for (const json_value *v = json_first(object); v; v = json_next(v))
        if (is_part(json_name(v), v) && !object_holds(v, file, e)) return false;
    return true;
}

/* Checks a value that the user set, for any part. */
NUMEL_MUST static bool assignment_holds(const struct assignment *a, numel_error *e)
{
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        numel_str part = a->name;
        if (!text_take_end(&part, counted[i].key)) continue;
        if ((part.n == 0 || text_last(part) == '.') && !count_holds(&counted[i], a->value, NULL, e))
            return false;
    }
    return true;
}

bool config_counts_hold(struct config *c, numel_error *e)
{
    if (c->counts_held) return true;
    for (size_t i = 0; i < c->document_count; i++)
        if (!c->documents[i].params &&
            !(object_holds(c->documents[i].root, c->documents[i].file, e) &&
              config_arguments_hold(c->documents[i].root, c->documents[i].file, e) &&
              config_arguments_taken(c->documents[i].root, c->documents[i].file, e)))
            return false;
    for (size_t i = 0; i < c->set_count; i++)
        if (!assignment_holds(&c->sets[i], e)) return false;
    return c->counts_held = true;
}
