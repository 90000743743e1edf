/* checkpoint_state.c -- the state of a checkpoint's bytes from the findings of opening: whole, incomplete or
 * damaged. */
#include "reader/checkpoint.h"

#include <string.h>

bool checkpoint_finding_unread(const numel_checkpoint *ck, const numel_finding *f)
{
    if (f->severity != NUMEL_ERROR || f->level != NUMEL_LEVEL_HEADER || !f->file[0]) return false;
    for (size_t i = 0; i < ck->file_count; i++)
        if (strcmp(ck->files[i].path, f->file) == 0) return false;
    return true;
}

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
