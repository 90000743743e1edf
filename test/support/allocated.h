/*
 * allocated.h -- the cases of fixtures/memory/llamacpp.jsonl.zst: what llama.cpp was seen to allocate for a context, byte
 * for byte, and the metadata of the model that it was.
 *
 *     {"case": "gemma-3-4b", "metadata": {KEY: VALUE, ...}, "contexts": [{"tokens", "ubatch", "sequences", "unified",
 *      "swa_full", "k", "v", "flash", "bytes"}, ...]}
 */
#ifndef NUMEL_TEST_ALLOCATED_H
#define NUMEL_TEST_ALLOCATED_H

#include "kept.h"

#include "registry/metadata.h"

/* config has the metadata of the case; both are the caller's to free. */
struct config *allocated_config(const struct kept_case *c, struct metadata *m, struct arena *a);

/* NULL, or the first context that is wrong, in why. */
const char *allocated_judge(const struct kept_case *c, const struct spec *spec, struct config *config,
                            char why[KEPT_WHY]);

#endif
