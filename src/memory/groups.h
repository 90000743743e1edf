/*
 * groups.h -- the size of vLLM's pool of blocks for a model that mixes layers: full attention, windows, states.
 *
 * The rule is from vLLM's docs/design/hybrid_kv_cache_manager.md, vllm/v1/core/kv_cache_utils.py and (blocks with states)
 * vllm/platforms/interface.py; it was not measured. All layers share one pool, so pages (a block's part for one layer)
 * have one size:
 *
 *   a page       16 tokens of the widest row; a row of a half or a third has two or three times as many, others are
 *                refused. If a state is larger, a multiple of 16 tokens that holds it (128 for MLA, as its kernels for
 *                newer devices need; until 2025 it was 64); a state takes one page
 *   a group      as many layers as the rarest sort has; empty layers fill up the last group of a sort. If the
 *                commonest sort has less than half as many again, as many as that has
 *   a request    takes the blocks that one layer of each group needs
 *
 * Layers of one sort, or that differ only in the bytes of their rows, are one group without a common page. Rows of one
 * layer kept for different lengths are counted separately: the rule does not cover them.
 */
#ifndef NUMEL_MEMORY_GROUPS_H
#define NUMEL_MEMORY_GROUPS_H

#include "memory/runtime.h"

/* If there are groups, replaces the bytes counted without a pool and sets the groups. OVERFLOW; USAGE if rows do
 * not divide a page. */
NUMEL_MUST bool memory_groups(struct cache_bytes *out, const struct expansion *x,
                              const struct memory_run *run, numel_error *e);

#endif
