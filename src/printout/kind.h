/*
 * kind.h -- kinds of modules: how torch prints the arguments in a class's brackets.
 *
 * A sized kind takes its sizes from the module's tensors, `weight` and `bias`, outermost dim first:
 * a Linear of weight [out, in]. Values that no tensor shows (an epsilon, a stride, the probability of a
 * dropout) come from the keys of the template's line. To add a kind, add a row in kind.c.
 */
#ifndef NUMEL_PRINTOUT_KIND_H
#define NUMEL_PRINTOUT_KIND_H

#include "base/buffer.h"
#include "formula/value.h"
#include "printout/template.h"

/* The tensors of one module, and the values of its line, in the order of the kind's keys. */
struct leaf {
    const uint64_t *dims; /* of `weight` */
    uint32_t ndim;
    bool bias;
    bool says_bias; /* norms print their bias in this version */
    struct value values[MODULE_VALUES];
    bool given[MODULE_VALUES];
};

struct kind {
    const char *name;
    const char *keys; /* words */
    /* Writes the arguments, without the brackets; for a named kind the whole text, with brackets. False if
     * the module cannot have these dims or values. */
    bool (*write)(const struct leaf *l, struct buffer *out);
    enum {
        KIND_PLAIN,
        KIND_SIZED,
        KIND_NAMED, /* writes the class too: an activation */
        KIND_FOLDS  /* equal neighbours inside it are printed once, as in torch's ModuleList */
    } is;
};

/* NULL: a class that prints as Class(). */
const struct kind *kind_by_name(numel_str name);
int kind_key(const struct kind *k, numel_str key); /* -1: unknown */

/* python.c: a value as repr() writes it: 1e-05, 0.0, True, None, (2, 2). Text has no quotes. */
void python_value(struct buffer *out, const struct value *v);
void python_float(struct buffer *out, double r);
/* For a number that was a float32 (GGUF's 9.999999747378752e-06), the original number: 1e-05. */
double python_single(double r);

#endif
