/*
 * search.h -- finds ways of counting that give a number, and the cheapest of them; for every account of a
 * number.
 *
 * A way of counting is one of several sums, plus a set of choices: without biases, with buffers, counting a
 * table once that was printed twice. Sums and choices have prices, so the shortest account is the cheapest.
 * Choices overlap ("without biases" and "without head" share the head's bias), so the caller counts each sum
 * for a set of them; it only adds up numbers gathered beforehand.
 *
 * The walk is depth-first: over the sums in order, and for each over all sets of choices, a set before its
 * extensions by later choices. Limits apply to the price, to the choices in a set, and to the ways in total,
 * and the walk is the same on every machine. Choices that change nothing are skipped.
 */
#ifndef NUMEL_STATEMENT_SEARCH_H
#define NUMEL_STATEMENT_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEARCH_CHOICES = 64, SEARCH_APART = 2 };

struct search_way {
    size_t sum;     /* index of the sum */
    uint64_t taken; /* bit set of choices */
    uint64_t value; /* the count */
    unsigned price;
};

enum search_next {
    SEARCH_DEEPER, /* try more choices */
    SEARCH_BACK,   /* do not: more would explain nothing, or there is no such sum */
    SEARCH_FAILED  /* ends the walk: out of memory or similar */
};

struct search {
    void *ctx; /* for the functions */
    size_t sums;
    unsigned choices;             /* at most SEARCH_CHOICES */
    unsigned price_most;          /* of a way */
    unsigned choices_most;        /* in a way */
    uint64_t ways_most;           /* in total */
    uint64_t apart[SEARCH_APART]; /* sets of choices; a way has at most one from each */
    /* Sets price and value of sum w->sum without choices, and the choices that may change it. */
    enum search_next (*begin)(void *ctx, struct search_way *w, uint64_t *usable);
    /* Sets the value of w->sum with w->taken. False if there is none or it does not fit; the walk then
     * adds no further choice. NULL, like price, if no choice is usable. */
    bool (*count)(void *ctx, struct search_way *w);
    /* The price of one more choice. */
    unsigned (*price)(void *ctx, uint64_t taken, unsigned choice);
};

typedef enum search_next search_visitor(void *to, const struct search_way *w);

/* Calls visit() for every way within the limits. False if it or begin() failed. */
bool search_walk(const struct search *s, search_visitor *visit, void *to);

/* Finds the cheapest way whose value is from low to high; on a tie, that of the first sum, then of the
 * lowest choices. False if there is none or begin() failed. *below (may be NULL) is the largest value
 * below low, or 0. */
bool search_cheapest(const struct search *s, uint64_t low, uint64_t high, struct search_way *best,
                     uint64_t *below);

/* A sum without choices; `what` is its meaning to the caller, such as a name or a code. */
struct search_sum {
    const void *what;
    uint64_t value;
};

/* The `what` of the first sum with a value from low to high; NULL if there is none. */
const void *search_what(const struct search_sum *sums, size_t count, uint64_t low, uint64_t high);

#endif
