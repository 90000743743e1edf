/*
 * section.h -- the print sections of a spec, as text.
 *
 * A spec ends with the templates that say how its modules are printed (printout/template.h), each between
 * two lines of its own:
 *
 *     print [MODEL_TYPE...]
 *     ...
 *     end print
 *
 * What stands in them is in another language, so whoever looks through the text of a spec takes the part before
 * the first of them. The parser of specs (spec.c) sees to it that nothing but sections follows a section;
 * here a text may be anything.
 */
#ifndef NUMEL_FORMULA_SECTION_H
#define NUMEL_FORMULA_SECTION_H

#include "base/text.h"

struct print_section {
    numel_str types; /* words; none: for all model types that no other section names */
    numel_str text;
    uint32_t line; /* that `print` stands in: the text's own lines come after it */
};

/* The first word of a line is `print`; *types, which may be NULL, are the words after it. */
bool section_opens(numel_str line, numel_str *types);
bool section_closes(numel_str line); /* end print */

/* The part of a spec's text before its sections. */
numel_str section_before(numel_str text);
/* The next section of a spec's text; *at starts at 0. */
bool section_next(numel_str text, size_t *at, struct print_section *out);
/* The section that names the model type, or else the one that names none. */
bool section_for(numel_str text, numel_str model_type, struct print_section *out);
/* The section that names it, alone. */
bool section_named(numel_str text, numel_str model_type, struct print_section *out);

#endif
