/*
 * index_alone.c -- an index without any of its files, as when only the small files were downloaded: names
 * without shapes.
 */
#include "reader/checkpoint.h"

bool index_is_alone(const numel_checkpoint *ck, const struct found_set *set)
{
    bool alone = set->kind == FOUND_INDEX && ck->index.tensor_count;
    for (size_t i = 0; i < set->count; i++) alone &= !set->files[i].path;
    return alone;
}

/* Adds the index as the file with the tensors. */
NUMEL_MUST static bool stand_in(numel_checkpoint *ck, numel_error *e)
{
    size_t cap = ck->file_cap; /* shared with the sources, so it stays unchanged */
    if (!memory_grow(ck->arena.memory, &ck->files, &cap, 1, sizeof *ck->files, e)) return false;
    ck->files[0] = (numel_file){ .size = sizeof *ck->files,
                                 .path = ck->index_path,
                                 .format = NUMEL_SAFETENSORS,
                                 .data = NUMEL_DATA_ABSENT };
    return true;
}

bool index_name_tensors(numel_checkpoint *ck, numel_error *e)
{
    size_t first, second;
    ck->unknown = dtype_unknown(&ck->arena, "unknown", NUMEL_SAFETENSORS, -1);
    if (!ck->unknown) return error_nomem(e);
    if (!stand_in(ck, e) || !registry_reserve(&ck->registry, ck->index.tensor_count, e)) return false;
    for (size_t i = 0; i < ck->index.tensor_count; i++) {
        const numel_tensor t = { .name = ck->index.tensors[i].name,
                                 .dtype = ck->unknown,
                                 .offset = NUMEL_NOWHERE };
        if (!registry_add(&ck->registry, &t, e)) return false;
    }
    ck->named = ck;
    return registry_commit(&ck->registry, &first, &second, e);
}
