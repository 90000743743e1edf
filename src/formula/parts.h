/*
 * parts.h -- how lines of a part are evaluated: its class, the prefix that its names lose, and keys that its
 * `part` line sets instead of its configuration.
 *
 * classes.table (built in, written by mkclasses.py) has the classes of one model type a line:
 *   llama model base=LlamaModel causal=LlamaForCausalLM ...
 * A part is of the base class unless its line has class=: then of the class of that kind, or the class with
 * that name. Names of a base class lack the prefix ("model.") that names of all other classes have; specs
 * write it.
 */
#ifndef NUMEL_FORMULA_PARTS_H
#define NUMEL_FORMULA_PARTS_H

#include "formula/eval.h"

/* The name of its class; CONFIG if class= is not a text. */
NUMEL_MUST bool part_class(struct env *env, uint32_t scope, struct value *out);
/* The model type that has the class. If several have it, the one that the class name begins with: llama for
 * LlamaForCausalLM. False if none. */
bool part_type_of_class(numel_str class, numel_str *model_type);
/* The prefix that its names lose; may be empty. */
NUMEL_MUST bool part_strip(struct env *env, uint32_t scope, numel_str *out);
/* The prefix that a class without a head lacks: "model."; may be empty. Allocated from the arena. */
NUMEL_MUST bool part_prefix(struct arena *a, numel_str model_type, numel_str *out, numel_error *e);
/* Removes from a name in a part the prefixes lost there and in enclosing parts; returns the remaining
 * length. */
size_t part_bare(const struct part_place *p, char *name, size_t n);
/* The value of a key that its line sets, in *out; else *said is false. */
NUMEL_MUST bool part_key(struct env *env, uint32_t scope, numel_str key, struct value *out, bool *said);
/* True if its line sets that key, or determines it. */
bool part_says(const struct spec *s, uint32_t scope, numel_str key);
/* A name in its spec as it is in the model; in the env's arena, NUL-terminated. */
NUMEL_MUST bool part_name(struct env *env, uint32_t scope, numel_str name, const char **out);
/* A path in its configuration, from the top; in `room` if it fits, else in the env's arena. */
enum { PART_PATH = 256 };
NUMEL_MUST bool part_path(struct env *env, uint32_t scope, numel_str path, char room[PART_PATH],
                          numel_str *out);

#endif
