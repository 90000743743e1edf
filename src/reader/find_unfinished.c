/*
 * find_unfinished.c -- folders with a started download: the parts of files that are not complete.
 *
 * A part belongs to the set that misses its file (reported by unfinished.c). Other parts with the name or
 * header of a checkpoint file form a set whose files are all missing: so a folder with only unfinished
 * downloads is such a set, not a folder without a checkpoint.
 */
#include "reader/find_internal.h"

#include "base/text.h"
#include "reader/unfinished.h"

/* Marks the parts of these sets' files. */
static void take_parts(const struct numel_found *found, size_t first, const struct folder *f, bool *taken)
{
    const char *end;
    for (size_t s = first; s < found->count; s++)
        for (size_t i = 0; i < found->sets[s].count; i++)
            for (size_t k = 0; (end = recognise_unfinished_end(k)); k++)
                find_take(f, found->sets[s].files[i].name, end, taken);
}

NUMEL_MUST static bool add_part(struct finding_sets *g, const char *dir, const char *heading,
                                struct found_set **set, const struct found_part *p)
{
    struct found_part *own = arena_copy(g->arena, p, sizeof *p);
    if (!own) return error_nomem(g->error);
    if (!*set) *set = find_add_set(g, FOUND_UNFINISHED, heading, dir);
    if (!*set || !find_add_file(g, *set, p->of.n ? p->of : path_base(p->path), NULL)) return false;
    (*set)->files[(*set)->count - 1].part = own;
    return true;
}

bool find_add_unfinished(struct finding_sets *g, const char *dir, const struct folder *f, bool *taken,
                         size_t first)
{
    struct found_set *set = NULL;
    size_t parts = 0;
    for (size_t i = 0; i < f->count; i++)
        parts += !f->entries[i].directory && recognise_unfinished(f->entries[i].name.p);
    if (!parts) return true;
    take_parts(g->found, first, f, taken);
    for (size_t i = 0; i < f->count; i++) {
        numel_str name = f->entries[i].name;
        struct found_part p;
        if (taken[i] || f->entries[i].directory || !recognise_unfinished(name.p)) continue;
        if (folder_has(f, part_of_name(name))) continue;
        char *path = path_join(g->arena, dir, name);
        if (!path) return error_nomem(g->error);
        if (!part_read(&p, path, g->options, g->arena, g->error)) return false;
        if (p.weights && !add_part(g, dir, g->found->count > first && !set ? path : dir, &set, &p))
            return false;
    }
    return true;
}

bool find_add_downloads(struct finding_sets *g, const char *dir, const char *path)
{
    struct listing p;
    struct single_parts parts = { .count = 0 };
    struct found_set *set = NULL;
    numel_error why;
    bool ok = listing_load(&p, dir, g->arena, &why, g->error);
    ok = ok && (!p.blobs || parts_in(&parts, p.blobs, &p, g->arena, g->error));
    g->folder = NULL;
    for (size_t i = 0; ok && i < parts.count; i++) {
        struct found_part *x = &parts.items[i], header;
        if (!x->weights || x->total == NUMEL_NOT_KNOWN) {
            ok = part_read(&header, x->path, g->options, g->arena, g->error);
            x->weights |= ok && header.weights;
            if (ok && x->total == NUMEL_NOT_KNOWN) x->total = header.total;
        }
        if (ok && x->weights) ok = add_part(g, dir, path, &set, x);
    }
    parts_done(&parts, g->arena->memory);
    listing_done(&p);
    return ok && (!g->arena->failed || error_nomem(g->error));
}
