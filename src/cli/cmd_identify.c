/* cmd_identify.c -- numel identify PATH...: one line per file, of any kind. */
#include "cli.h"

static int run(const struct options *o)
{
    struct output out;
    numel_report *r;
    numel_error e;
    size_t unreadable, unknown;
    if (numel_report_identify(&r, o->args, o->count, &o->library, &e) != NUMEL_OK) {
        output_error(o, NULL, &e);
        return EXIT_UNREADABLE;
    }
    numel_report_trouble(r, &unreadable, &unknown);
    output_begin(&out, o, false);
    output_report(&out, r);
    bool folder = false; /* a folder has many files */
    for (size_t i = 0; i < o->count; i++) folder |= numel_path_kind(o->args[i]) == NUMEL_KIND_FOLDER;
    int status = unreadable ? (unreadable < o->count || folder ? EXIT_SOME : EXIT_UNREADABLE)
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
    .about = "\nSays what lies in the folder of a model, from the content: weights, configurations,\n"
             "tokenizers, templates, code, texts, pickles. Exit status 1 when a file is damaged, or not\n"
             "what its name promises: a Git LFS pointer, a web page or a server's answer in its place,\n"
             "JSON or weights that are cut short, a file that is empty.",
    .takes = 0,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
