/* slice.c -- see slice.h. */
#include "reader/slice.h"

#include "base/num.h"

NUMEL_MUST static bool copy_files(numel_checkpoint *ck, const numel_checkpoint *whole, numel_error *e)
{
    size_t n = whole->file_count;
    ck->files = memory_resize(ck->arena.memory, NULL, n * sizeof *ck->files);
    ck->sources = memory_resize(ck->arena.memory, NULL, n * sizeof *ck->sources);
    if (!ck->files || !ck->sources) return error_nomem(e);
    for (size_t i = 0; i < n; i++) {
        ck->files[i] = whole->files[i];
        ck->files[i].bytes = ck->files[i].data_bytes = 0;
        ck->files[i].tensors = 0;
        ck->sources[i] = (struct source){ .memory = ck->arena.memory, .descriptor = -1 };
    }
    ck->file_count = ck->file_cap = n;
    return true;
}

NUMEL_MUST static bool add_tensors(numel_checkpoint *ck, const struct slice *s, numel_error *e)
{
    const struct registry *all = &s->whole->registry;
    for (size_t i = 0; i < all->count; i++) {
        numel_tensor t = all->tensors[i];
        numel_file *f = &ck->files[t.file];
        if (s->part[i] != s->wanted) continue;
        ck->full[ck->registry.count] = t.name;
        ck->whole[ck->registry.count] = (uint32_t)i;
        t.name = s->names[i];
        if (!f->tensors++) f->first_tensor = ck->registry.count;
        bool fits = num_add(&f->bytes, f->bytes, t.bytes);
        f->data_bytes = f->bytes;
        if (!fits)
            return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                             "the bytes of its tensors do not fit in 64 bits");
        if (!registry_add(&ck->registry, &t, e)) return false;
    }
    return true;
}

NUMEL_MUST static bool fill(numel_checkpoint *ck, const struct slice *s, numel_error *e)
{
    const numel_checkpoint *whole = s->whole;
    size_t first, second;
    ck->path = whole->path;
    ck->place = "";
    ck->name = ck->part = s->name;
    ck->strict = whole->strict;
    ck->unguarded = whole->unguarded;
    ck->piped = whole->piped;
    ck->full = arena_alloc(&ck->arena, (whole->registry.count + 1) * sizeof *ck->full);
    ck->whole = arena_alloc(&ck->arena, (whole->registry.count + 1) * sizeof *ck->whole);
    if (!ck->full || !ck->whole) return error_nomem(e);
    if (!copy_files(ck, whole, e) || !add_tensors(ck, s, e)) return false;
    if (!registry_commit(&ck->registry, &first, &second, e)) return false;
    for (size_t i = 0; i < whole->metadata.count; i++)
        if (!metadata_add(&ck->metadata, &whole->metadata.entries[i], e)) return false;
    return checkpoint_close(ck, e);
}

bool checkpoint_slice(numel_checkpoint **out, const struct slice *s, numel_error *e)
{
    const numel_allocator *m = s->whole->arena.memory;
    numel_checkpoint *ck = memory_resize(m, NULL, sizeof *ck);
    *out = NULL;
    if (!ck) return error_nomem(e);
    checkpoint_init(ck, m);
    if (fill(ck, s, e)) return *out = ck, true;
    numel_free(ck);
    return false;
}
