/* configs.c -- configurations of components, each read once. */
#include "components/components.h"

#include "model/config_file.h"
#include "source/folder.h"

struct component_config {
    struct component_config *next;
    const char *path;
    json_value *doc; /* NULL: missing or unreadable */
};

NUMEL_MUST static bool load(struct component_config *x, struct arena *a, numel_error *e)
{
    numel_error ignored = { .code = NUMEL_OK };
    x->doc = path_kind(x->path) == PATH_FILE ? config_file_read(x->path, a, &ignored) : NULL;
    return ignored.code != NUMEL_E_NOMEM || error_nomem(e);
}

bool components_config(struct components *c, const char *dir, const char *file, const json_value **doc,
                       struct arena *a, numel_error *e)
{
    const char *path = path_join(a, dir, (numel_str){ file, strlen(file) });
    struct component_config *x = c->configs;
    *doc = NULL;
    if (!path) return error_nomem(e);
    while (x && strcmp(x->path, path) != 0) x = x->next;
    if (!x) {
        x = arena_alloc(a, sizeof *x);
        if (!x) return error_nomem(e);
        *x = (struct component_config){ .next = c->configs, .path = path };
        c->configs = x;
        if (!load(x, a, e)) return false;
    }
    *doc = x->doc;
    return true;
}

void components_forget(struct components *c)
{
    for (struct component_config *x = c->configs; x; x = x->next) json_doc_free(x->doc);
    c->configs = NULL;
}
