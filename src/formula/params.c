/*
 * params.c -- params.json, which Meta and Mistral store next to their consolidated files.
 *
 * Its keys are read by their names in config.json. Mistral states hidden_dim. Meta derives it, and so does
 * this file (llama/model.py, FeedForward.__init__):
 *     hidden_dim = int(2 * (4 * dim) / 3)
 *     hidden_dim = int(ffn_dim_multiplier * hidden_dim)
 *     hidden_dim = multiple_of * ((hidden_dim + multiple_of - 1) // multiple_of)
 * vocab_size -1 means "ask the tokenizer": the key then counts as missing.
 */
#include "formula/config_internal.h"
#include "formula/real.h"

#include <string.h>

static const struct {
    const char *hf, *path;
} names[] = {
    { "hidden_size", "dim" },
    { "num_hidden_layers", "n_layers" },
    { "num_attention_heads", "n_heads" },
    { "num_key_value_heads", "n_kv_heads" },
    { "head_dim", "head_dim" },
    { "intermediate_size", "hidden_dim" },
    { "vocab_size", "vocab_size" },
    { "num_local_experts", "moe.num_experts" },
    { "num_experts_per_tok", "moe.num_experts_per_tok" },
    { "tie_word_embeddings", "tied_embeddings" },
    { "max_position_embeddings", "max_seq_len" },
};

bool params_is(const json_value *root)
{
    return json_get(root, "dim") && json_get(root, "n_layers") && !json_get(root, "model_type") &&
           !json_get(root, "_class_name"); /* diffusers has such keys too: Z-Image */
}

static const json_value *at(const json_value *root, const char *path)
{
    const char *dot = strchr(path, '.');
    if (!dot) return json_get(root, path);
    char head[32];
    struct fixed text = FIXED(head);
    fixed_add(&text, text_span(path, dot));
    return text.cut ? NULL : json_get(json_get(root, head), dot + 1);
}

/* Meta's rule; false if an operand is not a plausible number (the key then counts as missing). */
static bool hidden_dim(const json_value *root, int64_t *out)
{
    int64_t dim, multiple = 256, hidden;
    const json_value *step = json_get(root, "multiple_of");
    const json_value *factor = json_get(root, "ffn_dim_multiplier");
    if (!json_integer(json_get(root, "dim"), &dim) || dim < 1 || dim > INT64_C(1) << 40) return false;
    if (step && (!json_integer(step, &multiple) || multiple < 1 || multiple > INT64_C(1) << 40)) return false;
    hidden = 8 * dim / 3;
    if (factor && json_kind(factor) != JSON_NULL &&
        (!real_product(json_double(factor), hidden, REAL_DOWN, &hidden) || hidden < 1 ||
         hidden > INT64_C(1) << 50))
        return false;
    *out = (hidden + multiple - 1) / multiple * multiple;
    return true;
}

static bool model_type(const json_value *root, struct value *out, const char **key)
{
    bool experts = json_get(root, "moe") != NULL;
    *key = experts ? "moe" : "dim";
    *out = value_text(text_of(experts ? "mixtral" : json_get(root, "hidden_dim") ? "mistral" : "llama"));
    return true;
}

bool params_value(const json_value *root, numel_str path, struct value *out, const char **key)
{
    if (text_equal(path, "model_type")) return model_type(root, out, key);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const json_value *v = text_equal(path, names[i].hf) ? at(root, names[i].path) : NULL;
        int64_t n;
        if (!v) continue;
        *key = names[i].path;
        if (json_kind(v) == JSON_BOOL) *out = value_bool(json_true(v));
        else if (json_integer(v, &n)) *out = value_int(n);
        else *out = (struct value){ .kind = VALUE_REAL, .r = json_double(v) };
        return !(out->kind == VALUE_INT && out->i == -1 && text_equal(path, "vocab_size"));
    }
    int64_t hidden;
    if (!text_equal(path, "intermediate_size") || !hidden_dim(root, &hidden)) return false;
    *out = value_int(hidden);
    *key = json_get(root, "ffn_dim_multiplier") ? "dim, multiple_of, ffn_dim_multiplier" : "dim, multiple_of";
    return true;
}
