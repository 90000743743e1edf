/*
 * printed_account.h -- the parameters that a printout cannot show, and the sum from its count to the model's.
 *
 *     printed                          6,738,149,376
 *     classes that print no size            +266,240   LlamaRMSNorm (65)
 *     parameters                       6,738,415,616
 */
#ifndef NUMEL_PRINTOUT_PRINTED_ACCOUNT_H
#define NUMEL_PRINTOUT_PRINTED_ACCOUNT_H

#include "printout/printed.h"

/* kind, text. Why a printout is not the whole model. */
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
    bool known;       /* the elements are known; else there may be more */
    const char *name; /* of the first module, or of a tensor held there; escaped */
};

/* name, code, text, explains: the lines with a path. Those of unseen parameters are in the order of
 * UNSEEN. */
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
    struct tally tally;                       /* from the printed total to the held one; only with a path */
    uint64_t unseen_elements, unseen_tensors; /* held, and not seen in the printout */
    int64_t left;                             /* unexplained by the lines: 0 */
    bool bound; /* without a path: its count is only a lower bound, shared parameters aside */
    bool agrees;
};

const char *unseen_text(enum unseen_kind k);

/* In the arena. NOMEM, OVERFLOW if sums do not fit in 63 bits. */
NUMEL_MUST bool printed_account_make(struct printed_account *x, const struct printed_beside *b,
                                     struct arena *a, numel_error *e);

#endif
