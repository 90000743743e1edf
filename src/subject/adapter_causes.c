/* adapter_causes.c -- causes for an adapter whose configuration or base contradicts its tensors. */
#include "subject/causes.h"

bool causes_of_adapter(struct causes *l, const struct adapter *a)
{
    numel_severity severity;
    const char *about;
    for (unsigned i = 0; i < a->complaint_count; i++) {
        const char *code = finding_rule_at(a->complaint_rules[i], &severity, &about);
        if (!cause_add(l, code, NUMEL_STATE_DISAGREES, 1, a->complaints[i])) return false;
    }
    return true;
}
