/* test_config.c -- one configuration from several sources. */
#include "formula.h"

#include <stdio.h>
#include <string.h>

static struct value ask(struct config *c, enum side side, const char *a, const char *b)
{
    numel_str paths[2] = { text_of(a), b ? text_of(b) : text_of("") };
    struct value v;
    numel_error e = { 0 };
    POISON(v);
    if (!config_value(c, NULL, side, paths, b ? 2 : 1, &v, &e)) fail_msg("%s: %s", a, e.what);
    return v;
}

static void expect(const struct value *v, const char *shown, enum evidence evidence, const char *key,
                   const char *by)
{
    char text[VALUE_SHOW];
    assert_string_equal(value_show(text, v), shown);
    assert_string_equal(evidence_name(v->evidence), evidence_name(evidence));
    assert_string_equal(v->key ? v->key : "", key);
    assert_string_equal(v->by ? v->by : "", by);
}

/* Keys absent from config.json have the class default, by model type; nested classes too. */
static void falls_back_to_the_class(void **state)
{
    (void)state;
    static const struct {
        const char *json, *a, *b, *shown;
        enum evidence evidence;
        const char *key, *by;
    } rows[] = {
        { "{\"model_type\":\"llama\",\"hidden_size\":64}", "hidden_size", NULL, "64", EVIDENCE_DECLARED,
          "hidden_size", "" },
        { "{\"model_type\":\"llama\"}", "hidden_size", NULL, "4096", EVIDENCE_DEFAULTED, "hidden_size",
          "LlamaConfig" },
        { "{\"model_type\":\"llama\"}", "num_key_value_heads", NULL, "null", EVIDENCE_CONSTANT,
          "num_key_value_heads", "" },
        { "{\"model_type\":\"llama\",\"hidden_size\":null}", "hidden_size", NULL, "null", EVIDENCE_DECLARED,
          "hidden_size", "" }, /* null overrides the default */
        { "{\"model_type\":\"nobody\"}", "hidden_size", NULL, "null", EVIDENCE_CONSTANT, "hidden_size", "" },
        { "{\"model_type\":\"gpt2\",\"n_embd\":8}", "hidden_size", NULL, "8", EVIDENCE_DECLARED,
          "hidden_size", "" }, /* attribute_map */
        { "{\"model_type\":\"gpt2\",\"hidden_size\":8}", "n_embd", NULL, "8", EVIDENCE_DECLARED, "n_embd",
          "" },
        { "{\"model_type\":\"gpt2\"}", "hidden_size", NULL, "768", EVIDENCE_DEFAULTED, "hidden_size",
          "GPT2Config" },
        { "{\"model_type\":\"gemma3\",\"text_config\":{}}", "text_config.vocab_size", NULL, "262208",
          EVIDENCE_DEFAULTED, "text_config.vocab_size", "Gemma3TextConfig" },
        { "{\"model_type\":\"gemma3\",\"vision_config\":{\"model_type\":\"siglip_vision_model\"}}",
          "vision_config.patch_size", NULL, "16", EVIDENCE_DEFAULTED, "vision_config.patch_size",
          "SiglipVisionConfig" },
        { "{\"model_type\":\"gemma3_text\"}", "text_config.vocab_size", "vocab_size", "262208",
          EVIDENCE_DEFAULTED, "vocab_size", "Gemma3TextConfig" },
        { "{\"model_type\":\"qwen2_vl\",\"vision_config\":{\"model_type\":\"qwen2_vl\"}}",
          "vision_config.depth", NULL, "32", EVIDENCE_DEFAULTED, "vision_config.depth",
          "Qwen2VLVisionConfig" },
        { "{\"model_type\":\"llama\",\"hidden_size\":4096.5}", "hidden_size", NULL, "4096.5",
          EVIDENCE_DECLARED, "hidden_size", "" },
        { "{\"a\":NaN,\"b\":-Infinity,\"c\":\"NaN \\\" Infinity\",\"d\":Infinity}", "c", NULL,
          "'NaN \" Infinity'", EVIDENCE_DECLARED, "c", "" },
        { "{\"a\":1,\"a\":2}", "a", NULL, "2", EVIDENCE_DECLARED, "a", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct config *c = configured(rows[i].json);
        struct value v = ask(c, SIDE_HF, rows[i].a, rows[i].b);
        expect(&v, rows[i].shown, rows[i].evidence, rows[i].key, rows[i].by);
        config_free(c);
    }
}

/* Values from published files: Llama-1 and 2 have multiple_of 256; 70B and Llama-3 a factor. */
static void derives_metas_hidden_size(void **state)
{
    (void)state;
    static const struct {
        int dim, multiple;
        const char *factor;
        int64_t hidden;
    } rows[] = {
        { 4096, 256, NULL, 11008 }, /* 256 * ceil(10922 / 256) = 256 * 43 */
        { 5120, 256, NULL, 13824 }, /* 256 * ceil(13653 / 256) = 256 * 54 */
        { 6656, 256, NULL, 17920 },   { 8192, 256, NULL, 22016 },
        { 8192, 4096, "1.3", 28672 }, /* int(1.3 * 21845) = 28398; 4096 * 7 */
        { 4096, 1024, "1.3", 14336 }, /* int(1.3 * 10922) = 14198; 1024 * 14 */
        { 2048, 256, "1.5", 8192 },   /* int(1.5 * 5461) = 8191; 256 * 32 */
        { 3072, 256, "1.0", 8192 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char json[256], factor[64] = "";
        if (rows[i].factor) snprintf(factor, sizeof factor, ",\"ffn_dim_multiplier\":%s", rows[i].factor);
        snprintf(json, sizeof json,
                 "{\"dim\":%d,\"n_layers\":2,\"n_heads\":8,\"multiple_of\":%d%s,"
                 "\"vocab_size\":-1}",
                 rows[i].dim, rows[i].multiple, factor);
        struct config *c = configured(json);
        struct value v = ask(c, SIDE_HF, "intermediate_size", NULL);
        assert_int_equal(v.kind, VALUE_INT);
        assert_true(v.i == rows[i].hidden);
        v = ask(c, SIDE_HF, "hidden_size", NULL);
        assert_int_equal(v.i, rows[i].dim);
        assert_string_equal(v.key, "dim");
        v = ask(c, SIDE_HF, "vocab_size", NULL); /* -1: the tokenizer defines it */
        expect(&v, "32000", EVIDENCE_DEFAULTED, "vocab_size", "LlamaConfig");
        config_free(c);
    }
}

static void reads_mistrals_params(void **state)
{
    (void)state;
    struct config *c = configured("{\"dim\":6144,\"n_layers\":56,\"head_dim\":128,\"hidden_dim\":"
                                  "16384,\"n_heads\":48,\"n_kv_heads\":8,\"vocab_size\":32768,"
                                  "\"moe\":{\"num_experts\":8,\"num_experts_per_tok\":2}}");
    static const struct {
        const char *path, *shown, *key;
    } rows[] = {
        { "model_type", "'mixtral'", "moe" },
        { "num_local_experts", "8", "moe.num_experts" },
        { "intermediate_size", "16384", "hidden_dim" },
        { "num_key_value_heads", "8", "n_kv_heads" },
        { "head_dim", "128", "head_dim" },
        { "vocab_size", "32768", "vocab_size" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct value v = ask(c, SIDE_HF, rows[i].path, NULL);
        expect(&v, rows[i].shown, EVIDENCE_DECLARED, rows[i].key, "");
    }
    config_free(c);
}

static void obeys_what_is_set(void **state)
{
    (void)state;
    struct config *c = configured("{\"model_type\":\"llama\",\"hidden_size\":64}");
    numel_error e = { 0 };
    assert_true(config_set(c, "hidden_size=128", &e));
    assert_true(config_set(c, "hidden_size=256", &e)); /* the last one counts */
    assert_true(config_set(c, "model_type=mistral", &e));
    assert_true(config_set(c, "E=12", &e));
    assert_false(config_set(c, "nonsense", &e));
    assert_int_equal(e.code, NUMEL_E_USAGE);
    struct value v = ask(c, SIDE_HF, "hidden_size", NULL);
    expect(&v, "256", EVIDENCE_SET, "hidden_size", "");
    v = ask(c, SIDE_HF, "model_type", NULL);
    expect(&v, "'mistral'", EVIDENCE_SET, "model_type", "");
    v = ask(c, SIDE_HF, "intermediate_size", NULL);
    expect(&v, "14336", EVIDENCE_DEFAULTED, "intermediate_size", "MistralConfig");
    assert_true(config_set_known(c, NULL, 0));  /* the class defines it */
    assert_false(config_set_known(c, NULL, 3)); /* E was never requested */
    assert_true(config_symbol(c, text_of("E"), &v));
    assert_int_equal(v.i, 12);
    assert_true(config_set_known(c, NULL, 3));
    config_free(c);
}

static void refuses_what_is_no_configuration(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        numel_rc code;
    } rows[] = {
        { "", NUMEL_E_SYNTAX },
        { "[1]", NUMEL_E_CONFIG },
        { "12", NUMEL_E_CONFIG },
        { "{\"a\":}", NUMEL_E_SYNTAX },
        { "{\"a\":\"\\u0000\"}", NUMEL_E_SYNTAX },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct config *c = configured(NULL);
        numel_error e = { 0 };
        assert_false(config_add_json(c, rows[i].json, strlen(rows[i].json), "x.json", &e));
        assert_int_equal(e.code, rows[i].code);
        assert_string_equal(e.file, "x.json");
        config_free(c);
    }
}

/* A key that counts something must be a count, even if no formula reads it. */
static const struct {
    const char *json, *what; /* "" if nothing is wrong */
} counted[] = {
    { "\"num_attention_heads\":12", "" },
    { "\"num_attention_heads\":12.0", "" },
    { "\"num_attention_heads\":null", "" },
    { "\"num_attention_heads\":[1,2,5,8]", "" },
    { "\"_class_name\":\"StableCascadeUNet\",\"num_attention_heads\":[-1,0,20]",
      "" }, /* levels without attention */
    { "\"num_attention_heads\":[-1,20]", "num_attention_heads is -1, which is not" },
    { "\"num_attention_heads\":[-2,20]", "num_attention_heads is -2, which is not" },
    { "\"num_heads\":[-1,20]", "num_heads is -1, which is not" },
    { "\"num_attention_heads\":0", "num_attention_heads is 0, which is not a whole number from 1 to 2^53" },
    { "\"num_attention_heads\":-1", "num_attention_heads is -1, which is not" },
    { "\"num_attention_heads\":12.5", "num_attention_heads is 12.5, which is not" },
    { "\"num_attention_heads\":\"x\"", "num_attention_heads is \"x\", which is not" },
    { "\"num_attention_heads\":true", "num_attention_heads is true, which is not" },
    { "\"num_attention_heads\":{}", "num_attention_heads is {}, which is not" },
    { "\"num_attention_heads\":{\"a\":4}", "num_attention_heads is {\"a\":4}, which is not" },
    { "\"num_attention_heads\":[]", "num_attention_heads is [], which is not" },
    { "\"num_attention_heads\":[8,0]", "num_attention_heads is 0, which is not" },
    { "\"num_attention_heads\":4,\"num_attention_heads\":0", "num_attention_heads is 0" }, /* the last */
    { "\"num_attention_heads\":0,\"num_attention_heads\":4", "" },
    { "\"num_experts\":0", "" },
    { "\"num_experts\":-1", "num_experts is -1, which is not a whole number from 0 to 2^53" },
    { "\"image_size\":{\"height\":224,\"width\":224}", "" },
    { "\"image_size\":{\"height\":224,\"width\":-1}", "image_size is -1" },
    { "\"num_hidden_layers\":{\"vision\":5,\"language\":9}", "" },
    { "\"num_hidden_layers\":{\"vision\":5,\"language\":9.5}", "num_hidden_layers is 9.5, which is not" },
    { "\"num_hidden_layers\":{\"vision\":-5}", "num_hidden_layers is -5" },
    { "\"num_hidden_layers\":{}", "num_hidden_layers is {}, which is not" },
    { "\"num_attention_heads\":{\"vision\":5}", "num_attention_heads is {\"vision\":5}, which is not" },
    { "\"window_size\":-1", "" }, /* not a count: ignored */
    { "\"vision_config\":{\"num_heads\":16}", "" },
    { "\"vision_config\":{\"num_heads\":0}", "num_heads is 0" },
    { "\"a_config\":{\"b_config\":{\"depth\":-2}}", "depth is -2" },
    { "\"rope_scaling\":{\"num_heads\":0}", "" },
    { "\"quantization_config\":null", "" },
    { "\"quantization_config\":{\"num_heads\":0}", "" },
    { "\"quantization_config\":\"gptq\"", "quantization_config is not an object" },
    { "\"quantization_config\":[]", "quantization_config is not an object" },
    { "\"text_config\":{\"quantization_config\":0}", "quantization_config is not an object" },
    { "\"quantization_config\":{\"weight_block_size\":null}", "" },
    { "\"quantization_config\":{\"weight_block_size\":[128,128]}", "" },
    { "\"quantization_config\":{\"weight_block_size\":[128,0]}", "weight_block_size is 0" },
    { "\"quantization_config\":{\"weight_block_size\":[128]}", "is [128], which is not a list of two" },
    { "\"quantization_config\":{\"weight_block_size\":[1,2,3]}", "is [1,2,3], which is not a list of two" },
    { "\"quantization_config\":{\"weight_block_size\":128}",
      "weight_block_size is 128, which is not a list" },
};

static void holds_what_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        struct config *c = configured(NULL);
        numel_error e = { 0 };
        char json[200];
        snprintf(json, sizeof json, "{%s}", counted[i].json);
        assert_true(config_add_json(c, json, strlen(json), "x.json", &e));
        bool holds = config_counts_hold(c, &e);
        if (holds == (counted[i].what[0] != 0) || (!holds && !strstr(e.what, counted[i].what)))
            fail_msg("%s: %s", counted[i].json, holds ? "holds" : e.what);
        assert_int_equal(e.code, holds ? NUMEL_OK : NUMEL_E_CONFIG);
        config_free(c);
    }
}

/* A valid value is not checked again, so every change must trigger a check. */
static void holds_until_it_changes(void **state)
{
    static const char bad[] = "{\"num_heads\":0}";
    (void)state;
    struct config *c = configured("{\"num_heads\":8}");
    numel_error e = { 0 };
    for (int again = 0; again < 2; again++) assert_true(config_counts_hold(c, &e));
    assert_true(config_set(c, "num_heads=0", &e));
    for (int again = 0; again < 2; again++) assert_false(config_counts_hold(c, &e));
    error_clear(&e);
    config_unset(c);
    assert_true(config_counts_hold(c, &e));
    assert_true(config_add_json(c, bad, sizeof bad - 1, "y.json", &e));
    assert_false(config_counts_hold(c, &e));
    config_free(c);
}

static void holds_what_is_set(void **state)
{
    (void)state;
    struct config *c = configured(NULL);
    numel_error e = { 0 };
    assert_true(config_set(c, "text_config.max_num_heads=0", &e)); /* a different key */
    assert_true(config_counts_hold(c, &e));
    assert_true(config_set(c, "vision_config.num_heads=0", &e));
    assert_false(config_counts_hold(c, &e));
    assert_non_null(strstr(e.what, "num_heads is 0"));
    config_free(c);
}

static struct metadata_entry entry(const char *key, enum metadata_type type)
{
    return (struct metadata_entry){ .key = text_of(key), .type = type, .value.type = type };
}

static void reads_gguf_metadata(void **state)
{
    (void)state;
    static const uint8_t heads[] = { 4, 0, 0, 0, 8, 0, 0, 0 };
    struct metadata m;
    numel_error e = { 0 };
    metadata_init(&m, &memory_malloc);
    struct metadata_entry items[] = {
        entry("general.architecture", META_STRING),
        entry("llama.embedding_length", META_U32),
        entry("llama.attention.head_count_kv", META_ARRAY),
        entry("tokenizer.ggml.tokens", META_ARRAY),
        entry("llama.wide", META_U64),
        entry("llama.rope.factor", META_F32),
    };
    items[0].value.s = text_of("llama");
    items[1].value.u = 4096;
    items[2].array =
        (struct metadata_array){ .type = META_I32, .count = 2, .bytes = 8, .data = heads, .length_bytes = 8 };
    items[3].array = (struct metadata_array){ .type = META_STRING, .count = 32000, .mapped = true };
    items[4].value.u = UINT64_MAX;
    items[5].value.f = 8.5;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) assert_true(metadata_add(&m, &items[i], &e));
    struct config *c = configured(NULL);
    config_add_metadata(c, &m);
    struct value v = ask(c, SIDE_GGUF, "embedding_length", NULL);
    expect(&v, "4096", EVIDENCE_DECLARED, "embedding_length", "");
    v = ask(c, SIDE_GGUF, "attention.head_count_kv", NULL);
    assert_int_equal(v.kind, VALUE_LIST);
    assert_int_equal(v.list.items[1].i, 8);
    v = ask(c, SIDE_GGUF, "vocab_size", NULL);
    expect(&v, "32000", EVIDENCE_DECLARED, "tokenizer.ggml.tokens", "");
    v = ask(c, SIDE_GGUF, "tokenizer.ggml.tokens", NULL); /* counted, not read */
    assert_true(v.kind == VALUE_LIST && !v.list.items && v.list.n == 32000);
    v = ask(c, SIDE_GGUF, "wide", NULL); /* beyond int64: unusable in a formula */
    assert_int_equal(v.kind, VALUE_REAL);
    v = ask(c, SIDE_GGUF, "rope.factor", NULL);
    expect(&v, "8.5", EVIDENCE_DECLARED, "rope.factor", "");
    v = ask(c, SIDE_GGUF, "block_count", NULL);
    assert_int_equal(v.kind, VALUE_NULL);
    config_free(c);
    metadata_done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_back_to_the_class),
        cmocka_unit_test(derives_metas_hidden_size),
        cmocka_unit_test(reads_mistrals_params),
        cmocka_unit_test(obeys_what_is_set),
        cmocka_unit_test(refuses_what_is_no_configuration),
        cmocka_unit_test(holds_what_counts),
        cmocka_unit_test(holds_until_it_changes),
        cmocka_unit_test(holds_what_is_set),
        cmocka_unit_test(reads_gguf_metadata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
