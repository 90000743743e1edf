/*
 * shard.c -- cuts a model into files, as the tools of each format do.
 *
 * Hugging Face's save_pretrained walks the tensors in module order and starts a new file when the next one
 * would exceed the limit (5 GB, 10 GB). `shard N` finds the smallest limit that gives N files. llama.cpp's
 * gguf-split can also cut after a number of tensors.
 */
#include "draft.h"

#include <string.h>

/* Number of files needed under the limits; numbers them if `assign`. */
static unsigned cut(struct draft *m, uint64_t bytes, uint64_t tensors, bool assign)
{
    unsigned file = 0;
    uint64_t have = 0, n = 0;
    for (size_t i = 0; i < m->count; i++) {
        struct made *t = &m->tensors[i];
        if (n > 0 && (have + t->bytes > bytes || n == tensors)) file++, have = n = 0;
        have += t->bytes;
        n++;
        if (assign) t->file = file;
    }
    return file + 1;
}

static uint64_t smallest_limit(struct draft *m, uint64_t files)
{
    uint64_t low = 1, high = draft_sum(m).bytes;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (cut(m, middle, UINT64_MAX, false) <= files) high = middle;
        else low = middle + 1;
    }
    return low;
}

void draft_shard(struct draft *m)
{
    uint64_t bytes = m->shard_bytes ? m->shard_bytes : UINT64_MAX / 2;
    if (m->shard_count > 1) bytes = smallest_limit(m, m->shard_count);
    m->files = cut(m, bytes, m->shard_tensors ? m->shard_tensors : UINT64_MAX, true);
    if (m->shard_count && m->files != m->shard_count)
        die("%u files, and %" PRIu64 " are asked for", m->files, m->shard_count);
}

/* model.safetensors -> model-00001-of-00004.safetensors */
const char *draft_file_name(struct draft *m, unsigned file)
{
    const char *dot = strrchr(m->file, '.');
    if (m->files == 1 || !dot) return m->file;
    return must(arena_format(&m->arena, "%.*s-%05u-of-%0*u%s", (int)(dot - m->file), m->file, file + 1,
                             (int)m->digits, m->files, dot));
}
