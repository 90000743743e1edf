/* adapter_causes.c -- what an adapter's configuration or base says otherwise than its tensors. */
#include "subject/causes.h"

bool causes_of_adapter(struct causes *l, const struct adapter *a)
{
    for (unsigned i = 0; i < a->complaint_count; i++)
        if (!cause_add(l, "adapter-disagrees", NUMEL_STATE_DISAGREES, 1, a->complaints[i])) return false;
    return true;
}
