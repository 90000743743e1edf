/*
 * each.c -- a report of each checkpoint that the paths stand for. A bad input does not stop the
 * others: it is said on standard error, is a record of its own in JSON, and shows in the status.
 */
#define _XOPEN_SOURCE 700 /* strndup() */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What of a model of several is reported: the checkpoints of a folder, the models of one file. */
enum several {
    SEVERAL_AS_ONE,     /* a file has one report; of a folder each checkpoint */
    SEVERAL_EACH,       /* each of them */
    SEVERAL_EACH_FIRST, /* each of them, and the whole behind */
    SEVERAL_WHOLE       /* the whole alone */
};

struct job {
    const struct options *options;
    numel_options library;
    report_fn *make;      /* of a model; or */
    found_fn *make_found; /* the report opens the checkpoint */
    enum several several;
    const struct whole *whole; /* NULL where the whole has no report */
    numel_checkpoint
        *ahead;        /* of the first of all, where it had to be opened to know how many reports there are */
    bool configs;      /* an argument may be a configuration */
    bool config_files; /* it may be one only by its name, config.json */
    bool absent;       /* where a checkpoint's files are not here, its configuration does */
    struct output out;
    const char *asked; /* the argument that is at work */
    bool listed;       /* the report lists the findings */
    bool lines;        /* JSON is a record a line */
    size_t done, failed, found, part;
    bool usage;             /* a report cannot be made of what was asked for */
    bool stopped;           /* interrupted: the others are not begun */
    numel_outcome *outcome; /* of all; NULL: nobody asks */
};

/* What cannot be counted makes the outcome less than all: as an error, it shows in the status. */
static void count(struct job *j, const numel_report *r)
{
    numel_error e;
    if (!j->outcome || numel_outcome_add(j->outcome, r, &e) == NUMEL_OK) return;
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
    if ((!json && !j->outcome) || numel_report_error(&r, path, e, NULL, NULL) != NUMEL_OK) return;
    count(j, r);
    if (json) (j->lines ? output_line : output_report)(&j->out, r);
    else numel_report_free(r);
}

/* What stands in a report's findings is not in a list of tensors or a bare number: it is said beside
 * it, if it makes the exit status 1. */
static void say_findings(const struct job *j, const numel_checkpoint *ck)
{
    numel_severity least = j->library.strict ? NUMEL_WARNING : NUMEL_ERROR;
    if (j->listed && j->options->style.format != NUMEL_QUIET) return;
    for (size_t i = 0; i < numel_finding_count(ck); i++) {
        const numel_finding *f = numel_finding_at(ck, i);
        if (f->severity < least) continue;
        say_at(f->file, f->offset, f->tensor, f->message);
    }
}

/* What was expected and is not so, or cannot be known, wherever the report goes. */
static void say_expected(const numel_report *r, const char *path)
{
    for (size_t i = 0; i < numel_report_expected_count(r); i++) {
        numel_verdict v;
        const char *text = numel_report_expected_at(r, i, &v);
        if (v != NUMEL_AGREES) say("numel: %s: %s", path, text);
    }
}

static void count_verdict(struct job *j, const numel_report *r)
{
    numel_verdict v = numel_report_verdict(r);
    j->found += v == NUMEL_DISAGREES;
    j->part += v == NUMEL_IN_PART;
}

/* Of a checkpoint, or of a configuration, or a folder that may have one; NULL for both: of what `k` has. */
NUMEL_MUST static bool report_model(struct job *j, const numel_checkpoint *ck, const char *config,
                                    const numel_knowledge *k, numel_error *e)
{
    numel_model *model = NULL;
    numel_report *r = NULL;
    bool made = numel_model_open(&model, ck, config, k, &j->library, e) == NUMEL_OK &&
                j->make(&r, model, j->options, e) == NUMEL_OK;
    if (made) {
        j->done++;
        if (ck && numel_worst(ck) == NUMEL_ERROR) j->found++;
        count_verdict(j, r);
        if (ck) say_expected(r, numel_path(ck));
        output_report(&j->out, r);
    }
    numel_model_close(model);
    return made;
}

static void run_config(struct job *j, const char *config, const char *path)
{
    numel_error e;
    struct located at;
    if (!report_model(j, NULL, located(j->options, config, &at), &j->options->knowledge, &e))
        fail(j, path, &e);
}

/* Where a checkpoint's files are not here, a command that needs only the configuration reads that: the
 * path is the folder, or something in it. False when something is here, which then must be read. */
static bool run_absent(struct job *j, const numel_found *found, size_t i, const numel_error *e)
{
    const char *path = numel_found_path(found, i), *slash = strrchr(path, '/');
    char *folder;
    bool absent;
    struct located at;
    if (!j->absent || numel_path_kind(located(j->options, j->asked, &at)) == NUMEL_KIND_ABSENT)
        return false; /* no such path */
    if (numel_absent(&absent, found, i, &j->library, NULL) != NUMEL_OK || !absent) return false;
    if (numel_path_kind(path) == NUMEL_KIND_FOLDER) folder = strdup(path);
    else folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!folder) return false;
    say_error(path, e);
    say_at(path, NUMEL_NOWHERE, "", "only its configuration is read");
    run_config(j, folder, path);
    free(folder);
    return true;
}

/* A configuration that came out of a pipe. False: it is none. */
static bool run_piped(struct job *j, const numel_found *found, size_t i)
{
    numel_knowledge k = j->options->knowledge;
    numel_error e;
    bool ok = numel_found_config(found, i, &k.config_text, &k.config_bytes, &e) == NUMEL_OK;
    if (ok && !k.config_text) return false;
    if (ok && !k.config) k.config = "standard input";
    if (!ok || !report_model(j, NULL, NULL, &k, &e)) fail(j, numel_found_path(found, i), &e);
    return true;
}

/* A report of each model in the file, and of all of it. */
NUMEL_MUST static bool report_parts(struct job *j, const numel_checkpoint *ck, const numel_parts *parts,
                                    numel_error *e)
{
    numel_report *r = NULL;
    size_t models;
    (void)numel_parts_count(parts, &models);
    j->out.alone &= j->several == SEVERAL_WHOLE;
    for (size_t i = 0; i < models && j->several != SEVERAL_WHOLE; i++)
        if (!report_model(j, numel_parts_at(parts, i), NULL, &j->options->knowledge, e)) return false;
    if (j->several == SEVERAL_EACH) return true;
    if (j->whole->of_file(&r, parts, &j->library, j->options, e) != NUMEL_OK) return false;
    j->done++;
    if (numel_worst(ck) == NUMEL_ERROR) j->found++;
    count_verdict(j, r);
    output_report(&j->out, r);
    return true;
}

NUMEL_MUST static bool report_opened(struct job *j, const numel_checkpoint *ck, numel_error *e)
{
    numel_parts *parts = NULL;
    const numel_knowledge *k = &j->options->knowledge;
    if (j->several && numel_parts_open(&parts, ck, k, &j->library, e) != NUMEL_OK) return false;
    bool ok = parts ? report_parts(j, ck, parts, e) : report_model(j, ck, NULL, k, e);
    numel_parts_close(parts);
    return ok;
}

static void run_one(struct job *j, const numel_found *found, size_t i)
{
    numel_checkpoint *ck = j->ahead;
    numel_error e;
    const char *path = numel_found_path(found, i);
    if (run_piped(j, found, i)) return;
    j->ahead = NULL;
    if (!ck && numel_open(&ck, found, i, &j->library, &e) != NUMEL_OK) {
        if (!run_absent(j, found, i, &e)) fail(j, path, &e);
    } else if (!report_opened(j, ck, &e)) {
        fail(j, path, &e);
    } else {
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
    if (numel_report_stopped(r)) j->stopped = true;
    if (unreadable) j->failed++;
    else j->done++;
    count_verdict(j, r);
    count(j, r);
    say_expected(r, numel_found_path(found, i));
    output_report(&j->out, r);
}

/* The model whose components are the n checkpoints from the i-th on. */
static void run_whole(struct job *j, const numel_found *found, size_t i)
{
    numel_report *r = NULL;
    numel_error e;
    if (j->whole->of_folder(&r, found, i, &j->library, j->options, &e) != NUMEL_OK) {
        fail(j, numel_found_path(found, i), &e);
        return;
    }
    j->done++;
    count_verdict(j, r);
    count(j, r);
    output_report(&j->out, r);
}

/* How many of the checkpoints from the i-th on the job takes for one model; 0: none. */
static size_t parts_of(const struct job *j, const numel_found *found, size_t i)
{
    return j->whole ? numel_found_components(found, i) : 0;
}

/* How many reports the one checkpoint of the one argument has beyond one, where its file is several models? It stays open
 * until its turn comes; what cannot be opened is told then. */
static size_t count_parts(struct job *j, const numel_found *found)
{
    numel_parts *parts = NULL;
    size_t models = 0;
    bool asked = j->make && (j->several == SEVERAL_EACH || j->several == SEVERAL_EACH_FIRST);
    if (!asked || j->options->style.format != NUMEL_JSON || numel_found_count(found) != 1) return 0;
    bool is = numel_open(&j->ahead, found, 0, &j->library, NULL) == NUMEL_OK &&
              numel_parts_open(&parts, j->ahead, &j->options->knowledge, &j->library, NULL) == NUMEL_OK &&
              parts;
    if (is) (void)numel_parts_count(parts, &models);
    numel_parts_close(parts);
    return models && j->several == SEVERAL_EACH ? models - 1 : models;
}

/* How many reports there will be; more than one are a list. */
static size_t count_reports(struct job *j, const numel_found *found, bool alone)
{
    size_t n = alone ? count_parts(j, found) : 0;
    for (size_t i = 0, parts; i < numel_found_count(found); i += parts ? parts : 1) {
        parts = parts_of(j, found, i);
        n += 1 + (j->several == SEVERAL_WHOLE ? 0 : parts);
    }
    return n;
}

/* At the end of what a person reads; of one checkpoint the report has said it. */
static void say_total(struct job *j)
{
    numel_report *r;
    numel_error e;
    if (!j->outcome || j->options->style.format != NUMEL_TEXT || j->done + j->failed < 2) return;
    if (numel_report_outcome(&r, j->outcome, &e) == NUMEL_OK) output_report(&j->out, r);
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

/* What an argument stands for: checkpoints, an error, or (neither) a configuration. */
struct target {
    const char *path;
    numel_found *found;
    numel_error error;
};

static void find_target(struct job *j, struct target *t)
{
    if (j->configs && is_config(j->options, t->path)) return;
    if (j->config_files && is_config_file(t->path)) return;
    if (numel_find(&t->found, t->path, &j->library, &t->error)) t->found = NULL;
}

static void run_target(struct job *j, struct target *t)
{
    j->asked = t->path;
    if (t->error.code != NUMEL_OK) fail(j, t->path, &t->error);
    else if (!t->found) run_config(j, t->path, t->path);
    size_t first = 0, end = 0; /* of the components in work */
    for (size_t k = 0;
         t->found && k < numel_found_count(t->found) && !j->stopped && (j->outcome || !j->out.failed); k++) {
        size_t parts = parts_of(j, t->found, k);
        if (parts) first = k, end = k + parts;
        if (!parts || j->several != SEVERAL_WHOLE) (j->make_found ? run_found : run_one)(j, t->found, k);
        if (parts && j->several == SEVERAL_WHOLE) k = end - 1;
        if (end && k + 1 == end && !j->stopped) run_whole(j, t->found, first);
    }
    numel_free(j->ahead);
    j->ahead = NULL;
    numel_found_free(t->found);
}

static int each(struct job *j, const char *const *paths, size_t count)
{
    struct timespec started = { 0, 0 };
    struct target *targets = calloc(count, sizeof *targets);
    size_t total = 0;
    if (!targets) return out_of_memory(j->options);
    if (!j->options->no_progress) j->library.progress = progress_bar;
    j->library.progress_ctx = &started;
    for (size_t i = 0; i < count; i++) {
        targets[i].path = paths[i];
        find_target(j, &targets[i]);
        total += targets[i].found ? count_reports(j, targets[i].found, count == 1) : 1;
    }
    output_begin(&j->out, j->options, !j->lines && (total > 1 || count > 1));
    j->out.alone = total == 1 && count == 1;
    j->out.records = j->lines;
    for (size_t i = 0; i < count; i++) run_target(j, &targets[i]);
    free(targets);
    say_total(j);
    return output_end(&j->out, status_of(j));
}

int each_checkpoint(const struct options *o, report_fn *make, size_t args, bool findings)
{
    struct job j = { .options = o, .library = o->library, .make = make, .listed = findings };
    return each(&j, o->args, args);
}

int each_stated(const struct options *o, report_fn *make, const struct whole *whole)
{
    struct job j = {
        .options = o, .library = o->library, .make = make, .several = SEVERAL_EACH_FIRST, .whole = whole
    };
    return each(&j, o->args, o->count);
}

int each_shown(const struct options *o, report_fn *make, const struct whole *whole)
{
    struct job j = { .options = o,
                     .library = o->library,
                     .make = make,
                     .several = o->view.others ? SEVERAL_EACH_FIRST : SEVERAL_WHOLE,
                     .whole = whole,
                     .listed = true,
                     .config_files = true };
    return each(&j, o->args, o->count);
}

int each_or_config(const struct options *o, report_fn *make, const struct whole *whole)
{
    struct job j = { .options = o,
                     .library = o->library,
                     .make = make,
                     .several = whole ? SEVERAL_WHOLE : SEVERAL_EACH,
                     .whole = whole,
                     .absent = true };
    return each(&j, o->args, 1);
}

int each_lines(const struct options *o, report_fn *make)
{
    struct job j = { .options = o, .library = o->library, .make = make, .lines = true };
    return each(&j, o->args, o->count);
}

int each_found(const struct options *o, found_fn *make, const struct whole *whole, numel_outcome *outcome)
{
    struct job j = { .options = o,
                     .library = o->library,
                     .make_found = make,
                     .several = whole ? SEVERAL_EACH_FIRST : SEVERAL_AS_ONE,
                     .whole = whole,
                     .outcome = outcome };
    return each(&j, o->args, o->count);
}

int each_model(const struct options *o, report_fn *make, size_t first)
{
    struct job j = { .options = o,
                     .library = o->library,
                     .make = make,
                     .several = SEVERAL_EACH,
                     .configs = true,
                     .absent = true };
    return each(&j, o->args + first, o->count - first);
}
