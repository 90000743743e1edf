/* api_parts_of_file.c -- numel_parts of numel.h: the models in one file. */
#include "adapter/adapter.h"
#include "base/border.h"
#include "reporter/parts.h"

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

bool parts_open(struct numel_parts **out, const numel_checkpoint *ck, const numel_knowledge *k,
                const numel_options *options, numel_error *e)
{
    bool adapter, given = k && (k->architecture || k->config || k->config_text);
    *out = NULL;
    if (given || !ck->file_count) return true;
    if (!is_adapter(ck, &adapter, options, e)) return false;
    return adapter || single_open(out, ck, options->allocator, e);
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
    return parts_open(out, ck, &k, &own, e) ? NUMEL_OK : e->code;
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
