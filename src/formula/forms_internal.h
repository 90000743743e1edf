/* forms_internal.h -- shared by forms_*.c only: matches names with lines, and sizes with the expressions of a
 * form. */
#ifndef NUMEL_FORMULA_FORMS_INTERNAL_H
#define NUMEL_FORMULA_FORMS_INTERNAL_H

#include "formula/forms.h"

struct form_sizes { /* the values of a form's letters */
    const struct forms *forms;
    struct env env;
    numel_error mine; /* an expression without a value here fits nothing */
};

/* Binds only the letters that `let` lines define. False if one of those has no value. */
bool forms_begin(struct form_sizes *z, const struct form *f);
/* Unbinds all letters. */
void forms_forget(struct form_sizes *z);
/* A size of at least 1. */
bool forms_value(struct form_sizes *z, uint32_t node, int64_t *out);
/* True if the size fits the form's expression: A, 2*F, N*F, 1, or what is bound already. Binds its letter. */
bool forms_unify(struct form_sizes *z, uint32_t node, uint64_t size);

/* Matches a name with a line, from the end; the rest is the prefix. */
bool forms_match(const struct form_line *l, numel_str name, numel_str *prefix, numel_str *word);
/* The name of expert e, in `text` until the next call. False if out of memory. */
bool forms_name(struct buffer *text, const struct form_line *l, numel_str prefix, numel_str word, uint32_t e,
                numel_str *out);

#endif
