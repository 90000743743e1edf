/*
 * statement.h -- the accounting statement: formula + named causes = what is stored; the last line is zero.
 *
 * Lines are sums over tensor.h: the formula; minus what is missing; plus or minus what packing and wrong
 * shapes change; plus everything else that is stored, by cause, with the unknown last. They add up to
 * `stored` by construction, and closing adds them up again (line.h). The line of unknown tensors explains
 * nothing: their elements are unexplained, as those of a lost line would be. A statement disagrees if
 * something is missing, has the wrong shape or type, or is unknown. It agrees in part if some tensors were
 * recognised only by name, or if sizes were inferred from the tensors themselves. Otherwise it agrees.
 */
#ifndef NUMEL_STATEMENT_STATEMENT_H
#define NUMEL_STATEMENT_STATEMENT_H

#include "model/tensor.h"
#include "statement/line.h"

/* name, code, text, explains: how a tensor differs from the spec, and what is missing. In the order of the
 * statement. After these come tensors next to packed values, with a line for each part of a layout
 * (LAYOUT_BESIDE), then the causes of cause.h. */
#define DEVIATIONS(X)                                                          \
    X(MISSING, "missing", "missing", false)                                    \
    X(MISSING_QUANT, "missing-quant", "missing scales and zero points", false) \
    X(PACKED, "packed", "packed values", true)                                 \
    X(PADDING, "padding", "rows of padding", true)                             \
    X(NO_SCALES, "no-scales", "of 8 bits or fewer, without scales", true)      \
    X(UNKNOWN_TYPE, "unknown-type", "of an unknown type", true)                \
    X(VOCABULARY, "vocabulary", "vocabulary padded", false)                    \
    X(WRONG_SHAPE, "wrong-shape", "wrong shape", false)                        \
    X(WRONG_TYPE, "wrong-type", "wrong type", false)                           \
    X(TIED_ONCE, "tied-once", "tied, stored once", true)

enum {
#define X(name, code, text, explains) STATEMENT_##name,
    DEVIATIONS(X)
#undef X
#define X(name, word, text) STATEMENT_QUANT_##name,
        LAYOUT_BESIDE(X)
#undef X
            STATEMENT_CAUSES, /* STATEMENT_CAUSES + CAUSE_BUFFER is the line of buffers */
    STATEMENT_FORMULA = STATEMENT_CAUSES + CAUSE_EXPECTED,
    STATEMENT_UNKNOWN = STATEMENT_CAUSES + CAUSE_UNKNOWN,
    STATEMENT_CODES = STATEMENT_CAUSES + CAUSE_COUNT
};
extern const struct line_code statement_codes[STATEMENT_CODES];

struct statement {
    struct tally tally; /* in the order above: the formula first, the unknown last */
    uint64_t formula, stored;
    uint64_t bytes;       /* of all tensors, which is the sum of the lines' bytes */
    int64_t unexplained;  /* elements of unknown tensors, and of lost lines */
    bool agrees, in_part; /* if neither: it disagrees */
};

/* Needs m->x. The statement is in the model's arena. `copies` is a note on the values of tied copies
 * (tied.h). OVERFLOW, NOMEM. */
NUMEL_MUST bool statement_make(struct statement *s, struct model *m, const char *copies, numel_error *e);

/* The line that counts a tensor. */
const struct line_code *statement_code(const struct model_tensor *t);
/* The line for a tensor regardless of its shape: by its cause, or by its part if it is next to packed
 * values. */
const struct line_code *statement_beside(const struct model_tensor *t);

#endif
