/*
 * embedded.h -- the files of src/formula that are built into the library: specs, the blocks and templates that
 * they share, layouts, and the table of class defaults. embed.sh writes them as arrays at build time.
 */
#ifndef NUMEL_FORMULA_EMBEDDED_H
#define NUMEL_FORMULA_EMBEDDED_H

#include <stddef.h>

struct embedded {
    const char *name; /* "llama.spec" */
    const unsigned char *text;
    size_t bytes;
};

extern const struct embedded embedded_files[];
extern const size_t embedded_count;

#endif
