/* checkpoint_state.c -- what the findings of opening say of a checkpoint's bytes: whole, incomplete or damaged. */
#include "reader/checkpoint.h"

numel_state checkpoint_finding_state(const numel_checkpoint *ck, const numel_finding *f)
{
    bool bad = f->severity == NUMEL_ERROR || (ck->strict && f->severity == NUMEL_WARNING);
    if (!bad || f->level > NUMEL_LEVEL_INDEX) return NUMEL_STATE_UNKNOWN;
    return finding_lacks(f) ? NUMEL_STATE_INCOMPLETE : NUMEL_STATE_DAMAGED;
}

numel_state checkpoint_state(const numel_checkpoint *ck)
{
    numel_state worst = ck->missing ? NUMEL_STATE_INCOMPLETE : NUMEL_STATE_UNKNOWN;
    for (size_t i = 0; i < ck->opened; i++) {
        numel_state s = checkpoint_finding_state(ck, &ck->findings.items[i]);
        if (s > worst) worst = s;
    }
    return worst;
}
