/* packed_internal.h -- shared by packed*.c: packed.c chooses, packed_form.c compares one form with the
 * file, packed_beside.c checks across all weights. */
#ifndef NUMEL_MODEL_PACKED_INTERNAL_H
#define NUMEL_MODEL_PACKED_INTERNAL_H

#include "model/packed.h"

/* The forms for all weights of one role and size. */
struct sized {
    numel_str role;
    int64_t out, in;
    const uint64_t *lead;
    uint32_t lead_count;
    int64_t stack;
    const json_value *over;
    bool declared;
    struct layout_forms forms;
    uint8_t *most; /* by form: how many of its tensors the file can have; NULL until needed */
    const numel_str
        *beside; /* marked names used by the forms or by layouts' questions, except the weight's own */
    unsigned beside_count;
    bool reads;  /* a question needed data or metadata */
    size_t last; /* the form that won last, which similar modules usually share */
    const struct layout_form *others_of,
        **others; /* equally fitting forms that mean something else than others_of */
    unsigned other_count;
};

/* packed_run.c: the tensors with one marked name next to the rows of a run. */
struct beside {
    numel_str marked;
    struct members_run run;
    bool counts;     /* they form a run themselves; otherwise names are looked up */
    uint32_t tensor; /* the one next to the last row, or NAMES_ABSENT */
};

enum packed_shape { SHAPE_OTHER, SHAPE_LINEAR, SHAPE_EMBEDDING, SHAPE_STACK };

enum { RUN_BESIDE = 16, RUN_ABSENT = 254, RUN_ITSELF };

struct packed_run {
    const struct site *site;        /* NULL: no run */
    uint32_t last;                  /* its last row */
    const struct layout_form *form; /* NULL: the rows are plain */
    struct beside beside[RUN_BESIDE];
    unsigned count;
    enum packed_shape shape;
    struct layout_word said;     /* the entry in the configuration's lists */
    uint8_t place[LAYOUT_LINES]; /* by tensor of the form: its index in `beside`, or RUN_ABSENT, RUN_ITSELF */
};

enum { PACKED_LAYOUTS = 128 }; /* how many are tried at once */
enum { PACKED_ENDS = 2048 };   /* hash slots, at most half used; then the file is searched every time */

struct packed_ends { /* caches whether any name in the file has the ending of a marked name */
    const struct registry *registry;
    struct arena *arena; /* owns the texts */
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

struct listed { /* packed weights that a list excludes */
    struct layout_word said;
    uint32_t row; /* the first one */
    uint64_t weights;
};

struct contradicted { /* weights with the same contradiction */
    const char *text;
    uint32_t row; /* the first one */
    uint64_t weights;
};
enum { PACKED_CONTRADICTED = 16 }; /* distinct texts; further ones are reported row by row */

struct work {
    struct packed *p;
    const struct expansion *x;
    struct config *config;
    const struct packed_file *file;
    const uint32_t *own, *tensor;
    struct arena *arena;
    bool declared;                                    /* the configuration states the layout */
    bool faulty;                                      /* forms with faults may win */
    const struct layout_form *proven[PACKED_LAYOUTS]; /* each holds a weight without faults; one per choice */
    unsigned proven_count;
    bool plain_values; /* a candidate may leave weights plain, with a scale next to them */
    struct layout *candidates[PACKED_LAYOUTS];
    struct layout_lists lists[PACKED_LAYOUTS];
    struct layout_shelf shelf;
    bool numbered; /* lists may distinguish modules whose names differ only in numbers */
    struct packed_run run;
    const struct layout_rule_of_loader
        *loaders[PACKED_LAYOUTS]; /* by candidate; NULL: its loader packs nothing on its own */
    struct listed listed[LAYOUT_WORDS];
    unsigned listed_count;
    struct contradicted contradicted[PACKED_CONTRADICTED];
    unsigned contradicted_count;
    struct packed_ends ends;
    struct otherwise *otherwise;
    size_t otherwise_count, otherwise_cap;
    struct packed_sizes *sizes; /* packed_size.c */
    unsigned candidate_count;
    struct packed_layouts possible; /* layouts that the file may contain; empty until needed */
    struct nearby nearby;           /* the file's answers for the current row: packed_nearby() */
    uint32_t asked_row, bytes_of;
    bool bytes_there; /* the tensor read last could be read */
    size_t byte_count;
    uint8_t bytes[WITNESS_DATA];
    numel_error *error;
};

struct score {
    unsigned cost, claims;
};

struct otherwise { /* weights whose shapes contradict the configuration */
    const struct layout_form *declared, *found;
    const char *who; /* the tensors that contradict it: "qweight and qzeros" */
    uint64_t weights;
    int64_t widest; /* the longest row, to recognise one group per row */
};

static inline const struct site *packed_site(const struct work *w, uint32_t row)
{
    return &w->x->sites[w->x->rows[row].site];
}

/* True for the weight's own name, {W}. */
static inline bool packed_is_itself(numel_str marked)
{
    return marked.n == 1 && (unsigned char)marked.p[0] < ' ';
}

/* True if the layout keeps a role plain even if no list names it. */
static inline bool packed_keeps(const struct layout *l, numel_str role)
{
    numel_str words = l->keep;
    for (numel_str word = text_word(&words); word.n; word = text_word(&words))
        if (role.n >= word.n && memcmp(role.p, word.p, word.n) == 0) return true;
    return false;
}

/* True if the layout holds a weight without faults. */
static inline bool packed_proven(const struct work *w, const struct layout *l)
{
    for (unsigned i = 0; i < w->proven_count; i++)
        if (w->proven[i]->layout == l) return true;
    return false;
}

/* True if it does so with the same values of its symbols. */
static inline bool packed_proven_so(const struct work *w, const struct layout_form *f)
{
    for (unsigned i = 0; i < w->proven_count; i++)
        if (w->proven[i]->layout == f->layout && strcmp(w->proven[i]->choice, f->choice) == 0) return true;
    return false;
}

/* ---- packed_ends.c ---------------------------------------------------------------------------- */

/* The ending of a marked name after its last mark: ".weight_scale_inv". */
numel_str packed_end(numel_str marked);
/* True if any name in the file has the ending. */
bool packed_end_occurs(struct packed_ends *e, numel_str marked);
/* Finds the layouts that the file may contain; in the arena. NOMEM. */
NUMEL_MUST bool packed_possible(struct packed_layouts *out, struct packed_ends *ends, struct layout **layouts,
                                size_t count, struct config *c, struct arena *a, numel_error *e);
/* Sets *yes to whether the file may contain the layout: for every name that all forms require, a name with
 * its ending must exist. NOMEM. */
NUMEL_MUST bool packed_may_occur(struct packed_ends *ends, const struct layout *l, struct config *c,
                                 bool *yes, struct arena *a, numel_error *e);

/* ---- packed_form.c ---------------------------------------------------------------------------- */

bool packed_plain_type(const numel_tensor *t); /* F64, F32, F16, BF16 */
bool packed_same_dims(const uint64_t *wanted, uint32_t n, const uint64_t *is, uint32_t m);
/* The module's name as written in the file, which may differ from the spec's; {NULL, 0} if missing. */
numel_str packed_written(struct work *w, const struct layout_form *f, uint32_t row);
/* 0 if the tensor fits, else its fault (enum packed_fault_kind). */
int packed_misfit(const struct work *w, const struct stored *s, uint32_t tensor);
/* `found` gets the tensors in the file, by index in the form. Stops when the cost exceeds `most`. */
struct score packed_score(struct work *w, const struct layout_form *f, uint32_t row, unsigned most,
                          uint32_t found[LAYOUT_LINES]);
/* Assigns the form to the row: claims its tensors and reports its faults. */
bool packed_claim(struct work *w, const struct layout_form *f, uint32_t row,
                  const uint32_t found[LAYOUT_LINES]);
/* Claims a row without faults in the same way as the row `like`. */
void packed_claim_alike(struct work *w, uint32_t like, uint32_t row, const uint32_t found[LAYOUT_LINES]);
/* Reports a tensor of the row's form as missing or faulty. */
NUMEL_MUST bool packed_fault_of(struct work *w, const struct stored *s, uint32_t row, uint32_t tensor);
/* `row` NAMES_ABSENT: concerns all rows. `text` NULL: out of memory. */
NUMEL_MUST bool packed_contradict(struct work *w, uint32_t row, const char *text);

/* ---- packed_run.c ----------------------------------------------------------------------------- */

/* Call when a row is decided: it is plain, or has a form of this size with these tensors. Begins a run if
 * possible. */
void packed_run_begin(struct work *w, struct packed_run *run, uint32_t row, enum packed_shape shape,
                      const struct sized *s, const struct layout_form *form,
                      const uint32_t found[LAYOUT_LINES]);
/* True if the row after the run's last one is stored alike; otherwise the run ends. */
bool packed_run_goes_on(struct work *w, struct packed_run *run, uint32_t row);
/* Assigns the run's form to the row. */
void packed_run_claim(struct work *w, const struct packed_run *run, uint32_t row);

/* ---- packed.c --------------------------------------------------------------------------------- */

/* Sets p->layouts to all known ones. */
NUMEL_MUST bool packed_layouts(struct packed *p, struct library *library, numel_error *e);

/* Sets the candidates to the layouts named by the configuration (w->declared), or to all that the file may
 * contain. */
NUMEL_MUST bool packed_candidates(struct work *w);
enum packed_shape packed_shape_of(const struct site *s, numel_str name);
/* Describes a row as a module of a layout; false if its sizes are too large. */
bool packed_module(struct work *w, uint32_t row, struct layout_module *m);
/* The module's entry in the configuration's lists. Also sets the module's own values. */
struct layout_word packed_listed(const struct work *w, numel_str module, enum packed_shape shape,
                                 struct layout_module *m);
/* The forms of a module's size. `declared`: those of the configuration's layouts and values; otherwise
 * all. NULL: NOMEM, LIMIT. */
struct sized *packed_sized(struct work *w, const struct layout_module *m, enum packed_shape shape,
                           bool declared);

/* Sets *out to a form that fits the row without faults, preferably of the layout `first`; or to NULL. */
bool packed_fitting(struct work *w, uint32_t row, const struct layout_module *m, enum packed_shape shape,
                    const struct layout *first, const struct layout_form **out);

/* The row's entry in the lists, also under its name in the file. */
NUMEL_MUST bool packed_said(struct work *w, uint32_t row, enum packed_shape shape, struct layout_module *m,
                            struct layout_word *said);

/* ---- packed_left.c ------------------------------------------------------------------------------ */

/* Notes a packed row that a list excludes. */
NUMEL_MUST bool packed_note_listed(struct work *w, uint32_t row, struct layout_word said);
NUMEL_MUST bool packed_tell_listed(struct work *w);
/* Reports plain rows that the loader would have packed. */
NUMEL_MUST bool packed_tell_left(struct work *w);

/* ---- packed_told.c ------------------------------------------------------------------------------ */

NUMEL_MUST bool packed_tell_told(struct work *w);

/* ---- packed_otherwise.c ------------------------------------------------------------------------ */

/* If form f has faults, finds what the row's tensors show: other bits, or another size. */
NUMEL_MUST bool packed_ask_shapes(struct work *w, uint32_t row, const struct layout_module *m,
                                  enum packed_shape shape, const struct layout_form *f);
NUMEL_MUST bool packed_solve_size(struct work *w, uint32_t row, const struct layout_module *m,
                                  const struct layout_form *f);
/* Notes contradictory statements about a row. Equal ones are reported once. */
NUMEL_MUST bool packed_note_contradiction(struct work *w, uint32_t row, const char *text);
/* Reports the contradictions of all rows. */
NUMEL_MUST bool packed_tell_otherwise(struct work *w);

/* ---- packed_witness.c ------------------------------------------------------------------------- */

/* The file's answers about a row, valid until the next call; NULL without a file. */
const struct nearby *packed_nearby(struct work *w, uint32_t row);

/* ---- packed_beside.c -------------------------------------------------------------------------- */

/* A tensor that a stack shares must belong to all of its rows. */
bool packed_all_share(struct work *w);
/* If only some weights have an optional tensor, it is missing in the others. */
bool packed_all_or_none(struct work *w);
/* A layout's mean over its weights must match the stated one. */
bool packed_means(struct work *w);
/* Claims the tensors that a layout allows next to the weights. */
bool packed_extras(struct work *w);

/* ---- packed_several.c ------------------------------------------------------------------------- */

/* Finds the fitting rows that have other, equally good solutions, and those solutions. */
bool packed_find_several(struct work *w);

#endif
