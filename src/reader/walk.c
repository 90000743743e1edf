/*
 * walk.c -- a stack of folders, each with its remaining names; the current place is on top.
 *
 * A frame's real path is that of the frame below it plus a name; the system is asked for it only after a
 * link: not one of a million files is looked up from the root.
 */
#include "reader/walk.h"

#include "reader/remote.h"

#include "reader/piece.h"

#include "base/buffer.h"
#include "base/num.h"
#include "base/text.h"
#include "reader/seen.h"
#include "source/folder.h"

struct walk_place {
    const numel_allocator *memory;
    numel_found *found;
    const char *real; /* of the folder; in found's arena; NULL: ask for each file */
    size_t users;
};

struct frame {
    struct arena arena;
    char *path, *real;
    struct buffer names; /* 'd' or 'l', name, NUL, ... */
    size_t at;
};

struct walk {
    const numel_options *options;
    const numel_allocator *memory;
    struct arena roots, asking, scratch; /* scratch: until the next item */
    const char **real_roots;
    size_t root_count, root_cap;
    const char *asked;
    struct remote *remotes;      /* copies of what the paths stand for */
    const struct remote *remote; /* of the path that is walked; NULL: it is on this disk */
    bool full;
    bool any;          /* it has returned an item */
    numel_error first; /* why the path cannot be started */
    struct frame *frames;
    size_t depth, cap;
    struct walk_place *place;
    size_t i, odd; /* in the place: the next checkpoint; the next entry that is not a file */
    struct seen seen;
};

/* ---- places ------------------------------------------------------------------------------- */

void walk_release(struct walk_place *p)
{
    if (!p || --p->users) return;
    numel_found_free(p->found);
    memory_release(p->memory, p);
}

struct walk_place *walk_hold(struct walk_place *p)
{
    p->users++;
    return p;
}

const numel_found *walk_found(const struct walk_place *p) { return p->found; }

NUMEL_MUST static bool take_place(struct walk *w, numel_found *found, const char *real, numel_error *e)
{
    struct walk_place *p = memory_resize(w->memory, NULL, sizeof *p);
    const char *own = p && real ? arena_text(&found->arena, real, strlen(real)) : NULL;
    walk_release(w->place);
    w->place = NULL;
    if (!p || (real && !own)) {
        memory_release(w->memory, p);
        numel_found_free(found);
        return error_nomem(e);
    }
    *p = (struct walk_place){ w->memory, found, own, 1 };
    w->place = p;
    for (size_t i = 0; i < found->count; i++) found->sets[i].remote = w->remote;
    w->i = w->odd = 0;
    return true;
}

/* ---- the walk ----------------------------------------------------------------------------- */

bool walk_open(struct walk **out, bool full, const numel_options *options, numel_error *e)
{
    struct walk *w = memory_resize(options->allocator, NULL, sizeof *w);
    *out = NULL;
    if (!w) return error_nomem(e);
    *w = (struct walk){ .full = full, .options = options, .memory = options->allocator };
    arena_init(&w->roots, w->memory);
    arena_init(&w->asking, w->memory);
    arena_init(&w->scratch, w->memory);
    seen_init(&w->seen, w->memory);
    *out = w;
    return true;
}

static void pop(struct walk *w)
{
    struct frame *f = &w->frames[--w->depth];
    buffer_done(&f->names);
    arena_done(&f->arena);
}

void walk_close(struct walk *w)
{
    if (!w) return;
    while (w->depth) pop(w);
    walk_release(w->place);
    remote_close(w->remotes);
    seen_done(&w->seen);
    arena_done(&w->roots);
    arena_done(&w->asking);
    arena_done(&w->scratch);
    memory_release(w->memory, w->frames);
    memory_release(w->memory, w->real_roots);
    memory_release(w->memory, w);
}

/* ---- links between folders ---------------------------------------------------------------- */

/* Is `path` the folder `at`, or below it? */
static bool is_within(const char *path, const char *at)
{
    size_t n = strlen(at);
    if (n == 1 && at[0] == '/') return true;
    return strncmp(path, at, n) == 0 && (!path[n] || path[n] == '/');
}

static bool is_circle(const struct walk *w, const char *real)
{
    for (size_t i = 0; i < w->depth; i++)
        if (is_within(w->frames[i].real, real)) return true;
    return false;
}

/* Is a link's target walked below one of the roots anyway, or already walked? */
NUMEL_MUST static bool is_elsewhere(struct walk *w, const char *path, const char *real, bool *is,
                                    numel_error *e)
{
    struct path_identity id;
    *is = false;
    for (size_t i = 0; i < w->root_count && !*is; i++) *is = is_within(real, w->real_roots[i]);
    if (*is || !path_identify(path, &id)) return true;
    return seen_add(&w->seen, id.device, id.inode, is, e);
}

/* ---- folders ------------------------------------------------------------------------------ */

/* A repository's .git folder has its checkpoints once more, by digest; so do a cache's blobs. */
static bool is_passed(const struct folder *f, numel_str name)
{
    if (text_equal(name, ".git")) return true;
    return text_equal(name, "blobs") && folder_has(f, text_of("snapshots"));
}

/* Is it the folder of a component found in the parent folder? */
static bool is_part(const numel_found *found, numel_str name)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct found_set *s = &found->sets[i];
        numel_str below = text_of(s->pipeline ? path_below(s->pipeline->dir, s->dir) : "");
        if (below.n > name.n && below.p[name.n] == '/') below.n = name.n;
        if (below.n && text_same(below, name)) return true;
    }
    return false;
}

static void keep_name(struct frame *f, char kind, numel_str front, numel_str name)
{
    buffer_char(&f->names, kind);
    buffer_add(&f->names, front.p, front.n);
    buffer_add(&f->names, name.p, name.n);
    buffer_char(&f->names, '\0');
}

/* For a repository in a cache its snapshots, the current one first: files shared with it are links. */
NUMEL_MUST static bool keep_snapshots(struct walk *w, struct frame *f, const char *main, numel_error *e)
{
    static const char front[] = "snapshots/";
    struct folder all;
    char *path = path_join(&w->scratch, f->path, text_of("snapshots"));
    if (!path) return error_nomem(e);
    keep_name(f, 'd', text_of(front), path_base(main));
    if (!folder_look(&all, path, &w->scratch, e)) return false;
    for (size_t i = 0; i < all.count; i++)
        if (all.entries[i].directory && !text_same(all.entries[i].name, path_base(main)))
            keep_name(f, all.entries[i].link ? 'l' : 'd', text_of(front), all.entries[i].name);
    folder_done(&all);
    return !f->names.failed || error_nomem(e);
}

NUMEL_MUST static bool keep_names(struct walk *w, struct frame *f, const numel_found *found, numel_error *e)
{
    const struct folder *listing = found_folder(found);
    bool hub = folder_has(listing, text_of("snapshots")) && folder_has(listing, text_of("blobs"));
    const char *main = hub ? hub_snapshot(&w->scratch, f->path) : NULL;
    if (w->scratch.failed) return error_nomem(e);
    if (main) return keep_snapshots(w, f, main, e);
    for (size_t i = 0; i < listing->count && !found_all(found); i++) {
        const struct folder_entry *n = &listing->entries[i];
        if (n->directory && !is_passed(listing, n->name) && !is_part(found, n->name))
            keep_name(f, n->link ? 'l' : 'd', (numel_str){ NULL, 0 }, n->name);
    }
    return !f->names.failed || error_nomem(e);
}

/* Pushes the folder on the stack, and its checkpoints into w->place. `real` is in w->scratch. */
NUMEL_MUST static bool push(struct walk *w, const char *path, const char *real, numel_error *e)
{
    numel_found *found;
    if (!memory_grow(w->memory, &w->frames, &w->cap, w->depth + 1, sizeof *w->frames, e)) return false;
    if (!find_folder(&found, path, w->options, e)) return false;
    struct frame *f = &w->frames[w->depth++];
    *f = (struct frame){ .at = 0 };
    arena_init(&f->arena, w->memory);
    buffer_init(&f->names, w->memory);
    f->path = arena_text(&f->arena, path, strlen(path));
    f->real = arena_text(&f->arena, real, strlen(real));
    bool ok = f->path && f->real ? keep_names(w, f, found, e) : error_nomem(e);
    if (ok) return take_place(w, found, f->real, e);
    numel_found_free(found);
    return false;
}

static bool tell(struct walk_item *out, const char *path, const numel_error *why)
{
    *out = (struct walk_item){ .path = path, .error = *why };
    error_file(&out->error, path);
    return true;
}

/* The next name of the top folder: entered, skipped, or (*told) an error. */
NUMEL_MUST static bool step(struct walk *w, struct walk_item *out, bool *told, numel_error *e)
{
    struct frame *f = &w->frames[w->depth - 1];
    const char *entry = f->names.p + f->at;
    numel_str name = text_of(entry + 1);
    numel_error why = { .code = NUMEL_OK };
    bool elsewhere = false;
    f->at += name.n + 2;
    arena_reset(&w->scratch);
    char *path = path_join(&w->scratch, f->path, name);
    char *real = !path           ? NULL
                 : *entry == 'l' ? path_real(&w->scratch, path)
                                 : path_join(&w->scratch, f->real, name);
    if (!path || (!real && w->scratch.failed)) return error_nomem(e);
    if (!real) real = path; /* it is gone: listing it reports that */
    if (*entry == 'l' && is_circle(w, real)) {
        error_set(&why, NUMEL_E_IO, NUMEL_NOWHERE, "a link to a folder that contains it");
        return *told = true, tell(out, path, &why);
    }
    if (*entry == 'l' && !is_elsewhere(w, path, real, &elsewhere, e)) return false;
    if (elsewhere || push(w, path, real, &why)) return true;
    if (why.code == NUMEL_E_NOMEM) return error_nomem(e);
    return *told = true, tell(out, path, &why);
}

/* ---- requested paths ---------------------------------------------------------------------- */

NUMEL_MUST static bool add_root(struct walk *w, const char *real, numel_error *e)
{
    char *own = arena_text(&w->roots, real, strlen(real));
    if (!own) return error_nomem(e);
    for (size_t i = 0; i < w->root_count; i++)
        if (is_within(own, w->real_roots[i])) return true;
    if (!memory_grow(w->memory, &w->real_roots, &w->root_cap, w->root_count + 1, sizeof *w->real_roots, e))
        return false;
    w->real_roots[w->root_count++] = own;
    return true;
}

/* Starts on the requested path; *why is the reason if it cannot. */
NUMEL_MUST static bool begin(struct walk *w, const char *path, numel_error *why)
{
    numel_found *found;
    bool folder = path_kind(path) == PATH_DIRECTORY;
    if (!folder) return find_path(&found, path, w->options, why) && take_place(w, found, NULL, why);
    char *real = path_real(&w->scratch, path);
    if (!real && w->scratch.failed) return error_nomem(why);
    if (!real) real = (char *)(uintptr_t)w->asked;
    return add_root(w, real, why) && push(w, path, real, why);
}

bool walk_begin(struct walk *w, const char *path, numel_error *e)
{
    arena_reset(&w->scratch);
    arena_reset(&w->asking);
    error_clear(&w->first);
    w->any = false;
    w->asked = arena_text(&w->asking, path, strlen(path));
    if (!w->asked) return error_nomem(e);
    const char *root = NULL;
    bool remote = remote_is(path) && path_kind(path) == PATH_ABSENT;
    bool ok = remote ? remote_add(&w->remotes, path, w->options, &w->first)
                     : find_root(&w->asking, w->options, path, &root, &w->first);
    w->remote = ok && remote ? w->remotes : NULL;
    if (w->remote) root = w->remote->path;
    if (root) w->asked = (char *)(uintptr_t)root;
    if (ok && begin(w, w->asked, &w->first)) return true;
    return w->first.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* ---- one checkpoint ----------------------------------------------------------------------- */

/* FNV-1a with its bits spread: the same from wherever the tree is walked, so that machines divide it
 * alike. */
static uint64_t number_of(numel_str text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < text.n; i++) h = (h ^ (uint8_t)text.p[i]) * 0x100000001b3u;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return h ^ h >> 31;
}

/* The file by its real path; if it has several hard links, by its inode. */
NUMEL_MUST static bool identify(struct walk *w, const char *path, const struct path_identity *is,
                                uint64_t *id, numel_error *e)
{
    const struct folder *f = found_folder(w->place->found);
    numel_str base = path_base(path);
    uint32_t at = f && w->place->real ? names_find(&f->names, f->entries, base) : NAMES_ABSENT;
    bool plain = at != NAMES_ABSENT && !f->entries[at].link;
    char number[64];
    if (is->links > 1) {
        text_format(number, sizeof number, "inode %" PRIu64 " %" PRIu64, is->inode, is->bytes);
        return *id = number_of(text_of(number)), true;
    }
    char *real = plain ? path_join(&w->scratch, w->place->real, base) : path_real(&w->scratch, path);
    if (!real && w->scratch.failed) return error_nomem(e);
    *id = number_of(text_shown(text_of(real ? real : path)));
    return true;
}

/* Counts the files of a set, and those seen before. A missing one does not count. */
NUMEL_MUST static bool meet_set(struct walk *w, const struct found_set *set, struct walk_item *out,
                                uint64_t *mixed, numel_error *e)
{
    for (size_t i = 0; i < set->count; i++) {
        struct path_identity is;
        bool again;
        if (!set->files[i].path || !path_identify(set->files[i].path, &is)) continue;
        if (!out->files && !identify(w, set->files[i].path, &is, &out->id, e)) return false;
        if (!seen_add(&w->seen, is.device, is.inode, &again, e)) return false;
        *mixed = seen_mix(&w->seen, *mixed, is.device, is.inode);
        out->files++;
        if (path_shown(set->files[i].path) == set->files[i].path)
            out->disk += is.bytes; /* not our own copies */
        out->changed = num_max(out->changed, is.changed);
        out->accessed = num_max(out->accessed, is.accessed);
        out->known += again;
        if (again) out->repeated += is.bytes;
    }
    return true;
}

/* The files of n sets that are one checkpoint, or one model. */
NUMEL_MUST static bool meet(struct walk *w, const struct found_set *sets, size_t n, struct walk_item *out,
                            numel_error *e)
{
    uint64_t mixed = 0, files = 0;
    for (size_t i = 0; i < n; i++) {
        files += sets[i].count;
        if (!meet_set(w, &sets[i], out, &mixed, e)) return false;
    }
    out->again = out->files && out->known == out->files;
    if (!out->files) out->id = number_of(text_shown(text_of(out->path)));
    return files < 2 || !out->files || seen_add_set(&w->seen, mixed, &out->again, e);
}

/* The path relative to the requested one; p is NULL if it is the requested one. */
static numel_str below(const struct walk *w, const char *path)
{
    size_t n = strlen(w->asked);
    while (n > 1 && w->asked[n - 1] == '/') n--;
    if (strcmp(path, w->asked) == 0) return (numel_str){ NULL, 0 };
    if (strcmp(w->asked, ".") == 0 && path[0] != '/') return text_of(path);
    if (strncmp(path, w->asked, n) == 0 && path[n] == '/' && path[n + 1]) return text_of(path + n + 1);
    return text_of(path);
}

/* Is it the usual name of a model's only file? */
static bool is_common(numel_str base)
{
    static const char names[] =
        "model.safetensors adapter_model.safetensors diffusion_pytorch_model.safetensors "
        "pytorch_model.safetensors consolidated.safetensors model.gguf";
    return text_lists(text_of(names), plain_name(base));
}

/* `alone`: the only checkpoint in its folder. */
NUMEL_MUST static bool name_it(struct walk *w, struct walk_item *out, bool alone, numel_error *e)
{
    bool parts =
        numel_found_components(out->found, out->i) > 0; /* in a cache its first component has a name */
    const char *known = parts ? NULL : out->found->sets[out->i].name;
    numel_str name = w->full ? text_of(out->path) : below(w, out->path), base = path_base(out->path);
    if (known) return out->name = text_of(known), true;
    bool cut = alone && is_common(base);
    if (cut) name = text_less(name, base.n + 1);
    if (name.p && name.n) return out->name = name, true;
    const char *whole = cut ? path_directory(&w->scratch, out->path) : out->path;
    const char *real = whole ? path_real(&w->scratch, whole) : NULL;
    if (w->scratch.failed) return error_nomem(e);
    out->name = path_base(real ? real : out->path);
    if (!out->name.n) out->name = text_of(out->path);
    return true;
}

NUMEL_MUST static bool give(struct walk *w, struct walk_item *out, numel_error *e)
{
    const numel_found *found = w->place->found;
    const struct found_set *set = &found->sets[w->i];
    size_t parts = numel_found_components(found, w->i), n = parts ? parts : 1;
    *out = (struct walk_item){ .place = w->place, .found = found, .i = w->i, .path = set->path };
    if (parts) out->path = set->pipeline->dir;
    out->named = set->kind == FOUND_MANIFEST;
    w->i += n;
    arena_reset(&w->scratch);
    if (!meet(w, set, n, out, e) || !name_it(w, out, found->count == 1, e)) return false;
    w->place->users++;
    return true;
}

/* A FIFO or a device named like weights, or a circular link. Other non-files are ignored. */
NUMEL_MUST static bool give_odd(struct walk *w, struct walk_item *out, bool *told, numel_error *e)
{
    const struct folder *f = w->place->real ? found_folder(w->place->found) : NULL;
    numel_error why = { .code = NUMEL_OK };
    numel_str name = { NULL, 0 };
    if (!f) return true;
    for (size_t n = f->count + f->other_count; w->odd < n && !name.p; w->odd++) {
        bool other = w->odd >= f->count;
        const struct folder_entry *x = other ? &f->others[w->odd - f->count] : &f->entries[w->odd];
        if (other ? name_is_weights(x->name) : x->circle && !name_is_weights(x->name)) name = x->name;
        if (name.p)
            error_set(&why, NUMEL_E_IO, NUMEL_NOWHERE,
                      other ? "is a FIFO, a socket or a device, not a file" : "a link to itself");
    }
    if (!name.p) return true;
    arena_reset(&w->scratch);
    char *path = path_join(&w->scratch, w->frames[w->depth - 1].path, name);
    if (!path) return error_nomem(e);
    return *told = true, tell(out, path, &why);
}

NUMEL_MUST static bool next(struct walk *w, struct walk_item *out, bool *told, numel_error *e)
{
    if (!error_free(&w->first)) {
        *told = tell(out, w->asked, &w->first);
        error_clear(&w->first);
        return true;
    }
    while (!*told) {
        if (w->place && w->i < w->place->found->count) return *told = true, give(w, out, e);
        if (w->place && !give_odd(w, out, told, e)) return false;
        if (*told) break;
        walk_release(w->place);
        w->place = NULL;
        while (w->depth && w->frames[w->depth - 1].at == w->frames[w->depth - 1].names.n) pop(w);
        if (!w->depth) return true;
        if (!step(w, out, told, e)) return false;
    }
    return true;
}

/* Nothing to list, or only raw pieces. */
static void nothing_in(struct walk *w, numel_error *why)
{
    char text[PIECE_TEXT];
    struct folder f;
    struct piece p;
    numel_error ignored = { .code = NUMEL_OK };
    bool listed = folder_list(&f, w->asked, &w->scratch, &ignored), pieces = listed && piece_in(&f, &p);
    if (pieces) piece_text(&p, text, sizeof text);
    error_set(why, NUMEL_E_FORMAT, NUMEL_NOWHERE, "no .safetensors or .gguf files found in it%s%s",
              pieces ? ", but " : "", pieces ? text : "");
    if (listed) folder_done(&f);
}

bool walk_next(struct walk *w, struct walk_item *out, bool *more, numel_error *e)
{
    *more = false;
    if (!next(w, out, more, e)) return false;
    if (!*more && !w->any) {
        numel_error why = { .code = NUMEL_OK };
        nothing_in(w, &why);
        *more = tell(out, w->asked, &why);
    }
    w->any |= *more;
    if (*more && !out->place) {
        out->name = below(w, out->path);
        if (w->full || !out->name.p) out->name = text_of(out->path);
        char *real = path_real(&w->scratch, out->path);
        if (!real && w->scratch.failed) return error_nomem(e);
        out->id = number_of(text_shown(text_of(real ? real : out->path)));
    }
    return true;
}
