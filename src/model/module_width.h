/*
 * module_width.h -- input and output widths of sentence-transformers modules, from their configurations.
 */
#ifndef NUMEL_MODEL_MODULE_WIDTH_H
#define NUMEL_MODEL_MODULE_WIDTH_H

#include "base/json_doc.h"
#include "base/memory.h"

struct module_width {
    const char *class, *file;              /* of its configuration; NULL: config.json */
    const char *in[2];                     /* keys of the input width; NULL: any */
    int64_t (*out)(const json_value *doc); /* NULL: equal to the input */
};

/* NULL: unknown class. */
const struct module_width *module_width(const char *class);
/* The input width of the next module after the one in the folder `own` that states one, in modules.json's order; 0: none does. NOMEM. */
NUMEL_MUST bool module_width_behind(const char *index, const char *own, int64_t *width, struct arena *a,
                                    numel_error *e);

#endif
