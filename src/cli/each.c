/*
 * each.c -- reports on each subject of the paths. A bad input does not stop the others: it is reported on
 * standard error, becomes a record in JSON, and changes the status.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REST_MOST = 4 }; /* models */

struct job {
    const struct options *options;
    numel_options library;
    struct each how;
    numel_subject *ahead; /* the first checkpoint, if it had to be opened to count the reports */
    struct output out;
    size_t done, failed, found, part;
    bool usage;   /* the options rule out a report */
    bool stopped; /* interrupted; the remaining inputs are skipped */
    bool several; /* reports */
    bool rest;    /* a page of few models has all reports about each */
};

/* A report that cannot be counted counts as a failure. */
static void count(struct job *j, const numel_report *r)
{
    numel_error e;
    if (!j->how.outcome || numel_outcome_add(j->how.outcome, r, &e) == NUMEL_OK) return;
    j->failed++;
    say_error(NULL, &e);
}

static void fail(struct job *j, const char *path, const numel_error *e)
{
    numel_report *r = NULL;
    bool json = j->options->style.format == NUMEL_JSON;
    j->failed++;
    j->usage |= e->code == NUMEL_E_USAGE;
    say_error(path, e);
    bool html = j->options->page && j->several;
    if ((!json && !html && !j->how.outcome) ||
        numel_report_error(&r, path ? path : "", e, NULL, NULL) != NUMEL_OK)
        return;
    count(j, r);
    if (json || html) (j->how.lines ? output_line : output_report)(&j->out, r);
    else numel_report_free(r);
}

/* ---- findings and counts ------------------------------------------------------------------ */

/* A list of tensors or a bare number does not show findings, so those that lead to exit status 1 go to
 * standard error. */
static void say_findings(struct job *j, const numel_checkpoint *ck)
{
    numel_severity least = j->library.strict ? NUMEL_WARNING : NUMEL_ERROR;
    j->found += numel_worst(ck) == NUMEL_ERROR;
    if (j->how.listed && j->options->style.format != NUMEL_QUIET) return;
    for (size_t i = 0; i < numel_finding_count(ck); i++) {
        const numel_finding *f = numel_finding_at(ck, i);
        if (f->severity >= least) say_at(f->file, f->offset, f->tensor, f->message);
    }
}

/* Reports expectations that fail or cannot be checked, wherever the report goes. A name missing in one
 * component may be in another. */
static void say_expected(const struct job *j, const numel_report *r, const char *path)
{
    numel_verdict v;
    const char *text;
    for (size_t i = 0; (text = numel_report_expected_at(r, i, &v)); i++)
        if (v == NUMEL_DISAGREES || (v == NUMEL_IN_PART && !j->how.asks_names))
            say("numel: %s: %s", path, text);
}

static void count_report(struct job *j, const numel_report *r, const char *path)
{
    size_t unreadable, unknown;
    numel_verdict v = numel_report_verdict(r);
    numel_report_trouble(r, &unreadable, &unknown);
    j->stopped |= numel_report_stopped(r);
    if (unreadable) j->failed++;
    else j->done++;
    j->found += v == NUMEL_DISAGREES;
    j->part += v == NUMEL_IN_PART;
    count(j, r);
    say_expected(j, r, path);
}

/* ---- subjects ----------------------------------------------------------------------------- */

/* Messages call the subject `path`. */
static void report_subject(struct job *j, numel_subject *s, const char *path)
{
    numel_report *r = NULL;
    numel_error e;
    const numel_checkpoint *ck = NULL;
    bool made = j->how.make(&r, s, j->options, &e) == NUMEL_OK;
    if (numel_subject_lacks(s)) {
        say_error(path, numel_subject_lacks(s));
        say_at(path, NUMEL_NOWHERE, "", "only its configuration is used");
    }
    if (!made) {
        fail(j, path, &e);
        return;
    }
    count_report(j, r, path);
    output_report(&j->out, r);
    if (!j->how.outcome && numel_subject_checkpoint(s, &ck, NULL) == NUMEL_OK) say_findings(j, ck);
}

static bool goes_on(const struct job *j) { return !j->stopped && (j->how.outcome || !j->out.failed); }

/* The number of models in the subject; 0 if it cannot be opened, which its report will show. */
static size_t members_of(const struct job *j, numel_subject *s, size_t components)
{
    size_t n = components;
    if (!components && !j->how.files_whole && numel_subject_members(s, &n, NULL) != NUMEL_OK) return 0;
    return n;
}

static void run_subject(struct job *j, numel_subject *s, const numel_found *found, size_t i)
{
    size_t components = found ? numel_found_components(found, i) : 0;
    size_t n = j->how.several == SEVERAL_WHOLE ? 0 : members_of(j, s, components);
    const char *path = found ? numel_found_path(found, i) : NULL;
    j->out.alone &= n == 0;
    for (size_t k = 0; k < n && goes_on(j); k++) {
        numel_subject *member;
        numel_error e;
        const char *own = components ? numel_found_path(found, i + k) : path;
        if (numel_subject_member(&member, s, k, &e) == NUMEL_OK) report_subject(j, member, own);
        else fail(j, own, &e);
        numel_subject_close(member);
    }
    if ((!n || j->how.several == SEVERAL_AND_WHOLE) && goes_on(j)) report_subject(j, s, path);
    if (j->rest) page_add_rest(j->options, s);
}

static void run_found(struct job *j, const numel_found *found, size_t i)
{
    numel_subject *s = j->ahead;
    numel_error e;
    j->ahead = NULL;
    if (s || numel_subject_at(&s, found, i, &j->options->knowledge, &j->library, &e) == NUMEL_OK)
        run_subject(j, s, found, i);
    else fail(j, numel_found_path(found, i), &e);
    numel_subject_close(s);
}

/* The number of reports; several form a list. A single checkpoint given as the only argument is opened for
 * this, because it may contain several models. */
static size_t count_reports(struct job *j, const numel_found *found, bool alone)
{
    size_t n = 0, end = numel_found_count(found);
    for (size_t i = 0, parts; i < end; i += parts ? parts : 1) {
        parts = numel_found_components(found, i);
        n += !parts || j->how.several != SEVERAL_EACH;
        n += j->how.several == SEVERAL_WHOLE ? 0 : parts;
    }
    bool asked = alone && end == 1 && n == 1 && !j->how.files_whole && j->how.several != SEVERAL_WHOLE;
    if (!asked || j->options->style.format != NUMEL_JSON ||
        numel_subject_at(&j->ahead, found, 0, &j->options->knowledge, &j->library, NULL) != NUMEL_OK)
        return n;
    size_t models = members_of(j, j->ahead, 0);
    return models ? models + (j->how.several == SEVERAL_AND_WHOLE) : 1;
}

/* ---- paths -------------------------------------------------------------------------------- */

/* An argument: the checkpoints found there, an error, or neither if it may be a configuration. */
struct target {
    const char *path;
    numel_found *found;
    numel_error error;
};

static void find_target(struct job *j, struct target *t)
{
    struct located at;
    if (!t->path || numel_find(&t->found, t->path, &j->library, &t->error) == NUMEL_OK) return;
    t->found = NULL;
    bool folder = numel_path_kind(located(j->options, t->path, &at)) == NUMEL_KIND_FOLDER;
    if (j->how.configs && folder && t->error.code == NUMEL_E_FORMAT) t->error.code = NUMEL_OK;
}

/* Reports on a configuration, for a folder without a checkpoint or without any path. */
static void run_config(struct job *j, const char *path)
{
    numel_subject *s;
    numel_error e;
    if (numel_subject_open(&s, path, &j->options->knowledge, &j->library, &e) != NUMEL_OK) {
        fail(j, path, &e);
        return;
    }
    report_subject(j, s, path);
    if (j->rest) page_add_rest(j->options, s);
    numel_subject_close(s);
}

static void run_target(struct job *j, struct target *t)
{
    size_t n = t->found ? numel_found_count(t->found) : 0;
    if (t->path && t->error.code != NUMEL_OK) fail(j, t->path, &t->error);
    else if (!t->found) run_config(j, t->path);
    for (size_t i = 0, parts; i < n && goes_on(j); i += parts ? parts : 1) {
        parts = numel_found_components(t->found, i);
        run_found(j, t->found, i);
    }
    numel_found_free(t->found);
}

/* In text, prints a total at the end, unless there is only one report. */
static void say_total(struct job *j)
{
    numel_report *r;
    numel_error e;
    if (!j->how.outcome || j->options->style.format != NUMEL_TEXT || j->done + j->failed < 2) return;
    if (numel_report_outcome(&r, j->how.outcome, &e) == NUMEL_OK) output_report(&j->out, r);
    else say_error(NULL, &e);
}

static int status_of(const struct job *j)
{
    if (j->stopped) return EXIT_STOPPED;
    if (j->usage) return EXIT_USAGE;
    if (j->failed) return j->done ? EXIT_SOME : EXIT_UNREADABLE;
    if (j->found) return EXIT_FOUND;
    return j->part ? EXIT_PART : EXIT_AGREE;
}

int each(const struct options *o, const char *const *paths, size_t count, const struct each *how)
{
    static const char *const nothing[] = { NULL };
    struct timespec started = { 0, 0 };
    struct job j = { .options = o, .library = o->library, .how = *how };
    struct target *targets = calloc(count + 1, sizeof *targets);
    size_t total = 0;
    if (!targets) return out_of_memory(o);
    if (!count) paths = nothing, count = 1;
    if (progress_shown(o)) j.library.progress = progress_bar;
    j.library.progress_ctx = &started;
    for (size_t i = 0; i < count; i++) {
        targets[i].path = paths[i];
        find_target(&j, &targets[i]);
        total += targets[i].found ? count_reports(&j, targets[i].found, count == 1) : 1;
    }
    output_begin(&j.out, o, !how->lines && (total > 1 || count > 1));
    j.out.alone = total == 1 && count == 1;
    j.out.records = how->lines;
    j.several = total > 1;
    j.rest = o->page && total <= REST_MOST;
    for (size_t i = 0; i < count; i++) run_target(&j, &targets[i]);
    free(targets);
    say_total(&j);
    return output_end(&j.out, status_of(&j));
}
