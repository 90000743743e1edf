/*
 * naming_internal.h -- finds the tensors in the files that have a spec's names.
 *
 * Names in files may lack a prefix or have an additional one (`model.`, `transformer.`, `bert.`), or be
 * spelled differently (layers.0.attention.wq). The spec's names are canonical. Each is looked up unchanged,
 * then with another prefix, then among the names that the spec's `spelling` lines make of those in the files.
 *
 * A writer gives the whole model the same prefix, and loaders remove it from all names or from none. Once the
 * expected names are known, naming_settle() therefore finds the way that most names need, and disables the
 * others.
 */
#ifndef NUMEL_MODEL_NAMING_INTERNAL_H
#define NUMEL_MODEL_NAMING_INTERNAL_H

#include "base/names.h"
#include "formula/expand.h"
#include "model/naming_tails.h"
#include "model/wrapper.h"
#include "registry/members.h"

struct renamed {
    numel_str name; /* canonical; first, as names.h requires */
    uint32_t tensor;
    unsigned way; /* WAY_INSIDE, or at least WAY_SPELLED */
};

enum { PREFIXES = 12, FRONT_WAYS = 8, NAMING_ENDS = 32 };

/* How a tensor's name differs from the spec's: not at all; spelled differently inside; without the first 1
 * to 3 parts; after prefix i (WAY_LONGER + i); or by spelling i, which changes only the front (WAY_SPELLED
 * + i). */
enum { WAY_SAME, WAY_INSIDE, WAY_SHORTER, WAY_LONGER = WAY_SHORTER + 3, WAY_SPELLED = WAY_LONGER + PREFIXES };

/* The start of names, "model.", which may be missing or spelled differently; and the ways in which such
 * names were found. */
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
    struct renamed *renamed; /* other spellings, collected once */
    size_t renamed_count, renamed_cap;
    struct names by_renamed, by_glob;
    numel_str prefixes[PREFIXES]; /* "transformer.", from the files' names */
    unsigned prefix_count;
    struct members members;    /* of the registry; made when a stack first needs it */
    struct tails tails;        /* rules out most missing names quickly */
    struct glob_answer *globs; /* cached results of naming_has() */
    size_t glob_count, glob_cap;
    struct buffer text;
    bool *spelled;               /* by pattern: a spelling may change its names; NULL: not needed any more */
    numel_str ends[NAMING_ENDS]; /* the last parts of respelled names */
    unsigned end_count;
    bool more_ends; /* there are more than fit in `ends` */
    bool lost;      /* making `renamed` ran out of memory */
    bool loose;     /* names may have a prefix more or less */
    bool settled;   /* all names have the prefix of the way `longer`, or none if it is 0 */
    unsigned longer;
    struct front *fronts; /* if no prefix was added: the way of each front */
    size_t front_count, front_room;
    bool wrapped;         /* some names contain PEFT's "base_layer", and there is an adapter */
    bool repeats;         /* the same few names are requested repeatedly, so missing ones are remembered */
    numel_str model_type; /* "xlm-roberta"; a source of prefixes */
    numel_error *error;
};

/* With model_type NULL, names are used unchanged (GGUF). */
NUMEL_MUST bool naming_init(struct naming *n, const struct registry *r, const struct spec *spec,
                            const char *model_type, struct arena *a, numel_error *e);
void naming_done(struct naming *n);
/* The kind of prefix that a name's first part is. */
enum prefix_kind naming_prefix(const struct naming *n, numel_str part);
/* naming_settle.c: true if this way should be tried; all are until one is settled. */
bool naming_goes(struct naming *n, numel_str name, unsigned way);
/* Makes n->members if needed. NOMEM. */
NUMEL_MUST bool naming_members(struct naming *n, numel_error *e);
/* Sets the tensor of each row, or NAMES_ABSENT. Afterwards only names in the settled ways are found. */
NUMEL_MUST bool naming_settle(struct naming *n, const struct expansion *x, uint32_t *tensor, numel_error *e);
/* The tensor with that canonical name, or NAMES_ABSENT; *way is how it was found. */
uint32_t naming_find_way(struct naming *n, numel_str canonical, unsigned *way);
uint32_t naming_find(struct naming *n, numel_str canonical);
/* A quick check: false if no tensor can have that canonical name. */
bool naming_may_find(const struct naming *n, numel_str canonical);
/* Makes `renamed` now. NOMEM. */
NUMEL_MUST bool naming_spell(struct naming *n, numel_error *e);
/* False with NOMEM if a lookup failed. */
NUMEL_MUST bool naming_complete(const struct naming *n, numel_error *e);
/* Covers all names. `n` must outlive its users. */
struct presence naming_presence(struct naming *n);
NUMEL_MUST bool naming_has(void *ctx, const char *glob, bool *there,
                           numel_error *e); /* for struct presence */
NUMEL_MUST bool naming_dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e);

#endif
