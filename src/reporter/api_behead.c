/*
 * api_behead.c -- numel_heads: header-only copies that keep the data that layouts read.
 *
 * Layouts name the tensors whose data they read; symbols in these names become `*`.
 */
#include "base/border.h"
#include "formula/layout.h"
#include "reader/behead.h"

struct read_names {
    struct arena arena;
    const char **globs;
    size_t count, cap;
};

static bool is_read(void *ctx, numel_str name)
{
    const struct read_names *r = ctx;
    for (size_t i = 0; i < r->count; i++)
        if (text_glob(r->globs[i], name)) return true;
    return false;
}

NUMEL_MUST static bool add_glob(struct read_names *r, const char *glob, numel_error *e)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->globs[i], glob) == 0) return true;
    if (!memory_grow(r->arena.memory, (void **)&r->globs, &r->cap, r->count + 1, sizeof *r->globs, e))
        return false;
    r->globs[r->count++] = glob;
    return true;
}

NUMEL_MUST static bool gather(struct read_names *r, numel_error *e)
{
    struct library *library;
    if (!library_open(&library, r->arena.memory, e)) return false;
    bool ok = library_layouts(library, e);
    for (size_t i = 0; ok && i < library->layout_count; i++) {
        const char *glob;
        for (uint32_t at = 0; ok && layout_reads(library->layouts[i], &at, &r->arena, &glob, e);)
            ok = add_glob(r, glob, e);
        ok = ok && error_free(e);
    }
    library_free(library);
    return ok;
}

NUMEL_MUST static struct read_names *names_new(const numel_allocator *m, numel_error *e)
{
    struct read_names *r = memory_resize(m, NULL, sizeof *r);
    if (!r) return error_nomem(e), NULL;
    *r = (struct read_names){ .count = 0 };
    arena_init(&r->arena, m);
    return r;
}

static void names_free(struct read_names *r)
{
    if (!r) return;
    const numel_allocator *m = r->arena.memory;
    memory_release(m, r->globs);
    arena_done(&r->arena);
    memory_release(m, r);
}

numel_rc numel_heads_open(numel_heads **out, const char *dir, bool overwrite, const numel_options *options,
                          numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    error_clear(e);
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    struct read_names *names = names_new(own.allocator, e);
    if (names && gather(names, e) && heads_open(out, dir, overwrite, own.allocator, e))
        heads_keep(*out, is_read, names);
    else names_free(names);
    return e->code;
}

void numel_heads_free(numel_heads *heads)
{
    if (!heads) return;
    names_free(heads_context(heads));
    heads_free(heads);
}
