/* printout.c -- numel diff with a printout: a text file, or standard input. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST = (64 << 20) + 1, PROBE = 4096 }; /* one byte more than the library takes: it says so */

static bool is_standard_input(const char *path) { return strcmp(path, "-") == 0; }

/* Weights hold NUL bytes at once, a text none. */
static bool is_text(const char *p, size_t n) { return n > 0 && !memchr(p, 0, n < PROBE ? n : PROBE); }

/* All of a stream, up to MOST bytes; it is left when its front is not text. */
static bool read_stream(FILE *f, char **p, size_t *n)
{
    size_t cap = 1 << 16, got;
    *n = 0;
    *p = malloc(cap);
    while (*p && *n < MOST && (got = fread(*p + *n, 1, cap - *n, f)) > 0) {
        *n += got;
        if (!is_text(*p, *n)) return false;
        if (*n < cap) continue;
        char *more = realloc(*p, cap *= 2);
        if (!more) free(*p);
        *p = more;
    }
    return *p && *n > 0;
}

bool printout_load(const char *path, struct text *t)
{
    struct stat st;
    bool standard = is_standard_input(path);
    *t = (struct text){ .printout = NUMEL_INIT(numel_printout) };
    t->printout.name = standard ? "standard input" : path;
    if (!standard && (stat(path, &st) != 0 || !S_ISREG(st.st_mode))) return false;
    FILE *f = standard ? stdin : fopen(path, "rb");
    if (!f) return false;
    bool text = read_stream(f, &t->p, &t->printout.bytes);
    if (!standard) fclose(f);
    t->printout.text = t->p;
    bool printed = false;
    if (text && !standard) numel_is_printout(&printed, t->p, t->printout.bytes, NULL, NULL);
    if (standard || printed) return true;
    printout_unload(t);
    return false;
}

void printout_unload(struct text *t)
{
    free(t->p);
    t->p = NULL;
}

/* Beside a model, or alone. */
static numel_rc make(numel_report **r, numel_model *model, const struct options *o, numel_error *e)
{
    return numel_report_printout(r, o->count ? model : NULL, o->printout, &o->view, NULL, e);
}

int diff_printout(const struct options *o, const char *model, const struct text *t)
{
    struct options with = *o;
    with.args = &model;
    with.count = model != NULL;
    with.printout = &t->printout;
    return checkpoint_or_config(&with, make);
}
