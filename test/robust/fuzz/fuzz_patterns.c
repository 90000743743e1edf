/*
 * fuzz_patterns.c -- "PATTERN\nTEXT": the answer equals that of a second matcher, which follows the
 * grammar of the pattern and backtracks.
 *
 * The second one is Python's re.match, restricted to what base/pattern.h supports. It is deliberately slow
 * and gives up after too many steps; a pattern that it does not support must not be answered at all.
 */
#include "fuzz.h"

#include "base/pattern.h"

#include <string.h>

/* ---- the pattern as a tree ---------------------------------------------------------------- */

enum kind { EMPTY, BYTE, ANY, CLASS, START, END, EDGE, CHAIN, CHOICE, REPEAT };

struct tree {
    enum kind kind;
    uint8_t byte;
    bool in[256];
    unsigned least, most; /* most 0: unbounded if `endless` */
    bool endless;
    const struct tree *a, *b;
};

enum { TREES = 600 };
static struct tree trees[TREES];

struct reading {
    const uint8_t *at, *end;
    unsigned used, depth;
    bool wrong;
};

static struct tree *grow(struct reading *r, enum kind kind)
{
    if (r->used == TREES) r->wrong = true;
    struct tree *t = &trees[r->wrong ? 0 : r->used++];
    memset(t, 0, sizeof *t);
    t->kind = kind;
    return t;
}

static bool is_alnum(uint8_t c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

/* \d \w \s, upper case: the opposite. */
static bool letter_class(bool in[256], uint8_t letter)
{
    if (!letter || !strchr("dwsDWS", letter)) return false;
    for (unsigned c = 0; c < 256; c++) {
        bool digit = c >= '0' && c <= '9', is = digit;
        if ((letter | 32) == 'w') is = is_alnum((uint8_t)c) || c == '_';
        if ((letter | 32) == 's') is = c == ' ' || (c >= '\t' && c <= '\r');
        if (is == ((letter & 32) != 0)) in[c] = true;
    }
    return true;
}

static const struct tree *read_choice(struct reading *r);

static const struct tree *read_brackets(struct reading *r)
{
    struct tree *t = grow(r, CLASS);
    bool not = r->at < r->end && *r->at == '^', first = true;
    r->at += not ;
    for (; r->at < r->end && (*r->at != ']' || first); first = false) {
        uint8_t low = *r->at++, high;
        if (low == '\\') {
            if (r->at == r->end) break;
            low = *r->at++;
            if (letter_class(t->in, low)) {
                if (r->at + 1 < r->end && *r->at == '-' && r->at[1] != ']') r->wrong = true;
                continue;
            }
            if (is_alnum(low)) r->wrong = true;
        }
        high = low;
        if (r->at + 1 < r->end && *r->at == '-' && r->at[1] != ']') {
            high = r->at[1];
            r->at += 2;
            if (high == '\\') r->wrong = true;
        }
        if (high < low || low >= 0x80 || high >= 0x80) r->wrong = true;
        for (unsigned c = low; c <= high; c++) t->in[c] = true;
    }
    if (r->at == r->end) r->wrong = true;
    else r->at++;
    for (unsigned c = 0; c < 256; c++) t->in[c] = t->in[c] != not ;
    return t;
}

static const struct tree *read_group(struct reading *r)
{
    if (++r->depth > 100) r->wrong = true;
    if (r->at < r->end && *r->at == '?') {
        if (r->at + 1 >= r->end || r->at[1] != ':') r->wrong = true;
        else r->at += 2;
    }
    const struct tree *t = r->wrong ? &trees[0] : read_choice(r);
    if (r->at == r->end || *r->at != ')') r->wrong = true;
    else r->at++;
    r->depth--;
    return t;
}

/* A character that is not ASCII is the chain of its bytes. */
static const struct tree *read_wide(struct reading *r)
{
    const struct tree *all = grow(r, EMPTY);
    unsigned n = text_sequence(r->at, (uint64_t)(r->end - r->at), NULL);
    if (!n) r->wrong = true;
    while (n-- && !r->wrong) {
        struct tree *t = grow(r, CHAIN), *byte = grow(r, BYTE);
        byte->byte = *r->at++;
        t->a = all;
        t->b = byte;
        all = t;
    }
    return all;
}

static const struct tree *read_atom(struct reading *r)
{
    struct tree *t;
    if (*r->at >= 0x80) return read_wide(r);
    uint8_t c = *r->at++;
    switch (c) {
    case '.': return grow(r, ANY);
    case '^': return grow(r, START);
    case '$': return grow(r, END);
    case '[': return read_brackets(r);
    case '(': return read_group(r);
    case '*':
    case '+':
    case '?': r->wrong = true; return &trees[0];
    case '\\':
        if (r->at == r->end) {
            r->wrong = true;
            return &trees[0];
        }
        c = *r->at++;
        if (c == 'b') return grow(r, EDGE);
        t = grow(r, CLASS);
        if (letter_class(t->in, c)) return t;
        if (is_alnum(c) || c >= 0x80) r->wrong = true;
    }
    t = grow(r, BYTE);
    t->byte = c;
    return t;
}

static bool read_number(struct reading *r, unsigned *n)
{
    bool any = false;
    for (*n = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++, any = true)
        if (*n < 100000) *n = *n * 10 + (*r->at - '0');
    return any;
}

/* "{2,3}" and the like; otherwise a literal brace. */
static bool read_braces(struct reading *r, struct tree *t)
{
    const uint8_t *from = r->at++;
    bool low = read_number(r, &t->least), comma = r->at < r->end && *r->at == ',', high = false;
    t->most = t->least;
    if (comma) {
        r->at++;
        high = read_number(r, &t->most);
        t->endless = !high;
    }
    if (r->at < r->end && *r->at == '}' && (low || comma)) {
        r->at++;
        if (!t->endless && t->most < t->least) r->wrong = true;
        return true;
    }
    r->at = from;
    return false;
}

static const struct tree *read_piece(struct reading *r)
{
    const struct tree *inner = read_atom(r);
    struct tree *t = grow(r, REPEAT);
    uint8_t c = r->at < r->end ? *r->at : 0;
    t->a = inner;
    if (c == '{') {
        if (!read_braces(r, t)) return inner;
    } else if (c && strchr("*+?", c)) {
        r->at++;
        t->least = c == '+';
        t->most = 1;
        t->endless = c != '?';
    } else {
        return inner;
    }
    if (inner->kind == START || inner->kind == END || inner->kind == EDGE)
        r->wrong = true; /* nothing to repeat */
    if (r->at < r->end && *r->at == '?') r->at++;
    if (r->at < r->end && strchr("*+?", *r->at) && *r->at) r->wrong = true; /* twice, or possessive */
    return t;
}

static const struct tree *read_chain(struct reading *r)
{
    const struct tree *all = grow(r, EMPTY);
    while (!r->wrong && r->at < r->end && *r->at != '|' && *r->at != ')') {
        struct tree *t = grow(r, CHAIN);
        t->a = all;
        t->b = read_piece(r);
        all = t;
    }
    return all;
}

static const struct tree *read_choice(struct reading *r)
{
    const struct tree *all = read_chain(r);
    while (!r->wrong && r->at < r->end && *r->at == '|') {
        struct tree *t = grow(r, CHOICE);
        r->at++;
        t->a = all;
        t->b = read_chain(r);
        all = t;
    }
    return all;
}

/* ---- matching ----------------------------------------------------------------------------- */

/* All possible end positions, from any of the start positions: a set of offsets. */
enum { TEXT = 64 };
typedef uint64_t places[2]; /* 0 to 127; a text is shorter */

static bool has(const places p, size_t i) { return p[i / 64] >> i % 64 & 1; }
static void add(places p, size_t i) { p[i / 64] |= UINT64_C(1) << i % 64; }

static void ends_of(const struct tree *t, numel_str text, const places from, places to, unsigned *fuel);

static void repeat_of(const struct tree *t, numel_str text, const places from, places to, unsigned *fuel)
{
    places now, next;
    memcpy(now, from, sizeof now);
    for (unsigned i = 0; i < t->least && *fuel; i++) {
        ends_of(t->a, text, now, next, fuel);
        memcpy(now, next, sizeof now);
    }
    memcpy(to, now, sizeof now);
    for (unsigned i = t->least; (t->endless ? i < t->least + TEXT + 1 : i < t->most) && *fuel; i++) {
        ends_of(t->a, text, now, next, fuel);
        memcpy(now, next, sizeof now);
        to[0] |= now[0];
        to[1] |= now[1];
    }
}

static bool of_word(numel_str text, size_t i)
{
    return i < text.n && (is_alnum((uint8_t)text.p[i]) || text.p[i] == '_');
}

static void ends_of(const struct tree *t, numel_str text, const places from, places to, unsigned *fuel)
{
    places middle;
    to[0] = to[1] = 0;
    if (!*fuel) return;
    --*fuel;
    switch (t->kind) {
    case EMPTY: memcpy(to, from, sizeof(places)); return;
    case CHAIN:
        ends_of(t->a, text, from, middle, fuel);
        ends_of(t->b, text, middle, to, fuel);
        return;
    case CHOICE:
        ends_of(t->a, text, from, middle, fuel);
        ends_of(t->b, text, from, to, fuel);
        to[0] |= middle[0];
        to[1] |= middle[1];
        return;
    case REPEAT: repeat_of(t, text, from, to, fuel); return;
    default: break;
    }
    for (size_t i = 0; i <= text.n; i++) {
        uint8_t c = i < text.n ? (uint8_t)text.p[i] : 0;
        if (!has(from, i)) continue;
        if (t->kind == START && i == 0) add(to, i);
        if (t->kind == END && (i == text.n || (i + 1 == text.n && c == '\n'))) add(to, i);
        if (t->kind == EDGE && of_word(text, i) != (i && of_word(text, i - 1))) add(to, i);
        if (i == text.n) continue;
        if (t->kind == BYTE && c == t->byte) add(to, i + 1);
        if ((t->kind == ANY && c != '\n') || (t->kind == CLASS && t->in[c]))
            add(to, i + text_sequence((const uint8_t *)text.p + i, text.n - i, NULL));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
    size_t n = line ? (size_t)(line - data) : size;
    numel_str pattern = { (const char *)data, n }, text = { (const char *)data + n, 0 };
    if (line) text = (numel_str){ (const char *)line + 1, size - n - 1 };
    enum pattern_answer answer = pattern_match(pattern, text);
    FUZZ_ASSERT(answer == PATTERN_NO || answer == PATTERN_YES || answer == PATTERN_UNKNOWN, "no answer");
    if (answer == PATTERN_UNKNOWN || n > 100 || text.n > TEXT) return 0;
    struct reading r = { .at = data, .end = data + n };
    const struct tree *t = read_choice(&r);
    if (r.used == TREES || text_utf8((const uint8_t *)text.p, text.n) < text.n) return 0;
    FUZZ_ASSERT(!r.wrong && r.at == r.end, "an answer for an unsupported pattern");
    unsigned fuel = 100000;
    places from = { 1, 0 }, to;
    ends_of(t, text, from, to, &fuel);
    if (fuel) FUZZ_ASSERT((answer == PATTERN_YES) == ((to[0] | to[1]) != 0), "another answer");
    return 0;
}
