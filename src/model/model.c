/*
 * model.c -- resolves the configuration, then the spec, the expected tensors, and the cause of each stored
 * tensor. Each step needs the one before; if one fails, `why` has the reason.
 *
 * The first step runs once. The others are repeated for each class that is tried (search_class.c), so their
 * results are in a separate arena, which is reset before the next attempt.
 */
#include "model/model_internal.h"

#include "formula/product.h"
#include "model/config_file.h"
#include "model/llama_cpp.h"
#include "model/module_width.h"
#include "model/supposed.h"
#include "model/variant.h"
#include "model/vocabulary.h"
#include "source/folder.h"

/* ---- the configuration -------------------------------------------------------------------- */

/* Adds a JSON file to the configuration. */
NUMEL_MUST static bool add_json(struct model *model, const char *path, numel_error *e)
{
    struct buffer text;
    buffer_init(&text, model->arena.memory);
    bool ok = config_file_text(path, &text, e);
    if (ok) {
        char *kept = arena_text(&model->arena, text.p, text.n); /* the config borrows it */
        ok = kept ? config_add_json(model->config, kept, text.n, path, e) : error_nomem(e);
        model->from = path;
    }
    buffer_done(&text);
    error_file(e, path);
    return ok;
}

/* A configuration passed in memory. */
NUMEL_MUST static bool add_given(struct model *model, const numel_knowledge *k, numel_error *e)
{
    const char *name = k->config ? k->config : "configuration";
    char *kept = arena_text(&model->arena, k->config_text, k->config_bytes);
    name = arena_text(&model->arena, name, strlen(name));
    if (!kept || !name) return error_nomem(e);
    model->from = name;
    if (config_add_json(model->config, kept, k->config_bytes, name, e)) return true;
    error_file(e, name);
    return false;
}

/* open_clip has its own configuration, usually next to that of transformers. */
static bool is_open_clip(const numel_checkpoint *ck)
{
    return ck && ck->file_count && text_starts(path_base(ck->files[0].path), "open_clip_");
}

/* Looks for config.json, params.json or a similar file in a folder; *found is NULL if there is none. */
NUMEL_MUST static bool config_in(struct model *model, const char *dir, const char **found, numel_error *e)
{
    static const char *const names[] = { "open_clip_config.json", "config.json",      "params.json",
                                         "open_clip_config.json", "lstm_config.json", "cnn_config.json" };
    *found = NULL;
    if (path_kind(dir) != PATH_DIRECTORY) return true;
    for (size_t i = !is_open_clip(model->ck); !*found && i < sizeof names / sizeof *names; i++) {
        const char *path = path_join(&model->arena, dir, text_of(names[i]));
        if (!path) return error_nomem(e);
        if (path_kind(path) == PATH_FILE) *found = path;
    }
    return true;
}

/* Looks next to the checkpoint. Without a checkpoint, `path` is a configuration or a folder that contains
 * one. */
NUMEL_MUST static bool config_beside(struct model *model, const char *path, const char **found,
                                     numel_error *e)
{
    const char *dir = model->ck ? model->ck->dir : path;
    *found = model->ck ? model->ck->config : NULL;
    if (!dir || *found) return true;
    if (model->ck || path_kind(dir) == PATH_DIRECTORY) return config_in(model, dir, found, e);
    *found = arena_text(&model->arena, dir, strlen(dir));
    return *found || error_nomem(e);
}

NUMEL_MUST static bool add_sets(struct model *model, const numel_knowledge *k, numel_error *e)
{
    for (size_t i = 0; i < k->set_count; i++)
        if (!config_set(model->config, k->sets[i], e)) return false;
    return true;
}

NUMEL_MUST static bool add_size(struct model *model, const char *key, int64_t n, numel_error *e)
{
    const char *set = n ? arena_format(&model->arena, "%s=%lld", key, (long long)n) : NULL;
    return n ? (set ? config_set(model->config, set, e) : error_nomem(e)) : true;
}

static bool is_table(const char *class)
{
    static const char *const names[] = { "StaticEmbedding", "SparseStaticEmbedding", "IDF",
                                         "WordEmbeddings" };
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= strcmp(class + strlen("sentence_transformers."), names[i]) == 0;
    return found;
}

/* The configuration of a word-embedding table has no sizes. The tokenizer next to it has the number of
 * rows, and the next module has the width. */
NUMEL_MUST static bool add_table(struct model *model, numel_error *e)
{
    const numel_checkpoint *ck = model->ck;
    int64_t rows, width;
    return vocabulary_count(ck->dir, &rows, &model->arena, e) && add_size(model, "vocab_size", rows, e) &&
           module_width_behind(ck->modules, ck->dir, &width, &model->arena, e) &&
           add_size(model, "embedding_dimension", width, e);
}

/* Sets the class of a module, from the index in its parent folder. */
NUMEL_MUST static bool add_module(struct model *model, numel_error *e)
{
    const char *class = model->ck ? model->ck->module : NULL;
    if (!class) return true;
    const char *set = arena_format(&model->arena, "_class_name=%s", class);
    if (!set) return error_nomem(e);
    return config_set(model->config, set, e) && (!is_table(class) || add_table(model, e));
}

/* A timm tower is a sub-model. Its type is the architecture that open_clip names, without the tag of the
 * weights. */
NUMEL_MUST static bool name_tower(struct model *model, numel_error *e)
{
    numel_str timm = text_of("model_cfg.vision_cfg.timm_model_name");
    struct value v;
    if (model->side == SIDE_GGUF) return true;
    if (!config_value(model->config, NULL, SIDE_HF, &timm, 1, &v, e)) return false;
    if (v.kind != VALUE_TEXT) return true;
    numel_str name = text_upto(v.s, text_find(v.s, 0, '.'));
    numel_str key = text_of("model_cfg.vision_cfg.model_type=\"");
    numel_str set = arena_join(&model->arena, key, name, text_of("\""));
    return set.p ? config_set(model->config, set.p, e) : error_nomem(e);
}

/* open_clip's configuration has model_cfg but no type. */
NUMEL_MUST static bool name_type(struct model *model, numel_error *e)
{
    numel_str type = text_of("model_type"), own = text_of("model_cfg.embed_dim");
    struct value v;
    if (!name_tower(model, e) || !config_value(model->config, NULL, SIDE_HF, &type, 1, &v, e)) return false;
    if (v.kind != VALUE_NULL || model->side == SIDE_GGUF) return true;
    if (!config_value(model->config, NULL, SIDE_HF, &own, 1, &v, e)) return false;
    return v.kind == VALUE_NULL || config_set(model->config, "model_type=open_clip", e);
}

/* Finds the configuration. One named by the user must exist. */
NUMEL_MUST static bool find_config(struct model *model, const char *path, const numel_knowledge *k,
                                   numel_error *e)
{
    if (!config_new(&model->config, model->arena.memory, e) || !add_sets(model, k, e) ||
        !add_module(model, e))
        return false;
    if (k->print_as && !config_set_vintage(model->config, k->print_as, e)) return false;
    if (k->config_text) return add_given(model, k, e);
    if (k->config) {
        const char *own = arena_text(&model->arena, k->config, strlen(k->config));
        return own ? add_json(model, own, e) : error_nomem(e);
    }
    if (model->side == SIDE_GGUF) {
        config_add_metadata(model->config, &model->ck->metadata);
        model->from = "metadata";
        return true;
    }
    const char *found;
    if (!config_beside(model, path, &found, e)) return false;
    if (!found) return true;
    if (!model->ck) return add_json(model, found, e);
    if (add_json(model, found, &model->unread))
        return true; /* a model whose config is broken is still a model */
    model->from = NULL;
    return model->unread.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* Older quantizers wrote their settings to a separate file. If it cannot be read, the configuration is
 * broken. */
NUMEL_MUST static bool add_quantization(struct model *model, numel_error *e)
{
    static const struct {
        const char *file, *method;
    } places[] = {
        { "quantize_config.json", "gptq" },   { "quant_config.json", "awq" },
        { "quantization_config.json", NULL }, { "hf_quant_config.json", "modelopt" },
        { "quanto_qmap.json", "quanto" },
    };
    struct buffer text;
    const char *dir = model->ck ? model->ck->dir : NULL;
    if (!dir || model->side != SIDE_HF) return true;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *path = path_join(&model->arena, dir, text_of(places[i].file));
        if (!path) return error_nomem(e);
        if (path_kind(path) != PATH_FILE) continue;
        buffer_init(&text, model->arena.memory);
        bool read =
            config_file_text(path, &text, &model->unread) &&
            config_add_quantization(model->config, text.p, text.n, path, places[i].method, &model->unread);
        buffer_done(&text);
        error_file(&model->unread, path);
        return read || model->unread.code != NUMEL_E_NOMEM || error_nomem(e);
    }
    return true;
}

/* ---- the spec ----------------------------------------------------------------------------- */

NUMEL_MUST static bool open_library(struct model *model, const numel_knowledge *k, numel_error *e)
{
    if (!library_open(&model->library, model->arena.memory, e)) return false;
    for (size_t i = 0; i < k->spec_count; i++)
        if (!library_add_path(model->library, k->specs[i], e)) return false;
    return true;
}

/* The configuration's model type (diffusers' class), else the spec's name. */
NUMEL_MUST static bool model_type(struct model *model, const char **type, numel_error *e)
{
    const char *key;
    struct value v;
    numel_error why = { 0 }; /* for an unusable value */
    bool found = config_kind(model->config, model->spec, SIDE_HF, &key, &v, &why) && v.kind == VALUE_TEXT;
    *type = found ? arena_text(&model->made, v.s.p, v.s.n) : model->entry->name;
    return (why.code != NUMEL_E_NOMEM && *type) || error_nomem(e);
}

const char *model_file(const struct model *model)
{
    bool metadata =
        model->side == SIDE_GGUF && model->ck && model->from && strcmp(model->from, "metadata") == 0;
    return metadata ? model->ck->files[0].path : model->from ? model->from : "";
}

NUMEL_MUST static bool name_tensors(struct model *model, numel_error *e)
{
    const char *type = NULL;
    if (model->inner->naming.arena) return true; /* a search may already have made it */
    if (model->side == SIDE_HF && !model_type(model, &type, e)) return false;
    return naming_init(&model->inner->naming, model->inner->training.view, model->spec, type, &model->made,
                       e);
}

NUMEL_MUST static bool expand_spec(struct model *model, numel_error *e)
{
    struct expand_input in = { .spec = model->spec,
                               .config = model->config,
                               .side = model->side,
                               .other_values = model->side == SIDE_GGUF && config_has_json(model->config) };
    if (model->ck) {
        if (!name_tensors(model, e)) return false;
        model->inner->presence = naming_presence(&model->inner->naming);
        in.file = &model->inner->presence;
    }
    if (model->x || model_expand(model, &in, &model->why)) return true; /* a search may have made it */
    bool lacks = model->why.code == NUMEL_E_KEY || model->why.code == NUMEL_E_CONFIG;
    if (lacks && model->ck && !model->ck->named && model->side == SIDE_HF) { /* a key may be missing */
        numel_error first = model->why;
        error_clear(&model->why);
        if (!infer_missing_keys(model, e)) return false;
        model->inferred = true;
        if (model_expand(model, &in, &model->why)) return true;
        if (model->why.code != NUMEL_E_NOMEM) model->why = first;
    }
    error_file(&model->why, model_file(model));
    return model->why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* True if something is wrong, not just unknown. */
static bool is_broken(const struct model *model)
{
    return !model->x && !error_free(&model->why) && model->why.code != NUMEL_E_KEY &&
           model->why.code != NUMEL_E_ARCH;
}

/* If there is no other evidence, searches by the tensors. Names in an index are not enough; shapes are
 * needed. */
NUMEL_MUST static bool search(struct model *model, const numel_knowledge *k, numel_error *e)
{
    bool silent = model->ck && !model->ck->named && model->side == SIDE_HF && !model->spec && !model->from &&
                  !k->architecture && !is_broken(model);
    return !silent || search_spec(model, e);
}

/* ---- all of it ---------------------------------------------------------------------------- */

NUMEL_MUST static bool match_all(struct model *model, numel_error *e)
{
    if (!model->x || !model->ck) return true;
    if (!model->inner->match.model && /* a search may have made both */
        (!match_make(&model->inner->match, model, e) || !differences_make(model, e)))
        return false;
    differences_prove(model);
    return counts_make(model, e);
}

/* Sets *out to the spec's text for a symbol, escaped; leaves it unchanged if there is none. */
NUMEL_MUST static bool text_symbol(struct model *model, const char *name, const char **out, numel_error *e)
{
    char shown[TEXT_QUOTE];
    const struct expansion *x = model_formula(model);
    numel_str text = x && model->spec ? expansion_text(x, name) : (numel_str){ NULL, 0 };
    if (!text.n) return true;
    text_bare(shown, text);
    *out = arena_text(&model->made, shown, strlen(shown));
    return *out || error_nomem(e);
}

/* A spec matched by tensors gives the published model in `product`; its common name in `variant`, if that
 * is not the product's name; its kind in `kind`; and its architecture in `architecture`, if other specs
 * exist for it. */
NUMEL_MUST static bool call_variant(struct model *model, numel_error *e)
{
    const char *own = model->architecture;
    if (!text_symbol(model, "product", &model->product, e) ||
        !text_symbol(model, "architecture", &model->architecture, e))
        return false;
    numel_str name = product_name(model->product);
    bool other = model->architecture != own;
    if (name.n) {
        numel_str of = text_of(other ? model->architecture : ""),
                  at = text_of(other ? " at the size of " : "");
        model->called = arena_join(&model->made, of, at, name).p;
        if (!model->called) return error_nomem(e);
    }
    if (!model->product) model->product = own;
    return text_symbol(model, "variant", &model->called, e) && text_symbol(model, "kind", &model->kind, e);
}

NUMEL_MUST static bool decide(struct model *model, const numel_knowledge *k, bool may_search, numel_error *e)
{
    return (!may_search || search(model, k, e)) && (!model->spec || expand_spec(model, e)) &&
           call_variant(model, e) && match_all(model, e);
}

/* Names are not proof: if more than a tenth of the file differs, it is a different model with the same
 * names. */
static bool is_another(const struct model *m)
{
    enum { FEW = 4 }; /* tensors, for small files */
    size_t most = m->ck->registry.count / 10;
    return !m->x || differences_count(&m->differences) > (most > FEW ? most : FEW);
}

/* True for a diffusers class recognised by its names. If shapes differ, it may be an unpublished size of
 * it. */
static bool is_resized(const struct model *m)
{
    return m->x && m->differences.mismatched && library_class(m->entry).n;
}

static void start_again(struct model *model, const char *from, const numel_error *why)
{
    model_undo(model);
    config_suppose(model->config, (numel_str){ NULL, 0 });
    model->from = from;
    model->why = *why;
}

NUMEL_MUST static bool try_tensors(struct model *model, const numel_knowledge *k, bool may_search,
                                   numel_error *e)
{
    const char *from = model->from;
    const numel_error why = model->why;
    if (!model_choose_by_tensors(model, e)) return false;
    if (!model->entry) return true;
    if (!decide(model, k, false, e)) return false;
    bool resized = may_search && is_resized(model), another = is_another(model);
    if (!resized && !another) return true;
    start_again(model, from, &why);
    if (!resized) return true;
    if (!decide(model, k, true, e)) return false;
    if (another || (model->x && differences_count(&model->differences) == 0)) return true;
    start_again(model, from, &why);
    return model_choose_by_tensors(model, e) && (!model->entry || decide(model, k, false, e));
}

bool model_decide(struct model *model, const numel_knowledge *k, bool may_search, numel_error *e)
{
    numel_error variant = { .code = NUMEL_OK };
    model->why = model->unread;
    if (model->inner->training.alone)
        return error_set(&model->why, NUMEL_E_ARCH, NUMEL_NOWHERE, "it has optimizer states, but no weights"),
               true;
    if (model->other)
        return error_set(&model->why, NUMEL_E_ARCH, NUMEL_NOWHERE, "the file is: %s", model->other->name),
               true;
    if (!file_ranks(model->ck, &model->ranks, e)) return false;
    if (model->ranks > 1)
        return error_set(&model->why, NUMEL_E_ARCH, NUMEL_NOWHERE,
                         "the file is one of %zu, each with a part of every matrix", model->ranks),
               true;
    bool ok = model_choose(model, k, e);
    if (ok && !model->entry && !k->architecture) ok = try_tensors(model, k, may_search, e);
    ok = ok && (model->x || decide(model, k, may_search, e)) && llama_cpp_blame(model, e);
    if (ok && model_is_variant(model, &variant)) start_again(model, NULL, &variant);
    model->broken = is_broken(model);
    return ok && (!model->x || !model->ck || reasons_make(model, e));
}

void model_undo(struct model *model)
{
    struct config_inferred inferred = { NULL, 0, 0 };
    config_swap_inferred(model->config, &inferred);
    config_free_inferred(model->config, &inferred);
    expansion_free(model->x);
    expansion_free(model->folded);
    model->x = model->folded = NULL;
    match_done(&model->inner->match);
    naming_done(&model->inner->naming);
    arena_reset(&model->made);
    if (model->ck && model->ck->named) shapes_forget(model->ck);
    model->inner->naming = (struct naming){ .registry = NULL };
    model->inner->match = (struct match){ .model = NULL };
    model->differences = (struct differences){ .gaps = NULL };
    model->counts = (struct counts){ .stored = 0 };
    model->entry = NULL;
    model->spec = NULL;
    model->architecture = model->called = model->alike = model->kind = model->product = NULL;
    model->inferred = model->broken = model->by_tensors = false;
    model->side = model_is_gguf(model) ? SIDE_GGUF : SIDE_HF;
}

static const numel_knowledge nothing;

/* Indexes the metadata of safetensors, in which a quantizer may describe each weight. */
NUMEL_MUST static bool index_metadata(struct model *model, numel_error *e)
{
    struct names *n = &model->inner->by_meta;
    size_t count = model->ck && model->side == SIDE_HF ? model->ck->metadata.count : 0;
    if (!count) return true;
    const struct metadata_entry *entries = model->ck->metadata.entries;
    if (!names_reserve(n, count, e)) return false;
    for (size_t i = 0; i < count; i++) names_enter(n, entries, i);
    for (size_t i = 0; i < count; i++)
        model->inner->meta_dotted |= text_find(entries[i].key, 0, '.') < entries[i].key.n;
    return true;
}

/* Creates the model with its library and configuration. */
NUMEL_MUST static struct model *new_model(const numel_checkpoint *ck, const char *path,
                                          const numel_knowledge *k, const numel_allocator *m, numel_error *e)
{
    struct whole {
        struct model model; /* first, so that freeing the model frees both */
        struct model_inner inner;
    } *whole = memory_resize(m, NULL, sizeof *whole);
    if (!whole) {
        error_nomem(e);
        return NULL;
    }
    struct model *model = &whole->model;
    *whole = (struct whole){ .model = { .ck = ck, .inner = &whole->inner } };
    arena_init(&model->arena, m);
    arena_init(&model->made, m);
    error_clear(&model->unread);
    names_init(&whole->inner.by_meta, m, sizeof *ck->metadata.entries);
    model->side = model_is_gguf(model) ? SIDE_GGUF : SIDE_HF;
    model->other = file_kind_of(ck);
    struct model_inner *inner = model->inner;
    bool named = !ck || (meanings_init(&inner->meanings, &ck->registry, &model->arena, e) &&
                         training_make(&inner->training, &ck->registry, &model->arena, e));
    if (named && index_metadata(model, e) && open_library(model, k, e) && find_config(model, path, k, e) &&
        name_type(model, e) && add_quantization(model, e))
        return model;
    model_free(model);
    return NULL;
}

/* Returns the model; frees it and returns NULL if not ok. */
static struct model *model_or_free(struct model *model, bool ok)
{
    if (ok) return model;
    model_free(model);
    return NULL;
}

const struct presence *model_presence(const struct model *m) { return &m->inner->presence; }

struct model *model_make(const numel_checkpoint *ck, const numel_knowledge *k, bool may_search,
                         const numel_allocator *m, numel_error *e)
{
    if (!k) k = &nothing;
    struct model *model = new_model(ck, NULL, k, m, e);
    return model_or_free(model, model && model_decide(model, k, may_search, e) && search_class(model, k, e) &&
                                    model_sets_known(model, k, e));
}

struct model *model_of_config(const char *path, const numel_knowledge *k, const numel_allocator *m,
                              numel_error *e)
{
    if (!k) k = &nothing;
    struct model *model = new_model(NULL, path, k, m, e);
    return model_or_free(model, model && model_decide(model, k, false, e) && model_sets_known(model, k, e));
}

struct model *model_of_adapter(const numel_checkpoint *ck, const numel_allocator *m, numel_error *e)
{
    struct model *model = new_model(ck, NULL, &nothing, m, e);
    if (!model) return NULL;
    error_set(&model->why, NUMEL_E_KEY, NUMEL_NOWHERE, "an adapter");
    bool ok = try_tensors(model, &nothing, false, e);
    if (ok && model->x) return model_or_free(model, reasons_make(model, e));
    error_clear(&model->why);
    if (!ok || !model_choose(model, &nothing, e)) return model_or_free(model, false);
    error_clear(&model->why);
    error_set(&model->why, NUMEL_E_KEY, NUMEL_NOWHERE,
              "an adapter has no formula of its own (see 'numel show' for what it changes)");
    return model;
}

void model_free(struct model *model)
{
    if (!model) return;
    const numel_allocator *m = model->arena.memory;
    match_done(&model->inner->match);
    expansion_free(model->x);
    expansion_free(model->folded);
    naming_done(&model->inner->naming);
    names_done(&model->inner->by_meta);
    training_done(&model->inner->training);
    config_free(model->config);
    library_linked_free(&model->linked, m);
    library_free(model->library);
    arena_done(&model->made);
    arena_done(&model->arena);
    memory_release(m, model);
}
