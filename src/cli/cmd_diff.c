/* cmd_diff.c -- numel diff A B: compares two checkpoints. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

struct end { /* one of the two checkpoints */
    const char *path;
    numel_found *found;
    numel_subject *s;
    const numel_checkpoint *ck;
};

static void tell(numel_error *e, numel_rc code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void tell(numel_error *e, numel_rc code, const char *format, ...)
{
    va_list args;
    *e = (numel_error){ .code = code, .offset = NUMEL_NOWHERE };
    va_start(args, format);
    vsnprintf(e->what, sizeof e->what, format, args);
    va_end(args);
}

NUMEL_MUST static bool open_end(struct end *x, const char *path, const numel_options *library,
                                const numel_knowledge *k, numel_error *e)
{
    x->path = path;
    if (numel_find(&x->found, path, library, e) != NUMEL_OK) return false;
    const char *first = numel_found_path(x->found, 0);
    if (numel_found_count(x->found) > 1) {
        tell(e, NUMEL_E_FORMAT, "contains %zu checkpoints: name one of them, %s", numel_found_count(x->found),
             first);
        return false;
    }
    x->path = first; /* for errors */
    bool ok = numel_subject_at(&x->s, x->found, 0, k, library, e) == NUMEL_OK &&
              numel_subject_checkpoint(x->s, &x->ck, e) == NUMEL_OK;
    if (ok) x->path = path;
    return ok;
}

static void close_end(struct end *x)
{
    numel_subject_close(x->s);
    numel_found_free(x->found);
}

/* Errors in one checkpoint are not differences between the two. */
static void say_broken(const struct end *x)
{
    if (numel_worst(x->ck) == NUMEL_ERROR) say("numel: %s: has errors; see 'numel verify'", x->path);
}

/* There is no verdict if a file was not read completely or changed meanwhile. */
static int status_of(const numel_report *r)
{
    size_t unreadable;
    numel_report_trouble(r, &unreadable, NULL);
    if (numel_report_stopped(r)) say("numel: stopped: the report has what was compared so far");
    if (unreadable)
        say("numel: %zu file%s could not be read to the end, or changed while they were read", unreadable,
            unreadable == 1 ? "" : "s");
    if (numel_report_stopped(r)) return EXIT_STOPPED;
    return unreadable ? EXIT_UNREADABLE : status_of_report(r);
}

static int report(const struct options *o, const struct end *a, const struct end *b, const struct end *third)
{
    struct output out;
    struct work work;
    numel_view view = o->view;
    say_broken(a);
    say_broken(b);
    if (third->s) say_broken(third);
    view.third = third->s;
    numel_report *r;
    numel_error e;
    if (o->values && !work_begin(&work, o)) return EXIT_UNREADABLE;
    if (o->values) view.values = &work.reading;
    numel_rc rc = numel_report_diff(&r, a->s, b->s, &view, &e);
    if (o->values) work_end();
    if (rc != NUMEL_OK) return output_refused(o, NULL, &e);
    int status = status_of(r);
    output_begin(&out, o, false);
    output_report(&out, r);
    if (o->page) page_add_tensors(o, a->s), page_add_tensors(o, b->s);
    if (output_end(&out, status) != status) return EXIT_UNREADABLE;
    if (o->values && status != EXIT_STOPPED && status != EXIT_UNREADABLE) work_reported(&work);
    return status;
}

/* True if the last argument is a printout; then compares it with the other argument, if any. */
NUMEL_MUST static bool is_about_printout(const struct options *o, int *status, numel_error *e)
{
    struct text t;
    if (!printout_load(o->args[o->count - 1], &t, e)) return false;
    *status = diff_printout(o, o->count > 1 ? o->args[0] : NULL, &t);
    printout_unload(&t);
    return true;
}

/* Finds the checkpoint in a folder that this one is based on. */
static int report_nearest(const struct options *o, const struct end *x)
{
    struct output out;
    numel_report *r;
    numel_error e;
    size_t unreadable;
    if (numel_report_nearest(&r, x->s, o->nearest, o->values, &o->view, &e) != NUMEL_OK)
        return output_error(o, o->nearest, &e), EXIT_UNREADABLE;
    numel_report_trouble(r, &unreadable, NULL);
    int status = unreadable ? EXIT_SOME : status_of_report(r);
    if (unreadable) say("numel: %zu of the checkpoints in the folder could not be read", unreadable);
    output_begin(&out, o, false);
    output_report(&out, r);
    return output_end(&out, status);
}

static int run_nearest(const struct options *o)
{
    struct end x = { 0 };
    numel_error e;
    if (o->count != 1) return say("numel: diff --nearest DIR takes one checkpoint"), EXIT_USAGE;
    if (numel_path_kind(o->nearest) == NUMEL_KIND_ABSENT) {
        tell(&e, NUMEL_E_IO, "no such folder");
        return output_error(o, o->nearest, &e), EXIT_UNREADABLE;
    }
    bool opened = open_end(&x, o->args[0], &o->library, &o->knowledge, &e);
    int status = opened ? report_nearest(o, &x) : output_refused(o, x.path, &e);
    close_end(&x);
    return status;
}

static int run(const struct options *o)
{
    int of_printout;
    numel_error e;
    if (o->nearest) return run_nearest(o);
    if (o->count > 2 && !o->values)
        return say("numel: diff of three checkpoints compares their values: it needs --values"), EXIT_USAGE;
    if (o->count < 3 && is_about_printout(o, &of_printout, &e)) return of_printout;
    if (o->count < 2) {
        bool unread = e.code == NUMEL_E_IO || e.code == NUMEL_E_NETWORK || e.code == NUMEL_E_LIMIT;
        if (!unread || numel_path_kind(o->args[0]) == NUMEL_KIND_FOLDER)
            tell(&e, NUMEL_E_FORMAT, "contains no printed model; to compare two checkpoints, name both");
        output_error(o, o->args[0], &e);
        return EXIT_UNREADABLE;
    }
    struct timespec started = { 0, 0 };
    numel_options library = o->library;
    struct end a = { 0 }, b = { 0 }, third = { 0 };
    if (progress_shown(o)) library.progress = progress_bar;
    library.progress_ctx = &started;
    numel_error of_b, of_third;
    bool first = open_end(&a, o->args[0], &library, &o->knowledge, &e);
    bool second = open_end(&b, o->args[1], &library, &o->knowledge, &of_b);
    bool last = o->count < 3 || open_end(&third, o->args[2], &library, &o->knowledge, &of_third);
    int status = !first    ? output_refused(o, a.path, &e)
                 : !second ? output_refused(o, b.path, &of_b)
                 : !last   ? output_refused(o, third.path, &of_third)
                           : report(o, &a, &b, &third);
    if (!first && !second && status != EXIT_USAGE)
        say_error(b.path, &of_b); /* an error in A must not hide one in B */
    close_end(&a);
    close_end(&b);
    close_end(&third);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .args = "[A] B [C]",
    .summary = "what changed between two checkpoints, or a model and a printout",
    .examples = "  $ numel diff base/ tuned/\n"
                "  $ numel diff model/ model-q4_k_m.gguf     a file against its source\n"
                "  $ numel diff base/ tuned/ --values        which layers differ, how much\n"
                "  $ numel diff base/ q4/ q5/ --values       which quantization is closer\n"
                "  $ numel diff old/ new/ --json | jq .equal\n"
                "  $ numel diff --nearest models/ tuned/     which of them it was made from\n"
                "  $ numel diff -q old/ new/                 the number of elements that differ\n"
                "  $ numel diff model/ printout.txt          against what print(model) wrote\n"
                "  $ python train.py | numel diff -          a printout alone, from a pipe\n",
    .about = "\n"
             "Tensors are paired by name; across formats, or where names differ, by the role that the\n"
             "architecture gives them. Only headers are read: tensors with equal names, shapes and\n"
             "types count as the same; --values also reads and compares the data. A difference that a\n"
             "format conversion explains does not count. Exit status 0: the same, 1: they differ, 4:\n"
             "the same as far as values could be compared.\n"
             "\n"
             "B may be text that print(model) wrote, or a torchinfo table, with any other text around\n"
             "it; then A may also be a config.json, or be left out. The numbers in the text are compared\n"
             "with the file; what the text cannot show is named. Exit status 1 when a number differs, or\n"
             "when the text is cut off.",
    .takes = TAKES_KNOWLEDGE | TAKES_VALUES | TAKES_WORK | TAKES_HTML | TAKES_MARKDOWN,
    .least = 1,
    .most = 3,
    .run = run,
};
