/*
 * find.c -- what a path stands for; from small to large: names, one set, a directory, a path.
 */
#include "reader/find.h"

#include "base/border.h"
#include "base/text.h"
#include "reader/reader.h"
#include "source/folder.h"
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INDEX = 1 << 30, MAX_SHARDS = 1000000 };

struct finding_sets { /* the work of one numel_find() */
    struct numel_found *found;
    struct arena *arena;
    numel_error *error;
    const char *place; /* of the folder in work */
    bool unguarded;
};

/* ---- names -------------------------------------------------------------------------------- */

numel_str plain_name(numel_str name)
{
    if (text_ends(name, ".head.zst")) name.n -= 9;
    else if (text_ends(name, ".zst")) name.n -= 4;
    return name;
}

/* The digits that end at `end`: their number and how many; 5 or 6 as all writers leave them. */
static bool digits_before(numel_str s, size_t end, uint64_t *value, size_t *digits)
{
    size_t i = end;
    *value = 0;
    while (i > 0 && s.p[i - 1] >= '0' && s.p[i - 1] <= '9') i--;
    *digits = end - i;
    for (; i < end && *digits <= 6; i++) *value = *value * 10 + (uint64_t)(s.p[i] - '0');
    return *digits == 5 || *digits == 6;
}

bool shard_name_parse(numel_str name, struct shard_name *out)
{
    size_t dot = name.n;
    while (dot > 0 && name.p[dot - 1] != '.') dot--;
    if (dot < 2) return false;
    size_t end = dot - 1;
    if (!digits_before(name, end, &out->total, &out->total_digits)) return false;
    if (end < out->total_digits + 4) return false;
    size_t of = end - out->total_digits - 4;
    if (memcmp(name.p + of, "-of-", 4) != 0) return false;
    if (!digits_before(name, of, &out->number, &out->number_digits)) return false;
    out->prefix = (numel_str){ name.p, of - out->number_digits };
    out->suffix = (numel_str){ name.p + end, name.n - end };
    return out->number > 0 && out->number <= out->total;
}

bool name_is_weights(numel_str name)
{
    name = plain_name(name);
    return text_ends(name, ".safetensors") || text_ends(name, ".gguf");
}

static bool is_index(numel_str name) { return text_ends(plain_name(name), ".index.json"); }

/* ---- one set ------------------------------------------------------------------------------ */

static struct found_set *add_set(struct finding_sets *g, enum found_kind kind, const char *path,
                                 const char *dir)
{
    struct numel_found *f = g->found;
    void *p = f->sets;
    if (!memory_grow(f->arena.memory, &p, &f->cap, f->count + 1, sizeof *f->sets, g->error)) return NULL;
    f->sets = p;
    f->sets[f->count] = (struct found_set){ .kind = kind, .path = path, .dir = dir, .place = g->place };
    return &f->sets[f->count++];
}

static bool add_file(struct finding_sets *g, struct found_set *s, numel_str name, const char *path)
{
    void *p = s->files;
    if (!memory_grow(g->arena->memory, &p, &s->cap, s->count + 1, sizeof *s->files, g->error)) return false;
    s->files = p;
    s->files[s->count++] = (struct found_file){ name, path, false };
    return true;
}

/* A name with something appended; empty when out of memory. */
static numel_str with(struct arena *a, numel_str name, const char *end)
{
    numel_str text = arena_join(a, name, text_of(end), (numel_str){ NULL, 0 });
    return text.p ? text : (numel_str){ "", 0 };
}

static bool climbs(numel_str name)
{
    for (size_t i = 0; i + 1 < name.n; i++)
        if (name.p[i] == '.' && name.p[i + 1] == '.') return true;
    return false;
}

/* Where a shard is: itself, its header-only copy, its zstd; *path NULL when nowhere. A name from
 * an index must stay inside the folder. */
NUMEL_MUST static bool locate(struct finding_sets *g, const struct folder *f, const char *dir, numel_str name,
                              const char **path)
{
    static const char *const ends[] = { "", ".head.zst", ".zst" };
    bool deep = memchr(name.p, '/', name.n) != NULL;
    *path = NULL;
    if (name.n == 0 || name.p[0] == '/' || memchr(name.p, 0, name.n)) return true;
    if (climbs(name)) return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !*path; i++) {
        numel_str full = with(g->arena, name, ends[i]);
        if (full.n == 0) return error_nomem(g->error);
        if (!deep && !folder_has(f, full)) continue;
        char *at = path_join(g->arena, dir, full);
        if (!at) return error_nomem(g->error);
        if (!deep || path_kind(at) != PATH_ABSENT) *path = at;
    }
    return true;
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

bool find_read_index(const char *path, struct shard_index *x, struct arena *a, numel_error *e)
{
    struct index_reading g = { .x = x, .arena = a, .error = e };
    *x = (struct shard_index){ 0 };
    if (!source_read(&g.s, path, MAX_INDEX, "index", a->memory, e)) return false;
    bool ok = true;
    for (uint64_t want = 1 << 20; ok && !g.s.complete && want <= MAX_INDEX; want *= 2)
        ok = source_grow(&g.s, want, MAX_INDEX, e);
    ok = ok && source_run(&g.s, read_index_body, &g, e);
    source_close(&g.s);
    error_file(e, path);
    if (!ok) shard_index_done(x);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    const struct found_file *x = a, *y = b;
    return text_natural(x->name, y->name);
}

/* The set that an index names. */
static bool add_index_set(struct finding_sets *g, const char *path, const char *dir, const struct folder *f,
                          const struct shard_index *x, const char *heading)
{
    struct found_set *s = add_set(g, FOUND_INDEX, heading, dir);
    const char *at;
    if (!s) return false;
    s->index = path;
    for (size_t i = 0; i < x->shard_count; i++) {
        numel_str name = x->shards[i].name;
        if (!locate(g, f, dir, name, &at) || !add_file(g, s, name, at)) return false;
    }
    if (s->count) qsort(s->files, s->count, sizeof *s->files, by_name);
    return true;
}

/* The set that a name's pattern speaks of. */
NUMEL_MUST static bool add_pattern_set(struct finding_sets *g, const char *dir, const struct folder *f,
                                       const struct shard_name *n, const char *heading)
{
    struct found_set *s = add_set(g, FOUND_PATTERN, heading, dir);
    const char *at;
    if (!s) return false;
    for (uint64_t i = 1; i <= n->total && i <= MAX_SHARDS; i++) {
        char middle[40]; /* "00001-of-00004" */
        snprintf(middle, sizeof middle, "%0*u-of-%0*u", (int)n->number_digits, (unsigned)i,
                 (int)n->total_digits, (unsigned)n->total);
        numel_str name = arena_join(g->arena, n->prefix, text_of(middle), n->suffix);
        if (!name.p) return error_nomem(g->error);
        if (!locate(g, f, dir, name, &at) || !add_file(g, s, name, at)) return false;
    }
    return true;
}

static bool add_single(struct finding_sets *g, const char *path, const char *dir, numel_str name)
{
    struct found_set *s = add_set(g, FOUND_FILE, path, dir);
    return s && add_file(g, s, name, path);
}

/* ---- a directory -------------------------------------------------------------------------- */

/* Marks what belongs to a set, so that it is not listed again by itself. */
struct sorting {
    struct finding_sets *g;
    struct folder f;
    const char *dir, *heading;
    bool *taken;
};

static void take(struct sorting *t, numel_str name)
{
    static const char *const ends[] = { "", ".head.zst", ".zst" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        uint32_t at = names_find(&t->f.names, t->f.entries, with(t->g->arena, name, ends[i]));
        if (at != NAMES_ABSENT) t->taken[at] = true;
    }
}

NUMEL_MUST static bool sort_indexes(struct sorting *t)
{
    for (size_t i = 0; i < t->f.count; i++) {
        struct shard_index x;
        numel_error ignored;
        numel_str name = t->f.entries[i].name;
        if (t->f.entries[i].directory || !is_index(name)) continue;
        t->taken[i] = true;
        char *path = path_join(t->g->arena, t->dir, name);
        if (!path) return error_nomem(t->g->error);
        error_clear(&ignored);
        if (!find_read_index(path, &x, t->g->arena, &ignored)) {
            if (ignored.code == NUMEL_E_NOMEM) return error_nomem(t->g->error);
            if (!add_single(t->g, path, t->dir, name)) return false; /* says so when opened */
            t->g->found->sets[t->g->found->count - 1].index = path;
            continue;
        }
        bool ok = x.shard_count == 0 || !text_ends(plain_name(x.shards[0].name), ".bin")
                      ? add_index_set(t->g, path, t->dir, &t->f, &x, path)
                      : true; /* pytorch_model.bin.index.json: pickles, not ours */
        for (size_t k = 0; k < x.shard_count; k++) take(t, x.shards[k].name);
        shard_index_done(&x);
        if (!ok) return false;
    }
    return true;
}

NUMEL_MUST static bool sort_patterns(struct sorting *t)
{
    for (size_t i = 0; i < t->f.count; i++) {
        struct shard_name n;
        numel_str name = t->f.entries[i].name;
        if (t->taken[i] || t->f.entries[i].directory || !name_is_weights(name) ||
            !shard_name_parse(plain_name(name), &n))
            continue;
        char *path = path_join(t->g->arena, t->dir, name);
        if (!path) return error_nomem(t->g->error);
        if (!add_pattern_set(t->g, t->dir, &t->f, &n, path)) return false;
        const struct found_set *s = &t->g->found->sets[t->g->found->count - 1];
        for (size_t k = 0; k < s->count; k++) take(t, s->files[k].name);
    }
    return true;
}

static bool probe_body(void *ctx)
{
    struct source *s = ctx;
    return reader_gguf.probe(s->base, s->size) ||
           (s->size > 8 && s->base[8] == '{' && reader_safetensors.probe(s->base, s->size));
}

/* Files without a known suffix (blobs named by their hash) are looked into. One that shrinks meanwhile
 * is taken for one: opening it says what became of it. */
static bool is_blob(const struct sorting *t, numel_str name)
{
    struct source s;
    numel_error ignored;
    bool candidate = !memchr(name.p, '.', name.n) && name.n >= 32;
    char *path = candidate ? path_join(t->g->arena, t->dir, name) : NULL;
    error_clear(&ignored);
    if (!path || !source_open(&s, path, t->g->unguarded, t->g->arena->memory, &ignored)) {
        if (path && ignored.code == NUMEL_E_NOMEM) error_nomem(t->g->error);
        return false;
    }
    bool is = source_run(&s, probe_body, &s, &ignored);
    source_close(&s);
    return is || ignored.code == NUMEL_E_CHANGED;
}

static bool is_candidate(const struct sorting *t, size_t i)
{
    numel_str name = t->f.entries[i].name, plain = plain_name(name);
    if (t->taken[i] || t->f.entries[i].directory) return false;
    if (plain.n < name.n && folder_has(&t->f, plain)) return false; /* the file itself is here */
    return name_is_weights(name) || is_blob(t, name) || text_ends(name, ".incomplete");
}

NUMEL_MUST static bool sort_singles(struct sorting *t)
{
    for (size_t i = 0; i < t->f.count; i++) {
        if (!is_candidate(t, i)) continue;
        char *path = path_join(t->g->arena, t->dir, t->f.entries[i].name);
        if (!path) return error_nomem(t->g->error);
        if (!add_single(t->g, path, t->dir, t->f.entries[i].name)) return false;
    }
    return true;
}

/* One checkpoint in a directory is headed by the directory's name. */
static void head_by_directory(struct sorting *t, size_t first)
{
    struct numel_found *f = t->g->found;
    if (f->count == first + 1 && f->sets[first].kind != FOUND_FILE) f->sets[first].path = t->heading;
}

static bool find_in(struct finding_sets *g, const char *dir, const char *heading, unsigned deeper);

/* Diffusers keep a checkpoint a component in folders beside model_index.json. */
NUMEL_MUST static bool find_below(struct sorting *t)
{
    for (size_t i = 0; i < t->f.count; i++) {
        if (!t->f.entries[i].directory || t->f.entries[i].name.p[0] == '.') continue;
        char *path = path_join(t->g->arena, t->dir, t->f.entries[i].name);
        if (!path) return error_nomem(t->g->error);
        t->g->place = t->f.entries[i].name.p;
        bool ok = find_in(t->g, path, path, 0);
        t->g->place = "";
        if (!ok) return false;
    }
    return true;
}

static bool find_in(struct finding_sets *g, const char *dir, const char *heading, unsigned deeper)
{
    struct sorting t = { .g = g, .dir = dir, .heading = heading };
    size_t first = g->found->count;
    if (!folder_list(&t.f, dir, g->arena, g->error)) {
        error_file(g->error, dir);
        return false;
    }
    t.taken = arena_alloc(g->arena, t.f.count + 1);
    bool ok = t.taken || error_nomem(g->error);
    if (ok) memset(t.taken, 0, t.f.count + 1);
    ok = ok && sort_indexes(&t) && sort_patterns(&t) && sort_singles(&t);
    if (ok) head_by_directory(&t, first);
    bool below = deeper && (g->found->count == first || folder_has(&t.f, text_of("model_index.json")));
    if (ok && below) ok = find_below(&t);
    folder_done(&t.f);
    return ok;
}

/* models--ORG--NAME: refs/main names the snapshot; else the newest. */
static const char *snapshot_of(struct arena *a, const char *dir)
{
    char *snapshots = path_join(a, dir, text_of("snapshots"));
    char *ref = path_join(a, dir, text_of("refs/main"));
    if (!snapshots || !ref || path_kind(snapshots) != PATH_DIRECTORY) return NULL;
    const char *commit = folder_text(a, ref);
    char *at = commit && !strchr(commit, '/') ? path_join(a, snapshots, text_of(commit)) : NULL;
    if (at && path_kind(at) == PATH_DIRECTORY) return at;
    return folder_newest(a, snapshots);
}

static bool nothing_there(struct finding_sets *g, const char *dir)
{
    error_set(g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
              "holds no checkpoint: no .safetensors and no .gguf file (pickles, .bin and .pt, are "
              "not read)");
    error_file(g->error, dir);
    return false;
}

/* ---- a path ------------------------------------------------------------------------------- */

/* The set of a file: an index beside it that names it, then its name's pattern, then itself. */
NUMEL_MUST static bool find_by_index(struct finding_sets *g, const char *dir, const struct folder *f,
                                     numel_str name, bool *done)
{
    for (size_t i = 0; i < f->count && !*done; i++) {
        struct shard_index x;
        numel_error ignored;
        if (f->entries[i].directory || !is_index(f->entries[i].name)) continue;
        char *path = path_join(g->arena, dir, f->entries[i].name);
        if (!path) return error_nomem(g->error);
        error_clear(&ignored);
        if (!find_read_index(path, &x, g->arena, &ignored)) {
            if (ignored.code == NUMEL_E_NOMEM) return error_nomem(g->error);
            continue;
        }
        bool ok = true;
        if (names_find(&x.by_shard, x.shards, name) != NAMES_ABSENT) {
            *done = true;
            ok = add_index_set(g, path, dir, f, &x, path);
        }
        shard_index_done(&x);
        if (!ok) return false;
    }
    return true;
}

NUMEL_MUST static bool find_file(struct finding_sets *g, const char *path)
{
    struct folder f;
    struct shard_name n;
    numel_error ignored;
    numel_str base = path_base(path), name = plain_name(base);
    char *dir = path_directory(g->arena, path);
    bool done = false, ok = true;
    if (!dir) return error_nomem(g->error);
    error_clear(&ignored);
    if (!folder_list(&f, dir, g->arena, &ignored)) {
        if (ignored.code == NUMEL_E_NOMEM) return error_nomem(g->error);
        return add_single(g, path, dir, base);
    }
    if (name_is_weights(base)) {
        ok = find_by_index(g, dir, &f, name, &done);
        if (ok && !done && shard_name_parse(name, &n)) {
            done = true;
            ok = add_pattern_set(g, dir, &f, &n, path);
        }
    }
    if (ok && !done) ok = add_single(g, path, dir, base);
    folder_done(&f);
    return ok;
}

NUMEL_MUST static bool find_index(struct finding_sets *g, const char *path)
{
    struct shard_index x;
    struct folder f;
    char *dir = path_directory(g->arena, path);
    if (!dir) return error_nomem(g->error);
    if (!find_read_index(path, &x, g->arena, g->error)) return false;
    bool ok = folder_list(&f, dir, g->arena, g->error);
    if (ok) {
        ok = add_index_set(g, path, dir, &f, &x, path);
        folder_done(&f);
    }
    shard_index_done(&x);
    return ok;
}

static bool find_directory(struct finding_sets *g, const char *path)
{
    const char *snapshot = snapshot_of(g->arena, path);
    const char *dir = snapshot ? snapshot : path;
    if (!find_in(g, dir, path, 1)) return false;
    return g->found->count || nothing_there(g, path);
}

NUMEL_MUST static bool find_path(struct finding_sets *g, const char *path)
{
    enum path_kind kind = path_kind(path);
    if (kind == PATH_DIRECTORY) return find_directory(g, path);
    if (kind == PATH_FILE && is_index(path_base(path))) return find_index(g, path);
    if (kind == PATH_FILE) return find_file(g, path);
    return add_single(g, path, ".", path_base(path)); /* opening it says what is wrong */
}

numel_rc numel_find(numel_found **out, const char *path, const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own_options;
    error_clear(e);
    *out = NULL;
    if (!border_options(&own_options, options, e)) return e->code;
    const numel_allocator *m = own_options.allocator;
    struct numel_found *f = memory_resize(m, NULL, sizeof *f);
    if (!f) error_nomem(e);
    else {
        *f = (struct numel_found){ 0 };
        arena_init(&f->arena, m);
        struct finding_sets g = { f, &f->arena, e, "", own_options.no_guard };
        char *own = arena_text(&f->arena, path, strlen(path));
        bool found = own ? find_path(&g, own) : error_nomem(e);
        if (f->arena.failed) error_nomem(e); /* some helpers know no other answer than "no" */
        if (found && error_free(e)) *out = f;
        else numel_found_free(f);
    }
    error_file(e, path);
    return e->code;
}

size_t numel_found_count(const numel_found *f) { return f->count; }
const char *numel_found_path(const numel_found *f, size_t i) { return f->sets[i].path; }

void numel_found_free(numel_found *f)
{
    if (!f) return;
    const numel_allocator *m = f->arena.memory;
    for (size_t i = 0; i < f->count; i++) memory_release(m, f->sets[i].files);
    memory_release(m, f->sets);
    arena_done(&f->arena);
    memory_release(m, f);
}
