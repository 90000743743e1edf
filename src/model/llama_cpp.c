/* llama_cpp.c -- see llama_cpp.h. The rules are those of llama.cpp's src/llama-model.cpp and
 * src/llama-model-loader.cpp. */
#include "model/llama_cpp.h"

#include "base/text.h"
#include "model/llama_cpp_internal.h"
#include "model/model_internal.h"

#include <string.h>

static numel_str architecture_of(const struct model *m)
{
    const struct metadata_entry *e = metadata_find(&m->ck->metadata, "general.architecture");
    return e && e->type == META_STRING ? e->value.s : (numel_str){ "", 0 };
}

/* Ollama's engine stores towers in the model's file. */
static bool has_tower(const struct registry *r)
{
    static const char *const prefixes[] = { "v.", "mm.", "a.", "s." };
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
            if (text_starts(r->tensors[i].name, prefixes[k])) return true;
    return false;
}

static bool is_model(const struct model *m)
{
    const struct metadata_entry *e = metadata_find(&m->ck->metadata, "general.type");
    return !e || e->type != META_STRING || text_equal(e->value.s, "model");
}

bool llama_cpp_loads(const struct model *m)
{
    return model_is_gguf(m) && is_model(m) &&
           text_lists(text_of(llama_cpp_architectures), architecture_of(m));
}

bool llama_cpp_alone(const struct model *m)
{
    return llama_cpp_loads(m) && m->ck->registry.count && !has_tower(&m->ck->registry);
}

/* ---- tensors ------------------------------------------------------------------------------ */

bool llama_cpp_refuses(numel_str name)
{
    /* it asks for these in any architecture, whether or not our specification has them */
    static const char *const asked[] = { "*.scale",
                                         "*.input_scale",
                                         "blk.*.attn_[qkv].bias",
                                         "*nextn*",
                                         "blk.*.attn_qkv.*",
                                         "blk.*.layer_output_norm.*",
                                         "*indexer*",
                                         "blk.*.ffn_gate_up_exps.*",
                                         "enc.*",
                                         "*lora_[ab]",
                                         "cls*",
                                         "*rope_f*" };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (text_glob(asked[i], name)) return false;
    return true;
}

/* ---- metadata ----------------------------------------------------------------------------- */

struct faults {
    const struct model *m;
    numel_str architecture;
    const char **texts;
    size_t count;
    struct arena *arena;
    bool nomem;
};

/* The value of {arch}.NAME, or the first item of a list with one per layer. False if missing. */
static bool number_of(const struct faults *f, const char *name, int64_t *n)
{
    struct metadata_value v;
    uint64_t at = 0;
    const struct metadata_entry *e = metadata_find_in(&f->m->ck->metadata, f->architecture, text_of(name));
    if (!e) return false;
    if (e->type != META_ARRAY) return metadata_integer(&e->value, n);
    return !e->array.mapped && metadata_next(&e->array, &at, &v) && metadata_integer(&v, n);
}

static void add_fault(struct faults *f, const char *text) { f->texts[f->count++] = text; }

/* A key that the user sets is not missing. */
NUMEL_MUST static bool is_set(struct faults *f, const char *key)
{
    numel_str path = text_of(key);
    struct value v;
    numel_error ignored = { .code = NUMEL_OK };
    bool has = config_value(f->m->config, NULL, SIDE_GGUF, &path, 1, &v, &ignored);
    f->nomem |= ignored.code == NUMEL_E_NOMEM;
    return has && v.kind != VALUE_NULL;
}

static bool requires(const struct llama_cpp_key *k, numel_str architecture)
{
    if (!k->of) return true;
    return k->of[0] == '!' ? !text_lists(text_of(k->of + 1), architecture)
                           : text_lists(text_of(k->of), architecture);
}

static void check_keys(struct faults *f)
{
    char arch[TEXT_QUOTE];
    const struct metadata *all = &f->m->ck->metadata;
    text_bare(arch, f->architecture);
    if (!metadata_find(all, "tokenizer.ggml.model"))
        return; /* such a header was kept for its shapes, not for loading */
    for (size_t i = 0; i < llama_cpp_key_count; i++) {
        const struct llama_cpp_key *k = &llama_cpp_keys[i];
        bool plain = k->key[0] == '=';
        if (!requires(k, f->architecture)) continue;
        if (plain ? metadata_find(all, k->key + 1) : metadata_find_in(all, f->architecture, text_of(k->key)))
            continue;
        if (is_set(f, k->key + plain)) continue;
        add_fault(f, arena_format(f->arena, "%s%s%s is missing: llama.cpp requires it and refuses the file",
                                  plain ? "" : arch, plain ? "" : ".", k->key + plain));
    }
}

/* Without the key, llama.cpp reads a width of 0, and the shapes do not match. */
static void check_feed_forward(struct faults *f)
{
    static const char key[] = "feed_forward_length";
    static const char own_width[] = "arctic"; /* defaults to the model's width */
    char arch[TEXT_QUOTE];
    const struct registry *r = &f->m->ck->registry;
    bool has = false;
    if (!metadata_find(&f->m->ck->metadata, "tokenizer.ggml.model") ||
        metadata_find_in(&f->m->ck->metadata, f->architecture, text_of(key)) || is_set(f, key) ||
        text_lists(text_of(own_width), f->architecture))
        return;
    for (size_t i = 0; i < r->count && !has; i++)
        has = text_glob("blk.*.ffn_down.weight", r->tensors[i].name);
    if (has)
        add_fault(f, arena_format(f->arena,
                                  "%s.%s is missing: llama.cpp takes it for 0, finds ffn_down of another "
                                  "shape, and refuses the file",
                                  text_bare(arch, f->architecture), key));
}

/* load_hparams() fails with "invalid n_rot" if the graph can rotate only whole heads. */
static void check_rotation(struct faults *f)
{
    static const char whole_heads[] = "llama deci falcon llama-embed";
    char arch[TEXT_QUOTE];
    int64_t heads, width, rotated, head;
    if (!text_lists(text_of(whole_heads), f->architecture) || !number_of(f, "rope.dimension_count", &rotated))
        return;
    bool said = number_of(f, "attention.key_length", &head);
    bool sizes =
        number_of(f, "attention.head_count", &heads) && number_of(f, "embedding_length", &width) && heads > 0;
    if (!sizes) return;
    if (!said) head = width / heads;
    if (head == rotated) return;
    add_fault(f, arena_format(f->arena,
                              "%s.rope.dimension_count is %" PRId64 ", but a head has %" PRId64
                              " elements (%s): llama.cpp refuses the file (invalid n_rot)",
                              text_bare(arch, f->architecture), rotated, head,
                              said ? "attention.key_length" : "embedding_length / attention.head_count"));
}

bool llama_cpp_faults(const struct model *m, const char *const **texts, size_t *count, struct arena *a,
                      numel_error *e)
{
    struct faults f = { .m = m, .architecture = architecture_of(m), .arena = a };
    *texts = NULL;
    *count = 0;
    f.texts = arena_alloc(a, (llama_cpp_key_count + 2) * sizeof *f.texts);
    if (!f.texts) return error_nomem(e);
    check_keys(&f);
    check_feed_forward(&f);
    check_rotation(&f);
    *texts = f.texts;
    *count = f.count;
    return (!a->failed && !f.nomem) || error_nomem(e);
}

bool llama_cpp_blame(struct model *m, numel_error *e)
{
    const char *const *texts;
    size_t count;
    if (m->x || !m->entry || m->why.code != NUMEL_E_KEY || !llama_cpp_alone(m)) return true;
    if (!llama_cpp_faults(m, &texts, &count, &m->made, e)) return false;
    if (!count) return true;
    error_clear(&m->why);
    error_set(&m->why, NUMEL_E_CONFIG, NUMEL_NOWHERE, "%s", texts[0]);
    error_file(&m->why, model_file(m));
    return true;
}
