/* cmd_show.c -- numel [show] PATH...: the main job. */
#include "cli.h"

static int run(const struct options *o) { return each_checkpoint(o, numel_report_show, o->count); }

const struct command command_show = {
    .name = "show",
    .args = "PATH...",
    .summary = "what it is, how many elements, folded by layer",
    .examples = "  $ numel model/                  a folder, a file, an index, or any shard of a set\n"
                "  $ numel model.gguf --depth 2    fewer levels\n"
                "  $ numel model/ --by dtype       how much in which element type\n"
                "  $ numel model/ --by file        what lies in which shard\n"
                "  $ numel -q model/               the element count, nothing else\n",
    .about = "\nThe lines of the top level add up to the total. '32 x 202,383,360' is what one of the\n"
             "folded layers holds; lines below it are inside each of them. Exit status 1 means that\n"
             "the file is damaged, incomplete, or not what its format's reference accepts.",
    .takes = TAKES_TREE | TAKES_SORT,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
