/*
 * search.h -- which ways of counting give a number, and the cheapest of them: for everybody who accounts for one.
 *
 * A way of counting is one of several sums, and a set of choices made on top of it: without biases, with buffers,
 * a table that is printed twice counted once. Sums and choices have prices, so that the account that is shortest
 * to say is the cheapest. Choices overlap (without biases and without head meet in the head's bias), so what a
 * set of them makes of a sum is asked of the caller, who only adds up what he gathered beforehand.
 *
 * The walk is depth first: the sums in their order, and of each all sets of choices, a set before those that have it
 * and later choices. It is bounded by price, by choices in a set and by ways in all, and is the same on every
 * machine. A choice that changes nothing where it would be made is not made there.
 */
#ifndef NUMEL_STATEMENT_SEARCH_H
#define NUMEL_STATEMENT_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEARCH_CHOICES = 64, SEARCH_APART = 2 };

struct search_way {
    size_t sum;     /* its number */
    uint64_t taken; /* bit set over the choices */
    uint64_t value; /* what is counted */
    unsigned price;
};

enum search_next {
    SEARCH_DEEPER, /* go on with more choices */
    SEARCH_BACK,   /* do not: they would explain nothing, or there is no such sum */
    SEARCH_FAILED  /* out of memory, or the like: the walk ends */
};

struct search {
    void *ctx; /* of the functions */
    size_t sums;
    unsigned choices;             /* at most SEARCH_CHOICES */
    unsigned price_most;          /* of a way */
    unsigned choices_most;        /* in a way */
    uint64_t ways_most;           /* in all */
    uint64_t apart[SEARCH_APART]; /* sets of choices; a way has at most one of each set */
    /* Sum w->sum without a choice: sets its value and price, and the choices that may change it. */
    enum search_next (*begin)(void *ctx, struct search_way *w, uint64_t *usable);
    /* The value of w->sum with w->taken. False when there is none or it does not fit; no choice is made on top of
     * that then. NULL, and so is price: nothing is usable. */
    bool (*count)(void *ctx, struct search_way *w);
    /* What one more choice costs. */
    unsigned (*price)(void *ctx, uint64_t taken, unsigned choice);
};

typedef enum search_next search_visitor(void *to, const struct search_way *w);

/* Shows visit() every way within the bounds. False when it or begin() failed. */
bool search_walk(const struct search *s, search_visitor *visit, void *to);

/* The cheapest way whose value is from low to high, of equally cheap ones that of the first sum, and of its ways
 * the one of the lowest choices. False when there is none, or begin() failed; *below, which
 * may be NULL, is then the largest value below low, or 0. */
bool search_cheapest(const struct search *s, uint64_t low, uint64_t high, struct search_way *best,
                     uint64_t *below);

/* A sum without choices, and what it is to the caller: its name, its code. */
struct search_sum {
    const void *what;
    uint64_t value;
};

/* What the first of the sums from low to high is; NULL when none is. */
const void *search_what(const struct search_sum *sums, size_t count, uint64_t low, uint64_t high);

#endif
