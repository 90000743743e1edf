/* devices.c -- layers on devices. */
#include "memory/memory.h"

bool memory_split(struct memory *m, numel_error *e)
{
    (void)m, (void)e;
    return true;
}
