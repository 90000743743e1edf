/* cmd_identify.c -- numel identify PATH...: a line a file, whatever it is. */
#include "cli.h"

static int run(const struct options *o)
{
    struct output out;
    numel_report *r;
    numel_error e;
    size_t unreadable, unknown;
    if (numel_report_identify(&r, o->args, o->count, NULL, &e) != NUMEL_OK) {
        output_error(o, NULL, &e);
        return EXIT_UNREADABLE;
    }
    numel_report_trouble(r, &unreadable, &unknown);
    output_begin(&out, o, false);
    output_report(&out, r);
    int status = unreadable ? (unreadable < o->count ? EXIT_SOME : EXIT_UNREADABLE)
                 : unknown  ? EXIT_FOUND
                            : EXIT_AGREE;
    return output_end(&out, status);
}

const struct command command_identify = {
    .name = "identify",
    .args = "PATH...",
    .summary = "one line per file: what it is",
    .examples = "  $ numel identify downloads/*\n"
                "  $ numel identify model/         each file of the folder\n",
    .about = "\nKnows what commonly stands where a checkpoint should: Git LFS pointers, web pages,\n"
             "error messages, pickles, legacy ggml files, unfinished downloads. Exit status 1 when\n"
             "one of the files is not a checkpoint.",
    .takes = 0,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
