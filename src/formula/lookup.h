/*
 * lookup.h -- questions to the tables of what is built in (embedded.h): binary searches, and one scan of words.
 *
 * A "file" is an index of embedded_files. Nothing here allocates or fails.
 */
#ifndef NUMEL_FORMULA_LOOKUP_H
#define NUMEL_FORMULA_LOOKUP_H

#include "formula/embedded.h"

/* The file of that name; false when there is none. */
bool lookup_name(numel_str name, uint32_t *file);
/* How many keys have that field and word, the first of them in *first: embedded_keys[*first + i].file. */
uint32_t lookup_keys(uint32_t field, numel_str word, uint32_t *first);
/* held[file] is set for each file in whose spec the word occurs, as a part of a longer one too. held has
 * embedded_count bytes; what is set stays set. */
void lookup_holders(numel_str word, bool *held);
/* The line of defaults.table of a model type. */
bool lookup_defaults(numel_str model_type, numel_str *line);
/* ... and that of a configuration's class, which is not that of an owner of one ("llava.vision_config"). */
bool lookup_defaults_of(numel_str class, numel_str *line);
/* The i-th pair of names that classes have for one value, each pair both ways, in order of `name`; false when there are no more. */
bool lookup_alias(uint32_t i, numel_str *name, numel_str *other);
/* The i-th size of a class of diffusers that a product has (`spec`); false when it has no more. */
bool lookup_published(numel_str class, uint32_t i, numel_str *line);
/* The line of usual.table of a model type, a specification or a class. */
bool lookup_usual(numel_str type, numel_str *line);
/* The line of classes.table of a model type. */
bool lookup_classes(numel_str model_type, numel_str *line);
/* The i-th line of that table; false when it has no more. */
bool lookup_classes_line(uint32_t i, numel_str *line);
/* How many lines that number tells, ascending, in *lines: embedded_told[(*lines)[i]]. */
uint32_t lookup_told(enum told kind, uint32_t number, const uint16_t **lines);

#endif
