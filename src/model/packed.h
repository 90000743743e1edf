/*
 * packed.h -- which of the expected weights are stored by a quantizer's layout, proven by shapes.
 *
 * For each expected weight [out, in] the file may hold the plain tensor, or what a layout
 * (formula/layout.h) says stands for it. Each form is held against the file: what of it is missing, of
 * another shape or type, contradicted. The form with the fewest faults wins, the plain one when it has
 * no more than others. So an accepted weight is one whose stored tensors all have exactly the shapes that its
 * out, in, bits and group size make, and the faults of the winner are what is wrong with the file.
 *
 * With a quantization in the configuration the layouts that it names are tried, with the values that it
 * states; without one all layouts are, with all values.
 *
 * Each stored tensor is claimed once, but for what a layout says is shared by the experts of a stack. What nobody claims is left to others to call unexpected.
 */
#ifndef NUMEL_MODEL_PACKED_H
#define NUMEL_MODEL_PACKED_H

#include "formula/expand.h"
#include "formula/layout.h"
#include "registry/members.h"

#define PACKED_BESIDE (UINT32_MAX - 1) /* in place of a row: what lies beside all modules */

/* How names are found among the files', and the data of small tensors read. */
struct packed_file {
    const struct registry *registry;
    uint32_t (*find)(void *ctx, numel_str name); /* or NAMES_ABSENT */
    bool (*may)(void *ctx, numel_str name);      /* Might find() know a name of this pattern? */
    const struct members *members; /* of the names that find() looks through first; may be NULL */
    /* At most WITNESS_DATA bytes; false when they cannot be had (a header-only copy). May be NULL. */
    bool (*read)(void *ctx, uint32_t tensor, uint8_t out[WITNESS_DATA], size_t *n);
    /* What the metadata say under the name of a tensor; false: nothing. May be NULL. */
    bool (*meta)(void *ctx, numel_str name, numel_str *text);
    bool keyed;  /* some key of the metadata has a dot: else they say nothing of a tensor in a module */
    bool dotted; /* each tensor is in one */
    bool named;  /* nothing is known of the tensors but their names */
    const numel_str
        *full; /* of each tensor, where a part of a file was taken without the prefix of its names; or NULL */
    void *ctx;
};

/* Might meta() know the marked name, of that weight? */
bool packed_meta_may(const struct packed_file *f, numel_str marked, numel_str weight);
/* Is the metadata silent about that name for every weight? */
bool packed_meta_silent(const struct packed_file *f, numel_str name);
/* What is marked, of a weight, as the file's metadata name it: under the prefix that a part's names lack. Of the arena. */
bool packed_key(const struct packed_file *f, numel_str marked, numel_str weight, struct arena *a,
                numel_str *key);

enum packed_fault_kind { PACKED_MISSING, PACKED_SHAPE, PACKED_TYPE, PACKED_CONTRADICTION };

struct packed_fault {
    enum packed_fault_kind kind;
    enum layout_role role;
    uint32_t row;         /* of the expansion, NAMES_ABSENT: of the whole */
    uint32_t tensor;      /* SHAPE, TYPE: which; else NAMES_ABSENT */
    numel_str name;       /* of the stored tensor; CONTRADICTION: of the weight */
    const uint64_t *dims; /* expected; UINT64_MAX: any */
    uint32_t ndim;
    numel_str types;  /* expected: "I32", "float" */
    const char *text; /* CONTRADICTION: both values */
};

struct packed_row {
    const struct layout_form *form; /* NULL: plain, or not there */
    uint32_t there;                 /* bit i: the i-th stored tensor of the form is */
    uint32_t value;                 /* the tensor that stands for the weight, or NAMES_ABSENT */
    bool whole;                     /* nothing is wrong with it */
    bool open;                      /* several solutions fit as well as this one */
    uint32_t sized;                 /* its forms: number in `sized` */
    int64_t out, in;                /* what a faulty one's tensors make, 0: nobody knows */
};

/* A way to store weights that fits some of them exactly. */
struct packed_solution {
    const struct layout_form *form;
    int64_t bits, group; /* 0: not said */
    bool whole;          /* one group a row */
    uint64_t weights;    /* that it fits */
    bool open;           /* of those some whose other solutions are as good */
};
enum { PACKED_SEVERAL = 16 }; /* solutions that are told from each other */

struct packed_tensor {
    uint32_t row; /* that claims it, or NAMES_ABSENT */
    uint8_t role; /* enum layout_role */
    bool fits;
    int64_t shared, rows; /* by how many rows it should be claimed, 0: one; by how many it is */
};

struct packed {
    struct packed_row *rows;       /* by row of the expansion */
    struct packed_tensor *tensors; /* by number of the registry */
    struct packed_fault *faults;
    size_t fault_count, fault_cap;
    bool described;           /* the configuration's quantization is one that a layout describes */
    const char *method;       /* what it calls itself, or NULL */
    uint64_t modules;         /* rows that have a form */
    uint64_t left;            /* beside those: plain values that the quantizer left, with their scales */
    uint64_t bytes, elements; /* of those without a fault: all they store, and what it stands for */
    const struct layout_form *most; /* the form of most modules, for people */
    struct packed_solution solutions[PACKED_SEVERAL];
    unsigned solution_count;
    uint64_t open;           /* rows whose solution is not the only one */
    struct layout **layouts; /* the library's */
    size_t layout_count;
    const numel_allocator *memory;
    struct sized *sized; /* forms by size; owned */
    size_t sized_count, sized_cap;
};

/* `own`: by tensor, the row of the expansion that has it by its own name (no sibling of another weight);
 * `tensor`: by row, the same the other way round; NAMES_ABSENT where there is none. `library` NULL: there are no layouts on this side. Spec, config and arena must outlive it. LIMIT,
 * SPEC, NOMEM. */
NUMEL_MUST bool packed_make(struct packed *p, const struct expansion *x, struct config *c,
                            struct library *library, const struct packed_file *file, const uint32_t *own,
                            const uint32_t *tensor, struct arena *a, numel_error *e);
void packed_done(struct packed *p);

#endif
