/* pattern_words.c -- finds words that every text matching a pattern contains; see pattern.h. */
#include "base/pattern.h"

struct reading {
    const char *at, *end;
    char *out; /* the words without backslashes, one after another */
    size_t used, from;
    numel_str *words;
    unsigned count, room;
};

static void finish_word(struct reading *r)
{
    if (r->used > r->from && r->count < r->room)
        r->words[r->count++] = (numel_str){ r->out + r->from, r->used - r->from };
    r->from = r->used;
}

/* Skips [...] after the '['. */
static void skip_set(struct reading *r)
{
    if (r->at < r->end && *r->at == '^') r->at++;
    for (bool first = true; r->at < r->end && (first || *r->at != ']'); first = false)
        r->at += 1 + (*r->at == '\\' && r->at + 1 < r->end);
    if (r->at < r->end) r->at++;
}

/* Skips (...) after the '('. */
static void skip_group(struct reading *r)
{
    for (size_t depth = 1; r->at < r->end && depth;) {
        char c = *r->at++;
        if (c == '[') skip_set(r);
        else if (c == '\\' && r->at < r->end) r->at++;
        else depth = depth + (c == '(') - (c == ')');
    }
}

/* An optional or repeated character ends a word. */
static void repeat(struct reading *r, char c)
{
    if (c != '+' && r->used > r->from) r->used--;
    finish_word(r);
    for (bool in = c == '{'; in && r->at < r->end;) in = *r->at++ != '}';
}

/* False at a branch: alternatives have no words in common. */
static bool read_one(struct reading *r)
{
    char c = *r->at++;
    bool escaped = c == '\\' && r->at < r->end;
    if (escaped) c = *r->at++;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    bool itself = escaped ? !letter : c && !strchr("|.^$[()\\*+?{", c);
    if (c == '|' && !escaped) return false;
    if (itself && !((uint8_t)c & 0x80)) return r->out[r->used++] = c, true;
    if (!escaped && c && strchr("*+?{", c)) return repeat(r, c), true;
    finish_word(r);
    if (!escaped && c == '[') skip_set(r);
    if (!escaped && c == '(') skip_group(r);
    return true;
}

unsigned pattern_words(numel_str pattern, char *space, numel_str *words, unsigned room)
{
    struct reading r = { pattern.p, pattern.p + pattern.n, space, 0, 0, words, 0, room };
    while (r.at < r.end)
        if (!read_one(&r)) return 0;
    finish_word(&r);
    return r.count;
}
