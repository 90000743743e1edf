/*
 * test_fetch.c -- what numel-fetch reads of URLs, of headers, of the Hub's JSON and of its parent's lines: each form
 * that is accepted, and its nearest neighbour that is refused. The network is in test/interop/remote.
 */
#include "../support/t.h"
#include "fetch/answer.h"
#include "fetch/header.h"
#include "fetch/hub.h"
#include "fetch/request.h"
#include "fetch/url.h"

#include "base/text.h"

#define UNKNOWN SIZE_UNKNOWN

static numel_str of(const char *text) { return text_of(text); }

/* ---- URLs --------------------------------------------------------------------------------- */

/* clang-format off */
static const struct { const char *text, *host; uint64_t port; bool secure, local; const char *rest; } urls[] = {
    { "https://h", "h", 443, true, false, "" },
    { "HTTPS://H:8443/a?b#c", "H", 8443, true, false, "/a?b#c" },
    { "http://h?q", "h", 80, false, false, "?q" },
    { "http://h#f", "h", 80, false, false, "#f" },
    { "http://localhost:1/", "localhost", 1, false, true, "/" },
    { "http://127.0.0.1:65535/", "127.0.0.1", 65535, false, true, "/" },
    { "http://127.255.0.3/", "127.255.0.3", 80, false, true, "/" },
    { "http://[::1]:8/x", "[::1]", 8, false, true, "/x" },
    { "http://[::1]", "[::1]", 80, false, true, "" },
    { "http://[::2]/", "[::2]", 80, false, false, "/" },
    { "http://127.0.0.1.x/", "127.0.0.1.x", 80, false, false, "/" },
    { "http://127.0.0.1./", "127.0.0.1.", 80, false, false, "/" },
    { "http://127.0.0.256/", "127.0.0.256", 80, false, false, "/" },
    { "http://127.0.1/", "127.0.1", 80, false, false, "/" },
    { "http://127.0.0.0001/", "127.0.0.0001", 80, false, false, "/" },
    { "http://128.0.0.1/", "128.0.0.1", 80, false, false, "/" },
    { "http://localhost.x/", "localhost.x", 80, false, false, "/" },
    { "https://h/@:x", "h", 443, true, false, "/@:x" },
};
static const char *const no_urls[] = {
    "", "h", "https", "https:", "https:/", "https:/h", "https://", "https:///x", "https://:443/", "https://u@h/", "https://u:p@h/", "https://h:/",
    "https://h:0/", "https://h:65536/", "https://h:x/", "https://h:1:2/", "https://h /", "https://h/ ", "https://h/\n", "https://h/\x7f", "https://h/\xc3\xbc",
    "https://h\\x/", "https://h/\\", "ftp://h/", "httpss://h/", "https ://h/", "hf://a/b", "https://[::1]x/", "file:///x",
};
static const struct { const char *a, *b; bool same; } origins[] = {
    { "https://h/a", "https://h/b", true },      { "https://h", "https://H:443/x", true }, { "http://h:80", "http://h", true },
    { "https://h", "http://h", false },          { "https://h", "https://h:444", false },  { "https://h", "https://h.x", false },
    { "https://h", "https://x.h", false },       { "http://h:443", "https://h", false },   { "https://h?@x", "https://x", false },
    { "https://h", "x", false },                 { "", "", false },
};
/* clang-format on */

static void test_urls(void **state)
{
    unsigned failed = 0;
    struct url u;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(urls); i++) {
        POISON(u);
        bool good = url_split(&u, of(urls[i].text));
        ROW(failed,
            good && text_equal(u.host, urls[i].host) && u.port == urls[i].port &&
                text_equal(u.rest, urls[i].rest),
            "%s", urls[i].text);
        ROW(failed, u.secure == urls[i].secure && url_is_local(&u) == urls[i].local, "%s: kind",
            urls[i].text);
    }
    for (size_t i = 0; i < ROWS_OF(no_urls); i++)
        ROW(failed, !url_split(&u, of(no_urls[i])), "accepted: '%s'", no_urls[i]);
    for (size_t i = 0; i < ROWS_OF(origins); i++) {
        ROW(failed, url_same_origin(of(origins[i].a), of(origins[i].b)) == origins[i].same, "%s, %s",
            origins[i].a, origins[i].b);
        ROW(failed, url_same_origin(of(origins[i].b), of(origins[i].a)) == origins[i].same, "%s, %s",
            origins[i].b, origins[i].a);
    }
    assert_int_equal(failed, 0);
}

static void test_percent(void **state)
{
    static const struct {
        const char *raw, *whole, *path;
    } rows[] = {
        { "a-b._~Z9", "a-b._~Z9", "a-b._~Z9" },
        { "a/b c", "a%2Fb%20c", "a/b%20c" },
        { "\xc3\xbc%?#\n", "%C3%BC%25%3F%23%0A", "%C3%BC%25%3F%23%0A" },
    };
    static const char *const wrong[] = { "%", "a%2", "%g0", "%0g", "%%20", "%-1" };
    unsigned failed = 0;
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        url_encode(&b, of(rows[i].raw));
        ROW(failed, text_equal(buffer_view(&b), rows[i].whole), "%s", rows[i].whole);
        buffer_drop(&b, b.n);
        text_uri(&b, of(rows[i].raw));
        ROW(failed, text_equal(buffer_view(&b), rows[i].path), "%s", rows[i].path);
        buffer_drop(&b, b.n);
        ROW(failed, url_decode(&b, of(rows[i].whole)) && text_equal(buffer_view(&b), rows[i].raw), "%s",
            rows[i].whole);
        buffer_drop(&b, b.n);
    }
    for (size_t i = 0; i < ROWS_OF(wrong); i++)
        ROW(failed, !url_decode(&b, of(wrong[i])), "decoded: %s", wrong[i]);
    buffer_drop(&b, b.n);
    assert_true(url_decode(&b, of("%2f%2F%c3%BC")) && text_equal(buffer_view(&b), "//\xc3\xbc"));
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

static void test_paths(void **state)
{
    static const char *const good[] = { "a", "a/b", "..a", "a..", ".a/...", "a b", "\xc3\xbc", "a\\b", "~" };
    static const char *const bad[] = { "",    "/",    "/a",   "a/",   "a//b", ".",    "..",   "a/.",
                                       "./a", "a/..", "../a", "a\nb", "\x7f", "\xff", "\x01", "a/../../b" };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(good); i++) ROW(failed, url_is_path(of(good[i])), "refused: %s", good[i]);
    for (size_t i = 0; i < ROWS_OF(bad); i++) ROW(failed, !url_is_path(of(bad[i])), "accepted: '%s'", bad[i]);
    ROW(failed, !url_is_path((numel_str){ "a\0b", 3 }), "accepted: a NUL");
    assert_int_equal(failed, 0);
}

/* ---- headers ------------------------------------------------------------------------------ */

/* clang-format off */
static const struct { const char *text; bool good, satisfied; uint64_t first, last, size; } content_ranges[] = {
    { "bytes 0-0/1", true, true, 0, 0, 1 },
    { " bytes 0-65535/4976698672 ", true, true, 0, 65535, 4976698672 },
    { "Bytes 5-9/*", true, true, 5, 9, UNKNOWN },
    { "bytes */0", true, false, 0, 0, 0 },
    { "bytes 0-9223372036854775805/9223372036854775806", true, true, 0, 9223372036854775805, 9223372036854775806 },
    { .text = "bytes 0-9223372036854775806/9223372036854775807" },
    { .text = "bytes 0-1/1" }, { .text = "bytes 2-1/9" }, { .text = "bytes */*" }, { .text = "bytes 0-1" }, { .text = "bytes 0-1/" }, { .text = "bytes 0/1" },
    { .text = "bytes -1/2" }, { .text = "bytes 0-/2" }, { .text = "bytes 0-1/2 x" }, { .text = "bytes 0 - 1/2" }, { .text = "bytes0-1/2" }, { .text = "items 0-1/2" },
    { .text = "" }, { .text = "bytes" }, { .text = "bytes 0-18446744073709551615/*" }, { .text = "bytes +0-1/2" }, { .text = "bytes 0x0-1/2" },
};
static const struct { const char *value, *tag; bool strong; } etags[] = {
    { "\"a\"", "a", true }, { "W/\"a\"", "a", false }, { "a", "a", false }, { " \"a\" ", "a", false }, { "\"a-b:c/d=\"", "a-b:c/d=", true },
    { "", "", false }, { "\"\"", "", true }, { "\"a b\"", "", false }, { "-", "", false }, { "\"-\"", "", false }, { "\"a\"b\"", "", false }, { "\"\xc3\xbc\"", "", false },
    { "\"a\nb\"", "", false }, { "w/\"a\"", "", false },
};
static const struct { const char *value, *next; } links[] = {
    { "<https://h/a?b=1&c=2>; rel=\"next\"", "https://h/a?b=1&c=2" },
    { "<u>;rel=next", "u" }, { "<u> ; title=\"a, b; c\" ; rel=\"prev next\"", "u" }, { "<p>; rel=\"prev\", <u>; REL=\"next\"", "u" }, { "<u>; rel=\"next\", <v>; rel=\"next\"", "u" },
    { "<a,b;c>; rel=\"next\"", "a,b;c" }, { "", "" }, { "<u>", "" }, { "<u>; rel=\"nex\"", "" }, { "<u>; rel=\"nextx\"", "" }, { "<u>; xrel=\"next\"", "" }, { "<u; rel=\"next\"", "" },
    { "u; rel=\"next\"", "" }, { "<u>; title=\"rel=next\"", "" }, { "<u>; rel=\"next", "" }, { "<>; rel=next", "" }, { "<p> <u>; rel=next", "" },
};
/* clang-format on */

static void test_headers(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(content_ranges); i++) {
        struct header_range r;
        POISON(r);
        bool good = header_range(&r, of(content_ranges[i].text));
        ROW(failed, good == content_ranges[i].good, "'%s'", content_ranges[i].text);
        if (!good) continue;
        ROW(failed,
            r.satisfied == content_ranges[i].satisfied && r.first == content_ranges[i].first &&
                r.last == content_ranges[i].last && r.size == content_ranges[i].size,
            "'%s': %" PRIu64 "-%" PRIu64 "/%" PRIu64, content_ranges[i].text, r.first, r.last, r.size);
    }
    for (size_t i = 0; i < ROWS_OF(etags); i++) {
        ROW(failed, text_equal(header_etag(of(etags[i].value)), etags[i].tag), "ETag '%s'", etags[i].value);
        ROW(failed, header_etag_strong(of(etags[i].value)) == etags[i].strong, "ETag '%s': strength",
            etags[i].value);
    }
    for (size_t i = 0; i < ROWS_OF(links); i++)
        ROW(failed, text_equal(header_link_next(of(links[i].value)), links[i].next), "Link '%s'",
            links[i].value);
    assert_int_equal(failed, 0);
}

static void test_limits(void **state)
{
    char tag[FETCH_ETAG + 2];
    (void)state;
    memset(tag, 'e', sizeof tag);
    assert_int_equal(header_etag((numel_str){ tag, FETCH_ETAG }).n, FETCH_ETAG);
    assert_int_equal(header_etag((numel_str){ tag, FETCH_ETAG + 1 }).n, 0);
    assert_int_equal(header_limit_wait(of("\"resolvers\";r=0;t=55")), 55);
    assert_int_equal(header_limit_wait(of("\"api\"; r=0; t=7")), 7);
    assert_int_equal(header_limit_wait(of("\"api\";r=0")), 0);
    assert_int_equal(header_limit_wait(of("\"api\";t=x;rt=5")), 0);
}

/* ---- the parent --------------------------------------------------------------------------- */

static void test_requests(void **state)
{
    struct request r;
    (void)state;
    POISON(r);
    assert_true(request_read(&r, of("read 4294967295 0 18446744073709551615 a:b hf://x")));
    assert_true(!r.list && r.id == UINT32_MAX && r.offset == 0 && r.length == UINT64_MAX &&
                text_equal(r.etag, "a:b") && text_equal(r.url, "hf://x"));
    POISON(r);
    assert_true(request_read(&r, of("list 0 https://h/x?y")) && r.list && r.id == 0 && r.etag.n == 0 &&
                text_equal(r.url, "https://h/x?y"));
    assert_true(request_read(&r, of("read 1 2 3 - u")) && r.etag.n == 0);
    assert_false(request_read(&r, of("read 1 2 3 u")));
    assert_false(request_read(&r, of("read 1 2 3 - u v")));
    assert_false(request_read(&r, of("read 00 2 3 - u")));
    assert_false(request_read(&r, of("list 1 ")));
    assert_false(request_read(&r, (numel_str){ "list 1 a\0b", 10 }));
}

static void fail_with(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail_with(struct buffer *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    answer_error(b, 7, FETCH_BROKEN, format, args);
    va_end(args);
}

static void test_answers(void **state)
{
    char text[3 * FETCH_SENTENCE];
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    answer_ok(&b, 3, &(struct answer){ .size = SIZE_UNKNOWN, .came = 7 }, of("abc"));
    answer_ok(&b, 4, &(struct answer){ .kept = true, .size = 12, .etag = of("e") }, of(""));
    fail_with(&b, "%s", "a\nb\x1b");
    assert_true(
        text_equal(buffer_view(&b), "3 ok - - 7 3\nabc4 kept 12 e 0 0\n7 error broken 8\na\\nb\\x1b"));
    buffer_drop(&b, b.n);
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    fail_with(&b, "%s", text);
    assert_true(text_starts(buffer_view(&b), "7 error broken 1000\nxxx"));
    assert_int_equal(b.n, strlen("7 error broken 1000\n") + FETCH_SENTENCE);
    buffer_done(&b);
}

/* ---- the Hub ------------------------------------------------------------------------------ */

static void test_places(void **state)
{
    static const struct {
        const char *url, *repo, *rev, *path;
    } rows[] = {
        { "hf://a/b", "a/b", "main", "" },
        { "hf://a/b/", "a/b", "main", "" },
        { "hf://models/a/b@v1/x/y", "a/b", "v1", "x/y" },
        { "hf://a/b/x@y", "a/b", "main", "x@y" },
        { "hf://A-1/_b.c-2_@feature%2Fx/c", "A-1/_b.c-2_", "feature/x", "c" },
        { "hf://a/b@refs/pr/7/c/d", "a/b", "refs/pr/7", "c/d" },
        { "hf://a/b@refs/convert/gguf", "a/b", "refs/convert/gguf", "" },
        { "hf://a/b@refs/heads/c", "a/b", "refs", "heads/c" },
    };
    unsigned failed = 0;
    struct arena a;
    (void)state;
    arena_init(&a, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct hub_place p;
        POISON(p);
        ROW(failed,
            !hub_parse(&p, of(rows[i].url), &a) && text_equal(p.repo, rows[i].repo) &&
                text_equal(p.rev, rows[i].rev) && text_equal(p.path, rows[i].path),
            "%s", rows[i].url);
    }
    arena_done(&a);
    assert_int_equal(failed, 0);
}

#define COMMIT "0123456789abcdef0123456789abcdef01234567"

static void test_pages(void **state)
{
    static const char page[] =
        "[{\"type\":\"directory\",\"path\":\"d\",\"oid\":\"x\",\"size\":0},"
        "{\"type\":\"file\",\"path\":\"d/a b\",\"oid\":\"" COMMIT "\",\"size\":9007199254740991},"
        "{\"type\":\"file\",\"path\":\"m\",\"oid\":\"x\",\"size\":1,\"lfs\":null,\"xetHash\":\"y\"}]";
    char commit[HUB_COMMIT + 1];
    size_t files = 5;
    numel_error e = { 0 };
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    assert_true(hub_page(&b, &files, of(page), &e));
    assert_int_equal(files, 7);
    assert_true(text_equal(buffer_view(&b), "file 9007199254740991 - " COMMIT " d/a%20b\nfile 1 - x m\n"));
    assert_true(hub_commit(commit, of("{\"sha\":\"" COMMIT "\"}"), &e));
    assert_string_equal(commit, COMMIT);
    assert_false(hub_commit(commit, of("{\"Sha\":\"" COMMIT "\"}"), &e));
    files = FETCH_FILES_MAX;
    error_clear(&e);
    assert_false(
        hub_page(&b, &files, of("[{\"type\":\"file\",\"path\":\"m\",\"oid\":\"x\",\"size\":1}]"), &e));
    assert_int_equal(e.code, NUMEL_E_LIMIT);
    buffer_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_urls),    cmocka_unit_test(test_percent), cmocka_unit_test(test_paths),
        cmocka_unit_test(test_headers), cmocka_unit_test(test_limits),  cmocka_unit_test(test_requests),
        cmocka_unit_test(test_answers), cmocka_unit_test(test_places),  cmocka_unit_test(test_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
