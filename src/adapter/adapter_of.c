/*
 * adapter_of.c -- the adapter of a handle, read once and before the handle's model. An adapter has no formula
 * of its own, even if a configuration is next to it.
 */
#include "adapter/adapter.h"

#include "statement/handle.h"

NUMEL_MUST static bool make(void *part, struct handle *c, numel_error *e)
{
    struct adapter *a = part;
    if (!adapter_read(a, c->ck, &c->knowledge, &c->arena, e)) return false;
    c->no_model = a->type != NULL;
    return true;
}

static void done(void *part) { adapter_done(part); }

const struct adapter *adapter_of(struct handle *c, numel_error *e)
{
    static const struct handle_kind kind = { sizeof(struct adapter), make, done };
    return handle_part(c, &kind, e);
}

const struct adapter *adapter_whole_of(struct handle *c, numel_error *e)
{
    const struct adapter *a = adapter_of(c, e);
    if (!a || a->unread.code != NUMEL_E_IO) return a;
    *e = a->unread;
    return NULL;
}
