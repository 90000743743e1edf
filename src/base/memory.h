/*
 * memory.h -- where the library's memory comes from.
 *
 * All memory comes from the caller's allocator. An arena hands out small pieces that live as long as the
 * arena. Vectors grow with memory_grow(), and their owner frees them. When memory runs out, functions return
 * NULL or false, and every caller passes that on as NUMEL_E_NOMEM; tests make each allocation fail in turn.
 */
#ifndef NUMEL_BASE_MEMORY_H
#define NUMEL_BASE_MEMORY_H

#include "base/error.h"

extern const numel_allocator memory_malloc; /* the default */

NUMEL_MUST void *memory_resize(const numel_allocator *m, void *old, size_t bytes);
void memory_release(const numel_allocator *m, void *p); /* accepts NULL */

/* Makes room for `need` items of `item` bytes in a vector, at least doubling. `items` is the address of the
 * pointer to its items, whatever their type; *cap is kept in items. */
NUMEL_MUST bool memory_grow(const numel_allocator *m, void *items, size_t *cap, size_t need, size_t item,
                            numel_error *e);

struct arena_block;
struct arena {
    const numel_allocator *memory;
    struct arena_block *blocks;
    size_t used, size; /* of the latest block */
    size_t held;       /* total size of the blocks */
    bool failed;       /* an allocation failed; for callers to whom NULL has another meaning */
};

void arena_init(struct arena *a, const numel_allocator *m);
void arena_done(struct arena *a);
/* Empties the arena, but keeps its latest block for reuse. */
void arena_reset(struct arena *a);

/* A state to rewind to; everything allocated since is then gone. */
struct arena_mark {
    struct arena_block *block;
    size_t used, size;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_rewind(struct arena *a, struct arena_mark mark);
/* True if the byte is in one of the arena's blocks. */
bool arena_holds(const struct arena *a, const void *p);
/* n bytes aligned to 8, not cleared; NULL: out of memory. */
NUMEL_MUST void *arena_alloc(struct arena *a, size_t n);
/* The same, all zero. */
NUMEL_MUST void *arena_zeroed(struct arena *a, size_t n);
NUMEL_MUST void *arena_copy(struct arena *a, const void *p, size_t n);
/* Copies a text right after the previous piece, without alignment; for many short ones. */
NUMEL_MUST char *arena_pack(struct arena *a, const char *p, size_t n);
/* Returns an array of `count` items with room for at least one more: the same array, or a copy with twice
 * the room. *cap counts items. NULL: out of memory; the array is then unchanged. */
NUMEL_MUST void *arena_grow(struct arena *a, void *items, size_t count, size_t *cap, size_t item);
/* A NUL-terminated copy; NULL: out of memory. */
NUMEL_MUST char *arena_text(struct arena *a, const char *p, size_t n);
/* Joins three texts byte for byte, because a format with a precision would stop at a NUL, which names in
 * files may contain. The result is NUL-terminated; p is NULL if out of memory. */
NUMEL_MUST numel_str arena_join(struct arena *a, numel_str x, numel_str y, numel_str z);
/* Appends to a text in the arena: in place if it is the last piece, else in a copy. Start with {NULL, 0}.
 * The result is NUL-terminated; p is NULL if out of memory, and `text` is then unchanged. */
NUMEL_MUST numel_str arena_append(struct arena *a, numel_str text, numel_str more);
NUMEL_MUST char *arena_format(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
NUMEL_MUST char *arena_vformat(struct arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
