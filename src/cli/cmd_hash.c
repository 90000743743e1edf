/* cmd_hash.c -- numel hash PATH...: digests of files, tensors, models. */
#include "cli.h"

#include <stdio.h>

static int status_of(const numel_report *r, size_t paths)
{
    size_t unreadable, incomplete;
    numel_report_trouble(r, &unreadable, &incomplete);
    if (numel_report_stopped(r)) say("numel: stopped: the manifest has what was hashed so far");
    if (unreadable + incomplete)
        say("numel: %zu problem%s: see the comments in the manifest", unreadable + incomplete,
            unreadable + incomplete == 1 ? "" : "s");
    if (numel_report_stopped(r)) return EXIT_STOPPED;
    if (unreadable) return paths > 1 ? EXIT_SOME : EXIT_UNREADABLE;
    return incomplete ? EXIT_FOUND : EXIT_AGREE;
}

static int run(const struct options *o)
{
    struct output out;
    numel_report *r;
    numel_error e;
    struct work work;
    if (!work_begin(&work, o)) return EXIT_UNREADABLE;
    numel_rc rc = numel_report_hash(&r, o->args, o->count, &o->hashing, &o->library, &work.reading, &e);
    work_end();
    if (rc != NUMEL_OK) return output_refused(o, NULL, &e);
    int status = status_of(r, o->count);
    bool done = !numel_report_stopped(r);
    output_begin(&out, o, false);
    output_report(&out, r);
    if (output_end(&out, EXIT_AGREE) != EXIT_AGREE) return EXIT_UNREADABLE;
    if (done) work_reported(&work);
    return status;
}

const struct command command_hash = {
    .name = "hash",
    .args = "PATH...",
    .summary = "SHA-256 of files, tensors and models, as a manifest",
    .examples = "  $ numel hash model/ > model.numel           keep it, and later or elsewhere:\n"
                "  $ numel verify model/ --manifest model.numel\n"
                "  $ numel hash --files-only model/ | sha256sum -c\n"
                "  $ numel hash --tensors-only model.gguf      like gguf-hash --sha256\n"
                "  $ numel hash -q model/                      only the model's digest\n",
    .about = "\n"
             "Reads all data. The 'model' digest does not depend on how the tensors are split into\n"
             "files, ordered or compressed; the 'content' digest does not depend on their names either.\n"
             "In a directory, the files next to the checkpoint are hashed as well.",
    .takes = TAKES_WORK | TAKES_HASHING,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
