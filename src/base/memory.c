/* memory.c -- arenas of blocks: the first has 1 KiB, the second 8 KiB, and further ones double up to 1
 * MiB, so small users need little memory. Larger pieces get a block of their own. */
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1024, SECOND_BLOCK = 8192, LARGEST_BLOCK = 1 << 20 };

static void *malloc_resize(void *ctx, void *old, size_t bytes)
{
    (void)ctx;
    if (bytes) return realloc(old, bytes);
    free(old);
    return NULL;
}

const numel_allocator memory_malloc = { malloc_resize, NULL };

void *memory_resize(const numel_allocator *m, void *old, size_t bytes)
{
    return m->resize(m->ctx, old, bytes);
}

void memory_release(const numel_allocator *m, void *p)
{
    if (p) (void)m->resize(m->ctx, p, 0);
}

/* Apart from memory_grow(), which is called for every item and rarely comes this far. */
__attribute__((noinline)) NUMEL_MUST static bool grow(const numel_allocator *m, void *items, size_t *cap,
                                                      size_t want, size_t item, numel_error *e)
{
    void *old; /* copied as bytes: *items is a pointer of any type */
    size_t bytes;
    if (__builtin_mul_overflow(want, item, &bytes)) return error_nomem(e);
    memcpy(&old, items, sizeof old);
    void *grown = memory_resize(m, old, bytes);
    if (!grown) return error_nomem(e);
    memcpy(items, &grown, sizeof grown);
    *cap = want;
    return true;
}

bool memory_grow(const numel_allocator *m, void *items, size_t *cap, size_t need, size_t item, numel_error *e)
{
    if (need <= *cap) return true;
    size_t want = *cap < 4 ? 4 : *cap < 32 ? 32 : *cap * 2;
    return grow(m, items, cap, want < need ? need : want, item, e);
}

struct arena_block {
    struct arena_block *next;
    size_t bytes; /* size of data */
    uint64_t data[];
};

void arena_init(struct arena *a, const numel_allocator *m) { *a = (struct arena){ .memory = m }; }

/* Frees the blocks from `b` to before `end`. */
static void release_blocks(struct arena *a, struct arena_block *b, const struct arena_block *end)
{
    for (struct arena_block *next; b != end; b = next) {
        next = b->next;
        a->held -= b->bytes;
        memory_release(a->memory, b);
    }
}

void arena_done(struct arena *a)
{
    release_blocks(a, a->blocks, NULL);
    arena_init(a, a->memory);
}

void arena_reset(struct arena *a)
{
    if (a->blocks) release_blocks(a, a->blocks->next, NULL);
    if (a->blocks) a->blocks->next = NULL;
    a->used = 0;
    a->failed = false;
}

struct arena_mark arena_mark(const struct arena *a)
{
    return (struct arena_mark){ a->blocks, a->used, a->size };
}

void arena_rewind(struct arena *a, struct arena_mark mark)
{
    release_blocks(a, a->blocks, mark.block);
    a->blocks = mark.block;
    a->used = mark.used;
    a->size = mark.size;
}

bool arena_holds(const struct arena *a, const void *p)
{
    uintptr_t at = (uintptr_t)p;
    for (const struct arena_block *b = a->blocks; b; b = b->next)
        if (at >= (uintptr_t)b->data && at - (uintptr_t)b->data < b->bytes) return true;
    return false;
}

static bool add_block(struct arena *a, size_t n)
{
    size_t size = a->size * 2, bytes;
    if (!a->blocks) size = FIRST_BLOCK;
    else if (size < SECOND_BLOCK) size = SECOND_BLOCK;
    if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
    if (size < n) size = n;
    if (__builtin_add_overflow(size, sizeof(struct arena_block), &bytes)) return false;
    struct arena_block *b = memory_resize(a->memory, NULL, bytes);
    if (!b) return false;
    b->next = a->blocks;
    b->bytes = size;
    a->blocks = b;
    a->held += size;
    a->size = size;
    a->used = 0;
    return true;
}

/* The size that a piece of n bytes takes. */
static size_t piece(size_t n) { return (n + 7) & ~(size_t)7; }

void *arena_alloc(struct arena *a, size_t n)
{
    static uint64_t nothing; /* for n 0, outside all blocks, as there may be none */
    if (n == 0) return &nothing;
    if (n > SIZE_MAX - 7) a->failed = true;
    if (n > SIZE_MAX - 7) return NULL;
    n = piece(n);
    a->used = piece(a->used); /* a text may have ended here; the size of a block is a multiple of 8 */
    if (n > a->size - a->used && !add_block(a, n)) {
        a->failed = true;
        return NULL;
    }
    void *p = (char *)a->blocks->data + a->used;
    a->used += n;
    return p;
}

void *arena_zeroed(struct arena *a, size_t n)
{
    void *p = arena_alloc(a, n);
    if (p && n) memset(p, 0, n);
    return p;
}

char *arena_pack(struct arena *a, const char *p, size_t n)
{
    if (n == 0 || n > a->size - a->used) return arena_copy(a, p, n);
    char *copy = memcpy((char *)a->blocks->data + a->used, p, n);
    a->used += n;
    return copy;
}

void *arena_copy(struct arena *a, const void *p, size_t n)
{
    void *copy = arena_alloc(a, n ? n : 1);
    if (copy && n) memcpy(copy, p, n);
    return copy;
}

void *arena_grow(struct arena *a, void *items, size_t count, size_t *cap, size_t item)
{
    size_t want = *cap ? *cap * 2 : 16, bytes;
    if (count < *cap) return items;
    if (want <= count || __builtin_mul_overflow(want, item, &bytes)) return a->failed = true, NULL;
    void *grown = arena_alloc(a, bytes);
    if (!grown) return NULL;
    if (count) memcpy(grown, items, count * item);
    *cap = want;
    return grown;
}

char *arena_text(struct arena *a, const char *p, size_t n)
{
    char *copy = n < SIZE_MAX ? arena_alloc(a, n + 1) : NULL;
    if (!copy) return NULL;
    if (n) memcpy(copy, p, n);
    copy[n] = 0;
    return copy;
}

static char *put(char *to, numel_str s)
{
    if (s.n) memcpy(to, s.p, s.n);
    return to + s.n;
}

numel_str arena_join(struct arena *a, numel_str x, numel_str y, numel_str z)
{
    size_t n;
    bool fits = !__builtin_add_overflow(x.n, y.n, &n) && !__builtin_add_overflow(n, z.n, &n) && n < SIZE_MAX;
    char *out = fits ? arena_alloc(a, n + 1) : NULL;
    if (!fits) a->failed = true;
    if (!out) return (numel_str){ NULL, 0 };
    *put(put(put(out, x), y), z) = 0;
    return (numel_str){ out, n };
}

numel_str arena_append(struct arena *a, numel_str text, numel_str more)
{
    size_t n, own = piece(text.n + 1);
    bool fits = !__builtin_add_overflow(text.n, more.n, &n) && n < SIZE_MAX - 8;
    const char *top = a->blocks ? (char *)a->blocks->data + a->used : NULL;
    bool last = fits && text.p && text.p + own == top && piece(n + 1) - own <= a->size - a->used;
    if (!last) return arena_join(a, text, more, (numel_str){ NULL, 0 });
    char *out = (char *)a->blocks->data + (a->used - own);
    a->used += piece(n + 1) - own;
    *put(out + text.n, more) = 0;
    return (numel_str){ out, n };
}

char *arena_vformat(struct arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *out = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
    if (!out) a->failed = true;
    if (out) vsnprintf(out, (size_t)n + 1, format, args);
    return out;
}

char *arena_format(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *out = arena_vformat(a, format, args);
    va_end(args);
    return out;
}
