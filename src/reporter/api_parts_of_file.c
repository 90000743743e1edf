/* api_parts_of_file.c -- numel_parts of numel.h: the models in one file. */
#include "adapter/adapter.h"
#include "base/border.h"
#include "components/single.h"

/* Adapters have the prefixes of what they change. */
NUMEL_MUST static bool is_adapter(const numel_checkpoint *ck, bool *is, const numel_options *options,
                                  numel_error *e)
{
    struct adapter a;
    struct arena arena;
    arena_init(&arena, options->allocator);
    bool ok = adapter_read(&a, ck, NULL, &arena, e);
    *is = ok && a.type;
    if (ok) adapter_done(&a);
    arena_done(&arena);
    return ok;
}

numel_rc numel_parts_open(numel_parts **out, const numel_checkpoint *ck, const numel_knowledge *knowledge,
                          const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_knowledge k;
    numel_options own;
    error_clear(e);
    *out = NULL;
    if (!border_knowledge(&k, knowledge, e) || !border_options(&own, options, e)) return e->code;
    bool adapter, given = k.architecture || k.config || k.config_text;
    if (given || !ck->file_count || !is_adapter(ck, &adapter, &own, e) || adapter) return e->code;
    return single_open(out, ck, own.allocator, e) ? NUMEL_OK : e->code;
}

void numel_parts_close(numel_parts *p) { single_close(p); }

size_t numel_parts_count(const numel_parts *p, size_t *models)
{
    if (models) *models = p->models;
    return p->count;
}

const numel_checkpoint *numel_parts_at(const numel_parts *p, size_t i)
{
    return i < p->count ? p->items[i].ck : NULL;
}
