/*
 * behead.c -- header-only copies: a 140 GB model becomes some 30 KB to share, keep as a fixture, or compare
 * later.
 *
 * Each file NAME of a checkpoint becomes NAME.head.zst (format: source/zstd.h), in the same folder below the
 * named path, so that the copies of a pipeline are a pipeline. The shard index, config.json and quantization
 * settings are copied unchanged, and of a pipeline its index and the settings of components without weights.
 * The caller may choose tensors whose bytes the copy keeps (source/kept.h). A copy of a copy keeps the
 * original's size. How files are written, and what is never overwritten: source/target.h.
 */
#include "reader/behead.h"

#include "base/num.h"
#include "base/text.h"
#include "reader/find.h"
#include "source/folder.h"
#include "source/kept.h"
#include "source/source.h"
#include "source/stream.h"
#include "source/target.h"
#include "source/zstd.h"

#include <stdlib.h>
#include <string.h>

struct numel_heads {
    struct target target;
    heads_keep_fn *keep; /* may be NULL */
    void *ctx;
};

struct beheading {
    struct source s;
    const numel_checkpoint *ck;
    const numel_file *file;
    struct buffer head, kept, out; /* of the file; the output */
    const struct numel_heads *heads;
    struct arena *arena;
    struct target *target;
    numel_error *error;
};

/* The part of the path after the checkpoint's folder: a shard may be in a subfolder. */
static numel_str inside(const numel_checkpoint *ck, const char *path)
{
    size_t n = ck->dir ? strlen(ck->dir) : 0;
    while (n > 1 && ck->dir[n - 1] == '/') n--;
    if (n == 1 && ck->dir[0] == '.' && path[0] != '/') return text_of(path);
    bool below = n && strncmp(path, ck->dir, n) == 0 && (path[n] == '/' || ck->dir[n - 1] == '/');
    if (!below) return path_base(path);
    for (path += n; *path == '/';) path++;
    return text_of(path);
}

/* Path of a file's copy, below the target. */
NUMEL_MUST static numel_str place_of(struct beheading *b, const char *path, const char *end)
{
    numel_str name = inside(b->ck, path);
    if (end[0]) name = plain_name(name);
    name = arena_join(b->arena, name, text_of(end), (numel_str){ NULL, 0 });
    if (!name.p || !b->ck->place[0]) return name;
    return arena_join(b->arena, text_of(b->ck->place), text_of("/"), name);
}

NUMEL_MUST static bool put(struct beheading *b, numel_str name)
{
    if (!name.p || b->out.failed) return error_nomem(b->error);
    return target_put(b->target, name, b->out.p, b->out.n, b->error);
}

NUMEL_MUST static bool head_body(void *ctx)
{
    struct beheading *b = ctx;
    const numel_file *f = b->file;
    if (b->s.size < f->data_start)
        return error_set(b->error, NUMEL_E_CHANGED, NUMEL_NOWHERE,
                         "the header had %" PRIu64 " bytes, now it has %" PRIu64, f->data_start, b->s.size);
    b->head.n = 0;
    if (!b->s.compressed) buffer_add(&b->head, b->s.base, (size_t)f->data_start); /* a mapping may shrink */
    return true;
}

/* ---- the bytes of small tensors ----------------------------------------------------------------- */

static bool is_kept(const struct beheading *b, const numel_tensor *t)
{
    return b->heads->keep && t->bytes && t->bytes <= HEADS_KEPT && b->heads->keep(b->heads->ctx, t->name);
}

static int by_offset(const void *a, const void *b)
{
    return num_order((*(const numel_tensor *const *)a)->offset, (*(const numel_tensor *const *)b)->offset);
}

/* The file's small tensors, as far as they can be read: a copy has only the bytes it kept. All-zero bytes
 * are not kept. */
NUMEL_MUST static bool keep_bytes(struct beheading *b, const numel_tensor **list, size_t n)
{
    uint8_t bytes[HEADS_KEPT];
    struct kept kept;
    struct stream s;
    numel_error why = { 0 };
    bool copy = b->file->header_only,
         open = !copy && !b->file->compressed && stream_open(&s, b->file->path, &why);
    if (copy && !kept_load(&kept, b->file->path, b->arena, b->error)) return false;
    for (size_t i = 0; i < n; i++) {
        size_t size = (size_t)list[i]->bytes, zero = 0;
        error_clear(&why);
        bool read = copy ? kept_find(&kept, list[i]->offset, size, bytes)
                         : open && stream_read(&s, list[i]->offset, bytes, size, &why);
        while (read && zero < size && !bytes[zero]) zero++;
        if (read && zero < size) kept_add(&b->kept, list[i]->offset, bytes, (uint32_t)size);
    }
    if (open && !stream_close(&s, &why)) b->kept.n = 0;
    return !b->kept.failed || error_nomem(b->error);
}

NUMEL_MUST static bool keep_of(struct beheading *b)
{
    const struct registry *r = &b->ck->registry;
    size_t n = 0;
    b->kept.n = 0;
    size_t from = (size_t)b->file->first_tensor, to = from + (size_t)b->file->tensors;
    for (size_t i = from; i < to; i++) n += is_kept(b, &r->tensors[i]);
    if (!n) return true;
    const numel_tensor **list = arena_alloc(b->arena, n * sizeof(const numel_tensor *));
    if (!list) return error_nomem(b->error);
    n = 0;
    for (size_t i = from; i < to; i++)
        if (is_kept(b, &r->tensors[i])) list[n++] = &r->tensors[i];
    qsort(list, n, sizeof *list, by_offset);
    return keep_bytes(b, list, n);
}

/* ---- the copy ----------------------------------------------------------------------------------- */

NUMEL_MUST static bool behead_file(struct beheading *b, size_t number)
{
    const numel_file *f = b->file = &b->ck->files[number];
    b->out.n = 0;
    if (!source_open(&b->s, f->path, b->ck->unguarded, b->arena->memory, b->error)) return false;
    b->s.earned = UINT64_MAX; /* it was read before */
    bool ok =
        source_grow(&b->s, f->data_start, UINT64_MAX, b->error) && source_run(&b->s, head_body, b, b->error);
    source_enough(&b->s);
    const void *head = b->s.compressed ? (const void *)b->s.base : b->head.p;
    ok = ok && (b->s.compressed || !b->head.failed || error_nomem(b->error)) && keep_of(b) &&
         zstd_write_head(&b->out, head, (size_t)f->data_start, f->bytes, b->kept.p, b->kept.n, b->error);
    source_close(&b->s);
    error_file(b->error, f->path);
    return ok && put(b, place_of(b, f->path, ".head.zst"));
}

static bool copy_body(void *ctx)
{
    struct beheading *b = ctx;
    buffer_add(&b->out, b->s.base, (size_t)b->s.size);
    return true;
}

/* Copies a small file to that place, if it exists and was not copied with another checkpoint. */
NUMEL_MUST static bool copy_as(struct beheading *b, numel_str name, const char *path, size_t *written)
{
    enum { SMALL = 256 << 20 };
    b->out.n = 0;
    if (!name.p) return error_nomem(b->error);
    if (path_kind(path) != PATH_FILE || path_bytes(path) > SMALL) return true;
    if (target_has(b->target, name)) return true;
    if (!source_read(&b->s, path, SMALL, "small file", b->arena->memory, b->error)) return false;
    bool copied = !b->s.compressed;
    bool ok = !copied ||
              (source_grow(&b->s, b->s.total, SMALL, b->error) && source_run(&b->s, copy_body, b, b->error));
    source_close(&b->s);
    error_file(b->error, path);
    if (ok && copied) {
        ok = put(b, name);
        *written += ok;
    }
    return ok;
}

/* Copies a small file next to the model. */
NUMEL_MUST static bool copy_file(struct beheading *b, const char *path, size_t *written)
{
    return !path || copy_as(b, place_of(b, path, ""), path, written);
}

/* Model configurations and quantization settings. */
static const char *const beside[] = { "config.json",
                                      "params.json",
                                      "quantize_config.json",
                                      "quant_config.json",
                                      "quantization_config.json",
                                      "hf_quant_config.json",
                                      "quanto_qmap.json",
                                      "adapter_config.json",
                                      "open_clip_config.json" };

/* ---- of a pipeline ------------------------------------------------------------------------------ */

/* The folder of the whole of which the checkpoint is a part. NULL: out of memory. */
NUMEL_MUST static const char *whole_of(struct beheading *b)
{
    numel_str dir = text_of(b->ck->dir), place = text_of(b->ck->place);
    if (!place.n) return b->ck->dir;
    if (text_same(dir, place) || !text_take_end(&dir, place.p)) return ".";
    return arena_text(b->arena, dir.p, text_less(dir, dir.n > 1).n);
}

/* The settings in the folder of a component without weights. */
NUMEL_MUST static bool copy_settings(struct beheading *b, const char *whole, numel_str folder,
                                     size_t *written)
{
    static const char *const names[] = { "config.json", "scheduler_config.json", "tokenizer_config.json",
                                         "preprocessor_config.json" };
    const char *dir = path_join(b->arena, whole, folder);
    struct folder f;
    if (!dir || !folder_look(&f, dir, b->arena, b->error)) return dir ? false : error_nomem(b->error);
    bool weights = folder_has_weights(&f);
    folder_done(&f);
    for (size_t i = 0; !weights && i < sizeof names / sizeof *names; i++) {
        const char *path = path_join(b->arena, dir, text_of(names[i]));
        if (!path) return error_nomem(b->error);
        if (!copy_as(b, arena_join(b->arena, folder, text_of("/"), text_of(names[i])), path, written))
            return false;
    }
    return true;
}

/* The index of the pipeline, and the settings of its components. */
NUMEL_MUST static bool copy_pipeline(struct beheading *b, size_t *written)
{
    static const char *const indexes[] = { "model_index.json", "modules.json" };
    struct folder f;
    size_t before = *written;
    const char *whole = whole_of(b);
    for (size_t i = 0; whole && i < sizeof indexes / sizeof *indexes; i++) {
        const char *path = path_join(b->arena, whole, text_of(indexes[i]));
        if (!path) return error_nomem(b->error);
        if (!copy_as(b, text_of(indexes[i]), path, written)) return false;
    }
    if (!whole) return error_nomem(b->error);
    if (*written == before) return true; /* none, or it was copied with another component */
    if (!folder_list(&f, whole, b->arena, b->error)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < f.count; i++)
        if (f.entries[i].directory && f.entries[i].name.p[0] != '.')
            ok = copy_settings(b, whole, f.entries[i].name, written);
    folder_done(&f);
    return ok;
}

NUMEL_MUST static bool behead_all(struct beheading *b, size_t *written)
{
    const numel_checkpoint *ck = b->ck;
    for (size_t i = 0; i < ck->file_count; i++)
        if (ck->files[i].format == NUMEL_PYTORCH) {
            error_set(b->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                      "a PyTorch file has no copy of its header alone: it is read from both ends");
            error_file(b->error, ck->files[i].path);
            return false;
        }
    for (size_t i = 0; i < ck->file_count; i++, ++*written)
        if (!behead_file(b, i)) return false;
    if (!copy_file(b, ck->index_path, written)) return false;
    for (size_t i = 0; ck->dir && i < sizeof beside / sizeof *beside; i++) {
        const char *path = path_join(b->arena, ck->dir, text_of(beside[i]));
        if (!path) return error_nomem(b->error);
        if (!copy_file(b, path, written)) return false;
    }
    return !ck->dir || copy_pipeline(b, written);
}

/* ---- the interface ----------------------------------------------------------------- */

numel_rc numel_heads_add(numel_heads *heads, const numel_checkpoint *ck, size_t *written, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    struct arena arena;
    struct beheading b = { .ck = ck, .arena = &arena, .target = &heads->target, .heads = heads, .error = e };
    size_t ignored, *count = written ? written : &ignored;
    error_clear(e);
    *count = 0;
    arena_init(&arena, ck->arena.memory);
    buffer_init(&b.head, ck->arena.memory);
    buffer_init(&b.out, ck->arena.memory);
    buffer_init(&b.kept, ck->arena.memory);
    bool ok = behead_all(&b, count);
    buffer_done(&b.head);
    buffer_done(&b.out);
    buffer_done(&b.kept);
    arena_done(&arena);
    return ok ? NUMEL_OK : e->code;
}

bool heads_open(numel_heads **out, const char *dir, bool overwrite, const numel_allocator *m, numel_error *e)
{
    *out = memory_resize(m, NULL, sizeof **out);
    if (!*out) return error_nomem(e);
    **out = (struct numel_heads){ .keep = NULL };
    target_init(&(*out)->target, dir, overwrite, m);
    return true;
}

void heads_keep(numel_heads *heads, heads_keep_fn *keep, void *ctx)
{
    heads->keep = keep;
    heads->ctx = ctx;
}

void *heads_context(const numel_heads *heads) { return heads->ctx; }

void heads_free(numel_heads *heads)
{
    if (!heads) return;
    const numel_allocator *m = heads->target.arena.memory;
    target_done(&heads->target);
    memory_release(m, heads);
}
