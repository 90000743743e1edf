/*
 * test_json_doc.c -- lenient parsing and number conversions of cJSON that our wrapper must prevent.
 *
 * One test for each row of the table drawn up before cJSON was chosen; the comment on each describes plain
 * cJSON (1.7.15 and 1.7.19).
 */
#include "../support/t.h"

#include "base/json_doc.h"

#include <math.h>

static json_value *parse(const char *text, numel_error *e)
{
    memset(e, 0xAA, sizeof *e);
    e->code = NUMEL_OK;
    return json_doc_parse(text, strlen(text), e);
}

/* Printing 2^53-1 gives 9.00719925474099e+15, a wrong value; 10^15 gives 1e+15. */
static void test_print_integers(void **state)
{
    (void)state;
    json_value *o = json_new_object();
    assert_true(json_add_u64(o, "a", 9007199254740991));
    assert_true(json_add_u64(o, "b", 1000000000000000));
    assert_true(json_add_u64(o, "c", UINT64_MAX));
    assert_true(json_add_u64(o, "d", 0));
    assert_true(json_add_raw(o, "e", "null"));
    char *text = json_print(o);
    assert_string_equal(text, "{\"a\":9007199254740991,\"b\":1000000000000000,"
                              "\"c\":18446744073709551615,\"d\":0,\"e\":null}");
    json_print_free(text);
    json_doc_free(o);
}

/* 2^53+1 is rounded silently; valueint saturates at 2147483647. */
static void test_read_integers(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        int64_t value;
    } rows[] = {
        { "671026419200", true, 671026419200 },
        { "0", true, 0 },
        { "-1", true, -1 },
        { "9007199254740991", true, 9007199254740991 },
        { "1.5", false, 0 },
        { "4.0", true, 4 },
        { "1e3", true, 1000 },
        { "9007199254740994", false, 0 },
        { "9007199254740993", false, 0 }, /* 2^53 + 1, which a double turns into 2^53 */
        { "-9007199254740993", false, 0 },
        { "-9007199254740991", true, -9007199254740991 },
        { "-9007199254740994", false, 0 },
        { "1e400", false, 0 },
        { "\"5\"", false, 0 },
        { "true", false, 0 },
        { "null", false, 0 },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        numel_error e;
        int64_t v;
        POISON(v);
        json_value *doc = parse(rows[i].text, &e);
        ROW(failed, doc, "%s: %s", rows[i].text, e.what);
        bool ok = doc && json_integer(doc, &v);
        ROW(failed, ok == rows[i].ok && (!ok || v == rows[i].value), "%s", rows[i].text);
        json_doc_free(doc);
    }
    assert_int_equal(failed, 0);
    assert_false(json_integer(NULL, &(int64_t){ 0 }));
}

/* The key "a\u0000b" becomes "a" and collides with a real one. */
static void test_nul(void **state)
{
    static const struct {
        const char *text;
        bool ok;
    } rows[] = {
        { "{\"a\\u0000b\":1}", false }, { "\"\\u0000\"", false },  { "\"\\\\u0000\"", true },
        { "\"\\\\\\u0000\"", false },   { "\"\\u00001\"", false }, { "\"\\u0001\"", true },
        { "\"u0000\"", true },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        numel_error e;
        json_value *doc = parse(rows[i].text, &e);
        ROW(failed, (doc != NULL) == rows[i].ok, "%s", rows[i].text);
        ROW(failed, doc || e.code == NUMEL_E_SYNTAX, "the code of %s", rows[i].text);
        json_doc_free(doc);
    }
    assert_int_equal(failed, 0);
}

/* Both are kept and the first is found. */
static void test_duplicate_keys(void **state)
{
    numel_error e;
    int64_t v = 0;
    (void)state;
    json_value *doc = parse("{\"a\":1,\"b\":5,\"a\":2}", &e);
    assert_non_null(doc);
    assert_true(json_integer(json_get(doc, "a"), &v));
    assert_int_equal(v, 2); /* the last one, as Python and transformers read it */
    json_doc_free(doc);
}

/* cJSON_GetObjectItem(o, "shape") finds "Shape". */
static void test_case(void **state)
{
    numel_error e;
    (void)state;
    json_value *doc = parse("{\"Shape\":1}", &e);
    assert_null(json_get(doc, "shape"));
    assert_non_null(json_get(doc, "Shape"));
    assert_null(json_get(json_get(doc, "Shape"), "x")); /* a number has no members */
    assert_null(json_get(NULL, "x"));
    json_doc_free(doc);
}

/* {"a":1}xyz is accepted, so are 007, 1., a raw newline, bad UTF-8 and a byte order mark. */
static void test_refused(void **state)
{
    static const struct {
        const char *text;
        numel_rc code;
        uint64_t offset;
    } rows[] = {
        { "{\"a\":1}xyz", NUMEL_E_SYNTAX, 7 },
        { "007", NUMEL_E_SYNTAX, 0 },
        { "1.", NUMEL_E_SYNTAX, 2 },
        { "\"a\nb\"", NUMEL_E_SYNTAX, 2 },
        { "\"\xff\"", NUMEL_E_UTF8, 1 },
        { "\xef\xbb\xbf{}", NUMEL_E_SYNTAX, 0 },
        { "", NUMEL_E_SYNTAX, 0 },
        { "{\"a\":1", NUMEL_E_SYNTAX, 6 },
        { "[1,2,]", NUMEL_E_SYNTAX, 5 },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        numel_error e;
        json_value *doc = parse(rows[i].text, &e);
        ROW(failed, !doc && e.code == rows[i].code && e.offset == rows[i].offset, "%s", rows[i].text);
        json_doc_free(doc);
    }
    assert_int_equal(failed, 0);
}

/* Trailing white space is allowed; bytes past the given length are not read. */
static void test_slices(void **state)
{
    numel_error e = { .code = NUMEL_OK };
    (void)state;
    json_value *doc = json_doc_parse("{\"a\":1} \n\t\r garbage", 11, &e);
    assert_non_null(doc);
    json_doc_free(doc);
    doc = json_doc_parse("123456", 3, &e);
    int64_t v = 0;
    assert_true(json_integer(doc, &v));
    assert_int_equal(v, 123);
    json_doc_free(doc);
}

static void test_kinds(void **state)
{
    numel_error e;
    (void)state;
    json_value *doc = parse("[null,true,false,1.5,\"s\",[],{}]", &e);
    static const enum json_kind kinds[] = { JSON_NULL,   JSON_BOOL,  JSON_BOOL,  JSON_NUMBER,
                                            JSON_STRING, JSON_ARRAY, JSON_OBJECT };
    size_t i = 0;
    assert_int_equal(json_kind(doc), JSON_ARRAY);
    for (const json_value *c = json_first(doc); c; c = json_next(c), i++) {
        assert_true(i < ROWS_OF(kinds));
        assert_int_equal(json_kind(c), kinds[i]);
        assert_null(json_name(c));
        assert_true(json_true(c) == (i == 1));
        assert_true((json_text_of(c) != NULL) == (i == 4));
        assert_true(fabs(json_double(c) - (i == 3 ? 1.5 : 0)) < 1e-12);
    }
    assert_int_equal(i, ROWS_OF(kinds));
    json_doc_free(doc);
    json_doc_free(NULL);
}

static void test_writing(void **state)
{
    (void)state;
    json_value *o = json_new_object(), *list = json_new_array();
    assert_true(json_add_u64(list, NULL, 1));
    assert_true(json_add_raw(list, NULL, "\"x\\u202e\""));
    assert_true(json_add(o, "list", list));
    assert_true(json_add(o, "empty", json_new_object()));
    assert_false(json_add(o, "none", NULL));
    char *text = json_print(o);
    assert_string_equal(text, "{\"list\":[1,\"x\\u202e\"],\"empty\":{}}");
    json_print_free(text);
    json_doc_free(o);
}

/* Numbers are printed again to the last digit: plain cJSON prints 2^53+1 as 9.00719925474099e+15. */
static void test_long_numbers(void **state)
{
    static const char *const texts[] = {
        "{\"a\":9007199254740993,\"b\":[18446744073709551615,-9223372036854775808],\"c\":1}",
        "{\"s\":\"\\\\\\\"1234567890123456789\",\"a\":true,\"b\":1000000000000000,\"c\":[[null,{\"x\":7}],-0."
        "12345678901234567]}",
        "{\"a\":100000000000000000000000000000000000000000,\"1234567890123456789\":false,\"b\":12}",
        "1234567890123456789",
        "{\"a\":123456789012345,\"b\":\"1234567890123456789\"}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        numel_error e;
        json_value *doc = parse(texts[i], &e);
        assert_non_null(doc);
        for (int k = 0; k < 2; k++) { /* printing changes nothing */
            char *text = json_print(doc);
            assert_string_equal(text, texts[i]);
            json_print_free(text);
        }
        json_doc_free(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_print_integers),
        cmocka_unit_test(test_read_integers),
        cmocka_unit_test(test_nul),
        cmocka_unit_test(test_duplicate_keys),
        cmocka_unit_test(test_case),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_long_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
