/*
 * text.c -- checks and escapes UTF-8; compares and quotes texts. Every byte is read as part of a
 * character or escaped as \xff; nothing here assumes that a text is valid.
 */
#include "base/text.h"

#include "base/num.h"

#include <stdio.h>

static bool is_tail(uint8_t c) { return (c & 0xC0) == 0x80; }

unsigned text_sequence(const uint8_t *p, uint64_t n, uint32_t *code)
{
    uint32_t c = n ? p[0] : 0;
    unsigned len = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (n < len || len == 0) return 0;
    if (len > 1) c &= 0x7Fu >> len;
    for (unsigned i = 1; i < len; i++) {
        if (!is_tail(p[i])) return 0;
        c = c << 6 | (p[i] & 0x3Fu);
    }
    if (len == 3 && (c < 0x800 || (c >= 0xD800 && c < 0xE000))) return 0;
    if (len == 4 && (c < 0x10000 || c > 0x10FFFF)) return 0;
    if (code) *code = c;
    return len;
}

uint64_t text_utf8(const uint8_t *p, uint64_t n)
{
    uint64_t i = 0;
    while (i < n) {
        uint64_t eight;
        if (n - i >= 8 && (memcpy(&eight, p + i, 8), (eight & 0x8080808080808080u) == 0)) {
            i += 8;
            continue;
        }
        unsigned len = text_sequence(p + i, n - i, NULL);
        if (!len) return i;
        i += len;
    }
    return n;
}

numel_str text_url(numel_str path)
{
    enum { RANDOM = 6 };
    for (size_t i = text_find(path, 0, '/'); i < path.n; i = text_find(path, i + 1, '/')) {
        numel_str folder = text_from(path, i + 1), url;
        if (!text_take_start(&folder, TEXT_PRIVATE)) continue;
        url = text_from(folder, RANDOM);
        if (text_take_start(&url, "/") &&
            (text_starts(url, "hf://") || text_starts(url, "https://") || text_starts(url, "http://")))
            return url;
    }
    return path;
}

/* Characters that a terminal would interpret, hide, or use to reorder their neighbours: Unicode's
 * categories Cc, Cf, Zl and Zp, and default-ignorable ones (fillers, variation selectors, tags). In
 * ascending order. */
static const struct {
    uint32_t first, last;
} unsafe[] = {
    { 0x0, 0x1F },        { 0x7F, 0x9F },       { 0xAD, 0xAD },       { 0x34F, 0x34F },
    { 0x600, 0x605 },     { 0x61C, 0x61C },     { 0x6DD, 0x6DD },     { 0x70F, 0x70F },
    { 0x890, 0x891 },     { 0x8E2, 0x8E2 },     { 0x115F, 0x1160 },   { 0x17B4, 0x17B5 },
    { 0x180B, 0x180F },   { 0x200B, 0x200F },   { 0x2028, 0x202E },   { 0x2060, 0x206F },
    { 0x3164, 0x3164 },   { 0xFE00, 0xFE0F },   { 0xFEFF, 0xFEFF },   { 0xFFA0, 0xFFA0 },
    { 0xFFF0, 0xFFFB },   { 0x110BD, 0x110BD }, { 0x110CD, 0x110CD }, { 0x13430, 0x1343F },
    { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF },
};

static bool is_unsafe(uint32_t c)
{
    size_t i = 0, n = sizeof unsafe / sizeof *unsafe;
    while (i < n && unsafe[i].last < c) i++;
    return i < n && c >= unsafe[i].first;
}

/* Writes at most 16 bytes for the character at p. Returns the number of bytes of p that it represents. */
static unsigned escape_one(char out[16], const uint8_t *p, uint64_t n)
{
    uint32_t c = 0;
    unsigned len = text_sequence(p, n, &c);
    if (!len) {
        snprintf(out, 16, "\\x%02x", p[0]);
        return 1;
    }
    const char *named = c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : NULL;
    if (named) snprintf(out, 16, "%s", named);
    else if (c == '\\') snprintf(out, 16, "\\\\");
    else if (is_unsafe(c)) snprintf(out, 16, c < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)c);
    else {
        memcpy(out, p, len);
        out[len] = 0;
    }
    return len;
}

/* The length of the run at p that needs no escape in either output. */
static size_t plain_run(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && (uint8_t)p[i] >= 0x20 && (uint8_t)p[i] < 0x7F && p[i] != '"' && p[i] != '\\')
        i++; /* char may be signed, so bytes above 0x7F must not compare as large */
    return i;
}

static unsigned safe_one(char out[16], const uint8_t *p, uint64_t n)
{
    if (*p != '\\') return escape_one(out, p, n);
    memcpy(out, "\\", 2);
    return 1;
}

typedef unsigned one_fn(char out[16], const uint8_t *p, uint64_t n);

/* `lines` keeps ends of lines. */
static void put_escaped(struct buffer *b, numel_str s, one_fn *escape, bool lines)
{
    s = text_shown(s);
    for (size_t i = 0; i < s.n;) {
        char one[16] = "\n";
        size_t run = plain_run(s.p + i, s.n - i);
        buffer_add(b, s.p + i, run);
        if ((i += run) == s.n) break;
        i += lines && s.p[i] == '\n' ? 1 : escape(one, (const uint8_t *)s.p + i, s.n - i);
        buffer_text(b, one);
    }
}

void text_escape(struct buffer *b, numel_str s) { put_escaped(b, s, escape_one, false); }
void text_safe(struct buffer *b, numel_str s, bool lines) { put_escaped(b, s, safe_one, lines); }

void text_xml(struct buffer *b, numel_str s)
{
    s = text_shown(s);
    for (size_t i = 0; i < s.n;) {
        char one[16];
        uint32_t c = 0;
        unsigned len = text_sequence((const uint8_t *)s.p + i, s.n - i, &c);
        bool none = len && (c == 0xFFFE || c == 0xFFFF); /* only XML excludes these */
        i += safe_one(one, (const uint8_t *)s.p + i, s.n - i);
        if (none) snprintf(one, sizeof one, "\\u%04x", (unsigned)c);
        for (const char *p = one; *p; p++) {
            switch (*p) {
            case '&': buffer_text(b, "&amp;"); break;
            case '<': buffer_text(b, "&lt;"); break;
            case '>': buffer_text(b, "&gt;"); break;
            case '"': buffer_text(b, "&quot;"); break;
            case '\'': buffer_text(b, "&apos;"); break;
            default: buffer_char(b, *p);
            }
        }
    }
}

void text_uri(struct buffer *b, numel_str path)
{
    static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    path = text_shown(path);
    if (path.n && path.p[0] == '/') buffer_text(b, "file://");
    for (size_t i = 0; i < path.n; i++) {
        if (path.p[i] && strchr(unreserved, path.p[i])) buffer_char(b, path.p[i]);
        else buffer_format(b, "%%%02X", (unsigned)(uint8_t)path.p[i]);
    }
}

size_t text_safe_fit(char *out, size_t room, numel_str s)
{
    size_t used = 0, all = 0;
    for (size_t i = 0; i < s.n;) {
        char one[16];
        i += safe_one(one, (const uint8_t *)s.p + i, s.n - i);
        size_t n = strlen(one);
        if (used == all && n < room - used) {
            memcpy(out + used, one, n);
            used += n;
        }
        all += n;
    }
    if (room) out[used] = 0;
    return all;
}

size_t numel_escape(char *out, size_t size, const char *text, size_t bytes)
{
    return text_safe_fit(out, size, (numel_str){ text, bytes });
}

size_t text_whole(numel_str s)
{
    size_t n = s.n, back = 0;
    while (back < 3 && back < n && is_tail((uint8_t)s.p[n - 1 - back])) back++;
    if (back == n) return n;
    uint8_t lead = (uint8_t)s.p[n - 1 - back];
    size_t needs = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
    return needs > back + 1 ? n - back - 1 : n;
}

/* \u202e; a surrogate pair above U+FFFF. */
static void json_number(struct buffer *b, uint32_t c)
{
    if (c < 0x10000) buffer_format(b, "\\u%04x", (unsigned)c);
    else
        buffer_format(b, "\\u%04x\\u%04x", 0xD800 + (unsigned)((c - 0x10000) >> 10),
                      0xDC00 + (unsigned)(c & 0x3FF));
}

static unsigned json_one(struct buffer *b, const uint8_t *p, uint64_t n)
{
    uint32_t c = 0;
    unsigned len = text_sequence(p, n, &c);
    if (!len) {
        buffer_text(b, "\\ufffd");
        return 1;
    }
    if (c == '"' || c == '\\') buffer_format(b, "\\%c", (int)c);
    else if (c == '\n') buffer_text(b, "\\n");
    else if (c == '\t') buffer_text(b, "\\t");
    else if (is_unsafe(c)) json_number(b, c);
    else buffer_add(b, p, len);
    return len;
}

void text_json(struct buffer *b, numel_str s)
{
    s = text_shown(s);
    buffer_char(b, '"');
    for (size_t i = 0; i < s.n;) {
        size_t run = plain_run(s.p + i, s.n - i);
        buffer_add(b, s.p + i, run);
        if ((i += run) == s.n) break;
        i += json_one(b, (const uint8_t *)s.p + i, s.n - i);
    }
    buffer_char(b, '"');
}

void text_tame(struct buffer *b, numel_str json)
{
    for (size_t i = 0; i < json.n;) {
        uint32_t c = 0;
        unsigned len = text_sequence((const uint8_t *)json.p + i, json.n - i, &c);
        if (!len) buffer_text(b, "\\ufffd");
        else if (is_unsafe(c) && c != '\n') json_number(b, c);
        else buffer_add(b, json.p + i, len);
        i += len ? len : 1;
    }
}

/* Escapes s into out[used..limit), whole characters only. Returns the new `used`. */
static size_t quote_part(char *out, size_t used, size_t limit, numel_str s)
{
    for (size_t i = 0; i < s.n;) {
        char one[16];
        unsigned took = escape_one(one, (const uint8_t *)s.p + i, s.n - i);
        size_t len = strlen(one);
        if (used + len > limit) break;
        memcpy(out + used, one, len);
        used += len;
        i += took;
    }
    return used;
}

/* Escapes s into out[at..limit]; cuts a long text in the middle. Returns the end. */
static size_t put_short(char *out, size_t at, size_t limit, numel_str s)
{
    enum { ENOUGH = (TEXT_QUOTE - 8) / 2, TAIL = ENOUGH / 2 }; /* escapes may make a text longer */
    s = text_shown(s);
    if (s.n <= ENOUGH) return quote_part(out, at, limit, s);
    /* the head, "...", and a tail that begins with a whole character */
    size_t used = quote_part(out, at, ENOUGH, (numel_str){ s.p, s.n - TAIL }), from = s.n - TAIL;
    memcpy(out + used, "...", 3);
    while (from < s.n && is_tail((uint8_t)s.p[from])) from++;
    return quote_part(out, used + 3, limit, (numel_str){ s.p + from, s.n - from });
}

char *text_quote(char out[TEXT_QUOTE], numel_str s)
{
    out[0] = '\'';
    size_t used = put_short(out, 1, TEXT_QUOTE - 2, s);
    out[used++] = '\'';
    out[used] = 0;
    return out;
}

char *text_bare(char out[TEXT_QUOTE], numel_str s)
{
    out[put_short(out, 0, TEXT_QUOTE - 3, s)] = 0;
    return out;
}

char *text_dims(char out[TEXT_QUOTE], const uint64_t *dims, uint32_t n)
{
    size_t used = (size_t)snprintf(out, TEXT_QUOTE, "[");
    for (uint32_t i = 0; i < n; i++) {
        if (used > TEXT_QUOTE - 40) {
            used += (size_t)snprintf(out + used, TEXT_QUOTE - used, ", ...");
            break;
        }
        used += (size_t)snprintf(out + used, TEXT_QUOTE - used, "%s%" PRIu64, i ? ", " : "", dims[i]);
    }
    snprintf(out + used, TEXT_QUOTE - used, "]");
    return out;
}

/* Every other name contains a number, and a model has 100,000 names; printf() is too slow for that. */
numel_str text_decimal(char digits[TEXT_DECIMAL], int64_t v)
{
    uint64_t rest = v < 0 ? -(uint64_t)v : (uint64_t)v;
    size_t at = TEXT_DECIMAL;
    do digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (v < 0) digits[--at] = '-';
    return text_span(digits + at, digits + TEXT_DECIMAL);
}

char *text_number(char out[TEXT_NUMBER], uint64_t v)
{
    char digits[24];
    size_t n = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, v), used = 0;
    for (size_t i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0) out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = 0;
    return out;
}

char *text_count(char out[TEXT_COUNT], uint64_t n, const char *noun)
{
    char number[TEXT_NUMBER];
    (void)snprintf(out, TEXT_COUNT, "%s %s%s", text_number(number, n), noun, n == 1 ? "" : "s");
    return out;
}

static bool is_wide(uint32_t c)
{
    return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
           (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

size_t text_columns(const char *p, size_t n)
{
    size_t columns = 0;
    for (size_t i = 0; i < n;) {
        uint32_t c = 0;
        unsigned len = text_sequence((const uint8_t *)p + i, n - i, &c);
        i += len ? len : 1;
        columns += (c >= 0x300 && c <= 0x36F) ? 0 : is_wide(c) ? 2 : 1;
    }
    return columns;
}

numel_str text_join(char *out, size_t room, numel_str x, numel_str y, numel_str z)
{
    const numel_str parts[] = { x, y, z };
    size_t used = 0;
    for (size_t i = 0; i < 3; i++) {
        if (parts[i].n > room - used) return (numel_str){ NULL, 0 };
        if (parts[i].n) memcpy(out + used, parts[i].p, parts[i].n);
        used += parts[i].n;
    }
    return (numel_str){ out, used };
}

numel_str text_word(numel_str *rest)
{
    size_t from = 0, to;
    if (!rest->n) return *rest; /* p may be NULL */
    while (from < rest->n && (rest->p[from] == ' ' || rest->p[from] == '\t')) from++;
    to = text_find(*rest, from, ' ');
    to = text_find(text_upto(*rest, to), from, '\t');
    numel_str word = { rest->p + from, to - from };
    *rest = (numel_str){ rest->p + to, rest->n - to };
    return word;
}

numel_str text_line(numel_str *rest)
{
    numel_str line = text_cut(rest, '\n');
    if (line.n && line.p[line.n - 1] == '\r') line.n--;
    return line;
}

bool text_is_name(numel_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i && c >= '0' && c <= '9')) return false;
    }
    return s.n > 0;
}

bool text_lists(numel_str words, numel_str word)
{
    for (numel_str w = text_word(&words); w.n; w = text_word(&words))
        if (text_same(w, word)) return true;
    return false;
}

numel_str text_cut(numel_str *rest, char sign)
{
    if (!rest->n) return *rest; /* p may be NULL */
    const char *at = memchr(rest->p, sign, rest->n);
    size_t n = at ? (size_t)(at - rest->p) : rest->n, past = n + (at != NULL);
    numel_str own = { rest->p, n };
    *rest = (numel_str){ rest->p + past, rest->n - past };
    return own;
}

bool text_listed(numel_str list, char sign, numel_str item)
{
    while (list.n)
        if (text_same(text_cut(&list, sign), item)) return true;
    return false;
}

size_t text_seek(numel_str s, numel_str part)
{
    for (size_t i = 0; part.n && part.n <= s.n && i <= s.n - part.n; i++) {
        const char *at = memchr(s.p + i, *part.p, s.n - part.n + 1 - i);
        if (!at) break;
        i = (size_t)(at - s.p);
        if (memcmp(at, part.p, part.n) == 0) return i;
    }
    return s.n;
}

bool text_ends(numel_str s, const char *end)
{
    size_t n = strlen(end);
    return s.n >= n && memcmp(s.p + s.n - n, end, n) == 0;
}

bool text_take_start(numel_str *s, const char *start)
{
    bool has = text_starts(*s, start);
    if (has) *s = text_from(*s, strlen(start));
    return has;
}

bool text_take_end(numel_str *s, const char *end)
{
    bool has = text_ends(*s, end);
    if (has) *s = text_less(*s, strlen(end));
    return has;
}

numel_str text_head(numel_str s, char byte)
{
    while (s.n && s.p[s.n - 1] != byte) s.n--;
    return s;
}

numel_str text_lower(char *out, size_t room, numel_str s)
{
    s = text_upto(s, room);
    for (size_t i = 0; i < s.n; i++)
        out[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + ('a' - 'A') : s.p[i]);
    return (numel_str){ out, s.n };
}

static size_t digits_at(numel_str s, size_t i)
{
    size_t n = 0;
    while (i + n < s.n && s.p[i + n] >= '0' && s.p[i + n] <= '9') n++;
    return n;
}

/* Compares the digit runs at a[i] and b[j], both not empty, by value, then by number of leading zeros. */
static int compare_digits(numel_str a, size_t i, size_t m, numel_str b, size_t j, size_t n)
{
    size_t zi = 0, zj = 0;
    while (zi + 1 < m && a.p[i + zi] == '0') zi++;
    while (zj + 1 < n && b.p[j + zj] == '0') zj++;
    if (m - zi != n - zj) return m - zi < n - zj ? -1 : 1;
    int c = memcmp(a.p + i + zi, b.p + j + zj, m - zi);
    return c ? c : zi < zj ? -1 : zi > zj;
}

size_t text_shared(numel_str a, numel_str b)
{
    size_t n = a.n < b.n ? a.n : b.n, i = 0;
    while (n - i >= 8 && num_word(a.p + i) == num_word(b.p + i)) i += 8;
    while (i < n && a.p[i] == b.p[i]) i++;
    return i;
}

int text_bytes(numel_str a, numel_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int d = n ? memcmp(a.p, b.p, n) : 0;
    return d ? d : num_order(a.n, b.n);
}

int text_natural(numel_str a, numel_str b)
{
    size_t i = text_shared(a, b), j;
    while (i > 0 && a.p[i - 1] >= '0' && a.p[i - 1] <= '9') i--; /* back to where the digits begin */
    for (j = i; i < a.n && j < b.n;) {
        size_t m = digits_at(a, i), n = digits_at(b, j);
        if (m && n) {
            int c = compare_digits(a, i, m, b, j, n);
            if (c) return c;
            i += m;
            j += n;
            continue;
        }
        if (a.p[i] != b.p[j]) return (uint8_t)a.p[i] < (uint8_t)b.p[j] ? -1 : 1;
        i++;
        j++;
    }
    return (i < a.n) - (j < b.n);
}

void text_starred(struct buffer *b, numel_str name)
{
    for (size_t i = 0; i < name.n;) {
        size_t n = 0;
        bool begins = i == 0 || name.p[i - 1] == '.';
        while (begins && i + n < name.n && name.p[i + n] >= '0' && name.p[i + n] <= '9') n++;
        if (n > 0 && (i + n == name.n || name.p[i + n] == '.')) buffer_char(b, '*');
        else buffer_add(b, name.p + i, n = 1);
        i += n;
    }
}
