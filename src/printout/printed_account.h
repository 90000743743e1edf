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

/* name, code, text, explains: the lines beside a path. Those of what cannot be seen stand in its order. */
#define PRINTED_CODES(X)                                               \
    X(PRINTED, "printed", "printed", true)                             \
    X(TIED, "printed-again", "printed again (tied)", true)             \
    X(ADAPTERS, "adapters", "adapters, not in the model", true)        \
    X(ASSUMED, "no-bias", "LayerNorm without bias", true)              \
    X(NO_SIZE, "no-size", "classes that print no size", true)          \
    X(BARE, "outside-modules", "parameters outside of modules", true)  \
    X(IN_PROJ, "in-proj", "in_proj, not printed", true)                \
    X(ABSENT, "printed-not-held", "printed, not in the model", false)  \
    X(STRANGE, "held-not-printed", "in the model, not printed", false) \
    X(LARGER, "larger", "larger than printed", false)                  \
    X(SMALLER, "smaller", "smaller than printed", false)

enum {
#define X(name, code, text, explains) PRINTED_##name,
    PRINTED_CODES(X)
#undef X
        PRINTED_CODE_COUNT
};
extern const struct line_code printed_codes[PRINTED_CODE_COUNT];

struct printed_account {
    struct unseen *unseen;
    size_t unseen_count;
    struct tally tally; /* printed, then what leads to what is held; beside a path only */
    uint64_t unseen_elements, unseen_tensors; /* held, and not seen in the printout */
    int64_t left;                             /* what the lines do not explain: 0 */
    bool bound; /* alone: what it counts is at least what the model has, less what is shared */
    bool agrees;
};

const char *unseen_text(enum unseen_kind k);

/* In the arena. NOMEM, OVERFLOW when sums do not fit in 63 bits. */
NUMEL_MUST bool printed_account_make(struct printed_account *x, const struct printed_beside *b,
                                     struct arena *a, numel_error *e);

#endif
