/* forms_internal.h -- between forms_*.c only: names against lines, sizes against the expressions of a form. */
#ifndef NUMEL_FORMULA_FORMS_INTERNAL_H
#define NUMEL_FORMULA_FORMS_INTERNAL_H

#include "formula/forms.h"

struct form_sizes { /* what the letters of a form are worth */
    const struct forms *forms;
    struct env env;
    numel_error mine; /* an expression that has no value here fits nothing */
};

/* No letter has a value, but for those that `let` lines give. False: one of them has none. */
bool forms_begin(struct form_sizes *z, const struct form *f);
/* All of them forgotten. */
void forms_forget(struct form_sizes *z);
/* A size, of 1 at least. */
bool forms_value(struct form_sizes *z, uint32_t node, int64_t *out);
/* A size as the form writes it: A, 2*F, N*F, 1, or what is known by now. */
bool forms_unify(struct form_sizes *z, uint32_t node, uint64_t size);

/* The name against the line, from its end; what is left is the prefix. */
bool forms_match(const struct form_line *l, numel_str name, numel_str *prefix, numel_str *word);
/* The name of expert e, in `text` until the next one. False when out of memory. */
bool forms_name(struct buffer *text, const struct form_line *l, numel_str prefix, numel_str word, uint32_t e,
                numel_str *out);

#endif
