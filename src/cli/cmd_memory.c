/* cmd_memory.c -- numel memory [PATH|CONFIG]: finds out if it fits. */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    return numel_report_memory(r, s, &o->plan, e);
}

static int run(const struct options *o) { return checkpoint_or_config(o, make, SEVERAL_WHOLE); }

const struct command command_memory = {
    .name = "memory",
    .args = "[PATH|CONFIG]",
    .summary = "what it takes to run: weights, cache, the longest context that fits",
    .examples = "  $ numel memory model.gguf --context 32k       weights, cache, the whole\n"
                "  $ numel memory model/ --fit 24GiB             does it fit, up to which context?\n"
                "  $ numel memory config.json --kv q8_0          no weights needed\n"
                "  $ numel memory model.gguf --gpus 2x24GiB      what lies where\n"
                "  $ numel memory model/ --train lora:16         and what training takes\n",
    .about =
        "\nExact is what follows from tensors, from what layers keep and from the rules of the program\n"
        "that runs it (--runtime; llama.cpp for GGUF). Activations are an estimate, by a rule that is\n"
        "named. Of several models, a pipeline or one file of components, all are summed up. Exit status\n"
        "1: it does not fit, or a component is missing; 4: not all of it is known.",
    .takes = TAKES_KNOWLEDGE | TAKES_PLAN,
    .least = 0,
    .most = 1,
    .run = run,
};
