/*
 * test_json_scan.c -- the strict scanner: what is JSON, what is not, and at which byte it fails.
 *
 * In the tables ' means ", so that the caret below a row points at the byte at fault; ` means ' itself.
 * cJSON gives a second opinion on validity: it must see the same tree.
 */
#include "../support/t.h"

#include "base/json_doc.h"
#include "base/json_scan.h"
#include "base/text.h"

struct row {
    const char *text;
    numel_rc code;
    uint64_t offset;
};

#define SYNTAX NUMEL_E_SYNTAX
#define LIMIT NUMEL_E_LIMIT
#define UTF8 NUMEL_E_UTF8

static const struct row broken[] = {
    { "", SYNTAX, 0 },
    /* ^ nothing */
    { "   ", SYNTAX, 3 },
    /*  ^ nothing but space */
    { "{", SYNTAX, 1 },
    /* ^ */
    { "[1,2", SYNTAX, 4 },
    /*    ^ */
    { "{'a'", SYNTAX, 4 },
    { "{'a':", SYNTAX, 5 },
    { "{'a':1", SYNTAX, 6 },
    { "'abc", SYNTAX, 4 },
    { "[1] 2", SYNTAX, 4 },
    /*     ^ a second document */
    { "{}{}", SYNTAX, 2 },
    /*   ^ */
    { "[1,]", SYNTAX, 3 },
    /*    ^ trailing comma */
    { "{'a':1,}", SYNTAX, 7 },
    /*        ^ */
    { "[,1]", SYNTAX, 1 },
    /*  ^ */
    { "[1 2]", SYNTAX, 3 },
    /*    ^ */
    { "[1}", SYNTAX, 2 },
    /*   ^ */
    { "{'a' 1}", SYNTAX, 5 },
    /*      ^ */
    { "{'a':1 'b':2}", SYNTAX, 7 },
    /*        ^ */
    { "{1:2}", SYNTAX, 1 },
    /*  ^ a key is a string */
    { "{a:2}", SYNTAX, 1 },
    { "{`a`:2}", SYNTAX, 1 },
    { "]", SYNTAX, 0 },
    { "nul", SYNTAX, 0 },
    { "True", SYNTAX, 0 },
    { "NaN", SYNTAX, 0 },
    { "-Infinity", SYNTAX, 1 },
    { "[truex]", SYNTAX, 5 },
    /*      ^ */
    { "007", SYNTAX, 0 },
    /* ^ cJSON accepts this, and the next five */
    { "-01", SYNTAX, 1 },
    { "1.", SYNTAX, 2 },
    /*  ^ */
    { ".5", SYNTAX, 0 },
    { "1.e5", SYNTAX, 2 },
    { "1e", SYNTAX, 2 },
    { "1e+", SYNTAX, 3 },
    { "+1", SYNTAX, 0 },
    { "-", SYNTAX, 1 },
    { "0x10", SYNTAX, 1 },
    { "1_000", SYNTAX, 1 },
    { "'a\nb'", SYNTAX, 2 },
    /*    ^ a raw newline; cJSON accepts it */
    { "'\t'", SYNTAX, 1 },
    { "'\x1f'", SYNTAX, 1 },
    { "'\\x41'", SYNTAX, 1 },
    /*  ^ the backslash */
    { "'\\u12'", SYNTAX, 1 },
    { "'\\u12g4'", SYNTAX, 1 },
    { "'\\", SYNTAX, 1 },
    { "'\\ud800'", SYNTAX, 1 },
    /*  ^ lone high surrogate */
    { "'\\udc00'", SYNTAX, 1 },
    { "'\\ud800\\u0041'", SYNTAX, 1 },
    { "'\\ud800\\ud800'", SYNTAX, 1 },
    { "'12345678\\ud800'", SYNTAX, 9 },
    /* after a run of eight */
    { "\xef\xbb\xbf{}", SYNTAX, 0 },
    /* ^ a byte order mark */
    { "\xff", UTF8, 0 },
    { "'a\xff'", UTF8, 2 },
    { "'a\xc3'", UTF8, 2 },
    { "'\xed\xa0\x80'", UTF8, 1 },
    { "{'\xc0\x80':1}", UTF8, 2 },
    { "[1]\xc2\xa0", SYNTAX, 3 },
    /* a no-break space is not JSON white space */
    { "{}//x", SYNTAX, 2 },
    { "/*x*/{}", SYNTAX, 0 },
    { "[1,\v2]", SYNTAX, 3 },
};

/* clang-format off */
static const char *const valid[] = {
    "null", "true", "false", "0", "-0", "-0.0", "1", "10", "-1.5e-10", "1E+400", "0.5",
    "18446744073709551615", "123456789012345678901234567890", "''", "'a'",
    "'\\'\\\\\\/\\b\\f\\n\\r\\t'", "'\\u00e9\\u20ac\\ud83d\\ude00'", "'caf\xc3\xa9 \xf0\x9f\x94\xa5'",
    "'\x7f'", "[]", "{}", " [ ] ", "\t\r\n{ } ", "[[],[[]],{}]", "{'a':1,'b':[2,{'c':null}]}",
    "{'':''}", "{'a':1,'a':2}", "[1,2,3]", "{'k' : [ 1 , 2 ] , 'l' : { } }",
    "['12345678','1234567\\n','123456789012345678901234\xc3\xa9']",
    "{'__metadata__':{'format':'pt'},'a':{'dtype':'F32','shape':[2,3],'data_offsets':[0,24]}}",
};
/* clang-format on */

static size_t translate(char *to, const char *from)
{
    size_t n = 0;
    for (; *from; from++) to[n++] = *from == '\'' ? '"' : *from == '`' ? '\'' : *from;
    to[n] = 0;
    return n;
}

static void start(struct json_scan *s, const char *text, size_t n, numel_error *e)
{
    memset(s, 0xAA, sizeof *s);
    memset(e, 0xAA, sizeof *e);
    e->code = NUMEL_OK;
    json_start(s, text, n, 1000, e);
}

static void test_broken(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(broken); i++) {
        const struct row *r = &broken[i];
        struct json_scan s;
        numel_error e;
        char text[256];
        start(&s, text, translate(text, r->text), &e);
        bool ok = json_skip(&s) && json_finish(&s);
        ROW(failed, !ok && e.code == r->code && e.offset == 1000 + r->offset, "%s: %s at %lld: %s", r->text,
            ok ? "accepted" : numel_rc_name(e.code), ok ? -1 : (long long)e.offset - 1000, ok ? "" : e.what);
    }
    assert_int_equal(failed, 0);
}

/* Every prefix of a valid document is refused, except where the prefix is one itself. */
static void test_prefixes(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(valid); i++) {
        char text[256];
        size_t n = translate(text, valid[i]);
        bool container = text[n - 1] == '}' || text[n - 1] == ']' || text[n - 1] == '"';
        for (size_t k = 0; container && k < n; k++) {
            struct json_scan s;
            numel_error e;
            start(&s, text, k, &e);
            bool ok = json_skip(&s) && json_finish(&s);
            ROW(failed, !ok && (e.code == SYNTAX || e.code == UTF8) && e.offset <= 1000 + k, "%s cut at %zu",
                valid[i], k);
        }
    }
    assert_int_equal(failed, 0);
}

/* ---- the same tree as cJSON's ------------------------------------------------------------- */

static void draw_scan(struct json_scan *s, struct arena *a, struct buffer *b)
{
    struct json_text text;
    numel_str plain;
    uint8_t c = json_peek(s), close = c == '{' ? '}' : ']';
    if (c == '{' || c == '[') {
        buffer_char(b, (char)c);
        for (json_open(s, (char)c); json_more(s, (char)close);) {
            if (c == '{' && json_key(s, &text) && json_unescape(s, a, text, &plain)) {
                text_json(b, plain);
                buffer_char(b, ':');
            }
            draw_scan(s, a, b);
            buffer_char(b, ',');
        }
        buffer_char(b, (char)close);
    } else if (c == '"') {
        if (json_string(s, &text) && json_unescape(s, a, text, &plain)) text_json(b, plain);
    } else {
        buffer_char(b, c == 't' || c == 'f' || c == 'n' ? (char)c : '#');
        json_skip(s);
    }
}

static void draw_doc(const json_value *v, struct buffer *b)
{
    enum json_kind k = json_kind(v);
    if (k == JSON_OBJECT || k == JSON_ARRAY) {
        buffer_char(b, k == JSON_OBJECT ? '{' : '[');
        for (const json_value *c = json_first(v); c; c = json_next(c)) {
            if (k == JSON_OBJECT) {
                text_json(b, text_of(json_name(c)));
                buffer_char(b, ':');
            }
            draw_doc(c, b);
            buffer_char(b, ',');
        }
        buffer_char(b, k == JSON_OBJECT ? '}' : ']');
    } else if (k == JSON_STRING) {
        text_json(b, text_of(json_text_of(v)));
    } else {
        buffer_char(b, k == JSON_NULL ? 'n' : k == JSON_NUMBER ? '#' : json_true(v) ? 't' : 'f');
    }
}

static void test_valid_as_cjson(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(valid); i++) {
        struct json_scan s;
        struct arena arena;
        struct buffer ours, theirs;
        numel_error e, e2 = { .code = NUMEL_OK };
        char text[256];
        size_t n = translate(text, valid[i]);
        arena_init(&arena, &memory_malloc);
        buffer_init(&ours, &memory_malloc);
        buffer_init(&theirs, &memory_malloc);
        start(&s, text, n, &e);
        draw_scan(&s, &arena, &ours);
        ROW(failed, json_finish(&s), "%s is refused: %s", valid[i], e.what);
        json_value *doc = json_doc_parse(text, n, &e2);
        ROW(failed, doc, "%s is refused by json_doc: %s", valid[i], e2.what);
        if (doc) draw_doc(doc, &theirs);
        ROW(failed, ours.n == theirs.n && !memcmp(ours.p, theirs.p, ours.n), "%s: we see %.*s, cJSON %.*s",
            valid[i], (int)ours.n, ours.p, (int)theirs.n, theirs.p);
        json_doc_free(doc);
        buffer_done(&ours);
        buffer_done(&theirs);
        arena_done(&arena);
    }
    assert_int_equal(failed, 0);
}

/* ---- depth, integers, unescaping ---------------------------------------------------------- */

static void test_depth(void **state)
{
    static const struct {
        unsigned depth;
        const char *open, *close;
    } rows[] = { { 126, "[", "]" },  { 127, "[", "]" },       { 128, "[", "]" },
                 { 5000, "[", "]" }, { 127, "{\"a\":", "}" }, { 128, "{\"a\":", "}" } };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct json_scan s;
        struct buffer b;
        numel_error e;
        buffer_init(&b, &memory_malloc);
        for (unsigned k = 0; k < rows[i].depth; k++) buffer_text(&b, rows[i].open);
        buffer_text(&b, "1");
        for (unsigned k = 0; k < rows[i].depth; k++) buffer_text(&b, rows[i].close);
        start(&s, b.p, b.n, &e);
        bool ok = json_skip(&s) && json_finish(&s);
        ROW(failed, ok == (rows[i].depth <= JSON_DEPTH), "row %zu", i);
        ROW(failed, ok || (e.code == LIMIT && e.offset == 1000 + 127 * strlen(rows[i].open)),
            "row %zu fails at %lld", i, (long long)e.offset);
        buffer_done(&b);
    }
    assert_int_equal(failed, 0);
}

static void test_integers(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        uint64_t value;
    } rows[] = {
        { "0", true, 0 },
        { "7", true, 7 },
        { " 42 ", true, 42 },
        { "18446744073709551615", true, UINT64_MAX },
        { "18446744073709551616", false, 0 },
        { "99999999999999999999999", false, 0 },
        { "9007199254740993", true, 9007199254740993 },
        { "01", false, 0 },
        { "00", false, 0 },
        { "-0", false, 0 },
        { "-1", false, 0 },
        { "4.0", false, 0 },
        { "4e0", false, 0 },
        { "4E0", false, 0 },
        { "+4", false, 0 },
        { "\"4\"", false, 0 },
        { "null", false, 0 },
        { "", false, 0 },
        { "0x4", false, 0 },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct json_scan s;
        numel_error e;
        uint64_t v;
        POISON(v);
        start(&s, rows[i].text, strlen(rows[i].text), &e);
        bool ok = json_u64(&s, &v, "a dimension") && json_finish(&s);
        ROW(failed, ok == rows[i].ok && (!ok || v == rows[i].value), "'%s'", rows[i].text);
        ROW(failed, ok || e.code == SYNTAX, "the code of '%s'", rows[i].text);
    }
    assert_int_equal(failed, 0);
}

static void test_unescape(void **state)
{
    static const struct {
        const char *json, *text;
        size_t n;
        bool escaped;
    } rows[] = {
        { "\"plain\"", "plain", 5, false },
        { "\"\"", "", 0, false },
        { "\"\\u0061\"", "a", 1, true },
        { "\"a\\u0000b\"", "a\0b", 3, true },
        { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8, true },
        { "\"\\u00E9\\u20ac\"", "\xc3\xa9\xe2\x82\xac", 5, true },
        { "\"\\uD83D\\uDE00!\"", "\xf0\x9f\x98\x80!", 5, true },
        { "\"\\u07ff\\u0800\\uffff\"", "\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf", 8, true },
        { "\"\\udbff\\udfff\"", "\xf4\x8f\xbf\xbf", 4, true },
        { "\"caf\xc3\xa9\\n\"", "caf\xc3\xa9\n", 6, true },
    };
    unsigned failed = 0;
    struct arena arena;
    (void)state;
    arena_init(&arena, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct json_scan s;
        struct json_text text;
        numel_error e;
        numel_str out;
        POISON(text);
        POISON(out);
        start(&s, rows[i].json, strlen(rows[i].json), &e);
        bool ok = json_string(&s, &text) && json_unescape(&s, &arena, text, &out);
        ROW(failed, ok && text.escaped == rows[i].escaped, "%s", rows[i].json);
        ROW(failed, ok && out.n == rows[i].n && !memcmp(out.p, rows[i].text, out.n), "the text of %s",
            rows[i].json);
        ROW(failed, rows[i].escaped || out.p == rows[i].json + 1, "%s was copied", rows[i].json);
    }
    arena_done(&arena);
    assert_int_equal(failed, 0);
}

/* The first failure is kept, whatever is called afterwards. */
static void test_sticks(void **state)
{
    struct json_scan s;
    struct json_text text;
    numel_error e, first;
    uint64_t v;
    (void)state;
    start(&s, "[1,}", 4, &e);
    assert_false(json_skip(&s));
    first = e;
    assert_int_equal(json_peek(&s), 0);
    assert_false(json_open(&s, '['));
    assert_false(json_more(&s, ']'));
    assert_false(json_key(&s, &text));
    assert_false(json_string(&s, &text));
    assert_false(json_u64(&s, &v, "x"));
    assert_false(json_word(&s, "null"));
    assert_false(json_skip(&s));
    assert_false(json_finish(&s));
    assert_memory_equal(&e, &first, sizeof e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken), cmocka_unit_test(test_prefixes), cmocka_unit_test(test_valid_as_cjson),
        cmocka_unit_test(test_depth),  cmocka_unit_test(test_integers), cmocka_unit_test(test_unescape),
        cmocka_unit_test(test_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
