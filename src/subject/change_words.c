/* change_words.c -- states an error in a configuration and its remedy in one sentence. */
#include "subject/change_internal.h"

#include "source/folder.h"

/* The noun for a key's number: "layer". */
static const char *noun_of(const char *key)
{
    static const char *const nouns[][2] = {
        { "block_count", "block" },       { "num_hidden_layers", "layer" },
        { "n_layer", "layer" },           { "num_layers", "layer" },
        { "n_layers", "layer" },          { "encoder_layers", "layer" },
        { "decoder_layers", "layer" },    { "depth", "layer" },
        { "num_experts", "expert" },      { "num_local_experts", "expert" },
        { "n_routed_experts", "expert" }, { "expert_count", "expert" },
        { "moe_num_experts", "expert" },
    };
    const char *last = strrchr(key, '.');
    last = last ? last + 1 : key;
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        if (strcmp(last, nouns[i][0]) == 0) return nouns[i][1];
    return NULL;
}

/* The key as written in the file; "llama.block_count" in GGUF. */
NUMEL_MUST static const char *key_text(struct changing *g, const char *key)
{
    const struct metadata *all = &g->m->ck->metadata;
    char bare[TEXT_QUOTE];
    if (g->m->side == SIDE_GGUF && !metadata_find(all, key)) {
        const struct metadata_entry *arch = metadata_find(all, "general.architecture");
        if (arch && arch->type == META_STRING)
            return arena_format(&g->scratch, "%s.%s", text_bare(bare, arch->value.s), key);
    }
    numel_str path = text_of(key), own = path;
    if (g->m->side == SIDE_HF) /* as spelled there */
        own = arena_join(&g->scratch, text_head(path, '.'), config_spelling(g->m->config, g->m->spec, path),
                         text_of(""));
    return own.p ? arena_format(&g->scratch, "%s", text_bare(bare, own)) : NULL;
}

NUMEL_MUST static const char *file_text(struct changing *g)
{
    char bare[TEXT_QUOTE];
    return arena_format(&g->scratch, "%s", text_bare(bare, path_base(model_file(g->m))));
}

/* "4", "true" */
NUMEL_MUST static const char *value_shown(struct changing *g, const struct value *v)
{
    if (v->kind == VALUE_BOOL) return v->b ? "true" : "false";
    return arena_format(&g->scratch, "%" PRId64, v->i);
}

/* "the file has 16 tensors like 'model.layers.*.self_attn.q_proj.bias'", which the flag excludes; or
 * "lacks". */
NUMEL_MUST static const char *flag_text(struct changing *g, const struct proposal *p)
{
    char n[TEXT_COUNT], like[TEXT_QUOTE];
    size_t count = 0, first = 0;
    struct buffer b;
    for (size_t i = 0; i < g->out->gap_count + g->out->unexpected_count; i++)
        if (!p->stays[i] && !count++) first = i;
    if (!count || (first >= g->d->missing && first < g->out->gap_count)) return "the tensors show otherwise";
    buffer_init(&b, g->scratch.memory);
    if (count == 1) buffer_str(&b, change_name_of(g, first));
    else text_starred(&b, change_name_of(g, first));
    const char *name = buffer_keep(&b, &g->scratch);
    if (!name) return NULL;
    text_quote(like, text_of(name));
    if (count == 1)
        return arena_format(&g->scratch, "the file %s %s", first < g->d->missing ? "lacks" : "has", like);
    return arena_format(&g->scratch, "the file %s %s like %s", first < g->d->missing ? "lacks" : "has",
                        text_count(n, count, "tensor"), like);
}

/* "the file has 4 layers", "the tensors show 48" */
NUMEL_MUST static const char *shown_text(struct changing *g, const struct proposal *p,
                                         const struct proposal_key *k)
{
    if (k->is.kind == VALUE_BOOL) return flag_text(g, p);
    const char *noun = noun_of(k->key);
    if (!noun) return arena_format(&g->scratch, "the tensors show %" PRId64, k->is.i);
    return arena_format(&g->scratch, "the file has %" PRId64 " %s%s", k->is.i, noun, k->is.i == 1 ? "" : "s");
}

/* "num_hidden_layers is 2, the file has 4 layers" */
NUMEL_MUST static const char *difference_text(struct changing *g, const struct proposal *p,
                                              const struct proposal_key *k)
{
    const char *key = key_text(g, k->key), *shown = shown_text(g, p, k);
    if (!key || !shown) return NULL;
    if (k->was.kind == VALUE_BOOL)
        return arena_format(&g->scratch, "%s is %s%s, %s", key, k->was.b ? "true" : "false",
                            k->stated ? "" : " by default", shown);
    if (k->was.kind != VALUE_INT) return arena_format(&g->scratch, "%s is missing, %s", key, shown);
    return arena_format(&g->scratch, "%s is %" PRId64 "%s, %s", key, k->was.i, k->stated ? "" : " by default",
                        shown);
}

/* True if only the last layers or experts are missing. */
static bool may_be_missing(const struct changing *g, const struct proposal *p)
{
    const struct proposal_key *k = &p->keys[0];
    if (p->count != 1 || !k->stated || !noun_of(k->key) || k->was.i <= k->is.i) return false;
    for (size_t i = 0; i < g->out->gap_count + g->out->unexpected_count; i++)
        if (!p->stays[i] && i >= g->d->missing) return false;
    return true;
}

/* "layers 2 and 3 are missing, or it should be 2" */
NUMEL_MUST static const char *missing_text(struct changing *g, const struct proposal_key *k)
{
    const char *noun = noun_of(k->key), *where = strcmp(noun, "expert") == 0 ? " in each layer" : "";
    int64_t last = k->was.i - 1;
    if (last == k->is.i)
        return arena_format(&g->scratch, "%s %" PRId64 " is missing%s, or it should be %" PRId64, noun, last,
                            where, k->is.i);
    return arena_format(&g->scratch, "%ss %" PRId64 " %s %" PRId64 " are missing%s, or it should be %" PRId64,
                        noun, k->is.i, last == k->is.i + 1 ? "and" : "to", last, where, k->is.i);
}

/* ---- one key ------------------------------------------------------------------------------ */

/* "set it to 4", "add "head_dim": 32" */
NUMEL_MUST static const char *remedy_text(struct changing *g, const struct proposal *p)
{
    const struct proposal_key *k = &p->keys[0];
    if (may_be_missing(g, p)) return missing_text(g, k);
    const char *key = key_text(g, k->key), *is = value_shown(g, &k->is);
    if (!key || !is) return NULL;
    if (!k->stated) return arena_format(&g->scratch, "add %s %s", key, is);
    bool lacks = k->is.kind == VALUE_BOOL && g->d->missing && !p->stays[0];
    return arena_format(&g->scratch, "set it to %s%s", is,
                        !lacks                         ? ""
                        : differences_count(g->d) == 1 ? ", unless it is missing"
                                                       : ", unless they are missing");
}

/* Appends alternatives: "(or n_head 4 in place of 8, which fits as well)". */
NUMEL_MUST static bool add_others(struct changing *g, const struct proposals *p, struct buffer *b)
{
    for (unsigned i = 1; i < p->count; i++) {
        const char *key = key_text(g, p->items[i].keys[p->items[i].count - 1].key);
        const struct proposal_key *k = &p->items[i].keys[p->items[i].count - 1];
        const char *is = value_shown(g, &k->is), *was = value_shown(g, &k->was);
        if (!key || !is || !was) return false;
        buffer_format(b, "%s%s %s", i == 1 ? " (or " : ", or ", key, is);
        if (k->was.kind != VALUE_NULL) buffer_format(b, " in place of %s", was);
    }
    if (p->count > 1) buffer_text(b, ", which fits as well)");
    return true;
}

NUMEL_MUST static const char *one_text(struct changing *g, const struct proposals *p, struct buffer *b)
{
    const struct proposal *first = &p->items[0];
    const char *file = file_text(g), *differs = difference_text(g, first, &first->keys[0]);
    const char *remedy = remedy_text(g, first);
    if (!file || !differs || !remedy) return buffer_done(b), NULL;
    buffer_format(b, first->keys[0].stated ? "%s says %s: %s" : "in %s %s: %s", file, differs, remedy);
    if (!add_others(g, p, b)) return buffer_done(b), NULL;
    return buffer_keep(b, g->arena);
}

/* ---- several ------------------------------------------------------------------------------ */

NUMEL_MUST static bool list_keys(struct changing *g, const struct proposal *p, struct buffer *b)
{
    for (unsigned i = 0; i < p->count; i++) {
        const char *text = difference_text(g, p, &p->keys[i]);
        if (!text) return false;
        buffer_format(b, "%s%s", i ? "; " : "", text);
    }
    return true;
}

const char *proposal_text(struct changing *g, const struct proposals *p)
{
    struct buffer b;
    const struct proposal *first = &p->items[0];
    const char *file = file_text(g);
    buffer_init(&b, g->scratch.memory);
    if (first->count == 1) return one_text(g, p, &b);
    if (!file) return NULL;
    if (first->count == 2) buffer_format(&b, "%s differs from the tensors in two keys: ", file);
    else buffer_format(&b, "%s is the configuration of another model: ", file);
    if (!list_keys(g, first, &b) || !add_others(g, p, &b)) return buffer_done(&b), NULL;
    return buffer_keep(&b, g->arena);
}

const char *other_text(struct changing *g, const struct proposals *p)
{
    struct buffer b;
    char said[TEXT_QUOTE], is[TEXT_QUOTE];
    const char *file = file_text(g);
    buffer_init(&b, g->scratch.memory);
    if (!file) return NULL;
    text_bare(said, text_of(g->m->called));
    text_safe_fit(is, sizeof is, text_of(p->other));
    if (p->of_other.count) {
        buffer_format(&b, "%s is the configuration of another model: ", file);
        if (!list_keys(g, &p->of_other, &b)) return buffer_done(&b), NULL;
        buffer_format(&b, "; it says %s, by names and shapes the tensors are those of %s", said, is);
    } else {
        buffer_format(&b, "%s says %s, by names and shapes the tensors are those of %s", file, said, is);
    }
    return buffer_keep(&b, g->arena);
}
