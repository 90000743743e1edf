/*
 * hash.h -- the level `hash`: is the content what was published?
 *
 * Every file of the checkpoint, and any other file of its folder with a known digest, is compared with all
 * that is known of it (hash_sources.h). Sizes come first: a file of the wrong size is not read. If a manifest
 * lists tensors, a file that differs is read again to find which tensors do.
 */
#ifndef NUMEL_VERIFY_HASH_H
#define NUMEL_VERIFY_HASH_H

#include "content/plan.h"
#include "verify/hash_sources.h"
#include "verify/verify.h"

enum hash_verdict {
    HASH_UNKNOWN, /* nothing to compare with */
    HASH_MATCHES,
    HASH_DIFFERS,
    HASH_WRONG_SIZE, /* not read either */
    HASH_NOT_READ    /* changed, unreadable, or stopped */
};

struct hashed_file {
    const char *path;
    size_t number; /* index of the checkpoint's file, or SIZE_MAX */
    bool beside;   /* not the checkpoint's, but its digest is known */
    struct hash_source *sources;
    size_t source_count;
    struct plan_file plan;
    enum hash_verdict verdict;
    const struct hash_source *by; /* the source that matches, or the first that does not */
    struct hash_unsure unsure;    /* entries that fit its name equally well */
    bool spoken;                  /* the list has one of its tensors */
    struct list_entry *entry;     /* of the given manifest; NULL if it has none */
};

/* The given manifest against the checkpoint, in numbers. */
struct hash_given {
    const char *path;                 /* NULL: not given */
    uint64_t files, matches, missing; /* its files that are the checkpoint's: all, the same, missing */
    uint64_t tensors, compared, same; /* of its tensors that are */
    uint64_t gone, unlisted, others;  /* its tensors that are not here; files here that it lacks; its files
                                       * that are not the checkpoint's */
    uint64_t extra;                   /* tensors here that it lacks */
    enum { MODEL_UNKNOWN, MODEL_SAME, MODEL_OTHER } model;
    bool relabelled; /* all tensors have the same bytes, but other types or shapes */
    bool container;  /* all tensors are the same, some file is not */
};

/* The level's result; in the arena of v, kept until the report is freed. */
struct hashed {
    struct hashed_file *files;
    size_t count, cap;
    size_t matches, compared;
    struct hash_given given;
};

/* The running level. */
struct hash_level {
    struct verify *v;
    struct hashed *h;
    struct hash_sources sources;
    struct arena *arena;
    numel_error *error;
};

/* Is the content that which was published, by its digest? */
bool hash_is_published(const struct verify *v, const char *path);

#define HASH_FIND(l, rule, file, tensor, offset, ...) \
    findings_add(&(l)->v->ck->findings, rule, file, tensor, offset, __VA_ARGS__)

/* Runs the jobs of the files that `wanted` picks. NOMEM. */
NUMEL_MUST bool hash_level_run(struct hash_level *l, bool (*wanted)(const struct hashed_file *f));
/* hash_manifest.c: marks which entries of the lists are answered, and what must be read to find renamed
 * files. NOMEM. */
NUMEL_MUST bool manifest_answers(struct hash_level *l);
/* Finds files that the manifest has under another name; reports undecided ones. */
NUMEL_MUST bool manifest_renamed(struct hash_level *l);
/* Reports what only the manifest or only the folder has, and a manifest that matches nothing. */
NUMEL_MUST bool manifest_sum_up(struct hash_level *l);
/* How an entry's tensors relate to the checkpoint. */
enum entry_scope { SCOPE_OTHERS, SCOPE_OPEN, SCOPE_OURS };
enum entry_scope manifest_scope(struct hash_level *l, struct hash_list *list, const struct list_entry *entry);
/* hash_tensors.c: with a list of tensors, which of them differ; and the digest of the model. */
NUMEL_MUST bool verify_hash_tensors(struct hash_level *l);

#endif
