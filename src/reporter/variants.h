/*
 * variants.h -- checkpoints of one architecture and number of parameters, and what else speaks for one model.
 *
 * Fine-tuned models have the architecture and the size of their base, so these alone make no model the same. A
 * checkpoint has names of its own: those of its file, folder, repository or tag, and a GGUF's general.name; and
 * it may name its base: _name_or_path, general.base_model. Names are compared without what they tell of storage:
 * Meta-Llama-3.1-8B, llama-3.1-8b-Q4_K_M.gguf and llama3.1:8b-q8_0 are the same name. A name is what people call
 * a model; values are not compared.
 */
#ifndef NUMEL_REPORTER_VARIANTS_H
#define NUMEL_REPORTER_VARIANTS_H

#include "base/memory.h"

/* What a checkpoint has in common with another one of its group, besides architecture and size. */
enum same { SAME_SIZE, SAME_BASE, SAME_NAME };

enum { VARIANT_NAMES = 3 }; /* two of its own and its base */

struct variant {
    const char *path, *name, *architecture, *quantization, *format;
    numel_str names[VARIANT_NAMES]; /* n is 0: none */
    uint64_t parameters, bytes, group;
    size_t order;
    enum same same;
    numel_str shared; /* the name in common */
};

struct variants {
    struct arena arena;
    struct variant *items; /* at the end only those in groups, by group */
    size_t count, cap;
};

void variants_init(struct variants *v, const numel_allocator *);
void variants_done(struct variants *v);
/* Keeps the row if its architecture and parameters are known. NOMEM. */
NUMEL_MUST bool variants_add(struct variants *v, const numel_row *row, numel_error *e);
/* Makes groups of those that are stored in several ways. NOMEM. */
NUMEL_MUST bool variants_group(struct variants *v, numel_error *e);

/* The name without its folder and the words about storage, in lower case: "llama-3.1-8b"; n is 0 if nothing
 * telling is left, or if it has more than 256 bytes. In the arena. NOMEM. */
NUMEL_MUST bool variant_name(numel_str text, struct arena *a, numel_str *out, numel_error *e);

#endif
