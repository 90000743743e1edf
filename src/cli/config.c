/* config.c -- commands that need no model: a checkpoint's configuration, or one by itself. */
#include "cli.h"

#include <string.h>

const char *located(const struct options *o, const char *path, struct located *at)
{
    bool is = path && numel_locate(at->path, sizeof at->path, path, &o->library, NULL) == NUMEL_OK;
    return is ? at->path : path;
}

/* A configuration, or a folder without a checkpoint. */
static int report_config(const struct options *o, const char *path, report_fn *make)
{
    struct output out;
    numel_model *model = NULL;
    numel_report *r;
    numel_error e;
    struct located at;
    if (numel_model_open(&model, NULL, located(o, path, &at), &o->knowledge, &o->library, &e) != NUMEL_OK ||
        make(&r, model, o, &e) != NUMEL_OK) {
        numel_model_close(model);
        return output_refused(o, path, &e);
    }
    int status = status_of_report(r);
    output_begin(&out, o, false);
    output_report(&out, r);
    numel_model_close(model);
    return output_end(&out, status);
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return n >= k && strcmp(path + n - k, end) == 0;
}

/* model.safetensors.index.json, and model.safetensors.index.fp16.json. */
static bool is_index(const char *path)
{
    const char *slash = strrchr(path, '/');
    return ends_with(path, ".json") && strstr(slash ? slash : path, ".index.");
}

bool is_config_file(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool named = strcmp(name, "config.json") == 0 || strcmp(name, "params.json") == 0;
    return named && numel_path_kind(path) == NUMEL_KIND_FILE;
}

bool is_config(const struct options *o, const char *path)
{
    numel_found *found = NULL;
    struct located at;
    if (ends_with(path, ".json") && !is_index(path)) return true;
    bool folder = numel_path_kind(located(o, path, &at)) == NUMEL_KIND_FOLDER;
    numel_rc rc = folder ? numel_find(&found, path, &o->library, NULL) : NUMEL_OK;
    numel_found_free(found);
    return rc == NUMEL_E_FORMAT; /* it holds none; what else is wrong, finding it again shows */
}

int checkpoint_or_config(const struct options *o, report_fn *make, const struct whole *whole)
{
    const char *path = o->count ? o->args[0] : NULL;
    if (!path && !o->knowledge.config && !o->knowledge.architecture && !o->sets.count && !o->printout) {
        say("numel: nothing to read: give a path, --config FILE, or --arch NAME with --set SYM=N");
        return EXIT_USAGE;
    }
    if (!path || is_config(o, path)) return report_config(o, path, make);
    return each_or_config(o, make, whole);
}
