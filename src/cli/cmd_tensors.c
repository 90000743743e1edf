/* cmd_tensors.c -- numel tensors PATH...: one line per tensor. */
#include "cli.h"

#include <stdlib.h>

enum { ASKED = 1, MATCHED = 2 }; /* some component was asked for a pattern; its names match it */

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    numel_rc rc = numel_report_tensors(r, s, &o->view, e);
    numel_verdict v;
    for (size_t i = 0; rc == NUMEL_OK && numel_report_expected_at(*r, i, &v); i++)
        o->matched[i] |= v == NUMEL_IN_PART ? ASKED : v == NUMEL_AGREES ? MATCHED : 0;
    return rc;
}

/* Reports patterns that no component of any model matches. */
static int unmatched(const struct options *o, int status)
{
    for (size_t i = 0; i < o->matches.count; i++) {
        if (o->matched[i] != ASKED) continue;
        say("numel: no name in any component matches '%s'", o->matches.at[i]);
        if (status == EXIT_AGREE || status == EXIT_PART) status = EXIT_FOUND;
    }
    return status;
}

static int run(const struct options *o)
{
    struct options own = *o;
    const struct each how = { .make = make, .files_whole = true, .lines = true, .asks_names = true };
    own.knowledge.declared_only = true;
    own.view.matches = o->matches.at;
    own.view.match_count = o->matches.count;
    own.matched = calloc(o->matches.count + 1, 1);
    if (!own.matched) return say("numel: out of memory"), EXIT_UNREADABLE;
    int status = unmatched(&own, each(&own, o->args, o->count, &how));
    free(own.matched);
    return status;
}

const struct command command_tensors = {
    .name = "tensors",
    .args = "PATH...",
    .summary = "one line per tensor: name, type, shape, elements, bytes, offset",
    .examples = "  $ numel tensors model/ --match q_proj       all whose names hold that\n"
                "  $ numel tensors model/ -m '*.0.*' -m norm   globs are for whole names\n"
                "  $ numel tensors model.gguf --sort bytes | head\n"
                "  $ numel tensors model/ --json | jq -r 'select(.dtype==\"F32\").name'\n",
    .about = "\nWith --json one object per line. Offsets are from the start of the file. Exit status 1\n"
             "also when a --match matches no name.",
    .takes = TAKES_SORT | TAKES_MATCH | TAKES_KNOWLEDGE,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
