/*
 * explain_internal.h -- what the files of explain share.
 *
 *     explain.c             the best account of what was found, and what is said of it
 *     explain_windows.c     the counts that a claim may stand for, by reading and unit
 *     explain_fit.c         one way of counting held against them, sizes taken for others included
 *     explain_nearest.c     the account that is shown when none fits
 *     explain_chance.c      whether a false figure would have been met as well
 *     explain_count.c       what may be counted; explain_classes.c, explain_popular.c: further such
 *     explain_cells.c       its entries in cells, so that a set of steps is soon counted
 *     explain_dimensions.c  what it costs to say that a size was taken for another
 *
 * The sets of steps are walked by statement/search.h: countings are its sums, steps its choices.
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
    uint64_t below, above; /* of what is claimed: how far the reading goes from it */
    uint8_t unit, reading;
    bool exact;
    unsigned cost;
};

/* Entries that the same steps concern, in sums. */
struct cell {
    uint64_t without, with; /* steps of which one leaves it out; that all must take it in */
    uint64_t stack;
    uint64_t size, full, raw, grows[DIMENSIONS];
    uint64_t hash, full_hash, raw_hash; /* of the entries, with their sizes */
};

/* One claim being explained. */
struct explaining {
    struct explanation *x;
    const struct counting *c; /* the one that is walked, and its cells */
    struct cell *cells;
    size_t cell_count, cell_cap;
    uint64_t usable; /* steps that change anything in it */
    struct window windows[WINDOWS];
    unsigned window_count;
    uint64_t full, raw, used, one; /* the steps of each of these kinds */
    bool tied;                     /* the head is the table of tokens */
    unsigned limit, deep;          /* cost of an account, and steps in it, at most */
    struct account nearest;
    unsigned nearest_cost;
    numel_error *error;
};

/* ---- explain_count.c: what is counted ----------------------------------------------------- */

/* All that may be counted, the parameters first. */
NUMEL_MUST bool explain_countings(struct explanation *x, numel_error *e);
/* Adds one, unless it has nothing to count or too much for 61 bits. */
NUMEL_MUST bool explain_add(struct explanation *x, struct counting c, numel_error *e);
/* explain_classes.c: of a configuration, what other classes of it have. */
NUMEL_MUST bool explain_classes(struct explanation *x, numel_error *e);
/* Bit sets over the steps: all of a kind; those of a kind that concern an entry. */
uint64_t explain_steps_of(enum step_kind kind);
uint64_t explain_steps_on(const struct entry *n, enum step_kind kind);
/* The entries that a counting may take: those of its role, or all. */
static inline size_t explain_first(const struct counting *c) { return c->role.p ? c->first : 0; }
static inline size_t explain_next(const struct explanation *x, const struct counting *c, size_t i)
{
    return c->role.p ? x->ledger->entries[i].next : i + 1;
}
bool explain_in_scope(const struct counting *c, const struct entry *n);
/* Does the entry stand beside the parameters, so that a step must take it in? */
bool explain_needs_step(const struct counting *c, const struct entry *n);
/* How many of so many experts are counted. */
uint64_t explain_experts(const struct ledger *l, uint64_t taken, uint64_t of);

/* ---- explain_cells.c ---------------------------------------------------------------------- */

/* The cells of s->c, and which steps change anything in it. NOMEM. */
bool cells_make(struct explaining *s);
/* What the counting has with these steps, dimension aside; 0: nothing, or too much. */
uint64_t cells_count(const struct explaining *s, uint64_t taken);
/* Of the entries that are counted so, and their sizes: the same for the same ones, in whatever cells they are. */
uint64_t cells_hash(const struct explaining *s, uint64_t taken);
/* By how much that grows with one more of a size; 0 when the model does not have the size, or it is too much. */
uint64_t cells_growth(const struct explaining *s, uint64_t taken, int dimension);

/* ---- explain_dimensions.c ----------------------------------------------------------------- */

/* Bits to say the value v of a size that is `from`, of an exact claim or of a rounded one. */
unsigned dimension_cost(int dimension, uint64_t v, uint64_t from, bool exact);
bool dimension_is_known(uint64_t v);
/* About how many values from low to high cost at most so much; rather more than less. */
uint64_t dimension_values(int dimension, uint64_t from, uint64_t low, uint64_t high, unsigned cost);
/* The account with another value of one of its sizes; its cost grows by what that costs. */
struct account dimension_resize(const struct explaining *s, struct account a, int dimension, uint64_t v,
                                uint64_t grows);

/* ---- explain_windows.c, explain_fit.c, explain_nearest.c, explain_chance.c ---------------- */

void windows_make(struct explaining *s);
/* What the counted elements are in a window's unit. */
wide window_shown(const struct window *w, uint64_t counted);

/* Shows visit() the sets of steps of all countings within s->limit. NOMEM. */
bool explain_walk(struct explaining *s, search_visitor *visit, void *to);
struct account account_of(const struct search_way *w);
/* A search_visitor of a struct explaining: keeps what fits a window, and the nearest account. */
enum search_next fit_visit(void *to, const struct search_way *w);
/* No account with this counting, unit and reading explains the claim, whatever it costs. */
bool fit_is_loose(const struct explanation *x, const struct account *a);
/* Keeps the account in s->nearest, if saying it and what it leaves takes fewer bits than the one there. */
void nearest_try(struct explaining *s, struct account a);
/* Sets x->met and x->explained by the best account. NOMEM. */
bool explain_chance(struct explaining *s);

static inline unsigned explain_bits(uint64_t v) /* floor(log2), 0 for 0 */
{
    return v ? 63 - (unsigned)__builtin_clzll(v) : 0;
}

#endif
