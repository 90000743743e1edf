/*
 * packed.h -- which expected weights a quantizer's layout stores, proven by shapes.
 *
 * For each expected weight [out, in], the file may have the plain tensor or the tensors of a layout
 * (formula/layout.h). Each form of a layout is compared with the file: which of its tensors are missing, have
 * the wrong shape or type, or are contradicted. The form with the fewest faults wins; on a tie, the plain
 * tensor does. An accepted weight thus has stored tensors with exactly the shapes that follow from its out,
 * in, bits and group size, and the winner's faults are the file's faults.
 *
 * If the configuration declares a quantization, only its layouts and values are tried; otherwise all layouts
 * with all values.
 *
 * Each stored tensor is claimed once, unless a layout shares it among the experts of a stack. Others report
 * the unclaimed ones as unexpected.
 */
#ifndef NUMEL_MODEL_PACKED_H
#define NUMEL_MODEL_PACKED_H

#include "formula/expand.h"
#include "formula/layout.h"
#include "registry/members.h"

#define PACKED_BESIDE (UINT32_MAX - 1) /* instead of a row, for tensors next to all modules */

/* How to find names in the files and read small tensors. */
struct packed_file {
    const struct registry *registry;
    uint32_t (*find)(void *ctx, numel_str name); /* or NAMES_ABSENT */
    bool (*may)(void *ctx, numel_str name);      /* False if find() cannot know any name of this pattern. */
    const struct members *members;               /* the names that find() searches first; may be NULL */
    /* Reads at most WITNESS_DATA bytes; false if they are not available (a header-only copy). May be NULL. */
    bool (*read)(void *ctx, uint32_t tensor, uint8_t out[WITNESS_DATA], size_t *n);
    /* Gets the metadata's text under a tensor's name; false if there is none. May be NULL. */
    bool (*meta)(void *ctx, numel_str name, numel_str *text);
    bool keyed;  /* a metadata key contains a dot; otherwise none describes a tensor in a module */
    bool dotted; /* every tensor is in a module */
    bool named;  /* only the tensors' names are known */
    const numel_str
        *full; /* each tensor's full name, if a part's names were stripped of their prefix; else NULL */
    void *ctx;
};

/* False if meta() cannot know the marked name for this weight. */
bool packed_meta_may(const struct packed_file *f, numel_str marked, numel_str weight);
/* True if the metadata have nothing under that name for any weight. */
bool packed_meta_silent(const struct packed_file *f, numel_str name);
/* Gets the name under which the file's metadata have a weight's marked tensor, including the prefix that
 * the names of a part lack. In the arena. */
bool packed_key(const struct packed_file *f, numel_str marked, numel_str weight, struct arena *a,
                numel_str *key);

enum packed_fault_kind { PACKED_MISSING, PACKED_SHAPE, PACKED_TYPE, PACKED_CONTRADICTION };

struct packed_fault {
    enum packed_fault_kind kind;
    enum layout_role role;
    uint32_t row;         /* of the expansion; NAMES_ABSENT: it concerns the whole */
    uint32_t tensor;      /* SHAPE, TYPE: the tensor; else NAMES_ABSENT */
    numel_str name;       /* the stored tensor's; CONTRADICTION: the weight's */
    const uint64_t *dims; /* expected; UINT64_MAX: any */
    uint32_t ndim;
    numel_str types;  /* expected: "I32", "float" */
    const char *text; /* CONTRADICTION: a text with both values */
};

struct packed_row {
    const struct layout_form *form; /* NULL: plain, or missing */
    uint32_t there;                 /* bit i: the form's i-th stored tensor exists */
    uint32_t value;                 /* the tensor that represents the weight, or NAMES_ABSENT */
    bool whole;                     /* without a fault */
    bool open;                      /* other solutions fit equally well */
    uint32_t sized;                 /* index of its forms in packed.sized */
    int64_t out, in;                /* if faulty, solved from its tensors; 0: unknown */
};

/* A way to store weights that fits some of them exactly. */
struct packed_solution {
    const struct layout_form *form;
    int64_t bits, group; /* 0: not stated */
    bool whole;          /* one group per row */
    uint64_t weights;    /* number of weights it fits */
    bool open;           /* some of these have other, equally good solutions */
};
enum { PACKED_SEVERAL = 16 }; /* limit on solutions that are listed separately */

struct packed_tensor {
    uint32_t row; /* the claiming row, or NAMES_ABSENT */
    uint8_t role; /* enum layout_role */
    bool fits;
    int64_t shared, rows; /* number of rows that should claim it (0: one), and that do */
};

struct packed {
    struct packed_row *rows;       /* by row of the expansion */
    struct packed_tensor *tensors; /* by index in the registry */
    struct packed_fault *faults;
    size_t fault_count, fault_cap;
    bool described;                 /* a layout describes the configuration's quantization */
    const char *method;             /* the configuration's name for the method, or NULL */
    uint64_t modules;               /* number of rows with a form */
    uint64_t left;                  /* number of other rows that the quantizer left plain, but with scales */
    uint64_t bytes, elements;       /* of modules without faults: bytes stored, elements represented */
    const struct layout_form *most; /* the form of most modules, to show */
    struct packed_solution solutions[PACKED_SEVERAL];
    unsigned solution_count;
    uint64_t open;           /* number of rows with several solutions */
    struct layout **layouts; /* owned by the library */
    size_t layout_count;
    const numel_allocator *memory;
    struct sized *sized; /* forms by size; owned by this */
    size_t sized_count, sized_cap;
};

/* `own` maps a tensor to the expansion row with its own name (not next to another weight), `tensor` a row
 * to that tensor; NAMES_ABSENT if there is none. `library` NULL: no layouts on this side. Spec, config and
 * arena must outlive `p`. LIMIT, SPEC, NOMEM. */
NUMEL_MUST bool packed_make(struct packed *p, const struct expansion *x, struct config *c,
                            struct library *library, const struct packed_file *file, const uint32_t *own,
                            const uint32_t *tensor, struct arena *a, numel_error *e);
void packed_done(struct packed *p);

#endif
