/*
 * split.c -- GGUF split sets: the shards' own split keys.
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
        if (text_equal(e->key, "split.count")) s.has_count = metadata_integer(&e->value, &s.count);
        if (text_equal(e->key, "split.tensors.count"))
            s.has_tensors = metadata_integer(&e->value, &s.tensors);
    }
    return s;
}

static void disagree(numel_checkpoint *ck, const char *path, const char *what, int64_t says, uint64_t is)
{
    findings_add(&ck->findings, FINDING_SPLIT_DISAGREES, path, NO_TENSOR, NUMEL_NOWHERE,
                 "%s is %" PRId64 ", found %" PRIu64, what, says, is);
}

/* split.count > 1 in a file without a shard's name: renamed, or whole with old keys. */
static void check_alone(numel_checkpoint *ck, uint32_t file, const struct split *s)
{
    const char *path = ck->files[file].path;
    bool whole = s->has_tensors && s->tensors == (int64_t)ck->files[file].tensors;
    if (whole)
        findings_add(&ck->findings, FINDING_SPLIT_STALE, path, NO_TENSOR, NUMEL_NOWHERE,
                     "split.count is %" PRId64 ", but all %" PRId64 " tensors of split.tensors.count "
                     "are in this one file: keys left over from a merge; llama.cpp looks for the other files",
                     s->count, s->tensors);
    else
        findings_add(&ck->findings, FINDING_SPLIT_DISAGREES, path, NO_TENSOR, NUMEL_NOWHERE,
                     "this is shard %" PRIu64 " of %" PRId64 ", but its name has no -00001-of-%05" PRId64
                     ": the others cannot be found",
                     (uint64_t)s->no + 1, s->count, s->count);
}

/* Without a count, or with a count of 1, llama.cpp treats the file as whole and ignores the other keys. */
static void check_uncounted(numel_checkpoint *ck, uint32_t file, const struct split *s)
{
    const char *path = ck->files[file].path;
    if (s->has_no && s->no != 0)
        disagree(ck, path, "split.no (from 0) of a file that is not a shard", s->no, 0);
    if (s->has_tensors && s->tensors != (int64_t)ck->files[file].tensors)
        disagree(ck, path, "split.tensors.count", s->tensors, ck->files[file].tensors);
}

static void check_one(numel_checkpoint *ck, uint32_t file, const struct split *s)
{
    const char *path = ck->files[file].path;
    struct shard_name n;
    bool named = path && shard_name_parse(plain_name(path_base(path)), &n);
    if (!named && s->has_count && s->count > 1) check_alone(ck, file, s);
    else if (!named) check_uncounted(ck, file, s);
    if (!named) return;
    if (s->has_no && s->no != (int64_t)n.number - 1)
        disagree(ck, path, "split.no (from 0)", s->no, n.number - 1);
    if (s->has_count && s->count != (int64_t)n.total) disagree(ck, path, "split.count", s->count, n.total);
    bool all = s->has_no && s->has_count && s->has_tensors;
    if (n.total > 1 && !all)
        findings_add(&ck->findings, FINDING_SPLIT_DISAGREES, path, NO_TENSOR, NUMEL_NOWHERE,
                     "the name says shard %" PRIu64 " of %" PRIu64 ", the file has no %s: llama.cpp "
                     "refuses it",
                     n.number, n.total,
                     !s->has_no      ? "split.no"
                     : !s->has_count ? "split.count"
                                     : "split.tensors.count");
}

/* Only the first shard has the model's metadata. */
static void check_first(numel_checkpoint *ck)
{
    struct shard_name n;
    const char *path = ck->files[0].path;
    bool named = path && shard_name_parse(plain_name(path_base(path)), &n);
    if (!named || n.number != 1 || n.total < 2) return;
    for (size_t i = 0; i < ck->metadata.count && ck->metadata.entries[i].file == 0; i++)
        if (text_equal(ck->metadata.entries[i].key, "general.architecture")) return;
    findings_add(&ck->findings, FINDING_ARCHITECTURE_ABSENT, path, NO_TENSOR, NUMEL_NOWHERE,
                 "no general.architecture in the first shard, where the model's metadata should be");
}

void split_check(numel_checkpoint *ck)
{
    struct split first = { 0 };
    uint64_t tensors = 0;
    if (ck->file_count == 0 || ck->files[0].format != NUMEL_GGUF) return;
    for (size_t i = 0; i < ck->file_count; i++) {
        if (ck->files[i].format != NUMEL_GGUF) return;
        struct split s = split_of(ck, (uint32_t)i);
        if (i == 0) first = s;
        else if (first.has_tensors && s.has_tensors && s.tensors != first.tensors)
            findings_add(&ck->findings, FINDING_SPLIT_DISAGREES, ck->files[i].path, NO_TENSOR, NUMEL_NOWHERE,
                         "split.tensors.count is %" PRId64 ", %" PRId64 " in the first shard", s.tensors,
                         first.tensors);
        check_one(ck, (uint32_t)i, &s);
        tensors += ck->files[i].tensors;
    }
    check_first(ck);
    if (first.has_tensors && first.has_count && first.count == (int64_t)ck->file_count &&
        first.tensors != (int64_t)tensors)
        disagree(ck, ck->files[0].path, "split.tensors.count", first.tensors, tensors);
}
