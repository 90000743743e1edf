/*
 * test_formula.c -- from the configuration to tensors and the formula.
 *
 * Published totals are arithmetic shown in the row, or the num_parameters of transformers itself; the
 * latter's whole inventories are compared if NUMEL_SHARED holds them.
 */
#include "formula.h"

#include "formula/library.h"
#include "formula/terms.h"

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

struct formula {
    struct config *config;
    struct spec *spec;
    struct expansion *x;
    struct terms terms;
};

static void make(struct formula *f, const char *json, const char *arch, enum side side)
{
    numel_error e = { 0 };
    f->config = configured(json);
    const struct library_entry *entry =
        arch ? library_find(library, text_of(arch)) : library_match(library, f->config, side, &e);
    if (!entry || !library_parse(library, entry, f->config, &f->spec, &memory_malloc, NULL, &e) ||
        !expanded(&f->x, f->spec, f->config, side, NULL, &e))
        fail_msg("%s: %s", e.file, e.what);
    POISON(f->terms);
    if (!terms_of(&f->terms, f->x, &e)) fail_msg("%s", e.what);
}

static void unmake(struct formula *f)
{
    terms_done(&f->terms);
    expansion_free(f->x);
    spec_free(f->spec);
    config_free(f->config);
}

static void totals_and_expressions(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        uint64_t total;
        const char *expression;
    } rows[] = {
        /* 2*32000*4096 + 32*(4*4096^2 + 3*4096*11008 + 2*4096) + 4096 */
        { "{\"model_type\":\"llama\"}", 6738415616, "2*V*E + L*(2*E + 2*H*D*E + 2*K*D*E + 3*F*E) + E" },
        /* Llama-2-70B: 64 heads, 8 key-value heads */
        { "{\"model_type\":\"llama\",\"hidden_size\":8192,\"num_hidden_layers\":80,"
          "\"num_attention_heads\":64,\"num_key_value_heads\":8,\"intermediate_size\":28672}",
          68976648192, "2*V*E + L*(2*E + 2*H*D*E + 2*K*D*E + 3*F*E) + E" },
        /* the same, from Meta's params.json; its vocabulary is that of the tokenizer, 32000 */
        { "{\"dim\":8192,\"multiple_of\":4096,\"ffn_dim_multiplier\":1.3,\"n_heads\":64,"
          "\"n_kv_heads\":8,\"n_layers\":80,\"norm_eps\":1e-05,\"vocab_size\":-1}",
          68976648192, "2*V*E + L*(2*E + 2*H*D*E + 2*K*D*E + 3*F*E) + E" },
        /* Llama-3.2-1B: tied, 1,235,814,400 */
        { "{\"model_type\":\"llama\",\"hidden_size\":2048,\"num_hidden_layers\":16,"
          "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":8192,"
          "\"vocab_size\":128256,\"tie_word_embeddings\":true}",
          1235814400, "V*E + L*(2*E + 2*H*D*E + 2*K*D*E + 3*F*E) + E" },
        { "{\"model_type\":\"gpt2\"}", 124439808, "V*E + P*E + L*(9*E + 4*E^2 + 2*F*E + F) + 2*E" },
        /* Mixtral-8x7B: 46,702,792,704 */
        { "{\"model_type\":\"mixtral\"}", 46702792704,
          "2*V*E + L*(2*E + 2*H*D*E + 2*K*D*E + N*E + 3*N*Fe*E) + E" },
        /* DeepSeek-V3 with its MTP layer declared: not a parameter of the loaded model */
        { "{\"model_type\":\"deepseek_v3\",\"num_nextn_predict_layers\":1}", 671026404352,
          "2*V*E + L*(2*E + rq*E + rq + H*dn*rq + H*dr*rq + rkv*E + dr*E + rkv + H*dn*rkv + "
          "H*dv*rkv + E*H*dv) + k0*3*F*E + (L - k0)*(N*E + 3*N*Fe*E + 3*S*Fe*E) + E" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct formula f;
        make(&f, rows[i].json, NULL, SIDE_HF);
        if (f.x->totals.parameters != rows[i].total)
            fail_msg("%s: %llu", rows[i].json, (unsigned long long)f.x->totals.parameters);
        assert_string_equal(f.terms.expression, rows[i].expression);
        assert_true(f.terms.total == rows[i].total);
        uint64_t sum = 0;
        for (size_t k = 0; k < f.terms.count; k++)
            if (!f.terms.items[k].buffer) sum += f.terms.items[k].total;
        assert_true(sum == rows[i].total);
        unmake(&f);
    }
}

static void terms_name_role_and_evidence(void **state)
{
    (void)state;
    struct formula f;
    make(&f, "{\"model_type\":\"llama\",\"hidden_size\":8192}", NULL, SIDE_HF);
    const struct term *q = NULL;
    for (size_t i = 0; i < f.terms.count; i++)
        if (text_equal(f.terms.items[i].role, "attn.q")) q = &f.terms.items[i];
    assert_non_null(q);
    assert_string_equal(q->expr, "H*D*E");
    assert_true(q->each == 8192u * 8192u && q->times == 32 && q->total == q->each * 32);
    assert_int_equal(q->evidence, EVIDENCE_DEFAULTED); /* 32 heads by the class default */
    const struct term_symbol *e = &f.terms.symbols[0];
    assert_string_equal(e->name, "E");
    assert_string_equal(e->from, "hidden_size");
    assert_int_equal(e->evidence, EVIDENCE_DECLARED);
    assert_string_equal(f.terms.symbols[1].from, "LlamaConfig.num_hidden_layers");
    unmake(&f);
}

/* A bn is a weight, a bias and three statistics; the latter are not parameters. */
static void batch_norms(void **state)
{
    (void)state;
    static const char *const names[] = {
        "a.weight",       "a.bias",        "a.running_mean",       "a.running_var", "a.num_batches_tracked",
        "b.running_mean", "b.running_var", "b.num_batches_tracked"
    };
    struct spec *s = parsed("bn norm.a a - 7\n"
                            "bn norm.b b - 5 affine=false\n"
                            "bn norm.c c - 3 if=false affine=true\n");
    struct config *c = configured("{}");
    struct expansion *x;
    numel_error e;
    if (!expanded(&x, s, c, SIDE_HF, NULL, &e)) fail_msg("%s", e.what);
    assert_int_equal(x->row_count, sizeof names / sizeof *names);
    for (size_t i = 0; i < x->row_count; i++) {
        assert_true(text_equal(x->rows[i].name, names[i]));
        const struct site *site = &x->sites[x->rows[i].site];
        assert_int_equal(site->optional, strstr(names[i], "tracked") != NULL);
        assert_int_equal(site->ndim, strstr(names[i], "tracked") == NULL);
    }
    assert_true(x->totals.parameters == 14 &&
                x->totals.buffers == 14 + 10); /* optional: counted if the file has it */
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

static bool has_only(void *ctx, const char *glob, bool *there, numel_error *e)
{
    (void)e;
    return *there = strcmp(glob, ctx) == 0, true;
}

/* Buffers that a file might hold are present on request, and never counted; other lines are not. */
static void buffers_are_offered(void **state)
{
    (void)state;
    struct spec *s =
        parsed("lin r w w 2 3\n"
               "for i in 0 .. 2\n prefix h.{i}. -\n  buf mask m - 4 4 if=has(\"h.*.m\")\n end\nend\n"
               "buf never n - 5 if=has(\"n\")&&1==2\n"
               "buf other - o 7 if=has(\"o\")\n"
               "raw extra e - 9 if=has(\"e\")\n"
               "buf sure z - 8\n");
    for (int offer = 0; offer < 2; offer++) {
        struct config *c = configured("{}");
        struct expand_input in = { .spec = s, .config = c, .side = SIDE_HF, .offer = offer };
        struct expansion *x;
        numel_error e = { 0 };
        unsigned offered = 0;
        assert_true(expand(&x, &in, &memory_malloc, &e));
        assert_true(x->totals.parameters == 6 && x->totals.buffers == 8);
        for (size_t i = 0; i < x->site_count; i++) {
            if (!x->sites[i].offered) continue;
            offered++;
            assert_true(x->sites[i].elements == 16 && !x->sites[i].counted);
        }
        assert_int_equal(offered, offer ? 2 : 0);
        assert_int_equal(x->site_count, offer ? 4 : 2);
        expansion_free(x);
        config_free(c);
    }
    spec_free(s);
}

/* `let A = B` shows B, unless that leads back to A. */
static void a_symbol_may_be_given_its_own_value(void **state)
{
    (void)state;
    struct spec *s = parsed("let A = cfg(\"a\")\nlet B = A\nlet A = B\nlet A = A\nraw r w w A B\n");
    struct config *c = configured("{\"a\":3}");
    struct expand_input in = { .spec = s, .config = c, .side = SIDE_HF };
    struct expansion *x;
    numel_error e = { 0 };
    assert_true(expand(&x, &in, &memory_malloc, &e));
    assert_true(x->totals.parameters == 9);
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

static void presence_chooses_and_infers(void **state)
{
    (void)state;
    struct spec *s = parsed("let b = has(\"w.bias\")\n"
                            "lin r w w 2 3 bias=b\n"
                            "oneof\n raw a x x 6\nor\n raw a y y 2 3\nend\n"
                            "raw o z z 5 opt\n"
                            "emb t c c 7 7 tied=true\n");
    static const struct {
        const char *file;
        uint64_t total;
        uint32_t chosen;
        bool present;
    } rows[] = { { NULL, 12, 0, false },
                 { "w.bias", 14, 0, false },
                 { "x", 12, 0, true },
                 { "y", 12, 1, true },
                 { "z", 17, 0, false } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct presence file = { .has = has_only, .ctx = (void *)(uintptr_t)rows[i].file };
        struct config *c = configured("{}");
        struct expansion *x;
        numel_error e;
        assert_true(expanded(&x, s, c, SIDE_HF, rows[i].file ? &file : NULL, &e));
        assert_true(x->totals.parameters == rows[i].total);
        assert_true(x->totals.copies == 49 && x->totals.copy_tensors == 1);
        assert_int_equal(x->group_count, 1);
        assert_int_equal(x->groups[0].chosen, rows[i].chosen);
        assert_int_equal(x->groups[0].present, rows[i].present);
        if (i == 1) assert_int_equal(x->sites[1].evidence, EVIDENCE_INFERRED);
        expansion_free(x);
        config_free(c);
    }
    spec_free(s);
}

static const struct row *row_named(const struct expansion *x, const char *name)
{
    for (size_t i = 0; i < x->row_count; i++)
        if (text_equal(x->rows[i].name, name)) return &x->rows[i];
    fail_msg("no row %s", name);
    return NULL;
}

/* One spec, two sides: names, dims, stacks, transposition. */
static void both_sides_of_a_tensor(void **state)
{
    (void)state;
    static const char text[] = "let F = 3\nfor i in 0 .. 2\nprefix h.{i}. blk.{i}.\n"
                               "lin a x ffn_x F 5 T bias=true\n"
                               "lin e ex.{e} ffn_ex F 5 stack=4\n"
                               "raw c conv.w conv.weight F 1 5 gguf=[F,5]\n"
                               "raw m exs - F 5 stack=4\nend\nend\n";
    static const struct {
        enum side side;
        const char *name, *other, *dims;
    } rows[] = {
        { SIDE_HF, "h.1.x.weight", "blk.1.ffn_x.weight", "[5, 3]" },
        { SIDE_HF, "h.1.x.bias", "blk.1.ffn_x.bias", "[3]" },
        { SIDE_HF, "h.0.ex.3.weight", "blk.0.ffn_ex.weight", "[3, 5]" },
        { SIDE_HF, "h.0.conv.w", "blk.0.conv.weight", "[3, 1, 5]" },
        { SIDE_HF, "h.0.exs", NULL, "[4, 3, 5]" },
        { SIDE_GGUF, "blk.1.ffn_x.weight", "h.1.x.weight", "[3, 5]" },
        { SIDE_GGUF, "blk.0.ffn_ex.weight", "h.0.ex.{e}.weight", "[4, 3, 5]" },
        { SIDE_GGUF, "blk.0.conv.weight", "h.0.conv.w", "[3, 5]" },
    };
    struct spec *s = parsed(text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct config *c = configured("{}");
        struct expansion *x;
        numel_error e;
        char dims[TEXT_QUOTE];
        assert_true(expanded(&x, s, c, rows[i].side, NULL, &e));
        /* HF: 2*(15 + 3 + 4*15 + 15 + 60); GGUF lacks the last */
        assert_true(x->totals.parameters == (rows[i].side == SIDE_HF ? 306 : 186));
        const struct row *row = row_named(x, rows[i].name);
        const struct site *site = &x->sites[row->site];
        assert_string_equal(text_dims(dims, site->dims, site->ndim), rows[i].dims);
        if (rows[i].other) assert_string_equal(row->other.p, rows[i].other);
        else assert_null(row->other.p);
        expansion_free(x);
        config_free(c);
    }
    spec_free(s);
}

#define LETS "let a = 1\nlet a = 2\nlet a = 3\nlet a = 4\nlet a = 5\nlet a = 6\nlet a = 7\nlet a = 8\n"

static void refuses_with_key_and_value(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *json, *what;
        numel_rc code;
    } rows[] = {
        { "lin r a b cfg(\"n\") 2\n", "{\"n\":0}", "a size is 0 (n), it must be at least 1", NUMEL_E_CONFIG },
        { "lin r a b cfg(\"n\") 2 empty\n", "{\"n\":-1}", "a size is -1 (n), it must be at least 0",
          NUMEL_E_CONFIG },
        { "norm r a b 3 empty\nnorm s c d cfg(\"n\")\n", "{\"n\":0}",
          "a size is 0 (n), it must be at least 1", NUMEL_E_CONFIG },
        { "raw r a b cfg(\"n\")\n", "{\"n\":-4}", "a size is -4 (n)", NUMEL_E_CONFIG },
        { "raw r a b cfg(\"n\")\n", "{\"n\":\"x\"}", "'x' (n) is not an integer", NUMEL_E_CONFIG },
        { "raw r a b cfg(\"n\")\n", "{}", "the configuration has no n; give it with --set n=VALUE",
          NUMEL_E_KEY },
        { "raw r a b cfg(\"n\")\n", "{\"n\":null}", "n is null in the configuration", NUMEL_E_CONFIG },
        { "let a = cfg(\"a\")\nlet b = cfg(\"b\")\nlin r x y a*b 2\n", "{\"a\":4,\"b\":0}",
          "a size is 0, it must be at least 1: 0 (b)", NUMEL_E_CONFIG },
        { "let a = cfg(\"a\")\nlet b = cfg(\"b\")\nraw r x y a*b\n", "{\"a\":3,\"b\":-4}",
          "a size is -12, it must be at least 0: -4 (b)", NUMEL_E_CONFIG },
        { "raw r a b cfg(\"n\") cfg(\"n\")\n", "{\"n\":9007199254740991}",
          "the tensor does not fit in 64 bits", NUMEL_E_OVERFLOW },
        { "for i in 0 .. cfg(\"n\")\nraw r a b 1\nend\n", "{\"n\":100001}",
          "a loop to 100001 (n), of 100001 turns", NUMEL_E_LIMIT },
        { "for i in 0 .. cfg(\"n\")\nend\n", "{\"n\":-1}", "the end of a loop is -1 (n)", NUMEL_E_CONFIG },
        { "for i in 0 .. 100000\nfor j in 0 .. 100000\nlet x = i*j\nend\nend\n", "{}",
          "100000: more than 100000 loop turns differ from each other", NUMEL_E_LIMIT },
        { "for i in 0 .. 99000\n" LETS LETS LETS LETS LETS "let x = i*i\nend\n", "{}",
          "more than 4000000 steps", NUMEL_E_LIMIT },
        { "for i in 0 .. cfg(\"n\")\nraw r a.{i}.{e} b 1 stack=1000\nend\n", "{\"n\":100000}",
          "100,000,000 tensors are expected (one loop or stack ends at 100000 (n))", NUMEL_E_LIMIT },
        { "raw r a b 1\nraw s a c 1\n", "{}", "lines 1 and 2 both give 'a'", NUMEL_E_DUPLICATE },
        { "for i in 0 .. 2\nraw r a b 1\nend\n", "{}", "lines 2 and 2 both give 'a'", NUMEL_E_DUPLICATE },
        { "oneof\nraw r a b 6\nor\nraw r c d 5\nend\n", "{}", "alternatives of 6 and 5 elements",
          NUMEL_E_SPEC },
        { "raw r a b 4611686018427387904\nraw s c d 4611686018427387904 3\n", "{}", "does not fit in 64 bits",
          NUMEL_E_OVERFLOW },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spec *s = parsed(rows[i].spec);
        struct config *c = configured(rows[i].json);
        struct expansion *x;
        numel_error e;
        if (expanded(&x, s, c, SIDE_HF, NULL, &e)) fail_msg("accepted: %s", rows[i].spec);
        if (!strstr(e.what, rows[i].what)) fail_msg("'%s', expected '%s'", e.what, rows[i].what);
        assert_int_equal(e.code, rows[i].code);
        assert_null(x);
        config_free(c);
        spec_free(s);
    }
}

static void sizes_that_differ_by_layer(void **state)
{
    (void)state;
    struct spec *s = parsed("let f = cfg(\"f\")\nlet k = cfg(\"k\")\nlet L = len(f)\n"
                            "for i in 0 .. L\n"
                            " raw up up.{i} - f[i] 10\n"
                            " if i < k\n  raw a a.{i} - k\n else\n  raw b b.{i} - L\n end\n"
                            " raw c c.{i} - 1 if=i%2==0\n"
                            "end\n");
    struct config *c = configured("{\"f\":[4,4,6,8,8],\"k\":2}");
    struct expansion *x;
    struct terms t;
    numel_error e;
    assert_true(expanded(&x, s, c, SIDE_HF, NULL, &e));
    assert_true(terms_of(&t, x, &e));
    /* 10*(4+4+6+8+8) + 2*2 + 3*5 + 3 */
    assert_true(x->totals.parameters == 322);
    assert_string_equal(t.expression, "2*120 + k*k + 3*1 + 60 + (L - k)*L");
    terms_done(&t);
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

static void gguf_names_from_metadata(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        uint64_t value;
    } keys[] = {
        { "llama.embedding_length", 64 },    { "llama.block_count", 2 },
        { "llama.attention.head_count", 4 }, { "llama.attention.head_count_kv", 2 },
        { "llama.feed_forward_length", 96 }, { "llama.vocab_size", 100 },
        { "llama.expert_count", 3 },
    };
    struct metadata m;
    numel_error e = { 0 };
    metadata_init(&m, &memory_malloc);
    struct metadata_entry arch = { .key = text_of("general.architecture"), .type = META_STRING };
    arch.value.s = text_of("llama");
    assert_true(metadata_add(&m, &arch, &e));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct metadata_entry x = { .key = text_of(keys[i].key), .type = META_U32 };
        x.value.type = META_U32;
        x.value.u = keys[i].value;
        assert_true(metadata_add(&m, &x, &e));
    }
    struct config *c = configured(NULL);
    config_add_metadata(c, &m);
    const struct library_entry *entry = library_match(library, c, SIDE_GGUF, &e);
    assert_non_null(entry);
    assert_string_equal(entry->name, "llama");
    struct spec *s;
    struct expansion *x;
    assert_true(library_parse(library, entry, c, &s, &memory_malloc, NULL, &e));
    if (!expanded(&x, s, c, SIDE_GGUF, NULL, &e)) fail_msg("%s", e.what);
    /* assumed tied, but not: output is required without a file. 2*100*64 + 2*(64*16*(2*4 + 2*2) + 3*64 +
     * 3*3*64*96 + 2*64) + 64 */
    assert_true(x->totals.parameters == 148672);
    row_named(x, "blk.1.ffn_down_exps.weight");
    expansion_free(x);
    spec_free(s);
    config_free(c);
    metadata_done(&m);
}

static void says_what_it_does_not_know(void **state)
{
    (void)state;
    static const struct {
        const char *json, *what;
        numel_rc code;
    } rows[] = {
        { "{\"model_type\":\"nobody\"}", "no specification for model_type 'nobody'", NUMEL_E_ARCH },
        { "{}", "the configuration has no model_type; name the architecture with --arch NAME", NUMEL_E_KEY },
        { "{\"model_type\":5}", "model_type is 5, not a name", NUMEL_E_CONFIG },
    };
    for (size_t i = 0; i < 3; i++) {
        struct config *c = configured(rows[i].json);
        numel_error e = { 0 };
        assert_null(library_match(library, c, SIDE_HF, &e));
        assert_string_equal(e.what, rows[i].what);
        assert_int_equal(e.code, rows[i].code);
        config_free(c);
    }
}

static void a_users_spec_comes_first(void **state)
{
    (void)state;
    static const char text[] = "arch llama\nmatch hf model_type in llama\nraw mine a b 42\n";
    struct library *l;
    numel_error e = { 0 };
    assert_true(library_open(&l, &memory_malloc, &e));
    assert_true(library_add_text(l, "mine.spec", text, sizeof text - 1, &e));
    struct config *c = configured("{\"model_type\":\"llama\"}");
    const struct library_entry *entry = library_match(l, c, SIDE_HF, &e);
    assert_non_null(entry);
    assert_string_equal(entry->file, "mine.spec");
    assert_false(library_add_path(l, "/nowhere/at/all.spec", &e));
    assert_int_equal(e.code, NUMEL_E_IO);
    config_free(c);
    library_free(l);
}

/* End to end, with each allocation failing in turn. cJSON has its own allocator. */
static void starve(const char *json)
{
    for (size_t n = 0;; n++) {
        struct scarce scarce = { .left = n };
        numel_allocator m = { scarce_resize, &scarce };
        numel_error e = { 0 };
        struct library *l = NULL;
        struct config *c = NULL;
        struct spec *s = NULL;
        struct expansion *x = NULL;
        struct terms t;
        const struct library_entry *entry;
        bool ok = library_open(&l, &m, &e) && config_new(&c, &m, &e) &&
                  config_add_json(c, json, strlen(json), "config.json", &e) &&
                  (entry = library_match(l, c, SIDE_HF, &e)) && library_parse(l, entry, c, &s, &m, NULL, &e);
        struct expand_input in = { .spec = s, .config = c, .side = SIDE_HF };
        ok = ok && expand(&x, &in, &m, &e);
        bool done = ok && terms_of(&t, x, &e);
        if (done) terms_done(&t);
        expansion_free(x);
        spec_free(s);
        config_free(c);
        library_free(l);
        assert_int_equal(scarce.live, 0);
        if (done) break;
        if (e.code != NUMEL_E_NOMEM) fail_msg("after %zu: %d %s", n, (int)e.code, e.what);
    }
}

static void runs_out_of_memory_politely(void **state)
{
    (void)state;
    starve("{\"model_type\":\"llama\",\"num_hidden_layers\":2}");
    starve("{\"model_type\":\"vision-encoder-decoder\",\"encoder\":{\"model_type\":\"vit\"},"
           "\"decoder\":{\"model_type\":\"gpt2\",\"n_layer\":1,\"add_cross_attention\":true}}");
}

/* ---- against transformers ---------------------------------------------------------------------- */

static json_value *read_json(const char *path)
{
    numel_error e = { 0 };
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    fseek(f, 0, SEEK_SET);
    char *text = malloc((size_t)n + 1);
    assert_int_equal(fread(text, 1, (size_t)n, f), n);
    fclose(f);
    json_value *v = json_doc_parse(text, (uint64_t)n, &e);
    free(text);
    return v;
}

/* num_parameters of every class the specs know, from the configuration alone. speccheck compares the
 * inventories; test/truth/corpus.sh runs it. */
static void agrees_with_transformers(void **state)
{
    (void)state;
    static const char *const folders[] = { "hf-published", "hf-default", "hf-resized" };
    const char *shared = getenv("NUMEL_SHARED");
    unsigned met = 0;
    for (size_t k = 0; k < 3; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/oracle/%s", shared ? shared : "../shared", folders[k]);
        DIR *d = opendir(path);
        if (!d) skip();
        for (struct dirent *item; (item = readdir(d));) {
            char file[2048];
            snprintf(file, sizeof file, "%s/%s", path, item->d_name);
            json_value *root = text_ends(text_of(item->d_name), ".json") ? read_json(file) : NULL;
            const json_value *conf = json_get(root, k == 2 ? "diff_config" : "config");
            const char *type = json_text_of(json_get(conf, "model_type"));
            /* only these three, to keep the test fast; without a class, heads are unknown */
            bool wanted =
                type && (!strcmp(type, "llama") || !strcmp(type, "gpt2") || !strcmp(type, "mixtral"));
            if (wanted) {
                char *text = json_print(conf);
                struct formula f;
                int64_t n;
                make(&f, text, NULL, SIDE_HF);
                assert_true(json_integer(json_get(root, "num_parameters"), &n));
                if (f.x->totals.parameters != (uint64_t)n) fail_msg("%s", item->d_name);
                unmake(&f);
                json_print_free(text);
                met++;
            }
            json_doc_free(root);
        }
        closedir(d);
    }
    assert_true(met >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_norms),
        cmocka_unit_test(totals_and_expressions),
        cmocka_unit_test(terms_name_role_and_evidence),
        cmocka_unit_test(buffers_are_offered),
        cmocka_unit_test(a_symbol_may_be_given_its_own_value),
        cmocka_unit_test(presence_chooses_and_infers),
        cmocka_unit_test(both_sides_of_a_tensor),
        cmocka_unit_test(refuses_with_key_and_value),
        cmocka_unit_test(sizes_that_differ_by_layer),
        cmocka_unit_test(gguf_names_from_metadata),
        cmocka_unit_test(says_what_it_does_not_know),
        cmocka_unit_test(a_users_spec_comes_first),
        cmocka_unit_test(runs_out_of_memory_politely),
        cmocka_unit_test(agrees_with_transformers),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
