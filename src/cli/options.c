/*
 * options.c -- parses the command line according to the table.
 *
 * Long options are written "--name value" or "--name=value". Short ones are single letters, alone or in a
 * bundle ("-qj"). The last one of a bundle may have a value, attached or as the next word ("-qd2", "-jm
 * GLOB"). Options and arguments may be mixed; "--" ends the options; "-" is an argument. Names are never
 * abbreviated: suggest.c explains why.
 */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of parsing. */
struct reader {
    struct options *o;
    const struct command *c;
    char **argv;
    int argc, i;
};

static int usage(const struct command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int usage(const struct command *c, const char *format, ...)
{
    char what[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    say("numel %s: %s", c->name, what);
    return EXIT_USAGE;
}

/* ---- values ------------------------------------------------------------------------------- */

/* Reads the unit after a number of bytes. K, M, G and T are binary, as in system tools. */
static bool read_unit(const char *text, uint64_t *times)
{
    static const char prefixes[] = "KMGT";
    const char *p = text[0] == 'k' ? prefixes : strchr(prefixes, text[0]);
    *times = 1;
    if (!text[0] || strcmp(text, "B") == 0) return true;
    if (!p) return false;
    bool decimal = strcmp(text + 1, "B") == 0, binary = !text[1] || strcmp(text + 1, "iB") == 0;
    for (const char *q = prefixes; q <= p; q++) *times *= decimal ? 1000 : 1024;
    return decimal || binary;
}

NUMEL_MUST static bool read_number(const struct option *opt, const char *text, uint64_t *v)
{
    char *end;
    uint64_t times = 1;
    errno = 0;
    if (text[0] < '0' || text[0] > '9') return false;
    *v = strtoull(text, &end, 10);
    bool plain = opt->kind == OPTION_COUNT || (opt->kind == OPTION_MANY && strchr(end, 'B'));
    if (errno || (plain ? *end != '\0' : !read_unit(end, &times))) return false;
    if (*v > opt->most / times) return false;
    *v *= times;
    return *v >= opt->least;
}

static int read_word(const char *text, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0) return i;
    return -1;
}

/* Stores a number in the option's field, which may be narrow or wide. */
static void store(struct options *o, const struct option *opt, uint64_t v)
{
    void *field = (char *)o + opt->at;
    unsigned narrow = (unsigned)v;
    if (opt->bytes == sizeof v) memcpy(field, &v, sizeof v);
    else memcpy(field, &narrow, sizeof narrow);
}

/* A number without a unit is in bytes, never gigabytes. */
static int bad_size(const struct reader *r, const struct option *opt, const char *value)
{
    bool plain = value[0] && value[strspn(value, "0123456789")] == '\0';
    if (plain && opt->least == MIB && strlen(value) <= 3)
        return usage(r->c, "--%s %s is %s bytes: did you mean %sGiB?", opt->name, value, value, value);
    if (plain && opt->least == MIB && strlen(value) <= 7)
        return usage(r->c, "--%s %s is %s bytes: give it a unit, like 24GiB or 500MB", opt->name, value,
                     value);
    return usage(r->c, "--%s takes at least %llu bytes, like 100000000, 100MB or 1GiB, not '%s'", opt->name,
                 (unsigned long long)opt->least, value);
}

static int set_number(const struct reader *r, const struct option *opt, const char *value)
{
    uint64_t v;
    bool bytes = opt->kind == OPTION_BYTES || opt->kind == OPTION_FIT;
    if (read_number(opt, value, &v)) return store(r->o, opt, v), EXIT_AGREE;
    if (opt->kind == OPTION_FIT && value[0] && strchr("0123456789-", value[0]) == NULL)
        return fit_by_name(r->c, value, &v) ? (store(r->o, opt, v), EXIT_AGREE) : EXIT_USAGE;
    if (bytes) return bad_size(r, opt, value);
    if (opt->kind == OPTION_MANY)
        return usage(r->c, "--%s takes a whole number from %llu to %llu, like 8192 or 8k, not '%s'",
                     opt->name, (unsigned long long)opt->least, (unsigned long long)opt->most, value);
    return usage(r->c, "--%s takes a whole number from %llu to %llu, not '%s'", opt->name,
                 (unsigned long long)opt->least, (unsigned long long)opt->most, value);
}

static int set_word(const struct reader *r, const struct option *opt, const char *value)
{
    char list[512];
    int word = read_word(value, opt->words);
    if (word >= 0) return store(r->o, opt, opt->least + (uint64_t)word), EXIT_AGREE;
    const char *near = suggest_word(value, opt->words);
    (void)join_words(list, sizeof list, opt->words, ", ");
    return usage(r->c, "--%s takes one of %s; not '%s'%s%s%s", opt->name, list, value,
                 near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int set_text(const struct reader *r, const struct option *opt, const char *value)
{
    void *field = (char *)r->o + opt->at;
    if (opt->kind == OPTION_TEXT) {
        memcpy(field, &value, sizeof value);
        return EXIT_AGREE;
    }
    struct texts *all = field;
    if (all->count == TEXTS_MOST)
        return usage(r->c, "--%s can be given %d times at most", opt->name, TEXTS_MOST);
    all->at[all->count++] = value;
    return EXIT_AGREE;
}

/* Expectations are checked before any file is read; otherwise, a mistyped key would look like a model that
 * differs. */
static int check_expected(const struct reader *r, const char *value)
{
    const char *keys[TEXTS_MOST + 1] = { NULL }, *near = NULL;
    numel_error e;
    if (numel_expect_check(value, &e) == NUMEL_OK) return EXIT_AGREE;
    for (size_t i = 0; i < TEXTS_MOST; i++) keys[i] = numel_expect_key(i);
    for (const char *p = value; *p && !near; p += strcspn(p, ","), p += *p == ',') {
        char key[32];
        size_t n = strcspn(p, "=,"), used = 0;
        if (p[n] != '=' || !put_bytes(key, sizeof key, &used, p, n)) continue;
        if (read_word(key, keys) < 0) near = suggest_word(key, keys);
    }
    return usage(r->c, "--expect: %s%s%s%s", e.what, near ? "; did you mean '" : "", near ? near : "",
                 near ? "'?" : "");
}

static int set_value(const struct reader *r, const struct option *opt, const char *value)
{
    if (opt->kind == OPTION_WORD) return set_word(r, opt, value);
    if (opt->kind == OPTION_COUNT || opt->kind == OPTION_BYTES || opt->kind == OPTION_FIT ||
        opt->kind == OPTION_MANY)
        return set_number(r, opt, value);
    if (!value[0]) return usage(r->c, "--%s takes a value, but it is empty", opt->name);
    if (opt->kind == OPTION_EXPECT && check_expected(r, value) != EXIT_AGREE) return EXIT_USAGE;
    return set_text(r, opt, value);
}

/* JSON is complete, even with -q before or after it, because a program will parse it. */
static void set_format(struct options *o, enum format_option format)
{
    o->formats |= 1u << format;
    if (format == FORMAT_NDJSON) o->lines = true;
    if (format == FORMAT_CSV || format == FORMAT_MARKDOWN) {
        o->style.format = format == FORMAT_CSV ? NUMEL_CSV : NUMEL_MARKDOWN;
    } else if (format != FORMAT_QUIET) {
        o->style.format = NUMEL_JSON;
        o->view.totals = false;
    } else if (o->style.format != NUMEL_JSON) {
        o->style.format = NUMEL_QUIET;
        o->view.totals = true;
    }
}

/* Sets an option without a value. */
static void set_flag(struct options *o, const struct option *opt)
{
    void *field = (char *)o + opt->at;
    static const char *const none = "";
    static const bool yes = true;
    if (opt->kind == OPTION_FORMAT) set_format(o, (enum format_option)opt->least);
    else if (opt->kind == OPTION_TEXT) memcpy(field, &none, sizeof none);
    else memcpy(field, &yes, sizeof yes);
}

/* ---- words -------------------------------------------------------------------------------- */

/* `within` is the bundle that contains the option, or "". */
static int no_option(const struct command *c, const char *word, const char *within)
{
    char instead[1024];
    bool bundled = within[0] != '\0';
    suggest_option(instead, sizeof instead, c, word);
    return usage(c, "no option '%s'%s%s%s%s", word, bundled ? " (in '" : "", within, bundled ? "')" : "",
                 instead);
}

/* True for an option of this command, rather than a value that looks like one. */
static bool is_option_word(const struct command *c, const char *word)
{
    return word[0] == '-' && word[1] == '-' && option_find(c, word + 2, strcspn(word + 2, "="), 0);
}

/* `value` is the rest of the option's word; if NULL, the value is the next word. */
static int take_value(struct reader *r, const struct option *opt, const char *value)
{
    bool next = r->i + 1 < r->argc && !is_option_word(r->c, r->argv[r->i + 1]);
    if (!value && !next) return usage(r->c, "--%s takes a value: --%s %s", opt->name, opt->name, opt->value);
    if (!value) value = r->argv[++r->i];
    return set_value(r, opt, value);
}

static int read_long(struct reader *r, const char *word)
{
    size_t n = strcspn(word + 2, "=");
    const char *value = word[2 + n] ? word + 2 + n + 1 : NULL;
    const struct option *opt = option_find(r->c, word + 2, n, 0);
    if (!opt) return no_option(r->c, word, "");
    if (!opt->value && value) return usage(r->c, "--%s takes no value: '%s'", opt->name, word);
    if (!value && (!opt->value || opt->value[0] == '[')) return set_flag(r->o, opt), EXIT_AGREE;
    return take_value(r, opt, value);
}

static int read_bundle(struct reader *r, const char *word)
{
    const struct option *whole = option_find(r->c, word + 1, strcspn(word + 1, "="), 0);
    if (whole) return usage(r->c, "no option '%s'; did you mean '--%s'?", word, whole->name);
    for (const char *p = word + 1; *p; p++) {
        const char one[] = { '-', *p, '\0' };
        const struct option *opt = option_find(r->c, NULL, 0, *p);
        if (!opt) return no_option(r->c, one, word[2] ? word : "");
        if (opt->value) return take_value(r, opt, p[1] ? p + 1 + (p[1] == '=') : NULL);
        set_flag(r->o, opt);
    }
    return EXIT_AGREE;
}

/* A callback, because the library never reads the environment itself. */
static const char *environment(void *ctx, const char *name)
{
    (void)ctx;
    return getenv(name);
}

static void begin(struct options *o)
{
    *o = (struct options){ .style = NUMEL_INIT(numel_style),
                           .view = NUMEL_INIT(numel_view),
                           .library = { .size = sizeof(numel_options), .environment = environment },
                           .knowledge = { .size = sizeof(numel_knowledge) },
                           .hashing = NUMEL_INIT(numel_hashing),
                           .plan = NUMEL_INIT(numel_plan),
                           .work = NUMEL_INIT(numel_work) };
}

/* A page or Markdown is the whole output: neither can be combined with another format. */
static int check_formats(const struct options *o, const struct command *c)
{
    static const char *const names[] = { "json", "ndjson", "quiet", "csv", "markdown" };
    const unsigned markdown = 1u << FORMAT_MARKDOWN;
    const char *one = o->html ? "html" : o->formats & markdown ? "markdown" : NULL;
    unsigned others = o->html ? o->formats : o->formats & ~markdown;
    for (unsigned i = 0; one && i < FORMATS; i++)
        if (others & 1u << i) return usage(c, "--%s cannot be combined with --%s", one, names[i]);
    return EXIT_AGREE;
}

/* Sets pointers in the library's structures to the collected options. */
static void finish(struct options *o, char **argv, int count)
{
    o->args = (const char *const *)argv + 1;
    o->count = (size_t)count;
    o->knowledge.specs = o->specs.at;
    o->knowledge.spec_count = o->specs.count;
    o->knowledge.sets = o->sets.at;
    o->knowledge.set_count = o->sets.count;
    o->set_use = (numel_set_use){ .size = sizeof o->set_use };
    o->knowledge.set_use = &o->set_use;
    if (o->html) o->style.format = NUMEL_HTML;
}

int options_read(struct options *o, const struct command *c, int argc, char **argv)
{
    struct reader r = { .o = o, .c = c, .argv = argv, .argc = argc };
    bool options = true;
    int count = 0;
    begin(o);
    o->command = c;
    for (r.i = 1; r.i < argc; r.i++) {
        char *word = argv[r.i];
        bool is_option = options && word[0] == '-' && word[1];
        int status = EXIT_AGREE;
        if (is_option && strcmp(word, "--") == 0) options = false;
        else if (is_option) status = word[1] == '-' ? read_long(&r, word) : read_bundle(&r, word);
        else argv[++count] = word; /* arguments are collected at the front, never past i */
        if (status != EXIT_AGREE) return status;
    }
    finish(o, argv, count);
    if (!o->help && check_formats(o, c) != EXIT_AGREE) return EXIT_USAGE;
    if (o->help || (o->count >= c->least && o->count <= c->most)) return EXIT_AGREE;
    say("usage: numel %s %s", c->name, c->args);
    return EXIT_USAGE;
}
