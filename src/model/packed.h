/*
 * packed.h -- which expected weights are stored by a quantizer's layout, proven by shapes.
 *
 * For each expected weight [out, in] the file may have the plain tensor, or the tensors of a layout
 * (formula/layout.h). Each form is compared with the file: which of its tensors are missing, have another shape or
 * type, or are contradicted. The form with the fewest faults wins, the plain one on a tie. So an accepted weight is
 * one whose stored tensors all have exactly the shapes made by its out, in, bits and group size, and the winner's
 * faults are the file's.
 *
 * With a quantization in the configuration, only its layouts and values are tried; without one, all layouts with all
 * values.
 *
 * Each stored tensor is claimed once, except those that a layout shares among the experts of a stack. Unclaimed
 * tensors are left to others to report as unexpected.
 */
#ifndef NUMEL_MODEL_PACKED_H
#define NUMEL_MODEL_PACKED_H

#include "formula/expand.h"
#include "formula/layout.h"
#include "registry/members.h"

#define PACKED_BESIDE (UINT32_MAX - 1) /* instead of a row: tensors next to all modules */

/* How names are found in the files, and data of small tensors read. */
struct packed_file {
    const struct registry *registry;
    uint32_t (*find)(void *ctx, numel_str name); /* or NAMES_ABSENT */
    bool (*may)(void *ctx, numel_str name);      /* Might find() know a name of this pattern? */
    const struct members *members;               /* of the names that find() searches first; may be NULL */
    /* At most WITNESS_DATA bytes; false if not available (a header-only copy). May be NULL. */
    bool (*read)(void *ctx, uint32_t tensor, uint8_t out[WITNESS_DATA], size_t *n);
    /* The metadata's text under a tensor's name; false: none. May be NULL. */
    bool (*meta)(void *ctx, numel_str name, numel_str *text);
    bool keyed;  /* some metadata key has a dot: else they describe no tensor in a module */
    bool dotted; /* each tensor is in a module */
    bool named;  /* only the tensors' names are known */
    const numel_str
        *full; /* of each tensor, if part of a file was taken without its names' prefix; else NULL */
    void *ctx;
};

/* Might meta() know the marked name, of that weight? */
bool packed_meta_may(const struct packed_file *f, numel_str marked, numel_str weight);
/* Is the metadata silent about that name for every weight? */
bool packed_meta_silent(const struct packed_file *f, numel_str name);
/* The name of a weight's marked tensor in the file's metadata, with the prefix that a part's names lack. In the arena. */
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
    const char *text; /* CONTRADICTION: has both values */
};

struct packed_row {
    const struct layout_form *form; /* NULL: plain, or missing */
    uint32_t there;                 /* bit i: the form's i-th stored tensor exists */
    uint32_t value;                 /* the tensor that represents the weight, or NAMES_ABSENT */
    bool whole;                     /* without a fault */
    bool open;                      /* several solutions fit as well as this one */
    uint32_t sized;                 /* its forms: index in `sized` */
    int64_t out, in;                /* from the tensors of a faulty one, 0: unknown */
};

/* A way to store weights that fits some of them exactly. */
struct packed_solution {
    const struct layout_form *form;
    int64_t bits, group; /* 0: not stated */
    bool whole;          /* one group per row */
    uint64_t weights;    /* that it fits */
    bool open;           /* some of those have other solutions that are as good */
};
enum { PACKED_SEVERAL = 16 }; /* solutions that are distinguished */

struct packed_tensor {
    uint32_t row; /* the claiming row, or NAMES_ABSENT */
    uint8_t role; /* enum layout_role */
    bool fits;
    int64_t shared, rows; /* number of rows that should claim it, 0: one; number that do */
};

struct packed {
    struct packed_row *rows;       /* by row of the expansion */
    struct packed_tensor *tensors; /* by registry index */
    struct packed_fault *faults;
    size_t fault_count, fault_cap;
    bool described;                 /* a layout describes the configuration's quantization */
    const char *method;             /* its own name for itself, or NULL */
    uint64_t modules;               /* rows that have a form */
    uint64_t left;                  /* besides those: plain values left by the quantizer, with their scales */
    uint64_t bytes, elements;       /* of those without a fault: all stored bytes, and represented elements */
    const struct layout_form *most; /* the form of most modules, for people */
    struct packed_solution solutions[PACKED_SEVERAL];
    unsigned solution_count;
    uint64_t open;           /* rows with several solutions */
    struct layout **layouts; /* the library's */
    size_t layout_count;
    const numel_allocator *memory;
    struct sized *sized; /* forms by size; owned */
    size_t sized_count, sized_cap;
};

/* `own`: by tensor, the expansion row with its own name (not next to another weight); `tensor`: by row, the
 * inverse; NAMES_ABSENT if there is none. `library` NULL: no layouts on this side. Spec, config and arena must
 * outlive it. LIMIT, SPEC, NOMEM. */
NUMEL_MUST bool packed_make(struct packed *p, const struct expansion *x, struct config *c,
                            struct library *library, const struct packed_file *file, const uint32_t *own,
                            const uint32_t *tensor, struct arena *a, numel_error *e);
void packed_done(struct packed *p);

#endif
