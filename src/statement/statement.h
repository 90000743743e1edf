/*
 * statement.h -- the accounting statement: formula + named causes = what is stored; the last line is zero.
 *
 * Lines are sums over tensor.h: the formula; less what is absent; plus or minus what packing and wrong shapes
 * change; plus each cause that is stored in addition, the unknown last. They add up to `stored` by
 * construction, and closing adds them up again (line.h). Unknown tensors have a line that explains nothing:
 * their elements are unexplained, as would be those of a lost line. A statement disagrees when something is
 * missing, of the wrong shape or type, or unknown; it agrees in part when some tensors rest on their names
 * only, or the sizes were read off the tensors themselves; it agrees when nothing is left to doubt.
 */
#ifndef NUMEL_STATEMENT_STATEMENT_H
#define NUMEL_STATEMENT_STATEMENT_H

#include "model/tensor.h"
#include "statement/line.h"

/* name, code, text, explains: how a tensor differs from the spec, and what is missing. In the order of the
 * statement; what is next to packed values follows, a line for each part of a layout (LAYOUT_BESIDE), then
 * the causes of cause.h. */
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
    uint64_t bytes;       /* of all tensors: the sum of the lines' bytes */
    int64_t unexplained;  /* what is unknown, and what the lines lost */
    bool agrees, in_part; /* neither: disagrees */
};

/* Needs m->x. The statement is in the model's arena. `copies`: a note on the values of tied copies (tied.h).
 * OVERFLOW, NOMEM. */
NUMEL_MUST bool statement_make(struct statement *s, struct model *m, const char *copies, numel_error *e);

/* The line that counts a tensor. */
const struct line_code *statement_code(const struct model_tensor *t);
/* The same whatever its shape: by its cause, and by its part when it is next to packed values. */
const struct line_code *statement_beside(const struct model_tensor *t);

#endif
