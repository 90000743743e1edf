/*
 * sample.h -- a few tensors of a checkpoint that represent all.
 *
 * Layers and experts usually repeat. A number between dots in names ("layers.7.") is like the
 * previous one if the same names with the same shapes have it, apart from the number. Of each run
 * of similar numbers the first two and the last are kept, and only tensors all of whose numbers
 * are kept. Specs are tried on those; a fitting one is then compared with all tensors.
 */
#ifndef NUMEL_MODEL_SAMPLE_H
#define NUMEL_MODEL_SAMPLE_H

#include "registry/registry.h"

enum { SAMPLE_NUMBERS = 4096 }; /* numbers above this, and above the number of tensors, are always kept */

struct sample {
    struct registry registry; /* names and dims belong to the whole registry */
    const struct registry *all;
    bool *in_run;   /* by number: inside a run */
    uint8_t *parts; /* by pattern of `all`: parts of a name that are numbers */
    size_t numbers;
};

/* `a` holds the sample's memory except the registry, which sample_done() frees. */
NUMEL_MUST bool sample_make(struct sample *s, const struct registry *all, struct arena *a, numel_error *e);
void sample_done(struct sample *s); /* also accepts an all-zero one */
/* A tensor with that name, or matching that pattern, that was left out because it is like others; NULL if there is none. */
const numel_tensor *sample_left_out(const struct sample *s, numel_str name);
/* A name, or a pattern of names, with similar kept numbers instead of those left out; false: there are none, or no room. */
bool sample_kept_like(const struct sample *s, numel_str name, char *out, size_t room);
/* Is turn i of a loop like its neighbours? */
bool sample_in_run(const struct sample *s, int64_t i);

#endif
