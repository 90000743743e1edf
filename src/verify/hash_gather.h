/*
 * hash_gather.h -- what `numel hash` reads: paths become files, with the checkpoints among them.
 *
 * A checkpoint's path gives its files; a directory also gives the files next to them, except hidden ones and
 * lists of digests; any other file is taken as is. Each file appears once.
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

/* A path that could not be opened, or an incomplete checkpoint. */
struct gathered_problem {
    const char *path;
    const char *code; /* of an error ("IO") or of a finding ("shard-missing") */
    const char *message;
    bool unreadable; /* the path could not be read, or only in part */
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
/* False only for NOMEM. */
NUMEL_MUST bool gather_path(struct gathered *g, const char *path, numel_error *e);
/* Adds the error of a path as a problem; passes NOMEM on. */
NUMEL_MUST bool gather_problem(struct gathered *g, const char *path, const numel_error *what, bool unreadable,
                               numel_error *e);

#endif
