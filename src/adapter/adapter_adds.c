/*
 * adapter_adds.c -- compares with a base those adapters that add to a model without changing its weights:
 * PEFT's prompts and prefixes, embeddings of words (textual inversion), IP-adapters and similar.
 *
 * A prompt, or a word, is as wide as the base's token embeddings. A prefix is keys and values for each layer.
 * PEFT computes their width from config.json (_prepare_prompt_learning_config: hidden_size, reduced to
 * num_key_value_heads with grouped queries), and so does this file. A U-Net without a text encoder still
 * shows the width of its cross attention.
 */
#include "adapter/adapter_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "formula/product.h"
#include "model/model.h"
#include "registry/prefixes.h"
#include "statement/line.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* ---- the base's sizes --------------------------------------------------------------------- */

static void add_size(uint64_t sizes[BASE_SIZES], unsigned *count, uint64_t size)
{
    for (unsigned i = 0; i < *count; i++)
        if (sizes[i] == size) return;
    if (size && *count < BASE_SIZES) sizes[(*count)++] = size;
}

/* A count from the configuration or its text_config; 0 if neither has it. */
NUMEL_MUST static bool count_of(const struct model *m, const char *key, uint64_t *n, numel_error *e)
{
    char inner[64];
    numel_str part = text_join(inner, sizeof inner, text_of("text_config."), text_of(key), text_of(""));
    const numel_str paths[] = { text_of(key), part };
    struct value v;
    numel_error why = { .code = NUMEL_OK };
    *n = 0;
    if (config_value(m->config, m->spec, m->side, paths, ROWS(paths), &v, &why)) {
        if (v.kind == VALUE_INT && v.i > 0) *n = (uint64_t)v.i;
        return true;
    }
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

bool adds_note_config(struct base_table *t, const struct model *m, numel_error *e)
{
    static const char *const layers[] = { "num_hidden_layers", "num_layers", "n_layer", "num_decoder_layers",
                                          "decoder_layers" };
    static const char *const widths[] = { "hidden_size", "n_embd", "d_model" };
    static const char *const heads[] = { "num_attention_heads", "n_head", "num_heads",
                                         "decoder_attention_heads" };
    uint64_t n, width = 0, queries = 0, keys, head;
    if (!m->config) return true;
    for (size_t i = 0; i < ROWS(layers); i++) {
        if (!count_of(m, layers[i], &n, e)) return false;
        add_size(t->layers, &t->layer_count, n);
    }
    for (size_t i = 0; i < ROWS(widths) && !width; i++)
        if (!count_of(m, widths[i], &width, e)) return false;
    for (size_t i = 0; i < ROWS(heads) && !queries; i++)
        if (!count_of(m, heads[i], &queries, e)) return false;
    if (!count_of(m, "num_key_value_heads", &keys, e) || !count_of(m, "head_dim", &head, e)) return false;
    if (!head && !count_of(m, "d_kv", &head, e)) return false;
    add_size(t->keys, &t->key_count, width);
    if (queries && keys && num_mul(&n, width / queries, keys)) add_size(t->keys, &t->key_count, n);
    if (num_mul(&n, head, keys ? keys : queries)) add_size(t->keys, &t->key_count, n);
    return true;
}

void adds_note_weight(struct base_table *t, numel_str name, const uint64_t *dims, uint32_t ndim)
{
    static const char *const tables[] = { "token_embedding.weight", "encoder.embed_tokens.weight",
                                          "shared.weight" };
    numel_str module = name;
    text_take_end(&module, ".weight");
    bool encodes = false;
    for (size_t i = 0; ndim == 2 && i < ROWS(tables); i++) encodes |= text_ends(name, tables[i]);
    if (encodes) add_size(t->tables, &t->table_count, dims[1]);
    t->writes |= !encodes && family_is_table(module);
    if (ndim == 2 && text_ends(name, "attn2.to_k.weight")) t->cross = dims[1];
    t->decodes |= text_starts(name, "decoder.");
    for (uint32_t i = 0; !t->decodes && i < embedded_prefix_count; i++) {
        const struct prefix *p = &embedded_prefixes[i];
        t->decodes = p->base && p->kind == SINGLE_VAE && prefix_is(p, name);
    }
}

/* ---- prompts ------------------------------------------------------------------------------ */

/* The base has no such component. This is certain for an autoencoder, and for a model without token
 * embeddings; for others it stays unknown. */
static void say_nothing_held(const struct base_table *t, const struct adapter_family *f, const char *what)
{
    if (f)
        adapter_disagree(t->a,
                         arena_format(t->a->arena, "the base model is %s, which has %s", f->name, what));
    else if (t->decodes || t->count == 0)
        adapter_disagree(t->a, arena_format(t->a->arena, "the base model has %s", what));
    else if (!t->a->hole)
        t->a->hole = arena_format(t->a->arena, "the base model has %s that numel knows", what);
}

/* The family of a base that is not a language model; NULL if unknown. */
static const struct adapter_family *family_of_pictures(const struct base_table *t)
{
    const struct adapter_family *f = family_of_base(t);
    return f && !f->arch && f->parts[1] ? f : NULL;
}

static void compare_prompt(const struct base_table *t, const numel_tensor *prompt)
{
    bool any = false, wide = false;
    for (size_t i = 0; i < t->count && !wide; i++) {
        const struct base_weight *w = &t->items[i];
        if (!family_is_table(w->own) || text_ends(w->own, "lm_head")) continue;
        any = true;
        wide |= w->in == prompt->dims[1];
    }
    if (!any && t->given) say_nothing_held(t, family_of_pictures(t), "no token embeddings");
    if (any && !wide)
        adapter_disagree(t->a, arena_format(t->a->arena,
                                            "the width of its prompt is %" PRIu64
                                            ", but not that of the base model's tokens",
                                            prompt->dims[1]));
}

static bool is_among(const uint64_t *sizes, unsigned count, uint64_t size)
{
    for (unsigned i = 0; i < count; i++)
        if (sizes[i] == size) return true;
    return false;
}

/* A row has keys and values of all layers, one after the other. */
static bool prefix_fits(const struct base_table *t, uint64_t columns)
{
    uint64_t n;
    for (unsigned i = 0; i < t->layer_count; i++)
        for (unsigned k = 0; k < t->key_count; k++)
            if (num_mul(&n, 2 * t->layers[i], t->keys[k]) && n == columns) return true;
    return false;
}

static void compare_prefix(const struct base_table *t, const numel_tensor *prefix)
{
    struct adapter *a = t->a;
    int64_t layers = 0, width = 0;
    (void)json_integer(json_get(a->config, "num_layers"), &layers);
    (void)json_integer(json_get(a->config, "token_dim"), &width);
    bool known = t->layer_count && t->key_count;
    if (!known && t->given) say_nothing_held(t, family_of_pictures(t), "no known layers and heads");
    if (!known || prefix_fits(t, prefix->dims[1])) return;
    bool as_many = layers > 0 && is_among(t->layers, t->layer_count, (uint64_t)layers);
    if (layers > 0 && width > 0 && !as_many)
        adapter_disagree(a, arena_format(a->arena,
                                         "its prefix has %" PRId64 " layers, but the base model has %" PRIu64,
                                         layers, t->layers[0]));
    else if (layers > 0 && width > 0)
        adapter_disagree(a, arena_format(a->arena,
                                         "the keys and values of its prefix are %" PRId64
                                         " wide, but those of the base model %" PRIu64,
                                         width, t->keys[t->key_count - 1]));
    else
        adapter_disagree(a, arena_format(a->arena,
                                         "its prefix is %" PRIu64 " wide, but the base model has %" PRIu64
                                         " layers with keys and values %" PRIu64 " wide",
                                         prefix->dims[1], t->layers[0], t->keys[t->key_count - 1]));
}

/* ---- words -------------------------------------------------------------------------------- */

/* Does the family have a text encoder of this width? */
static bool encodes(const struct adapter_family *f, uint64_t width)
{
    bool is = false;
    for (unsigned p = 1; p < FAMILY_PARTS; p++) is |= f->parts[p] && f->parts[p]->in == width;
    return is;
}

/* A word has one vector per text encoder, as wide as its token embeddings. A U-Net alone shows the sum of
 * these widths. */
static void compare_words(const struct base_table *t)
{
    const struct registry *r = &t->a->ck->registry;
    uint64_t widths[BASE_SIZES], sum = 0, other = 0;
    unsigned count = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        uint64_t width = r->tensors[i].ndim ? r->tensors[i].dims[r->tensors[i].ndim - 1] : 0;
        add_size(widths, &count, width);
        if (!is_among(t->tables, t->table_count, width)) other = width;
    }
    for (unsigned i = 0; i < count; i++)
        if (!num_add(&sum, sum, widths[i])) return;
    const struct adapter_family *f = t->table_count || t->cross ? NULL : family_of_pictures(t);
    if (t->table_count == 0 && t->cross == 0 && t->writes)
        adapter_disagree(t->a, "the base model is a language model, which has no text encoder");
    else if (t->table_count == 0 && t->cross == 0)
        say_nothing_held(t, f && !encodes(f, sum) ? f : NULL, "no text encoder of that width");
    else if (t->table_count ? other != 0 : sum != t->cross)
        adapter_disagree(t->a, arena_format(t->a->arena,
                                            "its vectors are %" PRIu64
                                            " wide, but those of the base model's text encoder %" PRIu64,
                                            t->table_count ? other : sum,
                                            t->table_count ? t->tables[0] : t->cross));
}

/* ---- others ------------------------------------------------------------------------------- */

/* The product of a base if adapters made for it fit no other product; else NULL. */
static const char *product_apart(const char *base)
{
    numel_str lines = product_of_base(base), apart = lines, words;
    return product_next(&apart, "apart", &words) ? lines.p : NULL;
}

static void compare_kind(const struct base_table *t)
{
    struct adapter *a = t->a;
    const struct adapter_family *f = family_of_base(t);
    if (!f) {
        say_nothing_held(t, NULL, "no part");
        return;
    }
    bool same = a->family && text_starts(text_of(f->name), a->family);
    if (same) return;
    const char *own = a->family ? product_apart(a->family) : NULL, *other = product_apart(f->name);
    if (own && other && own != other)
        adapter_disagree(
            a, arena_format(a->arena, "it is made for %s, but the base model is %s", a->family, f->name));
    else if (!a->hole) a->hole = arena_format(a->arena, "numel does not know whether it fits %s", f->name);
}

void adds_compare(const struct base_table *t)
{
    struct adapter *a = t->a;
    const numel_tensor *prompt = registry_find(&a->ck->registry, text_of("prompt_embeddings"));
    if (prompt && prompt->ndim == 2 && strcmp(a->type, "prefix_tuning") == 0) compare_prefix(t, prompt);
    else if (prompt && prompt->ndim == 2) compare_prompt(t, prompt);
    else if (t->given && a->whole_kind && strcmp(a->type, "embedding") == 0) compare_words(t);
    else if (t->given && a->whole_kind) compare_kind(t);
}
