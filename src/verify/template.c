/*
 * template.c -- a Jinja template's tags, token by token; template.h lists what is searched for.
 *
 * The tokens are Jinja's own: strings are skipped as strings, and a tag ends where its brackets are closed,
 * so no dictionary and no quoted "%}" ends it early. Names put together from pieces are found by joining all
 * strings of the template: only a few bytes of that are kept, since the names are short.
 */
#include "verify/template.h"

#include "base/num.h"
#include "base/text.h"

#include <ctype.h>

/* In any string of a tag, in any context; forwards and backwards, in any case. */
static const char *const anywhere[] = { "__class__",        "__base__",    "__bases__",    "__mro__",
                                        "__subclasses__",   "__globals__", "__builtins__", "__import__",
                                        "__code__",         "__closure__", "__reduce__",   "__reduce_ex__",
                                        "__getattribute__", "__loader__",  "__wrapped__" };

/* Attributes that lead from a function, a generator or a traceback to its surroundings. */
static const char attributes[] = "mro func_globals func_code gi_frame gi_code cr_frame cr_code ag_frame "
                                 "ag_code f_globals f_locals f_builtins "
                                 "f_back tb_frame tb_next popen builtins subprocess";

static const char objects[] = "lipsum cycler joiner", statements[] = "include import from extends",
                  appliers[] = "map select reject selectattr rejectattr";

enum { KEPT = 32 };

struct scan {
    const char *p;
    size_t n, at;
    uint64_t line, counted; /* lines up to `counted` */
    struct reaches *out;
    char kept[KEPT]; /* the last bytes of all strings, lower case */
    size_t kept_n;
    char string[KEPT]; /* the last string, as far as it fits */
    size_t string_n;
    uint8_t before;    /* the last byte of the previous token; 0 at the start of a tag */
    numel_str name;    /* the last name */
    unsigned depth;    /* open brackets */
    bool block, first; /* {% %}; its first name is still to come */
    bool raw;
};

static void reach(struct scan *s, size_t at, numel_str word)
{
    struct reaches *r = s->out;
    char shown[TEXT_QUOTE];
    text_bare(shown, text_upto(word, REACH_LENGTH - 1));
    shown[REACH_LENGTH - 1] = 0;
    for (unsigned i = 0; i < r->count; i++)
        if (strcmp(r->words[i], shown) == 0) return;
    if (r->count == REACH_WORDS) return;
    text_format(r->words[r->count++], REACH_LENGTH, "%s", shown);
    if (r->count > 1) return;
    r->offset = at;
    for (; s->counted < at; s->counted++) s->line += s->p[s->counted] == '\n';
    r->line = s->line;
}

/* ---- strings ------------------------------------------------------------------------------ */

static bool ends_with(const struct scan *s, const char *word, bool backwards)
{
    size_t n = strlen(word);
    if (s->kept_n < n) return false;
    const char *end = s->kept + s->kept_n - n;
    for (size_t i = 0; i < n; i++)
        if (end[i] != word[backwards ? n - 1 - i : i]) return false;
    return true;
}

/* A byte of a string, or of a name that may be a piece of one. */
static void keep(struct scan *s, uint8_t c, size_t at)
{
    if (s->kept_n == KEPT) {
        for (size_t i = 1; i < KEPT; i++) s->kept[i - 1] = s->kept[i];
        s->kept_n--;
    }
    s->kept[s->kept_n++] = (char)tolower(c);
    bool may_end =
        c == '_' && s->kept_n > 2 && s->kept[s->kept_n - 2] == '_' && s->kept[s->kept_n - 3] != '_';
    for (size_t i = 0; may_end && i < sizeof anywhere / sizeof *anywhere; i++)
        if (ends_with(s, anywhere[i], false) || ends_with(s, anywhere[i], true))
            reach(s, at, text_of(anywhere[i]));
}

/* The digits of \x5f, \u005f, \137 at `at`, base 16 or 8; returns how many. */
static size_t digits_at(const struct scan *s, size_t at, size_t most, unsigned base, unsigned *value)
{
    size_t n = 0;
    *value = 0;
    for (; n < most && at + n < s->n; n++) {
        int c = tolower((uint8_t)s->p[at + n]);
        unsigned d = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                            : 99;
        if (d >= base) break;
        *value = *value * base + d;
    }
    return n;
}

/* The character of an escape, if ASCII; `at` is after the backslash and moves past the escape. */
static uint8_t escape_at(const struct scan *s, size_t *at)
{
    unsigned value;
    char c = s->p[*at];
    size_t width = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (width) {
        *at += 1 + digits_at(s, *at + 1, width, 16, &value);
        return value < 0x80 ? (uint8_t)value : '?';
    }
    size_t octal = digits_at(s, *at, 3, 8, &value);
    *at += octal ? octal : 1;
    return octal ? (uint8_t)value : (uint8_t)c;
}

static void read_string(struct scan *s)
{
    char quote = s->p[s->at++];
    s->string_n = 0;
    while (s->at < s->n && s->p[s->at] != quote) {
        size_t from = s->at;
        uint8_t c = (uint8_t)s->p[s->at++];
        if (c == '\\' && s->at < s->n) c = escape_at(s, &s->at);
        if (s->string_n < KEPT) s->string[s->string_n] = (char)c;
        s->string_n++;
        keep(s, c, from);
    }
    if (s->at < s->n) s->at++;
}

static uint8_t next_byte(const struct scan *s)
{
    size_t i = s->at;
    while (i < s->n && isspace((uint8_t)s->p[i])) i++;
    return i < s->n ? (uint8_t)s->p[i] : 0;
}

static bool is_dunder(numel_str s) { return s.n > 4 && text_starts(s, "__") && text_ends(s, "__"); }

static void judge_string(struct scan *s, size_t from)
{
    numel_str text = { s->string, num_min(s->string_n, KEPT) };
    bool whole = s->string_n <= KEPT, line = text.n > 0;
    uint8_t next = next_byte(s);
    for (size_t i = 0; i < text.n; i++) line = line && text.p[i] == '_';
    if (whole && s->before == '[' && is_dunder(text)) reach(s, from, text);
    if (whole && s->before == '(' && text_equal(text, "attr") && text_lists(text_of(appliers), s->name))
        reach(s, from, text_of("|attr"));
    if (whole && line && next == '*') reach(s, from, text_of("'_' * n"));
    if (text_holds(text, text_of("%c")) && (next == '|' || next == '%')) reach(s, from, text_of("%c"));
}

/* ---- names -------------------------------------------------------------------------------- */

static bool is_name_byte(uint8_t c) { return isalnum(c) || c == '_' || c >= 0x80; }

static void judge_name(struct scan *s, numel_str name, size_t from)
{
    uint8_t next = next_byte(s);
    bool member = next == '.' || next == '[' || next == '|';
    bool object = (text_lists(text_of(objects), name) && (member || next == '(')) ||
                  (text_equal(name, "self") && member);
    bool statement = s->block && s->first && text_lists(text_of(statements), name);
    bool attribute = text_starts(name, "__") || text_lists(text_of(attributes), name);
    if (s->before == '|' && text_equal(name, "attr")) reach(s, from, text_of("|attr"));
    else if (s->before == '.' ? attribute : s->before != '|' && (statement || object || is_dunder(name)))
        reach(s, from, name);
    if (text_starts(name, "__") || text_ends(name, "__"))
        for (size_t i = 0; i < name.n; i++) keep(s, (uint8_t)name.p[i], from);
    s->raw |= s->block && s->first && text_equal(name, "raw");
    s->first = false;
    s->name = name;
}

/* ---- tags --------------------------------------------------------------------------------- */

static bool stands(const struct scan *s, const char *word)
{
    return text_starts(text_from((numel_str){ s->p, s->n }, s->at), word);
}

/* Reads to the end of a tag, after its start. */
static void read_tag(struct scan *s, bool block)
{
    s->block = s->first = block;
    s->before = 0;
    s->depth = 0;
    s->raw = false;
    while (s->at < s->n) {
        size_t from = s->at;
        uint8_t c = (uint8_t)s->p[from];
        if (s->depth == 0 && stands(s, block ? "%}" : "}}")) {
            s->at += 2;
            return;
        }
        if (c == '"' || c == '\'') {
            read_string(s);
            judge_string(s, from);
        } else if (is_name_byte(c)) {
            while (s->at < s->n && is_name_byte((uint8_t)s->p[s->at])) s->at++;
            judge_name(s, text_span(s->p + from, s->p + s->at), from);
        } else {
            s->at++;
            if (c == '(' || c == '[' || c == '{') s->depth++;
            if ((c == ')' || c == ']' || c == '}') && s->depth) s->depth--;
        }
        if (!isspace(c)) s->before = c == '"' || c == '\'' || is_name_byte(c) ? 'a' : c;
    }
}

/* Skips past the end of a comment, or to the end of the text. */
static void skip_comment(struct scan *s)
{
    while (s->at < s->n && !stands(s, "#}")) s->at++;
    s->at = num_min(s->at + 2, s->n);
}

/* Skips text that is not evaluated, up to "{% endraw %}". */
static void skip_raw(struct scan *s)
{
    for (; s->at < s->n; s->at++) {
        if (!stands(s, "{%")) continue;
        size_t i = s->at + 2;
        while (i < s->n && (isspace((uint8_t)s->p[i]) || s->p[i] == '-' || s->p[i] == '+')) i++;
        if (text_starts(text_from((numel_str){ s->p, s->n }, i), "endraw")) return;
    }
}

void template_scan(struct reaches *out, numel_str text)
{
    struct scan s = { .p = text.p, .n = text.n, .line = 1, .out = out };
    out->count = 0;
    while (s.at + 1 < s.n) {
        bool block = stands(&s, "{%"), comment = stands(&s, "{#");
        if (!block && !comment && !stands(&s, "{{")) {
            s.at++;
            continue;
        }
        s.at += 2;
        if (comment) skip_comment(&s);
        else read_tag(&s, block);
        if (block && s.raw) skip_raw(&s);
    }
}

void template_words(const struct reaches *r, char out[REACH_WORDS * (REACH_LENGTH + 2)])
{
    struct fixed all = fixed_of(out, REACH_WORDS * (REACH_LENGTH + 2));
    for (unsigned i = 0; i < r->count; i++) fixed_format(&all, "%s%s", i ? ", " : "", r->words[i]);
}
