/*
 * find_internal.h -- shared by the files of find: the state of one numel_find().
 */
#ifndef NUMEL_READER_FIND_INTERNAL_H
#define NUMEL_READER_FIND_INTERNAL_H

#include "reader/find.h"
#include "source/folder.h"

struct finding_sets {
    struct numel_found *found;
    struct arena *arena;
    numel_error *error;
    const char *place; /* of the current folder */
    const struct folder *folder;
    const numel_options *options;
    bool pytorch;                         /* look for PyTorch files, not for safetensors and GGUF */
    bool pipes;                           /* the path may be a pipe */
    const struct found_pipeline *lacking; /* an index without any weights here; or NULL */
    struct ollama_blobs *blobs; /* the blobs named by manifests, while all manifests are read; else NULL */
};

struct found_set *find_add_set(struct finding_sets *g, enum found_kind kind, const char *path,
                               const char *dir);
bool find_add_file(struct finding_sets *g, struct found_set *s, numel_str name, const char *path);
/* Marks the entry "NAMEEND", if there is one: it is not listed by itself. */
void find_take(const struct folder *f, numel_str name, const char *end, bool *taken);

/* find_index.c: what may follow a name: nothing, or the suffix of a copy. */
enum { FIND_ENDS = 3 };
extern const char *const find_ends[FIND_ENDS];
/* An index while its set is built. */
struct index_at_hand {
    struct shard_index x;
    struct arena names;
};
NUMEL_MUST bool find_take_up(struct index_at_hand *i, const char *path, const numel_allocator *m,
                             numel_error *e);
void find_put_away(struct index_at_hand *i);
/* Adds the set of an index. */
NUMEL_MUST bool find_add_index_set(struct finding_sets *g, const char *path, const char *dir,
                                   const struct folder *f, const struct shard_index *x);

/* Standard input or a FIFO; *done if it was one. A file as standard input is a file without a folder. */
NUMEL_MUST bool find_piped(struct finding_sets *g, const char *path, bool *done);

/* Adds the set that the file's name is part of, from the folder's files: not *done if there are none. */
bool find_add_pattern(struct finding_sets *g, const char *dir, const struct folder *f,
                      const struct shard_name *n, const char *heading, bool *done);
/* Adds all such sets of a folder, in the order of their first files. Entries already taken[] start no
 * set; those of the sets are taken[] afterwards. */
bool find_add_patterns(struct finding_sets *g, const char *dir, const struct folder *f, bool *taken);

/* find_named.c: names of models; an existing path is not a name. *at: the file or folder, NULL if it is not a
 * name or there is no environment. IO: looked for and not found. */
NUMEL_MUST bool find_named(struct arena *a, const numel_options *options, const char *name, const char **at,
                           numel_error *e);

/* Shared by the find_named*.c files. */
struct naming {
    struct arena *arena;
    const numel_options *options;
    numel_error *error;
    bool bare; /* without a scheme: it may be meant as a path */
};
const char *naming_ask(const struct naming *n, const char *variable); /* NULL if unset or empty */
/* DIR/REST, where a leading "~/" is the user's home; NULL if DIR is NULL. */
NUMEL_MUST const char *naming_below(struct naming *n, const char *dir, const char *rest);
bool naming_is_id(numel_str part);     /* letters, digits and .-_ */
bool naming_is_inside(numel_str path); /* no segment is "..", hidden or empty */
/* find_named_hub.c: the cache's folder; NULL if no variable names one. */
NUMEL_MUST const char *hub_place(struct naming *n);
/* `scheme`: the name had the prefix "hf:". */
NUMEL_MUST bool naming_hub(struct naming *n, const char *text, bool scheme, const char **at);

/* find_ollama.c: is it a models folder? */
bool ollama_root(const struct folder *f);
/* Is it a folder of manifests in a models folder, or a manifest? *models is the models folder, *below the
 * rest of the path: "", "HOST/NAMESPACE/MODEL", "HOST/NAMESPACE/MODEL/TAG". */
NUMEL_MUST bool ollama_below(struct arena *a, const char *path, const char **models, const char **below);
/* Adds the checkpoints of all manifests there. */
NUMEL_MUST bool find_add_ollama(struct finding_sets *g, const char *models, const char *below);

/* find_hub.c: sets the common names, "org/model", of a cache's sets; several in one folder also get file
 * names. */
NUMEL_MUST bool hub_name_sets(struct finding_sets *g);
bool hub_holds_repositories(const struct folder *f);
/* Adds the checkpoints of the cache's repositories. */
NUMEL_MUST bool find_add_hub(struct finding_sets *g, const char *dir, const struct folder *f);

/* find_unfinished.c: adds the remaining entries of a folder, whose sets start at `first`, that are parts of
 * checkpoint files: as one set, if any. */
NUMEL_MUST bool find_add_unfinished(struct finding_sets *g, const char *dir, const struct folder *f,
                                    bool *taken, size_t first);
/* The same for a folder without a checkpoint, with its parts where huggingface_hub keeps them. `path`: as
 * given. */
NUMEL_MUST bool find_add_downloads(struct finding_sets *g, const char *dir, const char *path);

/* find_models.c: adds the sets of all folders below one named "models". */
NUMEL_MUST bool find_add_models(struct finding_sets *g, const char *dir);

/* find_components.c: is the folder one model of components? *out is NULL, or its index. */
NUMEL_MUST bool find_pipeline(struct finding_sets *g, const char *dir, const struct folder *f,
                              struct found_pipeline **out);
/* find_submodels.c: does a folder without such an index, whose own sets start at `first`, contain further
 * models? *out is NULL, or made from its configuration; *places, *count are the folders of all models. */
NUMEL_MUST bool find_submodels(struct finding_sets *g, const char *dir, const struct folder *f, size_t first,
                               struct found_pipeline **out, const char *const **places, size_t *count);
/* All sets from p->first on belong to it. */
void find_pipeline_sets(struct finding_sets *g, struct found_pipeline *p);

/* find_nothing.c: adds the configuration of a folder without a checkpoint, or fails with the reason for that;
 * `heading` is its path for people. */
NUMEL_MUST bool find_nothing(struct finding_sets *g, const char *folder, const char *heading);

/* find.c: adds all sets of a folder: FIND_PART only those; FIND_HERE its components' too; FIND_BELOW those
 * below it if it has none; with FIND_ROOT it may be a program's model store. */
enum find_depth { FIND_PART, FIND_HERE, FIND_BELOW, FIND_ROOT };
NUMEL_MUST bool find_in(struct finding_sets *g, const char *dir, const char *heading, enum find_depth);

#endif
