/*
 * lint_internal.h -- what a checkpoint states twice must agree: metadata and configuration with each other
 * and with the tensors. Part of the level `config` of verify.
 *
 * A lint is a function in its format's table; it checks one rule and adds its findings. A missing declaration
 * is not wrong: without its key a lint reports nothing.
 */
#ifndef NUMEL_VERIFY_LINT_INTERNAL_H
#define NUMEL_VERIFY_LINT_INTERNAL_H

#include "verify/verify.h"

struct lint {
    struct verify *v;
    numel_checkpoint *ck;
    const struct handle *c;
    struct arena *arena;
    bool whole;         /* every file of the set was read */
    bool *shard_read;   /* of each shard of the index */
    const char *config; /* config.json, or NULL */
    numel_str arch;     /* general.architecture of GGUF */
};

/* Runs all checks of its format; false for NOMEM. */
NUMEL_MUST bool lint_gguf(struct lint *l);
NUMEL_MUST bool lint_hf(struct lint *l);
/* lint_numbers.c: part of lint_hf(), numbers of a file beyond a double. NOMEM. */
NUMEL_MUST bool lint_numbers(struct lint *l, const char *file, const json_value *doc);
/* Parts of lint_gguf(): general.file_type and general.quantization_version against the tensors. */
void lint_file_type(struct lint *l);
void lint_quantization_version(struct lint *l);
/* ... the stated size of the model, the kind of the file, and its counts against each other. */
void lint_said(struct lint *l);
/* ... of a projector: its width against that of the models next to it. NOMEM. */
NUMEL_MUST bool lint_projector(struct lint *l);

/* "blk.12.attn_q.weight" with "blk.": 12; false if no number follows the word. */
bool lint_number_behind(numel_str name, const char *word, uint64_t *n);
/* The largest number after the word in all names, + 1; 0 if there is none. */
uint64_t lint_count_behind(const struct lint *l, const char *word);
/* The tensor of the token embedding; NULL if not found. */
const numel_tensor *lint_embedding(const struct lint *l);

enum { LINT_TYPES = 32 };
struct lint_type {
    const numel_dtype *dtype;
    uint64_t tensors, elements;
};
/* Adds a tensor to the sums of types, the one with the most elements first; types past LINT_TYPES are left
 * out. */
void lint_add_type(struct lint_type *sums, size_t *count, const numel_tensor *t);

/* The file of an entry of the metadata. */
static inline const char *lint_file(const struct lint *l, const struct metadata_entry *e)
{
    return l->ck->files[e->file].path;
}
/* lint_gguf.c: {arch}.NAME as a number of at least 0; else NULL. */
const struct metadata_entry *lint_arch_number(const struct lint *l, const char *name, uint64_t *n);

#define lint_find(l, rule, file, tensor, offset, ...) \
    findings_add(&(l)->v->ck->findings, rule, file, tensor, offset, __VA_ARGS__)

#endif
