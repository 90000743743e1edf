/* hub.c -- turns names into URLs, and JSON into lines. Everything from the server is checked first. */
#include "fetch/hub.h"

#include "fetch/header.h"
#include "fetch/url.h"

#include "base/json_doc.h"
#include "base/number.h"
#include "base/text.h"

/* ---- names -------------------------------------------------------------------------------- */

/* The Hub's alphabet for an organization or a repository. */
static bool is_name(numel_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || number_is_digit(c) || c == '_';
        if (!letter && (i == 0 || (c != '.' && c != '-'))) return false;
    }
    return s.n > 0 && s.n <= 96 && !text_holds(s, text_of(".."));
}

/* The length of REV in front of a path: to the first slash, or "refs/pr/N", "refs/convert/X". */
static size_t length_of_rev(numel_str s)
{
    size_t end = text_find(s, 0, '/');
    bool special = text_starts(s, "refs/pr/") || text_starts(s, "refs/convert/");
    if (!special) return end;
    return text_find(s, text_find(s, end + 1, '/') + 1, '/');
}

static bool decoded(numel_str *out, numel_str text, struct arena *a)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    bool good = url_decode(&b, text);
    size_t n = b.n;
    char *copy = buffer_keep(&b, a);
    *out = (numel_str){ copy, copy ? n : 0 };
    return good && copy;
}

static const char *parse_rest(struct hub_place *place, numel_str rest, struct arena *a)
{
    if (text_take_start(&rest, "@")) {
        size_t n = length_of_rev(rest);
        if (!decoded(&place->rev, text_upto(rest, n), a) || !url_is_path(place->rev))
            return "the revision after @ is not one that git allows; percent-encode special characters";
        rest = text_from(rest, n);
    }
    if (text_take_start(&rest, "/") && rest.n &&
        (!decoded(&place->path, rest, a) || !url_is_path(place->path)))
        return "the path in the repository is not a relative path; percent-encode special characters";
    return NULL;
}

const char *hub_parse(struct hub_place *place, numel_str url, struct arena *a)
{
    static const char *const others[] = { "datasets/", "spaces/", "kernels/", "buckets/" };
    *place = (struct hub_place){ .rev = text_of("main") };
    numel_str s = url;
    if (!text_take_start(&s, "hf://")) return "a URL of the Hub begins with hf://";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (text_starts(s, others[i]))
            return "only models can be read: datasets, spaces, kernels and buckets have no checkpoint";
    text_take_start(&s, "models/");
    size_t slash = text_find(s, 0, '/');
    size_t end = num_min(text_find(s, slash + 1, '/'), text_find(s, slash + 1, '@'));
    if (slash == s.n || !is_name(text_upto(s, slash)) || !is_name(text_slice(s, slash + 1, end)))
        return "the name of a repository is ORG/NAME, as in hf://ORG/NAME@REVISION/PATH";
    place->repo = text_upto(s, end);
    return parse_rest(place, text_from(s, end), a);
}

static bool is_hex(numel_str s, size_t n)
{
    for (size_t i = 0; i < s.n; i++)
        if (!number_is_digit(s.p[i]) && (s.p[i] < 'a' || s.p[i] > 'f')) return false;
    return s.n == n;
}

bool hub_is_commit(numel_str rev) { return is_hex(rev, HUB_COMMIT); }

/* ---- URLs --------------------------------------------------------------------------------- */

void hub_revision(struct buffer *b, const struct hub_place *place)
{
    buffer_text(b, "/api/models/");
    buffer_str(b, place->repo);
    buffer_text(b, "/revision/");
    url_encode(b, place->rev);
    buffer_text(b, "?expand=sha");
}

void hub_tree(struct buffer *b, const struct hub_place *place, numel_str commit)
{
    buffer_text(b, "/api/models/");
    buffer_str(b, place->repo);
    buffer_text(b, "/tree/");
    buffer_str(b, commit);
    buffer_text(b, "?recursive=true");
}

void hub_file(struct buffer *b, const struct hub_place *place, numel_str commit)
{
    buffer_char(b, '/');
    buffer_str(b, place->repo);
    buffer_text(b, "/resolve/");
    buffer_str(b, commit);
    buffer_char(b, '/');
    text_uri(b, place->path);
}

/* ---- answers ------------------------------------------------------------------------------ */

static numel_str string_of(const json_value *object, const char *key)
{
    const json_value *v = json_get(object, key);
    const char *text = v ? json_text_of(v) : NULL;
    return text ? text_of(text) : (numel_str){ NULL, 0 };
}

bool hub_commit(char commit[HUB_COMMIT + 1], numel_str body, numel_error *e)
{
    json_value *doc = json_doc_parse(body.p, body.n, e);
    if (!doc) return false;
    numel_str sha = json_kind(doc) == JSON_OBJECT ? string_of(doc, "sha") : (numel_str){ NULL, 0 };
    struct fixed out = fixed_of(commit, HUB_COMMIT + 1);
    if (hub_is_commit(sha)) fixed_add(&out, sha);
    json_doc_free(doc);
    return out.n == HUB_COMMIT || error_set(e, NUMEL_E_SYNTAX, NUMEL_NOWHERE, "the answer has no commit");
}

static bool size_of(const json_value *object, uint64_t *size)
{
    int64_t v = 0;
    const json_value *number = json_get(object, "size");
    if (!number || !json_integer(number, &v) || v < 0) return false;
    *size = (uint64_t)v;
    return true;
}

/* {"type": "file", "oid": GIT, "size": N, "path": PATH, "lfs": {"oid": SHA256, "size": N, ...}} */
NUMEL_MUST static bool file_line(struct buffer *lines, const json_value *file, numel_error *e)
{
    char quoted[TEXT_QUOTE];
    uint64_t size = 0;
    numel_str path = string_of(file, "path"), git = header_etag(string_of(file, "oid"));
    const json_value *lfs = json_get(file, "lfs");
    bool stored = lfs && json_kind(lfs) == JSON_OBJECT;
    numel_str sha256 = stored ? string_of(lfs, "oid") : (numel_str){ NULL, 0 };
    if (!url_is_path(path))
        return error_set(e, NUMEL_E_SYNTAX, NUMEL_NOWHERE,
                         "the listing has the path %s, which is not relative", text_quote(quoted, path));
    if (!size_of(stored ? lfs : file, &size) || (stored && !is_hex(sha256, 64)))
        return error_set(e, NUMEL_E_SYNTAX, NUMEL_NOWHERE, "the listing has no size or digest of %s",
                         text_quote(quoted, path));
    numel_str none = text_of("-"), etag = stored ? sha256 : git;
    buffer_format(lines, "file %" PRIu64 " ", size);
    buffer_str(lines, stored ? sha256 : none);
    buffer_char(lines, ' ');
    buffer_str(lines, etag.n ? etag : none);
    buffer_char(lines, ' ');
    text_uri(lines, path);
    buffer_char(lines, '\n');
    return true;
}

NUMEL_MUST static bool all_lines(struct buffer *lines, size_t *files, const json_value *doc, numel_error *e)
{
    if (json_kind(doc) != JSON_ARRAY)
        return error_set(e, NUMEL_E_SYNTAX, NUMEL_NOWHERE, "the listing is not an array");
    for (const json_value *v = json_first(doc); v; v = json_next(v)) {
        if (json_kind(v) != JSON_OBJECT)
            return error_set(e, NUMEL_E_SYNTAX, NUMEL_NOWHERE, "an entry of the listing is not an object");
        if (!text_equal(string_of(v, "type"), "file")) continue; /* a directory: its files have entries */
        if (!file_line(lines, v, e)) return false;
        if (++*files > FETCH_FILES_MAX || lines->n > FETCH_LIST_MAX)
            return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "the repository has too many files");
    }
    return true;
}

bool hub_page(struct buffer *lines, size_t *files, numel_str body, numel_error *e)
{
    json_value *doc = json_doc_parse(body.p, body.n, e);
    bool good = doc && all_lines(lines, files, doc, e);
    json_doc_free(doc);
    return good;
}
