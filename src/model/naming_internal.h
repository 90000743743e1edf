/*
 * naming_internal.h -- answers a spec's names from the names in the files.
 *
 * Files have a prefix too many or too few (`model.`, `transformer.`, `bert.`), or another spelling
 * (layers.0.attention.wq). The spec's names are canonical; each is looked for unchanged, then with another
 * prefix, then among the names made from the files' names by the spec's `spelling` lines.
 *
 * A writer gives the whole model the same prefix, and loaders remove it from all names or none: once the
 * expected names are known, naming_settle() finds the way of most names, and the other ways are disabled.
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

/* How a tensor has a spec's name: unchanged; spelled differently inside; without its first 1 to 3 parts; after
 * prefix i, which is WAY_LONGER + i; or by spelling i, which changes only its front, WAY_SPELLED + i. */
enum { WAY_SAME, WAY_INSIDE, WAY_SHORTER, WAY_LONGER = WAY_SHORTER + 3, WAY_SPELLED = WAY_LONGER + PREFIXES };

/* A start of names that may be missing or spelled differently: "model."; and the ways in which such names are found. */
struct front {
    numel_str start;
    struct {
        unsigned way;
        uint32_t names;
    } ways[FRONT_WAYS];
    unsigned way_count, way; /* the chosen one */
};

struct naming {
    const struct registry *registry;
    const struct spec *spec;
    struct arena *arena;
    struct renamed *renamed; /* other spellings, made once */
    size_t renamed_count, renamed_cap;
    struct names by_renamed, by_glob;
    numel_str prefixes[PREFIXES]; /* "transformer.", from the names in the files */
    unsigned prefix_count;
    struct members members;    /* of the registry; made when a stack is requested */
    struct tails tails;        /* rules out most missing names quickly */
    struct glob_answer *globs; /* earlier results of has() */
    size_t glob_count, glob_cap;
    struct buffer text;
    bool *
        spelled; /* by pattern: may a spelling change its names? NULL: `renamed` is made, or there are no spellings */
    numel_str ends[NAMING_ENDS]; /* last parts made by spellings */
    unsigned end_count;
    bool more_ends; /* more than fit */
    bool lost;      /* making `renamed` ran out of memory */
    bool loose;     /* prefixes may be missing or added */
    bool settled; /* ... from all or none: after the prefix of the way `longer`, or without one if it is 0 */
    unsigned longer;
    struct front *fronts; /* if there is no prefix: the way of each front */
    size_t front_count, front_room;
    bool wrapped;         /* some names contain PEFT's "base_layer", and there is an adapter */
    bool repeats;         /* the same few names are requested repeatedly: missing ones are kept */
    numel_str model_type; /* "xlm-roberta": a source of prefixes */
    numel_error *error;
};

/* model_type NULL: names are used unchanged (GGUF). */
NUMEL_MUST bool naming_init(struct naming *n, const struct registry *r, const struct spec *spec,
                            const char *model_type, struct arena *a, numel_error *e);
void naming_done(struct naming *n);
/* The kind of prefix of a name's first part. */
enum prefix_kind naming_prefix(const struct naming *n, numel_str part);
/* naming_settle.c: whether to try this way; all are tried until one is settled. */
bool naming_goes(struct naming *n, numel_str name, unsigned way);
/* Makes n->members if needed. NOMEM. */
NUMEL_MUST bool naming_members(struct naming *n, numel_error *e);
/* The tensor of each row, or NAMES_ABSENT; afterwards names in other ways than the settled ones are not found. */
NUMEL_MUST bool naming_settle(struct naming *n, const struct expansion *x, uint32_t *tensor, numel_error *e);
/* The tensor of that canonical name, or NAMES_ABSENT; and in which way it has it. */
uint32_t naming_find_way(struct naming *n, numel_str canonical, unsigned *way);
uint32_t naming_find(struct naming *n, numel_str canonical);
/* Could there be a tensor of that canonical name? A quick check; false is certain. */
bool naming_may_find(const struct naming *n, numel_str canonical);
/* Makes `renamed` now. NOMEM. */
NUMEL_MUST bool naming_spell(struct naming *n, numel_error *e);
/* False, with NOMEM: some lookup failed. */
NUMEL_MUST bool naming_complete(const struct naming *n, numel_error *e);
/* Over all names. Must outlive its users. */
struct presence naming_presence(struct naming *n);
NUMEL_MUST bool naming_has(void *ctx, const char *glob, bool *there,
                           numel_error *e); /* for struct presence */
NUMEL_MUST bool naming_dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e);

#endif
