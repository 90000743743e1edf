/*
 * allocated.h -- the cases of fixtures/memory/llamacpp.jsonl.zst and allocated.jsonl.zst: the bytes that
 * llama.cpp allocated for a context, and the metadata of the model.
 *
 *     {"case": "gemma-3-4b", "metadata": {KEY: VALUE, ...}, "contexts": [{"tokens", "ubatch", "sequences", "unified",
 *      "swa_full", "k", "v", "flash", "bytes"}, ...]}
 */
#ifndef NUMEL_TEST_ALLOCATED_H
#define NUMEL_TEST_ALLOCATED_H

#include "kept.h"

#include "registry/metadata.h"

/* The configuration of a case, measured or allocated. */
struct kept_told {
    struct config *config;
    enum side side;
    struct metadata metadata;
    struct arena arena;
};
void kept_tell(struct kept_told *, const struct kept_case *);
void kept_told_done(struct kept_told *);

/* All cases of both kinds. */
void kept_cases_load_all(struct kept_cases *all, const char *folder);

/* Returns NULL, or the first mismatch, formatted into why. Like kept_judge(). */
const char *kept_judge_any(const struct kept_case *c, const struct spec *spec, const struct kept_told *told,
                           char why[KEPT_WHY]);

#endif
