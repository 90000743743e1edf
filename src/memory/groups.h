/*
 * groups.h -- the size of vLLM's pool of blocks for a model with different layers: full attention, windows,
 * states.
 *
 * The rule comes from vLLM's docs/design/hybrid_kv_cache_manager.md, from vllm/v1/core/kv_cache_utils.py,
 * and, for blocks with states, from vllm/platforms/interface.py; it was not measured. All layers share one
 * pool, so all pages (the part of a block for one layer) have the same size:
 *
 *   a page     16 tokens of the widest row. A page of rows half or a third as wide has two or three times as
 *              many tokens; other widths are refused. If a state is larger, the page is the multiple of 16
 *              tokens that holds it (128 for MLA, as its kernels for newer devices need; 64 until 2025).
 *              A state takes one page.
 *   a group    as many layers as the rarest sort has, or, if the most common sort has less than 1.5 times as
 *              many, as that has. Empty layers fill up the last group of a sort.
 *   a request  takes the blocks that one layer of each group needs
 *
 * Layers of one sort, or whose rows differ only in bytes, form one group, without a common page. If a layer
 * keeps rows for different lengths, layers are counted separately, because the rule does not cover this.
 */
#ifndef NUMEL_MEMORY_GROUPS_H
#define NUMEL_MEMORY_GROUPS_H

#include "memory/runtime.h"

/* If there are groups, replaces the bytes counted without a pool, and sets the groups. OVERFLOW; USAGE if
 * rows do not divide a page. */
NUMEL_MUST bool memory_groups(struct cache_bytes *out, const struct expansion *x,
                              const struct memory_run *run, numel_error *e);

#endif
