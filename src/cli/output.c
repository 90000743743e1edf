/*
 * output.c -- writes reports to standard output (width, colour, pager, JSON lists), and lines to either
 * output.
 *
 * Any name in a line may come from a file or a folder. The whole line is escaped when it is written, so
 * callers need not do it.
 */
#include "cli.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool set_in_environment(const char *name)
{
    const char *v = getenv(name);
    return v && v[0];
}

static unsigned terminal_width(void)
{
    struct winsize w;
    const char *columns = getenv("COLUMNS");
    long n = columns ? strtol(columns, NULL, 10) : 0;
    if (n >= 20 && n <= 10000) return (unsigned)n;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0) return w.ws_col;
    return 0;
}

/* "0" is an answer: no. */
static bool is_forced(const char *name)
{
    const char *v = getenv(name);
    return v && v[0] && strcmp(v, "0") != 0;
}

bool use_color(enum color when)
{
    const char *term = getenv("TERM");
    if (when != COLOR_AUTO) return when == COLOR_ALWAYS;
    if (set_in_environment("NO_COLOR")) return false;
    if (is_forced("CLICOLOR_FORCE") || is_forced("FORCE_COLOR")) return true;
    return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

/* Do the user's programs write UTF-8? The first of these variables that is set decides, as for setlocale(). */
static bool is_utf8(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    static const char *const ends[] = { "utf-8", "utf8" };
    const char *locale = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(locale && locale[0]); i++)
        locale = getenv(names[i]);
    const char *charset = locale ? strchr(locale, '.') : NULL;
    for (size_t i = 0; charset && i < sizeof ends / sizeof *ends; i++)
        if (strncasecmp(charset + 1, ends[i], strlen(ends[i])) == 0) return true;
    return false;
}

/* Opens a pager on a terminal: $NUMEL_PAGER, $PAGER, or less, which exits by itself if everything fits. */
static FILE *open_pager(const struct options *o)
{
    const char *pager = getenv("NUMEL_PAGER");
    if (o->no_pager || o->style.format != NUMEL_TEXT || !isatty(STDOUT_FILENO)) return NULL;
    if (!pager) pager = getenv("PAGER");
    if (!pager) pager = "less";
    if (!pager[0] || strcmp(pager, "cat") == 0) return NULL;
    if (!getenv("LESS")) setenv("LESS", "FRX", 1);
    signal(SIGPIPE, SIG_DFL); /* for the pager */
    FILE *f = popen(pager, "w");
    signal(SIGPIPE, SIG_IGN); /* the user may quit the pager early */
    return f;
}

void output_begin(struct output *out, const struct options *o, bool list)
{
    *out = (struct output){ .options = o, .alone = !list };
    out->list = list && o->style.format == NUMEL_JSON && !o->lines;
    out->pager = open_pager(o);
    if (out->list) fputs("[\n", stdout);
}

static FILE *file_of(const struct output *out) { return out->pager ? out->pager : stdout; }

/* Writes the separator together with a report's first byte, so an empty report gets none. */
static bool write_to(void *ctx, const void *p, size_t bytes)
{
    struct output *out = ctx;
    if (bytes && out->between) fputs(out->between, file_of(out));
    if (bytes) out->between = NULL, out->written++;
    return fwrite(p, 1, bytes, file_of(out)) == bytes;
}

/* JSON only has newlines between tokens, so it fits on one line without them. */
static bool write_flat(void *ctx, const void *p, size_t bytes)
{
    const char *text = p;
    for (size_t i = 0; i < bytes; i++)
        if (fputc(text[i] == '\n' ? ' ' : text[i], ctx) == EOF) return false;
    return true;
}

/* True if no model has one of the names given with --set. */
static bool is_set_in_vain(const struct options *o)
{
    const numel_set_use *use = o->knowledge.set_use;
    return use && (use->lacked & ~use->had) != 0;
}

void output_line(struct output *out, numel_report *r)
{
    numel_error e;
    out->written++;
    if (!out->failed && numel_report_write(r, &out->options->style, write_flat, file_of(out), &e) != NUMEL_OK)
        out->failed = true;
    if (!out->failed && (fputc('\n', file_of(out)) == EOF || fflush(file_of(out)) != 0)) out->failed = true;
    numel_report_free(r);
}

void output_report(struct output *out, numel_report *r)
{
    numel_style style = out->options->style;
    numel_error e;
    if (out->options->lines && !out->records) {
        output_line(out, r);
        return;
    }
    if (out->alone && is_set_in_vain(out->options)) {
        numel_report_free(r);
        return;
    }
    if (out->options->style.format == NUMEL_HTML) {
        out->failed = !page_add(out->options, r, false) || out->failed;
        numel_report_free(r);
        return;
    }
    style.width = out->options->view.all ? 0 : terminal_width();
    style.color = use_color(out->options->color);
    style.bars = style.width != 0;
    style.blocks = is_utf8();
    out->between = !out->written                                                  ? NULL
                   : out->list                                                    ? ","
                   : style.format == NUMEL_TEXT || style.format == NUMEL_MARKDOWN ? "\n"
                                                                                  : NULL;
    if (!out->failed && numel_report_write(r, &style, write_to, out, &e) != NUMEL_OK) {
        bool left = e.code == NUMEL_E_IO; /* the pager, or standard output: output_close() reports it */
        out->failed = !left || !out->pager;
        if (!left) say_error(NULL, &e);
    }
    numel_report_free(r);
}

int output_end(struct output *out, int status)
{
    if (out->list) fputs("]\n", stdout);
    if (out->pager) pclose(out->pager);
    if (is_set_in_vain(out->options)) {
        say("numel: %s", out->options->knowledge.set_use->what);
        status = EXIT_USAGE;
    }
    bool lost = out->failed || (!out->pager && fflush(stdout) != 0); /* output_close() reports it */
    return lost ? EXIT_UNREADABLE : status;
}

void output_error(const struct options *o, const char *path, const numel_error *e)
{
    struct output out;
    numel_report *r;
    say_error(path, e);
    const char *file = path ? path : e->file;
    if (o->style.format != NUMEL_JSON || numel_report_error(&r, file, e, NULL, NULL) != NUMEL_OK) return;
    output_begin(&out, o, false);
    output_report(&out, r);
    output_end(&out, EXIT_UNREADABLE);
}

int out_of_memory(const struct options *o)
{
    static const numel_error e = { .code = NUMEL_E_NOMEM, .offset = NUMEL_NOWHERE, .what = "out of memory" };
    output_error(o, "", &e);
    return EXIT_UNREADABLE;
}

int output_refused(const struct options *o, const char *path, const numel_error *e)
{
    if (e->code != NUMEL_E_USAGE) return output_error(o, path, e), EXIT_UNREADABLE;
    say_error(path, e);
    return EXIT_USAGE;
}

/* True if the reader has closed the pipe, as `head` does; that needs no message. */
static bool reader_left(void)
{
    struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };
    return poll(&p, 1, 0) > 0 && p.revents & POLLERR;
}

int output_close(int status)
{
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (!lost) return status;
    if (!reader_left()) say("numel: cannot write to standard output");
    return EXIT_UNREADABLE;
}

/* ---- lines -------------------------------------------------------------------------------- */

static void put_line(FILE *to, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
static void put_line(FILE *to, const char *format, va_list args)
{
    char text[10000], shown[4 * sizeof text]; /* room for two paths of any length */
    int n = vsnprintf(text, sizeof text, format, args);
    numel_escape(shown, sizeof shown, text, n < 0 ? 0 : strlen(text));
    fputs(shown, to);
    fputc('\n', to);
}

void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_line(stderr, format, args);
    va_end(args);
}

void print_line(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_line(stdout, format, args);
    va_end(args);
}

void say_at(const char *file, uint64_t offset, const char *tensor, const char *what)
{
    bool at = offset != NUMEL_NOWHERE;
    char place[32] = "";
    if (at) snprintf(place, sizeof place, ":%llu", (unsigned long long)offset);
    say("numel: %s%s%s%s%s%s", file, place, file[0] ? ": " : "", tensor, tensor[0] ? ": " : "", what);
}

void say_error(const char *path, const numel_error *e)
{
    const char *file = e->file[0] ? e->file : path;
    say_at(file ? file : "", file ? e->offset : NUMEL_NOWHERE, "", e->what);
}

int status_of_report(const numel_report *r)
{
    switch (numel_report_verdict(r)) {
    case NUMEL_AGREES: return EXIT_AGREE;
    case NUMEL_IN_PART: return EXIT_PART;
    default: return EXIT_FOUND;
    }
}
