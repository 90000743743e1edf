/*
 * test_locale.c -- a host that has called setlocale() for its user: fractions are still read and written
 * with a point, whatever the language uses. The locale is one of the system's, or one that localedef makes
 * for the test; without either, the test is skipped with a message.
 */
#include "../support/t.h"

#include "base/buffer.h"
#include "base/number.h"
#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#define PLACE "build/locale"

/* A locale with a decimal comma; false if there is none. */
static bool speak_german(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ru_RU.UTF-8" };
    for (int made = 0; made < 2; made++) {
        if (made && system("mkdir -p " PLACE " && localedef -i de_DE -f UTF-8 " PLACE "/de_DE.UTF-8 "
                           ">/dev/null 2>&1") != 0)
            return false;
        if (made) setenv("LOCPATH", PLACE, 1);
        for (size_t i = 0; i < ROWS_OF(names); i++) {
            char half[16];
            if (!setlocale(LC_ALL, names[i])) continue;
            snprintf(half, sizeof half, "%.1f", 0.5);
            if (half[1] != '.') return true;
        }
    }
    return false;
}

/* The text is a number with that value; with a comma, or anything else after it, it is not. */
static unsigned check_numbers(const char *where)
{
    static const struct {
        const char *text;
        bool is;
        double value;
    } rows[] = {
        { "1.5", true, 1.5 },     { "-0.25", true, -0.25 },    { "12", true, 12 },  { "1e-5", true, 1e-5 },
        { "1.5E+3", true, 1500 }, { "0.1", true, 0.1 },        { "1,5", false, 0 }, { "1.", false, 0 },
        { ".5", false, 0 },       { "1.5.2", false, 0 },       { "", false, 0 },    { "-", false, 0 },
        { "0x10", false, 0 },     { "inf", false, 0 },         { "nan", false, 0 }, { "1e", false, 0 },
        { "1e+", false, 0 },      { " 1", false, 0 },          { "1 ", false, 0 },  { "+1", false, 0 },
        { "1e-400", true, 0 },    { "1e400", true, HUGE_VAL },
    };
    unsigned failed = 0;
    char text[NUMBER_REAL], counted[] = "1.57";
    double v = 0;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        bool is = number_real_read(text_of(rows[i].text), false, &v);
        ROW(failed, is == rows[i].is && (!is || !(v < rows[i].value || v > rows[i].value)), "%s: '%s' is %g",
            where, rows[i].text, is ? v : NAN);
    }
    ROW(failed, number_real_read((numel_str){ counted, 3 }, false, &v) && v == 1.5, "%s: more than told",
        where);
    ROW(failed, !number_real_read((numel_str){ "1\0005", 3 }, false, &v), "%s: a NUL does not end a number",
        where);
    ROW(failed, number_real_read(text_of("0.1"), true, &v) && v == (double)0.1f, "%s: a float", where);
    ROW(failed, !strcmp(number_real(text, 1.5, NUMBER_SHORT, 6), "1.5"), "%s: short: %s", where, text);
    ROW(failed, !strcmp(number_real(text, 1e-5, NUMBER_SHORT, 6), "1e-05"), "%s: short: %s", where, text);
    ROW(failed, !strcmp(number_real(text, -1.25e-7, NUMBER_SCIENTIFIC, 2), "-1.25e-07"), "%s: %s", where,
        text);
    ROW(failed,
        !strcmp(number_real(text, 90000000000000000.0, NUMBER_FIXED, 24) + 17, ".000000000000000000000000"),
        "%s: fixed: %s", where, text);
    ROW(failed, !strcmp(number_real(text, -HUGE_VAL, NUMBER_SHORT, 6), "-inf"), "%s: %s", where, text);
    ROW(failed, !strcmp(number_real(text, NAN, NUMBER_SHORT, 6) + (text[0] == '-'), "nan"), "%s: %s", where,
        text);
    return failed;
}

static bool collect(void *ctx, const void *p, size_t bytes)
{
    buffer_add(ctx, p, bytes);
    return !((struct buffer *)ctx)->failed;
}

/* What print shows for a configuration with such numbers. */
static void say(struct buffer *b)
{
    static const char config[] =
        "{\"model_type\":\"bert\",\"architectures\":[\"BertModel\"],\"hidden_size\":8,\"num_hidden_layers\":"
        "1,"
        "\"num_attention_heads\":2,\"intermediate_size\":16,\"vocab_size\":10,\"max_position_embeddings\":4,"
        "\"type_vocab_size\":2,\"layer_norm_eps\":1.5e-5,\"hidden_dropout_prob\":0.25}";
    const numel_knowledge k = { .size = sizeof k, .config_text = config, .config_bytes = sizeof config - 1 };
    numel_subject *model;
    numel_report *report;
    assert_int_equal(numel_subject_open(&model, NULL, &k, NULL, NULL), NUMEL_OK);
    assert_int_equal(numel_report_print(&report, model, NULL), NUMEL_OK);
    buffer_init(b, &memory_malloc);
    assert_int_equal(numel_report_write(report, NULL, collect, b, NULL), NUMEL_OK);
    buffer_char(b, 0);
    assert_false(b->failed);
    numel_report_free(report);
    numel_subject_close(model);
}

static void test_locale(void **state)
{
    struct buffer plain, german;
    (void)state;
    assert_int_equal(check_numbers("C"), 0);
    say(&plain);
    assert_non_null(strstr(plain.p, "eps=1.5e-05"));
    assert_non_null(strstr(plain.p, "p=0.25"));
    if (!speak_german()) {
        fprintf(stderr, "test_locale: no locale with a comma, and no localedef to make one\n");
        buffer_done(&plain);
        skip();
    }
    assert_int_equal(check_numbers("with a comma"), 0);
    say(&german);
    assert_string_equal(german.p, plain.p);
    buffer_done(&plain);
    buffer_done(&german);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_locale) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
