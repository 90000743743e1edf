/* replaced.h -- the modules that transformers prints instead of a Linear with a packed weight. */
#ifndef NUMEL_REPORTER_REPLACED_H
#define NUMEL_REPORTER_REPLACED_H

#include "printout/tree.h"
#include "reporter/handles.h"

struct replaced_in {
    const numel_checkpoint *ck;
    numel_str method;    /* the configuration's quant_method, or empty */
    struct arena *arena; /* for names of types */
};

/* A tree_instead_fn; ctx is a struct replaced_in. */
struct tree_instead replaced_at(const void *ctx, numel_str module, bool is_experts);

#endif
