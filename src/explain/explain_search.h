/*
 * explain_search.h -- the search for accounts, as its files share it; see explain.h.
 *
 * A counting's entries are gathered into cells: entries that the same steps concern, in sums. So each set
 * of steps is a sum over a dozen cells. explain.c walks the sets and keeps what fits the
 * claim, explain_chance.c walks them again to count what a figure like the claim could have met.
 */
#ifndef NUMEL_EXPLAIN_EXPLAIN_SEARCH_H
#define NUMEL_EXPLAIN_EXPLAIN_SEARCH_H

#include "explain/explain_internal.h"

__extension__ typedef unsigned __int128 wide;

enum { WINDOWS = 32 };

struct window { /* of elements */
    uint64_t low, high;
    uint64_t below, above; /* of what is claimed: how far the reading goes from it */
    uint8_t unit, reading;
    bool exact;
    unsigned cost;
};

struct cell {
    uint64_t without, with; /* steps of which one leaves it out; that all must take it in */
    uint64_t stack;
    uint64_t size, full, raw, grows[DIMENSIONS];
};

struct search;
/* Is shown each set of steps that the walk comes to. *stop: it goes no deeper there. False: NOMEM. */
typedef bool visitor(struct search *s, const struct account *a, bool *stop);

struct search {
    struct explanation *x;
    const struct counting *c;
    struct cell *cells;
    size_t cell_count, cell_cap;
    struct window windows[WINDOWS];
    unsigned window_count;
    uint64_t usable; /* steps that change anything here */
    uint64_t full, raw, used, one;
    bool tied; /* the head is the table of tokens */
    unsigned limit, deep;
    uint64_t nodes;
    struct account nearest;
    unsigned nearest_cost;
    uint64_t unit; /* what an exact claim and the width are both multiples of: so is every matrix */
    visitor *visit;
    struct cover *cover; /* of the walk of explain_chance.c */
    numel_error *error;
};

/* ---- explain_cells.c ---------------------------------------------------------------------- */

/* The cells of s->c, and which steps change anything in it. NOMEM. */
bool cells_make(struct search *s);
/* What the counting has with these steps, dimension aside; 0: nothing, or too much. */
uint64_t cells_count(const struct search *s, uint64_t taken);
/* By how much that grows with one more of a size. */
uint64_t cells_growth(const struct search *s, uint64_t taken, int dimension);

/* ---- explain_dimensions.c ---------------------------------------------------------------------- */

/* Bits to say the value v of a size that is `from`, of an exact claim or of a rounded one. */
unsigned dimension_cost(int dimension, uint64_t v, uint64_t from, bool exact);
bool dimension_is_known(uint64_t v);
/* About how many values from low to high cost at most so much; rather more than less. */
uint64_t dimension_values(int dimension, uint64_t from, uint64_t low, uint64_t high, unsigned cost);

/* ---- explain.c ---------------------------------------------------------------------------- */

/* All sets of steps of all countings within s->limit, by s->visit. */
bool search_walk(struct search *s);

/* ---- explain_chance.c --------------------------------------------------------------------- */

/* Sets x->met and x->explained by the best account. */
bool explain_chance(struct search *s);

#endif
