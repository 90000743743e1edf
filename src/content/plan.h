/*
 * plan.h -- which bytes of which files: from the files and tensors of a checkpoint to jobs for hashes_run().
 *
 * A file of a checkpoint becomes a job whose ranges are its tensors, in the order in which they
 * lie. A tensor that is not wholly there (cut off, or left out of a header-only copy) has no range.
 */
#ifndef NUMEL_CONTENT_PLAN_H
#define NUMEL_CONTENT_PLAN_H

#include "content/hashes.h"

struct plan_file {
    struct hash_job job;
    const numel_file *file; /* NULL: a file that is not a checkpoint's, wanted as a whole */
    uint32_t *tensors;      /* of each range: the tensor's number in the checkpoint */
};

/* Ranges for the tensors of a file; `tensors` are all of its checkpoint. Arena memory. NOMEM. */
NUMEL_MUST bool plan_tensors(struct plan_file *p, const numel_file *f, const numel_tensor *tensors,
                             struct arena *a, numel_error *e);
/* After the work: a file that is not as long as when its header was read has CHANGED, too. */
void plan_settle(struct plan_file *p);

#endif
