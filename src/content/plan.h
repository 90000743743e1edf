/*
 * plan.h -- which bytes of which files: turns the files and tensors of a checkpoint into jobs for
 * hashes_run().
 *
 * A checkpoint's file becomes a job whose ranges are its tensors, by offset. An incomplete tensor (cut off,
 * or left out of a header-only copy) has no range.
 */
#ifndef NUMEL_CONTENT_PLAN_H
#define NUMEL_CONTENT_PLAN_H

#include "content/hashes.h"

struct plan_file {
    struct hash_job job;
    const numel_file *file; /* NULL: not a checkpoint's file, wanted as a whole */
    uint32_t *tensors;      /* of each range: the tensor's index in the checkpoint */
};

/* Makes ranges of a file's tensors; `tensors` are all of its checkpoint's. Arena memory. NOMEM. */
NUMEL_MUST bool plan_tensors(struct plan_file *p, const numel_file *f, const numel_tensor *tensors,
                             struct arena *a, numel_error *e);
/* Call after the work. CHANGED also if the file's size has changed since its header was read. */
void plan_settle(struct plan_file *p);

#endif
