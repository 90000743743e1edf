/*
 * find_index.c -- the set of an index: its shards, and where each of them is.
 */
#include "reader/find_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "source/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INDEX = 1 << 30 };

const char *const find_ends[FIND_ENDS] = { "", ".head.zst", ".zst" };

bool name_is_index(numel_str name)
{
    name = plain_name(name);
    if (!text_take_end(&name, ".json")) return false;
    return text_ends(name, ".index") || text_ends(text_less(text_head(name, '.'), 1), ".index");
}

/* "dir/name" in the arena; NULL if it does not exist. The path is built outside the arena first: an index may
 * name a million missing files. Paths longer than PATH_MAX cannot be opened. */
NUMEL_MUST static const char *path_there(struct finding_sets *g, const char *dir, numel_str name)
{
    char path[PATH_MAX];
    numel_str at = text_join(path, sizeof path - 1, text_of(dir), text_of("/"), name);
    if (!at.p) return NULL;
    path[at.n] = 0;
    return path_kind(path) == PATH_ABSENT ? NULL : path_join(g->arena, dir, name);
}

/* Finds a shard: the file, its header-only copy, its zstd; *path is NULL if there is none. A
 * name from an index must stay inside the folder. */
NUMEL_MUST static bool locate(struct finding_sets *g, const struct folder *f, const char *dir, numel_str name,
                              const char **path)
{
    char text[PATH_MAX];
    bool deep = memchr(name.p, '/', name.n) != NULL;
    *path = NULL;
    if (name.n == 0 || name.p[0] == '/' || memchr(name.p, 0, name.n) || text_holds(name, text_of("..")))
        return true;
    for (size_t i = 0; i < FIND_ENDS && !*path; i++) {
        numel_str full = text_join(text, sizeof text, name, text_of(find_ends[i]), (numel_str){ NULL, 0 });
        if (!full.p) return true;
        if (deep) *path = path_there(g, dir, full);
        else if (folder_has(f, full)) *path = path_join(g->arena, dir, full);
    }
    return !g->arena->failed || error_nomem(g->error);
}

struct index_reading {
    struct source s;
    struct shard_index *x;
    struct arena *arena;
    numel_error *error;
};

NUMEL_MUST static bool read_index_body(void *ctx)
{
    struct index_reading *g = ctx;
    return shard_index_read(g->x, g->s.base, g->s.size, g->arena, g->error);
}

/* Counts the lines of the part read so far: a compressed index must show them before more is unpacked. */
NUMEL_MUST static bool count_lines(struct index_reading *g)
{
    struct arena names;
    struct shard_index x;
    numel_error why = { 0 };
    struct index_reading part = { g->s, &x, &names, &why };
    arena_init(&names, g->arena->memory);
    bool ended =
        source_run(&g->s, read_index_body, &part, &why); /* a part does not end, or is cut where it could */
    g->s.earned = x.tensor_count;
    shard_index_done(&x);
    arena_done(&names);
    return ended || why.code != NUMEL_E_NOMEM || error_nomem(g->error);
}

/* Reads the whole index. */
static bool bring_index(struct index_reading *g)
{
    for (uint64_t want = 1 << 20; !g->s.complete; want = g->s.size * 2) {
        if (want > source_worth(&g->s) && !count_lines(g)) return false;
        if (g->s.size < source_worth(&g->s)) want = num_min(want, source_worth(&g->s));
        if (!source_grow(&g->s, want, MAX_INDEX, g->error)) return false;
    }
    return true;
}

bool find_read_index(const char *path, struct shard_index *x, struct arena *a, numel_error *e)
{
    struct index_reading g = { .x = x, .arena = a, .error = e };
    *x = (struct shard_index){ 0 };
    if (!source_read(&g.s, path, MAX_INDEX, "index", a->memory, e)) return false;
    bool ok = bring_index(&g) && source_run(&g.s, read_index_body, &g, e);
    source_close(&g.s);
    error_file(e, path);
    if (!ok) shard_index_done(x);
    return ok;
}

void find_put_away(struct index_at_hand *i)
{
    shard_index_done(&i->x);
    arena_done(&i->names);
}

bool find_take_up(struct index_at_hand *i, const char *path, const numel_allocator *m, numel_error *e)
{
    arena_init(&i->names, m);
    bool ok = find_read_index(path, &i->x, &i->names, e);
    if (!ok) find_put_away(i);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    const struct found_file *x = a, *y = b;
    return text_natural(x->name, y->name);
}

/* Too many missing shards are counted instead of listed. */
static void drop_absent(struct found_set *s, size_t absent)
{
    size_t kept = 0;
    if (absent <= ABSENT_LISTED) return;
    for (size_t i = 0; i < s->count; i++) {
        const struct found_file f = s->files[i];
        if (!f.path && s->absent++ == 0) s->absent_first = f.name;
        if (!f.path) s->absent_last = f.name;
        else s->files[kept++] = f;
    }
    s->count = kept;
}

bool find_add_index_set(struct finding_sets *g, const char *path, const char *dir, const struct folder *f,
                        const struct shard_index *x)
{
    struct found_set *s = find_add_set(g, FOUND_INDEX, path, dir);
    const char *at;
    size_t absent = 0;
    if (!s) return false;
    s->index = path;
    for (size_t i = 0; i < x->shard_count; i++) {
        numel_str name = x->shards[i].name; /* the index is read again, so its names are not kept */
        name.p = arena_text(g->arena, name.p, name.n);
        if (!name.p) return error_nomem(g->error);
        if (!locate(g, f, dir, name, &at) || !find_add_file(g, s, name, at)) return false;
        absent += !at;
    }
    if (s->count) qsort(s->files, s->count, sizeof *s->files, by_name);
    drop_absent(s, absent);
    return true;
}
