/*
 * metadata.c -- keys, values and arrays of GGUF and safetensors as values. The file is built in memory and
 * opened with a configuration from memory.
 */
#include "embed.h"

static unsigned char file[4096];
static size_t used;

static void put(const void *p, size_t n)
{
    EXPECT(used + n <= sizeof file);
    memcpy(file + used, p, n);
    used += n;
}

static void put_number(uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) put(&(unsigned char){ (unsigned char)(v >> (8 * i)) }, 1);
}

static void put_text(const char *text)
{
    put_number(strlen(text), 8);
    put(text, strlen(text));
}

static void put_key(const char *key, numel_type type)
{
    put_text(key);
    put_number(type, 4);
}

/* A GGUF file without tensors: a text, a negative number, a factor, three arrays. */
static void make_gguf(void)
{
    const float half = 0.5f;
    used = 0;
    put("GGUF", 4);
    put_number(3, 4);
    put_number(0, 8);
    put_number(6, 8);
    put_key("general.architecture", NUMEL_STRING), put_text("llama");
    put_key("a.number", NUMEL_I16), put_number((uint64_t)-5, 2);
    put_key("a.factor", NUMEL_F32), put(&half, 4);
    put_key("a.list", NUMEL_ARRAY), put_number(NUMEL_I32, 4), put_number(3, 8);
    for (unsigned i = 0; i < 3; i++) put_number((uint64_t) - (int64_t)i, 4);
    put_key("a.words", NUMEL_ARRAY), put_number(NUMEL_STRING, 4), put_number(3, 8);
    put_text("one"), put_text(""), put_text("three");
    put_key("a.nothing", NUMEL_ARRAY), put_number(NUMEL_U8, 4), put_number(0, 8);
    while (used % 32) put_number(0, 1);
}

static bool is_text(numel_str s, const char *text) { return s.n == strlen(text) && !memcmp(s.p, text, s.n); }

static void check_array(const numel_checkpoint *ck, size_t i, size_t n)
{
    numel_values *values;
    numel_value v;
    EXPECT(numel_values_open(&values, ck, i, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_values_at(values, n, &v, NULL) == NUMEL_E_USAGE);
    for (size_t k = n; k-- > 0;) { /* in any order */
        EXPECT(numel_values_at(values, k, &v, NULL) == NUMEL_OK);
        if (v.type == NUMEL_I32) EXPECT(v.is.i == -(int64_t)k);
        else EXPECT(is_text(v.is.s, k == 0 ? "one" : k == 1 ? "" : "three"));
    }
    EXPECT(numel_values_at(values, n, &v, NULL) == NUMEL_E_USAGE);
    numel_values_close(values);
}

static void check_gguf(void)
{
    numel_checkpoint *ck;
    numel_values *values;
    numel_meta m = NUMEL_INIT(numel_meta);
    make_gguf();
    EXPECT(numel_open_memory(&ck, file, used, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_meta_count(ck) == 6);
    EXPECT(numel_meta_at(ck, 0, &m, NULL) == NUMEL_OK);
    EXPECT(is_text(m.key, "general.architecture") && is_text(m.value.is.s, "llama") && m.count == 1);
    EXPECT(numel_meta_at(ck, 1, &m, NULL) == NUMEL_OK && m.value.type == NUMEL_I16 && m.value.is.i == -5);
    EXPECT(numel_meta_at(ck, 2, &m, NULL) == NUMEL_OK && m.value.is.f > 0.49 && m.value.is.f < 0.51);
    EXPECT(numel_meta_at(ck, 3, &m, NULL) == NUMEL_OK);
    EXPECT(m.value.type == NUMEL_ARRAY && m.element == NUMEL_I32 && m.count == 3);
    EXPECT(numel_meta_at(ck, 6, &m, NULL) == NUMEL_E_USAGE);
    check_array(ck, 3, 3);
    check_array(ck, 4, 3);
    check_array(ck, 5, 0);
    EXPECT(numel_values_open(&values, ck, 1, NULL, NULL) == NUMEL_E_TYPE && !values);
    numel_free(ck);
}

/* A long array stays in the file until requested. */
static void check_file(const char *path)
{
    numel_found *found;
    numel_checkpoint *ck = open_at(path, &found);
    size_t arrays = 0;
    numel_meta m = NUMEL_INIT(numel_meta);
    for (size_t i = 0; i < numel_meta_count(ck); i++) {
        EXPECT(numel_meta_at(ck, i, &m, NULL) == NUMEL_OK && m.key.n);
        if (m.value.type != NUMEL_ARRAY || m.element == NUMEL_ARRAY) continue;
        numel_values *values;
        numel_value last;
        EXPECT(numel_values_open(&values, ck, i, NULL, NULL) == NUMEL_OK);
        if (m.count) EXPECT(numel_values_at(values, m.count - 1, &last, NULL) == NUMEL_OK);
        if (m.count) EXPECT(last.type == m.element);
        numel_values_close(values);
        arrays++;
    }
    EXPECT(arrays > 0);
    numel_free(ck);
    numel_found_free(found);
}

/* __metadata__ of safetensors, and a configuration for a file in memory. */
static void check_memory(void)
{
    static const char json[] = "{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F16\",\"shape\":[2],"
                               "\"data_offsets\":[0,4]}}";
    static const char config[] = "{\"model_type\":\"llama\",\"hidden_size\":8,\"num_hidden_layers\":1,"
                                 "\"num_attention_heads\":2,\"intermediate_size\":16,\"vocab_size\":10}";
    numel_knowledge k = { .size = sizeof k, .config_text = config, .config_bytes = sizeof config - 1 };
    numel_facts facts = NUMEL_INIT(numel_facts);
    numel_meta m = NUMEL_INIT(numel_meta);
    numel_checkpoint *ck;
    const numel_judgement *j;
    numel_subject *model;
    numel_error e;
    used = 0;
    put_number(sizeof json - 1, 8), put(json, sizeof json - 1), put_number(0, 4);
    EXPECT(numel_open_memory(&ck, file, used, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_meta_count(ck) == 1 && numel_meta_at(ck, 0, &m, NULL) == NUMEL_OK);
    EXPECT(is_text(m.key, "format") && is_text(m.value.is.s, "pt") && m.element == NUMEL_STRING);
    model = judged(ck, &k);
    EXPECT(numel_subject_about(model, &facts, NULL) == NUMEL_OK);
    EXPECT(facts.verdict == NUMEL_DISAGREES && facts.formula > 0 && !strcmp(facts.from, "configuration"));
    numel_subject_close(model);
    k.config = "the model's own";
    k.config_bytes--; /* without its last brace */
    EXPECT(numel_subject_of(&model, ck, &k, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_subject_judge(model, &j, &e) != NUMEL_OK && !j);
    numel_subject_close(model);
    EXPECT(strcmp(e.file, "the model's own") == 0 && e.what[0]);
    numel_free(ck);
    k.config_bytes++;
    EXPECT(numel_subject_open(&model, NULL, &k, NULL, NULL) == NUMEL_OK); /* only from the configuration */
    EXPECT(numel_subject_judge(model, &j, NULL) == NUMEL_OK && j->kind == NUMEL_IS_CONFIGURATION);
    EXPECT(numel_subject_about(model, &facts, NULL) == NUMEL_OK);
    EXPECT(facts.verdict == NUMEL_IN_PART && facts.expected > 0 && facts.lines == 0);
    numel_subject_close(model);
}

int main(int count, char **args)
{
    char path[512];
    EXPECT(count >= 2);
    check_gguf();
    check_memory();
    snprintf(path, sizeof path, "%s/llama-3.1-8b-q4_k_m", args[1]);
    check_file(path);
    return 0;
}
