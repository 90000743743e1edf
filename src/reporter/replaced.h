/* replaced.h -- what transformers prints in place of a Linear whose weight is stored packed. */
#ifndef NUMEL_REPORTER_REPLACED_H
#define NUMEL_REPORTER_REPLACED_H

#include "printout/tree.h"
#include "reporter/handles.h"

struct replaced_in {
    const numel_checkpoint *ck;
    numel_str method;    /* the configuration's quant_method; empty: none */
    struct arena *arena; /* for names of types */
};

/* A tree_instead_fn; ctx is a struct replaced_in. */
struct tree_instead replaced_at(const void *ctx, numel_str module, bool is_experts);

#endif
