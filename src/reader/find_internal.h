/*
 * find_internal.h -- what the files of find share: the work of one numel_find().
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
    const numel_options *options;
    bool pipes;                           /* the path may name one */
    const struct found_pipeline *lacking; /* an index of which no weights are there; or NULL */
    struct ollama_blobs *blobs; /* those that manifests name, while all of them are read; else NULL */
};

struct found_set *find_add_set(struct finding_sets *g, enum found_kind kind, const char *path,
                               const char *dir);
bool find_add_file(struct finding_sets *g, struct found_set *s, numel_str name, const char *path);

/* find_index.c: what may stand behind a name: nothing, or what a copy of it is called. */
enum { FIND_ENDS = 3 };
extern const char *const find_ends[FIND_ENDS];
/* An index for as long as its set is made. */
struct index_at_hand {
    struct shard_index x;
    struct arena names;
};
NUMEL_MUST bool find_take_up(struct index_at_hand *i, const char *path, const numel_allocator *m,
                             numel_error *e);
void find_put_away(struct index_at_hand *i);
/* The set that an index names. */
NUMEL_MUST bool find_add_index_set(struct finding_sets *g, const char *path, const char *dir,
                                   const struct folder *f, const struct shard_index *x, const char *heading);

/* Standard input or a FIFO; *done: it was one. A file as standard input is a file without a folder of its own. */
NUMEL_MUST bool find_piped(struct finding_sets *g, const char *path, bool *done);

/* Adds the set that the file's name speaks of, by what the folder has of it: not *done when it has nothing. */
bool find_add_pattern(struct finding_sets *g, const char *dir, const struct folder *f,
                      const struct shard_name *n, const char *heading, bool *done);
/* Adds all such sets of a folder, in the order of their first files. Entries that are taken[] already begin
 * none; those of the sets are taken[] afterwards. */
bool find_add_patterns(struct finding_sets *g, const char *dir, const struct folder *f, bool *taken);

/* find_named.c: names of models, where there is no such path. *at: the file or folder that it stands for, NULL when it
 * is no name, or there is no environment to ask. IO: it was looked for, and is not there. */
NUMEL_MUST bool find_named(struct arena *a, const numel_options *options, const char *name, const char **at,
                           numel_error *e);

/* What its parts share. */
struct naming {
    struct arena *arena;
    const numel_options *options;
    numel_error *error;
    bool bare; /* no scheme in front of it: it may be meant as a path */
};
const char *naming_ask(const struct naming *n, const char *variable); /* NULL when not set, or empty */
/* DIR/REST, "~/" in front of it being the user's own folder; NULL when there is no DIR. */
NUMEL_MUST const char *naming_below(struct naming *n, const char *dir, const char *rest);
bool naming_is_id(numel_str part);     /* letters, digits and .-_ */
bool naming_is_inside(numel_str path); /* no part of it climbs, is hidden or empty */
/* What stands in front of the character, or all; *rest is what is behind it. */
numel_str naming_cut(numel_str *rest, char at);
/* find_named_hub.c: the folder of the cache; NULL when no variable says one. */
NUMEL_MUST const char *hub_place(struct naming *n);
/* `scheme`: "hf:" stood in front of it. */
NUMEL_MUST bool naming_hub(struct naming *n, const char *text, bool scheme, const char **at);

/* find_ollama.c: is it a models folder? */
bool ollama_root(const struct folder *f);
/* Is it a folder of manifests in one, or a manifest? *models is then the models folder, *below the rest of the path:
 * "", "HOST/NAMESPACE/MODEL", "HOST/NAMESPACE/MODEL/TAG". */
NUMEL_MUST bool ollama_below(struct arena *a, const char *path, const char **models, const char **below);
/* Adds the checkpoints of all manifests there. */
NUMEL_MUST bool find_add_ollama(struct finding_sets *g, const char *models, const char *below);

/* find_hub.c: the snapshot of a repository that stands for it: that of refs/main, else the newest; NULL when it is
 * none. */
const char *hub_snapshot(struct arena *a, const char *repository);
/* What people call the sets of a cache, "org/model": of several in one folder, by their files too. */
NUMEL_MUST bool hub_name_sets(struct finding_sets *g);
bool hub_holds_repositories(const struct folder *f);
/* Adds the checkpoints of its repositories. */
NUMEL_MUST bool find_add_hub(struct finding_sets *g, const char *dir, const struct folder *f);

/* find_unfinished.c: of a folder whose sets from `first` on are known, what is left of its entries and is a part of a
 * checkpoint's file: one set, if any. */
NUMEL_MUST bool find_add_unfinished(struct finding_sets *g, const char *dir, const struct folder *f,
                                    bool *taken, size_t first);
/* The same of a folder without a checkpoint, whose parts lie where huggingface_hub keeps them. `path`: as named. */
NUMEL_MUST bool find_add_downloads(struct finding_sets *g, const char *dir, const char *path);

/* find_models.c: the sets of all folders below one that is called "models". */
NUMEL_MUST bool find_add_models(struct finding_sets *g, const char *dir);

/* find_components.c: is the folder one model of components? *out is NULL, or what its index says. */
NUMEL_MUST bool find_pipeline(struct finding_sets *g, const char *dir, const struct folder *f,
                              struct found_pipeline **out);
/* find_submodels.c: does a folder without such an index, whose own sets are those from `first` on, hold further models?
 * *out is NULL, or what its configuration says; in *places of them all, *count, models lie. */
NUMEL_MUST bool find_submodels(struct finding_sets *g, const char *dir, const struct folder *f, size_t first,
                               struct found_pipeline **out, const char *const **places, size_t *count);
/* All sets from p->first on are its own. */
void find_pipeline_sets(struct finding_sets *g, struct found_pipeline *p);

/* find.c: all sets of a folder, FIND_PART of nothing else; those of its components, too; with FIND_BELOW of those below
 * it when there are none, with FIND_ROOT it may be where a program keeps models. */
enum find_depth { FIND_PART, FIND_HERE, FIND_BELOW, FIND_ROOT };
NUMEL_MUST bool find_in(struct finding_sets *g, const char *dir, const char *heading, enum find_depth);

#endif
