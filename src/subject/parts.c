/* parts.c -- see parts.h. */
#include "subject/parts.h"

#include "adapter/adapter.h"

/* An adapter's names have the prefixes of its models. */
NUMEL_MUST static bool is_adapter(const numel_checkpoint *ck, bool *is, const numel_allocator *m,
                                  numel_error *e)
{
    struct adapter a;
    struct arena arena;
    arena_init(&arena, m);
    bool ok = adapter_read(&a, ck, NULL, &arena, e);
    *is = ok && a.type;
    if (ok) adapter_done(&a);
    arena_done(&arena);
    return ok;
}

bool parts_open(struct single_parts **out, const numel_checkpoint *ck, const numel_knowledge *k,
                const numel_allocator *m, numel_error *e)
{
    bool adapter, given = k && (k->architecture || k->config || k->config_text);
    *out = NULL;
    if (given || !ck->file_count || !single_may(ck)) return true;
    if (!is_adapter(ck, &adapter, m, e)) return false;
    return adapter || single_open(out, ck, m, e);
}
