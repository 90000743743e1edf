/*
 * hash_gather.h -- what `numel hash` is to read: paths become files, with the checkpoints among them.
 *
 * A path that is a checkpoint gives its files; a directory gives the files beside them, too, hidden
 * ones and lists of digests left out; any other file is taken as it is. Each file is there once.
 */
#ifndef NUMEL_VERIFY_HASH_GATHER_H
#define NUMEL_VERIFY_HASH_GATHER_H

#include "base/names.h"
#include "content/plan.h"
#include "reader/checkpoint.h"

struct gathered_file {
    numel_str path; /* first: see names.h; NUL-terminated */
    struct plan_file plan;
    size_t checkpoint; /* number, or NO_CHECKPOINT */
};
#define NO_CHECKPOINT SIZE_MAX

/* A path that could not be opened, or a checkpoint that is not whole. */
struct gathered_problem {
    const char *path;
    const char *code; /* of an error ("IO") or of a finding ("shard-missing") */
    const char *message;
    bool unreadable; /* nothing, or not all, of the path could be read */
};

struct gathered {
    struct arena *arena; /* borrowed */
    const numel_options *options;
    const numel_allocator *memory;
    numel_checkpoint **checkpoints;
    size_t checkpoint_count, checkpoint_cap;
    struct gathered_file *files;
    size_t count, cap;
    struct names by_path;
    struct gathered_problem *problems;
    size_t problem_count, problem_cap;
};

void gather_init(struct gathered *g, struct arena *a, const numel_options *);
void gather_done(struct gathered *g);
/* False for NOMEM only. */
NUMEL_MUST bool gather_path(struct gathered *g, const char *path, numel_error *e);
/* The error of a path, as a problem; NOMEM is passed on. */
NUMEL_MUST bool gather_problem(struct gathered *g, const char *path, const numel_error *what, bool unreadable,
                               numel_error *e);

#endif
