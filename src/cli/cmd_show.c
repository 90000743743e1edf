/* cmd_show.c -- numel [show] PATH...: the default command. */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    return numel_report_show(r, s, &o->view, e);
}

static int run(const struct options *o)
{
    struct options own = *o;
    const struct each how = { .make = make,
                              .several = o->view.others ? SEVERAL_AND_WHOLE : SEVERAL_WHOLE,
                              .listed = true };
    own.knowledge.declared_only = !o->view.others && !o->expects.count; /* a summary must be quick */
    own.knowledge.lone_file = true;
    own.view.expects = o->expects.at;
    own.view.expect_count = o->expects.count;
    return each(&own, o->args, o->count, &how);
}

const struct command command_show = {
    .name = "show",
    .args = "PATH...",
    .summary = "what it is, how many elements, folded by layer",
    .examples = "  $ numel model/              a folder, a file, an index, or any shard of a set\n"
                "  $ numel model.gguf --depth 2    fewer levels\n"
                "  $ numel model/ --by dtype       how much in which element type\n"
                "  $ numel model/ --by file        what lies in which shard\n"
                "  $ numel model/ --others         whose number is that on the model's page?\n"
                "  $ numel -q model/               the element count, nothing else\n"
                "  $ numel model/ --expect params=8.03B,arch=llama,bits=4   for CI: else status 1\n",
    .about = "\nThe lines of the top level add up to the total. '32 x 202,383,360' is what one of the\n"
             "folded layers holds; lines below it are inside each of them. Exit status 1 means that\n"
             "the file is damaged, incomplete, or not what its format's reference accepts.",
    .takes = TAKES_TREE | TAKES_SORT | TAKES_KNOWLEDGE | TAKES_OTHERS | TAKES_EXPECT | TAKES_TIED,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
