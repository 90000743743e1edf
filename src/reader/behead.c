/*
 * behead.c -- header-only copies: a 140 GB model becomes some 30 KB that can be shared, kept as a
 * fixture, or compared later.
 *
 * For each file NAME of the checkpoint DIR/NAME.head.zst is written (source/zstd.h has its form);
 * the shard index and config.json are copied as they are. A copy of a copy keeps the original's
 * size. Files are written whole or not at all: under another name first, then renamed.
 */
#include "reader/checkpoint.h"

#include "base/text.h"
#include "source/folder.h"
#include "source/guard.h"
#include "source/zstd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct beheading {
    struct source s;
    const numel_file *file;
    struct buffer head, out; /* of the file, and what is written */
    struct arena arena;
    const char *dir;
    bool overwrite;
    numel_error *error;
};

static bool write_all(int fd, const char *p, size_t n, numel_error *e)
{
    while (n) {
        ssize_t wrote = write(fd, p, n);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return error_errno(e, "cannot write", errno);
        p += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

/* b->out becomes dir/name. */
static bool put_file(struct beheading *b, numel_str name)
{
    char *path = path_join(&b->arena, b->dir, name);
    char *part = path ? arena_format(&b->arena, "%s.part", path) : NULL;
    if (!part || b->out.failed) return error_nomem(b->error);
    if (!b->overwrite && path_kind(path) != PATH_ABSENT) {
        error_set(b->error, NUMEL_E_IO, NUMEL_NOWHERE, "exists already (--force overwrites it)");
        error_file(b->error, path);
        return false;
    }
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    bool ok = fd >= 0 ? write_all(fd, b->out.p, b->out.n, b->error)
                      : error_errno(b->error, "cannot create", errno);
    if (fd >= 0 && close(fd) != 0 && ok) ok = error_errno(b->error, "cannot write", errno);
    if (ok && rename(part, path) != 0) ok = error_errno(b->error, "cannot rename", errno);
    if (!ok && fd >= 0) unlink(part);
    error_file(b->error, path);
    return ok;
}

static bool head_body(void *ctx)
{
    struct beheading *b = ctx;
    const numel_file *f = b->file;
    if (b->s.size < f->data_start)
        return error_set(b->error, NUMEL_E_CHANGED, NUMEL_NOWHERE,
                         "the header had %" PRIu64 " bytes, now %" PRIu64 " are there",
                         f->data_start, b->s.size);
    b->head.n = 0;
    buffer_add(&b->head, b->s.base, (size_t)f->data_start);
    return true;
}

static bool behead_file(struct beheading *b, const numel_file *f)
{
    numel_str plain = plain_name(path_base(f->path));
    b->file = f;
    b->out.n = 0;
    if (!source_open(&b->s, f->path, b->arena.memory, b->error)) return false;
    bool ok = source_grow(&b->s, f->data_start, UINT64_MAX, b->error) &&
              guard_run(b->s.base, b->s.size, head_body, b, b->error);
    source_close(&b->s);
    ok = ok && zstd_write_head(&b->out, b->head.p, b->head.n, f->bytes, b->error);
    error_file(b->error, f->path);
    if (!ok) return false;
    numel_str name = arena_join(&b->arena, plain, text_of(".head.zst"), (numel_str){ NULL, 0 });
    return name.p ? put_file(b, name) : error_nomem(b->error);
}

static bool copy_body(void *ctx)
{
    struct beheading *b = ctx;
    buffer_add(&b->out, b->s.base, (size_t)b->s.size);
    return true;
}

/* A small file beside the model, if it is there. */
static bool copy_file(struct beheading *b, const char *path, size_t *written)
{
    enum { SMALL = 256 << 20 };
    b->out.n = 0;
    if (!path || path_kind(path) != PATH_FILE || path_bytes(path) > SMALL) return true;
    if (!source_open(&b->s, path, b->arena.memory, b->error)) return false;
    bool ok = b->s.compressed || guard_run(b->s.base, b->s.size, copy_body, b, b->error);
    bool copied = !b->s.compressed;
    source_close(&b->s);
    if (ok && copied) {
        ok = put_file(b, path_base(path));
        *written += ok;
    }
    return ok;
}

/* The directory and those above it, as mkdir -p. */
static bool make_directories(struct beheading *b)
{
    char *path = arena_text(&b->arena, b->dir, strlen(b->dir));
    if (!path) return error_nomem(b->error);
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = 0;
        (void)mkdir(path, 0755); /* the last one tells */
        *p = '/';
    }
    return mkdir(path, 0755) == 0 || errno == EEXIST || error_errno(b->error, "cannot create", errno);
}

static bool behead_all(struct beheading *b, const numel_checkpoint *ck, size_t *written)
{
    if (!make_directories(b)) {
        error_file(b->error, b->dir);
        return false;
    }
    for (size_t i = 0; i < ck->file_count; i++, ++*written)
        if (!behead_file(b, &ck->files[i])) return false;
    char *config = ck->dir ? path_join(&b->arena, ck->dir, text_of("config.json")) : NULL;
    return copy_file(b, ck->index_path, written) && copy_file(b, config, written);
}

numel_rc numel_behead(const numel_checkpoint *ck, const char *dir, bool overwrite, size_t *written,
                      numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    struct beheading b = { .dir = dir, .overwrite = overwrite, .error = e };
    error_clear(e);
    *written = 0;
    arena_init(&b.arena, ck->arena.memory);
    buffer_init(&b.head, ck->arena.memory);
    buffer_init(&b.out, ck->arena.memory);
    behead_all(&b, ck, written);
    buffer_done(&b.head);
    buffer_done(&b.out);
    arena_done(&b.arena);
    return e->code;
}
