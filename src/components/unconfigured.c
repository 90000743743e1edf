/*
 * unconfigured.c -- components whose folder has weights but no config.json.
 *
 * A diffusers or transformers model is built from the config.json in its folder; without one,
 * from_pretrained() of either library fails. Classes of other libraries may have built-in sizes, PEFT uses
 * adapter_config.json, and components that are null in the index are not loaded.
 */
#include "components/components.h"

#include "base/text.h"
#include "source/folder.h"

#include <string.h>

NUMEL_MUST static bool has(const char *dir, const char *file, struct arena *a, bool *out, numel_error *e)
{
    const char *path = path_join(a, dir, text_of(file));
    *out = path && path_kind(path) != PATH_ABSENT;
    return path || error_nomem(e);
}

static bool is_ours(const struct component *x)
{
    const char *library = x->promise ? x->promise->library : NULL;
    return library && x->promise->class &&
           (!strcmp(library, "diffusers") || !strcmp(library, "transformers"));
}

bool components_unconfigured(struct components *c, struct arena *a, numel_error *e)
{
    if (!text_equal(path_base(c->pipeline->index), "model_index.json")) return true;
    for (size_t i = 0; i < c->count; i++) {
        struct component *x = &c->items[i];
        bool config, adapter;
        if (!x->counted || x->state != COMPONENT_WEIGHTS || !is_ours(x)) continue;
        const char *dir = c->found->sets[x->set].dir;
        if (!has(dir, "config.json", a, &config, e) || !has(dir, "adapter_config.json", a, &adapter, e))
            return false;
        if (config || adapter) continue;
        x->off = arena_format(a, "has no config.json in its folder, without which %s cannot build it",
                              x->promise->library);
        if (!x->off) return error_nomem(e);
        x->unconfigured = true;
        x->doubt = NULL;
    }
    return true;
}
