/*
 * module_width.c -- see module_width.h.
 */
#include "model/module_width.h"

#include "base/text.h"
#include "model/config_file.h"
#include "model/config_sizes.h"
#include "source/folder.h"

static int64_t out_of_dense(const json_value *doc) { return size_at(doc, "out_features"); }
static int64_t out_of_words(const json_value *doc) { return (int64_t)json_count(json_get(doc, "vocab")); }
static int64_t out_of_towers(const json_value *doc) { return size_at(doc, "projection_dim"); }
static int64_t out_of_encoder(const json_value *doc) { return size_at(doc, "hidden_dim"); }

static int64_t out_of_lstm(const json_value *doc)
{
    const json_value *both = json_get(doc, "bidirectional");
    return size_at(doc, "hidden_dim") * (!both || json_true(both) ? 2 : 1);
}

static int64_t out_of_cnn(const json_value *doc)
{
    return size_at(doc, "out_channels") * (int64_t)json_count(json_get(doc, "kernel_sizes"));
}

static const struct module_width rules[] = {
    { "BoW", NULL, { NULL }, out_of_words },
    { "CLIPModel", NULL, { NULL }, out_of_towers },
    { "Normalize", NULL, { NULL }, NULL },
    { "Dropout", NULL, { NULL }, NULL },
    { "WordWeights", NULL, { NULL }, NULL },
    { "LayerNorm", NULL, { "dimension" }, NULL },
    { "WeightedLayerPooling", NULL, { "embedding_dimension", "word_embedding_dimension" }, NULL },
    { "Dense", NULL, { "in_features" }, out_of_dense },
    { "SparseAutoEncoder", NULL, { "input_dim" }, out_of_encoder },
    { "LSTM", "lstm_config.json", { "embedding_dimension", "word_embedding_dimension" }, out_of_lstm },
    { "CNN", "cnn_config.json", { "in_embedding_dimension", "in_word_embedding_dimension" }, out_of_cnn },
};

const struct module_width *module_width(const char *class)
{
    for (size_t i = 0; class && i < sizeof rules / sizeof *rules; i++)
        if (strcmp(class, rules[i].class) == 0) return &rules[i];
    return NULL;
}

/* ---- following modules --------------------------------------------------------------------- */

/* The stated input width; 0 if there is none. *pass is true if the module accepts any width and outputs
 * the same. */
static int64_t width_said(const char *class, const json_value *doc, bool *pass)
{
    static const char *const pooled[] = { "embedding_dimension", "word_embedding_dimension" };
    const struct module_width *rule = module_width(class);
    const char *name = json_text_of(json_get(doc, "module_input_name"));
    *pass = rule && !rule->in[0] && !rule->out;
    if (class && strcmp(class, "Pooling") == 0) return size_first(doc, pooled, 2);
    return rule && (!name || strcmp(name, "sentence_embedding") == 0) ? size_first(doc, rule->in, 2) : 0;
}

struct behind {
    struct arena *arena;
    const char *dir; /* the folder of modules.json */
    numel_error *error;
};

NUMEL_MUST static bool ask_next(const struct behind *b, const json_value *module, int64_t *width, bool *pass)
{
    numel_error ignored = { .code = NUMEL_OK };
    const char *type = json_text_of(json_get(module, "type")), *path = json_text_of(json_get(module, "path"));
    const char *dot = type ? strrchr(type, '.') : NULL, *class = dot ? dot + 1 : type;
    *pass = false;
    if (!class || !path) return true;
    const struct module_width *rule = module_width(class);
    const char *file = arena_format(b->arena, "%s/%s%s%s", b->dir, path, path[0] ? "/" : "",
                                    rule && rule->file ? rule->file : "config.json");
    if (!file) return error_nomem(b->error);
    json_value *doc = path_kind(file) == PATH_FILE ? config_file_read(file, b->arena, &ignored) : NULL;
    *width = width_said(class, doc, pass);
    json_doc_free(doc);
    return ignored.code != NUMEL_E_NOMEM || error_nomem(b->error);
}

/* The entry for the module in that folder, or NULL. */
static const json_value *find_module(const json_value *doc, const char *dir, const char *own)
{
    numel_str place = text_of(own);
    size_t n = strlen(dir);
    place = place.n > n && memcmp(own, dir, n) == 0 && own[n] == '/' ? text_from(place, n + 1) : text_of("");
    for (const json_value *v = json_first(doc); v; v = json_next(v)) {
        const char *path = json_text_of(json_get(v, "path"));
        numel_str said = text_of(path ? path : "?");
        while (text_last(said) == '/') said = text_less(said, 1);
        if (text_equal(said, ".")) said.n = 0;
        if (text_same(said, place)) return v;
    }
    return NULL;
}

bool module_width_behind(const char *index, const char *own, int64_t *width, struct arena *a, numel_error *e)
{
    numel_error ignored = { .code = NUMEL_OK };
    numel_str base = path_base(index);
    struct behind b = { .arena = a, .error = e };
    size_t n = (size_t)(base.p - index);
    bool ok = true, pass = true;
    *width = 0;
    b.dir = arena_text(a, n ? index : ".", n ? n - 1 : 1);
    if (!b.dir) return error_nomem(e);
    json_value *doc = config_file_read(index, a, &ignored);
    if (ignored.code == NUMEL_E_NOMEM) return error_nomem(e);
    const json_value *v = find_module(doc, b.dir, own);
    while (ok && v && pass && !*width && (v = json_next(v))) ok = ask_next(&b, v, width, &pass);
    json_doc_free(doc);
    return ok;
}
