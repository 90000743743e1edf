/* cmd_meta.c -- numel meta PATH [KEY]: metadata and configuration. */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    return numel_report_meta(r, s, &o->view, e);
}

static int run(const struct options *o)
{
    struct options own = *o;
    if (o->count == 2) own.view.key = o->args[1];
    return each(&own, o->args, 1, &(struct each){ .make = make, .files_whole = true });
}

const struct command command_meta = {
    .name = "meta",
    .args = "PATH [KEY]",
    .summary = "metadata and configuration; long arrays abbreviated",
    .examples = "  $ numel meta model.gguf\n"
                "  $ numel meta model.gguf llama.block_count\n"
                "  $ numel meta -q model.gguf tokenizer.chat_template\n"
                "  $ numel meta model/ --json --no-truncate    complete arrays\n",
    .about = "\n"
             "Shows the typed keys of GGUF, the __metadata__ of safetensors, and the config.json next to\n"
             "them, whose nested keys are written like text_config.hidden_size.",
    .takes = 0,
    .least = 1,
    .most = 2,
    .run = run,
};
