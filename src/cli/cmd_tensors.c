/* cmd_tensors.c -- numel tensors PATH...: one line per tensor. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASKED = 1, MATCHED = 2 }; /* what components did to a pattern */

/* Of a component also with its name in front. */
static bool matches(const numel_checkpoint *ck, const char *pattern, numel_str name)
{
    char full[1024];
    const char *part = numel_component(ck);
    size_t n = 0;
    if (numel_matches(pattern, name)) return true;
    return part && put_bytes(full, sizeof full, &n, part, strlen(part)) &&
           put_bytes(full, sizeof full, &n, ".", 1) && put_bytes(full, sizeof full, &n, name.p, name.n) &&
           numel_matches(pattern, (numel_str){ full, n });
}

static size_t count_matches(const numel_checkpoint *ck, const char *pattern)
{
    size_t n = 0;
    for (size_t i = 0; i < numel_tensor_count(ck); i++)
        n += matches(ck, pattern, numel_tensor_at(ck, i)->name);
    return n;
}

/* A list without lines looks like a checkpoint without tensors: which pattern matched nothing is said. One with
 * a wildcard must match whole names, and what its author wanted is often a part of them. */
static void say_unmatched(const char *path, const numel_checkpoint *ck, const char *pattern)
{
    char wider[512];
    bool glob = strpbrk(pattern, "*?[") != NULL;
    size_t others = 0, n = strlen(pattern);
    if (glob && n < sizeof wider - 2) {
        bool open = pattern[0] == '*', end = pattern[n - 1] == '*';
        snprintf(wider, sizeof wider, "%s%s%s", open ? "" : "*", pattern, end ? "" : "*");
        others = count_matches(ck, wider);
    }
    if (others)
        say("numel: %s: no tensor's whole name matches '%s'; '%s' matches %zu", path, pattern, wider, others);
    else
        say("numel: %s: no name of its %zu tensors %s '%s'", path, numel_tensor_count(ck),
            glob ? "matches" : "contains", pattern);
}

NUMEL_MUST static numel_rc make(numel_report **r, numel_model *model, const struct options *o, numel_error *e)
{
    numel_rc rc = numel_report_tensors(r, model, &o->view, e);
    const numel_checkpoint *ck = numel_model_checkpoint(model);
    for (size_t i = 0; rc == NUMEL_OK && i < o->matches.count; i++) {
        bool component = numel_component(ck) != NULL;
        size_t n = count_matches(ck, o->matches.at[i]);
        if (component) o->matched[i] |= n ? MATCHED : ASKED;
        else if (!n) say_unmatched(numel_path(ck), ck, o->matches.at[i]);
    }
    return rc;
}

/* A pattern that no component of any model has matched. */
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
    own.knowledge.declared_only = true;
    own.view.matches = o->matches.at;
    own.view.match_count = o->matches.count;
    own.matched = calloc(o->matches.count + 1, 1);
    if (!own.matched) return say("numel: out of memory"), EXIT_UNREADABLE;
    int status = unmatched(&own, each_lines(&own, make));
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
