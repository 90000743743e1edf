/*
 * methods.c -- writes the methods of adapters as tables: names, parts of a change, and forms of parts.
 * src/data/adapters/methods.adapter defines the language.
 */
#include "derive.h"

#include "formula/method_parts.h"

#include <stdio.h>
#include <string.h>

#define TEXT_OF(NAME, TEXT) TEXT,
static const char *const known[] = { METHOD_PARTS(TEXT_OF) };
enum { KNOWN = sizeof known / sizeof *known, NAMES = 200 };

static struct {
    struct span names[NAMES], writers[NAMES], globs[NAMES];
    size_t name_count, writer_count, glob_count;
    struct span method, writer;
} m;

static size_t place_of(struct span *names, size_t *count, struct span name)
{
    size_t i = 0;
    while (i < *count && span_order(names[i], name) != 0) i++;
    if (i == NAMES) fail("methods", "there are too many names");
    if (i == *count) names[(*count)++] = name;
    return i;
}

static size_t part_of(struct span name)
{
    for (size_t i = m.name_count; i < KNOWN; i++) m.names[m.name_count++] = span_of(known[i]);
    return place_of(m.names, &m.name_count, name);
}

static int is(struct span s, const char *text) { return span_order(s, span_of(text)) == 0; }

/* "NAME" or NULL. */
static void put_text(struct span s)
{
    if (s.n) printf("\"%.*s\", ", (int)s.n, s.p);
    else printf("NULL, ");
}

/* The text after KEY=, if the word begins with it. */
static struct span behind(struct span word, const char *key)
{
    size_t n = strlen(key);
    if (word.n < n || memcmp(word.p, key, n) != 0) return (struct span){ NULL, 0 };
    return (struct span){ word.p + n, word.n - n };
}

static struct span tail_of(struct span *line)
{
    struct span word = word_of(line);
    if (!word.n || *word.p != '"') return word;
    const char *end = memchr(word.p + 1, '"', (size_t)(line->p + line->n - word.p - 1));
    if (!end) fail("methods", "a quote is not closed");
    line->n -= (size_t)(end + 1 - line->p), line->p = end + 1;
    return (struct span){ word.p + 1, (size_t)(end - word.p - 1) };
}

/* Does the pattern, whose only "*" may be at its end, match everything that the other one matches? */
static int covers(struct span glob, struct span other)
{
    if (glob.n && glob.p[glob.n - 1] == '*')
        return other.n >= glob.n && memcmp(glob.p, other.p, glob.n - 1) == 0;
    return span_order(glob, other) == 0;
}

/* A row of the table of names (model/meaning.h), unless an earlier one covers it. */
static void put_meaning(struct span glob)
{
    for (size_t i = 0; i < m.glob_count; i++)
        if (covers(m.globs[i], glob)) return;
    if (m.glob_count == NAMES) fail("methods", "there are too many names");
    m.globs[m.glob_count++] = glob;
    printf(
        "    { .at = AT_ANY, .glob = \"%.*s\", .kind = KIND_ADAPTER, .writer = \"%.*s\", .doubt = true },\n",
        (int)glob.n, glob.p, (int)m.method.n, m.method.p);
}

static void names_line(struct span line)
{
    for (struct span glob; (glob = word_of(&line)).n;) put_meaning(glob);
}

/* The tail of a part identifies its method, unless the part belongs to any method, is `own`, or has a quoted
 * or dotted tail. */
static void part_names(struct span line)
{
    struct span word = word_of(&line), tail = word_of(&line);
    int own = is(m.method, "-") || *tail.p == '"' || memchr(tail.p, '.', tail.n);
    while ((word = word_of(&line)).n) own |= is(word, "own");
    if (!own) put_meaning(tail);
}

static void part_line(struct span line)
{
    static const char *const flags[] = { "own", "table", "tensor", "flag", "fixed" };
    struct span name = word_of(&line), tail = tail_of(&line), key = { NULL, 0 }, bar = key, word;
    unsigned bits = 0;
    while ((word = word_of(&line)).n) {
        if (behind(word, "key=").n) key = behind(word, "key=");
        else if (behind(word, "bar=").n) bar = behind(word, "bar=");
        else {
            size_t i = 0;
            while (i < sizeof flags / sizeof *flags && !is(word, flags[i])) i++;
            if (i == sizeof flags / sizeof *flags) fail("methods", "a part has an unknown word");
            bits |= 1u << i;
        }
    }
    printf("    { ");
    put_text(tail);
    put_text(is(m.method, "-") ? (struct span){ NULL, 0 } : m.method);
    put_text(key);
    put_text(bar);
    printf("%zu, %zu, %u },\n", part_of(name), place_of(m.writers, &m.writer_count, m.writer), bits);
}

/* PART:SHAPE */
static void need(struct span word)
{
    const char *colon = memchr(word.p, ':', word.n);
    struct span name = { word.p, (size_t)(colon - word.p) }, shape = { colon + 1, word.n - name.n - 1 };
    int maybe = name.n && name.p[name.n - 1] == '?';
    name.n -= (size_t)maybe;
    size_t before = m.name_count, part = part_of(name);
    if (m.name_count != before) fail("methods", "a form has a part that no line names");
    printf("{ %zu, \"%s%.*s\" }, ", part, maybe ? "?" : "", (int)shape.n, shape.p);
}

static void form_line(struct span line)
{
    struct span out = word_of(&line), in, word, told = { NULL, 0 };
    const char *of = is(out, "gguf") ? "FORM_GGUF" : is(out, "gguf-table") ? "FORM_GGUF_TABLE" : "FORM_PLAIN";
    if (strcmp(of, "FORM_PLAIN") != 0) out = word_of(&line);
    in = word_of(&line);
    if (is(out, "-")) out.n = 0;
    if (is(in, "-")) in.n = 0;
    printf("    { %s, \"%.*s\", \"%.*s\", { ", of, (int)out.n, out.p, (int)in.n, in.p);
    for (; (word = word_of(&line)).n && !told.n;)
        if (memchr(word.p, ':', word.n)) need(word);
        else told = (struct span){ word.p, (size_t)(line.p + line.n - word.p) };
    while (told.n && strchr(" \r\n", told.p[told.n - 1])) told.n--;
    printf("{ 0, NULL } }, ");
    put_text(told);
    puts("},");
}

void methods_line(struct span line, int turn)
{
    static const char *const words[] = { "names", "part", "form" };
    static void (*const makers[])(struct span) = { names_line, part_line, form_line };
    struct span word = word_of(&line);
    if (!word.n || *word.p == '#') return;
    if (is(word, "method")) m.method = word_of(&line);
    else if (is(word, "by")) m.writer = word_of(&line);
    else if (turn == METHOD_NAMES && is(word, "part")) part_names(line);
    else {
        int i = METHOD_NAMES;
        while (i <= METHOD_FORMS && !is(word, words[i])) i++;
        if (i > METHOD_FORMS) fail("methods", "a line begins with method, names, by, part or form");
        if (i == turn) makers[i](line);
    }
}
