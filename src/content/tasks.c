/* tasks.c -- pieces gathered into tasks: two vectors that grow. */
#include "content/tasks.h"

void tasks_init(struct tasks *t, const numel_allocator *m) { *t = (struct tasks){ .memory = m }; }

void tasks_done(struct tasks *t)
{
    memory_release(t->memory, t->pieces);
    memory_release(t->memory, t->items);
}

bool tasks_end(struct tasks *t, numel_error *e)
{
    size_t first = t->count ? t->items[t->count - 1].last : 0;
    if (first == t->piece_count) return true;
    if (!memory_grow(t->memory, &t->items, &t->cap, t->count + 1, sizeof *t->items, e)) return false;
    t->items[t->count++] = (struct task){ first, t->piece_count };
    t->gathered = 0;
    return true;
}

bool tasks_add(struct tasks *t, const struct piece *piece, uint64_t bytes, numel_error *e)
{
    if (!memory_grow(t->memory, &t->pieces, &t->piece_cap, t->piece_count + 1, sizeof *t->pieces, e))
        return false;
    t->pieces[t->piece_count++] = *piece;
    t->gathered += bytes;
    return t->gathered < TASK_BYTES || tasks_end(t, e);
}
