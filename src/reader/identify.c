/*
 * identify.c -- one line for whatever a path is, as file(1) does. Never needs more than a header.
 */
#include "reader/checkpoint.h"

#include "base/border.h"
#include "base/text.h"
#include "source/folder.h"

#include <stdio.h>
#include <string.h>

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

static bool say_file(const numel_checkpoint *ck, char *text, size_t size)
{
    const numel_file *f = &ck->files[0];
    char tensors[TEXT_NUMBER], elements[TEXT_NUMBER], version[32] = "";
    if (f->format == NUMEL_GGUF)
        snprintf(version, sizeof version, " v%u%s", (unsigned)f->version, f->big_endian ? " big-endian" : "");
    text_number(tensors, ck->registry.count);
    text_number(elements, ck->stored);
    snprintf(text, size, "%s%s%s, %s tensor%s, %s elements%s%s",
             f->format == NUMEL_GGUF ? "GGUF" : "safetensors", version,
             f->header_only  ? ", header-only copy"
             : f->compressed ? ", in zstd"
                             : "",
             tensors, plural(ck->registry.count), elements,
             f->data == NUMEL_DATA_PARTIAL                     ? ", data cut short"
             : f->data == NUMEL_DATA_ABSENT && !f->header_only ? ", data absent"
                                                               : "",
             numel_worst(ck) == NUMEL_ERROR ? ", with errors (see 'numel show')" : "");
    return true;
}

NUMEL_MUST static bool identify_file(const char *path, numel_checkpoint *ck, char *text, size_t size,
                                     const numel_options *options, numel_error *e)
{
    struct opening o;
    struct source s;
    if (!source_open(&s, path, options->no_guard, ck->arena.memory, e)) return false;
    opening_init(&o, ck, options, e);
    bool ok = opening_file(&o, &s, path);
    opening_done(&o);
    return ok && checkpoint_close(ck, e) && say_file(ck, text, size);
}

NUMEL_MUST static bool identify_index(const char *path, numel_checkpoint *ck, char *text, size_t size,
                                      numel_error *e)
{
    char n[TEXT_NUMBER];
    if (!find_read_index(path, &ck->index, &ck->arena, e)) return false;
    snprintf(text, size, "safetensors shard index, %zu shard%s, %s tensors%s", ck->index.shard_count,
             plural(ck->index.shard_count), text_number(n, ck->index.tensor_count),
             ck->index.end < ck->index.bytes ? ", followed by a second document" : "");
    return true;
}

NUMEL_MUST static bool identify_directory(const char *path, char *text, size_t size,
                                          const numel_options *options, numel_error *e)
{
    numel_found *found;
    if (!find_path(&found, path, options, e)) return false;
    size_t n = numel_found_count(found);
    snprintf(text, size, "directory with %zu checkpoint%s", n, plural(n));
    numel_found_free(found);
    return true;
}

numel_rc numel_identify(const char *path, char *text, size_t size, const numel_options *options,
                        numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    numel_checkpoint ck;
    error_clear(e);
    if (size) text[0] = 0;
    if (!border_options(&own, options, e)) return e->code;
    checkpoint_init(&ck, own.allocator);
    enum path_kind kind = path_kind(path);
    bool ok = kind == PATH_DIRECTORY ? identify_directory(path, text, size, &own, e)
              : text_ends(plain_name(path_base(path)), ".index.json")
                  ? identify_index(path, &ck, text, size, e)
                  : identify_file(path, &ck, text, size, &own, e);
    checkpoint_done(&ck);
    error_file(e, path);
    if (!ok) snprintf(text, size, "%s", e->what);
    return e->code;
}
