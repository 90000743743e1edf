/* cmd_print.c -- numel print PATH|CONFIG: the module tree as print(model) shows it. */
#include "cli.h"

#include <stdio.h>

static numel_rc say_guessed(numel_rc rc, numel_report *const *r, const char *path)
{
    if (rc == NUMEL_OK && !numel_report_agrees(*r))
        say("numel: %s: no print template fits: the classes are guesses by names and shapes", path);
    return rc;
}

static numel_rc of_checkpoint(numel_report **r, const numel_checkpoint *ck, const struct options *o,
                              numel_error *e)
{
    return say_guessed(numel_report_print(r, ck, NULL, &o->knowledge, e), r, o->args[0]);
}

static numel_rc of_config(numel_report **r, const char *path, const struct options *o, numel_error *e)
{
    return say_guessed(numel_report_print(r, NULL, path, &o->knowledge, e), r,
                       path ? path : o->knowledge.architecture);
}

static int run(const struct options *o) { return checkpoint_or_config(o, of_checkpoint, of_config); }

const struct command command_print = {
    .name = "print",
    .args = "[PATH|CONFIG]",
    .summary = "the module tree as print(model) shows it, from the file alone",
    .examples = "  $ numel print model/                        what transformers would print\n"
                "  $ diff <(numel print model/) printout.txt   is it the model of that printout?\n"
                "  $ numel print config.json                   no model needed\n"
                "  $ numel print model/ --json | jq '.modules[].class'\n",
    .about = "\nSizes come from the tensors that the architecture expects, classes from its print\n"
             "template, what no tensor shows (epsilons, dropouts, activations) from the\n"
             "configuration or the defaults of its class. An architecture without a template gets\n"
             "a tree of its tensors' names, with classes guessed, and exit status 1.",
    .takes = TAKES_KNOWLEDGE,
    .least = 0,
    .most = 1,
    .run = run,
};
