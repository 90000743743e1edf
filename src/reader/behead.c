/*
 * behead.c -- header-only copies: a 140 GB model becomes some 30 KB that can be shared, kept as a
 * fixture, or compared later.
 *
 * For each file NAME of a checkpoint NAME.head.zst is written (source/zstd.h has its form), in the folder
 * that the file has below the path which was named, so that the copies of a pipeline are a pipeline. The
 * shard index and config.json are copied as they are. A copy of a copy keeps the original's size. How
 * files are written, and what is never written over: source/target.h.
 */
#include "reader/checkpoint.h"

#include "base/border.h"
#include "base/text.h"
#include "source/folder.h"
#include "source/source.h"
#include "source/target.h"
#include "source/zstd.h"

#include <string.h>

struct numel_heads {
    struct target target;
};

struct beheading {
    struct source s;
    const numel_checkpoint *ck;
    const numel_file *file;
    struct buffer head, out; /* of the file, and what is written */
    struct arena *arena;
    struct target *target;
    numel_error *error;
};

/* The part of the path behind the checkpoint's folder: a shard may lie in a folder of its own. */
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

/* Where the copy of a file goes, below the target. */
static numel_str place_of(struct beheading *b, const char *path, const char *end)
{
    numel_str name = inside(b->ck, path);
    if (end[0]) name = plain_name(name);
    name = arena_join(b->arena, name, text_of(end), (numel_str){ NULL, 0 });
    if (!name.p || !b->ck->place[0]) return name;
    return arena_join(b->arena, text_of(b->ck->place), text_of("/"), name);
}

static bool put(struct beheading *b, numel_str name)
{
    if (!name.p || b->out.failed) return error_nomem(b->error);
    return target_put(b->target, name, b->out.p, b->out.n, b->error);
}

static bool head_body(void *ctx)
{
    struct beheading *b = ctx;
    const numel_file *f = b->file;
    if (b->s.size < f->data_start)
        return error_set(b->error, NUMEL_E_CHANGED, NUMEL_NOWHERE,
                         "the header had %" PRIu64 " bytes, now %" PRIu64 " are there", f->data_start,
                         b->s.size);
    b->head.n = 0;
    buffer_add(&b->head, b->s.base, (size_t)f->data_start);
    return true;
}

static bool behead_file(struct beheading *b, const numel_file *f)
{
    b->file = f;
    b->out.n = 0;
    if (!source_open(&b->s, f->path, b->ck->unguarded, b->arena->memory, b->error)) return false;
    bool ok =
        source_grow(&b->s, f->data_start, UINT64_MAX, b->error) && source_run(&b->s, head_body, b, b->error);
    source_close(&b->s);
    ok = ok && zstd_write_head(&b->out, b->head.p, b->head.n, f->bytes, b->error);
    error_file(b->error, f->path);
    return ok && put(b, place_of(b, f->path, ".head.zst"));
}

static bool copy_body(void *ctx)
{
    struct beheading *b = ctx;
    buffer_add(&b->out, b->s.base, (size_t)b->s.size);
    return true;
}

/* A small file beside the model, if it is there and was not copied with another checkpoint. */
static bool copy_file(struct beheading *b, const char *path, size_t *written)
{
    enum { SMALL = 256 << 20 };
    b->out.n = 0;
    if (!path || path_kind(path) != PATH_FILE || path_bytes(path) > SMALL) return true;
    numel_str name = place_of(b, path, "");
    if (!name.p) return error_nomem(b->error);
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

static bool behead_all(struct beheading *b, size_t *written)
{
    const numel_checkpoint *ck = b->ck;
    for (size_t i = 0; i < ck->file_count; i++, ++*written)
        if (!behead_file(b, &ck->files[i])) return false;
    char *config = ck->dir ? path_join(b->arena, ck->dir, text_of("config.json")) : NULL;
    if (ck->dir && !config) return error_nomem(b->error);
    return copy_file(b, ck->index_path, written) && copy_file(b, config, written);
}

/* ---- the public interface ----------------------------------------------------------------- */

numel_rc numel_heads_add(numel_heads *heads, const numel_checkpoint *ck, size_t *written, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    struct arena arena;
    struct beheading b = { .ck = ck, .arena = &arena, .target = &heads->target, .error = e };
    size_t ignored, *count = written ? written : &ignored;
    error_clear(e);
    *count = 0;
    arena_init(&arena, ck->arena.memory);
    buffer_init(&b.head, ck->arena.memory);
    buffer_init(&b.out, ck->arena.memory);
    behead_all(&b, count);
    buffer_done(&b.head);
    buffer_done(&b.out);
    arena_done(&arena);
    return e->code;
}

numel_rc numel_heads_open(numel_heads **out, const char *dir, bool overwrite, const numel_options *options,
                          numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    error_clear(e);
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    *out = memory_resize(own.allocator, NULL, sizeof **out);
    if (!*out) error_nomem(e);
    else target_init(&(*out)->target, dir, overwrite, own.allocator);
    return e->code;
}

void numel_heads_free(numel_heads *heads)
{
    if (!heads) return;
    const numel_allocator *m = heads->target.arena.memory;
    target_done(&heads->target);
    memory_release(m, heads);
}

numel_rc numel_behead(const numel_checkpoint *ck, const char *dir, bool overwrite, size_t *written,
                      numel_error *error)
{
    numel_heads *heads;
    const numel_options options = { .size = sizeof options, .allocator = ck->arena.memory };
    if (written) *written = 0;
    numel_rc rc = numel_heads_open(&heads, dir, overwrite, &options, error);
    if (rc == NUMEL_OK) rc = numel_heads_add(heads, ck, written, error);
    numel_heads_free(heads);
    return rc;
}
