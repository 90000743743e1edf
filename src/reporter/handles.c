/*
 * handles.c -- the start that all reports on a model share. An adapter is recognised before the model is made
 * (adapter_of.c).
 */
#include "reporter/handles.h"

bool report_ready(struct handle *c, numel_error *e)
{
    return (!c->ck || adapter_of(c, e)) && handle_ready(c, e);
}
