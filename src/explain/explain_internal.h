/*
 * explain_internal.h -- shared by the files of explain.
 *
 *   explain.c             picks the best account and judges it
 *   explain_windows.c     the counts that a claim may stand for, by reading and unit
 *   explain_fit.c         compares ways of counting with them, including mistaken sizes
 *   explain_nearest.c     the account shown if none fits
 *   explain_chance.c      whether a wrong figure would have fitted as well
 *   explain_count.c       what may be counted; more in explain_classes.c and explain_popular.c
 *   explain_cells.c       groups entries into cells, so that a set of steps is counted fast
 *   explain_dimensions.c  the cost of mistaking one size for another
 *
 * statement/search.h walks the sets of steps: its sums are countings, its choices are steps.
 */
#ifndef NUMEL_EXPLAIN_EXPLAIN_INTERNAL_H
#define NUMEL_EXPLAIN_EXPLAIN_INTERNAL_H

#include "explain/explain.h"
#include "formula/embedded.h"
#include "statement/search.h"

__extension__ typedef unsigned __int128 wide;

enum { WINDOWS = 32 };

struct window {            /* a range of elements */
    uint64_t low, high;    /* from low up to, but not including, high */
    uint64_t below, above; /* how far the reading extends from the claimed value */
    uint8_t unit, reading;
    bool exact;
    unsigned cost;
};

/* The sum of all entries that are affected by the same steps. */
struct cell {
    uint64_t without, with; /* any of these steps leaves it out; all of these must add it */
    uint64_t stack;
    uint64_t size, full, raw, grows[DIMENSIONS];
    uint64_t hash, full_hash, raw_hash; /* of the entries with their sizes */
};

/* A claim while it is being explained. */
struct explaining {
    struct explanation *x;
    const struct counting *c; /* the current counting and its cells */
    struct cell *cells;
    size_t cell_count, cell_cap;
    uint64_t usable; /* steps that affect this counting */
    struct window windows[WINDOWS];
    unsigned window_count;
    uint64_t full, raw, used, one; /* bit sets: the steps of each of these kinds */
    bool tied;                     /* the head is tied to the token embeddings */
    unsigned limit, deep;          /* highest cost and most steps of an account */
    struct account nearest;
    unsigned nearest_cost;
    numel_error *error;
};

/* ---- explain_count.c ---------------------------------------------------------------------- */

/* Makes everything that may be counted, starting with the parameters. */
NUMEL_MUST bool explain_countings(struct explanation *x, numel_error *e);
/* Adds a counting, unless it counts nothing or needs more than 61 bits. */
NUMEL_MUST bool explain_add(struct explanation *x, struct counting c, numel_error *e);
/* explain_classes.c: a configuration's parameters under other classes. */
NUMEL_MUST bool explain_classes(struct explanation *x, numel_error *e);
/* Bit sets of steps: those of a kind; those of a kind that affect an entry. */
uint64_t explain_steps_of(enum step_kind kind);
uint64_t explain_steps_on(const struct entry *n, enum step_kind kind);
/* Iterates over the entries that a counting may count: those of its role, or all. */
static inline size_t explain_first(const struct counting *c) { return c->role.p ? c->first : 0; }
static inline size_t explain_next(const struct explanation *x, const struct counting *c, size_t i)
{
    return c->role.p ? x->ledger->entries[i].next : i + 1;
}
bool explain_in_scope(const struct counting *c, const struct entry *n);
/* True if the entry is not a parameter, so that a step must add it. */
bool explain_needs_step(const struct counting *c, const struct entry *n);
/* The number of experts counted, out of `of`. */
uint64_t explain_experts(const struct ledger *l, uint64_t taken, uint64_t of);

/* ---- explain_cells.c ---------------------------------------------------------------------- */

/* Makes the cells of s->c, and finds the steps that affect it. NOMEM. */
bool cells_make(struct explaining *s);
/* The counting's value with these steps, without a dimension; 0 if nothing or too much is counted. */
uint64_t cells_count(const struct explaining *s, uint64_t taken);
/* A hash of the entries counted with these steps and of their sizes, however they are divided into cells. */
uint64_t cells_hash(const struct explaining *s, uint64_t taken);
/* The growth of the count if a size grows by one; 0 if the model does not have the size, or for overflow. */
uint64_t cells_growth(const struct explaining *s, uint64_t taken, int dimension);

/* ---- explain_dimensions.c ----------------------------------------------------------------- */

/* The bits that value v costs for a size of `from`, in an exact or a rounded claim. */
unsigned dimension_cost(int dimension, uint64_t v, uint64_t from, bool exact);
bool dimension_is_known(uint64_t v);
/* An upper bound for the number of values from low to high that cost at most `cost`. */
uint64_t dimension_values(int dimension, uint64_t from, uint64_t low, uint64_t high, unsigned cost);
/* The account with another value for one of its sizes, including the cost of the value. */
struct account dimension_resize(const struct explaining *s, struct account a, int dimension, uint64_t v,
                                uint64_t grows);

/* ---- explain_windows.c, explain_fit.c, explain_nearest.c, explain_chance.c ---------------- */

void windows_make(struct explaining *s);
/* The number of counted elements in the window's unit. */
wide window_shown(const struct window *w, uint64_t counted);

/* Calls visit() for the sets of steps of all countings, within s->limit. NOMEM. */
bool explain_walk(struct explaining *s, search_visitor *visit, void *to);
struct account account_of(const struct search_way *w);
/* A search_visitor for a struct explaining. Keeps accounts that fit a window, and the nearest one. */
enum search_next fit_visit(void *to, const struct search_way *w);
/* True if accounts with this counting, unit and reading never explain the claim, at any cost. */
bool fit_is_loose(const struct explanation *x, const struct account *a);
/* Keeps the account as s->nearest if, together with its remainder, it takes fewer bits. */
void nearest_try(struct explaining *s, struct account a);
/* Sets x->met and x->explained according to the best account. NOMEM. */
bool explain_chance(struct explaining *s);

static inline unsigned explain_bits(uint64_t v) /* floor(log2), 0 for 0 */
{
    return v ? 63 - (unsigned)__builtin_clzll(v) : 0;
}

#endif
