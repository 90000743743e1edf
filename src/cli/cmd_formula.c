/* cmd_formula.c -- numel formula PATH|CONFIG: the expected parameters, from the configuration alone. */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    (void)o;
    return numel_report_formula(r, s, e);
}

static int run(const struct options *o) { return checkpoint_or_config(o, make, SEVERAL_EACH); }

const struct command command_formula = {
    .name = "formula",
    .args = "[PATH|CONFIG]",
    .summary = "what should be stored, from the configuration alone",
    .examples = "  $ numel formula model/                      symbols, terms, total\n"
                "  $ numel formula config.json                 no model needed\n"
                "  $ numel formula --arch llama --set E=4096 --set L=32 --set H=32 --set F=11008\n"
                "                  --set V=32000               without any configuration\n"
                "  $ numel formula -q config.json              the total\n",
    .about = "\n"
             "Each symbol shows where its value comes from: a key of the configuration (declared), a\n"
             "default of the class for a key left out (defaulted), --set (set), or the tensors\n"
             "themselves (inferred).",
    .takes = TAKES_KNOWLEDGE,
    .least = 0,
    .most = 1,
    .run = run,
};
