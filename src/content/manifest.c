/*
 * manifest.c -- digests as lines, written and read: the first known form that fits splits a line into digest
 * and name; comments are ours or skipped; a list without a digest is refused.
 */
#include "content/manifest.h"

#include "base/number.h"
#include "base/text.h"
#include "source/source.h"
#include "source/folder.h"

#include <string.h>

enum { MOST_BYTES = 1 << 30, VERSION = 1 };

/* ---- writing ------------------------------------------------------------------------------ */

/* sha256sum marks a line with an escaped name by a leading backslash. */
static void put_mark(struct buffer *b, numel_str name)
{
    size_t before = b->n;
    text_escape(b, name);
    bool same = b->failed || text_same(text_from(buffer_view(b), before), name);
    if (!b->failed) b->n = before;
    if (!same) buffer_char(b, '\\');
}

void manifest_put_bytes(struct buffer *b, uint64_t bytes, const char *path)
{
    buffer_format(b, "# bytes %" PRIu64 "  ", bytes);
    text_escape(b, text_of(path));
}

void manifest_put_file(struct buffer *b, const struct digest_value *v, const char *path)
{
    char hex[DIGEST_HEX];
    put_mark(b, text_of(path));
    buffer_format(b, "%s  ", digest_hex(hex, v));
    text_escape(b, text_of(path));
}

void manifest_put_tensor(struct buffer *b, const struct digest_value *v, const char *path, numel_str tensor)
{
    char hex[DIGEST_HEX];
    buffer_format(b, "%-8s  %s  ", digest_name(v->kind), digest_hex(hex, v));
    text_escape(b, text_of(path));
    buffer_char(b, ':');
    text_escape(b, tensor);
}

void manifest_put_model(struct buffer *b, enum manifest_kind kind, const struct digest_value *v,
                        const char *path)
{
    char hex[DIGEST_HEX];
    buffer_format(b, "%-8s  %s  ", kind == MANIFEST_MODEL ? "model" : "content", digest_hex(hex, v));
    text_escape(b, text_of(path));
}

/* ---- reading ------------------------------------------------------------------------------ */

bool manifest_is_list(numel_str name)
{
    static const char *const globs[] = { "*.numel",     "*.sha256",   "*.sha256sum", "*.sha256sums",
                                         "*SHA256SUM*", "sha256sum*", "checksum*",   "CHECKSUM*" };
    for (size_t i = 0; i < sizeof globs / sizeof *globs; i++)
        if (text_glob(globs[i], name)) return true;
    return false;
}

struct parsing {
    struct manifest *m;
    struct arena *arena;
    numel_str name;  /* of the list */
    numel_str last;  /* file of the previous line: its tensors follow it */
    numel_str sized; /* of a "# bytes" line, for the next line */
    uint64_t bytes;
    numel_error *error;
};

static bool add(struct parsing *g, struct manifest_line line)
{
    struct manifest *m = g->m;
    if (!memory_grow(m->memory, &m->lines, &m->cap, m->count + 1, sizeof *m->lines, g->error)) return false;
    m->lines[m->count++] = line;
    return true;
}

/* A name in a list: escaped already if its line is marked so, else escaped now. */
NUMEL_MUST static bool keep_name(struct parsing *g, numel_str raw, bool escaped, numel_str *out)
{
    struct buffer b;
    while (raw.n > 2 && raw.p[0] == '.' && raw.p[1] == '/') raw = text_from(raw, 2);
    buffer_init(&b, g->arena->memory);
    if (escaped) buffer_add(&b, raw.p, raw.n);
    else text_escape(&b, raw);
    const char *text = b.failed ? NULL : arena_text(g->arena, b.n ? b.p : "", b.n);
    *out = (numel_str){ text, b.n };
    buffer_done(&b);
    return text || error_nomem(g->error);
}

static bool add_file(struct parsing *g, const struct digest_value *v, numel_str raw, bool escaped)
{
    struct manifest_line line = { .kind = MANIFEST_FILE, .value = *v };
    if (!keep_name(g, raw, escaped, &line.file)) return false;
    line.sized = g->sized.p && text_same(g->sized, line.file);
    line.bytes = line.sized ? g->bytes : 0;
    g->last = line.file;
    return add(g, line);
}

static bool is_space(char c) { return c == ' ' || c == '\t'; }

/* The next word; leaves in *line the rest without leading spaces. */
static numel_str word(numel_str *line)
{
    size_t n = 0;
    while (n < line->n && !is_space(line->p[n])) n++;
    numel_str first = { line->p, n };
    while (n < line->n && is_space(line->p[n])) n++;
    *line = text_from(*line, n);
    return first;
}

/* "# bytes N  FILE" and our first line; other comments are ignored. */
NUMEL_MUST static bool read_comment(struct parsing *g, numel_str line)
{
    uint64_t n = 0;
    word(&line);
    numel_str what = word(&line), number = word(&line);
    if (text_equal(what, "bytes") && number_plain(number, &n)) {
        g->bytes = n;
        return keep_name(g, line, true, &g->sized);
    }
    if (!text_equal(what, "numel-manifest") || g->m->count) return true;
    g->m->ours = true;
    return (number_plain(number, &n) && n <= VERSION) ||
           error_set(g->error, NUMEL_E_VERSION, NUMEL_NOWHERE,
                     "is a manifest of a version later than %d: use a newer numel", VERSION);
}

/* Where the tensor's name begins in "FILE:TENSOR": after the previous line's file, after the ending of a
 * checkpoint's name, or after the first colon. */
static size_t tensor_start(const struct parsing *g, numel_str s)
{
    static const char *const ends[] = { ".gguf:", ".safetensors:" };
    if (g->last.n && s.n > g->last.n && memcmp(s.p, g->last.p, g->last.n) == 0 && s.p[g->last.n] == ':')
        return g->last.n + 1;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (size_t at = 0, n = strlen(ends[i]); at + n <= s.n; at++)
            if (memcmp(s.p + at, ends[i], n) == 0) return at + n;
    const char *colon = memchr(s.p, ':', s.n);
    return colon ? (size_t)(colon - s.p) + 1 : 0;
}

/* "sha256  HEX  FILE:TENSOR", "model  HEX  PATH", "content  HEX  PATH". gguf-hash's line without a tensor is
 * its own digest of a model, which we do not make. */
NUMEL_MUST static bool read_kind(struct parsing *g, numel_str kind, const struct digest_value *v,
                                 numel_str rest)
{
    struct manifest_line line = { .value = *v };
    bool model = text_equal(kind, "model"), content = text_equal(kind, "content");
    size_t start = model || content ? 0 : tensor_start(g, rest);
    if (!model && !content && (!text_equal(kind, "sha256") || start == 0)) return true;
    line.kind = model ? MANIFEST_MODEL : content ? MANIFEST_CONTENT : MANIFEST_TENSOR;
    numel_str file = start ? text_upto(rest, start - 1) : rest;
    numel_str tensor = start ? text_from(rest, start) : text_of("");
    return keep_name(g, file, true, &line.file) && (!start || keep_name(g, tensor, true, &line.tensor)) &&
           add(g, line);
}

/* Forty digits are some kind of SHA-1, which is not reliable. */
static bool is_digest(numel_str s, struct digest_value *v)
{
    return digest_parse(v, s.p, s.n) && v->kind == DIGEST_SHA256;
}

/* "SHA256 (FILE) = HEX" */
static bool read_bsd(struct parsing *g, numel_str line)
{
    static const char head[] = "SHA256 (";
    const size_t n = sizeof head - 1, tail = 64 + 4;
    struct digest_value v;
    if (line.n < n + tail || !text_starts(line, head) || !text_starts(text_tail(line, tail), ") = "))
        return true;
    if (!is_digest(text_tail(line, 64), &v)) return true;
    return add_file(g, &v, text_less(text_from(line, n), tail), false);
}

/* The list's name without its ending, for a lone digest. */
static numel_str own_file(numel_str name)
{
    static const char *const ends[] = { ".sha256", ".sha256sum", ".sha256sums", ".lfs", ".pointer" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(name, ends[i])) return text_less(name, strlen(ends[i]));
    return name;
}

NUMEL_MUST static bool read_line(struct parsing *g, numel_str line)
{
    struct digest_value v;
    bool escaped = line.n > 0 && line.p[0] == '\\';
    numel_str rest = line;
    if (line.n == 0) return true;
    if (line.p[0] == '#') return read_comment(g, line);
    if (escaped) rest = text_from(rest, 1);
    numel_str first = word(&rest);
    if (is_digest(first, &v)) {
        if (rest.n == 0) return add_file(g, &v, own_file(g->name), false);
        if (rest.p[0] == '*' && rest.n > 1) rest = text_from(rest, 1); /* sha256sum --binary */
        return add_file(g, &v, rest, escaped);
    }
    numel_str second = word(&rest);
    if (rest.n && is_digest(second, &v)) return read_kind(g, first, &v, rest);
    return read_bsd(g, line);
}

/* ---- Git LFS pointers --------------------------------------------------------------------- */

/* "version https://git-lfs...", "oid sha256:HEX", "size N", one per line. */
static bool read_pointer(struct parsing *g, numel_str line)
{
    numel_str key = word(&line);
    struct manifest *m = g->m;
    struct digest_value v;
    if (text_equal(key, "oid") && line.n > 7 && memcmp(line.p, "sha256:", 7) == 0 &&
        is_digest(text_from(line, 7), &v))
        return add_file(g, &v, own_file(g->name), false);
    if (m->count && text_equal(key, "size"))
        m->lines[m->count - 1].sized = number_plain(line, &m->lines[m->count - 1].bytes);
    return true;
}

bool manifest_parse(struct manifest *m, const char *p, size_t n, numel_str name, struct arena *a,
                    numel_error *e)
{
    static const char pointer[] = "version https://git-lfs";
    struct parsing g = { .m = m, .arena = a, .name = name, .error = e };
    bool lfs = n > sizeof pointer && memcmp(p, pointer, sizeof pointer - 1) == 0, ok = true;
    *m = (struct manifest){ .memory = a->memory };
    for (numel_str rest = { p, n }; ok && rest.n;) {
        numel_str line = text_line(&rest);
        ok = lfs ? read_pointer(&g, line) : read_line(&g, line);
    }
    if (ok && m->count == 0)
        ok = error_set(e, NUMEL_E_SYNTAX, NUMEL_NOWHERE,
                       "is not a list of checksums: no line is in the form of numel hash or sha256sum");
    if (!ok) manifest_done(m);
    return ok;
}

void manifest_done(struct manifest *m)
{
    if (m->memory) memory_release(m->memory, m->lines);
    *m = (struct manifest){ .memory = m->memory };
}

bool manifest_read(struct manifest *m, const char *path, struct arena *a, numel_error *e)
{
    struct source s;
    *m = (struct manifest){ .memory = a->memory };
    if (!source_read(&s, path, MOST_BYTES, "list of digests", a->memory, e)) return false;
    bool ok = manifest_parse(m, (const char *)s.base, (size_t)s.size, path_base(path), a, e);
    source_close(&s);
    error_file(e, path);
    return ok;
}
