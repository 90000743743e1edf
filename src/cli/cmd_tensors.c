/* cmd_tensors.c -- numel tensors PATH...: a line a tensor. */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, numel_model *model, const struct options *o, numel_error *e)
{
    return numel_report_tensors(r, model, &o->view, e);
}

static int run(const struct options *o)
{
    struct options own = *o;
    own.knowledge.declared_only = true;
    return each_lines(&own, make);
}

const struct command command_tensors = {
    .name = "tensors",
    .args = "PATH...",
    .summary = "one line per tensor: name, type, shape, elements, bytes, offset",
    .examples = "  $ numel tensors model/ --match '*.q_proj.weight'\n"
                "  $ numel tensors model.gguf --sort bytes | head\n"
                "  $ numel tensors model/ --json | jq -r 'select(.dtype==\"F32\").name'\n",
    .about = "\nWith --json one object a line. Offsets are from the start of the file.",
    .takes = TAKES_SORT | TAKES_MATCH | TAKES_KNOWLEDGE,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
