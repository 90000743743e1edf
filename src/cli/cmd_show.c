/* cmd_show.c -- numel [show] PATH...: the main job. */
#include "cli.h"

NUMEL_MUST static numel_rc make(numel_report **r, numel_model *model, const struct options *o, numel_error *e)
{
    bool config = !numel_model_checkpoint(model); /* what it would be is all that it says */
    if (config && o->expects.count) {
        *e = (numel_error){ .code = NUMEL_E_USAGE,
                            .offset = NUMEL_NOWHERE,
                            .what = "is a configuration: --expect is for checkpoints" };
        return e->code;
    }
    return config ? numel_report_formula(r, model, e) : numel_report_show(r, model, &o->view, e);
}

NUMEL_MUST static numel_rc make_whole(numel_report **r, const numel_found *found, size_t i,
                                      const numel_options *library, const struct options *o, numel_error *e)
{
    numel_knowledge k = o->knowledge;
    k.declared_only = true;
    return numel_report_components(r, found, i, &k, true, library, e);
}

NUMEL_MUST static numel_rc make_parts(numel_report **r, const numel_parts *parts,
                                      const numel_options *library, const struct options *o, numel_error *e)
{
    numel_knowledge k = o->knowledge;
    k.declared_only = true;
    return numel_report_parts(r, parts, &k, true, library, e);
}

static const struct whole whole = { make_whole, make_parts };

static int run(const struct options *o)
{
    struct options own = *o;
    own.knowledge.declared_only = !o->view.others && !o->expects.count; /* a summary is there at once */
    own.knowledge.lone_file = true;
    own.view.expects = o->expects.at;
    own.view.expect_count = o->expects.count;
    return each_shown(&own, make, &whole);
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
