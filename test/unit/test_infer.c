/*
 * test_infer.c -- lost configurations, recovered from the tensors.
 *
 * The oracle is what transformers builds (NUMEL_SHARED): each inventory is given without its
 * configuration, which is inferred and expanded, and must give every tensor and the same total.
 * NUMEL_INFER_ALL adds the architectures for which this is not promised: a minute, to be read by a person.
 * NUMEL_INFER_SHOW prints what was inferred.
 */
#include "../support/check.h"
#include "formula.h"

#include "formula/infer.h"
#include "formula/library.h"

#include <dirent.h>
#include <stdio.h>

static struct library *library;

static int open_library(void **state)
{
    (void)state;
    numel_error e = { 0 };
    return library_open(&library, &memory_malloc, &e) ? 0 : -1;
}

static int close_library(void **state)
{
    (void)state;
    library_free(library);
    return 0;
}

/* ---- a file ----------------------------------------------------------------------------------- */

struct tensor {
    const char *name;
    uint64_t dims[8];
    unsigned ndim;
    size_t of; /* the tensor of which this is another spelling, or itself */
    bool met;
};

enum { ANSWERS = 256 };

struct tensors {
    struct tensor *items;
    size_t count, own;
    struct arena arena;
    struct { /* globs that were queried: the same ones for every combination of flags */
        const char *glob;
        bool there;
    } answers[ANSWERS];
    size_t answer_count;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tensor *)a)->name, ((const struct tensor *)b)->name);
}

/* Own names come first, sorted; then the other spellings, sorted. */
static struct tensor *find(struct tensors *t, const char *name)
{
    struct tensor key = { .name = name };
    struct tensor *x = t->own ? bsearch(&key, t->items, t->own, sizeof key, by_name) : NULL;
    if (!x && t->count > t->own) x = bsearch(&key, t->items + t->own, t->count - t->own, sizeof key, by_name);
    return x ? &t->items[x->of] : NULL;
}

static bool has(void *ctx, const char *glob, bool *there, numel_error *e)
{
    struct tensors *t = ctx;
    (void)e;
    *there = find(t, glob);
    if (*there || !strpbrk(glob, "*?[")) return true;
    for (size_t i = 0; i < t->answer_count; i++)
        if (strcmp(t->answers[i].glob, glob) == 0) return *there = t->answers[i].there, true;
    for (size_t i = 0; !*there && i < t->count; i++) *there = text_glob(glob, text_of(t->items[i].name));
    const char *own = arena_text(&t->arena, glob, strlen(glob));
    if (own && t->answer_count < ANSWERS) {
        t->answers[t->answer_count].glob = own;
        t->answers[t->answer_count++].there = *there;
    }
    return true;
}

static bool dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e)
{
    struct tensor *x = find(ctx, name);
    (void)e;
    *size = x && axis < x->ndim ? x->dims[axis] : PRESENCE_NONE;
    return true;
}

static bool next(void *ctx, size_t i, numel_str *name)
{
    struct tensors *t = ctx;
    if (i >= t->count) return false;
    *name = text_of(t->items[i].name);
    return true;
}

static void add(struct tensors *t, const char *name, const uint64_t *dims, unsigned n)
{
    t->items = realloc(t->items, (t->count + 1) * sizeof *t->items);
    assert_non_null(t->items);
    struct tensor *x = &t->items[t->count++];
    *x = (struct tensor){ .name = name, .ndim = n };
    for (unsigned i = 0; i < n && i < 8; i++) x->dims[i] = dims[i];
}

static void finish(struct tensors *t, const struct spec *spec)
{
    arena_init(&t->arena, &memory_malloc);
    if (t->count) qsort(t->items, t->count, sizeof *t->items, by_name);
    t->own = t->count;
    for (size_t i = 0; i < t->own; i++) {
        numel_str name = text_of(t->items[i].name), other;
        t->items[i].of = i;
        for (size_t at = 0; (other = spec_rename(spec, name, SPELLED_ANYWHERE, &at, &t->arena)).p;) {
            struct tensor own = t->items[i]; /* they move */
            add(t, other.p, own.dims, own.ndim);
            t->items[t->count - 1].of = i;
        }
    }
    if (t->count > t->own) qsort(t->items + t->own, t->count - t->own, sizeof *t->items, by_name);
}

static void done(struct tensors *t)
{
    arena_done(&t->arena);
    free(t->items);
}

/* "model.embed_tokens.weight 32000 4096|..."; the caller frees the names */
static void add_text(struct tensors *t, const char *text)
{
    char *copy = strdup(text), *at = copy;
    *t = (struct tensors){ 0 };
    assert_non_null(copy);
    for (char *line = strtok_r(copy, "|", &at); line; line = strtok_r(NULL, "|", &at)) {
        char *name = strdup(line), *space = strchr(name, ' ');
        uint64_t dims[8];
        unsigned n = 0;
        for (char *p = space; p && *p && n < 8;) dims[n++] = strtoull(p, &p, 10);
        if (space) *space = 0;
        add(t, name, dims, n);
    }
    free(copy);
}

/* ---- one inference ---------------------------------------------------------------------------- */

struct guess {
    struct config *config;
    struct spec *spec;
    struct tensors tensors;
    struct infer_file file;
    struct inference found;
};

static void parse_arch(struct guess *g, const char *arch)
{
    numel_error e = { 0 };
    const struct library_entry *entry = library_find(library, text_of(arch));
    assert_non_null(entry);
    if (!library_parse(library, entry, NULL, &g->spec, &memory_malloc, NULL, &e)) fail_msg("%s", e.what);
}

static bool run(struct guess *g, const char *json, const numel_allocator *m, numel_error *e)
{
    g->config = configured(json);
    g->file = (struct infer_file){ .names = { .has = has, .dim = dim, .ctx = &g->tensors }, .next = next };
    struct infer_input in = { .spec = g->spec, .config = g->config, .file = &g->file };
    POISON(g->found);
    *e = (numel_error){ 0 };
    return infer(&g->found, &in, m, e);
}

static void release(struct guess *g)
{
    infer_done(&g->found);
    config_free(g->config);
    spec_free(g->spec);
    done(&g->tensors);
}

static const struct infer_result *result(const struct guess *g, const char *key)
{
    for (size_t i = 0; i < g->found.count; i++)
        if (strcmp(g->found.items[i].key, key) == 0) return &g->found.items[i];
    return NULL;
}

static void expect_int(const struct guess *g, const char *key, int64_t value)
{
    const struct infer_result *r = result(g, key);
    if (!r) fail_msg("%s was not inferred", key);
    if (r->value.kind != VALUE_INT || r->value.i != value)
        fail_msg("%s is %" PRId64 ", not %" PRId64, key, r->value.i, value);
    assert_int_equal(r->value.evidence, EVIDENCE_INFERRED);
}

/* ---- the oracle ------------------------------------------------------------------------------- */

/* Same total, no missing and no unexpected tensor; otherwise reports the mismatch. */
static bool same(struct guess *g, const json_value *root, char *why, size_t size)
{
    struct presence file = g->file.names;
    struct expansion *x;
    numel_error e;
    int64_t total = 0;
    if (!expanded(&x, g->spec, g->config, SIDE_HF, &file, &e))
        return snprintf(why, size, "%s", e.what), false;
    *why = 0;
    for (size_t i = 0; i < x->row_count; i++) {
        const struct site *site = &x->sites[x->rows[i].site];
        struct tensor *t = find(&g->tensors, x->rows[i].name.p);
        if (site->group != NO_GROUP && x->groups[site->group].chosen != site->alternative) continue;
        if (t) t->met = true;
        bool fits = t && t->ndim == site->ndim;
        for (unsigned k = 0; fits && k < site->ndim; k++) fits = t->dims[k] == site->dims[k];
        if (!fits && !site->tied && !site->optional && !*why)
            snprintf(why, size, "%s %s", t ? "other shape:" : "missing:", x->rows[i].name.p);
    }
    for (size_t i = 0; i < g->tensors.own && !*why; i++)
        if (!g->tensors.items[i].met) snprintf(why, size, "unexpected: %s", g->tensors.items[i].name);
    json_integer(json_get(root, "num_parameters"), &total);
    if (!*why && (uint64_t)total != x->totals.parameters)
        snprintf(why, size, "%" PRIu64 " parameters, not %" PRId64, x->totals.parameters, total);
    expansion_free(x);
    return !*why;
}

static void add_oracle(struct tensors *t, const json_value *object, const json_value *tied)
{
    for (const json_value *x = json_first(object); x; x = json_next(x)) {
        uint64_t dims[8];
        unsigned n = 0;
        int64_t v;
        if (json_kind(x) != JSON_ARRAY || (tied && json_get(tied, json_name(x)))) continue;
        for (const json_value *d = json_first(x); d && n < 8; d = json_next(d))
            dims[n++] = json_integer(d, &v) ? (uint64_t)v : 0;
        add(t, json_name(x), dims, n);
    }
}

/* The spec selected by the configuration, before the configuration is dropped. */
static const char *arch_of(const json_value *root)
{
    const char *type = json_text_of(json_get(json_get(root, "config"), "model_type"));
    char json[256];
    numel_error e = { 0 };
    snprintf(json, sizeof json, "{\"model_type\":\"%s\"}", type ? type : "");
    struct config *c = configured(json);
    const struct library_entry *entry = library_match(library, c, SIDE_HF, &e);
    config_free(c);
    return entry ? entry->name : NULL;
}

struct tallied {
    unsigned passed, all, bad;
};

static bool is_needed(const char *arch)
{
    static const char *const names[] = { "llama", "qwen2",  "qwen3_moe", "mixtral", "gpt2", "bert",
                                         "t5",    "falcon", "mamba",     "phi3",    "opt" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], arch) == 0) return true;
    return false;
}

static void check(const char *path, const json_value *root, struct tallied *t)
{
    struct guess g = { 0 };
    numel_error e;
    char why[600], shown[VALUE_SHOW];
    const char *arch = arch_of(root);
    if (!arch || !(is_needed(arch) || getenv("NUMEL_INFER_ALL"))) return;
    const json_value *tied = json_get(root, "tied");
    add_oracle(&g.tensors, json_get(root, "params"), tied);
    add_oracle(&g.tensors, json_get(root, "buffers"), tied);
    parse_arch(&g, arch);
    finish(&g.tensors, g.spec);
    if (!run(&g, NULL, &memory_malloc, &e)) fail_msg("%s: %s", path, e.what);
    bool ok = same(&g, root, why, sizeof why);
    t->all++;
    t->passed += ok;
    if (!ok || getenv("NUMEL_INFER_SHOW")) print_message("  %s (%s): %s\n", path, arch, why);
    for (size_t i = 0; (!ok || getenv("NUMEL_INFER_SHOW")) && i < g.found.count; i++)
        print_message("    %s = %s (%s)\n", g.found.items[i].key, value_show(shown, &g.found.items[i].value),
                      g.found.items[i].note);
    t->bad += !ok && is_needed(arch);
    release(&g);
}

static json_value *read_json(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(f);
    rewind(f);
    char *text = malloc(size + 1);
    assert_non_null(text);
    numel_error e = { 0 };
    size = fread(text, 1, size, f);
    json_value *root = json_doc_parse(text, size, &e);
    free(text);
    fclose(f);
    return root;
}

static void oracle(void **state)
{
    (void)state;
    static const char *const folders[] = { "hf-default", "hf-resized", "hf-published" };
    const char *shared = getenv("NUMEL_SHARED");
    struct tallied t = { 0 };
    for (size_t i = 0; i < 3; i++) {
        char folder[1000], path[2000];
        snprintf(folder, sizeof folder, "%s/oracle/%s", shared ? shared : "../shared", folders[i]);
        struct dirent **list;
        int n = scandir(folder, &list, NULL, alphasort);
        for (int k = 0; k < n; k++) {
            snprintf(path, sizeof path, "%s/%s", folder, list[k]->d_name);
            json_value *root = text_ends(text_of(list[k]->d_name), ".json") ? read_json(path) : NULL;
            if (root) check(path, root, &t);
            json_doc_free(root);
            free(list[k]);
        }
        if (n >= 0) free(list);
    }
    if (!t.all) skip();
    print_message("  %u of %u inventories explained without a configuration\n", t.passed, t.all);
    assert_int_equal(t.bad, 0);
}

/* ---- by hand ---------------------------------------------------------------------------------- */

static const char small[] = /* two layers: E 12, H*D 8, K*D 4, F 20, V 40; tied */
    "model.embed_tokens.weight 40 12|model.norm.weight 12|"
    "model.layers.0.input_layernorm.weight 12|model.layers.0.post_attention_layernorm.weight 12|"
    "model.layers.0.self_attn.q_proj.weight 8 12|model.layers.0.self_attn.k_proj.weight 4 12|"
    "model.layers.0.self_attn.v_proj.weight 4 12|model.layers.0.self_attn.o_proj.weight 12 8|"
    "model.layers.0.mlp.gate_proj.weight 20 12|model.layers.0.mlp.up_proj.weight 20 12|"
    "model.layers.0.mlp.down_proj.weight 12 20|"
    "model.layers.1.input_layernorm.weight 12|model.layers.1.post_attention_layernorm.weight 12|"
    "model.layers.1.self_attn.q_proj.weight 8 12|model.layers.1.self_attn.k_proj.weight 4 12|"
    "model.layers.1.self_attn.v_proj.weight 4 12|model.layers.1.self_attn.o_proj.weight 12 8|"
    "model.layers.1.mlp.gate_proj.weight 20 12|model.layers.1.mlp.up_proj.weight 20 12|"
    "model.layers.1.mlp.down_proj.weight 12 20";

static void start(struct guess *g, const char *text, const char *more, const char *json)
{
    char all[4000];
    numel_error e;
    *g = (struct guess){ 0 };
    snprintf(all, sizeof all, "%s%s%s", text, more ? "|" : "", more ? more : "");
    add_text(&g->tensors, all);
    parse_arch(g, "llama");
    finish(&g->tensors, g->spec);
    if (!run(g, json, &memory_malloc, &e)) fail_msg("%s", e.what);
    for (size_t i = 0; getenv("NUMEL_INFER_SHOW") && i < g->found.count; i++)
        print_message("    %s: %s\n", g->found.items[i].key, g->found.items[i].note);
}

static void stop(struct guess *g)
{
    for (size_t i = 0; i < g->tensors.own; i++) free((char *)(uintptr_t)g->tensors.items[i].name);
    release(g);
}

static void without_anything(void **state)
{
    (void)state;
    struct guess g;
    start(&g, small, NULL, NULL);
    expect_int(&g, "hidden_size", 12);
    expect_int(&g, "vocab_size", 40);
    expect_int(&g, "num_hidden_layers", 2);
    expect_int(&g, "intermediate_size", 20);
    expect_int(&g, "head_dim", 4); /* no usual size divides 4 and 8 */
    expect_int(&g, "num_attention_heads", 2);
    expect_int(&g, "num_key_value_heads", 1);
    assert_true(result(&g, "head_dim")->chosen);
    assert_true(result(&g, "num_attention_heads")->chosen);
    assert_false(result(&g, "hidden_size")->chosen);
    assert_string_equal(result(&g, "vocab_size")->note, "axis 0 of 'model.embed_tokens.weight'");
    assert_true(result(&g, "tie_word_embeddings")->value.b); /* there is no head */
    assert_null(result(&g, "attention_bias"));               /* because of `?? false` */
    assert_int_equal(g.found.matched, 20);
    assert_int_equal(g.found.missing + g.found.conflicts, 0);
    assert_true(g.found.complete);
    stop(&g);
}

/* Declared or set keys are left alone; keys they imply are not inferred. */
static void declared_keys_stay(void **state)
{
    (void)state;
    struct guess g;
    struct value v;
    numel_error e = { 0 };
    numel_str path = text_of("hidden_size");
    start(&g, small, NULL, "{\"hidden_size\":16,\"num_attention_heads\":4,\"tie_word_embeddings\":true}");
    assert_null(result(&g, "hidden_size"));
    assert_null(result(&g, "num_attention_heads"));
    assert_null(result(&g, "tie_word_embeddings"));
    expect_int(&g, "head_dim", 2);
    expect_int(&g, "num_key_value_heads", 2);
    assert_false(result(&g, "head_dim")->chosen);
    assert_true(g.found.conflicts > 0); /* the tensors contradict 16 */
    assert_true(config_value(g.config, NULL, SIDE_HF, &path, 1, &v, &e));
    assert_int_equal(v.i, 16);
    assert_int_equal(v.evidence, EVIDENCE_DECLARED);
    stop(&g);
}

/* A class default that the tensors contradict is dropped; one that fits stays. */
static void defaults_give_way(void **state)
{
    (void)state;
    struct guess g;
    start(&g, small, NULL, "{\"model_type\":\"llama\"}");
    expect_int(&g, "hidden_size", 12);
    assert_non_null(result(&g, "tie_word_embeddings"));
    stop(&g);
}

static void flags(void **state)
{
    (void)state;
    struct guess g;
    start(&g, small,
          "lm_head.weight 40 12|model.layers.0.mlp.up_proj.bias 20|"
          "model.layers.0.mlp.gate_proj.bias 20|model.layers.0.mlp.down_proj.bias 12|"
          "model.layers.1.mlp.up_proj.bias 20|model.layers.1.mlp.gate_proj.bias 20|"
          "model.layers.1.mlp.down_proj.bias 12",
          NULL);
    assert_non_null(result(&g, "mlp_bias"));
    assert_true(result(&g, "mlp_bias")->value.b);
    assert_null(result(&g, "attention_bias"));
    assert_null(result(&g, "tie_word_embeddings"));
    stop(&g);
}

/* Head size from the only tensor that has it; the majority decides; absurd numbers in names are ignored. */
static void odd_files(void **state)
{
    (void)state;
    struct guess g;
    start(&g, small, "model.layers.0.self_attn.rotary_emb.inv_freq 1", NULL);
    expect_int(&g, "head_dim", 2);
    assert_false(result(&g, "head_dim")->chosen);
    stop(&g);
    start(&g, small, "lm_head.weight 40 13", NULL);
    expect_int(&g, "hidden_size", 12);
    assert_true(g.found.conflicts > 0);
    stop(&g);
    start(&g, small,
          "model.layers.99999.mlp.up_proj.weight 20 12|"
          "model.layers.18446744073709551617.mlp.up_proj.weight 20 12|"
          "model.layers.7",
          NULL);
    expect_int(&g, "num_hidden_layers", 2);
    stop(&g);
    start(&g, "nothing.of.this 9223372036854775807 18446744073709551615|model.norm.weight", NULL, NULL);
    assert_null(result(&g, "hidden_size"));
    stop(&g);
    start(&g, "model.embed_tokens.weight 0 18446744073709551615|model.norm.weight 0", NULL, NULL);
    stop(&g);
}

static void out_of_memory(void **state)
{
    (void)state;
    struct scarce scarce = { 0 };
    struct numel_allocator m = { scarce_resize, &scarce };
    struct guess g = { 0 };
    numel_error e;
    size_t n = 0;
    add_text(&g.tensors, small);
    parse_arch(&g, "llama");
    finish(&g.tensors, g.spec);
    for (bool ok = false; !ok; n += check_every()) {
        scarce = (struct scarce){ .left = n };
        ok = run(&g, NULL, &m, &e);
        if (!ok) assert_int_equal(e.code, NUMEL_E_NOMEM);
        else infer_done(&g.found);
        config_free(g.config);
        assert_int_equal(scarce.live, 0);
    }
    assert_true(n > 10); /* trials share their memory: few are allocated */
    for (size_t i = 0; i < g.tensors.own; i++) free((char *)(uintptr_t)g.tensors.items[i].name);
    done(&g.tensors);
    spec_free(g.spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_anything),
        cmocka_unit_test(declared_keys_stay),
        cmocka_unit_test(defaults_give_way),
        cmocka_unit_test(flags),
        cmocka_unit_test(odd_files),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(oracle),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
