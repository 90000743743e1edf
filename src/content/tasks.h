/*
 * tasks.h -- work cut for threads: pieces of tensors, gathered into tasks of about TASK_BYTES.
 *
 * A piece is some units (bytes, elements, blocks) of one tensor or of one pair of tensors; a task is
 * consecutive pieces. Small tensors share a task, so that no thread is woken for a norm; large ones are
 * several, so that no thread is left alone with them. Pieces keep the order in which they were added, and
 * each belongs to one task.
 */
#ifndef NUMEL_CONTENT_TASKS_H
#define NUMEL_CONTENT_TASKS_H

#include "base/memory.h"

enum { TASK_BYTES = 16 << 20 };

struct piece {
    uint32_t of; /* the index of its tensor or pair */
    uint64_t begin, end;
};

struct task {
    size_t first, last; /* of the pieces: [first, last) */
};

struct tasks {
    const numel_allocator *memory;
    struct piece *pieces;
    size_t piece_count, piece_cap;
    struct task *items;
    size_t count, cap;
    uint64_t gathered; /* bytes in the current task */
};

void tasks_init(struct tasks *t, const numel_allocator *m);
void tasks_done(struct tasks *t);

/* Adds a piece of `bytes` to read to the current task, and ends the task when it is large enough. NOMEM. */
NUMEL_MUST bool tasks_add(struct tasks *t, const struct piece *piece, uint64_t bytes, numel_error *e);
/* Ends the current task unless it is empty: before the next file, and after the last piece. NOMEM. */
NUMEL_MUST bool tasks_end(struct tasks *t, numel_error *e);

#endif
