/*
 * test_json_second.c -- the scanner compared with cJSON on texts that are JSON or nearly. `make
 * differential` runs more of them, and adds Python's opinion.
 */
#include "../support/json_second.h"
#include "../support/json_texts.h"
#include "../support/t.h"

enum { TEXTS = 5000 };

static void test_generated(void **state)
{
    unsigned failed = 0, accepted = 0, seen[JSON_CLASS_COUNT] = { 0 };
    struct buffer b;
    struct json_opinion o;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (unsigned i = 0; i < TEXTS; i++) {
        b.n = 0;
        json_text_make(&b, i);
        assert_false(b.failed);
        json_second(&o, b.n ? b.p : "", b.n);
        accepted += o.ok;
        seen[o.only]++;
        ROW(failed, !o.wrong[0], "text %u: %s (%s)", i, o.wrong, o.why);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
    assert_in_range(accepted, TEXTS / 4, TEXTS - TEXTS / 4);
    for (unsigned c = 0; c < JSON_CLASS_COUNT; c++)
        ROW(failed, seen[c], "no text is of the class: %s", json_class_texts[c]);
    assert_int_equal(failed, 0);
}

/* Each class of disagreement, with a similar text on which they agree. */
static void test_classes(void **state)
{
#define TEXT(text) text, sizeof(text) - 1
    static const struct {
        const char *text;
        size_t n;
        bool ok;
        enum json_class only;
    } rows[] = { { TEXT("\"\\u0000\""), true, JSON_ONLY_NUL_ESCAPE },
                 { TEXT("\"\\u0001\""), true, JSON_AGREE },
                 { TEXT("\"\xff\""), false, JSON_ONLY_NOT_UTF8 },
                 { TEXT("\"\xc3\xa9\""), true, JSON_AGREE },
                 { TEXT("\"\x01\""), false, JSON_ONLY_CONTROL },
                 { TEXT("\"\x7f\""), true, JSON_AGREE },
                 { TEXT("[\x01"
                        "1]"),
                   false, JSON_ONLY_SPACE },
                 { TEXT("[\t1]"), true, JSON_AGREE },
                 { TEXT("\xef\xbb\xbf{}"), false, JSON_ONLY_BOM },
                 { TEXT("[\xef\xbb\xbf]"), false, JSON_AGREE },
                 { TEXT("01"), false, JSON_ONLY_ZERO },
                 { TEXT("0.1"), true, JSON_AGREE },
                 { TEXT("1."), false, JSON_ONLY_DIGIT },
                 { TEXT("1e"), false, JSON_AGREE },
                 { TEXT("\"\\u00g1\""), false, JSON_ONLY_HEX },
                 { TEXT("\"\\ud800\""), false, JSON_AGREE },
                 { TEXT("[1] 2"), false, JSON_AGREE },
                 { TEXT("NaN"), false, JSON_AGREE } };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct json_opinion o;
        json_second(&o, rows[i].text, rows[i].n);
        ROW(failed, o.ok == rows[i].ok && o.only == rows[i].only && !o.wrong[0], "row %zu: %d, class %d, %s",
            i, o.ok, (int)o.only, o.wrong);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_generated), cmocka_unit_test(test_classes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
