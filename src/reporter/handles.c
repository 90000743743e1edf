/*
 * handles.c -- what all reports over a handle begin and end with.
 */
#include "reporter/handles.h"

#include "adapter/adapter.h"

bool report_ready(struct numel_model *c, numel_error *e)
{
    return (!c->ck || adapter_of(c, e)) && handle_ready(c, e);
}

numel_rc report_made(numel_report **out, bool ok, numel_error *e)
{
    if (ok || !*out) return e->code;
    numel_report_free(*out);
    *out = NULL;
    return e->code;
}

static void free_handle(void *c) { handle_free(c); }

numel_rc report_owns(numel_report *r, struct numel_model *c, numel_error *e)
{
    if (!r) {
        handle_free(c);
        return e->code;
    }
    r->below_done = free_handle;
    r->below[r->below[0] != NULL] = c;
    return e->code;
}
