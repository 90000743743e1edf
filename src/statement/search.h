/*
 * search.h -- which ways of counting give a number, and the cheapest of them; for every account of a number.
 *
 * A way of counting is one of several sums and a set of choices on top of it: without biases, with buffers, a
 * table that is printed twice counted once. Sums and choices have prices, so the shortest account is the
 * cheapest. Choices overlap (without biases and without head meet in the head's bias), so the caller counts
 * each sum with a set of them; it only adds up what it gathered beforehand.
 *
 * The walk is depth first: the sums in their order, and for each all sets of choices, a set before its
 * extensions by later choices. Price, choices in a set and ways in total are bounded, and the walk is the
 * same on every machine. A choice that changes nothing is skipped.
 */
#ifndef NUMEL_STATEMENT_SEARCH_H
#define NUMEL_STATEMENT_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEARCH_CHOICES = 64, SEARCH_APART = 2 };

struct search_way {
    size_t sum;     /* its index */
    uint64_t taken; /* bit set over the choices */
    uint64_t value; /* the count */
    unsigned price;
};

enum search_next {
    SEARCH_DEEPER, /* try more choices */
    SEARCH_BACK,   /* do not: they would explain nothing, or there is no such sum */
    SEARCH_FAILED  /* out of memory or similar: the walk ends */
};

struct search {
    void *ctx; /* of the functions */
    size_t sums;
    unsigned choices;             /* at most SEARCH_CHOICES */
    unsigned price_most;          /* for a way */
    unsigned choices_most;        /* in a way */
    uint64_t ways_most;           /* in total */
    uint64_t apart[SEARCH_APART]; /* sets of choices; a way has at most one from each set */
    /* Sum w->sum without a choice: sets its value and price, and the choices that may change it. */
    enum search_next (*begin)(void *ctx, struct search_way *w, uint64_t *usable);
    /* Sets the value of w->sum with w->taken. False if there is none or it does not fit; the walk then adds
     * no choice to it. NULL, like price, if nothing is usable. */
    bool (*count)(void *ctx, struct search_way *w);
    /* What one more choice costs. */
    unsigned (*price)(void *ctx, uint64_t taken, unsigned choice);
};

typedef enum search_next search_visitor(void *to, const struct search_way *w);

/* Shows every way within the bounds to visit(). False when it or begin() failed. */
bool search_walk(const struct search *s, search_visitor *visit, void *to);

/* The cheapest way whose value is from low to high; if several are, that of the first sum, then the one of
 * the lowest choices. False when there is none or begin() failed; *below (may be NULL) is the largest value
 * below low, or 0. */
bool search_cheapest(const struct search *s, uint64_t low, uint64_t high, struct search_way *best,
                     uint64_t *below);

/* A sum without choices, and its meaning to the caller: its name, its code. */
struct search_sum {
    const void *what;
    uint64_t value;
};

/* The `what` of the first sum from low to high; NULL if there is none. */
const void *search_what(const struct search_sum *sums, size_t count, uint64_t low, uint64_t high);

#endif
