/*
 * value.h -- the value of an expression of a spec, and where it comes from.
 *
 * Integers are int64 and checked. Doubles exist only because configurations have factors (1.3, 2.5): only
 * mul(), which truncates, and similar functions accept one. Every value carries its evidence, and a result
 * has the weakest evidence of its operands. So a report can state "the formula matches, and two of its
 * symbols were inferred from the file itself".
 */
#ifndef NUMEL_FORMULA_VALUE_H
#define NUMEL_FORMULA_VALUE_H

#include "base/json_doc.h"

/* From strong to weak: a result has the largest of its operands. */
enum evidence {
    EVIDENCE_CONSTANT,  /* written in the spec */
    EVIDENCE_DECLARED,  /* a key of the configuration */
    EVIDENCE_SET,       /* by the user, for this run */
    EVIDENCE_DEFAULTED, /* not in the configuration: a class default, or the spec's `??` */
    EVIDENCE_INFERRED   /* read off the tensors under test: cannot reveal an error there */
};

enum value_kind { VALUE_NULL, VALUE_BOOL, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_LIST, VALUE_OBJECT };

struct value {
    enum value_kind kind;
    enum evidence evidence;
    bool varies;     /* depends on a loop: differs from layer to layer */
    uint8_t loop;    /* if step is not 0: its loop (alike.h) */
    int64_t step;    /* increment in each iteration of that loop; 0: fixed, see alike.h */
    const char *key; /* "hidden_size", the glob of has(); NULL for constants of the spec */
    const char *by;  /* "LlamaConfig", if it is its default; else NULL */
    union {
        bool b;
        int64_t i;
        double r;
        numel_str s;
        struct {
            const struct value *items; /* NULL if only counted (a tokenizer's list) */
            uint64_t n;
        } list;
        const json_value *object;
    };
};

static inline struct value value_null(void) { return (struct value){ .kind = VALUE_NULL }; }
static inline struct value value_int(int64_t i) { return (struct value){ .kind = VALUE_INT, .i = i }; }
static inline struct value value_bool(bool b) { return (struct value){ .kind = VALUE_BOOL, .b = b }; }
static inline struct value value_text(numel_str s) { return (struct value){ .kind = VALUE_TEXT, .s = s }; }

/* The same flag, number or text; an integer never equals a real. */
bool value_same(const struct value *a, const struct value *b);
/* The same, or both null. */
static inline bool value_equal(const struct value *a, const struct value *b)
{
    return value_same(a, b) || (a->kind == VALUE_NULL && b->kind == VALUE_NULL);
}
/* "declared", "set", "defaulted", "inferred", "constant" */
const char *evidence_name(enum evidence e);
/* For messages: 4096, "relu", null, a list of 3; escaped, cut if long. */
enum { VALUE_SHOW = 160 };
char *value_show(char out[VALUE_SHOW], const struct value *v);

#endif
