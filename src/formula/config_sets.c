/*
 * config_sets.c -- finds names in --set that do not exist: they are mistyped.
 */
#include "formula/config_internal.h"

#include "base/text.h"

#include <string.h>

numel_str config_set_name(const struct config *c, size_t i) { return c->sets[i].name; }

/* True for keys that any configuration may have, including older versions. */
static bool is_common(numel_str name)
{
    static const char words[] =
        "dtype torch_dtype model_type architecture architectures _class_name model_args num_classes "
        "transformers_version quantization_config mamba_ssm_cache_dtype mamba_ssm_dtype rope_theta "
        "rope_scaling "
        "rope_parameters partial_rotary_factor use_cache tie_word_embeddings is_encoder_decoder bos_token_id "
        "eos_token_id pad_token_id sep_token_id decoder_start_token_id add_cross_attention "
        "cross_attention_hidden_size tie_encoder_decoder chunk_size_feed_forward pruned_heads id2label "
        "label2id "
        "num_labels problem_type finetuning_task task_specific_params return_dict output_attentions "
        "output_hidden_states torchscript auto_map _name_or_path name_or_path";
    static const char *const parts[] = { "quantization_config.", "quantization.", "compression_config.",
                                         "rope_scaling.", "rope_parameters." };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (text_starts(name, parts[i])) return true;
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] == '.') return is_common(text_from(name, i + 1));
    return text_lists(text_of(words), name);
}

static bool is_symbol(const struct spec *s, numel_str name)
{
    for (size_t i = 0; s && i < s->symbol_count; i++) {
        const struct symbol *x = &s->symbols[i];
        numel_str bare = text_from(x->name, x->label);
        if (text_same(x->name, name) || text_same(bare, name)) return true;
    }
    return false;
}

static bool is_in(const struct document *d, numel_str path)
{
    const json_value *at = d->root;
    bool last = false;
    while (at && !last) {
        numel_str step = config_step(&path, &last);
        at = json_at(at, step);
    }
    return at != NULL;
}

/* With or without the architecture as a prefix. */
static bool is_in_metadata(const struct config *c, numel_str name)
{
    for (size_t i = 0; i < c->metadata->count; i++)
        if (text_same(c->metadata->entries[i].key, name)) return true;
    return metadata_find_in(c->metadata, c->gguf_arch, name) != NULL;
}

bool config_set_known(struct config *c, const struct spec *spec, size_t i)
{
    numel_str name = c->sets[i].name, key;
    struct defaults_class class;
    if (c->sets[i].used || is_symbol(spec, name) || is_common(name)) return true;
    for (size_t k = 0; k < c->document_count; k++)
        if (is_in(&c->documents[k], name)) return true;
    if (c->metadata && is_in_metadata(c, name)) return true;
    if (config_class_at(c, spec, name, &class, &key) ||
        (!c->document_count && spec && defaults_find(text_of(spec->name), &class)))
        return defaults_have(&class, key);
    bool letter = name.n <= 2 && name.p[0] >= 'A' && name.p[0] <= 'Z';
    return c->document_count && !letter;
}

numel_str config_spelling(struct config *c, const struct spec *spec, numel_str path)
{
    struct defaults_class class;
    numel_str key, other;
    bool known = config_class_at(c, spec, path, &class, &key);
    if (!known || !c->document_count) return key;
    numel_str front = text_less(path, key.n);
    const json_value *object = c->documents[0].root;
    if (front.n) object = json_dig(object, front.p, text_less(front, 1).n);
    bool named = object && !json_at(object, key) && defaults_alias(&class, key, &other);
    return named && json_at(object, other) ? other : key;
}
