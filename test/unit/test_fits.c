/*
 * test_fits.c -- src/memory: what programs keep for a context, what fits, limits of a plan, and multi-part
 * models.
 *
 * Every expected number is arithmetic shown in its row. `make caches` judges real models.
 */
#include "formula.h"

#include "memory/memory.h"

#include <stdio.h>

/* ---- what is kept ----------------------------------------------------------------------------- */

#define KV "cache k 32 per token\ncache v 32 per token\n" /* 2 * 32 * 2 = 128 bytes per token in f16 */
#define WINDOW "cache k 32 per token window=8\n"
#define LATENT "cache k 512 per token latent\ncache v 64 per token latent\n"

struct kept {
    const char *cache;
    struct memory_run run;
    const char *k; /* NULL: f16 */
    uint64_t bytes, fixed, next;
};

static struct expansion *expand_caches(const char *lines, bool folded, struct spec **s, struct config **c)
{
    char text[200];
    struct expansion *x;
    numel_error e = { 0 };
    snprintf(text, sizeof text, "raw a b - 1\n%s", lines);
    *s = parsed(text);
    *c = configured("{}");
    const struct expand_input in = { .spec = *s, .config = *c, .side = SIDE_HF, .cache = true };
    assert_true((folded ? expand_folded : expand)(&x, &in, &memory_malloc, &e));
    return x;
}

static void check_kept(const struct kept *row, bool folded)
{
    struct spec *s;
    struct config *c;
    struct cache_bytes sums;
    struct memory_run run = row->run;
    numel_error e = { 0 };
    struct expansion *x = expand_caches(row->cache, folded, &s, &c);
    if (!run.batch) run.batch = 1;
    run.k = run.v = kv_type_find(text_of(row->k ? row->k : "f16"));
    POISON(sums);
    bool ok = memory_cache(&sums, x, &run, &e);
    if (!(ok && sums.bytes == row->bytes && sums.fixed == row->fixed && sums.next == row->next))
        fail_msg("%s of %s, %llu tokens: %llu bytes, %llu fixed, %llu next (%s)", runtime_name(run.runtime),
                 row->cache, (unsigned long long)run.context, (unsigned long long)sums.bytes,
                 (unsigned long long)sums.fixed, (unsigned long long)sums.next, e.what);
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

#define TRANSFORMERS .runtime = RUNTIME_TRANSFORMERS
#define LLAMA .runtime = RUNTIME_LLAMA_CPP, .ubatch = 512
#define VLLM .runtime = RUNTIME_VLLM

static void keeps_as_programs_do(void **state)
{
    (void)state;
    static const struct kept rows[] = {
        /* no more than the context */
        { KV, { TRANSFORMERS, .context = 0 }, NULL, 0, 0, 128 },
        { KV, { TRANSFORMERS, .context = 1 }, NULL, 128, 0, 128 },
        { KV, { TRANSFORMERS, .context = 257, .batch = 3 }, NULL, 3 * 257 * 128, 0, 128 },
        { KV, { TRANSFORMERS, .context = 3 }, "f32", 3 * 256, 0, 256 },
        { KV, { TRANSFORMERS, .context = 3 }, "fp8", 3 * 64, 0, 64 },
        { KV, { TRANSFORMERS, .context = 3 }, "q8_0", 3 * 2 * 34, 0, 2 * 34 },
        { KV, { TRANSFORMERS, .context = 3 }, "q4_0", 3 * 2 * 18, 0, 2 * 18 },
        /* cells in multiples of 256, separate for each sequence */
        { KV, { LLAMA, .context = 1 }, NULL, 256 * 128, 0, 128 },
        { KV, { LLAMA, .context = 256 }, NULL, 256 * 128, 0, 128 },
        { KV, { LLAMA, .context = 257 }, NULL, 512 * 128, 0, 128 },
        { KV, { LLAMA, .context = 100, .batch = 3 }, NULL, 3 * 256 * 128, 0, 128 }, /* 512 / 3 is 170 */
        { KV, { LLAMA, .context = 100, .batch = 3, .unified = true }, NULL, 512 * 128, 0, 128 },
        { KV, { LLAMA, .context = 1024, .seqs = 2 }, NULL, 2 * 512 * 128, 0, 128 },
        /* blocks of 16 */
        { KV, { VLLM, .context = 0 }, NULL, 0, 0, 128 },
        { KV, { VLLM, .context = 16 }, NULL, 16 * 128, 0, 128 },
        { KV, { VLLM, .context = 17, .batch = 2 }, NULL, 2 * 32 * 128, 0, 128 },
        /* a window of 8 keeps 7 and the next token; llama.cpp 8 + 512 cells; vLLM adds the tokens of a step */
        { WINDOW, { TRANSFORMERS, .context = 6 }, NULL, 6 * 64, 0, 64 },
        { WINDOW, { TRANSFORMERS, .context = 7 }, NULL, 7 * 64, 0, 0 },
        { WINDOW, { TRANSFORMERS, .context = 1024 }, NULL, 7 * 64, 0, 0 },
        { WINDOW, { LLAMA, .context = 1024 }, NULL, 768 * 64, 0, 0 },
        { WINDOW, { LLAMA, .context = 1024, .swa_full = true }, NULL, 1024 * 64, 0, 0 },
        { WINDOW, { VLLM, .context = 1024 }, NULL, 1024 * 64, 0, 0 },
        { WINDOW, { VLLM, .context = 4096 }, NULL, (129 + 1) * 16 * 64, 0, 0 }, /* 7 + 2048 in 16s */
        /* MLA: 576 elements, in one row or in two */
        { LATENT, { TRANSFORMERS, .context = 10 }, NULL, 10 * 576 * 2, 0, 576 * 2 },
        { LATENT, { LLAMA, .context = 10 }, NULL, 256 * 576 * 2, 0, 576 * 2 },
        { LATENT, { VLLM, .context = 10 }, NULL, 16 * 576 * 2, 0, 576 * 2 },
        /* states: not every program keeps the newest of a kernel's 4 inputs */
        { "cache conv 12 per sequence width=4\n", { TRANSFORMERS, .context = 9 }, NULL, 12 * 2, 24, 0 },
        { "cache conv 12 per sequence width=4\n", { TRANSFORMERS, .context = 9 }, "f32", 12 * 4, 48, 0 },
        { "cache conv 12 per sequence width=4\n", { LLAMA, .context = 9, .batch = 2 }, NULL, 2 * 36, 72, 0 },
        { "cache conv 12 per sequence width=4\n", { VLLM, .context = 9 }, NULL, 9 * 2, 18, 0 },
        { "cache recurrent 10 per sequence\n", { TRANSFORMERS, .context = 0 }, "q8_0", 10 * 2, 20, 0 },
        { "cache recurrent 10 per sequence\n", { LLAMA, .context = 9 }, NULL, 10 * 4, 40, 0 },
        { "cache recurrent 10 per sequence\n", { VLLM, .context = 9 }, NULL, 10 * 2, 20, 0 },
        { "cache recurrent 10 per sequence\n", { VLLM, .context = 9, .state_bytes = 4 }, NULL, 40, 40, 0 },
        /* the encoder's output, kept once; llama.cpp computes it again */
        { "cache cross_k 32 per source\n", { TRANSFORMERS, .context = 9, .source = 5 }, NULL, 320, 320, 0 },
        { "cache cross_k 32 per source\n", { LLAMA, .context = 9, .source = 5 }, NULL, 0, 0, 0 },
        /* one per four tokens, and cells for as many in multiples of 256 */
        { "cache other:x 32 per token every=4\n", { TRANSFORMERS, .context = 7 }, NULL, 64, 0, 64 },
        { "cache other:x 32 per token every=4\n", { TRANSFORMERS, .context = 8 }, NULL, 128, 0, 0 },
        { "cache other:x 32 per token every=4\n", { LLAMA, .context = 2048 }, NULL, 512 * 64, 0, 0 },
        /* the largest that fits in 64 bits: 64 bytes * 2^40 tokens * (2^18 - 1) sequences */
        { "cache k 32 per token\n",
          { TRANSFORMERS, .context = UINT64_C(1) << 40, .batch = (1 << 18) - 1 },
          NULL,
          ((UINT64_C(1) << 18) - 1) << 46,
          0,
          64 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_kept(&rows[i], false);
}

/* The same number of elements, of which 3 in 4 are kept, then 2 in 3; similar layers are walked once, or
 * all are. */
static void kernels_differ_by_layer(void **state)
{
    (void)state;
    static const struct kept row = { "for i in 0 .. 3\ncache conv 12 per sequence width=(i==0?4:3)\nend\n",
                                     { LLAMA, .context = 9 },
                                     NULL,
                                     (9 + 8 + 8) * 4,
                                     100,
                                     0 };
    check_kept(&row, true);
    check_kept(&row, false);
}

static void refuses_what_has_no_number(void **state)
{
    (void)state;
    static const struct {
        const char *cache, *k, *what;
        struct memory_run run;
        numel_rc code;
    } rows[] = {
        { "cache k 48 per token\n",
          "q8_0",
          "a row of 48 elements is not a whole number of q8_0 blocks of 32",
          { TRANSFORMERS, .context = 1, .batch = 1 },
          NUMEL_E_USAGE },
        { "cache k 32 per token\n", /* 64 * 2^40 * 2^18 is 2^64 */
          "f16",
          "the cache does not fit in 64 bits",
          { TRANSFORMERS, .context = UINT64_C(1) << 40, .batch = 1 << 18 },
          NUMEL_E_OVERFLOW },
        { "cache k 32 per token\n", /* cells of all sequences */
          "f16",
          "the cache does not fit in 64 bits",
          { LLAMA, .context = UINT64_MAX, .batch = 2 },
          NUMEL_E_OVERFLOW },
        { "cache k 32 per token\n", /* rounded up */
          "f16",
          "the cache does not fit in 64 bits",
          { LLAMA, .context = UINT64_MAX, .batch = 1 },
          NUMEL_E_OVERFLOW },
        { "cache k 32 per token\n",
          "f16",
          "the cache does not fit in 64 bits",
          { VLLM, .context = UINT64_MAX, .batch = 1 },
          NUMEL_E_OVERFLOW },
        { "cache recurrent 9223372036854775807 per sequence\n",
          "f16",
          "the cache does not fit in 64 bits",
          { TRANSFORMERS, .context = 1, .batch = 2 },
          NUMEL_E_OVERFLOW },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spec *s;
        struct config *c;
        struct cache_bytes sums;
        struct memory_run run = rows[i].run;
        numel_error e = { 0 };
        struct expansion *x = expand_caches(rows[i].cache, false, &s, &c);
        run.k = run.v = kv_type_find(text_of(rows[i].k));
        assert_false(memory_cache(&sums, x, &run, &e));
        assert_int_equal(e.code, rows[i].code);
        assert_string_equal(e.what, rows[i].what);
        expansion_free(x);
        config_free(c);
        spec_free(s);
    }
}

static void counts_blocks(void **state)
{
    (void)state;
    assert_int_equal(runtime_blocks(0, -1, 16), 0);
    assert_int_equal(runtime_blocks(1, -1, 16), 1);
    assert_int_equal(runtime_blocks(16, -1, 16), 1);
    assert_int_equal(runtime_blocks(17, -1, 16), 2);
    assert_int_equal(runtime_blocks(100000, 128, 16), 137); /* (127 + 2048) / 16 is 135.9, and one */
    assert_int_equal(runtime_blocks(2175, 128, 16), 136);   /* without it, one per token */
    assert_int_equal(runtime_blocks(UINT64_MAX, -1, 1), UINT64_MAX);
}

/* ---- what a plan may say ---------------------------------------------------------------------- */

#define GIB (UINT64_C(1) << 30)

static void reads_devices(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t count; /* 0: refused */
        uint64_t first, last;
    } rows[] = {
        { "24GiB", 1, 24 * GIB, 24 * GIB },
        { "24G", 1, 24 * GIB, 24 * GIB },
        { "24GB", 1, UINT64_C(24000000000), UINT64_C(24000000000) },
        { "1048576", 1, 1 << 20, 1 << 20 },
        { "1048576B", 1, 1 << 20, 1 << 20 },
        { "1048575", 0, 0, 0 },
        { "24", 0, 0, 0 },
        { "24GiBx2", 0, 0, 0 },
        { "1MiB,2MiB", 2, 1 << 20, 2 << 20 },
        { "1KiB,1MiB", 0, 0, 0 },
        { "2x24GiB,1TiB", 3, 24 * GIB, 1024 * GIB },
        { "64x1GiB", 64, GIB, GIB },
        { "65x1GiB", 0, 0, 0 },
        { "64x1GiB,1GiB", 0, 0, 0 },
        { "0x1GiB", 0, 0, 0 },
        { "1x0", 0, 0, 0 },
        { "0", 0, 0, 0 },
        { "-1GiB", 0, 0, 0 },
        { "x1GiB", 0, 0, 0 },
        { "2x", 0, 0, 0 },
        { "2x2x1GiB", 0, 0, 0 },
        { "24XB", 0, 0, 0 },
        { "24GiBB", 0, 0, 0 },
        { "24GiB,", 0, 0, 0 },
        { ",24GiB", 0, 0, 0 },
        { "24GiB,,24GiB", 0, 0, 0 },
        { "24 GiB", 0, 0, 0 },
        { "1.5GiB", 0, 0, 0 },
        { "16777215TiB", 1, UINT64_C(16777215) << 40, UINT64_C(16777215) << 40 },
        { "16777216TiB", 0, 0, 0 }, /* 2^64 */
        { "18446744073709551616", 0, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const numel_plan plan = { .size = sizeof plan, .devices = rows[i].text };
        struct memory_ask ask;
        numel_error e = { 0 };
        bool ok = memory_ask(&ask, &plan, &e);
        size_t n = rows[i].count;
        bool same = n && ok && ask.device_count == n && ask.devices[0] == rows[i].first &&
                    ask.devices[n - 1] == rows[i].last;
        if (!(n ? same : !ok && e.code == NUMEL_E_USAGE))
            fail_msg("%s: %s", rows[i].text, ok ? "read" : e.what);
    }
}

static void reads_words_of_a_plan(void **state)
{
    (void)state;
    static const struct {
        numel_plan plan;
        bool read;
    } rows[] = {
        { { .kv = "q8_0" }, true },        { { .kv = "q8_0,f16" }, true },
        { { .kv = "iq4_nl,fp8" }, true },  { { .kv = "" }, false },
        { { .kv = "F16" }, false },        { { .kv = "f16," }, false },
        { { .kv = ",f16" }, false },       { { .kv = "f16,f16,f16" }, false },
        { { .kv = "q3_0" }, false },       { { .kv = "q8_0 " }, false },
        { { .load = "as-is" }, true },     { { .load = "bf16" }, true },
        { { .load = "f32" }, true },       { { .load = "BF16" }, false },
        { { .load = "q8_0" }, false },     { { .load = "" }, false },
        { { .offload = "0" }, true },      { { .offload = "99" }, true },
        { { .offload = "-1" }, false },    { { .offload = "" }, false },
        { { .offload = "1.5" }, false },   { { .offload = "all" }, false },
        { { .train = "adamw" }, true },    { { .train = "lora:1" }, true },
        { { .train = "adam" }, false },    { { .train = "" }, false },
        { { .train = "lora" }, false },    { { .train = "lora:" }, false },
        { { .train = "lora:0" }, false },  { { .train = "lora:-1" }, false },
        { { .train = "lora:1x" }, false }, { { .train = "adamw:8" }, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const numel_plan *p = &rows[i].plan;
        struct memory_ask ask;
        numel_error e = { 0 };
        bool ok = memory_ask(&ask, p, &e);
        const char *text = p->kv ? p->kv : p->load ? p->load : p->offload ? p->offload : p->train;
        if (!(ok == rows[i].read && (ok || e.code == NUMEL_E_USAGE)))
            fail_msg("%zu '%s': %s", i, text, e.what);
    }
}

/* ---- what fits -------------------------------------------------------------------------------- */

/* 1,000 bytes of weights, 128 bytes per token; activations of 34 * 10 per token, for 512 at most, plus 4 *
 * 100 for the vocabulary. */
static struct memory model_of(struct expansion *x, uint64_t context)
{
    struct memory m = { .x = x, .cache_known = true, .hidden = 10, .vocabulary = 100, .rule = "by rule" };
    m.weights = (struct memory_weights){ .known = true, .bytes = 1000 };
    m.ask.run = (struct memory_run){
        .k = kv_type_at(0), .v = kv_type_at(0), .context = context, .batch = 1, .ubatch = 512
    };
    return m;
}

static void fits_to_the_byte(void **state)
{
    (void)state;
    struct spec *s;
    struct config *c;
    uint64_t total;
    numel_error e;
    struct expansion *x = expand_caches(KV, false, &s, &c);
    struct memory m = model_of(x, 5);
    const uint64_t at_5 = 1000 + 5 * 128 + 34 * 5 * 10 + 400, at_4 = at_5 - 128 - 340;
    assert_true(memory_total_at(&m, 5, 1, &total, &e) && total == at_5);
    assert_true(memory_total_at(&m, 600, 1, &total, &e));
    assert_true(total == 1000 + 600 * 128 + 34 * 512 * 10 + 400); /* tokens processed together */
    const struct {
        uint64_t fit, context, batch;
        bool fits;
    } rows[] = {
        { at_5, 5, 1, true },
        { at_5 - 1, 4, 0, false },
        { at_5 + 127 + 340, 5, 1, true },
        { at_5 + 128 + 340, 6, 1, true },
        { at_5 + 5 * 128 + 5 * 340 + 400, 10, 2,
          true }, /* a second sequence: 10 tokens also need its outputs */
        { at_4, 4, 0, false },
        { 1000, 0, 0, false },
        { 999, 0, 0, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        m.ask.fit = rows[i].fit;
        memory_fit(&m);
        assert_true(m.fit.known && m.fit.fits == rows[i].fits && !m.fit.unlimited);
        assert_int_equal(m.fit.context, rows[i].context);
        assert_int_equal(m.fit.batch, rows[i].batch);
    }
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

/* An unknown never fits; a sum that is too large without it does not fit either. */
static void says_no_sooner_than_yes(void **state)
{
    (void)state;
    struct spec *s;
    struct config *c;
    struct expansion *x = expand_caches(KV, false, &s, &c);
    struct memory m = model_of(x, 5);
    m.rule = NULL; /* activations are unknown */
    m.ask.fit = 1000 + 5 * 128;
    memory_fit(&m);
    assert_true(!m.fit.known);
    m.ask.fit--;
    memory_fit(&m);
    assert_true(m.fit.known && !m.fit.fits);
    m = model_of(x, 5);
    m.cache_known = false;
    m.ask.fit = 1000;
    memory_fit(&m);
    assert_true(!m.fit.known && !m.fit.fits);
    m.ask.fit--;
    memory_fit(&m);
    assert_true(m.fit.known && !m.fit.fits);
    m.weights.estimated = true; /* activations may need less */
    memory_fit(&m);
    assert_true(!m.fit.known && !m.fit.fits);
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

/* ---- several models --------------------------------------------------------------------------- */

static void sums_up_components(void **state)
{
    (void)state;
    struct spec *s;
    struct config *c;
    struct arena a;
    struct memory whole, parts[2];
    numel_error e = { 0 };
    struct expansion *x = expand_caches(KV, false, &s, &c);
    arena_init(&a, &memory_malloc);
    for (size_t i = 0; i < 2; i++) {
        parts[i] = model_of(x, 5);
        parts[i].name = i ? "vae" : "unet";
        parts[i].weights = (struct memory_weights){ .known = true };
        assert_true(memory_add_type(&parts[i].weights, &(struct memory_type){ "F16", 3, 500, 1000 }, &e));
    }
    parts[1].hidden = 20; /* 34 * 5 * 20 + 400 is 3,800, the other 2,100 */
    struct memory_ask ask = parts[0].ask;
    ask.fit = 2000 + 2 * 5 * 128 + 3800;
    assert_true(memory_whole(&whole, parts, 2, NULL, &ask, &a, &e));
    assert_true(memory_exact(&whole) && whole.weights.bytes == 2000 && whole.weights.type_count == 1);
    assert_true(whole.weights.types[0].tensors == 6 && whole.cache.bytes == 2 * 5 * 128);
    assert_true(whole.cache.next == 2 * 128 && whole.activations == 3800);
    assert_true(whole.fit.known && whole.fit.fits && whole.fit.context == 5);
    ask.fit--;
    assert_true(memory_whole(&whole, parts, 2, NULL, &ask, &a, &e));
    assert_true(whole.fit.known && !whole.fit.fits && whole.fit.context == 4);
    parts[1].rule = NULL; /* activations unknown for one: unknown for all */
    assert_true(memory_whole(&whole, parts, 2, NULL, &ask, &a, &e) && !whole.rule && !whole.fit.known);
    parts[1].idle = true; /* it has none */
    assert_true(memory_whole(&whole, parts, 2, NULL, &ask, &a, &e));
    assert_true(whole.activations == 2100 && whole.cache.bytes == 5 * 128);
    arena_done(&a);
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

static void lacks_what_a_component_lacks(void **state)
{
    (void)state;
    struct spec *s;
    struct config *c;
    struct arena a;
    struct memory whole, parts[2];
    numel_error e = { 0 };
    struct expansion *x = expand_caches(KV, false, &s, &c);
    arena_init(&a, &memory_malloc);
    for (size_t i = 0; i < 2; i++) {
        parts[i] = model_of(x, 5);
        parts[i].name = i ? "vae" : "unet";
        parts[i].weights = (struct memory_weights){ .known = true };
        assert_true(memory_add_type(&parts[i].weights, &(struct memory_type){ "F16", 3, 500, 1000 }, &e));
    }
    struct memory_ask ask = parts[0].ask;
    ask.fit = 2000;
    assert_true(memory_whole(&whole, parts, 2, "scheduler: gone", &ask, &a, &e));
    assert_true(!memory_known(&whole) && !whole.rule && !whole.fit.known);
    assert_string_equal(whole.weights.note, "scheduler: gone");
    ask.fit = 1999; /* the others alone are too much */
    assert_true(memory_whole(&whole, parts, 2, "scheduler: gone", &ask, &a, &e));
    assert_true(whole.fit.known && !whole.fit.fits);
    parts[1].cache_known = false;
    parts[1].cache_why = "nobody says";
    ask.fit = 2000;
    assert_true(memory_whole(&whole, parts, 2, NULL, &ask, &a, &e));
    assert_true(!memory_known(&whole) && !whole.fit.known);
    assert_string_equal(whole.cache_why, "vae: nobody says");
    parts[0].weights.types[0].bytes = UINT64_MAX - 999; /* with 1,000 more: 2^64 */
    assert_false(memory_whole(&whole, parts, 2, NULL, &ask, &a, &e));
    assert_int_equal(e.code, NUMEL_E_OVERFLOW);
    assert_true(memory_whole(&whole, parts, 0, "all: gone", &ask, &a, &e) && !memory_known(&whole));
    assert_true(memory_whole(&whole, parts, 0, NULL, &ask, &a, &e) && !memory_known(&whole));
    arena_done(&a);
    expansion_free(x);
    config_free(c);
    spec_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_as_programs_do),
        cmocka_unit_test(kernels_differ_by_layer),
        cmocka_unit_test(refuses_what_has_no_number),
        cmocka_unit_test(counts_blocks),
        cmocka_unit_test(reads_devices),
        cmocka_unit_test(reads_words_of_a_plan),
        cmocka_unit_test(fits_to_the_byte),
        cmocka_unit_test(says_no_sooner_than_yes),
        cmocka_unit_test(sums_up_components),
        cmocka_unit_test(lacks_what_a_component_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
