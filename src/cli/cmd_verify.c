/* cmd_verify.c -- numel verify PATH...: is this download whole, and is it what it says? */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, const numel_found *found, size_t i,
                                const numel_options *library, const struct options *o, numel_error *e)
{
    numel_check check = { .size = sizeof check,
                          .level = o->level,
                          .knowledge = &o->knowledge,
                          .all = o->view.all,
                          .manifest = o->manifest,
                          .values = o->values,
                          .expects = o->expects.at,
                          .expect_count = o->expects.count,
                          .work = o->reading };
    return numel_report_verify(r, found, i, library, &check, e);
}

static int run(const struct options *o)
{
    struct options own = *o;
    struct work work;
    if (!work_begin(&work, o)) return EXIT_UNREADABLE;
    own.reading = &work.reading;
    int status = each_found(&own, make, o->count);
    work_end();
    if (status == EXIT_AGREE || status == EXIT_FOUND || status == EXIT_PART) work_reported(&work);
    return status;
}

const struct command command_verify = {
    .name = "verify",
    .args = "PATH...",
    .summary = "is this download whole, and is it what it says",
    .examples = "  $ numel verify model/                  all that needs no full read\n"
                "  $ numel verify --level size model/     a quick look after a download\n"
                "  $ numel verify -q model/ && run model/\n"
                "  $ numel verify --level hash model/     read it all, compare with known digests\n"
                "  $ numel verify --manifest model.numel model/\n"
                "  $ numel verify --values model/         NaN, infinity, zeros, scales: reads it all\n"
                "  $ numel verify model/ --expect params=8030261248,quant=Q4_K_M     else status 1\n"
                "  $ numel verify --json model/ | jq -r '.findings[].message'\n",
    .about = "\nLevels build on each other: header (the rules of the format, all findings of a file),\n"
             "size (bytes present against bytes declared), index (files against each other and their\n"
             "index), config (tensors against configuration, tokenizer and metadata), hash (content\n"
             "against every digest that is on disk already; never a network). Exit status 1 when\n"
             "something is wrong or missing, 4 when --level config or --strict asked for what cannot\n"
             "be checked, 3 when there is no verdict: no checkpoint, or a file\n"
             "that changed while it was read.",
    .takes = TAKES_KNOWLEDGE | TAKES_LEVEL | TAKES_WORK | TAKES_MANIFEST | TAKES_EXPECT,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
