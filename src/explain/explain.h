/*
 * explain.h -- finds out which way of counting a model gives a claimed number.
 *
 * An account is a way of counting:
 *   scope      what is counted at first: the parameters, one layer, one role, the stored elements, ...;
 *              or a formula that people use instead of counting
 *   steps      entries that are then left out, added, or counted at another size: without output head,
 *              with buffers, K and V at full heads
 *   dimension  one size mistaken for another: a vocabulary of 50,000
 *   unit       a factor applied to the result: bytes, off by a factor of 1000
 *
 * Steps are not plain sums: "without biases" and "without head" both cover the head's bias. Each account is
 * therefore counted over the ledger's entries, in integers, and a step's line in a statement is the change
 * that it makes after the steps before it. This way lines add up by construction.
 *
 * Each row of the tables has a cost in bits: a cause found in one of four claims costs 2. The cost of an
 * account is the sum of its parts, so the shortest explanation comes first. A claim is worth as many bits as
 * its digits rule out: 36 for an exact 78,235,566,080, 3 for "8B". If many accounts are equally cheap, a fit
 * proves little, because one of them fits many a wrong figure. explain_chance.c therefore measures, among
 * figures written like the claim and between half and twice as large, the share that some account no more
 * expensive than the best would fit. The best account explains the claim if half of the claim's bits suffice
 * to pick it out of those; otherwise it is possible, and may be chance. If two accounts fit two digits at the
 * same cost, neither explains them. A single layer, a factor of 1000, and a name that is not a number
 * (`loose` in the tables) never explain a rounded claim, however well they fit.
 *
 * A solved size, V = 50,000, costs the bits of its value, and less if it is known or round. Numbers made of a
 * model's sizes are multiples of powers of two and of E, and some size solves for most of them, so such an
 * account is judged among the multiples of E alone.
 *
 * If no account fits, the nearest is shown with its remainder: the one for which both together take the
 * fewest bits. A remainder that is a multiple of the layers or of E takes fewer.
 */
#ifndef NUMEL_EXPLAIN_EXPLAIN_H
#define NUMEL_EXPLAIN_EXPLAIN_H

#include "explain/claim.h"
#include "explain/ledger.h"

/* ---- the tables: explain_tables.c --------------------------------------------------------- */

struct scope {
    struct line_code line;
    uint32_t all, any, none; /* traits of the entries; any 0: not checked */
    bool each_kind;          /* one layer of each kind */
    bool no_steps;           /* already part of a part, so steps are pointless */
    bool loose;              /* never explains a rounded claim */
    unsigned cost;
};
extern const struct scope scopes[];
extern const size_t scope_rows;

enum step_kind {
    STEP_WITHOUT, /* leaves out entries with all of `all`, any of `any` and none of `none` */
    STEP_WITH,    /* adds entries that are not parameters */
    STEP_FULL,    /* as many key and value heads as query heads */
    STEP_USED,    /* only the routed experts that one token uses */
    STEP_ONE,     /* a single routed expert */
    STEP_RAW      /* packed values count as stored */
};

struct step {
    struct line_code line;
    enum step_kind kind;
    uint32_t all, any, none;
    unsigned cost;    /* see step_cost(), explain_fit.c */
    const char *note; /* shown after the tensors in a statement; or NULL */
};
enum { STEPS_MOST = 64 };
extern const struct step steps[];
extern const unsigned step_rows;

struct unit_error {
    struct line_code line;
    const char *detail;
    uint64_t times, parts; /* shown = counted * times / parts */
    bool exact;            /* also applies to exact claims */
    bool loose;            /* never explains a rounded claim */
    bool bytes;
    unsigned cost;
};
extern const struct unit_error unit_errors[];
extern const unsigned unit_error_rows;

struct dimension_row {
    struct line_code line;
    unsigned cost;
};
extern const struct dimension_row dimension_rows[DIMENSIONS];

/* Formulas that people use instead of counting; explain_popular.c. value() is false if the model does not
 * have one of the symbols, or the result does not fit in 63 bits. */
struct popular {
    struct line_code line;
    const char *formula;
    bool (*value)(const struct ledger *l, uint64_t *out);
    unsigned cost;
};
extern const struct popular popular_rows[];
extern const size_t popular_count;

/* name, code, text: values that are not counted over entries, or over those of a single role. */
#define EXPLAIN_CODES(X)                                    \
    X(ROLE, "role", "tensors of one role")                  \
    X(ROLE_OF_LAYER, "role-of-layer", "role in one layer")  \
    X(STORED, "stored", "stored")                           \
    X(TENSOR_BYTES, "tensor-bytes", "bytes of tensor data") \
    X(FILE_BYTES, "file-bytes", "bytes of the files")       \
    X(TYPE, "type", "elements of one type")                 \
    X(CLASS, "class", "as another class")

enum {
#define X(name, code, text) EXPLAIN_##name,
    EXPLAIN_CODES(X)
#undef X
        EXPLAIN_CODE_COUNT
};
extern const struct line_code explain_codes[EXPLAIN_CODE_COUNT];

/* ---- the search --------------------------------------------------------------------------- */

struct counting { /* a scope, filled in with a layer or role */
    const struct line_code *line;
    const char *name;          /* the line's text, filled in with role, type or class */
    const struct scope *scope; /* NULL: the value is not counted over entries */
    const char *detail;
    uint64_t value;  /* without steps */
    uint64_t divide; /* number of layers of the kind, to count one of them; else 1 */
    uint32_t kind;   /* NO_KIND: all kinds */
    numel_str role;  /* {NULL, 0}: all roles */
    uint32_t first;  /* the first entry of that role */
    uint64_t tensors;
    bool stored; /* the stored elements, as in a statement */
    bool class;  /* the parameters of another class */
    unsigned cost;
};

enum { NO_DIMENSION = -1 };

struct account {
    uint32_t counting; /* index of the counting */
    uint64_t steps;    /* bit set of rows in `steps` */
    int dimension;
    uint64_t resized; /* the dimension's new value */
    uint8_t unit;
    uint8_t reading;  /* enum claim_reading */
    uint64_t counted; /* elements */
    uint64_t shown;   /* in the unit; compared with the claim */
    int64_t rest;     /* claim - shown; 0 if it fits, even if rounded */
    unsigned cost;
    bool loose;    /* never explains this claim */
    bool active;   /* the active count of a mixture, which always explains */
    uint64_t same; /* hash of the counted entries, equal for equal accounts */
};

struct hidden { /* a step too small to show in the claim's digits */
    const char *name;
    int64_t elements;
};

enum { ACCOUNTS_MOST = 4096, HIDDEN_MOST = 8 };

struct explanation {
    struct claim claim;
    uint64_t low, high; /* the claim as written */
    unsigned bits;      /* the worth of the claim */
    unsigned odd_bits;  /* ... for an account with a solved size */
    struct ledger *ledger;
    struct counting *countings;
    size_t counting_count, counting_cap;
    struct account *accounts; /* best first */
    size_t count, cap;
    bool fits;      /* accounts[0] fits; otherwise it is the nearest */
    bool explained; /* it fits, and few wrong figures would have fitted */
    bool tied;      /* a second account is equally cheap, and there are at most two digits */
    unsigned met;   /* how many of 1000 figures like the claim an equally cheap account would fit */
    struct hidden hidden[HIDDEN_MOST];
    unsigned hidden_count;
};

/* Finds at least one account if the model has parameters. The ledger must outlive the explanation. NOMEM. */
NUMEL_MUST bool explain(struct explanation *x, const struct claim *c, struct ledger *l, numel_error *e);
void explain_done(struct explanation *x);

/* True if the counting with these steps counts the entry. */
bool explain_takes(const struct counting *c, uint64_t taken, const struct entry *n);
/* The counting's value with these steps, without a dimension. */
uint64_t explain_value(const struct explanation *x, const struct counting *c, uint64_t taken);
/* The number of elements of a counted entry. */
uint64_t explain_size(const struct explanation *x, const struct counting *c, uint64_t taken,
                      const struct entry *n);
/* "80 x 1,572,864"; "" if the remainder is not a multiple of the layers or of E. In the arena. */
const char *explain_factors(const struct explanation *x, int64_t rest);

/* The most that an explanation may cost: half of the claim's worth, plus two bits. */
static inline unsigned explain_bits_most(const struct explanation *x) { return x->bits / 2 + 2; }

#endif
