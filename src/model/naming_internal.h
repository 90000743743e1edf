/*
 * naming_internal.h -- names as a spec has them, answered from the names in the files.
 *
 * Files have a prefix too many or too few (`model.`, `transformer.`, `bert.`), or another spelling
 * (layers.0.attention.wq). The spec's names are canonical; each is looked for as it stands, then with
 * another prefix, then among the names that the spec's `rename` lines make of those in the files.
 */
#ifndef NUMEL_MODEL_NAMING_INTERNAL_H
#define NUMEL_MODEL_NAMING_INTERNAL_H

#include "base/names.h"
#include "formula/expand.h"
#include "registry/registry.h"

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
    uint64_t
        *tails; /* a bit for the last three parts of each name in the files: most names that are not there */
    size_t tail_bits;          /* share none, and their prefixes are not tried. A power of 2 */
    struct glob_answer *globs; /* what has() found before */
    size_t glob_count, glob_cap;
    struct buffer text;
    bool loose;           /* prefixes may be missing or added */
    bool wrapped;         /* some names have PEFT's "base_layer" in them */
    bool repeats;         /* the same few names are asked for again and again: absent ones are kept */
    numel_str model_type; /* "xlm-roberta": gives prefixes */
    numel_error *error;
};

/* model_type NULL: names are taken as they stand (GGUF). */
NUMEL_MUST bool naming_init(struct naming *n, const struct registry *r, const struct spec *spec,
                            const char *model_type, struct arena *a, numel_error *e);
void naming_done(struct naming *n);
/* The tensor of that canonical name, or NAMES_ABSENT. */
uint32_t naming_find(struct naming *n, numel_str canonical);
NUMEL_MUST bool naming_has(void *ctx, const char *glob, bool *there,
                           numel_error *e); /* for struct presence */
NUMEL_MUST bool naming_dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e);

#endif
