/* cmd_show.c -- numel [show] PATH...: the main job. */
#include "cli.h"

static numel_rc make(numel_report **r, const numel_checkpoint *ck, const struct options *o, numel_error *e)
{
    numel_view view = o->view;
    view.knowledge = &o->knowledge;
    return numel_report_show(r, ck, &view, e);
}

static int run(const struct options *o) { return each_checkpoint(o, make, o->count, true); }

const struct command command_show = {
    .name = "show",
    .args = "PATH...",
    .summary = "what it is, how many elements, folded by layer",
    .examples = "  $ numel model/                  a folder, a file, an index, or any shard of a set\n"
                "  $ numel model.gguf --depth 2    fewer levels\n"
                "  $ numel model/ --by dtype       how much in which element type\n"
                "  $ numel model/ --by file        what lies in which shard\n"
                "  $ numel model/ --others         whose number is that on the model's page?\n"
                "  $ numel -q model/               the element count, nothing else\n",
    .about = "\nThe lines of the top level add up to the total. '32 x 202,383,360' is what one of the\n"
             "folded layers holds; lines below it are inside each of them. Exit status 1 means that\n"
             "the file is damaged, incomplete, or not what its format's reference accepts.",
    .takes = TAKES_TREE | TAKES_SORT | TAKES_KNOWLEDGE | TAKES_OTHERS,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
