/* packed_internal.h -- between packed*.c only: packed.c chooses, packed_form.c holds one form against the file,
 * packed_beside.c looks at what all weights have in common. */
#ifndef NUMEL_MODEL_PACKED_INTERNAL_H
#define NUMEL_MODEL_PACKED_INTERNAL_H

#include "model/packed.h"

/* Forms of all weights of one role and size. */
struct sized {
    numel_str role;
    int64_t out, in;
    const uint64_t *lead;
    uint32_t lead_count;
    int64_t stack;
    const json_value *over;
    bool declared;
    struct layout_forms forms;
    uint8_t *most; /* by form: how many of its tensors the file may hold at all; NULL until asked for */
    const numel_str
        *beside; /* names that these are, or that layouts asked for, with marks; but the weight's own */
    unsigned beside_count;
    bool reads;  /* data or metadata were asked for */
    size_t last; /* the form that won last: like modules mostly are alike */
    const struct layout_form *others_of,
        **others; /* the forms that say something else than others_of, and fit as well */
    unsigned other_count;
};

/* packed_run.c: the tensors of one marked name beside the rows of a run. */
struct beside {
    numel_str marked;
    struct members_run run;
    bool counts;     /* the run is one: else names are looked up */
    uint32_t tensor; /* beside the last row; or NAMES_ABSENT */
};

enum packed_shape { SHAPE_OTHER, SHAPE_LINEAR, SHAPE_EMBEDDING, SHAPE_STACK };

enum { RUN_BESIDE = 16, RUN_ABSENT = 254, RUN_ITSELF };

struct packed_run {
    const struct site *site;        /* NULL: there is none */
    uint32_t last;                  /* row */
    const struct layout_form *form; /* NULL: the rows stay as they are */
    struct beside beside[RUN_BESIDE];
    unsigned count;
    enum packed_shape shape;
    struct layout_word said;     /* by the lists of the configuration */
    uint8_t place[LAYOUT_LINES]; /* by tensor of the form: number in `beside`, or RUN_ABSENT, RUN_ITSELF */
};

enum { PACKED_LAYOUTS = 128 }; /* tried at once */
enum { PACKED_ENDS = 2048 }; /* slots by hash, at most half of them taken; of more the file is asked again */

struct packed_ends { /* of marked names that were asked for: does any name of the file end so? */
    const struct registry *registry;
    struct arena *arena; /* of texts, which outlive what asks */
    struct packed_end {
        numel_str text;
        bool occurs;
    } items[PACKED_ENDS];
    size_t count;
};

struct packed_layouts {
    struct layout **items;
    size_t count;
};

struct listed { /* weights that are packed though a list says otherwise */
    struct layout_word said;
    uint32_t row; /* the first of them */
    uint64_t weights;
};

struct contradicted { /* weights of which the same is said */
    const char *text;
    uint32_t row; /* the first of them */
    uint64_t weights;
};
enum { PACKED_CONTRADICTED = 16 }; /* texts; others are said row by row */

struct work {
    struct packed *p;
    const struct expansion *x;
    struct config *config;
    const struct packed_file *file;
    const uint32_t *own, *tensor;
    struct arena *arena;
    bool declared; /* the configuration says how */
    bool faulty;   /* forms with faults may win now */
    const struct layout_form
        *proven[PACKED_LAYOUTS]; /* that hold some weight without a fault; one of each choice */
    unsigned proven_count;
    bool plain_values; /* a candidate may leave weights as they are, with a scale beside them */
    struct layout *candidates[PACKED_LAYOUTS];
    struct layout_lists lists[PACKED_LAYOUTS];
    struct layout_shelf shelf;
    bool numbered; /* lists may tell apart modules whose names differ in a number alone */
    struct packed_run run;
    const struct layout_rule_of_loader
        *loaders[PACKED_LAYOUTS]; /* of candidates; NULL: it packs what it finds packed */
    struct listed listed[LAYOUT_WORDS];
    unsigned listed_count;
    struct contradicted contradicted[PACKED_CONTRADICTED];
    unsigned contradicted_count;
    struct packed_ends ends;
    struct otherwise *otherwise;
    size_t otherwise_count, otherwise_cap;
    struct packed_sizes *sizes; /* packed_size.c */
    unsigned candidate_count;
    struct packed_layouts possible; /* that the file may hold at all; no items until asked */
    struct nearby nearby;           /* what the file says of the row that is asked about: packed_nearby() */
    uint32_t asked_row, bytes_of;
    bool bytes_there; /* of the tensor that was read last */
    size_t byte_count;
    uint8_t bytes[WITNESS_DATA];
    numel_error *error;
};

struct score {
    unsigned cost, claims;
};

struct otherwise { /* weights whose shapes say something else than the configuration */
    const struct layout_form *declared, *found;
    const char *who; /* the tensors that say so: "qweight and qzeros" */
    uint64_t weights;
    int64_t widest; /* of one group a row: the longest row */
};

static inline const struct site *packed_site(const struct work *w, uint32_t row)
{
    return &w->x->sites[w->x->rows[row].site];
}

/* Is the marked name the weight's own, {W}? */
static inline bool packed_is_itself(numel_str marked)
{
    return marked.n == 1 && (unsigned char)marked.p[0] < ' ';
}

/* Is it a role that stays plain though no list names it? */
static inline bool packed_keeps(const struct layout *l, numel_str role)
{
    numel_str words = l->keep;
    for (numel_str word = text_word(&words); word.n; word = text_word(&words))
        if (role.n >= word.n && memcmp(role.p, word.p, word.n) == 0) return true;
    return false;
}

/* Does the layout hold some weight without a fault? */
static inline bool packed_proven(const struct work *w, const struct layout *l)
{
    for (unsigned i = 0; i < w->proven_count; i++)
        if (w->proven[i]->layout == l) return true;
    return false;
}

/* ... with the same values of its symbols? */
static inline bool packed_proven_so(const struct work *w, const struct layout_form *f)
{
    for (unsigned i = 0; i < w->proven_count; i++)
        if (w->proven[i]->layout == f->layout && strcmp(w->proven[i]->choice, f->choice) == 0) return true;
    return false;
}

/* ---- packed_ends.c ---------------------------------------------------------------------------- */

/* A name behind its last mark: ".weight_scale_inv". */
numel_str packed_end(numel_str marked);
/* Does any name of the file end so? */
bool packed_end_occurs(struct packed_ends *e, numel_str marked);
/* Those of the layouts that it may hold; in the arena. NOMEM. */
NUMEL_MUST bool packed_possible(struct packed_layouts *out, struct packed_ends *ends, struct layout **layouts,
                                size_t count, struct config *c, struct arena *a, numel_error *e);
/* May the file hold the layout at all? Names that every form of it has end so somewhere. NOMEM. */
NUMEL_MUST bool packed_may_occur(struct packed_ends *ends, const struct layout *l, struct config *c,
                                 bool *yes, struct arena *a, numel_error *e);

/* ---- packed_form.c ---------------------------------------------------------------------------- */

bool packed_plain_type(const numel_tensor *t); /* F64, F32, F16, BF16 */
bool packed_same_dims(const uint64_t *wanted, uint32_t n, const uint64_t *is, uint32_t m);
/* The module's own name in the file, which may be spelled otherwise than the spec's; {NULL, 0}: not there. */
numel_str packed_written(struct work *w, const struct layout_form *f, uint32_t row);
/* 0 when the tensor fits, else what is wrong (enum packed_fault_kind). */
int packed_misfit(const struct work *w, const struct stored *s, uint32_t tensor);
/* `found`: by number of the form's tensors, what the file has. Stops above `most`. */
struct score packed_score(struct work *w, const struct layout_form *f, uint32_t row, unsigned most,
                          uint32_t found[LAYOUT_LINES]);
/* The form is the row's: its tensors are claimed, its faults reported. */
bool packed_claim(struct work *w, const struct layout_form *f, uint32_t row,
                  const uint32_t found[LAYOUT_LINES]);
/* The row is claimed as the row `like` was, without a fault. */
void packed_claim_alike(struct work *w, uint32_t like, uint32_t row, const uint32_t found[LAYOUT_LINES]);
/* One tensor of the row's form is missing, or not as it should be. */
NUMEL_MUST bool packed_fault_of(struct work *w, const struct stored *s, uint32_t row, uint32_t tensor);
/* `row` NAMES_ABSENT: of all; `text` NULL: out of memory. */
NUMEL_MUST bool packed_contradict(struct work *w, uint32_t row, const char *text);

/* ---- packed_run.c ----------------------------------------------------------------------------- */

/* The row is decided: without a form, or by one of this size that found these tensors. A run begins with it, if one may. */
void packed_run_begin(struct work *w, struct packed_run *run, uint32_t row, enum packed_shape shape,
                      const struct sized *s, const struct layout_form *form,
                      const uint32_t found[LAYOUT_LINES]);
/* Is the row, which stands behind the last one of the run, stored as that one is? The run ends where it is not. */
bool packed_run_goes_on(struct work *w, struct packed_run *run, uint32_t row);
/* The row has the run's form. */
void packed_run_claim(struct work *w, const struct packed_run *run, uint32_t row);

/* ---- packed.c --------------------------------------------------------------------------------- */

/* p->layouts: all that are known. */
NUMEL_MUST bool packed_layouts(struct packed *p, struct library *library, numel_error *e);

/* The layouts that the configuration names, or all that the file may hold; w->declared says which. */
NUMEL_MUST bool packed_candidates(struct work *w);
enum packed_shape packed_shape_of(const struct site *s, numel_str name);
/* A row as a module of a layout; false when its sizes are too large for one. */
bool packed_module(struct work *w, uint32_t row, struct layout_module *m);
/* What the lists of the configuration say of it. Values of its own go to the module. */
struct layout_word packed_listed(const struct work *w, numel_str module, enum packed_shape shape,
                                 struct layout_module *m);
/* Its forms. `declared`: of the layouts and values that the configuration names; else of all. NULL: NOMEM, LIMIT. */
struct sized *packed_sized(struct work *w, const struct layout_module *m, enum packed_shape shape,
                           bool declared);

/* *out: a form that fits the row without a fault, of `first` or else of any layout; or NULL. */
bool packed_fitting(struct work *w, uint32_t row, const struct layout_module *m, enum packed_shape shape,
                    const struct layout *first, const struct layout_form **out);

/* The same, also under the name that the file has for it. */
NUMEL_MUST bool packed_said(struct work *w, uint32_t row, enum packed_shape shape, struct layout_module *m,
                            struct layout_word *said);

/* ---- packed_left.c ------------------------------------------------------------------------------ */

/* A packed row that a list leaves plain. */
NUMEL_MUST bool packed_note_listed(struct work *w, uint32_t row, struct layout_word said);
NUMEL_MUST bool packed_tell_listed(struct work *w);
/* Rows that are plain though the loader would have packed them. */
NUMEL_MUST bool packed_tell_left(struct work *w);

/* ---- packed_told.c ------------------------------------------------------------------------------ */

NUMEL_MUST bool packed_tell_told(struct work *w);

/* ---- packed_otherwise.c ------------------------------------------------------------------------ */

/* What the row's tensors say where form f has faults: other bits, or another size. */
NUMEL_MUST bool packed_ask_shapes(struct work *w, uint32_t row, const struct layout_module *m,
                                  enum packed_shape shape, const struct layout_form *f);
NUMEL_MUST bool packed_solve_size(struct work *w, uint32_t row, const struct layout_module *m,
                                  const struct layout_form *f);
/* Two who say different things of a row; of many that are contradicted alike one speaks. */
NUMEL_MUST bool packed_note_contradiction(struct work *w, uint32_t row, const char *text);
/* The contradictions of all rows that were asked. */
NUMEL_MUST bool packed_tell_otherwise(struct work *w);

/* ---- packed_witness.c ------------------------------------------------------------------------- */

/* What the file says beside a row, until another one is asked about; NULL without a file. */
const struct nearby *packed_nearby(struct work *w, uint32_t row);

/* ---- packed_beside.c -------------------------------------------------------------------------- */

/* What a stack shares has all of its rows, or is contradicted. */
bool packed_all_share(struct work *w);
/* An optional tensor that some weights have and others lack is missing. */
bool packed_all_or_none(struct work *w);
/* The mean over the weights of a layout is what somebody says it is, or that is contradicted. */
bool packed_means(struct work *w);
/* What a layout says may lie beside the weights is claimed. */
bool packed_extras(struct work *w);

/* ---- packed_several.c ------------------------------------------------------------------------- */

/* Which of the rows that fit have other solutions as good; what those are. */
bool packed_find_several(struct work *w);

#endif
