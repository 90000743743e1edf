/*
 * printed.h -- compares a printed model with the model of a path.
 *
 * The path's model is a list of holdings: each parameter under its Hugging Face name, even from a GGUF file,
 * with its logical elements (packed values expanded); made from the tensors, or, from a configuration alone,
 * from the tensors that the formula expects. Each holding is looked up in the printed tree:
 *
 *     it finds a printed parameter                  SAME, or another size
 *     it ends at a module that may hold more        BARE: print() shows only parameters of modules
 *     it ends where the tree has no such module     STRANGE: held, not printed
 *
 * A printed parameter that is not found is ABSENT, unless it is a copy of a found one (tied), or PEFT added
 * it. If a spec has other names for the same parameters (experts one by one, or stacked), the tree's names
 * replace those held. If ABSENT and STRANGE below one module are the same amount, the parameters were printed
 * divided differently (fused, or one by one): no difference. So, exactly,
 *
 *     printed - tied - adapters - assumed - absent + other sizes + without size + bare + strange = held
 */
#ifndef NUMEL_PRINTOUT_PRINTED_H
#define NUMEL_PRINTOUT_PRINTED_H

#include "statement/handle.h"
#include "printout/printout.h"

enum holding_kind {
    HOLDING_PARAMETER,
    HOLDING_COPY,    /* tied: a parameter under a second name, stored or not */
    HOLDING_BESIDE,  /* not a parameter of the model; counts if the printout shows it */
    HOLDING_STAND_IN /* not held: another alternative of its group is */
};

struct holding {
    numel_str name;
    uint64_t elements;
    enum holding_kind kind;
    uint32_t group, alternative; /* of the expansion; NO_GROUP: none. Those of a group are adjacent */
};

struct holdings {
    struct holding *items;
    size_t count;
    uint64_t parameters; /* sum of that kind */
};

/* From a checkpoint with or without a formula, or a formula alone (no checkpoint). In the arena; names may
 * point into the model. NOMEM, OVERFLOW. */
NUMEL_MUST bool holdings_make(struct holdings *h, const struct handle *c, struct arena *a, numel_error *e);

/* Elements of all copies. */
enum { BESIDE_COUNTS = 16 };
struct beside { /* one module without its children; or a subtree */
    union {
        struct {
            uint64_t printed, held; /* of the parameters that it shows */
            uint64_t tied, adapters, absent;
            uint64_t assumed;         /* and not held: see struct parameter */
            uint64_t larger, smaller; /* other sizes: held more, held less than printed */
            uint64_t sizeless, bare, strange;
            uint64_t shown, found; /* numbers of parameters: printed; printed and held */
            uint64_t sizeless_tensors, bare_tensors, strange_tensors;
        };
        uint64_t counts[BESIDE_COUNTS]; /* all of them */
    };
    numel_str first_bare, first_strange; /* names of holdings */
    bool regrouped;                      /* absent and strange were equal, and are now 0 */
};

struct printed_beside {
    const struct printout *p;
    const struct printed *x;
    const struct holdings *h; /* NULL: the printout alone */
    struct beside *own;       /* by module, from x->module on */
    struct beside *sum;       /* of subtrees */
    uint64_t held;            /* parameters, and other tensors that the printout shows */
    uint64_t regrouped;
    size_t resolved; /* holdings found in the tree */
};

static inline const struct beside *beside_own(const struct printed_beside *b, uint32_t m)
{
    return &b->own[m - b->x->module];
}

static inline const struct beside *beside_sum(const struct printed_beside *b, uint32_t m)
{
    return &b->sum[m - b->x->module];
}

/* `h` may be NULL. In the arena. NOMEM, OVERFLOW. */
NUMEL_MUST bool printed_beside_make(struct printed_beside *b, const struct printout *p,
                                    const struct printed *x, const struct holdings *h, struct arena *a,
                                    numel_error *e);

/* The largest embedding that is printed once: a tied head, or a second stack, prints it again. NULL:
 * none. */
const struct parameter *printed_table(const struct printout *p, const struct printed *x);

/* printed_find.c: looks up a holding's name in a printed tree. */
struct printed_index {
    const struct printout *p;
    const struct printed *x;
    struct kid *kids; /* modules of the print, by parent and name */
    size_t kid_count;
    numel_str prefix; /* a first part of holdings' names that the tree lacks: "bert" */
};

struct place {
    uint32_t module;    /* the deepest module of the name */
    uint32_t parameter; /* the printed one, or NAMES_ABSENT */
    bool inside;        /* only the parameter's own name is left, or the module prints nothing below it */
};

NUMEL_MUST bool printed_index_make(struct printed_index *i, const struct printout *p, const struct printed *x,
                                   struct arena *a, numel_error *e);
struct place printed_find(const struct printed_index *i, numel_str name);
/* Finds the prefix; then names that only have the prefix more than the tree are inside. */
void printed_learn_prefix(struct printed_index *i, const struct holdings *h);

/* printed_tree.c: the rows of a report, with equal ones folded. */
struct printed_row {
    const char *path;  /* escaped: "model.layers.[0-31].mlp" */
    const char *label; /* the end of path: relative to the group, if any */
    unsigned depth;
    numel_str class;
    uint64_t times; /* modules in the row */
    uint8_t shows;
    struct beside all;  /* of all of them */
    const char *remark; /* "no size", "28 of 32 in the model"; may be NULL */
    const char *what;   /* class and remark, escaped */
};

struct printed_rows {
    struct printed_row *items;
    size_t count, cap;
};

/* In the arena, except items, which the caller frees with memory_release(). */
NUMEL_MUST bool printed_rows_make(struct printed_rows *r, const struct printed_beside *b, struct arena *a,
                                  numel_error *e);

#endif
