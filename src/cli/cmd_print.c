/* cmd_print.c -- numel print PATH|CONFIG: the module tree as print(model) shows it. */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    numel_rc rc = numel_report_print(r, s, e);
    if (rc == NUMEL_OK && numel_report_verdict(*r) != NUMEL_AGREES)
        say("numel: %s: no print template fits: classes are guessed from names and shapes",
            o->count ? o->args[0] : o->knowledge.architecture);
    return rc;
}

static int run(const struct options *o) { return checkpoint_or_config(o, make, SEVERAL_EACH); }

const struct command command_print = {
    .name = "print",
    .args = "[PATH|CONFIG]",
    .summary = "the module tree as print(model) shows it, from the file alone",
    .examples = "  $ numel print model/                        what transformers would print\n"
                "  $ diff <(numel print model/) printout.txt   is it the model of that printout?\n"
                "  $ numel print config.json                   no model needed\n"
                "  $ numel print model/ --as 5.2               what that version would print\n"
                "  $ numel print model/ --json | jq '.modules[].class'\n",
    .about = "\n"
             "Sizes come from the tensors that the architecture expects, classes from its print\n"
             "template, and what no tensor shows (epsilons, dropouts, activations) from the\n"
             "configuration or the defaults of its class. For an architecture without a template, the\n"
             "tree follows the tensors' names, the classes are guessed, and the exit status is 1.\n"
             "The output follows transformers 5.23, with the torch of its time, unless --as names\n"
             "another version; the templates know the classes of 5.2 and of 5.23.",
    .takes = TAKES_KNOWLEDGE | TAKES_PRINT,
    .least = 0,
    .most = 1,
    .run = run,
};
