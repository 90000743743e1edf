/* printout.c -- numel diff with a printout: a text file, or standard input. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = (64 << 20) + 1 }; /* one byte above the library's limit, so that it reports an error */

/* Reads standard input, up to about MOST bytes. The text is empty if out of memory. */
static void read_standard_input(struct text *t)
{
    size_t cap = 1 << 16, got, n = 0;
    t->own = malloc(cap);
    while (t->own && n < MOST && (got = fread(t->own + n, 1, cap - n, stdin)) > 0) {
        n += got;
        if (n < cap) continue;
        char *more = realloc(t->own, cap *= 2);
        if (!more) free(t->own);
        t->own = more;
    }
    t->printout.name = "standard input";
    t->printout.text = t->own;
    t->printout.bytes = t->own ? n : 0;
}

bool printout_load(const char *path, struct text *t, numel_error *e)
{
    *e = (numel_error){ .code = NUMEL_OK };
    *t = (struct text){ .printout = NUMEL_INIT(numel_printout) };
    if (strcmp(path, "-") == 0) return read_standard_input(t), true;
    return numel_printout_load(&t->printout, path, NULL, e) == NUMEL_OK;
}

void printout_unload(struct text *t)
{
    if (!t->own) numel_printout_unload(&t->printout, NULL);
    free(t->own);
    t->own = NULL;
}

/* Compares the printout with a model, or reports on it alone. */
NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    return numel_report_printout(r, o->count ? s : NULL, o->printout, &o->view, NULL, e);
}

int diff_printout(const struct options *o, const char *model, const struct text *t)
{
    struct options with = *o;
    with.args = &model;
    with.count = model != NULL;
    with.printout = &t->printout;
    return checkpoint_or_config(&with, make, SEVERAL_EACH);
}
