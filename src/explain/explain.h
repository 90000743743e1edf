/*
 * explain.h -- which way of counting a model gives a number that somebody states.
 *
 * An account is a way of counting:
 *   scope    what is counted at all: the parameters, one layer, one role, the stored elements, ...;
 *            or a formula that people use instead of counting
 *   steps    what is then left out, added, or taken at another size: without output head, with
 *            buffers, K and V at full heads
 *   dimension     one size taken for another: a vocabulary of 50,000
 *   unit     what the result was then multiplied by: bytes, off by a factor of 1000
 * Steps are not plain sums: without biases and without head meet in the head's bias. So each account is
 * counted over the ledger's entries, in integers, and a step's line in a statement is what it changes
 * behind the steps before it; lines add up by construction.
 *
 * Each row of the tables has a cost in bits: a cause that is met in one of four claims has 2. An
 * account costs what its parts cost, so that the shortest story comes first. A claim in turn is worth
 * as many bits as its digits rule out: 36 for an exact 78,235,566,080, 3 for "8B". That an account fits
 * proves little when many as cheap lie about: some of them fits many a false figure. So it is counted what
 * share of the figures that are written like the claim, from half to twice of it, an account no dearer
 * than the best would meet (explain_chance.c). The best explains the claim when half of the claim's bits would
 * do to pick it out of those; else it is possible, and may be chance. Two digits that a second account fits
 * for the same price speak for neither. A single layer, a factor of 1000, a name that is not a number
 * (`loose` in the tables) explain no rounded claim, however well they fit.
 *
 * A size that is solved for, V = 50,000, costs what it takes to say it: known and round ones less. All
 * numbers made of a model's sizes are multiples of powers of two and of E, and some size solves for most of
 * them, so that such an account is counted among the multiples of E alone.
 * What no account meets is left as a rest, and the account is taken for which saying both is
 * shortest; a rest that is a multiple of the layers, or of E, is shorter to say.
 */
#ifndef NUMEL_EXPLAIN_EXPLAIN_H
#define NUMEL_EXPLAIN_EXPLAIN_H

#include "explain/claim.h"
#include "explain/ledger.h"

/* ---- the tables: explain_tables.c --------------------------------------------------------- */

struct scope {
    struct line_code line;
    uint32_t all, any, none; /* traits of the entries; any 0: no matter */
    bool each_kind;          /* of one layer, of each kind of layers */
    bool no_steps;           /* parts of parts are counted as they are */
    bool loose;              /* never explains a rounded figure */
    unsigned cost;
};
extern const struct scope scopes[];
extern const size_t scope_rows;

enum step_kind {
    STEP_WITHOUT, /* leaves out entries that have all of `all`, any of `any`, none of `none` */
    STEP_WITH,    /* takes in entries beside the parameters, which are out without it */
    STEP_FULL,    /* as many key and value heads as query heads */
    STEP_USED,    /* of the routed experts those that a token passes */
    STEP_ONE,     /* one of the routed experts */
    STEP_RAW      /* packed values as they are stored */
};

struct step {
    struct line_code line;
    enum step_kind kind;
    uint32_t all, any, none;
    unsigned cost;    /* see explain_step_cost() */
    const char *note; /* behind the tensors in a statement; NULL: none */
};
enum { STEPS_MOST = 64 };
extern const struct step steps[];
extern const unsigned step_rows;

struct unit_error {
    struct line_code line;
    const char *detail;
    uint64_t times, parts; /* shown = counted * times / parts */
    bool exact;            /* an exact claim may be of it */
    bool loose;            /* never explains a rounded figure */
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

/* Formulas that people use instead of counting; popular.c. False when the model lacks a symbol of it, or
 * it does not fit in 63 bits. */
struct popular {
    struct line_code line;
    const char *formula;
    bool (*value)(const struct ledger *l, uint64_t *out);
    unsigned cost;
};
extern const struct popular popular_rows[];
extern const size_t popular_count;

/* name, code, text: values that are not counted over entries, or of entries of one role. */
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

struct counting { /* a scope, with its layer or role filled in */
    const struct line_code *line;
    const char *name;          /* the line's text, with the role, type or class filled in */
    const struct scope *scope; /* NULL: a value that is not counted over entries */
    const char *detail;
    uint64_t value;  /* without any step */
    uint64_t divide; /* layers of the kind, of which one is counted */
    uint32_t kind;   /* NO_KIND: all */
    numel_str role;  /* {NULL, 0}: all */
    uint32_t first;  /* the first entry of that role */
    uint64_t tensors;
    bool stored; /* what a checkpoint stores: as reconcile's statement has it */
    bool class;  /* the parameters of another class */
    unsigned cost;
};

enum { NO_DIMENSION = -1 };

struct account {
    uint32_t counting; /* index */
    uint64_t steps;    /* bit set over the table */
    int dimension;
    uint64_t resized; /* its value */
    uint8_t unit;
    uint8_t reading;  /* enum claim_reading */
    uint64_t counted; /* elements */
    uint64_t shown;   /* after the unit: what is compared */
    int64_t rest;     /* claim - shown; 0 when it fits, rounded or not */
    unsigned cost;
    bool loose;    /* never explains this claim */
    bool active;   /* it is the active count of a mixture, which always does */
    uint64_t same; /* hash of what is counted: two accounts of one hash say the same */
};

struct hidden { /* what the digits of the claim do not show */
    const char *name;
    int64_t elements;
};

enum { ACCOUNTS_MOST = 4096, HIDDEN_MOST = 8 };

struct explanation {
    struct claim claim;
    uint64_t low, high; /* as written */
    unsigned bits;      /* that the claim is worth */
    unsigned odd_bits;  /* that it is worth to an account with a size solved for */
    struct ledger *ledger;
    struct counting *countings;
    size_t counting_count, counting_cap;
    struct account *accounts; /* best first */
    size_t count, cap;
    bool fits;      /* accounts[0] fits; else it is the nearest */
    bool explained; /* it fits, and few false figures would have been met as well */
    bool tied;      /* a second one is as cheap, and the digits are two or less */
    unsigned met;   /* of 1000 figures like the claim: met by an account no dearer */
    struct hidden hidden[HIDDEN_MOST];
    unsigned hidden_count;
};

/* At least one account, if the model has any parameter. The ledger must outlive it. NOMEM. */
NUMEL_MUST bool explain(struct explanation *x, const struct claim *c, struct ledger *l, numel_error *e);
void explain_done(struct explanation *x);

/* Is the entry counted by a counting with these steps? */
bool explain_takes(const struct counting *c, uint64_t taken, const struct entry *n);
/* What the counting has with these steps, dimension aside. */
uint64_t explain_value(const struct explanation *x, const struct counting *c, uint64_t taken);
/* Elements of an entry that is taken. */
uint64_t explain_size(const struct explanation *x, const struct counting *c, uint64_t taken,
                      const struct entry *n);
/* "80 x 1,572,864", or "" when the rest is not a multiple of the layers or of E. In the arena. */
const char *explain_factors(const struct explanation *x, int64_t rest);

/* What an account may cost at most and be an explanation: half of what the claim is worth, and two bits. */
static inline unsigned explain_bits_most(const struct explanation *x) { return x->bits / 2 + 2; }

#endif
