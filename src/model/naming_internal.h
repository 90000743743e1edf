/*
 * naming_internal.h -- names as a spec has them, answered from the names in the files.
 *
 * Files have a prefix too many or too few (`model.`, `transformer.`, `bert.`), or another spelling
 * (layers.0.attention.wq). The spec's names are canonical; each is looked for as it stands, then with
 * another prefix, then among the names that the spec's `rename` lines make of those in the files.
 *
 * Who saves a model gives all of it the same prefix, and loaders take it off of all or of none: once it is known
 * what is expected, naming_settle() asks which way most names go, and the others are not found any more.
 */
#ifndef NUMEL_MODEL_NAMING_INTERNAL_H
#define NUMEL_MODEL_NAMING_INTERNAL_H

#include "base/names.h"
#include "formula/expand.h"
#include "model/naming_tails.h"
#include "model/wrapper.h"
#include "registry/members.h"

struct renamed {
    numel_str name; /* canonical; first: see names.h */
    uint32_t tensor;
    unsigned way; /* WAY_INSIDE, or WAY_SPELLED and more */
};

enum { PREFIXES = 12, FRONT_WAYS = 8, NAMING_ENDS = 32 };

/* How a name of the spec is borne by a tensor: as it is; spelled otherwise inside; without its first 1 to 3 parts; behind
 * prefix i, which is WAY_LONGER + i; or by spelling i, which changes its front alone, WAY_SPELLED + i. */
enum { WAY_SAME, WAY_INSIDE, WAY_SHORTER, WAY_LONGER = WAY_SHORTER + 3, WAY_SPELLED = WAY_LONGER + PREFIXES };

/* What names begin with that may be lacking, or be spelled otherwise: "model."; and the ways that those are found in. */
struct front {
    numel_str start;
    struct {
        unsigned way;
        uint32_t names;
    } ways[FRONT_WAYS];
    unsigned way_count, way; /* the one that counts */
};

struct naming {
    const struct registry *registry;
    const struct spec *spec;
    struct arena *arena;
    struct renamed *renamed; /* other spellings, made once */
    size_t renamed_count, renamed_cap;
    struct names by_renamed, by_glob;
    numel_str prefixes[PREFIXES]; /* "transformer.", taken from the names in the files */
    unsigned prefix_count;
    struct members members;    /* of the registry; made when a stack is asked for */
    struct tails tails;        /* rules out most absent names at once */
    struct glob_answer *globs; /* what has() found before */
    size_t glob_count, glob_cap;
    struct buffer text;
    bool *
        spelled; /* by pattern: may a spelling change its names? NULL: `renamed` is made, or nothing is spelled */
    numel_str ends[NAMING_ENDS]; /* last parts that spellings make */
    unsigned end_count;
    bool more_ends; /* than there is room for */
    bool lost;      /* making `renamed` ran out of memory */
    bool loose;     /* prefixes may be missing or added */
    bool settled;   /* ... of all or of none: behind the prefix of the way `longer`, or none where it is 0 */
    unsigned longer;
    struct front *fronts; /* where none is in front: what each front goes by */
    size_t front_count, front_room;
    bool wrapped;         /* some names have PEFT's "base_layer" in them, and there is an adapter */
    bool repeats;         /* the same few names are asked for again and again: absent ones are kept */
    numel_str model_type; /* "xlm-roberta": gives prefixes */
    numel_error *error;
};

/* model_type NULL: names are taken as they stand (GGUF). */
NUMEL_MUST bool naming_init(struct naming *n, const struct registry *r, const struct spec *spec,
                            const char *model_type, struct arena *a, numel_error *e);
void naming_done(struct naming *n);
/* What the first part of a name may be. */
enum prefix_kind naming_prefix(const struct naming *n, numel_str part);
/* naming_settle.c: is the name looked for in this way? In any, until the others of its kind have told. */
bool naming_goes(struct naming *n, numel_str name, unsigned way);
/* n->members, if they are not made yet. NOMEM. */
NUMEL_MUST bool naming_members(struct naming *n, numel_error *e);
/* The tensor of each row, or NAMES_ABSENT; from then on names that go another way than the others are not found. */
NUMEL_MUST bool naming_settle(struct naming *n, const struct expansion *x, uint32_t *tensor, numel_error *e);
/* The tensor of that canonical name, or NAMES_ABSENT; and in which way it bears it. */
uint32_t naming_find_way(struct naming *n, numel_str canonical, unsigned *way);
uint32_t naming_find(struct naming *n, numel_str canonical);
/* Could there be a tensor of that canonical name? A quick look; false is certain. */
bool naming_may_find(const struct naming *n, numel_str canonical);
/* Makes `renamed` now. NOMEM. */
NUMEL_MUST bool naming_spell(struct naming *n, numel_error *e);
/* False, with NOMEM: some name was looked for and could not be. */
NUMEL_MUST bool naming_complete(const struct naming *n, numel_error *e);
/* Over all names. It outlives what asks it. */
struct presence naming_presence(struct naming *n);
NUMEL_MUST bool naming_has(void *ctx, const char *glob, bool *there,
                           numel_error *e); /* for struct presence */
NUMEL_MUST bool naming_dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e);

#endif
