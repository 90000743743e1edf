/*
 * sample.h -- the few tensors of a checkpoint that say what all of them say.
 *
 * Layers, and experts, mostly repeat. A number that stands in names between dots ("layers.7.") is
 * like the one before it when, the number aside, the same names with the same shapes have it. Of
 * each run of like numbers the first two and the last are kept, and only tensors all of whose
 * numbers are kept. Specs are tried against those; what fits is then held against all tensors.
 */
#ifndef NUMEL_MODEL_SAMPLE_H
#define NUMEL_MODEL_SAMPLE_H

#include "registry/registry.h"

enum { SAMPLE_NUMBERS = 4096 }; /* larger ones than that, and than there are tensors, are always kept */

struct sample {
    struct registry registry; /* names and dims belong to the whole one */
    const struct registry *all;
    bool *in_run;   /* by number: in the middle of a run */
    uint8_t *parts; /* by pattern of `all`: parts of a name that are numbers */
    size_t numbers;
};

/* `a` holds what the sample needs beside the registry, which sample_done() frees. */
NUMEL_MUST bool sample_make(struct sample *s, const struct registry *all, struct arena *a, numel_error *e);
void sample_done(struct sample *s); /* also of one that is all zero */
/* A tensor of the whole that was left out because it is like others; NULL: none of that name was, or of those that the pattern matches. */
const numel_tensor *sample_left_out(const struct sample *s, numel_str name);
/* A name, or a pattern of names, with numbers that are kept in place of those that are like them; false: there are none, or no room. */
bool sample_kept_like(const struct sample *s, numel_str name, char *out, size_t room);
/* Is turn i of a loop like those around it? */
bool sample_in_run(const struct sample *s, int64_t i);

#endif
