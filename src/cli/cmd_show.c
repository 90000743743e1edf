/* cmd_show.c -- numel [show] PATH...: the default command. */
#include "cli.h"

numel_rc report_show(numel_report **r, numel_subject *s, const struct options *o, numel_error *e)
{
    return numel_report_show(r, s, &o->view, e);
}

static int run(const struct options *o)
{
    struct options own = *o;
    const struct each how = { .make = report_show,
                              .several = o->view.others ? SEVERAL_AND_WHOLE : SEVERAL_WHOLE,
                              .listed = true };
    own.knowledge.declared_only =
        !o->view.others && !o->expects.count && !o->html; /* a summary must be quick */
    own.knowledge.lone_file = true;
    own.view.expects = o->expects.at;
    own.view.expect_count = o->expects.count;
    return each(&own, o->args, o->count, &how);
}

const struct command command_show = {
    .name = "show",
    .args = "PATH...",
    .summary = "what it is, and its elements, folded by layer",
    .examples = "  $ numel model/              a folder, a file, an index, or any shard of a set\n"
                "  $ numel model.gguf --depth 2    fewer levels\n"
                "  $ numel model/ --by dtype       how much of each element type\n"
                "  $ numel model/ --by file        what is in which shard\n"
                "  $ numel model/ --others         where the number on its page comes from\n"
                "  $ numel -q model/               only the element count\n"
                "  $ numel model/ --expect params=8.03B,arch=llama   for CI: status 1 if not\n",
    .about = "\n"
             "The lines of the top level add up to the total. '32 x 202,383,360' is the number of folded\n"
             "layers and the elements of each; lines below it show the inside of one. Exit status 1 means\n"
             "that the file is damaged or incomplete, or that its format's reference reader refuses it.",
    .takes = TAKES_TREE | TAKES_SORT | TAKES_KNOWLEDGE | TAKES_OTHERS | TAKES_EXPECT | TAKES_TIED |
             TAKES_HTML | TAKES_MARKDOWN,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};
