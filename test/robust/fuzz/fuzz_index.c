/*
 * fuzz_index.c -- model.safetensors.index.json: an accepted index is counted again, by cJSON if that reads
 * the same; each name is found, in a shard that exists.
 */
#include "../../support/check.h"
#include "common/mutators.h"

#include "base/json_doc.h"
#include "base/num.h"
#include "reader/shard_index.h"

#include <string.h>

static size_t times(const uint8_t *p, size_t n, const char *word)
{
    size_t count = 0, length = strlen(word);
    for (size_t i = 0; i + length <= n; i++) count += memcmp(p + i, word, length) == 0;
    return count;
}

/* If every key is unique and nothing is escaped, cJSON must agree. */
static void check_document(const struct shard_index *x, const uint8_t *p, size_t n)
{
    numel_error e = { .offset = NUMEL_NOWHERE };
    json_value *doc =
        times(p, n, "weight_map") == 1 && !times(p, n, "\\") ? json_doc_parse(p, x->end, &e) : NULL;
    size_t lines = 0;
    int64_t size;
    for (const json_value *v = json_first(json_get(doc, "weight_map")); v; v = json_next(v)) {
        numel_str name = { json_name(v), strlen(json_name(v)) };
        uint32_t i = names_find(&x->by_tensor, x->tensors, name);
        FUZZ_ASSERT(i != NAMES_ABSENT, "a line is not found");
        numel_str shard = x->shards[x->tensors[i].shard].name;
        const char *wanted = json_text_of(v);
        FUZZ_ASSERT(x->repeated ||
                        (wanted && strlen(wanted) == shard.n && memcmp(wanted, shard.p, shard.n) == 0),
                    "a line has another shard");
        lines++;
    }
    FUZZ_ASSERT(!doc || lines == x->tensor_count + x->repeated, "another number of lines");
    const json_value *total = json_get(json_get(doc, "metadata"), "total_size");
    if (json_integer(total, &size) && size >= 0 && times(p, n, "metadata") == 1 &&
        times(p, n, "total_size") == 1)
        FUZZ_ASSERT(x->has_total_size == INDEX_ODD || x->total_size == (uint64_t)size, "another total_size");
    json_doc_free(doc);
}

static void check_index(const struct shard_index *x)
{
    uint64_t tensors = 0;
    FUZZ_ASSERT(x->end <= x->bytes, "the end is past the end of the file");
    for (size_t i = 0; i < x->shard_count; i++) {
        tensors += x->shards[i].tensors;
        FUZZ_ASSERT(names_find(&x->by_shard, x->shards, x->shards[i].name) == i, "a shard is not found");
    }
    for (size_t i = 0; i < x->tensor_count; i++) {
        FUZZ_ASSERT(x->tensors[i].shard < x->shard_count, "a tensor of no shard");
        uint32_t found = names_find(&x->by_tensor, x->tensors, x->tensors[i].name);
        FUZZ_ASSERT(found == i, "a name leads elsewhere");
    }
    FUZZ_ASSERT(tensors == x->tensor_count, "shards do not add up to the tensors");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    struct arena a;
    struct shard_index x;
    numel_error e = { .offset = NUMEL_NOWHERE };
    check_memory_init(&m, UINT64_MAX);
    arena_init(&a, &m.allocator);
    bool ok = shard_index_read(&x, data, size, &a, &e);
    FUZZ_ASSERT(ok == (e.code == NUMEL_OK), "result and error disagree");
    uint64_t lines = x.tensor_count;
    if (!ok) FUZZ_CHECK(check_error(e.code, &e, size));
    if (ok) check_index(&x);
    if (ok) check_document(&x, data, size);
    shard_index_done(&x);
    arena_done(&a);
    FUZZ_CHECK(check_memory_done(&m, size, lines));
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t most, unsigned seed)
{
    struct dice d;
    dice_init(&d, seed);
    return mutate_json(p, n, most, &d);
}
