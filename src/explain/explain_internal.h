/*
 * explain_internal.h -- shared by the files of explain.
 *
 *     explain.c             picks the best account and judges it
 *     explain_windows.c     the counts that a claim may stand for, by reading and unit
 *     explain_fit.c         compares a way of counting with them, mistaken sizes included
 *     explain_nearest.c     the account shown when none fits
 *     explain_chance.c      whether a false figure would have fitted as well
 *     explain_count.c       what may be counted; more in explain_classes.c and explain_popular.c
 *     explain_cells.c       groups entries in cells, to count a set of steps fast
 *     explain_dimensions.c  the cost of mistaking one size for another
 *
 * statement/search.h walks the sets of steps: countings are its sums, steps its choices.
 */
#ifndef NUMEL_EXPLAIN_EXPLAIN_INTERNAL_H
#define NUMEL_EXPLAIN_EXPLAIN_INTERNAL_H

#include "explain/explain.h"
#include "formula/embedded.h"
#include "statement/search.h"

__extension__ typedef unsigned __int128 wide;

enum { WINDOWS = 32 };

struct window {            /* of elements */
    uint64_t low, high;    /* from low up to, not including, high */
    uint64_t below, above; /* how far the reading extends from the claimed value */
    uint8_t unit, reading;
    bool exact;
    unsigned cost;
};

/* The sum of the entries that the same steps affect. */
struct cell {
    uint64_t without, with; /* any one of these steps leaves it out; all of these must add it */
    uint64_t stack;
    uint64_t size, full, raw, grows[DIMENSIONS];
    uint64_t hash, full_hash, raw_hash; /* of the entries and their sizes */
};

/* One claim being explained. */
struct explaining {
    struct explanation *x;
    const struct counting *c; /* the current one, and its cells */
    struct cell *cells;
    size_t cell_count, cell_cap;
    uint64_t usable; /* steps that change anything in it */
    struct window windows[WINDOWS];
    unsigned window_count;
    uint64_t full, raw, used, one; /* the steps of each of these kinds */
    bool tied;                     /* the head is tied to the token embeddings */
    unsigned limit, deep;          /* most cost and most steps of an account */
    struct account nearest;
    unsigned nearest_cost;
    numel_error *error;
};

/* ---- explain_count.c ---------------------------------------------------------------------- */

/* Everything that may be counted, the parameters first. */
NUMEL_MUST bool explain_countings(struct explanation *x, numel_error *e);
/* Adds one, unless it counts nothing or needs more than 61 bits. */
NUMEL_MUST bool explain_add(struct explanation *x, struct counting c, numel_error *e);
/* explain_classes.c: a configuration's parameters under other classes. */
NUMEL_MUST bool explain_classes(struct explanation *x, numel_error *e);
/* Bit sets over the steps: all of a kind; those of a kind that affect an entry. */
uint64_t explain_steps_of(enum step_kind kind);
uint64_t explain_steps_on(const struct entry *n, enum step_kind kind);
/* Walks the entries that a counting may count: those of its role, or all. */
static inline size_t explain_first(const struct counting *c) { return c->role.p ? c->first : 0; }
static inline size_t explain_next(const struct explanation *x, const struct counting *c, size_t i)
{
    return c->role.p ? x->ledger->entries[i].next : i + 1;
}
bool explain_in_scope(const struct counting *c, const struct entry *n);
/* Is the entry not a parameter, so that a step must add it? */
bool explain_needs_step(const struct counting *c, const struct entry *n);
/* How many of the `of` experts are counted. */
uint64_t explain_experts(const struct ledger *l, uint64_t taken, uint64_t of);

/* ---- explain_cells.c ---------------------------------------------------------------------- */

/* Makes the cells of s->c and finds the steps that change it. NOMEM. */
bool cells_make(struct explaining *s);
/* The counting's value with these steps, dimension aside; 0: nothing, or too much. */
uint64_t cells_count(const struct explaining *s, uint64_t taken);
/* Hash of the entries counted with these steps and of their sizes, whichever cells they are in. */
uint64_t cells_hash(const struct explaining *s, uint64_t taken);
/* The count's growth when a size grows by one; 0 if the model lacks the size, or it is too much. */
uint64_t cells_growth(const struct explaining *s, uint64_t taken, int dimension);

/* ---- explain_dimensions.c ----------------------------------------------------------------- */

/* Bits of the value v for a size that is `from`, in an exact or a rounded claim. */
unsigned dimension_cost(int dimension, uint64_t v, uint64_t from, bool exact);
bool dimension_is_known(uint64_t v);
/* Upper estimate of the values from low to high that cost at most `cost`. */
uint64_t dimension_values(int dimension, uint64_t from, uint64_t low, uint64_t high, unsigned cost);
/* The account with another value for one of its sizes, and with that value's cost added. */
struct account dimension_resize(const struct explaining *s, struct account a, int dimension, uint64_t v,
                                uint64_t grows);

/* ---- explain_windows.c, explain_fit.c, explain_nearest.c, explain_chance.c ---------------- */

void windows_make(struct explaining *s);
/* The counted elements in the window's unit. */
wide window_shown(const struct window *w, uint64_t counted);

/* Calls visit() for the sets of steps of all countings within s->limit. NOMEM. */
bool explain_walk(struct explaining *s, search_visitor *visit, void *to);
struct account account_of(const struct search_way *w);
/* A search_visitor of a struct explaining: keeps accounts that fit a window, and the nearest. */
enum search_next fit_visit(void *to, const struct search_way *w);
/* Whether accounts with this counting, unit and reading never explain the claim, at any cost. */
bool fit_is_loose(const struct explanation *x, const struct account *a);
/* Keeps the account in s->nearest if it and its remainder take fewer bits than the one there. */
void nearest_try(struct explaining *s, struct account a);
/* Sets x->met and x->explained for the best account. NOMEM. */
bool explain_chance(struct explaining *s);

static inline unsigned explain_bits(uint64_t v) /* floor(log2), 0 for 0 */
{
    return v ? 63 - (unsigned)__builtin_clzll(v) : 0;
}

#endif
