/* cases.h -- the cases of the truth (fixtures/oracle), of which the build learns what classes call their tensors. */
#ifndef NUMEL_DATA_CASES_H
#define NUMEL_DATA_CASES_H

#include "derive.h"

/* The text of a file in zstd. */
struct span cases_text(const char *path);

/* A case: {"class": TEXT, "configs": {"whole": {"_class_name" or "model_type": TEXT, ...}, ...}, "params": {NAME: ...}, "buffers":
 * {NAME: ...}, "tied": {NAME: ...}, ...}. What it has not is empty; objects are their text, for cases_member(). */
struct one_case {
    struct span class, kind, params, buffers, tied;
};

/* Reads a line. False when no model of it has a configuration of its own: it is of llama.cpp, a single file, or an adapter. */
int cases_read(struct span line, struct one_case *out);
/* The next name of an object, cut off it with its value; 0: there is none. */
int cases_name(struct span *object, struct span *name);

#endif
