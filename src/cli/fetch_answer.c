/*
 * fetch_answer.c -- reads what numel-fetch writes (fetch/protocol.h): lines in memory, no descriptors. Nothing in
 * them is trusted, since behind that program is the network.
 *
 * One line at a time. Words are separated by exactly one blank, numbers have no sign and no
 * leading zero: what is not written as the protocol says is refused, not repaired.
 */
#include "cli.h"

#include <string.h>

struct words {
    const char *p, *end;
};

/* The next word and its length; 0 if there is none, or it is empty. */
static size_t word(struct words *w, const char **out)
{
    const char *start = w->p;
    while (w->p < w->end && *w->p != ' ') w->p++;
    *out = start;
    size_t n = (size_t)(w->p - start);
    if (w->p < w->end) w->p++; /* the last word ends the line */
    return n;
}

static bool number(struct words *w, uint64_t most, uint64_t *out)
{
    const char *p;
    size_t n = word(w, &p);
    uint64_t v = 0;
    if (!n || (n > 1 && p[0] == '0')) return false;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = (unsigned)(p[i] - '0');
        if (p[i] < '0' || p[i] > '9' || v > (most - digit) / 10) return false;
        v = v * 10 + digit;
    }
    *out = v;
    return true;
}

/* The same, or "-". */
static bool number_or_none(struct words *w, uint64_t *out)
{
    if (w->end - w->p > 1 && w->p[0] == '-' && w->p[1] == ' ') {
        w->p += 2;
        *out = NUMEL_NOT_KNOWN;
        return true;
    }
    return number(w, INT64_MAX, out);
}

static bool is(const char *p, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(p, word, n) == 0;
}

/* Printable ASCII without blanks. */
static bool is_token(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] <= ' ' || p[i] > '~') return false;
    return true;
}

/* The same, at most `room` bytes with a NUL; "" for "-". */
static bool token(struct words *w, char *out, size_t room)
{
    const char *p;
    size_t n = word(w, &p);
    if (!n || n >= room || !is_token(p, n)) return false;
    if (is(p, n, "-")) n = 0;
    for (size_t i = 0; i < n; i++) out[i] = p[i];
    out[n] = 0;
    return true;
}

static bool kind(struct words *w, enum fetch_kind *out)
{
    const char *p, *q;
    size_t n = word(w, &p), m;
    struct words all = { FETCH_KINDS, &FETCH_KINDS[sizeof FETCH_KINDS - 1] };
    for (unsigned i = 0; n && (m = word(&all, &q)); i++) {
        if (m != n || memcmp(p, q, n) != 0) continue;
        *out = (enum fetch_kind)i;
        return true;
    }
    return false;
}

bool fetch_answer_read(struct fetch_answer *out, const char *line, size_t n)
{
    struct words w = { line, line + n };
    const char *p;
    uint64_t id;
    *out = (struct fetch_answer){ .size = NUMEL_NOT_KNOWN };
    if (!n || line[n - 1] == ' ' || !number(&w, UINT32_MAX, &id)) return false;
    out->id = (uint32_t)id;
    size_t k = word(&w, &p);
    out->kept = is(p, k, "kept");
    out->ok = out->kept || is(p, k, "ok");
    if (out->ok && (!number_or_none(&w, &out->size) || !token(&w, out->etag, sizeof out->etag) ||
                    !number(&w, INT64_MAX, &out->came)))
        return false;
    if (!out->ok && (!is(p, k, "error") || !kind(&w, &out->kind))) return false;
    uint64_t most = out->ok ? FETCH_READ_MAX : FETCH_SENTENCE;
    return number(&w, most, &out->length) && w.p == w.end;
}

/* ---- listings ------------------------------------------------------------------------------- */

static bool is_hex(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strchr("0123456789abcdef", p[i]) || !p[i]) return false;
    return n > 0;
}

/* Of a hex digit, as a URL may have it in either case; else -1. */
static int value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

/* Undoes %XX in place; what follows the word is the end of the line. */
static bool decode(char *p, size_t n)
{
    char *out = p, *end = p + n;
    for (; p < end; p++) {
        bool code = *p == '%';
        int c = !code                                                 ? (unsigned char)*p
                : end - p > 2 && value(p[1]) >= 0 && value(p[2]) >= 0 ? value(p[1]) * 16 + value(p[2])
                                                                      : 0;
        if (c == 0 || (!code && (c <= ' ' || c > '~'))) return false;
        if (code) p += 2;
        *out++ = (char)c;
    }
    *out = 0;
    return true;
}

bool fetch_listed_read(struct fetch_listed *out, char *line, size_t n)
{
    struct words w = { line, line + n };
    const char *p, *sha256, *etag;
    size_t k = word(&w, &p);
    *out = (struct fetch_listed){ .bytes = NUMEL_NOT_KNOWN };
    if (!n || line[n - 1] == ' ') return false;
    if (is(p, k, "revision")) {
        k = word(&w, &out->commit);
        bool none = is(out->commit, k, "-");
        if (w.p != w.end || (!none && (k > 64 || !is_hex(out->commit, k)))) return false;
        return true;
    }
    if (!is(p, k, "file") || !number_or_none(&w, &out->bytes)) return false;
    size_t digest = word(&w, &sha256);
    bool none = is(sha256, digest, "-");
    if (!none && (digest != 64 || !is_hex(sha256, digest))) return false;
    size_t tag = word(&w, &etag);
    if (!tag || !is_token(etag, tag)) return false;
    if (!none) out->sha256 = sha256;
    if (!is(etag, tag, "-")) out->etag = etag;
    line[sha256 - line + (ptrdiff_t)digest] = line[etag - line + (ptrdiff_t)tag] = 0; /* in place of blanks */
    out->path = w.p;
    k = word(&w, &p);
    return k && w.p == w.end && decode(line + (p - line), k);
}
