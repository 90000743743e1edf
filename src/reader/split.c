/*
 * split.c -- GGUF split sets: what the shards say of themselves.
 *
 * split.no counts from 0, the number in the name from 1; split.count is the number of shards;
 * split.tensors.count the tensors of all shards together; only the first shard has the model's
 * metadata (llama.cpp, gguf-split).
 */
#include "reader/checkpoint.h"

#include "base/text.h"
#include "source/folder.h"

struct split {
    int64_t no, count, tensors;
    bool has_no, has_count, has_tensors;
};

static struct split split_of(const numel_checkpoint *ck, uint32_t file)
{
    struct split s = { 0 };
    for (size_t i = 0; i < ck->metadata.count; i++) {
        const struct metadata_entry *e = &ck->metadata.entries[i];
        if (e->file != file || e->key.n < 8 || e->key.p[0] != 's') continue;
        if (text_equal(e->key, "split.no")) s.has_no = metadata_integer(&e->value, &s.no);
        if (text_equal(e->key, "split.count"))
            s.has_count = metadata_integer(&e->value, &s.count);
        if (text_equal(e->key, "split.tensors.count"))
            s.has_tensors = metadata_integer(&e->value, &s.tensors);
    }
    return s;
}

static void disagree(numel_checkpoint *ck, const char *path, const char *what, int64_t says,
                     uint64_t is)
{
    findings_add(&ck->findings, FINDING_SPLIT_DISAGREES, path, NO_TENSOR, NUMEL_NOWHERE,
                 "%s is %" PRId64 ", found %" PRIu64, what, says, is);
}

static void check_one(numel_checkpoint *ck, uint32_t file, const struct split *s)
{
    const char *path = ck->files[file].path;
    struct shard_name n;
    bool named = path && shard_name_parse(plain_name(path_base(path)), &n);
    if (named && s->has_no && s->no != (int64_t)n.number - 1)
        disagree(ck, path, "split.no counts from 0 and", s->no, n.number - 1);
    if (named && s->has_count && s->count > 1 && s->count != (int64_t)n.total)
        disagree(ck, path, "split.count", s->count, n.total);
    if (!named && s->has_count && s->count > 1)
        findings_add(&ck->findings, FINDING_SPLIT_DISAGREES, path, NO_TENSOR, NUMEL_NOWHERE,
                     "this is shard %" PRIu64 " of %" PRId64
                     ", but its name has no -00001-of-%05" PRId64 ": the others cannot be found",
                     (uint64_t)s->no + 1, s->count, s->count);
}

void split_check(numel_checkpoint *ck)
{
    struct split first = { 0 };
    uint64_t tensors = 0;
    for (size_t i = 0; i < ck->file_count; i++) {
        if (ck->files[i].format != NUMEL_GGUF) return;
        struct split s = split_of(ck, (uint32_t)i);
        if (i == 0) first = s;
        if (s.has_no || s.has_count) check_one(ck, (uint32_t)i, &s);
        tensors += ck->files[i].tensors;
    }
    if (first.has_tensors && first.has_count && first.count == (int64_t)ck->file_count &&
        first.tensors != (int64_t)tensors)
        disagree(ck, ck->files[0].path, "split.tensors.count", first.tensors, tensors);
}
