/* config.c -- for commands that need no tensors: reports on a checkpoint's configuration, or on a
 * configuration alone. */
#include "cli.h"

const char *located(const struct options *o, const char *path, struct located *at)
{
    bool is = path && numel_locate(at->path, sizeof at->path, path, &o->library, NULL) == NUMEL_OK;
    return is ? at->path : path;
}

int checkpoint_or_config(const struct options *o, report_fn *make, enum several several)
{
    const struct each how = { .make = make, .several = several, .configs = true };
    if (!o->count && !o->knowledge.config && !o->knowledge.architecture && !o->sets.count && !o->printout) {
        say("numel: nothing to read: give a path, --config FILE, or --arch NAME with --set SYM=N");
        return EXIT_USAGE;
    }
    return each(o, o->args, o->count ? 1 : 0, &how);
}
