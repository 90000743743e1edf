/*
 * published.c -- a local folder against the published files (verify --against): what is missing, what is not
 * published, what has another size. The checkpoint's own files are compared in size.c, all contents by the level
 * hash.
 *
 * Only for a folder that was named itself: a file that was named stands for no other. Hidden files and folders are
 * a program's own.
 */
#include "verify/verify.h"

#include "base/text.h"
#include "source/folder.h"

enum { DEEPEST = 16 };

struct extra {
    const char *path;
    uint64_t bytes;
};

struct comparing {
    struct verify *v;
    bool *here; /* each published file */
    struct extra *extra;
    size_t extra_count, extra_cap;
};

static bool is_own(const struct verify *v, const char *path)
{
    for (size_t i = 0; i < v->set->count; i++)
        if (v->ck->states[i].path && strcmp(v->ck->states[i].path, path) == 0) return true;
    return false;
}

NUMEL_MUST static bool keep_extra(struct comparing *c, const char *path, uint64_t bytes)
{
    struct extra *grown = arena_grow(c->v->arena, c->extra, c->extra_count, &c->extra_cap, sizeof *grown);
    if (!grown) return error_nomem(c->v->error);
    c->extra = grown;
    c->extra[c->extra_count++] = (struct extra){ path, bytes };
    return true;
}

NUMEL_MUST static bool compare(struct comparing *c, const char *path)
{
    const struct listing *p = &c->v->published;
    const struct listed_file *f = listing_find(p, path, c->v->arena);
    uint64_t bytes = path_bytes(path);
    if (f) c->here[f - p->files] = true;
    if (!f) return keep_extra(c, path, bytes);
    if (f->has_bytes && f->bytes != bytes && !is_own(c->v, path))
        verify_size_differs(c->v, path, bytes, f, p->listing);
    return true;
}

NUMEL_MUST static bool compare_folder(struct comparing *c, const char *dir, unsigned deep)
{
    struct folder f;
    bool ok = true;
    if (!folder_look(&f, dir, c->v->arena, c->v->error)) return false;
    for (size_t i = 0; ok && i < f.count; i++) {
        const struct folder_entry *x = &f.entries[i];
        char *path = path_join(c->v->arena, dir, x->name);
        if (!path) ok = error_nomem(c->v->error);
        else if (x->name.p[0] == '.' || x->circle) continue;
        else if (x->directory) ok = deep == DEEPEST || compare_folder(c, path, deep + 1);
        else ok = compare(c, path);
    }
    folder_done(&f);
    return ok;
}

/* The missing file of that size, if there is one, and only one: perhaps it was renamed. */
static const char *missing_of(const struct comparing *c, uint64_t bytes)
{
    enum { LEAST = 1024 }; /* small files are alike */
    const struct listing *p = &c->v->published;
    const char *one = NULL;
    for (size_t i = 0; bytes >= LEAST && i < p->count; i++) {
        if (c->here[i] || !p->files[i].has_bytes || p->files[i].bytes != bytes) continue;
        if (one) return NULL;
        one = p->files[i].path.p;
    }
    return one;
}

static void tell_extra(const struct comparing *c)
{
    enum { SEARCHED = 1000 }; /* each search walks the listing */
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < c->extra_count; i++) {
        const struct extra *x = &c->extra[i];
        const char *one = i < SEARCHED ? missing_of(c, x->bytes) : NULL;
        findings_add(&c->v->ck->findings, FINDING_PUBLISHED_EXTRA, x->path, NO_TENSOR, NUMEL_NOWHERE,
                     "is not among the published files (%.200s)%s%s%s", c->v->published.listing,
                     one ? "; it has the size of " : "", one ? text_quote(name, text_of(one)) : "",
                     one ? ", which is missing: was it renamed?" : "");
    }
}

static void tell_missing(const struct comparing *c)
{
    const struct listing *p = &c->v->published;
    char n[TEXT_NUMBER];
    for (size_t i = 0; i < p->count; i++) {
        const struct listed_file *f = &p->files[i];
        if (c->here[i] || f->path.p[0] == '.') continue;
        const char *path = path_join(c->v->arena, c->v->ck->dir, f->path);
        findings_add(&c->v->ck->findings, FINDING_PUBLISHED_MISSING, path ? path : "", NO_TENSOR,
                     NUMEL_NOWHERE, "is published (%s bytes), but it is missing: download it",
                     text_number(n, f->bytes));
    }
}

bool verify_published(struct verify *v)
{
    const struct found_set *set = v->set;
    struct comparing c = { .v = v };
    if (!v->published.count || !v->published.root || set != v->found->sets || !(set->heads || set->pipeline))
        return true;
    c.here = arena_zeroed(v->arena, v->published.count);
    if (!c.here) return error_nomem(v->error);
    if (!compare_folder(&c, v->published_dir, 0)) return false;
    v->published_sizes = true;
    tell_extra(&c);
    tell_missing(&c);
    return true;
}
