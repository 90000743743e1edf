/*
 * parts.h -- what a part of a model is, for who evaluates its lines: its class, what its names lose, and what its
 * line says in place of its configuration.
 *
 * classes.table (built in; mkclasses.py made it) has the classes of one model type a line:
 *   llama model base=LlamaModel causal=LlamaForCausalLM ...
 * A part is of the base class unless its line says class=: then of that kind, or of the class so named. The
 * names of a base class lack what stands before them in those of all others ("model."), which is how specs
 * write them.
 */
#ifndef NUMEL_FORMULA_PARTS_H
#define NUMEL_FORMULA_PARTS_H

#include "formula/eval.h"

/* The name of its class; CONFIG where class= comes to no text. */
NUMEL_MUST bool part_class(struct env *env, uint32_t scope, struct value *out);
/* The model type that has a class: of several that whose name it begins with, LlamaForCausalLM's is llama; false when none. */
bool part_type_of_class(numel_str class, numel_str *model_type);
/* What its names lose at their beginning; may be empty. */
NUMEL_MUST bool part_strip(struct env *env, uint32_t scope, numel_str *out);
/* What a class of the model type without a head lacks: "model."; may be empty. In the arena. */
NUMEL_MUST bool part_prefix(struct arena *a, numel_str model_type, numel_str *out, numel_error *e);
/* A name in a part, without what it loses there and in those around it; the bytes that are left. */
size_t part_bare(const struct part_place *p, char *name, size_t n);
/* A key of its configuration that its line says, in *out; else *said is false. */
NUMEL_MUST bool part_key(struct env *env, uint32_t scope, numel_str key, struct value *out, bool *said);
/* Does its line say that key, or what else stands for it? */
bool part_says(const struct spec *s, uint32_t scope, numel_str key);
/* A name of its spec as it is in the model; in the env's arena, NUL-terminated. */
NUMEL_MUST bool part_name(struct env *env, uint32_t scope, numel_str name, const char **out);
/* A path of its configuration, from the top; in room when it fits, else in the env's arena. */
enum { PART_PATH = 256 };
NUMEL_MUST bool part_path(struct env *env, uint32_t scope, numel_str path, char room[PART_PATH],
                          numel_str *out);

#endif
