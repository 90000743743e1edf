/*
 * understand.h -- a checkpoint beside what its architecture says: configuration found, spec chosen,
 * tensors expected.
 *
 * The configuration of a safetensors checkpoint is config.json (or params.json) in its folder, that
 * of a GGUF file its metadata, of either the file that the user names. The spec is the one whose
 * `match` lines fit it, or the one the user names. What is missing is not invented: without a
 * configuration or a spec the understanding holds the reason instead of an expansion.
 */
#ifndef NUMEL_ACCOUNT_UNDERSTAND_H
#define NUMEL_ACCOUNT_UNDERSTAND_H

#include "formula/expand.h"
#include "formula/library.h"
#include "model/logical.h"
#include "reader/checkpoint.h"

/* Names as the spec has them, answered from the names in the files: with a prefix too many or too
 * few (`model.`, `transformer.`, `bert.`), or in another spelling (layers.0.attention.wq). */
struct renamed {
    numel_str name; /* canonical; first: see names.h */
    uint32_t tensor;
};

enum { PREFIXES = 12 };

struct naming {
    const struct registry *registry;
    const struct spec *spec;
    struct arena *arena;
    struct renamed *renamed; /* other spellings, made once */
    size_t renamed_count, renamed_cap;
    struct names by_renamed, by_glob;
    numel_str prefixes[PREFIXES]; /* "transformer.", taken from the names in the files */
    unsigned prefix_count;
    struct glob_answer *globs; /* what has() found before */
    size_t glob_count, glob_cap;
    struct buffer text;
    bool loose;           /* prefixes may be missing or added */
    bool wrapped;         /* some names have PEFT's "base_layer" in them */
    bool repeats;         /* the same few names are asked for again and again: absent ones are kept */
    numel_str model_type; /* "xlm-roberta": tells prefixes */
    numel_error *error;
};

/* The tensor of that canonical name, or NAMES_ABSENT. */
uint32_t naming_find(struct naming *n, numel_str canonical);

/* model_type NULL: names are taken as they stand (GGUF). */
bool naming_init(struct naming *n, const struct registry *r, const struct spec *spec, const char *model_type,
                 struct arena *a, numel_error *e);
void naming_done(struct naming *n);
bool naming_has(void *ctx, const char *glob, bool *there, numel_error *e); /* for struct presence */
bool naming_dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e);

/* What allocates for an understanding, and remembers a failure: a guess may take a name that could
 * not be made for one that is not there, and must not be believed then. */
struct watched_memory {
    const numel_allocator *inner;
    bool failed;
};

struct understanding { /* never moved: it holds its own allocator */
    numel_allocator memory;
    struct watched_memory watch;
    struct arena arena;
    const numel_checkpoint *ck; /* NULL: a configuration alone */
    struct library *library;
    struct config *config;
    const struct library_entry *entry;
    struct spec *spec;
    struct expansion *x; /* NULL: see why */
    struct naming naming;
    struct presence presence;
    enum side side;
    struct logical logical;      /* the files as if nothing were packed: for guesses */
    const struct registry *seen; /* what guesses look at: that, or the files' own */
    bool inferred;    /* sizes that only the tensors themselves told: they prove nothing about them */
    const char *from; /* the configuration's path, "metadata", or NULL */
    const char *architecture;
    numel_error why; /* why x is NULL, when it is */
    bool broken;     /* not for want of a configuration or a spec: one of them is wrong */
};

/* `path`: what the user named; only used when ck is NULL: a config.json, params.json, or a folder
 * that holds one. False only for NOMEM and for what the user asked for and cannot be had (a spec
 * file, a --set, an architecture, a config of theirs). */
bool understand(struct understanding *u, const numel_checkpoint *ck, const char *path,
                const numel_knowledge *k, bool guess, const numel_allocator *m, numel_error *e);
/* Of one that failed too, and twice: what is done is empty. */
void understand_done(struct understanding *u);

/* match_packed.c: the bytes of a small tensor, where they are on disk as they are; for struct packed_file. */
bool understanding_read(void *u, uint32_t tensor, uint8_t out[PACKED_DATA], size_t *n);

/* guess.c: adds to the configuration the keys that it lacks and that the tensors tell. */
bool guess_missing_keys(struct understanding *u, numel_error *e);
/* The spec, and its configuration, that explain a checkpoint which has none; no spec when none
 * does. Sets entry, architecture, spec, config, naming and from. */
bool guess_architecture(struct understanding *u, const numel_knowledge *k, numel_error *e);

#endif
