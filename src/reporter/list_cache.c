/* list_cache.c -- stamps rows, finds them by place, and writes the file again. */
#include "reporter/list_cache.h"

#include "base/hash.h"
#include "base/text.h"
#include "formula/embedded.h"
#include "reporter/list_record.h"
#include "source/folder.h"
#include "source/slurp.h"
#include "source/target.h"

#include <stdlib.h>

enum {
    LONGEST = 1 << 30, /* of a file */
    FORGOTTEN = 32,    /* runs that did not meet a row */
    DEEPEST = 8        /* folders of a model of components */
};

static const char magic[] = "numel list cache\n";
#define SEED UINT64_C(0x6C69737463616368)

/* ---- what a row depends on ---------------------------------------------------------------- */

static bool is_picture(numel_str name)
{
    static const char *const ends[] = { ".png", ".jpg", ".jpeg", ".webp", ".gif", ".mp4" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(name, ends[i])) return true;
    return false;
}

/* Adds the files of a folder that may change the row of a checkpoint in it. */
NUMEL_MUST static bool stamp_files(struct stamp *s, const char *dir, const struct folder *f, struct arena *a,
                                   numel_error *e)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct folder_entry *x = &f->entries[i];
        if (x->directory || name_is_weights(x->name) || name_is_pytorch(x->name) || is_picture(x->name))
            continue;
        struct arena_mark mark = arena_mark(a);
        const char *path = path_join(a, dir, x->name);
        if (!path) return error_nomem(e);
        stamp_text(s, x->name);
        stamp_path(s, path);
        arena_rewind(a, mark);
    }
    return true;
}

/* The blobs of Ollama are listed here: its sets do not have them. */
NUMEL_MUST static bool stamp_beside(struct stamp *s, const struct found_set *set, struct arena *a,
                                    numel_error *e)
{
    struct folder f;
    if (set->beside) return stamp_files(s, set->dir, set->beside, a, e);
    struct arena_mark mark = arena_mark(a);
    if (!folder_look(&f, set->dir, a, e)) return false;
    bool ok = stamp_files(s, set->dir, &f, a, e);
    folder_done(&f);
    arena_rewind(a, mark);
    return ok;
}

/* Adds all files of a folder and of those in it. */
NUMEL_MUST static bool stamp_below(struct stamp *s, const char *dir, unsigned depth, struct arena *a,
                                   numel_error *e)
{
    struct folder f;
    struct arena_mark mark = arena_mark(a);
    bool ok = true;
    stamp_path(s, dir);
    if (depth == DEEPEST) s->sure = false;
    if (!s->sure) return true;
    if (!folder_look(&f, dir, a, e)) return false;
    stamp_number(s, f.count);
    for (size_t i = 0; ok && i < f.count; i++) {
        const char *path = path_join(a, dir, f.entries[i].name);
        stamp_text(s, f.entries[i].name);
        if (!path) ok = error_nomem(e);
        else if (f.entries[i].directory) ok = stamp_below(s, path, depth + 1, a, e);
        else stamp_path(s, path);
    }
    folder_done(&f);
    arena_rewind(a, mark);
    return ok;
}

static void stamp_layers(struct stamp *s, const struct found_layers *layers)
{
    for (size_t i = 0; layers && i < layers->count; i++) {
        stamp_text(s, layers->items[i].name);
        if (layers->items[i].path) stamp_path(s, layers->items[i].path);
    }
}

/* Adds a set's files; not sure if one is missing. */
static void stamp_set(struct stamp *s, const struct found_set *set)
{
    bool listed = set->beside || set->kind == FOUND_MANIFEST;
    bool whole = set->dir && listed && !set->pipe && !set->remote && !set->absent && !set->why;
    if (set->kind == FOUND_UNFINISHED || !whole) s->sure = false;
    stamp_number(s, set->kind);
    stamp_number(s, set->count);
    stamp_number(s, set->heads);
    stamp_text(s, text_of(set->place));
    stamp_text(s, text_of(set->name ? set->name : ""));
    for (size_t i = 0; i < set->count && s->sure; i++) {
        stamp_text(s, set->files[i].name);
        if (set->files[i].path) stamp_path(s, set->files[i].path);
        else s->sure = false;
    }
    if (set->index && s->sure) stamp_path(s, set->index);
    stamp_layers(s, set->layers);
}

/* Makes the state of a checkpoint, or of the model of components that begins with it; without the folder of a
 * checkpoint. */
NUMEL_MUST static bool stamp_sets(struct stamp *s, uint64_t now, const numel_found *found, size_t i,
                                  struct arena *a, numel_error *e)
{
    const struct found_set *set = &found->sets[i];
    size_t parts = numel_found_components(found, i);
    *s = stamp_begin(now);
    for (size_t k = 0; k < (parts ? parts : 1) && s->sure; k++) stamp_set(s, &set[k]);
    return !s->sure || !set->pipeline || stamp_below(s, set->pipeline->dir, 0, a, e);
}

/* Adds the folder of a checkpoint, stamped once for all in it. */
NUMEL_MUST static bool add_folder(struct list_cache *c, struct stamp *s, const struct walk_item *x,
                                  numel_error *e)
{
    const struct found_set *set = &x->found->sets[x->i];
    if (c->held != x->place || c->beside != set->beside) {
        if (c->held) walk_release(c->held);
        c->held = walk_hold(x->place);
        c->beside = set->beside;
        c->folder = stamp_begin(c->options.now);
        if (!stamp_beside(&c->folder, set, &c->arena, e)) return false;
    }
    for (unsigned k = 0; k < STAMP_PARTS; k++) stamp_number(s, c->folder.parts[k]);
    s->sure = s->sure && c->folder.sure;
    return true;
}

/* The options that change a row; not sure if there are some that name files, which may change. */
static void stamp_options(struct list_cache *c, const numel_listing *how, const numel_options *o)
{
    const numel_knowledge *k = how->knowledge;
    const size_t specs = embedded_count * sizeof *embedded_files;
    c->options = stamp_begin(stamp_now());
    stamp_number(&c->options, sizeof(numel_row));
    stamp_text(&c->options, (numel_str){ (const char *)embedded_files, specs }); /* builds of one version */
    stamp_number(&c->options, o->strict);
    stamp_number(&c->options, o->max_header_bytes);
    stamp_number(&c->options, k->values);
    stamp_number(&c->options, k->declared_only);
    stamp_number(&c->options, k->lone_file);
    stamp_number(&c->options, k->fit);
    c->options.sure =
        !k->config && !k->config_text && !k->architecture && !k->spec_count && !k->set_count && !k->base;
}

/* ---- the file ----------------------------------------------------------------------------- */

static bool is_ours(const char *front, size_t n)
{
    numel_str text = { front, n }, whole = text_of(magic);
    return n < whole.n ? text_same(text, text_upto(whole, n)) : text_starts(text, magic);
}

NUMEL_MUST static bool take_stamp(numel_str *from, struct stamp *s)
{
    *s = (struct stamp){ .sure = true };
    return list_record_get_number(from, &s->parts[0]) && list_record_get_number(from, &s->parts[1]);
}

static int by_place(const void *a, const void *b)
{
    const struct cached *x = a, *y = b;
    int c = num_order(x->place.parts[0], y->place.parts[0]);
    return c ? c : num_order(x->place.parts[1], y->place.parts[1]);
}

/* Reads the rows; *whole is false for a malformed one. NOMEM. */
NUMEL_MUST static bool read_rows(struct list_cache *c, numel_str from, bool *whole, numel_error *e)
{
    *whole = true;
    while (from.n) {
        struct cached row = { .met = false };
        uint64_t n;
        *whole = list_record_get_number(&from, &n) && take_stamp(&from, &row.place) &&
                 take_stamp(&from, &row.state) && list_record_get_number(&from, &row.unmet) && n <= from.n;
        if (!*whole) return true;
        if (!memory_grow(c->memory, &c->rows, &c->cap, c->count + 1, sizeof row, e)) return false;
        row.record = text_upto(from, (size_t)n);
        from = text_from(from, (size_t)n);
        c->rows[c->count++] = row;
    }
    if (c->count) qsort(c->rows, c->count, sizeof *c->rows, by_place);
    return true;
}

/* Reads the file's text. Of another version nothing is taken. */
NUMEL_MUST static bool read_file(struct list_cache *c, bool *whole, numel_error *e)
{
    numel_str text = buffer_view(&c->old);
    uint64_t n, hash;
    c->stale = true;
    *whole = text_take_start(&text, magic) && text_holds(text, text_of("\n"));
    if (!*whole || !text_take_start(&text, numel_version()) || !text_take_start(&text, "\n")) return true;
    *whole = list_record_get_number(&text, &n) && list_record_get_number(&text, &hash) && n == text.n &&
             hash == hash_bytes(text.p, text.n, SEED);
    c->stale = !*whole;
    return !*whole || read_rows(c, text, whole, e);
}

/* Refuses what is not ours before anything is read of it. */
NUMEL_MUST static bool load(struct list_cache *c, numel_error *why, numel_error *e)
{
    enum path_kind kind = path_kind(c->path);
    bool whole = true;
    if (kind == PATH_OTHER || kind == PATH_DIRECTORY)
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "is not a file: a cache cannot be kept there");
    else if (target_check(c->path, is_ours, e) && kind == PATH_FILE && path_bytes(c->path))
        (void)(slurp(&c->old, c->path, LONGEST, e) && read_file(c, &whole, e));
    error_file(e, c->path);
    if (error_free(e) && !whole) {
        c->count = 0;
        c->stale = true;
        error_set(why, NUMEL_E_FORMAT, NUMEL_NOWHERE, "the cache is damaged: it was ignored");
        error_file(why, c->path);
    }
    return error_free(e);
}

bool list_cache_open(struct list_cache *c, const numel_listing *how, const numel_options *options,
                     numel_error *why, numel_error *e)
{
    *c = (struct list_cache){ .memory = options->allocator };
    if (!how->cache) return true;
    arena_init(&c->arena, c->memory);
    buffer_init(&c->old, c->memory);
    buffer_init(&c->new, c->memory);
    if (!(c->path = arena_text(&c->arena, how->cache, strlen(how->cache)))) return error_nomem(e);
    stamp_options(c, how, options);
    return load(c, why, e);
}

void list_cache_done(struct list_cache *c)
{
    if (!c->arena.memory) return;
    if (c->held) walk_release(c->held);
    memory_release(c->memory, c->rows);
    buffer_done(&c->old);
    buffer_done(&c->new);
    arena_done(&c->arena);
    *c = (struct list_cache){ .path = NULL };
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Completes a row by that of the cache; false if this is malformed. */
NUMEL_MUST static bool take_row(const struct cached *from, numel_row *row)
{
    numel_error why;
    numel_row was;
    if (!list_record_get(from->record, &was, &why) || was.error) return false;
    was.path = row->path;
    was.name = row->name;
    was.files = row->files;
    was.disk = row->disk;
    was.repeated = row->repeated;
    was.shared = row->shared;
    was.modified = row->modified;
    was.accessed = row->accessed;
    was.id = row->id;
    *row = was;
    return true;
}

bool list_cache_find(struct list_cache *c, const struct walk_item *x, struct list_stamps *out, numel_row *row,
                     bool *hit, numel_error *e)
{
    struct cached wanted = { .place = c->options };
    *hit = false;
    out->state = (struct stamp){ .sure = false };
    if (!c->path || !x->place) return true;
    stamp_text(&wanted.place, text_of(x->path));
    out->place = wanted.place;
    if (!stamp_sets(&out->state, c->options.now, x->found, x->i, &c->arena, e)) return false;
    bool folder = out->state.sure && !x->found->sets[x->i].pipeline;
    if (folder && !add_folder(c, &out->state, x, e)) return false;
    out->state.sure = out->state.sure && c->options.sure;
    struct cached *at = c->count ? bsearch(&wanted, c->rows, c->count, sizeof wanted, by_place) : NULL;
    if (!at || at->met) return true; /* a path that is listed twice */
    at->met = true;
    *hit = at->valid = out->state.sure && stamp_same(&at->state, &out->state) && take_row(at, row);
    return true;
}

static void put_row(struct buffer *b, const struct cached *x)
{
    list_record_put_number(b, x->record.n);
    for (unsigned i = 0; i < STAMP_PARTS; i++) list_record_put_number(b, x->place.parts[i]);
    for (unsigned i = 0; i < STAMP_PARTS; i++) list_record_put_number(b, x->state.parts[i]);
    list_record_put_number(b, x->unmet);
    buffer_str(b, x->record);
}

/* Was anything added to the folders while the row was read? Then it may have been read too. */
NUMEL_MUST static bool is_settled(struct list_cache *c, const numel_found *found, size_t i,
                                  const struct list_stamps *at, bool *is, numel_error *e)
{
    struct stamp again;
    struct arena scratch;
    const struct found_set *set = &found->sets[i];
    *is = at->state.sure;
    if (!*is) return true;
    if (!set->pipeline) return *is = stamp_is_settled(&at->state, set->dir), true;
    arena_init(&scratch, c->memory);
    bool ok = stamp_sets(&again, at->state.now, found, i, &scratch, e);
    arena_done(&scratch);
    *is = ok && again.sure && stamp_same(&again, &at->state);
    return ok;
}

bool list_cache_add(struct list_cache *c, const numel_found *found, size_t i, const struct list_stamps *at,
                    const numel_row *row, numel_error *e)
{
    static const struct list_key none = { 0, { "", 0 } };
    struct cached own = { .place = at->place, .state = at->state };
    struct buffer record;
    bool settled;
    if (!c->path) return true;
    if (!is_settled(c, found, i, at, &settled, e)) return false;
    if (!settled) return true;
    buffer_init(&record, c->memory);
    list_record_put(&record, &none, row);
    own.record = buffer_view(&record);
    put_row(&c->new, &own);
    c->added++;
    bool failed = record.failed || c->new.failed;
    buffer_done(&record);
    return !failed || error_nomem(e);
}

/* Appends the rows of the old file that still hold; *same if that is all of them. */
static void put_old(struct list_cache *c, struct buffer *b, bool *same)
{
    *same = true;
    for (size_t i = 0; i < c->count; i++) {
        struct cached *x = &c->rows[i];
        uint64_t unmet = x->met ? 0 : x->unmet + 1;
        bool holds = x->met ? x->valid : unmet <= FORGOTTEN;
        *same = *same && holds && unmet == x->unmet;
        x->unmet = unmet;
        if (holds) put_row(b, x);
    }
}

bool list_cache_save(struct list_cache *c, numel_error *e)
{
    struct buffer rows, all;
    bool same;
    if (!c->path) return true;
    buffer_init(&rows, c->memory);
    buffer_init(&all, c->memory);
    put_old(c, &rows, &same);
    if (c->added) buffer_str(&rows, buffer_view(&c->new));
    buffer_format(&all, "%s%s\n", magic, numel_version());
    const numel_str text = { rows.p ? rows.p : "", rows.n };
    list_record_put_number(&all, text.n);
    list_record_put_number(&all, hash_bytes(text.p, text.n, SEED));
    buffer_str(&all, text);
    bool ok = !rows.failed && !all.failed;
    if (!ok) error_nomem(e);
    else if (!same || c->stale || c->added || !c->old.n)
        ok = target_save(c->path, is_ours, all.p, all.n, c->memory, e);
    buffer_done(&rows);
    buffer_done(&all);
    return ok;
}
