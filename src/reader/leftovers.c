/*
 * leftovers.c -- walks folders without following links, and keeps candidates. What is used is known only at
 * the end, when all links have been seen: then used candidates are dropped.
 */
#include "reader/leftovers_internal.h"

#include "base/text.h"
#include "reader/find_internal.h"
#include "reader/recognise.h"
#include "reader/unfinished.h"
#include "source/slurp.h"

#include <time.h>

enum {
    DEEPEST = 128,   /* folders in folders */
    FRESH = 60 * 60, /* seconds */
    POINTER_MOST = 1024
};

/* ---- candidates --------------------------------------------------------------------------- */

NUMEL_MUST static bool keep(struct leaving *l, const char **text)
{
    if (*text) *text = arena_text(&l->out->arena, *text, strlen(*text));
    return !l->out->arena.failed || error_nomem(l->error);
}

bool leftover_add(struct leaving *l, const struct leftover *x)
{
    struct leftovers *out = l->out;
    const numel_allocator *m = out->arena.memory;
    if (!memory_grow(m, &out->items, &out->cap, out->count + 1, sizeof *x, l->error)) return false;
    struct leftover *own = &out->items[out->count++];
    *own = *x;
    bool file = own->kind == LEFTOVER_PART || own->kind == LEFTOVER_BLOB;
    if (file && !own->keep && leftover_is_fresh(l, own->path))
        own->keep = "it changed within the last hour: a download may be under way";
    return keep(l, &own->path) && keep(l, &own->model) && keep(l, &own->of);
}

bool leftover_is_fresh(const struct leaving *l, const char *path)
{
    struct path_identity is;
    return path_identify(path, &is) && is.changed + FRESH > l->now;
}

bool leftover_use(struct leaving *l, const char *path)
{
    struct path_identity is;
    bool again;
    return !path_identify(path, &is) || seen_add(&l->used, is.device, is.inode, &again, l->error);
}

/* ---- one folder --------------------------------------------------------------------------- */

struct looking {
    struct leaving *l;
    const char *dir;
    struct folder folder;
    bool *bare;               /* for each entry: a folder without any file in it */
    bool downloads;           /* of a --local-dir: its parts are found by its records */
    struct leftover pointers; /* those in the folder */
};

NUMEL_MUST static bool look_in(struct leaving *l, const char *dir, unsigned depth, bool *bare);

/* A Git LFS pointer adds to its folder's. */
NUMEL_MUST static bool look_for_pointer(struct looking *g, const char *path)
{
    struct buffer b;
    struct recognised as;
    char text[512];
    numel_error ignored = { .code = NUMEL_OK };
    uint64_t bytes = path_bytes(path);
    if (!bytes || bytes > POINTER_MOST) return true;
    buffer_init(&b, g->l->scratch.memory);
    bool read = slurp(&b, path, POINTER_MOST, &ignored);
    bool is = read && text_starts(buffer_view(&b), "version https://git-lfs") &&
              recognise((const uint8_t *)b.p, b.n, b.n, text, sizeof text, &as) && as.promised;
    buffer_done(&b);
    if (ignored.code == NUMEL_E_NOMEM) return error_nomem(g->l->error);
    if (!is) return true;
    struct leftover *x = &g->pointers;
    x->files++;
    x->bytes += bytes;
    x->total = as.promised > NUMEL_NOT_KNOWN - 1 - x->total ? NUMEL_NOT_KNOWN - 1 : x->total + as.promised;
    return true;
}

NUMEL_MUST static bool look_at_part(struct looking *g, const char *path)
{
    struct leaving *l = g->l;
    struct found_part p;
    if (!part_read(&p, path, l->options, &l->scratch, l->error)) return false;
    if (!p.weights) return true;
    struct leftover x = { .path = path, .files = 1, .bytes = p.bytes, .total = p.total };
    numel_str of = p.of;
    text_take_start(&of, "downloading_"); /* LM Studio */
    x.of = of.n ? arena_text(&l->scratch, of.p, of.n) : NULL;
    if (p.control) x.keep = "aria2's list of what is missing: without it the file next to it looks complete";
    return !l->scratch.failed ? leftover_add(l, &x) : error_nomem(l->error);
}

NUMEL_MUST static bool look_at_file(struct looking *g, const char *path)
{
    if (g->downloads) return true;
    if (recognise_unfinished(path)) return look_at_part(g, path);
    return look_for_pointer(g, path);
}

NUMEL_MUST static bool look_at_entry(struct looking *g, size_t i, unsigned depth)
{
    struct leaving *l = g->l;
    const struct folder_entry *x = &g->folder.entries[i];
    char *path = path_join(&l->scratch, g->dir, x->name);
    if (!path) return error_nomem(l->error);
    if (x->link && path_is_link(path)) {
        /* Ollama follows a linked folder of manifests; the reader does not */
        if (x->directory && strstr(path, "manifests/")) l->out->unread++;
        return leftover_use(l, path);
    }
    if (!x->directory) return look_at_file(g, path);
    if (text_equal(x->name, ".git")) return true;
    bool store = folder_has(&g->folder, text_of("snapshots")) || folder_has(&g->folder, text_of("manifests"));
    if (store && text_equal(x->name, "blobs")) return true;
    return look_in(l, path, depth + 1, &g->bare[i]);
}

NUMEL_MUST static bool add_pointers(struct looking *g)
{
    g->pointers.kind = LEFTOVER_POINTERS;
    g->pointers.path = g->dir;
    g->pointers.keep = "git needs them; git lfs pull replaces them";
    return !g->pointers.files || leftover_add(g->l, &g->pointers);
}

/* Adds the empty folders of a folder that is not empty itself. */
NUMEL_MUST static bool add_bare(struct looking *g, bool *all)
{
    *all = g->folder.other_count == 0;
    for (size_t i = 0; i < g->folder.count; i++) *all = *all && g->bare[i];
    for (size_t i = 0; i < g->folder.count && !*all; i++) {
        if (!g->bare[i]) continue;
        const char *path = path_join(&g->l->scratch, g->dir, g->folder.entries[i].name);
        const struct leftover x = { .kind = LEFTOVER_FOLDER,
                                    .path = path,
                                    .total = NUMEL_NOT_KNOWN,
                                    .keep = "a folder: rmdir deletes it" };
        if (!path) return error_nomem(g->l->error);
        if (!leftover_add(g->l, &x)) return false;
    }
    return true;
}

/* models--ORG--NAME, datasets--ORG--NAME: other programs also have folders of blobs and snapshots. */
static bool is_repository(const struct looking *g, const char *real)
{
    const struct folder_entry *snapshots = folder_entry(&g->folder, text_of("snapshots"));
    const struct folder_entry *blobs = folder_entry(&g->folder, text_of("blobs"));
    numel_str name = path_base(real);
    bool named =
        text_starts(name, "models--") || text_starts(name, "datasets--") || text_starts(name, "spaces--");
    return named && snapshots && snapshots->directory && blobs && blobs->directory;
}

NUMEL_MUST static bool look_at_stores(struct looking *g)
{
    bool fresh;
    const char *real = path_real(&g->l->scratch, g->dir);
    if (g->l->scratch.failed) return error_nomem(g->l->error);
    if (real && is_repository(g, real)) return leftovers_in_repository(g->l, g->dir, real);
    if (ollama_root(&g->folder)) return leftovers_in_ollama(g->l, g->dir);
    return !g->downloads || leftovers_of_downloads(g->l, g->dir, g->dir, NULL, &fresh);
}

NUMEL_MUST static bool look_at_all(struct looking *g, unsigned depth, bool *bare)
{
    size_t n = g->folder.count;
    g->bare = arena_zeroed(&g->l->scratch, n + 1);
    if (!g->bare) return error_nomem(g->l->error);
    g->downloads = strstr(g->dir, ".cache/huggingface/download") != NULL;
    for (size_t i = 0; i < n; i++)
        if (!look_at_entry(g, i, depth)) return false;
    return add_pointers(g) && add_bare(g, bare) && look_at_stores(g);
}

/* Looks into a folder, once. *bare: no file is in it, at any depth. */
NUMEL_MUST static bool look_in(struct leaving *l, const char *dir, unsigned depth, bool *bare)
{
    struct looking g = { .l = l, .dir = dir };
    struct arena_mark mark = arena_mark(&l->scratch);
    struct path_identity is;
    numel_error why = { .code = NUMEL_OK };
    bool again = false;
    *bare = false;
    if (path_identify(dir, &is) && !seen_add(&l->folders, is.device, is.inode, &again, l->error))
        return false;
    if (again) return true;
    if (depth > DEEPEST || !folder_list(&g.folder, dir, &l->scratch, &why)) {
        if (why.code == NUMEL_E_NOMEM) return error_nomem(l->error);
        if (depth) return l->out->unread++, true;
        error_file(&why, dir);
        return *l->error = why, false;
    }
    bool ok = look_at_all(&g, depth, bare);
    folder_done(&g.folder);
    arena_rewind(&l->scratch, mark);
    return ok;
}

/* ---- all of them -------------------------------------------------------------------------- */

/* Is it used after all? Else, if its folder is, or may be, it is kept. */
NUMEL_MUST static bool is_used(struct leaving *l, struct leftover *x, bool *used)
{
    struct path_identity is;
    bool file = x->kind == LEFTOVER_PART || x->kind == LEFTOVER_BLOB;
    *used = !path_identify(x->path, &is) || seen_has(&l->used, is.device, is.inode) || (file && is.links > 1);
    if (*used || !file) return true;
    char *dir = path_directory(&l->scratch, x->path);
    if (!dir) return error_nomem(l->error);
    if (path_identify(dir, &is) && seen_has(&l->used, is.device, is.inode))
        x->keep = "a link leads to its folder";
    else if (l->out->unread && x->kind == LEFTOVER_BLOB)
        x->keep = "a folder could not be read, and something in it may need it";
    return true;
}

/* Drops what is used, and orders the rest by kind. */
NUMEL_MUST static bool settle(struct leaving *l)
{
    struct leftovers *out = l->out;
    size_t n = 0;
    bool used;
    struct leftover *kept = out->count ? arena_alloc(&out->arena, out->count * sizeof *kept) : NULL;
    if (out->count && !kept) return error_nomem(l->error);
    for (unsigned kind = 0; kind < LEFTOVER_KINDS; kind++) {
        for (size_t i = 0; i < out->count; i++) {
            if (out->items[i].kind != kind) continue;
            if (!is_used(l, &out->items[i], &used)) return false;
            if (!used) kept[n++] = out->items[i];
        }
    }
    for (size_t i = 0; i < n; i++) out->items[i] = kept[i];
    out->count = n;
    return true;
}

NUMEL_MUST static bool look_at_path(struct leaving *l, const char *path)
{
    const char *root = NULL;
    bool bare;
    if (!find_root(&l->out->arena, l->options, path, &root, l->error)) return false;
    return look_in(l, root ? root : path, 0, &bare);
}

bool leftovers_find(struct leftovers *out, const char *const *paths, size_t n, const numel_options *options,
                    numel_error *e)
{
    *out = (struct leftovers){ .count = 0 };
    arena_init(&out->arena, options->allocator);
    struct leaving l = { .out = out, .options = options, .now = (uint64_t)time(NULL), .error = e };
    arena_init(&l.scratch, options->allocator);
    seen_init(&l.used, options->allocator);
    seen_init(&l.folders, options->allocator);
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) ok = look_at_path(&l, paths[i]);
    ok = ok && settle(&l);
    seen_done(&l.folders);
    seen_done(&l.used);
    arena_done(&l.scratch);
    return ok;
}

void leftovers_done(struct leftovers *l)
{
    if (!l->arena.memory) return;
    memory_release(l->arena.memory, l->items);
    arena_done(&l->arena);
    *l = (struct leftovers){ .count = 0 };
}
