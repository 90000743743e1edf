/*
 * memory.c -- computes the memory of a model: the expansion with its caches, the sizes for an estimate, the
 * sums.
 *
 * Without a specification, caches are inferred from names and shapes (by_name.c). Reports state this, and it
 * proves nothing.
 */
#include "memory/memory.h"

#include "base/num.h"
#include "base/text.h"
#include "memory/by_name.h"
#include "memory/expression.h"
#include "model/context.h"
#include "model/said_type.h"

/* ---- caches ----------------------------------------------------------------------------------- */

static bool has_cache_lines(const struct spec *s)
{
    for (uint32_t i = 0; i < s->line_count; i++)
        if (s->lines[i].kind == LINE_CACHE) return true;
    return false;
}

/* No specification in these families has cache lines, and none of their models reads a context or keeps
 * anything between calls; `make caches` checks this against test/truth/nocache.txt. The memory during a call is
 * not estimated. */
static bool is_of(const struct library_entry *entry, const char *family)
{
    return entry && entry->family && strcmp(entry->family, family) == 0;
}

/* True for images, video and sound. The specifications of their single files are the family "original". */
static bool is_diffusion(const struct library_entry *entry)
{
    return is_of(entry, "diffusion") || is_of(entry, "original");
}

static bool keeps_nothing(const struct library_entry *entry)
{
    return is_diffusion(entry) || is_of(entry, "timm") || is_of(entry, "vision");
}

bool memory_expand(const struct memory *m, bool folded, struct expansion **out, numel_error *why)
{
    struct model *model = m->handle->model;
    struct expand_input in = { .spec = model->spec,
                               .config = model->config,
                               .side = model->side,
                               .other_values = model->side == SIDE_GGUF && config_has_json(model->config),
                               .file = model->ck ? model_presence(model) : NULL,
                               .llama_cpp = m->ask.run.runtime == RUNTIME_LLAMA_CPP,
                               .cache = true,
                               .unnamed = !folded };
    bool ok = (folded ? expand_folded : expand)(out, &in, m->arena->memory, why);
    if (!ok) *out = NULL;
    return ok;
}

NUMEL_MUST static bool expand_cache(struct memory *m, numel_error *e)
{
    const struct model *model = m->handle->model;
    numel_error why = { .code = NUMEL_OK };
    if (!memory_expand(m, true, &m->x, &why)) {
        if (why.code == NUMEL_E_NOMEM) return error_nomem(e);
        m->cache_why = arena_text(m->arena, why.what, strlen(why.what));
        return m->cache_why || error_nomem(e);
    }
    m->cache_known = cache_known(m->x) || (error_free(&m->x->cache_why) &&
                                           (has_cache_lines(model->spec) || keeps_nothing(model->entry)));
    if (!m->cache_known)
        m->cache_why = error_free(&m->x->cache_why) ? "the specification does not say what its layers keep"
                                                    : m->x->cache_why.what;
    return true;
}

NUMEL_MUST static bool find_caches(struct memory *m, numel_error *e)
{
    const struct model *model = m->handle->model;
    if (model_formula(model)) {
        if (!expand_cache(m, e) || !memory_contradiction(m, e)) return false;
        m->cache_known &= !m->cache_why;
        return true;
    }
    m->cache_why = model->why.what[0] ? model->why.what : "no configuration was found (--config)";
    return !model->ck || model->broken || m->handle->no_model || memory_by_name(m, e);
}

bool memory_cache_at(const struct memory *m, uint64_t context, uint64_t batch, struct cache_bytes *out,
                     numel_error *e)
{
    struct memory_run run = m->ask.run;
    run.context = context;
    run.batch = batch;
    *out = (struct cache_bytes){ .bytes = 0 };
    if (!m->cache_known || m->idle) return true;
    if (m->part_count) return memory_cache_of_parts(m, context, batch, out, e);
    return m->by_name ? memory_by_name_cache(m, &run, out, e) : memory_cache(out, m->x, &run, e);
}

/* ---- the estimate ----------------------------------------------------------------------------- */

bool memory_value(const struct memory *m, size_t place, const char *key, struct value *out, numel_error *e)
{
    static const char *const places[MEMORY_PLACES] = {
        "", "text_config.", "llm_config.", "language_config.", "thinker_config.text_config.", "decoder."
    };
    const struct model *model = m->handle->model;
    char path[128];
    numel_error why = { .code = NUMEL_OK };
    numel_str whole = text_join(path, sizeof path, text_of(places[place]), text_of(key), text_of(""));
    if (config_value(model->config, model->spec, model->side, &whole, 1, out, &why)) return true;
    *out = value_null();
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* Gets the first of the keys that has a size; *out stays 0 if there is none. */
bool memory_size(const struct memory *m, const char *const *keys, uint64_t *out, numel_error *e)
{
    for (size_t p = 0; p < MEMORY_PLACES && !*out; p++)
        for (size_t i = 0; keys[i] && !*out; i++) {
            struct value v;
            if (!memory_value(m, p, keys[i], &v, e)) return false;
            if (v.kind == VALUE_INT && v.i > 0) *out = (uint64_t)v.i;
        }
    return true;
}

NUMEL_MUST static bool find_sizes(struct memory *m, numel_error *e)
{
    static const char *const hidden[] = { "hidden_size", "d_model",     "n_embd",    "embedding_length",
                                          "dim",         "in_features", "dimension", NULL };
    static const char *const vocabulary[] = { "vocab_size", NULL };
    struct value v;
    struct config *config = m->handle->model->config;
    if (config && config_symbol(config, text_of("E"), &v) && v.kind == VALUE_INT && v.i > 0)
        m->hidden = (uint64_t)v.i;
    if (config && config_symbol(config, text_of("V"), &v) && v.kind == VALUE_INT && v.i > 0)
        m->vocabulary = (uint64_t)v.i;
    return !config ||
           (memory_size(m, hidden, &m->hidden, e) && memory_size(m, vocabulary, &m->vocabulary, e));
}

/* Gets the type that the configuration names for recurrent states, if it is not that of keys and values. */
NUMEL_MUST static bool find_state_type(struct memory *m, numel_error *e)
{
    static const char *const keys[] = { "mamba_ssm_cache_dtype", "mamba_ssm_dtype", NULL };
    for (size_t p = 0; p < MEMORY_PLACES; p++)
        for (size_t i = 0; keys[i]; i++) {
            struct value v;
            if (!memory_value(m, p, keys[i], &v, e)) return false;
            if (v.kind == VALUE_TEXT && text_equal(v.s, "float32")) m->ask.run.state_bytes = 4;
        }
    return true;
}

/* Estimates one layer at a time, for the tokens read at once, plus the logits of each sequence. */
uint64_t memory_activations(const struct memory *m, uint64_t context, uint64_t batch)
{
    uint64_t tokens = num_min(context, m->ask.run.ubatch), n, words;
    if (m->part_count) return memory_activations_of_parts(m, context, batch);
    if (!num_mul(&n, tokens, batch) || !num_mul(&n, n, m->hidden) || !num_mul(&n, n, 34)) return UINT64_MAX;
    if (!num_mul(&words, m->vocabulary, batch) || !num_mul(&words, words, 4) || !num_add(&n, n, words))
        return UINT64_MAX;
    return n;
}

bool memory_total_at(const struct memory *m, uint64_t context, uint64_t batch, uint64_t *out, numel_error *e)
{
    struct cache_bytes c;
    if (!memory_cache_at(m, context, batch, &c, e)) return false;
    if (num_add(out, m->weights.bytes, c.bytes) &&
        num_add(out, *out, m->rule ? memory_activations(m, context, batch) : 0))
        return true;
    return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the whole does not fit in 64 bits");
}

/* ---- the type of keys and values ---------------------------------------------------------------- */

static const struct kv_type *float_type(const char *dtype)
{
    static const char *const types[][2] = {
        { "F16", "f16" }, { "BF16", "bf16" }, { "F32", "f32" }, { "F64", "f64" }
    };
    for (size_t i = 0; dtype && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], dtype) == 0) return kv_type_find(text_of(types[i][1]));
    return NULL;
}

/* The stored float type with the most elements. */
static const struct kv_type *stored_float(const struct memory *m)
{
    const struct kv_type *most = NULL;
    uint64_t elements = 0;
    for (size_t i = 0; i < m->weights.type_count; i++) {
        const struct memory_type *t = &m->weights.types[i];
        const struct kv_type *type = float_type(t->name);
        if (!type || t->elements <= elements) continue;
        most = type;
        elements = t->elements;
    }
    return most;
}

/* transformers keeps keys and values in the type in which the model computes: the requested load type,
 * else the configuration's type, the type that packed weights are unpacked to, or the stored type. The
 * default is F16, as elsewhere. */
NUMEL_MUST static bool find_kv(struct memory *m, numel_error *e)
{
    struct memory_run *run = &m->ask.run;
    struct model *model = m->handle->model;
    const struct kv_type *type = float_type(m->ask.load);
    const numel_dtype *declared = NULL;
    if (m->ask.kv_given || run->runtime != RUNTIME_TRANSFORMERS || model->side != SIDE_HF) return true;
    if (!type && model->config && !model_declared_type(model, &declared, e)) return false;
    if (!type) type = float_type(declared ? declared->name : NULL);
    if (!type && model->config && !model_compute_type(model, &declared, e)) return false;
    if (!type) type = float_type(declared ? declared->name : NULL);
    if (!type && model->ck) type = stored_float(m);
    if (type) run->k = run->v = type;
    return true;
}

/* ---- all of it -------------------------------------------------------------------------------- */

/* Sets defaults: the format's runtime, and the context that the model was made for. */
NUMEL_MUST static bool find_defaults(struct memory *m, numel_error *e)
{
    struct memory_run *run = &m->ask.run;
    struct model_context context;
    struct model *model = m->handle->model;
    if (!m->ask.runtime_given && model->side == SIDE_GGUF) run->runtime = RUNTIME_LLAMA_CPP;
    if (!model_context(model, &context, e)) return false;
    m->length = context.tokens > 0 ? (uint64_t)context.tokens : 0;
    if (!run->context) run->context = m->length ? m->length : MEMORY_CONTEXT;
    if (run->seqs > run->context * run->batch)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                         "%" PRIu64 " tokens cannot be split among %" PRIu64 " sequences", run->context,
                         run->seqs);
    return find_sizes(m, e) && (!model->config || find_state_type(m, e));
}

bool memory_make(struct memory *out, struct handle *c, const struct memory_ask *ask, struct arena *a,
                 numel_error *e)
{
    *out = (struct memory){ .handle = c, .arena = a, .ask = *ask };
    if (!handle_ready(c, e) || !find_defaults(out, e) || !find_caches(out, e) || !memory_weights(out, e) ||
        !find_kv(out, e))
        return false;
    out->diffusion = is_diffusion(c->model->entry);
    out->no_context = keeps_nothing(c->model->entry);
    const struct memory_run *run = &out->ask.run;
    if (out->x && out->cache_known) out->layer_count = cache_layers(out->layers, out->x);
    if (!memory_cache_at(out, run->context, run->batch, &out->cache, e)) return false;
    if (out->hidden && !out->no_context) {
        out->activations = memory_activations(out, run->context, run->batch);
        out->rule =
            "34 bytes for each token read at once and hidden unit, of one layer at a time, and F32 logits";
    }
    memory_fit(out);
    return memory_split(out, e) && memory_training(out, e);
}

bool memory_make_beside(struct memory *out, struct handle *c, const struct memory_ask *ask, struct arena *a,
                        numel_error *e)
{
    *out = (struct memory){ .handle = c, .arena = a, .ask = *ask, .cache_known = true, .idle = true };
    return handle_ready(c, e) && memory_weights(out, e);
}

bool memory_in_symbols(struct handle *c, struct arena *a, const char **out, numel_error *e)
{
    enum { LONG = 1 << 28 }; /* longer than any window */
    struct memory m = { .handle = c, .arena = a };
    struct cache_bytes sums = { .bytes = 0 };
    char n[TEXT_NUMBER];
    m.ask.run = (struct memory_run){ .k = kv_type_at(0), .v = kv_type_at(0), .context = LONG, .batch = 1 };
    *out = NULL;
    bool ok = expand_cache(&m, e) && memory_cache_at(&m, LONG, 1, &sums, e);
    const char *expression = ok && m.x && m.cache_known ? memory_expression(m.x, a) : "";
    if (ok && expression && expression[0]) {
        const char *bytes = text_number(n, sums.next ? sums.next : sums.bytes);
        *out = arena_format(a, "%s: %s bytes%s in f16", expression, bytes, sums.next ? " a token" : "");
    }
    if (ok && (!expression || (expression[0] && !*out))) ok = error_nomem(e);
    memory_done(&m);
    return ok;
}

void memory_done(struct memory *m)
{
    expansion_free(m->x);
    m->x = NULL;
}
