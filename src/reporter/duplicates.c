/*
 * duplicates.c -- collects places, sorts them by size, compares those of one size, and joins groups.
 */
#include "reporter/duplicates.h"

#include "base/hash.h"
#include "base/num.h"
#include "base/text.h"
#include "reader/walk.h"
#include "source/blocks.h"
#include "source/folder.h"
#include "source/stream.h"

#include <stdlib.h>

enum {
    FRONT = 64 << 10, /* of the header, usually all of it */
    SAMPLE = 4 << 10,
    SAMPLES = 32,    /* after the front */
    SMALL = 1 << 20, /* compared whole */
};

/* ---- places ------------------------------------------------------------------------------- */

NUMEL_MUST static bool add_place(struct duplicates *d, const struct walk_item *x, const char *path,
                                 uint64_t checkpoint, numel_error *e)
{
    struct path_identity is;
    if (!path) return true;
    if (!path_identify(path, &is)) return d->failed++, true;
    if (!is.bytes) return true;
    if (!memory_grow(d->arena.memory, &d->places, &d->cap, d->count + 1, sizeof *d->places, e)) return false;
    struct place p = { .checkpoint = checkpoint,
                       .device = is.device,
                       .inode = is.inode,
                       .bytes = is.bytes,
                       .link = path_is_link(path),
                       .many = is.links > 1,
                       .order = d->count };
    p.path = arena_text(&d->arena, path, strlen(path));
    p.of = arena_text(&d->arena, x->path, strlen(x->path));
    p.name = arena_text(&d->arena, x->name.p, x->name.n);
    if (!p.path || !p.of || !p.name) return error_nomem(e);
    d->places[d->count++] = p;
    return true;
}

NUMEL_MUST static bool add_item(struct duplicates *d, const struct walk_item *x, uint64_t checkpoint,
                                numel_error *e)
{
    size_t parts = numel_found_components(x->found, x->i);
    for (size_t s = x->i; s < x->i + (parts ? parts : 1); s++) {
        const struct found_set *set = &x->found->sets[s];
        for (size_t i = 0; i < set->count; i++)
            if (!add_place(d, x, set->files[i].path, checkpoint, e)) return false;
    }
    return true;
}

NUMEL_MUST static bool walk_path(struct duplicates *d, struct walk *w, const char *path, uint64_t *number,
                                 numel_error *e)
{
    struct walk_item x;
    bool more = true, ok = true;
    if (!walk_begin(w, path, e)) return false;
    while (ok && walk_next(w, &x, &more, e) && more) {
        if (!x.place) d->failed++;
        ok = !x.place || add_item(d, &x, ++*number, e);
        walk_release(x.place);
    }
    return ok && error_free(e);
}

NUMEL_MUST static bool walk_all(struct duplicates *d, const char *const *paths, size_t n,
                                const numel_options *options, numel_error *e)
{
    struct walk *w;
    uint64_t number = 0;
    bool ok = walk_open(&w, true, options, e);
    for (size_t i = 0; i < n && ok; i++) ok = walk_path(d, w, paths[i], &number, e);
    walk_close(w);
    return ok;
}

/* ---- order -------------------------------------------------------------------------------- */

/* By size and, if they have been read, by their bytes. */
static int by_bytes(const struct place *x, const struct place *y)
{
    int c = num_order(y->bytes, x->bytes);
    if (!c) c = num_order(x->digest.kind, y->digest.kind);
    return c ? c : memcmp(x->digest.bytes, y->digest.bytes, DIGEST_BYTES);
}

/* ... then by file; the places of a file as met, links last. */
static int by_file(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int c = by_bytes(x, y);
    if (!c) c = num_order(x->device, y->device);
    if (!c) c = num_order(x->inode, y->inode);
    if (!c) c = num_order(x->link, y->link);
    return c ? c : num_order(x->order, y->order);
}

/* ... then as met, links last: what has the bytes is never called a link. */
static int as_met(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int c = by_bytes(x, y);
    if (!c) c = num_order(x->link, y->link);
    return c ? c : num_order(x->order, y->order);
}

static int by_group(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int c = num_order(x->group, y->group);
    return c ? c : num_order(x->order, y->order);
}

static void sort(struct duplicates *d, int (*order)(const void *, const void *))
{
    if (d->count) qsort(d->places, d->count, sizeof *d->places, order);
}

static bool is_file(const struct place *x, const struct place *y)
{
    return x->device == y->device && x->inode == y->inode;
}

/* ---- digests ------------------------------------------------------------------------------ */

struct reading {
    struct stream stream;
    struct digest digest;
    uint64_t read;
    uint8_t block[STREAM_BLOCK];
};

NUMEL_MUST static bool add_bytes(struct reading *r, uint64_t from, uint64_t to, numel_error *e)
{
    while (from < to) {
        size_t n = (size_t)num_min(to - from, sizeof r->block);
        if (!stream_read(&r->stream, from, r->block, n, e) || !digest_add(&r->digest, r->block, n, e))
            return false;
        from += n;
        r->read += n;
    }
    return true;
}

/* The front, and SAMPLES pieces of which the last ends the file. */
NUMEL_MUST static bool add_samples(struct reading *r, uint64_t bytes, numel_error *e)
{
    uint64_t step = (bytes - FRONT) / SAMPLES;
    if (!add_bytes(r, 0, FRONT, e)) return false;
    stream_scattered(&r->stream);
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t end = bytes - step * (SAMPLES - 1 - i);
        if (!add_bytes(r, end - SAMPLE, end, e)) return false;
    }
    return true;
}

NUMEL_MUST static bool read_place(struct reading *r, struct place *p, bool whole, numel_error *e)
{
    if (!stream_open(&r->stream, p->path, e)) return false;
    p->whole = whole || p->bytes <= SMALL;
    bool ok = digest_begin(&r->digest, DIGEST_SHA256, p->bytes, e) &&
              (p->whole ? add_bytes(r, 0, p->bytes, e) : add_samples(r, p->bytes, e)) &&
              digest_end(&r->digest, &p->digest, e);
    digest_drop(&r->digest);
    return stream_close(&r->stream, e) && ok;
}

/* Reads the files from `first` to `end`, which are sorted by file; a file that cannot be read is left out. */
NUMEL_MUST static bool read_files(struct duplicates *d, size_t first, size_t end, bool whole, numel_error *e)
{
    struct reading *r = memory_resize(d->arena.memory, NULL, sizeof *r);
    if (!r) return error_nomem(e);
    r->digest = (struct digest){ .kind = DIGEST_NONE };
    r->read = 0;
    for (size_t i = first; i < end && error_free(e); i++) {
        struct place *p = &d->places[i];
        numel_error why = { .code = NUMEL_OK };
        bool known = i > first && is_file(p, p - 1);
        if (known) p->digest = p[-1].digest, p->whole = p[-1].whole;
        if (known || (p->whole && whole) || read_place(r, p, whole, &why)) continue;
        p->digest = (struct digest_value){ .kind = DIGEST_NONE };
        d->failed++;
        if (why.code == NUMEL_E_NOMEM) error_nomem(e);
    }
    d->read = num_capped(d->read, r->read);
    memory_release(d->arena.memory, r);
    return error_free(e);
}

/* Reads what is alike so far, where that is two files or more. */
NUMEL_MUST static bool read_alike(struct duplicates *d, bool whole, numel_error *e)
{
    for (size_t i = 0, end; i < d->count; i = end) {
        bool several = false;
        for (end = i + 1; end < d->count && by_bytes(&d->places[end], &d->places[i]) == 0; end++)
            several |= !is_file(&d->places[end], &d->places[i]);
        bool lost = whole && d->places[i].digest.kind == DIGEST_NONE; /* it could not be read before */
        if (several && !lost && !read_files(d, i, end, whole, e)) return false;
    }
    return true;
}

/* ---- groups ------------------------------------------------------------------------------- */

/* What place i takes, in the group that begins at `first`. */
static enum space space_of(const struct duplicates *d, size_t first, size_t i)
{
    const struct place *p = &d->places[i], *before = &d->places[first];
    uint64_t where, other;
    if (p->again) return p->link || !p->many ? SPACE_SYMLINK : SPACE_HARD_LINK;
    if (i == first) return SPACE_FIRST;
    enum blocks blocks = blocks_of(p->path, &where);
    if (blocks == BLOCKS_UNKNOWN) return SPACE_UNKNOWN;
    bool same = blocks == BLOCKS_SHARED && p->device == before->device &&
                blocks_of(before->path, &other) == BLOCKS_SHARED && where == other;
    return same ? SPACE_REFLINK : SPACE_COPY;
}

/* Makes a group of places of the same bytes, if they are several files. */
static void make_group(struct duplicates *d, size_t first, size_t end)
{
    bool several = false;
    for (size_t i = first + 1; i < end; i++) several |= !is_file(&d->places[i], &d->places[first]);
    if (!several || d->places[first].digest.kind == DIGEST_NONE) return;
    d->groups++;
    for (size_t i = first; i < end; i++) {
        struct place *p = &d->places[i];
        p->group = d->groups;
        p->files = 1;
        p->space = space_of(d, first, i);
        if (p->space == SPACE_COPY || p->space == SPACE_UNKNOWN) p->saved = p->bytes;
        d->saved = num_capped(d->saved, p->saved);
        if (!p->whole) d->sampled = num_capped(d->sampled, p->saved);
    }
}

static void make_groups(struct duplicates *d)
{
    sort(d, by_file);
    for (size_t i = 1; i < d->count; i++) d->places[i].again = is_file(&d->places[i], &d->places[i - 1]);
    sort(d, as_met);
    for (size_t i = 0, end; i < d->count; i = end) {
        for (end = i + 1; end < d->count && by_bytes(&d->places[end], &d->places[i]) == 0;) end++;
        make_group(d, i, end);
    }
}

/* ---- groups of the same checkpoints ------------------------------------------------------- */

struct run {
    size_t first, end; /* of the places */
};

static bool are_alike(const struct duplicates *d, const struct run *x, const struct run *y)
{
    if (x->end - x->first != y->end - y->first) return false;
    for (size_t i = 0; i < x->end - x->first; i++) {
        const struct place *a = &d->places[x->first + i], *b = &d->places[y->first + i];
        if (a->checkpoint != b->checkpoint || a->space != b->space || a->whole != b->whole) return false;
    }
    return true;
}

static uint64_t hash_of(const struct duplicates *d, const struct run *x)
{
    uint64_t h = 0;
    for (size_t i = x->first; i < x->end; i++)
        h = hash_fold(h ^ d->places[i].checkpoint, 0x9E3779B97F4A7C15u) ^ d->places[i].space;
    return h;
}

static void join(struct duplicates *d, const struct run *to, const struct run *from)
{
    for (size_t i = 0; i < to->end - to->first; i++) {
        struct place *a = &d->places[to->first + i], *b = &d->places[from->first + i];
        a->files++;
        a->bytes = num_capped(a->bytes, b->bytes);
        a->saved = num_capped(a->saved, b->saved);
        b->group = 0;
    }
    d->groups--;
}

/* Joins by a table of the groups' hashes. */
NUMEL_MUST static bool join_groups(struct duplicates *d, numel_error *e)
{
    size_t slots = 16;
    while (slots < 2 * d->groups) slots *= 2;
    struct run *table = arena_zeroed(&d->arena, slots * sizeof *table);
    if (!table) return error_nomem(e);
    for (size_t i = 0, end; i < d->count; i = end) {
        for (end = i + 1; end < d->count && d->places[end].group == d->places[i].group;) end++;
        const struct run x = { i, end };
        if (!d->places[i].group) continue;
        size_t at = (size_t)hash_of(d, &x) & (slots - 1);
        while (table[at].end && !are_alike(d, &table[at], &x)) at = (at + 1) & (slots - 1);
        if (table[at].end) join(d, &table[at], &x);
        else table[at] = x;
    }
    return true;
}

/* Numbers the groups from 1 on, and drops the places without one. */
static void number_groups(struct duplicates *d)
{
    uint64_t number = 0, last = 0;
    size_t n = 0;
    sort(d, by_group);
    for (size_t i = 0; i < d->count; i++) {
        struct place p = d->places[i];
        if (!p.group) continue;
        if (p.group != last) number++;
        last = p.group;
        p.group = number;
        d->places[n++] = p;
    }
    d->count = n;
}

static void count_files(struct duplicates *d)
{
    for (size_t i = 0; i < d->count; i++) d->files += i == 0 || !is_file(&d->places[i], &d->places[i - 1]);
}

bool duplicates_find(struct duplicates *d, const char *const *paths, size_t n, bool hash,
                     const numel_options *options, numel_error *e)
{
    *d = (struct duplicates){ .count = 0 };
    arena_init(&d->arena, options->allocator);
    if (!digest_ready(e) || !walk_all(d, paths, n, options, e)) return false;
    sort(d, by_file);
    count_files(d);
    if (!read_alike(d, false, e)) return false;
    if (hash) {
        sort(d, by_file);
        if (!read_alike(d, true, e)) return false;
    }
    make_groups(d);
    if (!join_groups(d, e)) return false;
    number_groups(d);
    return true;
}

void duplicates_done(struct duplicates *d)
{
    if (!d->arena.memory) return;
    memory_release(d->arena.memory, d->places);
    arena_done(&d->arena);
    *d = (struct duplicates){ .count = 0 };
}
