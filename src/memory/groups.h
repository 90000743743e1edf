/*
 * groups.h -- what vLLM's pool of blocks takes of a model that mixes layers: full attention, windows, states.
 *
 * The rule is that of vLLM's docs/design/hybrid_kv_cache_manager.md, vllm/v1/core/kv_cache_utils.py and (blocks beside states)
 * vllm/platforms/interface.py; it was not measured. All layers draw from one pool, so that a page (what a block holds of one layer) is of one size:
 *
 *   a page       the widest row, 16 tokens of it; a row of a half or a third has as many times more, others are refused.
 *                Where a state is larger, so many times 16 tokens that it goes in (of MLA 128, as
 *                its kernels for newer devices want them; until 2025 it was 64); a state is one page
 *   a group      as many layers as the rarest sort has; the last group of a sort is filled up with layers that hold
 *                nothing. If the commonest sort has less than half as many again, as many as that has
 *   a request    takes, of each group, the blocks that one of its layers needs
 *
 * Layers of one sort, or that differ by the bytes of their rows alone, are one group without a page in common. Rows of one
 * layer that are kept for different lengths are counted each for itself: the rule has nothing for them.
 */
#ifndef NUMEL_MEMORY_GROUPS_H
#define NUMEL_MEMORY_GROUPS_H

#include "memory/runtime.h"

/* Puts bytes and groups in place of those of layers that share no pool, where there are groups. OVERFLOW; USAGE where rows do
 * not divide a page. */
NUMEL_MUST bool memory_groups(struct cache_bytes *out, const struct expansion *x,
                              const struct memory_run *run, numel_error *e);

#endif
