/*
 * sample.h -- a few tensors of a checkpoint that represent all of them.
 *
 * Layers and experts usually repeat. A number between dots in names ("layers.7.") is like the previous one if
 * both occur in the same names with the same shapes, apart from the number. Of each run of similar numbers,
 * the first two and the last are kept, and so are the tensors whose numbers are all kept. Specs are tried on
 * these; one that fits is then compared with all tensors.
 */
#ifndef NUMEL_MODEL_SAMPLE_H
#define NUMEL_MODEL_SAMPLE_H

#include "registry/registry.h"

enum { SAMPLE_NUMBERS = 4096 }; /* numbers above this, or above the number of tensors, are always kept */

struct sample {
    struct registry registry; /* the whole registry owns names and dims */
    const struct registry *all;
    bool *in_run;   /* by number: true inside a run */
    uint8_t *parts; /* by pattern of `all`: how many parts are numbers */
    size_t numbers;
};

/* `a` owns the sample's memory except the registry, which sample_done() frees. */
NUMEL_MUST bool sample_make(struct sample *s, const struct registry *all, struct arena *a, numel_error *e);
void sample_done(struct sample *s); /* also accepts an all-zero struct */
/* A tensor that was left out because it resembles others, with that name or matching that pattern; NULL if
 * there is none. */
const numel_tensor *sample_left_out(const struct sample *s, numel_str name);
/* Copies a name or a pattern, with similar kept numbers instead of those left out; false if it has none,
 * or does not fit. */
bool sample_kept_like(const struct sample *s, numel_str name, char *out, size_t room);
/* True if turn i of a loop is like its neighbours. */
bool sample_in_run(const struct sample *s, int64_t i);

#endif
