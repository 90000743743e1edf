/*
 * test_others.c -- how other tools print a count, declared totals, what the Hub shows for a tensor, and an
 * inconsistent adapter, with each allocation failing in turn.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "reader/declared.h"
#include "base/text.h"
#include "adapter/adapter.h"
#include "counters/others.h"

/* ---- texts -------------------------------------------------------------------------------- */

/* Half a step rounds up; the unit changes when its letter does. */
static const struct {
    uint64_t n;
    const char *hub, *llama, *parser, *ollama, *label;
} texts[] = {
    { 0, "0 params", "0.00 K", "0", "0", "0.00K" },
    { 999, "999 params", "1.00 K", "999", "999", "1.0K" },
    { 1000, "1k params", "1.00 K", "1 K", "1K", "1.0K" },
    { 333312, "333k params", "333.31 K", "333.31 K", "333K", "333K" },
    { 999499, "999k params", "999.50 K", "999.50 K", "999K", "999K" },
    { 999500, "1.00M params", "999.50 K", "999.50 K", "1000K", "1000K" },
    { 22713216, "22.7M params", "22.71 M", "22.71 M", "22.71M", "23M" },
    { 109482240, "0.1B params", "109.48 M", "109.48 M", "109.48M", "109M" },
    { 751632384, "0.8B params", "751.63 M", "751.63 M", "751.63M", "752M" },
    { 1000000000, "1B params", "1.00 B", "1 B", "1B", "1.0B" },
    { 7615616512, "8B params", "7.62 B", "7.62 B", "7.6B", "7.6B" },
    { 8030261248, "8B params", "8.03 B", "8.03 B", "8.0B", "8.0B" },
    { 46702792704, "47B params", "46.70 B", "46.70 B", "46.7B", "47B" },
    { 684531386000, "685B params", "684.53 B", "684.53 B", "684.5B", "685B" },
    { 2779931837184, "3T params", "2.78 T", "2.78 T", "2779.9B", "2.8T" },
    { UINT64_MAX, "18446744T params", "18446744.07 T", "18446.74 Q", "18446744073.7B", "18446744T" },
};

static void test_texts(void **state)
{
    struct arena a;
    unsigned failed = 0;
    (void)state;
    arena_init(&a, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(texts); i++) {
        const char *is[] = { others_text_hub(&a, texts[i].n), others_text_llama(&a, texts[i].n),
                             others_text_parser(&a, texts[i].n), others_text_ollama(&a, texts[i].n),
                             others_text_label(&a, texts[i].n) };
        const char *wanted[] = { texts[i].hub, texts[i].llama, texts[i].parser, texts[i].ollama,
                                 texts[i].label };
        for (int k = 0; k < 5; k++)
            ROW(failed, strcmp(is[k], wanted[k]) == 0, "%llu: '%s' is not '%s'",
                (unsigned long long)texts[i].n, is[k], wanted[k]);
    }
    arena_done(&a);
    assert_int_equal(failed, 0);
}

/* ---- declared numbers --------------------------------------------------------------------- */

static const struct {
    const char *text;
    bool number, leading;
    uint64_t value, first;
} numbers[] = {
    { "7615616512", true, true, 7615616512, 7615616512 },
    { "\"7615616512\"", true, true, 7615616512, 7615616512 },
    { "7615616512.0", true, true, 7615616512, 7615616512 },
    { "7.615616512e9", true, true, 7615616512, 7 },
    { "7.615616512E+09", true, true, 7615616512, 7 },
    { "100e-2", false, true, 0, 100 },
    { "1.50", false, true, 0, 1 },
    { "0", true, true, 0, 0 },
    { "-1", false, false, 0, 0 },
    { "", false, false, 0, 0 },
    { "\"\"", false, false, 0, 0 },
    { "many", false, false, 0, 0 },
    { "12abc", false, true, 0, 12 },
    { "18446744073709551615", true, true, UINT64_MAX, UINT64_MAX },
    { "18446744073709551616", false, false, 0, 0 },
    { "1e20", false, true, 0, 1 },
    { "1e99999999999999999999", false, true, 0, 1 },
    { "null", false, false, 0, 0 },
};

static void test_numbers(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(numbers); i++) {
        uint64_t v, first;
        bool number = declared_number(text_of(numbers[i].text), &v);
        bool leading = declared_leading(text_of(numbers[i].text), &first);
        ROW(failed, number == numbers[i].number && (!number || v == numbers[i].value), "%s: number",
            numbers[i].text);
        ROW(failed, leading == numbers[i].leading && (!leading || first == numbers[i].first), "%s: leading",
            numbers[i].text);
    }
    assert_int_equal(failed, 0);
}

/* ---- adapters ----------------------------------------------------------------------------- */

/* A file with that header and absent data; the caller calls numel_free(). */
static numel_checkpoint *open_header(const char *json, const numel_options *options)
{
    static uint8_t bytes[4096];
    size_t n = strlen(json);
    numel_checkpoint *ck = NULL;
    assert_true(n + 8 <= sizeof bytes);
    for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)(i < 2 ? n >> 8 * i : 0);
    memcpy(bytes + 8, json, n);
    assert_int_equal(numel_open_memory(&ck, bytes, n + 8, options, NULL), NUMEL_OK);
    return ck;
}

/* k_proj lacks its B; the two of o_proj have ranks 2 and 3. */
static const char quarrel[] =
    "{\"l.0.q_proj.lora_A.weight\":{\"dtype\":\"F32\",\"shape\":[2,8],\"data_offsets\":[0,64]},"
    "\"l.0.q_proj.lora_B.weight\":{\"dtype\":\"F32\",\"shape\":[4,2],\"data_offsets\":[64,96]},"
    "\"l.0.k_proj.lora_A.weight\":{\"dtype\":\"F32\",\"shape\":[2,8],\"data_offsets\":[96,160]},"
    "\"l.0.o_proj.lora_A.weight\":{\"dtype\":\"F32\",\"shape\":[2,8],\"data_offsets\":[160,224]},"
    "\"l.0.o_proj.lora_B.weight\":{\"dtype\":\"F32\",\"shape\":[4,3],\"data_offsets\":[224,272]},"
    "\"l.0.s.lora_B.weight\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[272,276]}}";

static void test_quarrel(void **state)
{
    struct arena arena;
    struct adapter a;
    numel_error e;
    (void)state;
    error_clear(&e);
    arena_init(&arena, &memory_malloc);
    numel_checkpoint *ck = open_header(quarrel, NULL);
    assert_true(adapter_read(&a, ck, NULL, &arena, &e));
    assert_string_equal(a.type, "lora");
    assert_int_equal(a.module_count, 4);
    assert_int_equal(a.parameters, 16 + 8 + 16 + 16 + 12 + 1);
    assert_int_equal(a.target_base, 4 * 8); /* only q_proj */
    assert_int_equal(a.ranks.count, 1);
    assert_int_equal(a.complaint_count, 2); /* k_proj and s; o_proj */
    adapter_done(&a);
    arena_done(&arena);
    numel_free(ck);
}

static bool nowhere(void *ctx, const void *p, size_t n)
{
    (void)ctx, (void)p, (void)n;
    return true;
}

static void test_memory(void **state)
{
    struct check_memory m;
    numel_options options = { .size = sizeof(numel_options), .allocator = &m.allocator };
    bool reached = true;
    (void)state;
    check_memory_init(&m, UINT64_MAX);
    numel_checkpoint *ck = open_header(quarrel, &options);
    int64_t before = m.outstanding;
    for (uint64_t k = 0; reached; k += check_every()) {
        numel_report *r = NULL;
        m.calls = 0;
        m.fail_at = k;
        numel_subject *model = NULL;
        numel_rc rc = numel_subject_of(&model, ck, NULL, NULL, NULL);
        if (!rc)
            rc = numel_report_show(&r, model, &(numel_view){ .size = sizeof(numel_view), .others = true },
                                   NULL);
        if (!rc)
            rc = numel_report_write(r, &(numel_style){ .size = sizeof(numel_style), .format = NUMEL_JSON },
                                    nowhere, NULL, NULL);
        numel_report_free(r);
        numel_subject_close(model);
        reached = m.calls > k;
        m.fail_at = UINT64_MAX;
        assert_int_equal(rc, reached ? NUMEL_E_NOMEM : NUMEL_OK);
        assert_int_equal(m.outstanding, before);
    }
    numel_free(ck);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts), cmocka_unit_test(test_numbers),
                                        cmocka_unit_test(test_quarrel), cmocka_unit_test(test_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
