/*
 * source.c -- opening files. Private, read-only mappings of a file's front: 64 MiB, more than all but the
 * largest headers, and more when a header needs it. So a file of 1.3 TB needs neither that much address space
 * nor a single page of its weights.
 */
#include "source/source.h"

#include "base/num.h"
#include "base/text.h"
#include "source/descriptor.h"
#include "source/folder.h"
#include "source/guard.h"
#include "source/pipe.h"
#include "source/private.h"
#include "source/stream.h"
#include "source/zstd.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST_MAP = 64 << 20, FIRST_READ = 16 << 10 };

/* Maps the first `bytes` of the file instead of the previous mapping. */
NUMEL_MUST static bool map_first(struct source *s, uint64_t bytes, numel_error *e)
{
    void *map = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, s->descriptor, 0);
    if (map == MAP_FAILED) return error_errno(e, "cannot map", errno);
    if (s->map) munmap(s->map, (size_t)s->map_size);
    s->map = map;
    s->base = map;
    s->size = s->map_size = bytes;
    s->complete = bytes == s->total;
    return true;
}

/* If the front is zstd, its content is read from now on. */
static bool look_inside(void *ctx)
{
    struct source *s = ctx;
    uint64_t original;
    if (!zstd_is(s->base, s->size)) return true;
    s->compressed = true;
    s->compressed_size = s->total;
    s->header_only = zstd_mark(s->base, s->size, &original);
    s->total_known = s->header_only || zstd_content(s->base, s->size, &s->total);
    if (s->header_only) s->total = original;
    return true;
}

bool source_run(const struct source *s, bool (*body)(void *ctx), void *ctx, numel_error *e)
{
    return s->map && !s->unguarded ? guard_run(s->map, s->map_size, body, ctx, e) : body(ctx);
}

/* The file as stored on disk. */
static const void *front(const struct source *s) { return s->copy ? s->copy : s->map; }

NUMEL_MUST static bool open_zstd(struct source *s, const char *path, numel_error *e)
{
    if (!s->header_only && text_ends(text_of(path), ".head.zst")) {
        s->header_only = true; /* made by hand: the original's size is unknown */
        s->total_known = false;
    }
    if (!s->copy && s->map_size < s->compressed_size && !map_first(s, s->compressed_size, e)) return false;
    if (path_shown(path) != path) s->earned = UINT64_MAX; /* our own copy (private.h) */
    s->zstd = zstd_open(front(s), s->compressed_size, s->memory);
    s->base = (const uint8_t *)"";
    s->size = 0;
    s->complete = false;
    return s->zstd || error_nomem(e);
}

/* `pipe` may be NULL: then a pipe is refused. Else *pipe is set: true for a pipe. */
NUMEL_MUST static bool open_path(struct source *s, const char *path, bool *pipe, numel_error *e)
{
    struct stat st;
    s->descriptor = descriptor_open(path, pipe != NULL, &st, e);
    if (s->descriptor < 0) return false;
    if (pipe) *pipe = S_ISFIFO(st.st_mode);
    s->base = (const uint8_t *)"";
    s->total = (uint64_t)st.st_size; /* 0 for a pipe */
    s->total_known = s->complete = true;
    s->header_only = private_partial(path, &st);
    return true;
}

/* Completes the opening, or cleans up. */
NUMEL_MUST static bool opened(struct source *s, const char *path, bool ok, numel_error *e)
{
    ok = ok && source_run(s, look_inside, s, e);
    if (ok && s->compressed) ok = open_zstd(s, path, e);
    if (s->descriptor >= 0 && (s->complete || s->compressed)) { /* else kept for mapping more */
        close(s->descriptor);
        s->descriptor = -1;
    }
    error_file(e, path);
    if (!ok) source_close(s);
    return ok;
}

bool source_open(struct source *s, const char *path, bool unguarded, const numel_allocator *memory,
                 numel_error *e)
{
    *s = (struct source){ .memory = memory, .descriptor = -1, .unguarded = unguarded };
    bool ok = open_path(s, path, NULL, e);
    ok = ok && (s->total == 0 || map_first(s, num_min(s->total, FIRST_MAP), e));
    return opened(s, path, ok, e);
}

uint64_t source_original(const char *path, const numel_allocator *memory)
{
    struct source s;
    numel_error ignored = { .code = NUMEL_OK };
    if (!source_open(&s, path, false, memory, &ignored)) return path_bytes(path);
    uint64_t bytes = s.header_only && s.total_known ? s.total : s.compressed ? s.compressed_size : s.total;
    source_close(&s);
    return bytes;
}

NUMEL_MUST static bool too_much(uint64_t most, const char *what, numel_error *e)
{
    return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %" PRIu64 " bytes: too large for a %s", most,
                     what);
}

/* Reads the file up to its size at opening. */
NUMEL_MUST static bool read_all(struct source *s, numel_error *e)
{
    uint64_t done = 0;
    s->copy = s->total ? memory_resize(s->memory, NULL, (size_t)s->total) : NULL;
    if (!s->copy) return s->total == 0 || error_nomem(e);
    while (done < s->total) {
        ssize_t n = descriptor_read(s->descriptor, (char *)s->copy + done, (size_t)(s->total - done), e);
        if (n < 0) return false;
        if (n == 0)
            return error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE, "the file shrank while it was being read");
        done += (uint64_t)n;
    }
    s->base = s->copy;
    s->size = s->total;
    return true;
}

/* Reads a pipe to its end; doubles the memory when it is full. */
NUMEL_MUST static bool read_pipe(struct source *s, uint64_t most, const char *what, numel_error *e)
{
    uint64_t room = 0;
    for (ssize_t n = 1; n > 0; s->total += (uint64_t)n) {
        if (s->total > most) return too_much(most, what, e);
        if (s->total == room) {
            void *more = memory_resize(s->memory, s->copy, (size_t)(room = room ? 2 * room : FIRST_READ));
            if (!more) return error_nomem(e);
            s->copy = more;
        }
        n = descriptor_read(s->descriptor, (char *)s->copy + s->total, (size_t)(room - s->total), e);
        if (n < 0) return false;
    }
    s->base = s->copy;
    s->size = s->total;
    return s->total || descriptor_silent(e);
}

bool source_read(struct source *s, const char *path, uint64_t most, const char *what,
                 const numel_allocator *memory, numel_error *e)
{
    *s = (struct source){ .memory = memory, .descriptor = -1 };
    bool pipe = false, ok = open_path(s, path, &pipe, e);
    if (ok && s->total > most) ok = too_much(most, what, e);
    return opened(s, path, ok && (pipe ? read_pipe(s, most, what, e) : read_all(s, e)), e);
}

/* ---- a pipe ------------------------------------------------------------------------------- */

enum { PIPE_AHEAD = 64 << 10, PIPE_ZSTD = 256 << 20 };

/* Copies what has arrived into the source's own memory: a checkpoint does not need the pipe. */
NUMEL_MUST static bool take_piped(struct source *s, numel_error *e)
{
    const struct pipe *p = s->pipe;
    if (p->n == s->size) return true;
    void *copy = memory_resize(s->memory, s->copy, (size_t)p->n);
    if (!copy) return error_nomem(e);
    memcpy((uint8_t *)copy + s->size, p->p + s->size, (size_t)num_left(p->n, s->size));
    s->base = s->copy = copy;
    s->size = p->n;
    return true;
}

/* Complete only if the pipe ended too early: reading on, to see whether more follows a header, may block. */
NUMEL_MUST static bool grow_piped(struct source *s, uint64_t want, numel_error *e)
{
    if (!pipe_fill(s->pipe, want, num_max(want, num_max(2 * s->size, PIPE_AHEAD)), e) || !take_piped(s, e))
        return false;
    s->complete = s->size < want;
    if (s->complete) s->total = s->size;
    return true;
}

bool source_pipe(struct source *s, struct pipe *pipe, const char *path, const numel_allocator *memory,
                 numel_error *e)
{
    *s = (struct source){ .base = (const uint8_t *)"", .memory = memory, .descriptor = -1, .pipe = pipe };
    bool ok = grow_piped(s, 8, e);
    bool packed = ok && zstd_is(s->base, s->size);
    s->header_only = !packed;
    if (packed) {
        ok = pipe_fill(pipe, PIPE_ZSTD, PIPE_ZSTD, e) && take_piped(s, e);
        if (ok && !pipe->ended)
            ok = error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                           "more than %d bytes of zstd: unpack it on the way, as in 'zstdcat FILE | numel -'",
                           PIPE_ZSTD);
        s->pipe = NULL;
        s->total = s->size;
        s->total_known = s->complete = true;
        return opened(s, path, ok, e);
    }
    error_file(e, path);
    if (!ok) source_close(s);
    return ok;
}

void source_memory(struct source *s, const void *p, uint64_t n, const numel_allocator *memory)
{
    *s = (struct source){ .base = n ? p : (const uint8_t *)"",
                          .size = n,
                          .total = n,
                          .total_known = true,
                          .complete = true,
                          .memory = memory,
                          .descriptor = -1 };
}

void source_close(struct source *s)
{
    zstd_close(s->zstd);
    if (s->map) munmap(s->map, (size_t)s->map_size);
    memory_release(s->memory, s->copy);
    if (s->descriptor >= 0) close(s->descriptor);
    *s = (struct source){ .memory = s->memory, .descriptor = -1 };
}

/* ---- limits ------------------------------------------------------------------------------- */

static uint64_t earned(const struct source *s)
{
    uint64_t times, each, all;
    bool fits = num_mul(&times, s->compressed_size, SOURCE_TIMES) && num_mul(&each, s->earned, SOURCE_EACH) &&
                num_add(&all, times, each);
    return fits ? all : UINT64_MAX;
}

uint64_t source_worth(const struct source *s)
{
    uint64_t all, spare = num_max(SOURCE_FREE - num_min(s->spent, SOURCE_FREE), SOURCE_LEAST);
    return s->compressed && num_add(&all, earned(s), spare) ? all : UINT64_MAX;
}

uint64_t source_longest(const struct source *s)
{
    uint64_t n;
    bool known = s->compressed && s->earned != UINT64_MAX;
    return known && num_mul(&n, s->compressed_size, SOURCE_TIMES) && num_add(&n, n, SOURCE_TEXT) ? n : 0;
}

void source_spend(const struct source *s, uint64_t *spent)
{
    if (s->compressed && s->size > earned(s)) *spent += s->size - earned(s);
}

struct growth {
    struct source *s;
    uint64_t want;
    numel_error *error;
};

NUMEL_MUST static bool grow_body(void *ctx)
{
    struct growth *g = ctx;
    return zstd_need(g->s->zstd, g->want, &g->s->base, &g->s->size, &g->s->complete, g->error);
}

bool source_grow(struct source *s, uint64_t want, uint64_t most, numel_error *e)
{
    if (s->complete || s->size >= want) return true;
    if (s->pipe && want <= most) return grow_piped(s, want, e);
    if (!s->compressed && !s->pipe) return map_first(s, num_min(num_max(want, s->size * 2), s->total), e);
    if (want > most)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "the header needs %" PRIu64 " bytes%s, the limit is %" PRIu64, want,
                         s->pipe ? "" : " decompressed", most);
    uint64_t worth = source_worth(s);
    struct growth g = { s, num_min(want, worth), e };
    if (s->size < worth && !source_run(s, grow_body, &g, e)) return false;
    if (!s->complete && worth < want && s->size >= worth)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "more than %" PRIu64 " bytes come out of %" PRIu64
                         " bytes of zstd, but its content needs only %" PRIu64
                         ": unpack the file first (zstd -d)",
                         s->size, s->compressed_size, worth);
    if (s->complete && !s->header_only) {
        s->total = s->size;
        s->total_known = true;
    }
    return true;
}

/* The bytes in one of the pieces; NULL: they are lacking. */
static const uint8_t *piece_at(struct source_pieces *pieces, uint64_t at, size_t n)
{
    for (size_t i = 0; i < pieces->count; i++) {
        const struct source_piece *x = &pieces->items[i];
        if (at >= x->at && num_inside(num_left(at, x->at), n, x->n)) return x->p + num_left(at, x->at);
    }
    pieces->lack_at = at;
    pieces->lack = n;
    return NULL;
}

const uint8_t *source_at(const struct source *s, uint64_t at, size_t n, struct arena *a, numel_error *e)
{
    if (num_inside(at, n, s->size)) return s->base + at;
    const uint8_t *piece = s->pieces && num_inside(at, n, s->total) ? piece_at(s->pieces, at, n) : NULL;
    if (piece) return piece;
    if (s->descriptor < 0 || s->compressed || s->pipe || !num_inside(at, n, s->total)) {
        error_set(e, NUMEL_E_LIMIT, at,
                  "the bytes from %" PRIu64 " on are not read from a pipe or out of zstd", at);
        return NULL;
    }
    struct stream file = { .descriptor = s->descriptor, .path = "", .was = { .bytes = s->total } };
    uint8_t *p = arena_alloc(a, n + 1);
    if (!p) error_nomem(e);
    return p && stream_read(&file, at, p, n, e) ? p : NULL;
}

void source_enough(struct source *s) { zstd_enough(s->zstd); }

static bool settle_body(void *ctx)
{
    struct source *s = ctx;
    uint64_t bytes;
    if (zstd_content_all(front(s), s->compressed_size, &bytes)) s->total = bytes;
    return true;
}

void source_settle(struct source *s, uint64_t expected)
{
    numel_error ignored = { 0 };
    if (!s->compressed || s->header_only || s->complete || !s->total_known || s->total == expected) return;
    /* A file that shrinks meanwhile keeps its stated total: reading it reports the error. */
    if (!source_run(s, settle_body, s, &ignored)) return;
}
