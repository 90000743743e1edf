/* remote_save.c -- header-only copies of what was fetched, in the folder that the host names: those of `numel behead`. */
#include "reader/behead.h"
#include "reader/find.h"
#include "reader/remote.h"

bool remote_save(const struct remote *r, const numel_options *options, numel_error *e)
{
    numel_options own = *options;
    numel_found *found = NULL;
    numel_heads *heads = NULL;
    own.save = NULL;
    bool ok = find_path(&found, r->path, &own, e) &&
              heads_open(&heads, options->save, false, options->allocator, e);
    for (size_t i = 0; ok && i < found->count; i++) {
        numel_checkpoint *ck = NULL;
        ok =
            numel_open(&ck, found, i, &own, e) == NUMEL_OK && numel_heads_add(heads, ck, NULL, e) == NUMEL_OK;
        numel_free(ck);
    }
    heads_free(heads);
    numel_found_free(found);
    return ok;
}
