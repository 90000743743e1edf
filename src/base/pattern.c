/*
 * pattern.c -- regular expressions in time proportional to pattern times text. A pattern becomes a small
 * program (Thompson's construction), which runs over the text with the set of all places it may be at.
 *
 * Python's patterns match characters. A non-ASCII character, which has several bytes, is supported as itself,
 * where any character matches, and in [^...]. Whether it is a letter (\w) is unknown here.
 */
#include "base/pattern.h"

enum {
    STEPS = 3000, /* limit for a program */
    CLASSES = 64,
    DEPTH = 32,    /* limit for nested brackets */
    REPEATS = 100, /* limit for n and m in x{n,m} */
    ENDLESS = REPEATS + 1
};

enum op { OP_BYTE, OP_ANY, OP_CLASS, OP_TAIL, OP_FORK, OP_JUMP, OP_START, OP_END, OP_EDGE, OP_MATCH };

struct step {
    uint8_t op, byte;
    uint16_t a, b; /* CLASS: its number; FORK, JUMP: the next step; TAIL: matches the rest of a character */
};

struct class
{
    uint32_t bits[8];
};

struct program {
    struct step steps[STEPS];
    struct class classes[CLASSES];
    unsigned count, class_count, depth, work; /* work: steps emitted, including discarded ones */
    const char *at, *end;
    bool wide; /* the text contains non-ASCII characters */
    bool failed;
};

static unsigned emit(struct program *p, enum op op, unsigned a, unsigned b)
{
    if (p->count == STEPS || ++p->work > 20 * STEPS) p->failed = true;
    if (p->failed) return 0;
    p->steps[p->count] = (struct step){ (uint8_t)op, (uint8_t)a, (uint16_t)a, (uint16_t)b };
    return p->count++;
}

/* ---- classes of bytes ------------------------------------------------------------------------- */

static void class_add(struct class *c, unsigned from, unsigned to)
{
    for (unsigned i = from; i <= to && i < 256; i++) c->bits[i / 32] |= 1u << i % 32;
}

static bool class_has(const struct class *c, uint8_t byte) { return c->bits[byte / 32] >> byte % 32 & 1; }

static void class_invert(struct class *c)
{
    for (unsigned i = 0; i < 8; i++) c->bits[i] = ~c->bits[i];
}

/* Adds \d, \w, \s or their opposites; false for other letters. */
static bool class_letter(struct program *p, struct class *c, char letter)
{
    struct class own = { { 0 } };
    switch (letter | 0x20) {
    case 'd': class_add(&own, '0', '9'); break;
    case 'w':
        class_add(&own, '0', '9');
        class_add(&own, 'a', 'z');
        class_add(&own, 'A', 'Z');
        class_add(&own, '_', '_');
        break;
    case 's':
        class_add(&own, '\t', '\r');
        class_add(&own, ' ', ' ');
        break;
    default: return false;
    }
    if (p->wide) p->failed = true; /* Python's include the letters, digits and blanks of other scripts */
    if (!(letter & 0x20)) class_invert(&own);
    for (unsigned i = 0; i < 8; i++) c->bits[i] |= own.bits[i];
    return true;
}

static void emit_class(struct program *p, const struct class *c)
{
    if (p->class_count == CLASSES) p->failed = true;
    if (p->failed) return;
    p->classes[p->class_count] = *c;
    emit(p, OP_CLASS, p->class_count++, 0);
    if (p->wide && class_has(c, 0xff)) emit(p, OP_TAIL, 0, 0);
}

static bool is_ascii(char c) { return !((uint8_t)c & 0x80); }

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Reads [...] after the '['. */
static void brackets(struct program *p)
{
    struct class c = { { 0 } };
    bool inverted = p->at < p->end && *p->at == '^';
    p->at += inverted;
    for (bool first = true; p->at < p->end && (first || *p->at != ']'); first = false) {
        bool escaped = *p->at == '\\' && p->at + 1 < p->end;
        uint8_t from = (uint8_t)p->at[escaped];
        p->at += 1 + escaped;
        bool range = p->at + 1 < p->end && *p->at == '-' && p->at[1] != ']';
        if (escaped && class_letter(p, &c, (char)from)) {
            if (range) p->failed = true;
            continue;
        }
        if (escaped && is_letter((char)from)) p->failed = true; /* \b, \B, \Z and similar */
        uint8_t to = range ? (uint8_t)p->at[1] : from;
        if (range) p->at += 2;
        if (to < from || to == '\\' || from >= 0x80 || to >= 0x80) p->failed = true;
        class_add(&c, from, to);
    }
    if (p->at == p->end) p->failed = true;
    else p->at++;
    if (inverted) class_invert(&c);
    emit_class(p, &c);
}

/* ---- the grammar ------------------------------------------------------------------------------ */

static void either(struct program *p);

static void group(struct program *p)
{
    if (p->at < p->end && *p->at == '?') {
        if (p->at + 1 >= p->end || p->at[1] != ':') p->failed = true; /* lookbehind or lookahead */
        p->at += 2;
    }
    if (++p->depth > DEPTH || p->at > p->end) p->failed = true;
    if (!p->failed) either(p);
    p->depth--;
    if (p->failed || p->at == p->end || *p->at != ')') p->failed = true;
    else p->at++;
}

static void escape(struct program *p)
{
    struct class c = { { 0 } };
    if (p->at == p->end) {
        p->failed = true;
        return;
    }
    char letter = *p->at++;
    if (class_letter(p, &c, letter)) emit_class(p, &c);
    else if (letter == 'b' && !p->wide) emit(p, OP_EDGE, 0, 0);
    else if (is_letter(letter) || !is_ascii(letter)) p->failed = true;
    else emit(p, OP_BYTE, (uint8_t)letter, 0);
}

/* Emits all bytes of a character, so that they repeat together. */
static void character(struct program *p)
{
    unsigned n = text_sequence((const uint8_t *)p->at, (uint64_t)(p->end - p->at), NULL);
    if (n == 0) p->failed = true;
    while (n--) emit(p, OP_BYTE, (uint8_t)*p->at++, 0);
}

static void any(struct program *p)
{
    emit(p, OP_ANY, 0, 0);
    if (p->wide) emit(p, OP_TAIL, 0, 0);
}

static void atom(struct program *p)
{
    if (!is_ascii(*p->at)) {
        character(p);
        return;
    }
    char c = *p->at++;
    switch (c) {
    case '.': any(p); break;
    case '^': emit(p, OP_START, 0, 0); break;
    case '$': emit(p, OP_END, 0, 0); break;
    case '[': brackets(p); break;
    case '(': group(p); break;
    case '\\': escape(p); break;
    case '*':
    case '+':
    case '?':
    case '{': p->failed = true; break; /* nothing to repeat */
    default: emit(p, OP_BYTE, (uint8_t)c, 0);
    }
}

static unsigned number(struct program *p, unsigned otherwise)
{
    unsigned n = 0;
    if (p->at == p->end || *p->at < '0' || *p->at > '9') return otherwise;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9' && n <= REPEATS)
        n = n * 10 + (unsigned)(*p->at++ - '0');
    return n;
}

/* Reads {2}, {2,}, {,3} or {2,3} after the '{'; {} and {3,2} are refused. */
static void braces(struct program *p, unsigned *least, unsigned *most)
{
    bool empty = p->at < p->end && *p->at == '}';
    *least = number(p, 0);
    *most = *least;
    if (p->at < p->end && *p->at == ',') p->at++, *most = number(p, ENDLESS);
    bool closed = p->at < p->end && *p->at == '}';
    if (closed) p->at++;
    if (!closed || empty || *least > REPEATS || *most > ENDLESS || *most < *least) p->failed = true;
}

/* Reads how often the previous atom repeats; *most may be ENDLESS. False if no repetition follows. */
static bool repeats(struct program *p, unsigned *least, unsigned *most)
{
    if (p->at == p->end || !strchr("*+?{", *p->at) || !*p->at) return false;
    char c = *p->at++;
    *least = c == '+';
    *most = c == '?' ? 1 : ENDLESS;
    if (c == '{') braces(p, least, most);
    if (p->at < p->end && *p->at == '?') p->at++; /* lazy: the same texts match */
    return true;
}

/* x{2,3}: reads the atom again for each further copy. */
static void copies(struct program *p, const char *from, unsigned least, unsigned most)
{
    for (unsigned i = 0; i < least && !p->failed; i++) p->at = from, atom(p);
    for (unsigned i = least; most != ENDLESS && i < most && !p->failed; i++) {
        unsigned fork = emit(p, OP_FORK, p->count + 1, 0);
        p->at = from;
        atom(p);
        p->steps[fork].b = (uint16_t)p->count;
    }
    if (most != ENDLESS || p->failed) return;
    unsigned fork = emit(p, OP_FORK, p->count + 1, 0); /* {n,} */
    p->at = from;
    atom(p);
    emit(p, OP_JUMP, fork, 0);
    p->steps[fork].b = (uint16_t)p->count;
}

/* Reads an atom and its repetition. A step before it is reserved for a fork. */
static void piece(struct program *p)
{
    const char *from = p->at;
    unsigned slot = emit(p, OP_JUMP, p->count + 1, 0), least, most;
    atom(p);
    if (p->failed || !repeats(p, &least, &most)) return;
    const char *next = p->at;
    bool edge = *from == '\\' && from[1] == 'b';
    if (*from == '^' || *from == '$' || edge) p->failed = true; /* positions cannot repeat */
    if (least > 1 || most == 0 || (most > 1 && most != ENDLESS)) {
        p->count = slot;
        copies(p, from, least, most);
    } else {
        if (least == 0) p->steps[slot].op = OP_FORK;
        if (most == ENDLESS) emit(p, OP_FORK, slot, p->count + 1);
        if (least == 0) p->steps[slot].b = (uint16_t)p->count;
    }
    p->at = next;
}

static void sequence(struct program *p)
{
    while (!p->failed && p->at < p->end && *p->at != '|' && *p->at != ')') piece(p);
}

/* Reads a|b|c. The step before each branch is reserved for a fork to the next branch; all but the last
 * jump to the end. */
static void either(struct program *p)
{
    unsigned jumps[64], n = 0;
    for (;;) {
        unsigned slot = emit(p, OP_JUMP, p->count + 1, 0);
        sequence(p);
        if (p->failed || p->at == p->end || *p->at != '|') break;
        if (n == 64) p->failed = true;
        if (p->failed) return;
        p->at++;
        jumps[n++] = emit(p, OP_JUMP, 0, 0);
        p->steps[slot].op = OP_FORK;
        p->steps[slot].b = (uint16_t)p->count;
    }
    for (unsigned i = 0; i < n && !p->failed; i++) p->steps[jumps[i]].a = (uint16_t)p->count;
}

/* ---- running ---------------------------------------------------------------------------------- */

struct places {
    uint16_t items[STEPS];
    unsigned count;
    uint32_t seen[STEPS];
};

/* The state at a place in the text, before its byte is read. */
struct here {
    uint32_t turn;         /* turn of the loop in run(), in which each place is added once */
    bool start, end, tail; /* tail: inside a character */
    bool edge;             /* at the edge of a word: \b */
};

static bool is_of_word(numel_str text, size_t i)
{
    return i < text.n && (is_letter(text.p[i]) || text.p[i] == '_');
}

/* `end` also holds before a final newline. */
static struct here here_at(numel_str text, size_t i)
{
    return (struct here){ .turn = (uint32_t)i,
                          .start = i == 0,
                          .end = i == text.n || (i + 1 == text.n && text.p[i] == '\n'),
                          .tail = i < text.n && ((uint8_t)text.p[i] & 0xC0) == 0x80,
                          .edge = is_of_word(text, i) != (i > 0 && is_of_word(text, i - 1)) };
}

/* Adds a place and all places reachable from it without reading a byte. */
static void reach(const struct program *p, struct places *s, unsigned first, struct here h)
{
    uint16_t open[2 * STEPS];
    unsigned n = 0;
    open[n++] = (uint16_t)first;
    while (n) {
        unsigned at = open[--n];
        if (s->seen[at] == h.turn) continue;
        s->seen[at] = h.turn;
        const struct step *x = &p->steps[at];
        if (x->op == OP_JUMP) open[n++] = x->a;
        else if (x->op == OP_FORK) open[n++] = x->b, open[n++] = x->a;
        else if ((x->op == OP_START && h.start) || (x->op == OP_END && h.end) ||
                 (x->op == OP_EDGE && h.edge) || (x->op == OP_TAIL && !h.tail))
            open[n++] = (uint16_t)(at + 1);
        else if (x->op < OP_FORK || x->op == OP_MATCH) s->items[s->count++] = (uint16_t)at;
    }
}

static bool takes(const struct program *p, const struct step *x, uint8_t byte)
{
    switch (x->op) {
    case OP_ANY: return byte != '\n';
    case OP_BYTE: return x->byte == byte;
    case OP_CLASS: return class_has(&p->classes[x->a], byte);
    default: return x->op == OP_TAIL; /* stays inside a character */
    }
}

static bool run(const struct program *p, numel_str text)
{
    struct places both[2], *now = both, *next = both + 1;
    memset(both[0].seen, 0xff, sizeof both[0].seen);
    memset(both[1].seen, 0xff, sizeof both[1].seen);
    now->count = 0;
    reach(p, now, 0, here_at(text, 0));
    for (size_t i = 0; now->count; i++) {
        next->count = 0;
        for (unsigned k = 0; k < now->count; k++) {
            const struct step *x = &p->steps[now->items[k]];
            if (x->op == OP_MATCH) return true;
            if (i < text.n && takes(p, x, (uint8_t)text.p[i]))
                reach(p, next, now->items[k] + (x->op == OP_TAIL ? 0u : 1u), here_at(text, i + 1));
        }
        struct places *swap = now;
        now = next;
        next = swap;
    }
    return false;
}

static bool is_wide(numel_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!is_ascii(text.p[i])) return true;
    return false;
}

enum pattern_answer pattern_match(numel_str pattern, numel_str text)
{
    struct program p = { .at = pattern.p, .end = pattern.p + pattern.n, .wide = is_wide(text) };
    either(&p);
    if (p.at < p.end) p.failed = true; /* an extra ')' */
    emit(&p, OP_MATCH, 0, 0);
    if (p.failed) return PATTERN_UNKNOWN;
    return run(&p, text) ? PATTERN_YES : PATTERN_NO;
}
