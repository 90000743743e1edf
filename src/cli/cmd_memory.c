/* cmd_memory.c -- numel memory [PATH|CONFIG]: finds out if it fits. */
#include "cli.h"

numel_rc report_memory(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    return numel_report_memory(r, s, &o->plan, e);
}

static int run(const struct options *o) { return checkpoint_or_config(o, report_memory, SEVERAL_WHOLE); }

const struct command command_memory = {
    .name = "memory",
    .args = "[PATH|CONFIG]",
    .summary = "memory to run it: weights, cache, the longest context that fits",
    .examples = "  $ numel memory model.gguf --context 32k       weights, cache, total\n"
                "  $ numel memory model/ --fit 24GiB             does it fit, to which context?\n"
                "  $ numel memory config.json --kv q8_0          no weights needed\n"
                "  $ numel memory model.gguf --gpus 2x24GiB      what goes on which device\n"
                "  $ numel memory model/ --train lora:16         and what training needs\n",
    .about = "\n"
             "Weights and cache are exact: they follow from the tensors, from what layers keep and from\n"
             "the rules of the program that runs the model (--runtime; llama.cpp for GGUF). Activations\n"
             "are estimated by the rule that is shown. For a pipeline, or one file with several\n"
             "components, all are added up. Exit status 1: it does not fit, or a component is missing;\n"
             "4: not all of it is known.",
    .takes = TAKES_KNOWLEDGE | TAKES_PLAN | TAKES_HTML | TAKES_MARKDOWN,
    .least = 0,
    .most = 1,
    .run = run,
};
