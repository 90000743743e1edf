/*
 * judged.h -- the judgement of a checkpoint, the same as in `show`, for reports on something else.
 */
#ifndef NUMEL_REPORTER_JUDGED_H
#define NUMEL_REPORTER_JUDGED_H

#include "subject/subject.h"

/* Makes a subject of an open checkpoint, and judges it. `k` is the user's knowledge, or NULL. Returns NULL
 * and *e on failure: see numel_subject_judge(); also IO if its configuration cannot be read. */
NUMEL_MUST numel_subject *judged_open(const numel_checkpoint *, const numel_knowledge *k,
                                      const numel_allocator *, numel_error *);

#endif
