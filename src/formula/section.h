/*
 * section.h -- the print sections of a spec, as text.
 *
 * A spec ends with the templates for printing its modules (printout/template.h), each between two lines:
 *
 *     print [MODEL_TYPE...]
 *     ...
 *     end print
 *
 * They are in another language, so code that scans the text of a spec uses the part before the first section.
 * The spec parser (spec.c) ensures that only sections follow a section; the functions here accept any text.
 */
#ifndef NUMEL_FORMULA_SECTION_H
#define NUMEL_FORMULA_SECTION_H

#include "base/text.h"

struct print_section {
    numel_str types; /* words; empty: for all model types not named by another section */
    numel_str text;
    uint32_t line; /* of `print`; the text begins on the next line */
};

/* True if the first word of a line is `print`; *types, which may be NULL, becomes the words after it. */
bool section_opens(numel_str line, numel_str *types);
bool section_closes(numel_str line); /* end print */

/* The part of a spec's text before its sections. */
numel_str section_before(numel_str text);
/* The next section of a spec's text; *at starts at 0. */
bool section_next(numel_str text, size_t *at, struct print_section *out);
/* The section that names the model type, else the one that names none. */
bool section_for(numel_str text, numel_str model_type, struct print_section *out);
/* Only the section that names it. */
bool section_named(numel_str text, numel_str model_type, struct print_section *out);

#endif
