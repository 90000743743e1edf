/*
 * handles.c -- how every report over a model begins and ends. Whether it is an adapter is
 * asked before the model is made (adapter_of.c).
 */
#include "reporter/handles.h"

bool report_ready(struct handle *c, numel_error *e)
{
    return (!c->ck || adapter_of(c, e)) && handle_ready(c, e);
}
