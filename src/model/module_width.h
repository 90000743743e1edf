/*
 * module_width.h -- how wide what modules of sentence-transformers take and give is, as their configurations say.
 */
#ifndef NUMEL_MODEL_MODULE_WIDTH_H
#define NUMEL_MODEL_MODULE_WIDTH_H

#include "base/json_doc.h"
#include "base/memory.h"

struct module_width {
    const char *class, *file;              /* of its configuration; NULL: config.json */
    const char *in[2];                     /* keys of what it takes; NULL: whatever comes */
    int64_t (*out)(const json_value *doc); /* NULL: as much as it takes */
};

/* NULL: nobody knows the class. */
const struct module_width *module_width(const char *class);
/* What the modules behind the one in the folder `own` take of it, in modules.json's order; 0: none of them says. NOMEM. */
NUMEL_MUST bool module_width_behind(const char *index, const char *own, int64_t *width, struct arena *a,
                                    numel_error *e);

#endif
