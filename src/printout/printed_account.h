/*
 * printed_account.h -- what a printout cannot show, and the sum from what it counts to what is held.
 *
 *     printed                          6,738,149,376
 *     classes that print no size            +266,240   LlamaRMSNorm (65)
 *     parameters                       6,738,415,616
 */
#ifndef NUMEL_PRINTOUT_PRINTED_ACCOUNT_H
#define NUMEL_PRINTOUT_PRINTED_ACCOUNT_H

#include "printout/printed.h"

/* kind, text. What keeps a printout from being the whole. */
#define UNSEEN(X)                                              \
    X(NO_SIZE, "prints no size")                               \
    X(BARE, "parameters of its own are not printed")           \
    X(IN_PROJ, "in_proj of MultiheadAttention is not printed") \
    X(SHARED, "printed again: once if tied")

enum unseen_kind {
#define X(name, text) UNSEEN_##name,
    UNSEEN(X)
#undef X
};

struct unseen {
    enum unseen_kind kind;
    numel_str class;
    uint64_t modules, tensors, elements;
    bool known;       /* elements are; else 0 or more */
    const char *name; /* of the first module, escaped, or of what is held there */
};

struct account_line {
    const char *cause, *detail;
    uint64_t tensors; /* holdings behind it, where they are what is counted */
    int64_t elements;
    bool disagrees;
};

enum { ACCOUNT_LINES = 12 };

struct account {
    struct unseen *unseen;
    size_t unseen_count, unseen_cap;
    struct account_line lines[ACCOUNT_LINES]; /* printed, then causes; beside a path only */
    size_t count;
    uint64_t unseen_elements, unseen_tensors; /* held, and not seen in the printout */
    int64_t left;                             /* what the lines do not explain: 0 */
    bool bound; /* alone: what it counts is at least what the model has, less what is shared */
    bool agrees;
};

const char *unseen_text(enum unseen_kind k);

/* In the arena. NOMEM, OVERFLOW when sums do not fit in 63 bits. */
bool account_make(struct account *x, const struct printed_beside *b, struct arena *a, numel_error *e);

#endif
