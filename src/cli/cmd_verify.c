/* cmd_verify.c -- numel verify PATH...: is this download whole, and is it what it says? */
#include "cli.h"

static numel_rc make(numel_report **r, const numel_found *found, size_t i,
                     const numel_options *library, const struct options *o, numel_error *e)
{
    numel_check check = { .level = o->level, .knowledge = &o->knowledge, .all = o->view.all };
    return numel_report_verify(r, found, i, library, &check, e);
}

static int run(const struct options *o) { return each_found(o, make, o->count); }

const struct command command_verify = {
    .name = "verify",
    .args = "PATH...",
    .summary = "is this download whole, and is it what it says",
    .examples = "  $ numel verify model/                  all that needs no full read\n"
                "  $ numel verify --level size model/     a quick look after a download\n"
                "  $ numel verify -q model/ && run model/\n"
                "  $ numel verify --json model/ | jq -r '.findings[].message'\n",
    .about = "\nLevels build on each other: header (the rules of the format, all findings of a file),\n"
             "size (bytes present against bytes declared), index (files against each other and their\n"
             "index), config (tensors against configuration, tokenizer and metadata). Exit status 1\n"
             "when something is wrong or missing, 3 when there is no verdict: no checkpoint, or a\n"
             "file that changed while it was read.",
    .takes = TAKES_KNOWLEDGE | TAKES_LEVEL,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
