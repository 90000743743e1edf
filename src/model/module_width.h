/*
 * module_width.h -- input and output widths of sentence-transformers modules, from their configurations.
 */
#ifndef NUMEL_MODEL_MODULE_WIDTH_H
#define NUMEL_MODEL_MODULE_WIDTH_H

#include "base/json_doc.h"
#include "base/memory.h"

struct module_width {
    const char *class, *file;              /* the file of its configuration; NULL: config.json */
    const char *in[2];                     /* keys for the input width; NULL: any width */
    int64_t (*out)(const json_value *doc); /* NULL: same as the input */
};

/* NULL if the class is unknown. */
const struct module_width *module_width(const char *class);
/* The input width of the next module that states one, after the module in the folder `own` and in the
 * order of modules.json; 0 if none does. NOMEM. */
NUMEL_MUST bool module_width_behind(const char *index, const char *own, int64_t *width, struct arena *a,
                                    numel_error *e);

#endif
