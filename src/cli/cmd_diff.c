/* cmd_diff.c -- numel diff A B: two checkpoints beside each other. */
#include "cli.h"

#include <stdio.h>
#include <time.h>

struct end { /* one of the two */
    const char *path;
    numel_found *found;
    numel_checkpoint *ck;
};

static bool open_end(struct end *x, const char *path, const numel_options *library)
{
    numel_error e;
    x->path = path;
    if (numel_find(&x->found, path, library, &e) != NUMEL_OK) {
        say_error(path, &e);
        return false;
    }
    if (numel_found_count(x->found) > 1) {
        fprintf(stderr, "numel: %s: holds %zu checkpoints: name one of them, %s\n", path,
                numel_found_count(x->found), numel_found_path(x->found, 0));
        return false;
    }
    if (numel_open(&x->ck, x->found, 0, library, &e) == NUMEL_OK) return true;
    say_error(numel_found_path(x->found, 0), &e);
    return false;
}

static void close_end(struct end *x)
{
    numel_free(x->ck);
    numel_found_free(x->found);
}

static int report(const struct options *o, const struct end *a, const struct end *b)
{
    struct output out;
    numel_report *r;
    numel_error e;
    if (numel_report_diff(&r, a->ck, b->ck, &o->knowledge, &o->view, &e) != NUMEL_OK) {
        say_error(NULL, &e);
        return e.code == NUMEL_E_USAGE ? EXIT_USAGE : EXIT_UNREADABLE;
    }
    int status = numel_report_agrees(r) ? EXIT_AGREE : EXIT_FOUND;
    output_begin(&out, o, false);
    output_report(&out, r);
    return output_end(&out, status);
}

static int run(const struct options *o)
{
    struct timespec started = { 0, 0 };
    numel_options library = o->library;
    struct end a = { 0 }, b = { 0 };
    if (!o->no_progress) library.progress = progress_bar;
    library.progress_ctx = &started;
    bool first = open_end(&a, o->args[0], &library);
    bool second = open_end(&b, o->args[1], &library); /* a bad first one does not hide its fault */
    int status = first && second ? report(o, &a, &b) : EXIT_UNREADABLE;
    close_end(&a);
    close_end(&b);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .args = "A B",
    .summary = "what changed between two checkpoints, of any format",
    .examples = "  $ numel diff base/ tuned/\n"
                "  $ numel diff model/ model-q4_k_m.gguf     a file against its source\n"
                "  $ numel diff old/ new/ --json | jq .equal\n"
                "  $ numel diff -q old/ new/                 the difference in elements\n",
    .about = "\nTensors are paired by name; across formats, or where names differ, by the role that the\n"
             "architecture gives them. Only headers are read: equal names, shapes and types are 'the\n"
             "same' here. Across formats a conversion may explain a difference; then it is no\n"
             "disagreement. Exit status 0: the same, 1: they differ.",
    .takes = TAKES_KNOWLEDGE,
    .least = 2,
    .most = 2,
    .run = run,
};
