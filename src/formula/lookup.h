/*
 * lookup.h -- looks things up in the built-in tables (embedded.h), by binary search, or by one scan for
 * words.
 *
 * A "file" is an index into embedded_files. Nothing here allocates or fails.
 */
#ifndef NUMEL_FORMULA_LOOKUP_H
#define NUMEL_FORMULA_LOOKUP_H

#include "formula/embedded.h"

/* The file with that name; false if there is none. */
bool lookup_name(numel_str name, uint32_t *file);
/* Number of keys with that field and word; *first is the first of them: embedded_keys[*first + i].file. */
uint32_t lookup_keys(uint32_t field, numel_str word, uint32_t *first);
/* Sets held[file] for each file whose spec contains the word, also inside a longer one. held has
 * embedded_count bytes; bytes that are set stay set. */
void lookup_holders(numel_str word, bool *held);
/* The line of defaults.table for a model type. */
bool lookup_defaults(numel_str model_type, numel_str *line);
/* ... for a configuration class; lines of nested configurations ("llava.vision_config") do not count. */
bool lookup_defaults_of(numel_str class, numel_str *line);
/* The i-th pair of names that classes use for one value, each pair in both directions, sorted by `name`;
 * false if there are no more. */
bool lookup_alias(uint32_t i, numel_str *name, numel_str *other);
/* The i-th published size (`spec`) of a diffusers class; false if there are no more. */
bool lookup_published(numel_str class, uint32_t i, numel_str *line);
/* The line of usual.table for a model type, a spec or a class. */
bool lookup_usual(numel_str type, numel_str *line);
/* The line of classes.table for a model type. */
bool lookup_classes(numel_str model_type, numel_str *line);
/* The i-th line of that table; false if there are no more. */
bool lookup_classes_line(uint32_t i, numel_str *line);
/* Number of lines that the number identifies; *lines has them in ascending order:
 * embedded_told[(*lines)[i]]. */
uint32_t lookup_told(enum told kind, uint32_t number, const uint16_t **lines);

#endif
