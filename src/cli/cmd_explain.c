/* cmd_explain.c -- numel explain NUMBER PATH|CONFIG...: finds the way of counting that gives a number. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    return numel_report_explain(r, o->args[0], s, &o->view, e);
}

NUMEL_MUST static bool is_claim(const char *text, numel_error *e)
{
    uint64_t value, low, high;
    return numel_claim(text, &value, &low, &high, e) == NUMEL_OK;
}

static int explain_each(const struct options *o)
{
    return each(o, o->args + 1, o->count - 1, &(struct each){ .make = make, .configs = true });
}

/* The number comes first, but may also follow the paths. */
static int run(const struct options *o)
{
    numel_error e;
    if (is_claim(o->args[0], &e)) return explain_each(o);
    if (!is_claim(o->args[o->count - 1], NULL)) return output_refused(o, NULL, &e);
    struct options own = *o;
    const char **args = calloc(o->count, sizeof *args);
    if (!args) return out_of_memory(o);
    args[0] = o->args[o->count - 1];
    for (size_t i = 1; i < o->count; i++) args[i] = o->args[i - 1];
    own.args = args;
    int status = explain_each(&own);
    free(args);
    return status;
}

const struct command command_explain = {
    .name = "explain",
    .args = "NUMBER PATH...",
    .summary = "which way of counting gives a number",
    .examples = "  $ numel explain 6607.34M model/              a figure from a printout\n"
                "  $ numel explain 78,235,566,080 config.json   no model needed\n"
                "  $ numel explain 8B model.gguf                a name; in either order\n"
                "  $ numel explain -q 137M config.json          what is left unexplained\n",
    .about = "\n"
             "NUMBER is read with the rounding that its digits imply: 6607.34M is 6,607,335,000 to\n"
             "6,607,344,999. The smallest set of causes that gives it comes first: without output head,\n"
             "with buffers, K and V at full heads, another vocabulary, one layer alone. The exit status\n"
             "is 1 when no known count gives it; then the nearest count and its distance are shown.",
    .takes = TAKES_KNOWLEDGE,
    .least = 2,
    .most = SIZE_MAX,
    .run = run,
};
