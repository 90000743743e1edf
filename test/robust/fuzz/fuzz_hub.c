/*
 * fuzz_hub.c -- what numel-fetch reads of servers and of its parent: pages of the Hub's tree, commits, URLs, values of
 * headers, requests. Accepted values are within their bounds, and the output has no blanks, newlines or paths with
 * ".." in it.
 */
#include "fuzz.h"

#include "fetch/answer.h"
#include "fetch/header.h"
#include "fetch/hub.h"
#include "fetch/request.h"
#include "fetch/url.h"

#include "base/number.h"
#include "base/text.h"

static void check_printable(numel_str s, const char *why)
{
    for (size_t i = 0; i < s.n; i++) FUZZ_ASSERT(s.p[i] > ' ' && s.p[i] <= '~', why);
}

static void check_slice(numel_str s, numel_str of)
{
    FUZZ_ASSERT(s.n == 0 || (s.p >= of.p && s.p + s.n <= of.p + of.n), "not a slice");
}

/* "file SIZE SHA256 ETAG PATH\n", as many as were counted. */
static void check_lines(numel_str lines, size_t files)
{
    struct buffer path;
    uint64_t size = 0;
    buffer_init(&path, &memory_malloc);
    for (; lines.n; files--) {
        numel_str line = text_cut(&lines, '\n');
        FUZZ_ASSERT(files && text_equal(text_cut(&line, ' '), "file"), "a line without a file");
        FUZZ_ASSERT(number_plain(text_cut(&line, ' '), &size) && size <= UINT64_C(9007199254740992),
                    "a size");
        numel_str sha256 = text_cut(&line, ' '), etag = text_cut(&line, ' ');
        FUZZ_ASSERT(sha256.n == 64 || text_equal(sha256, "-"), "a digest");
        FUZZ_ASSERT(etag.n && etag.n <= FETCH_ETAG, "an ETag");
        check_printable(sha256, "a digest");
        check_printable(etag, "an ETag");
        check_printable(line, "a path");
        buffer_drop(&path, path.n);
        FUZZ_ASSERT(url_decode(&path, line) && url_is_path(buffer_view(&path)), "a path that climbs");
    }
    FUZZ_ASSERT(files == 0, "a file without a line");
    buffer_done(&path);
}

static void check_json(numel_str s)
{
    char commit[HUB_COMMIT + 1];
    struct buffer lines;
    size_t files = 0;
    numel_error e = { 0 };
    buffer_init(&lines, &memory_malloc);
    if (hub_page(&lines, &files, s, &e)) check_lines(buffer_view(&lines), files);
    else FUZZ_ASSERT(e.code && e.what[0], "refused without a reason");
    e = (numel_error){ 0 };
    if (hub_commit(commit, s, &e)) FUZZ_ASSERT(hub_is_commit(text_of(commit)), "a commit");
    buffer_done(&lines);
}

static void check_headers(numel_str s)
{
    struct header_range r;
    if (header_range(&r, s) && r.satisfied) FUZZ_ASSERT(r.first <= r.last && r.last < r.size, "a range");
    numel_str etag = header_etag(s), next = header_link_next(s);
    FUZZ_ASSERT(etag.n <= FETCH_ETAG && !text_equal(etag, "-"), "an ETag");
    FUZZ_ASSERT(etag.n <= s.n && (!header_etag_strong(s) || etag.n + 2 == s.n), "a strong ETag");
    check_printable(etag, "an ETag");
    check_slice(etag, s);
    check_slice(next, s);
    FUZZ_ASSERT(text_find(next, 0, '>') == next.n, "a link");
    (void)header_limit_wait(s);
}

static void check_urls(numel_str s)
{
    struct url u;
    struct hub_place place;
    struct arena a;
    struct buffer b, back;
    arena_init(&a, &memory_malloc);
    buffer_init(&b, &memory_malloc);
    buffer_init(&back, &memory_malloc);
    if (url_split(&u, s)) {
        check_printable(s, "a URL");
        FUZZ_ASSERT(u.host.n && u.port && u.port < 65536 && url_same_origin(s, s), "an origin");
        FUZZ_ASSERT(text_find(u.host, 0, '@') == u.host.n, "a user in the host");
        check_slice(u.host, s);
        check_slice(u.rest, s);
    }
    url_encode(&b, s);
    check_printable(buffer_view(&b), "an encoded text");
    FUZZ_ASSERT(url_decode(&back, buffer_view(&b)), "an encoded text is not decoded");
    FUZZ_ASSERT(text_same(buffer_view(&back), s), "decoded to another");
    buffer_drop(&b, b.n);
    if (!hub_parse(&place, s, &a)) {
        FUZZ_ASSERT(url_is_path(place.rev) && (place.path.n == 0 || url_is_path(place.path)), "a place");
        hub_revision(&b, &place);
        hub_file(&b, &place, place.rev);
    }
    buffer_done(&b);
    buffer_done(&back);
    arena_done(&a);
}

static void check_request(numel_str s)
{
    struct request r;
    struct buffer b;
    if (!request_read(&r, s)) return;
    buffer_init(&b, &memory_malloc);
    buffer_format(&b, "%s %u ", r.list ? "list" : "read", r.id);
    if (!r.list) buffer_format(&b, "%llu %llu ", (unsigned long long)r.offset, (unsigned long long)r.length);
    if (!r.list) buffer_str(&b, r.etag.n ? r.etag : text_of("-"));
    if (!r.list) buffer_char(&b, ' ');
    buffer_str(&b, r.url);
    FUZZ_ASSERT(text_same(buffer_view(&b), s), "a request has two forms");
    check_printable(r.url, "a URL");
    buffer_done(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    numel_str s = { (const char *)data, size };
    check_json(s);
    check_headers(s);
    check_urls(s);
    check_request(s);
    return 0;
}
