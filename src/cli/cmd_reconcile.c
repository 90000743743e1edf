/* cmd_reconcile.c -- numel reconcile PATH...: the accounting statement. */
#include "cli.h"

numel_rc report_statement(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    return numel_report_reconcile(r, s, &o->view, e);
}

static int run(const struct options *o)
{
    return each(o, o->args, o->count,
                &(struct each){ .make = report_statement, .several = SEVERAL_AND_WHOLE });
}

const struct command command_reconcile = {
    .name = "reconcile",
    .args = "PATH...",
    .summary = "formula + named causes = file, with zero in the last line",
    .examples = "  $ numel reconcile model/\n"
                "  $ numel reconcile model.gguf --config config.json\n"
                "  $ numel reconcile model/ --json | jq .agrees\n"
                "  $ numel reconcile -q model/      the unexplained elements\n",
    .about = "\n"
             "Shows the formula of the architecture, then each cause for which the file holds more or\n"
             "less, with its tensors. 'agrees': each tensor has the shape and type that the\n"
             "specification gives it, and none is missing. 'agrees in part', exit status 4: some are\n"
             "known by their names alone. Otherwise, and for a broken configuration, the status is 1;\n"
             "without a formula it is 4. For a pipeline, or a sentence-transformers folder, each\n"
             "component has its own statement, and a table at the end adds them up.",
    .takes = TAKES_KNOWLEDGE | TAKES_TIED | TAKES_HTML | TAKES_MARKDOWN,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
