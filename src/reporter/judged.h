/*
 * judged.h -- the judgement of a checkpoint as `show` has it, for reports that say something else of it.
 */
#ifndef NUMEL_REPORTER_JUDGED_H
#define NUMEL_REPORTER_JUDGED_H

#include "subject/subject.h"

/* A subject of a checkpoint that is open, judged; `k`: what the user knows, NULL: nothing. NULL and *e: as numel_subject_judge();
 * IO: its configuration cannot be read. */
NUMEL_MUST numel_subject *judged_open(const numel_checkpoint *, const numel_knowledge *k,
                                      const numel_allocator *, numel_error *);

#endif
