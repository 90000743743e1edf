/*
 * memory.h -- where the library's bytes come from.
 *
 * All memory comes from the caller's allocator. An arena hands out small pieces that live as long as it does;
 * vectors grow with memory_grow() and are freed by their owner. Running out is a NULL or a false that every
 * caller passes on as NUMEL_E_NOMEM: tests fail each allocation in turn.
 */
#ifndef NUMEL_BASE_MEMORY_H
#define NUMEL_BASE_MEMORY_H

#include "base/error.h"

extern const numel_allocator memory_malloc; /* the default */

NUMEL_MUST void *memory_resize(const numel_allocator *m, void *old, size_t bytes);
void memory_release(const numel_allocator *m, void *p); /* NULL is fine */

/* Makes room for `need` items of `item` bytes in *p, at least doubling. *cap is kept in items. */
NUMEL_MUST bool memory_grow(const numel_allocator *m, void **p, size_t *cap, size_t need, size_t item,
                            numel_error *e);

struct arena_block;
struct arena {
    const numel_allocator *memory;
    struct arena_block *blocks;
    size_t used, size; /* of the newest block */
    size_t held;       /* bytes of all blocks */
    bool failed;       /* some piece was refused: for callers to whom NULL means more */
};

void arena_init(struct arena *a, const numel_allocator *m);
void arena_done(struct arena *a);
/* Empties it; keeps its newest block for reuse. */
void arena_reset(struct arena *a);

/* A state to go back to: later pieces are then gone. */
struct arena_mark {
    struct arena_block *block;
    size_t used, size;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_rewind(struct arena *a, struct arena_mark mark);
/* Is the byte in one of its blocks? */
bool arena_holds(const struct arena *a, const void *p);
/* n bytes aligned to 8, not cleared; NULL: out of memory. */
NUMEL_MUST void *arena_alloc(struct arena *a, size_t n);
NUMEL_MUST void *arena_copy(struct arena *a, const void *p, size_t n);
/* A copy of a text right after the previous piece, not aligned: for many short ones. */
NUMEL_MUST char *arena_pack(struct arena *a, const char *p, size_t n);
/* An array of `count` items with room for one more: the same, or a copy with twice the room. *cap is in
 * items. NULL: out of memory; the array is then unchanged. */
NUMEL_MUST void *arena_grow(struct arena *a, void *items, size_t count, size_t *cap, size_t item);
/* A NUL-terminated copy; NULL: out of memory. */
NUMEL_MUST char *arena_text(struct arena *a, const char *p, size_t n);
/* Joins the three, byte for byte: a format with a precision would end at a NUL, which names in files may
 * hold. NUL-terminated; p NULL: out of memory. */
NUMEL_MUST numel_str arena_join(struct arena *a, numel_str x, numel_str y, numel_str z);
/* Appends to a text of the arena, NUL-terminated: in place while it is the last piece, else in a copy. Begin
 * with {NULL, 0}; p NULL: out of memory, and `text` is unchanged. */
NUMEL_MUST numel_str arena_append(struct arena *a, numel_str text, numel_str more);
NUMEL_MUST char *arena_format(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
