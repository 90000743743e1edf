/* cmd_reconcile.c -- numel reconcile PATH...: the accounting statement. */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    return numel_report_reconcile(r, s, &o->view, e);
}

static int run(const struct options *o)
{
    return each(o, o->args, o->count, &(struct each){ .make = make, .several = SEVERAL_AND_WHOLE });
}

const struct command command_reconcile = {
    .name = "reconcile",
    .args = "PATH...",
    .summary = "formula + named causes = file, last line zero",
    .examples = "  $ numel reconcile model/\n"
                "  $ numel reconcile model.gguf --config config.json\n"
                "  $ numel reconcile model/ --json | jq .agrees\n"
                "  $ numel reconcile -q model/      the unexplained elements\n",
    .about = "\nThe formula of the architecture, then each cause for which the file holds more or less,\n"
             "with the tensors behind it. 'agrees' when each tensor has the shape and type that the\n"
             "specification gives it and none is missing; 'agrees in part', exit status 4, when some are\n"
             "known by their names alone; else, and for a broken configuration, the status is 1.\n"
             "Without a formula it is 4. Of a pipeline, or a folder of sentence-transformers, each\n"
             "component has a statement, and a table of all ends with the grand total.",
    .takes = TAKES_KNOWLEDGE | TAKES_TIED,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
