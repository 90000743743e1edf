/*
 * printed.h -- a printed model beside what a path holds.
 *
 * What the path holds is a list of holdings: each parameter under its Hugging Face name, of a GGUF
 * file too, with the elements it stands for (packed values expanded); made from the tensors, or, of a
 * configuration alone, from what the formula expects. Each holding walks down the printed tree:
 *
 *     it finds a parameter that is shown            SAME, or of another size
 *     it ends at a module that may hold more        BARE: print() shows no parameters but those of modules
 *     it ends where the tree has no such thing      STRANGE: held, not printed
 *
 * What is shown and not found is ABSENT, unless it is a copy of what was found (tied), or what PEFT
 * added to the model. Where a spec knows other names for the same parameters (experts one by one, or
 * stacked), those that the tree has stand in for those that are held. Where ABSENT and STRANGE below one module are the same amount it was printed in
 * other parts (fused, or one expert after the other): no difference. So, exactly,
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
    HOLDING_BESIDE,  /* no parameter of the model; counts when the printout shows it */
    HOLDING_STAND_IN /* not held: another alternative of its group is */
};

struct holding {
    numel_str name;
    uint64_t elements;
    enum holding_kind kind;
    uint32_t group, alternative; /* of the expansion; NO_GROUP: none. Those of a group are neighbours */
};

struct holdings {
    struct holding *items;
    size_t count;
    uint64_t parameters; /* sum of that kind */
};

/* Of a checkpoint with or without a formula, or of a formula alone (u->ck NULL). Lives in the arena;
 * names may point into the model. NOMEM, OVERFLOW. */
NUMEL_MUST bool holdings_make(struct holdings *h, const struct handle *c, struct arena *a, numel_error *e);

/* Elements, all copies together. */
struct beside {             /* of one module without its children; or of a subtree */
    uint64_t printed, held; /* of the parameters that it shows */
    uint64_t tied, adapters, absent;
    uint64_t assumed;         /* and not held: see struct parameter */
    uint64_t larger, smaller; /* other sizes: held more, held less than printed */
    uint64_t sizeless, bare, strange;
    uint64_t shown, found; /* parameters: printed, and of those that are held */
    uint64_t sizeless_tensors, bare_tensors, strange_tensors;
    numel_str first_bare, first_strange; /* names of holdings */
    bool regrouped;                      /* absent and strange were the same amount, and are 0 now */
};

struct printed_beside {
    const struct printout *p;
    const struct printed *x;
    const struct holdings *h; /* NULL: the printout stands alone */
    struct beside *own;       /* by module, from x->module on */
    struct beside *sum;       /* of subtrees */
    uint64_t held;            /* parameters, and of what is beside them what the printout shows */
    uint64_t regrouped;
    size_t resolved; /* holdings that were found in the tree */
};

static inline const struct beside *beside_own(const struct printed_beside *b, uint32_t m)
{
    return &b->own[m - b->x->module];
}

static inline const struct beside *beside_sum(const struct printed_beside *b, uint32_t m)
{
    return &b->sum[m - b->x->module];
}

/* `h` may be NULL. Lives in the arena. NOMEM, OVERFLOW. */
NUMEL_MUST bool printed_beside_make(struct printed_beside *b, const struct printout *p,
                                    const struct printed *x, const struct holdings *h, struct arena *a,
                                    numel_error *e);

/* The largest embedding that is printed once: what a tied head, or a second stack, prints again. NULL
 * when none is. */
const struct parameter *printed_table(const struct printout *p, const struct printed *x);

/* printed_find.c: where a holding's name leads in a printed tree. */
struct printed_index {
    const struct printout *p;
    const struct printed *x;
    uint32_t *kids; /* modules of the print, by parent and name */
    size_t kid_count;
    numel_str prefix; /* a first part that names of holdings have and the tree lacks: "bert" */
};

struct place {
    uint32_t module;    /* as far as the name leads */
    uint32_t parameter; /* that is shown, or NAMES_ABSENT */
    bool inside;        /* only the parameter's own name is left, or the module prints nothing below it */
};

NUMEL_MUST bool printed_index_make(struct printed_index *i, const struct printout *p, const struct printed *x,
                                   struct arena *a, numel_error *e);
struct place printed_find(const struct printed_index *i, numel_str name);
/* Looks for the prefix; after it, names of which only the prefix is not in the tree are inside. */
void printed_learn_prefix(struct printed_index *i, const struct holdings *h);

/* printed_tree.c: the rows of a report, folded: what is alike stands once. */
struct printed_row {
    const char *path;  /* escaped: "model.layers.[0-31].mlp" */
    const char *label; /* the end of path: below a group relative to it */
    unsigned depth;
    numel_str class;
    uint64_t times; /* modules that the row stands for */
    uint8_t shows;
    struct beside all;  /* of all of them */
    const char *remark; /* "no size", "28 of 32 in the model"; may be NULL */
    const char *what;   /* class and remark, escaped */
};

struct printed_rows {
    struct printed_row *items;
    size_t count, cap;
};

/* In the arena, but items, which are freed with memory_release(). */
NUMEL_MUST bool printed_rows_make(struct printed_rows *r, const struct printed_beside *b, struct arena *a,
                                  numel_error *e);

#endif
