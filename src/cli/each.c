/*
 * each.c -- a report of each checkpoint that the paths stand for. A bad input does not stop the
 * others: it is said on standard error, is a record of its own in JSON, and shows in the status.
 */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct job {
    const struct options *options;
    numel_options library;
    report_fn *make;
    found_fn *make_found; /* or this: the report opens the checkpoint */
    struct output out;
    bool tells; /* the report tells the findings */
    size_t done, failed, found;
};

static void fail(struct job *j, const char *path, const numel_error *e)
{
    numel_report *r;
    j->failed++;
    say_error(path, e);
    if (j->options->style.format == NUMEL_JSON && numel_report_error(&r, path, e, NULL) == NUMEL_OK)
        output_report(&j->out, r);
}

/* What stands in a report's findings is not in a list of tensors or a bare number: it is said beside
 * it, if it makes the exit status 1. */
static void say_findings(const struct job *j, const numel_checkpoint *ck)
{
    numel_severity least = j->library.strict ? NUMEL_WARNING : NUMEL_ERROR;
    if (j->tells && j->options->style.format != NUMEL_QUIET) return;
    for (size_t i = 0; i < numel_finding_count(ck); i++) {
        const numel_finding *f = numel_finding_at(ck, i);
        if (f->severity < least) continue;
        fprintf(stderr, "numel: %s", f->file);
        if (f->offset != NUMEL_NOWHERE)
            fprintf(stderr, ":%llu", (unsigned long long)f->offset);
        fprintf(stderr, ": %s%s%s\n", f->tensor, f->tensor[0] ? ": " : "", f->message);
    }
}

static void run_one(struct job *j, const numel_found *found, size_t i)
{
    numel_checkpoint *ck = NULL;
    numel_report *r = NULL;
    numel_error e;
    const char *path = numel_found_path(found, i);
    if (numel_open(&ck, found, i, &j->library, &e) != NUMEL_OK ||
        j->make(&r, ck, j->options, &e) != NUMEL_OK) {
        fail(j, path, &e);
    } else {
        j->done++;
        j->found += numel_worst(ck) == NUMEL_ERROR || !numel_report_agrees(r);
        output_report(&j->out, r);
        say_findings(j, ck);
    }
    numel_free(ck);
}

static void run_found(struct job *j, const numel_found *found, size_t i)
{
    numel_report *r = NULL;
    numel_error e;
    size_t unreadable = 0, unknown;
    if (j->make_found(&r, found, i, &j->library, j->options, &e) != NUMEL_OK) {
        fail(j, numel_found_path(found, i), &e);
        return;
    }
    numel_report_trouble(r, &unreadable, &unknown);
    if (unreadable) j->failed++;
    else j->done++;
    j->found += !numel_report_agrees(r);
    output_report(&j->out, r);
}

static int status_of(const struct job *j)
{
    if (j->failed) return j->done ? EXIT_SOME : EXIT_UNREADABLE;
    return j->found ? EXIT_FOUND : EXIT_AGREE;
}

static int each_path(struct job j, const struct options *o, size_t args)
{
    struct timespec started = { 0, 0 };
    numel_found **found = calloc(args, sizeof *found);
    numel_error *errors = calloc(args, sizeof *errors);
    size_t total = 0;
    if (!found || !errors) {
        fputs("numel: out of memory\n", stderr);
        free(found);
        free(errors);
        return EXIT_UNREADABLE;
    }
    if (!o->no_progress) j.library.progress = progress_bar;
    j.library.progress_ctx = &started;
    for (size_t i = 0; i < args; i++)
        if (numel_find(&found[i], o->args[i], &j.library, &errors[i]) == NUMEL_OK)
            total += numel_found_count(found[i]);
        else total++;
    output_begin(&j.out, o, total > 1 || args > 1);
    for (size_t i = 0; i < args; i++) {
        if (!found[i]) fail(&j, o->args[i], &errors[i]);
        for (size_t k = 0; found[i] && k < numel_found_count(found[i]); k++)
            (j.make ? run_one : run_found)(&j, found[i], k);
        numel_found_free(found[i]);
    }
    free(found);
    free(errors);
    return output_end(&j.out, status_of(&j));
}

int each_checkpoint(const struct options *o, report_fn *make, size_t args, bool findings)
{
    struct job j = { .options = o, .library = o->library, .make = make, .tells = findings };
    return each_path(j, o, args);
}

int each_found(const struct options *o, found_fn *make, size_t args)
{
    struct job j = { .options = o, .library = o->library, .make_found = make };
    return each_path(j, o, args);
}
