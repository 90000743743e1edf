/* cmd_print.c -- numel print PATH|CONFIG: the module tree as print(model) shows it. */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    numel_rc rc = numel_report_print(r, s, e);
    if (rc == NUMEL_OK && numel_report_verdict(*r) != NUMEL_AGREES)
        say("numel: %s: no print template fits: the classes are guesses by names and shapes",
            o->count ? o->args[0] : o->knowledge.architecture);
    return rc;
}

static int run(const struct options *o) { return checkpoint_or_config(o, make, SEVERAL_EACH); }

const struct command command_print = {
    .name = "print",
    .args = "[PATH|CONFIG]",
    .summary = "the module tree as print(model) shows it, from the file alone",
    .examples =
        "  $ numel print model/                        what transformers would print\n"
        "  $ diff <(numel print model/) printout.txt   is it the model of that printout?\n"
        "  $ numel print config.json                   no model needed\n"
        "  $ numel print model/ --as 5.2               what that version of transformers would print\n"
        "  $ numel print model/ --json | jq '.modules[].class'\n",
    .about = "\nSizes come from the tensors that the architecture expects, classes from its print\n"
             "template, what no tensor shows (epsilons, dropouts, activations) from the\n"
             "configuration or the defaults of its class. An architecture without a template gets\n"
             "a tree of its tensors' names, with classes guessed, and exit status 1.\n"
             "What transformers prints differs from version to version: 5.23, with the torch of its\n"
             "time, unless --as says another; the templates know the classes of 5.2 and of 5.23.",
    .takes = TAKES_KNOWLEDGE | TAKES_PRINT,
    .least = 0,
    .most = 1,
    .run = run,
};
