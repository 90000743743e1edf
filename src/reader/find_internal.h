/*
 * find_internal.h -- what find.c and find_pattern.c share: the work of one numel_find().
 */
#ifndef NUMEL_READER_FIND_INTERNAL_H
#define NUMEL_READER_FIND_INTERNAL_H

#include "reader/find.h"
#include "source/folder.h"

struct finding_sets {
    struct numel_found *found;
    struct arena *arena;
    numel_error *error;
    const char *place; /* of the folder in work */
    const struct folder *folder;
    bool unguarded;
};

struct found_set *find_add_set(struct finding_sets *g, enum found_kind kind, const char *path,
                               const char *dir);
bool find_add_file(struct finding_sets *g, struct found_set *s, numel_str name, const char *path);

/* Adds the set that the file's name speaks of, by what the folder has of it: not *done when it has nothing. */
bool find_add_pattern(struct finding_sets *g, const char *dir, const struct folder *f,
                      const struct shard_name *n, const char *heading, bool *done);
/* Adds all such sets of a folder, in the order of their first files. Entries that are taken[] already begin
 * none; those of the sets are taken[] afterwards. */
bool find_add_patterns(struct finding_sets *g, const char *dir, const struct folder *f, bool *taken);

#endif
