/* cases.h -- the cases of the truth (fixtures/oracle), from which the build learns the tensor names of
 * classes. */
#ifndef NUMEL_DATA_CASES_H
#define NUMEL_DATA_CASES_H

#include "derive.h"

/* The text of a zstd file. */
struct span cases_text(const char *path);

/* A case: {"class": TEXT, "configs": {"whole": {"_class_name" or "model_type": TEXT, ...}, ...}, "params":
 * {NAME: ...}, "buffers": {NAME: ...}, "tied": {NAME: ...}, ...}. Missing members are empty; objects are
 * text, for cases_name(). */
struct one_case {
    struct span class, kind, params, buffers, tied;
};

/* Reads a line. False if the model has no configuration of its own: a case of llama.cpp, of a single file, or
 * of an adapter. */
int cases_read(struct span line, struct one_case *out);
/* Takes the next name and its value off an object; 0 if there is none. */
int cases_name(struct span *object, struct span *name);

#endif
