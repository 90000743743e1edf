/* cmd_browse.c -- numel browse PATH: the tree, to walk through on a terminal. */
#include "browse.h"

NUMEL_MUST static bool make_tree(void *ctx, enum view view, struct tree *t)
{
    return models_tree(ctx, view, t);
}

NUMEL_MUST static bool make_text(void *ctx, enum pane pane, enum view view, const struct tree *t,
                                 uint32_t node, unsigned columns, struct lines *l)
{
    if (pane == PANE_DETAILS) pane_details(ctx, t, node, columns, l);
    else pane_statement(ctx, t, view, node, columns, l);
    return !l->failed;
}

/* Checked before anything is read. */
static int refuse(const struct options *o)
{
    const char *lacks = screen_lacks();
    if (!lacks) return EXIT_AGREE;
    say("numel browse: %s; use 'numel show %s', or with --html FILE for a browser", lacks, o->args[0]);
    return EXIT_USAGE;
}

static int run(const struct options *o)
{
    struct browse_models models;
    int status = refuse(o);
    if (status != EXIT_AGREE) return status;
    status = models_open(&models, o);
    if (status == EXIT_AGREE) {
        const struct browse_source source = { .ctx = &models,
                                              .tree = make_tree,
                                              .text = make_text,
                                              .models = models.items,
                                              .all = &models.all,
                                              .model_count = models.count };
        status = screen_run(&source, use_color(o->color));
        if (status == EXIT_AGREE && models.unreadable) status = EXIT_SOME;
    }
    models_close(&models);
    return status;
}

const struct command command_browse = {
    .name = "browse",
    .args = "PATH",
    .summary = "the tree to walk through on a terminal, with sizes and statement",
    .examples = "  $ numel browse model/\n"
                "  $ numel browse model.gguf\n"
                "  $ numel browse pipeline/     each model of it\n",
    .about = "\n"
             "Keys: arrows or h j k l move, Enter goes in and Backspace out; t shows layers, single\n"
             "tensors, types or roles; s sorts, b counts bytes, elements or parameters, / searches;\n"
             "r shows the statement, i the details of a row, ? all keys, q quits. Needs a terminal and\n"
             "ncursesw at build time. The exit status says nothing of the model: 0, or 5 if some of\n"
             "several models cannot be read.",
    .takes = TAKES_KNOWLEDGE | TAKES_TIED | TAKES_NO_FORMAT,
    .least = 1,
    .most = 1,
    .run = run,
};
