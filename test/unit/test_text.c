/*
 * test_text.c -- untrusted text: what is UTF-8, what may be shown, how names compare.
 */
#include "../support/t.h"

#include "base/text.h"

static numel_str str(const char *p) { return text_of(p); }

static void test_utf8(void **state)
{
    static const struct {
        const char *p;
        size_t n;
        uint64_t bad; /* offset of the first invalid byte */
    } rows[] = {
        { "", 0, 0 },
        { "abcdefghijklmnop", 16, 16 },
        { "a\0b", 3, 3 },
        { "\xc3\xa9", 2, 2 },
        { "\xe6\x9d\x83", 3, 3 },
        { "\xf0\x9f\x94\xa5", 4, 4 },
        { "\xf4\x8f\xbf\xbf", 4, 4 }, /* U+10FFFF, the last */
        { "\xf4\x90\x80\x80", 4, 0 }, /* one more */
        { "\xed\x9f\xbf", 3, 3 },     /* U+D7FF, before the surrogates */
        { "\xed\xa0\x80", 3, 0 },     /* U+D800 */
        { "\xee\x80\x80", 3, 3 },     /* U+E000, after them */
        { "\xc0\x80", 2, 0 },         /* overlong NUL */
        { "\xc1\xbf", 2, 0 },         /* overlong U+7F */
        { "\xe0\x9f\xbf", 3, 0 },     /* overlong U+7FF */
        { "\xf0\x8f\xbf\xbf", 4, 0 }, /* overlong U+FFFF */
        { "ab\x80", 3, 2 },           /* a continuation byte without a lead */
        { "ab\xc3", 3, 2 },           /* cut short */
        { "ab\xe6\x9d", 4, 2 },
        { "ab\xc3z", 4, 2 },
        { "12345678\xff", 9, 8 }, /* after a run of eight */
        { "1234567\xff"
          "8",
          9, 7 },
        { "\xfe", 1, 0 },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed, text_utf8((const uint8_t *)rows[i].p, rows[i].n) == rows[i].bad, "row %zu", i);
    assert_int_equal(failed, 0);
}

static void test_sequence(void **state)
{
    uint32_t code;
    (void)state;
    POISON(code);
    assert_int_equal(text_sequence((const uint8_t *)"\xf0\x9f\x94\xa5", 4, &code), 4);
    assert_int_equal(code, 0x1F525);
    assert_int_equal(text_sequence((const uint8_t *)"\xc3\xa9", 2, &code), 2);
    assert_int_equal(code, 0xE9);
    assert_int_equal(text_sequence((const uint8_t *)"\xf0\x9f\x94\xa5", 3, &code), 0);
    assert_int_equal(text_sequence((const uint8_t *)"a", 0, NULL), 0);
}

struct escape_row {
    const char *p;
    size_t n;
    const char *shown, *json;
};

/* Unicode 15's characters in the categories Cc, Cf, Zl and Zp, and those ignorable by default: they, or
 * the text around them, are invisible. From Unicode's data files, not from ours. */
static const uint32_t unseen[][2] = {
    { 0x0, 0x1F },        { 0x7F, 0x9F },       { 0xAD, 0xAD },       { 0x34F, 0x34F },
    { 0x600, 0x605 },     { 0x61C, 0x61C },     { 0x6DD, 0x6DD },     { 0x70F, 0x70F },
    { 0x890, 0x891 },     { 0x8E2, 0x8E2 },     { 0x115F, 0x1160 },   { 0x17B4, 0x17B5 },
    { 0x180B, 0x180F },   { 0x200B, 0x200F },   { 0x2028, 0x202E },   { 0x2060, 0x206F },
    { 0x3164, 0x3164 },   { 0xFE00, 0xFE0F },   { 0xFEFF, 0xFEFF },   { 0xFFA0, 0xFFA0 },
    { 0xFFF0, 0xFFFB },   { 0x110BD, 0x110BD }, { 0x110CD, 0x110CD }, { 0x13430, 0x1343F },
    { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF },
};

static size_t encode(char out[4], uint32_t c)
{
    unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t lead[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    for (unsigned i = n; i-- > 1; c >>= 6) out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)(lead[n] | c);
    return n;
}

/* Every character: escaped if it is one of those, unchanged if not. */
static void test_unseen(void **state)
{
    unsigned failed = 0;
    size_t row = 0;
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char bytes[4], out[32], bare[TEXT_QUOTE];
        if (c == 0xD800) c = 0xE000;
        while (row < ROWS_OF(unseen) && unseen[row][1] < c) row++;
        bool hidden = row < ROWS_OF(unseen) && c >= unseen[row][0];
        numel_str s = { bytes, encode(bytes, c) };
        size_t n = text_safe_fit(out, sizeof out, s);
        bool same = n == s.n && memcmp(out, bytes, n) == 0;
        ROW(failed, same == !hidden, "U+%04X is %s", (unsigned)c, same ? "shown" : "escaped");
        if (c != '\\')
            ROW(failed, !strcmp(text_bare(bare, s), out), "U+%04X: %s, quoted %s", (unsigned)c, out, bare);
        if (failed > 20) break;
    }
    assert_int_equal(failed, 0);
}

static const struct escape_row escapes[] = {
    { "plain.weight", 12, "plain.weight", "\"plain.weight\"" },
    { "", 0, "", "\"\"" },
    { "a\nb\tc", 5, "a\\nb\\tc", "\"a\\nb\\tc\"" },
    { "\x1b[31m", 5, "\\x1b[31m", "\"\\u001b[31m\"" }, /* would colour the terminal */
    { "a\0b", 3, "a\\x00b", "\"a\\u0000b\"" },
    { "q\"\\", 3, "q\"\\\\", "\"q\\\"\\\\\"" },
    { "\x7f", 1, "\\x7f", "\"\\u007f\"" },
    { "\xc2\x9b", 2, "\\x9b", "\"\\u009b\"" },       /* CSI as one character */
    { "\xe2\x80\xae", 3, "\\u202e", "\"\\u202e\"" }, /* right-to-left override */
    { "\xe2\x80\x8b", 3, "\\u200b", "\"\\u200b\"" }, /* invisible */
    { "\xef\xbb\xbf", 3, "\\ufeff", "\"\\ufeff\"" },
    { "caf\xc3\xa9", 5, "caf\xc3\xa9", "\"caf\xc3\xa9\"" },
    { "\xf0\x9f\x94\xa5", 4, "\xf0\x9f\x94\xa5", "\"\xf0\x9f\x94\xa5\"" },
    { "a\xff", 2, "a\\xff", "\"a\\ufffd\"" }, /* JSON cannot hold the byte */
    { "\xe6\x9d", 2, "\\xe6\\x9d", "\"\\ufffd\\ufffd\"" },
};

static bool made(const struct buffer *b, const char *wanted)
{
    return !b->failed && b->n == strlen(wanted) && memcmp(b->p ? b->p : "", wanted, b->n) == 0;
}

static void test_escape(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(escapes); i++) {
        const struct escape_row *r = &escapes[i];
        struct buffer b;
        buffer_init(&b, &memory_malloc);
        text_escape(&b, (numel_str){ r->p, r->n });
        ROW(failed, made(&b, r->shown), "row %zu: shown as %.*s", i, (int)b.n, b.p ? b.p : "");
        b.n = 0;
        text_json(&b, (numel_str){ r->p, r->n });
        ROW(failed, made(&b, r->json), "row %zu: in JSON %.*s", i, (int)b.n, b.p ? b.p : "");
        buffer_done(&b);
    }
    assert_int_equal(failed, 0);
}

static void test_quote(void **state)
{
    char out[TEXT_QUOTE], name[5000];
    (void)state;
    assert_string_equal(text_quote(out, str("a.b")), "'a.b'");
    assert_string_equal(text_quote(out, str("")), "''");
    assert_string_equal(text_bare(out, str("")), "");
    assert_string_equal(text_bare(out, str("it's\x1b")), "it's\\x1b");
    assert_string_equal(text_bare(out, (numel_str){ "a\0b", 3 }), "a\\x00b"); /* a NUL does not end the
                                                                               * text */
    assert_string_equal(text_quote(out, str("a\x1b")), "'a\\x1b'");
    for (size_t n = 0; n < sizeof name; n += 7) { /* any length, with the widest escapes */
        memset(name, '\x1b', sizeof name);
        memcpy(name, "HEAD", 4);
        memset(out, 0xAA, sizeof out);
        assert_ptr_equal(text_quote(out, (numel_str){ name, n }), out);
        assert_non_null(memchr(out, 0, sizeof out));
        assert_int_equal(out[0], '\'');
        assert_int_equal(out[strlen(out) - 1], '\'');
    }
    memset(name, 'x', sizeof name);
    memcpy(name, "HEAD", 4);
    memcpy(name + sizeof name - 4, "TAIL", 4);
    text_quote(out, (numel_str){ name, sizeof name });
    assert_memory_equal(out, "'HEAD", 5);
    assert_non_null(strstr(out, "..."));
    assert_string_equal(out + strlen(out) - 5, "TAIL'");
}

static void test_dims_and_numbers(void **state)
{
    char out[TEXT_QUOTE];
    uint64_t dims[40];
    (void)state;
    for (size_t i = 0; i < 40; i++) dims[i] = UINT64_MAX;
    assert_string_equal(text_dims(out, dims, 0), "[]");
    assert_string_equal(text_dims(out, (uint64_t[]){ 4096, 32 }, 2), "[4096, 32]");
    assert_non_null(memchr(text_dims(out, dims, 40), 0, TEXT_QUOTE));
    assert_non_null(strstr(out, "..."));
    assert_int_equal(out[strlen(out) - 1], ']');
    assert_string_equal(text_number(out, 0), "0");
    assert_string_equal(text_number(out, 999), "999");
    assert_string_equal(text_number(out, 1000), "1,000");
    assert_string_equal(text_number(out, 6738415616), "6,738,415,616");
    assert_string_equal(text_number(out, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_true(strlen(out) < TEXT_NUMBER);
}

/* The longest number and a noun of 30 bytes fit. */
static void test_counts(void **state)
{
    char out[TEXT_COUNT];
    (void)state;
    assert_string_equal(text_count(out, 0, "tensor"), "0 tensors");
    assert_string_equal(text_count(out, 1, "tensor"), "1 tensor");
    assert_string_equal(text_count(out, 1001, "file"), "1,001 files");
    assert_string_equal(text_count(out, UINT64_MAX, "abcdefghijklmnopqrstuvwxyz1234"),
                        "18,446,744,073,709,551,615 abcdefghijklmnopqrstuvwxyz1234s");
}

static int sign(int v) { return (v > 0) - (v < 0); }

static void test_natural(void **state)
{
    /* in order; every pair is compared both ways, which also tests transitivity */
    static const char *const sorted[] = {
        "",
        "a",
        "a.0",
        "a.00",
        "a.1",
        "a.01",
        "a.2",
        "a.10",
        "a.10.b",
        "a.11",
        "a.b",
        "b",
        "blk.2.w",
        "blk.10.w",
        "blk.18446744073709551615",
        "blk.18446744073709551616",
        "blk.100000000000000000000",
        "caf\xc3\xa9",
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(sorted); i++)
        for (size_t k = 0; k < ROWS_OF(sorted); k++) {
            int want = (i > k) - (i < k), got = sign(text_natural(str(sorted[i]), str(sorted[k])));
            ROW(failed, got == want, "'%s' and '%s': %d", sorted[i], sorted[k], got);
        }
    assert_int_equal(failed, 0);
}

static void test_starred(void **state)
{
    static const struct {
        const char *name, *starred;
    } rows[] = {
        { "model.layers.31.mlp.gate", "model.layers.*.mlp.gate" },
        { "layers.0.experts.255.w1", "layers.*.experts.*.w1" },
        { "12", "*" },
        { "a.7", "a.*" },
        { "7.a", "*.a" },
        { "", "" },
        /* digits inside a word are not a number */
        { "w1", "w1" },
        { "a.1b.c2", "a.1b.c2" },
        { "a.1.2.b", "a.*.*.b" },
        { "a..1.", "a..*." },
    };
    unsigned failed = 0;
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        b.n = 0;
        text_starred(&b, str(rows[i].name));
        ROW(failed, text_equal((numel_str){ b.p, b.n }, rows[i].starred), "%s: %.*s", rows[i].name, (int)b.n,
            b.p ? b.p : "");
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

static void test_comparing(void **state)
{
    (void)state;
    assert_true(text_equal(str("abc"), "abc"));
    assert_false(text_equal(str("abc"), "ab"));
    assert_false(text_equal((numel_str){ "a\0b", 3 }, "a"));
    assert_true(text_same((numel_str){ NULL, 0 }, str("")));
    assert_false(text_same((numel_str){ "a\0x", 3 }, (numel_str){ "a\0y", 3 }));
    assert_true(text_ends(str("x.weight"), ".weight"));
    assert_false(text_ends(str("weight"), ".weight"));
    assert_int_equal(text_columns("abc", 3), 3);
    assert_int_equal(text_columns("\xe6\x9d\x83", 3), 2); /* wide */
    assert_int_equal(text_columns("e\xcc\x81", 3), 1);    /* a combining mark */
    assert_int_equal(text_columns("caf\xc3\xa9", 5), 4);
}

/* Characters that markup uses, those that XML 1.0 forbids (section 2.2, Char), and invalid bytes. */
static void test_xml(void **state)
{
    static const struct {
        const char *p;
        size_t n;
        const char *xml, *uri;
    } rows[] = {
        { "a/b.c-d_e~f", 11, "a/b.c-d_e~f", "a/b.c-d_e~f" },
        { "/a", 2, "/a", "file:///a" },
        { "a b", 3, "a b", "a%20b" },
        { "]]>", 3, "]]&gt;", "%5D%5D%3E" },
        { "<&\"'", 4, "&lt;&amp;&quot;&apos;", "%3C%26%22%27" },
        { "a:b?c#d%e", 9, "a:b?c#d%e", "a%3Ab%3Fc%23d%25e" },
        { "a\0b", 3, "a\\x00b", "a%00b" },
        { "\x1b[31m\n", 6, "\\x1b[31m\\n", "%1B%5B31m%0A" },
        { "\xff", 1, "\\xff", "%FF" },
        { "\xe6\xa8\xa1", 3, "\xe6\xa8\xa1", "%E6%A8%A1" },
        { "\xef\xbf\xbe\xef\xbf\xbf", 6, "\\ufffe\\uffff", "%EF%BF%BE%EF%BF%BF" },
        { "\xed\xa0\x80", 3, "\\xed\\xa0\\x80", "%ED%A0%80" },
        { "a\\b", 3, "a\\b", "a%5Cb" },
        { "", 0, "", "" },
    };
    unsigned failed = 0;
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        b.n = 0;
        text_xml(&b, (numel_str){ rows[i].p, rows[i].n });
        ROW(failed, text_equal((numel_str){ b.p, b.n }, rows[i].xml), "row %zu as XML: %.40s", i,
            b.n ? b.p : "");
        b.n = 0;
        text_uri(&b, (numel_str){ rows[i].p, rows[i].n });
        ROW(failed, text_equal((numel_str){ b.p, b.n }, rows[i].uri), "row %zu as URI: %.40s", i,
            b.n ? b.p : "");
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

static void test_safe(void **state)
{
    static const struct {
        const char *p;
        size_t n;
        const char *shown, *with_lines; /* NULL: unchanged */
    } rows[] = {
        { "", 0, "", NULL },
        { "plain 'text' \"too\"", 18, "plain 'text' \"too\"", NULL },
        { "back\\slash", 10, "back\\slash", NULL }, /* it may be an escape: unchanged */
        { "\\x1b[31m \\\\ \\n", 14, "\\x1b[31m \\\\ \\n", NULL },
        { "\033[31m", 5, "\\x1b[31m", NULL },
        { "a\0b", 3, "a\\x00b", NULL },
        { "a\nb", 3, "a\\nb", "a\nb" },
        { "\r\t\x7f", 3, "\\r\\t\\x7f", NULL },
        { "\x9b\xc2\x9b", 3, "\\x9b\\x9b", NULL }, /* not UTF-8, and C1 in UTF-8 */
        { "\xe2\x80\xae", 3, "\\u202e", NULL },
        { "\xe6\x9d\x83\xc3\xa9", 5, "\xe6\x9d\x83\xc3\xa9", NULL },
        { "\xf3\xa0\x80\x81", 4, "\\ue0001", NULL },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        for (int lines = 0; lines < 2; lines++) {
            struct buffer b, twice;
            const char *want = lines && rows[i].with_lines ? rows[i].with_lines : rows[i].shown;
            buffer_init(&b, &memory_malloc);
            buffer_init(&twice, &memory_malloc);
            text_safe(&b, (numel_str){ rows[i].p, rows[i].n }, lines);
            text_safe(&twice, (numel_str){ b.p ? b.p : "", b.n }, lines);
            ROW(failed, b.n == strlen(want) && memcmp(b.p ? b.p : "", want, b.n) == 0, "row %zu: %.*s", i,
                (int)b.n, b.p ? b.p : "");
            ROW(failed, text_same((numel_str){ b.p, b.n }, (numel_str){ twice.p, twice.n }),
                "row %zu is escaped twice", i);
            buffer_done(&b);
            buffer_done(&twice);
        }
    assert_int_equal(failed, 0);
}

/* Whole characters in any amount of room, and the bytes that all would need. */
static void test_safe_fit(void **state)
{
    static const char text[] = "a\033\xe6\x9d\x83z", all[] = "a\\x1b\xe6\x9d\x83z"; /* 1 + 4 + 3 + 1 */
    static const size_t cuts[] = { 0, 0, 1, 1, 1, 1, 5, 5, 5, 8, 9, 9 }; /* by room: number of bytes that
                                                                          * fit */
    char out[16];
    (void)state;
    for (size_t room = 0; room < ROWS_OF(cuts); room++) {
        memset(out, '#', sizeof out);
        assert_int_equal(text_safe_fit(out, room, (numel_str){ text, sizeof text - 1 }), 9);
        assert_memory_equal(out, all, cuts[room]);
        if (room) assert_int_equal(out[cuts[room]], 0);
        assert_int_equal(out[room], '#');
        assert_int_equal(numel_escape(out, room, text, sizeof text - 1), 9);
    }
    static const struct {
        const char *p;
        size_t whole;
    } rows[] = {
        { "", 0 },
        { "ab", 2 },
        { "a\xe6", 1 },
        { "a\xe6\x9d", 1 },
        { "a\xe6\x9d\x83", 4 },
        { "\xf0\x9f\x94", 0 },
        { "\xf0\x9f\x94\xa5", 4 },
        { "a\xc3", 1 },
        { "\xc3\xa9", 2 },
        { "\x83\x83", 2 },
        { "a\x83\x83\x83\x83", 5 },
        { "\xff", 0 }, /* a beginning of something, never whole */
    };
    for (size_t i = 0; i < ROWS_OF(rows); i++) assert_int_equal(text_whole(str(rows[i].p)), rows[i].whole);
}

/* A message as long as its room, and longer, in three-byte characters: it ends with a whole one. */
static void test_long_message(void **state)
{
    (void)state;
    for (size_t lead = 0; lead < 4; lead++) {
        char name[2000];
        numel_error e = { .code = NUMEL_OK };
        memset(name, 'x', lead);
        for (size_t i = lead; i + 3 < sizeof name; i += 3) memcpy(name + i, "\xe6\x9d\x83", 4);
        error_set(&e, NUMEL_E_IO, 0, "%s", name);
        size_t n = strlen(e.what);
        assert_true(n < sizeof e.what && n + 4 > sizeof e.what - 1);
        assert_int_equal(text_utf8((const uint8_t *)e.what, n), n);
        assert_null(strchr(e.what, '\\'));
    }
}

static void test_join(void **state)
{
    const numel_str x = { "a\0b", 3 }, y = { NULL, 0 }, z = { ".w", 2 };
    char out[5];
    (void)state;
    numel_str s = text_join(out, 5, x, y, z);
    assert_int_equal(s.n, 5);
    assert_memory_equal(s.p, "a\0b.w", 5);
    assert_null(text_join(out, 4, x, y, z).p);
    assert_null(text_join(out, 2, x, y, z).p);
    assert_int_equal(text_join(out, 0, y, y, y).n, 0);
    assert_null(text_join(out, 5, z, (numel_str){ "", SIZE_MAX }, z).p);
}

/* Parts of a list split at its separator, each once, including the last; an item is whole or absent. */
static void test_lists_by_sign(void **state)
{
    numel_str rest = text_of("ab||c"), none = { NULL, 0 };
    (void)state;
    assert_true(text_equal(text_cut(&rest, '|'), "ab"));
    assert_true(text_equal(text_cut(&rest, '|'), ""));
    assert_true(text_equal(text_cut(&rest, '|'), "c") && rest.n == 0);
    assert_true(text_cut(&none, '|').n == 0);
    assert_true(text_listed(text_of("a,bc,d"), ',', text_of("bc")));
    assert_true(text_listed(text_of("a,bc,d"), ',', text_of("d")));
    assert_false(text_listed(text_of("a,bc,d"), ',', text_of("b")));
    assert_false(text_listed(text_of("a,bc,d"), '|', text_of("a")));
    assert_false(text_listed(none, ',', text_of("a")));
}

/* Of a copy of a remote file people see the URL; no other path loses its start. */
static void test_shown(void **state)
{
    /* clang-format off */
    static const struct { const char *path, *shown; } rows[] = {
        { "/tmp/numel-remote.a1B2c3/hf://o/m/x", "hf://o/m/x" },
        { "/a b//numel-remote.a1B2c3/https://h/x", "https://h/x" },
        { "/numel-remote.a1B2c3/http://localhost/x", "http://localhost/x" },
        { "/tmp/numel-remote.000000/numel-remote.a1B2c3/hf://o/m", "hf://o/m" },
        { "/tmp/numel-remote.a1B2c3/hf:/o/m", NULL }, { "/tmp/numel-remote.a1B2c3/x", NULL },
        { "/tmp/numel-remote.a1B2c/hf://o/m", NULL }, { "/tmp/numel-remote.a1B2c3d/hf://o/m", NULL },
        { "/tmp/numel-remote-a1B2c3/hf://o/m", NULL }, { "/tmp/numel-remote.a1B2c3", NULL },
        { "tmp/numel-remote.a1B2c3/hf://o/m", NULL }, { "/tmpnumel-remote.a1B2c3hf://o/m", NULL },
        { "/", NULL }, { "", NULL },
    };
    /* clang-format on */
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++)
        ROW(failed,
            text_equal(text_shown(text_of(rows[i].path)), rows[i].shown ? rows[i].shown : rows[i].path), "%s",
            rows[i].path);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8),      cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_escape),    cmocka_unit_test(test_unseen),
        cmocka_unit_test(test_quote),     cmocka_unit_test(test_dims_and_numbers),
        cmocka_unit_test(test_natural),   cmocka_unit_test(test_starred),
        cmocka_unit_test(test_comparing), cmocka_unit_test(test_safe),
        cmocka_unit_test(test_safe_fit),  cmocka_unit_test(test_long_message),
        cmocka_unit_test(test_join),      cmocka_unit_test(test_counts),
        cmocka_unit_test(test_xml),       cmocka_unit_test(test_lists_by_sign),
        cmocka_unit_test(test_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
