/*
 * remote.c -- makes the copies: what of each file is wanted, the requests, and writing; remote.h has the plan.
 *
 * Nothing that the host says is trusted: paths lead nowhere else, sizes are those that the listing states, and
 * a file that has another etag or size in a later range is CHANGED. Each round asks for all its ranges at once.
 */
#include "reader/remote.h"

#include "base/border.h"
#include "base/names.h"
#include "base/num.h"
#include "reader/find_internal.h"
#include "reader/listing.h"
#include "reader/remote_head.h"
#include "source/folder.h"
#include "source/target.h"
#include "source/zstd.h"

#include <string.h>

enum {
    SMALL = 16 << 20,       /* bytes of a file that is read whole */
    INDEX = 64 << 20,       /* of a shard index: 208,550 tensors take 23 MB */
    FRONT = 64 << 10,       /* of weights, at first */
    FRONT_MOST = 128 << 10, /* of a shard whose index names many tensors */
    FRONT_LEAST = 4 << 10,  /* of one with few */
    ENTRY = 80,             /* bytes of a header that belong to a name in it: dtype, shape, offsets */
    ASK_MOST = 64 << 20,
    FILES_MOST = 1000000,
    ROUNDS = 64 /* ranges of one header */
};

enum wanted { WANT_SIZE, WANT_WHOLE, WANT_HEAD };

struct remote_file {
    numel_str path; /* below the root */
    const char *url;
    uint64_t bytes; /* as listed, then as read; NUMEL_NOT_KNOWN */
    enum wanted want;
    uint8_t *front;
    uint64_t have, ask; /* bytes of it; of the next range, 0: none */
    uint64_t ask_at;    /* where that begins: behind the front, or elsewhere */
    uint64_t head;      /* of the front: the header; 0: not known yet */
    bool scattered;     /* the header is also in the pieces, ranges from elsewhere */
    struct source_piece *pieces;
    size_t count, cap;
    bool read; /* a range was read: `etag` is known */
    char etag[208];
};

struct weights_folder {
    numel_str path; /* first: see names.h */
};

struct mirroring {
    struct remote *r;
    const struct remote_url *url;
    const numel_options *options;
    struct names folders; /* that have weights in safetensors or GGUF */
    struct weights_folder *with_weights;
    size_t folder_count, folder_cap;
    struct target target;
    numel_error *error;
};

/* ---- the listing ---------------------------------------------------------------------------- */

/* Files that describe models. Tokenizers themselves are large, and no command needs their words. */
static bool describes(numel_str name)
{
    static const char small[] = "*.json *.jinja";
    static const char large[] =
        "tokenizer.json vocab*.json added_tokens.json tekken.json *_results.json all_results.json "
        "trainer_state.json";
    return text_globs(text_of(small), name) && !text_globs(text_of(large), name);
}

/* The URL's path, or below it. */
static bool is_asked(const struct remote_url *u, numel_str path)
{
    return !u->path.n || text_same(u->path, path) ||
           (text_starts(path, u->path.p) && path.p[u->path.n] == '/');
}

/* Files of PyTorch are read where a local folder's would be: without other weights next to them, or by name. */
static bool is_pickle_wanted(const struct mirroring *m, numel_str path, numel_str name, numel_str folder)
{
    numel_str asked = path_base(m->url->path.p);
    if (!name_is_pytorch(name)) return false;
    if (text_same(m->url->path, path) || name_is_pytorch(asked) || text_glob("*.bin.index*", asked))
        return true;
    return names_find(&m->folders, m->with_weights, folder) == NAMES_ABSENT;
}

static enum wanted wanted_of(const struct mirroring *m, numel_str path, uint64_t bytes)
{
    const struct remote_url *u = m->url;
    numel_str name = path_base(path.p), folder = text_less(path, name.n);
    bool weights = name_is_weights(name) || is_pickle_wanted(m, path, name, folder),
         inside = is_asked(u, path);
    bool beside = u->path.n && text_same(folder, text_head(u->path, '/'));
    struct shard_name a, b;
    numel_str asked = path_base(u->path.p);
    bool shard = beside && weights && shard_name_parse(plain_name(name), &a) &&
                 (name_is_index(asked) || (shard_name_parse(plain_name(asked), &b) &&
                                           text_same(a.prefix, b.prefix) && a.total == b.total));
    if (!u->hub) return weights ? WANT_HEAD : bytes <= SMALL ? WANT_WHOLE : WANT_HEAD;
    if (weights) return inside || shard ? WANT_HEAD : WANT_SIZE;
    uint64_t most = name_is_index(name) ? INDEX : SMALL;
    return (inside || beside) && describes(name) && bytes <= most ? WANT_WHOLE : WANT_SIZE;
}

/* hf://ORG/NAME@COMMIT/PATH, encoded. */
NUMEL_MUST static const char *url_of(struct mirroring *m, numel_str path)
{
    struct buffer b;
    const struct remote *r = m->r;
    if (!m->url->hub) return m->url->request.p;
    buffer_init(&b, r->arena.memory);
    buffer_str(&b, r->commit ? m->url->base : m->url->request);
    if (r->commit) buffer_format(&b, "@%s", r->commit);
    buffer_char(&b, '/');
    text_uri(&b, path);
    return buffer_keep(&b, &m->r->arena);
}

/* Remembers the folder of a file with weights. */
NUMEL_MUST static bool add_folder(struct mirroring *m, numel_str file)
{
    numel_str folder = text_less(file, path_base(file.p).n);
    return names_add(&m->folders, &m->with_weights, &m->folder_count, &m->folder_cap, folder, NULL,
                     m->error) != NAMES_ABSENT;
}

NUMEL_MUST static bool add_file(struct mirroring *m, const numel_remote_file *f)
{
    struct remote *r = m->r;
    numel_str path = m->url->hub ? text_of(f->path) : m->url->path;
    if (path.n && path.p[0] == '.') return true; /* .gitattributes */
    if (!naming_is_inside(path)) return true;    /* hidden, or it leads out of the folder */
    if (r->count == FILES_MOST)
        return error_set(m->error, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d files", FILES_MOST);
    struct remote_file *grown = arena_grow(&r->arena, r->files, r->count, &r->cap, sizeof *grown);
    char *own = arena_text(&r->arena, path.p, path.n);
    if (!grown || !own) return error_nomem(m->error);
    r->files = grown;
    const char *url = url_of(m, path);
    if (!url) return error_nomem(m->error);
    r->files[r->count++] = (struct remote_file){ .path = { own, path.n }, .url = url, .bytes = f->bytes };
    return !name_is_weights(path_base(own)) || add_folder(m, text_of(own));
}

static bool is_commit(const char *commit)
{
    size_t n = commit ? strlen(commit) : 0;
    return n && n <= 64 && naming_is_id((numel_str){ commit, n });
}

NUMEL_MUST static bool take_file(void *ctx, const char *commit, const numel_remote_file *f)
{
    struct mirroring *m = ctx;
    if (!m->r->commit && is_commit(commit)) m->r->commit = arena_text(&m->r->arena, commit, strlen(commit));
    return !f || add_file(m, f);
}

NUMEL_MUST static bool all_differ(struct mirroring *m)
{
    char quoted[TEXT_QUOTE];
    struct names seen;
    names_init(&seen, m->r->arena.memory, sizeof *m->r->files);
    bool ok = names_reserve(&seen, m->r->count, m->error);
    for (size_t i = 0; ok && i < m->r->count; i++)
        if (names_enter(&seen, m->r->files, i) != i)
            ok = error_set(m->error, NUMEL_E_IO, NUMEL_NOWHERE, "the repository lists the file %s twice",
                           text_quote(quoted, m->r->files[i].path));
    names_done(&seen);
    return ok;
}

NUMEL_MUST static bool list(struct mirroring *m)
{
    numel_error said;
    error_clear(&said);
    numel_rc rc = m->options->list(m->options->remote_ctx, m->url->request.p, take_file, m, &said);
    if (rc == NUMEL_OK || !error_free(m->error)) return error_free(m->error) && all_differ(m);
    *m->error = said;
    return error_free(m->error) ? error_set(m->error, rc, NUMEL_NOWHERE, "cannot be listed") : false;
}

/* ---- ranges --------------------------------------------------------------------------------- */

static void count(struct remote *r, const struct remote_file *f, const numel_range *g)
{
    r->read += !f->read;
    if (!num_add(&r->fetched, r->fetched, g->came == NUMEL_NOT_KNOWN ? g->got : g->came))
        r->fetched = UINT64_MAX;
    r->kept += g->kept ? g->got : 0;
}

/* A shorter or longer answer than the file's size allows is a change, too. */
NUMEL_MUST static bool take_range(struct mirroring *m, struct remote_file *f, numel_range *g)
{
    g->etag[sizeof g->etag - 1] = 0;
    bool same = !f->read || strcmp(f->etag, g->etag) == 0;
    bool sized = g->whole == NUMEL_NOT_KNOWN || f->bytes == NUMEL_NOT_KNOWN || g->whole == f->bytes;
    if (g->got > g->length || !same || !sized)
        return error_set(m->error, NUMEL_E_CHANGED, NUMEL_NOWHERE,
                         same ? "has %" PRIu64 " bytes, the listing says %" PRIu64
                              : "changed while it was being read: %" PRIu64 " of %" PRIu64
                                " bytes had been read",
                         same ? g->whole : f->have, f->bytes);
    if (g->whole != NUMEL_NOT_KNOWN) f->bytes = g->whole;
    if (g->got < g->length && f->bytes != NUMEL_NOT_KNOWN && f->ask_at + g->got < f->bytes)
        return error_set(m->error, NUMEL_E_CHANGED, f->ask_at,
                         "%" PRIu64 " bytes came, %" PRIu64 " were asked for", g->got, g->length);
    memcpy(f->etag, g->etag, sizeof f->etag);
    if (f->ask_at == f->have) f->have += g->got;
    else f->pieces[f->count++].n = g->got;
    count(m->r, f, g);
    f->read = true;
    return true;
}

NUMEL_MUST static uint8_t *room_of_front(struct mirroring *m, struct remote_file *f, uint64_t end)
{
    uint8_t *room = memory_resize(m->r->arena.memory, f->front, (size_t)end + 1);
    if (!room) return error_nomem(m->error), NULL;
    f->front = room;
    return room + f->have;
}

NUMEL_MUST static uint8_t *room_of_piece(struct mirroring *m, struct remote_file *f, uint64_t bytes)
{
    struct source_piece *grown = arena_grow(&m->r->arena, f->pieces, f->count, &f->cap, sizeof *grown);
    uint8_t *room = grown ? arena_alloc(&m->r->arena, (size_t)bytes + 1) : NULL;
    if (!room) return error_nomem(m->error), NULL;
    f->pieces = grown;
    f->pieces[f->count] = (struct source_piece){ .p = room, .at = f->ask_at };
    return room;
}

NUMEL_MUST static bool ask_range(struct mirroring *m, struct remote_file *f, numel_range *g)
{
    uint64_t at = f->ask_at, end = at + f->ask;
    if (f->bytes != NUMEL_NOT_KNOWN) end = num_min(end, f->bytes);
    uint8_t *place = at == f->have ? room_of_front(m, f, end) : room_of_piece(m, f, num_left(end, at));
    if (!place) return false;
    *g = (numel_range){ .size = sizeof *g,
                        .url = f->url,
                        .pin = f->read && f->etag[0] ? f->etag : NULL,
                        .bytes = place,
                        .offset = at,
                        .length = num_left(end, at),
                        .whole = NUMEL_NOT_KNOWN,
                        .came = NUMEL_NOT_KNOWN };
    return true;
}

/* The error is about that file, by the name that people see. */
static void blame(struct mirroring *m, const struct remote_file *f)
{
    const char *path = path_join(&m->r->arena, m->r->root, f->path);
    m->error->file[0] = 0;
    if (path) error_file(m->error, path);
}

/* Reads what each file asks for, all at once. */
NUMEL_MUST static bool read_round(struct mirroring *m)
{
    struct remote *r = m->r;
    size_t n = 0, k = 0;
    bool ok = true;
    for (size_t i = 0; i < r->count; i++) n += r->files[i].ask != 0;
    numel_range *ranges = n ? memory_resize(r->arena.memory, NULL, n * sizeof *ranges) : NULL;
    if (!ranges) return !n || error_nomem(m->error);
    for (size_t i = 0; ok && i < r->count; i++)
        if (r->files[i].ask) ok = ask_range(m, &r->files[i], &ranges[k++]);
    if (ok && m->options->read(m->options->remote_ctx, ranges, n, m->error) != NUMEL_OK)
        ok = error_set(m->error, NUMEL_E_IO, NUMEL_NOWHERE, "cannot be read"); /* unless it said why */
    for (size_t i = 0; !ok && i < r->count; i++)
        if (strcmp(m->error->file, r->files[i].url) == 0) blame(m, &r->files[i]);
    k = 0;
    for (size_t i = 0; ok && i < r->count; i++) {
        struct remote_file *f = &r->files[i];
        if (!f->ask) continue;
        f->ask = 0;
        ok = take_range(m, f, &ranges[k++]);
        if (!ok) blame(m, f);
    }
    memory_release(r->arena.memory, ranges);
    return ok;
}

/* ---- writing -------------------------------------------------------------------------------- */

NUMEL_MUST static bool put(struct mirroring *m, const struct remote_file *f, const void *p, size_t n)
{
    return target_put(&m->target, f->path, p, n, m->error);
}

/* The front and the pieces, in a file of the whole size. */
NUMEL_MUST static bool put_pieces(struct mirroring *m, struct remote_file *f)
{
    char *path = path_join(&m->r->arena, m->r->root, f->path);
    struct source_piece *grown = arena_grow(&m->r->arena, f->pieces, f->count, &f->cap, sizeof *grown);
    if (!path || !grown) return error_nomem(m->error);
    f->pieces = grown;
    f->pieces[f->count++] = (struct source_piece){ .p = f->front, .n = f->have };
    (void)path_make_folders(path, 0700);
    return private_sparse(path, f->bytes, f->pieces, f->count, m->error);
}

/* The header as a copy; a front that is none, as far as it was read, for its reader to say why. */
NUMEL_MUST static bool put_head(struct mirroring *m, const struct remote_file *f)
{
    struct buffer out;
    buffer_init(&out, m->r->arena.memory);
    uint64_t whole = f->bytes == NUMEL_NOT_KNOWN ? f->have : f->bytes;
    bool ok = zstd_write_quick(&out, f->front, (size_t)f->head, whole, m->error) && put(m, f, out.p, out.n);
    buffer_done(&out);
    return ok;
}

/* Writes the files that were read, and frees their bytes. */
NUMEL_MUST static bool put_read(struct mirroring *m)
{
    for (size_t i = 0; i < m->r->count; i++) {
        struct remote_file *f = &m->r->files[i];
        if (!f->front) continue;
        bool ok = f->want != WANT_HEAD ? put(m, f, f->front, (size_t)f->have)
                  : f->scattered       ? put_pieces(m, f)
                                       : put_head(m, f);
        if (!ok) return false;
        memory_release(m->r->arena.memory, f->front);
        f->front = NULL;
    }
    return true;
}

/* Names the files that were not read, with their sizes. */
NUMEL_MUST static bool put_sizes(struct mirroring *m)
{
    for (size_t i = 0; i < m->r->count; i++) {
        const struct remote_file *f = &m->r->files[i];
        if (f->want != WANT_SIZE) continue;
        char *path = path_join(&m->r->arena, m->r->root, f->path);
        if (!path) return error_nomem(m->error);
        (void)path_make_folders(path, 0700);
        private_promise(path, f->bytes == NUMEL_NOT_KNOWN ? 0 : f->bytes);
    }
    return true;
}

/* ---- rounds --------------------------------------------------------------------------------- */

NUMEL_MUST static bool read_small(struct mirroring *m)
{
    for (size_t i = 0; i < m->r->count; i++) {
        struct remote_file *f = &m->r->files[i];
        if (f->want != WANT_WHOLE) continue;
        f->ask = f->bytes == NUMEL_NOT_KNOWN ? SMALL : f->bytes;
        if (!f->ask && !(f->front = memory_resize(m->r->arena.memory, NULL, 1))) return error_nomem(m->error);
    }
    return read_round(m) && put_read(m);
}

/* What an index's names suggest for the header of each of its shards. */
NUMEL_MUST static uint64_t *fronts_of(const struct shard_index *x, struct arena *a)
{
    uint64_t *bytes = arena_zeroed(a, (x->shard_count + 1) * sizeof *bytes);
    for (size_t i = 0; bytes && i < x->tensor_count; i++)
        bytes[x->tensors[i].shard] += x->tensors[i].name.n + ENTRY;
    return bytes;
}

/* Sizes the fronts of the shards in the folder of an index. */
NUMEL_MUST static bool ask_shards(struct mirroring *m, const struct shard_index *x, numel_str folder)
{
    const uint64_t *bytes = fronts_of(x, &m->r->arena);
    if (!bytes) return error_nomem(m->error);
    for (size_t i = 0; i < m->r->count; i++) {
        struct remote_file *f = &m->r->files[i];
        numel_str own = f->path, name = path_base(f->path.p);
        if (f->want != WANT_HEAD || !text_same(text_less(own, name.n), folder)) continue;
        uint32_t at = names_find(&x->by_shard, x->shards, name);
        if (at != NAMES_ABSENT) f->ask = num_max(FRONT_LEAST, num_min(bytes[at], FRONT_MOST));
    }
    return true;
}

NUMEL_MUST static bool ask_by_index(struct mirroring *m, const struct remote_file *index)
{
    struct index_at_hand x;
    numel_error ignored;
    char *path = path_join(&m->r->arena, m->r->root, index->path);
    error_clear(&ignored);
    if (!path) return error_nomem(m->error);
    if (!find_take_up(&x, path, m->r->arena.memory, &ignored)) /* its reader will say why */
        return ignored.code != NUMEL_E_NOMEM || error_nomem(m->error);
    bool ok = ask_shards(m, &x.x, text_less(index->path, path_base(index->path.p).n));
    find_put_away(&x);
    return ok;
}

/* How much more of each header is needed. */
NUMEL_MUST static bool ask_more(struct mirroring *m, bool *more)
{
    *more = false;
    for (size_t i = 0; i < m->r->count; i++) {
        struct remote_file *f = &m->r->files[i];
        if (f->want != WANT_HEAD || !f->front || f->head) continue;
        struct remote_head h = { f->front, f->have, f->bytes, .pieces = f->pieces, .piece_count = f->count };
        if (!remote_head_read(&h, m->options, m->error)) return false;
        f->ask_at = h.at;
        f->ask = num_min(h.need, ASK_MOST);
        f->scattered = h.scattered && f->bytes != NUMEL_NOT_KNOWN;
        if (!h.need) f->head = h.bytes;
        *more |= f->ask != 0;
    }
    return true;
}

NUMEL_MUST static bool read_heads(struct mirroring *m)
{
    bool more = true;
    for (size_t i = 0; i < m->r->count; i++)
        if (m->r->files[i].want == WANT_HEAD) m->r->files[i].ask = FRONT;
    for (size_t i = 0; i < m->r->count; i++) {
        const struct remote_file *f = &m->r->files[i];
        if (f->want == WANT_WHOLE && name_is_index(path_base(f->path.p)) && !ask_by_index(m, f)) return false;
    }
    for (unsigned i = 0; more && i < ROUNDS; i++)
        if (!read_round(m) || !ask_more(m, &more)) return false;
    return put_read(m);
}

/* ---- a comparison --------------------------------------------------------------------------- */

struct comparing {
    const struct remote_url *url;
    struct listing *listing;
    struct arena *arena;
    numel_error *error;
};

/* Takes the files that are the URL's, by their paths below it. */
NUMEL_MUST static bool take_listed(void *ctx, const char *commit, const numel_remote_file *f)
{
    const struct comparing *c = ctx;
    (void)commit;
    if (!f) return true;
    numel_str path = text_of(c->url->hub ? f->path : c->url->path.p), below = path, part = c->url->path;
    if (!naming_is_inside(path)) return true;
    if (part.n && text_same(path, part)) below = path_base(path.p);
    else if (part.n && !(text_take_start(&below, part.p) && text_take_start(&below, "/"))) return true;
    const struct listed_file one = { .path = below,
                                     .bytes = f->bytes,
                                     .has_bytes = f->bytes != NUMEL_NOT_KNOWN,
                                     .sha256 = f->sha256,
                                     .blob =
                                         f->sha256 || !f->etag || strlen(f->etag) != 40 ? NULL : f->etag };
    return listing_add(c->listing, &one, c->arena, c->error);
}

NUMEL_MUST static bool may_ask(const numel_options *options, numel_error *e)
{
    return (options->read && options->list) ||
           error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                     "is on another machine: only a program that sets numel_options.read and .list reads it");
}

bool remote_listing(struct listing *p, const char *path, const char *root, const numel_options *options,
                    struct arena *a, numel_error *e)
{
    struct remote_url url;
    const struct comparing c = { &url, p, a, e };
    numel_error said;
    error_clear(&said);
    if (!remote_is(path))
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                  "is not the address of a published model: hf://ORG/NAME[@REVISION]");
    bool ok = error_free(e) && remote_parse(&url, path, options, a, e) && may_ask(options, e) &&
              listing_begin(p, path, root, a, e);
    if (ok &&
        options->list(options->remote_ctx, url.request.p, take_listed, (void *)(uintptr_t)&c, &said) !=
            NUMEL_OK &&
        error_free(e))
        *e = said;
    if (error_free(e) && !p->count) error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "no such file in the repository");
    error_file(e, path);
    return error_free(e);
}

/* ---- the whole ------------------------------------------------------------------------------ */

NUMEL_MUST static bool settle(struct mirroring *m)
{
    struct remote *r = m->r;
    bool there = !m->url->path.n;
    for (size_t i = 0; i < r->count; i++)
        r->files[i].want = wanted_of(m, r->files[i].path, r->files[i].bytes);
    if (!r->count) return error_set(m->error, NUMEL_E_IO, NUMEL_NOWHERE, "the repository has no files");
    for (size_t i = 0; i < r->count && !there; i++) there = is_asked(m->url, r->files[i].path);
    if (!there) return error_set(m->error, NUMEL_E_IO, NUMEL_NOWHERE, "no such file in the repository");
    r->path = m->url->path.n ? path_join(&r->arena, r->root, m->url->path) : r->root;
    return r->path || error_nomem(m->error);
}

static const char *temporary(const numel_options *o)
{
    return private_base(o->environment ? o->environment(o->environment_ctx, "TMPDIR") : NULL);
}

void numel_sweep(const numel_options *options)
{
    numel_options own;
    numel_error ignored;
    if (border_options(&own, options, &ignored)) private_sweep(temporary(&own));
}

NUMEL_MUST static bool mirror(struct mirroring *m)
{
    struct remote *r = m->r;
    if (!private_open(&r->folder, temporary(m->options), m->error)) return false;
    r->root = arena_format(&r->arena, "%s/%s", r->folder.path, m->url->name.p);
    if (!r->root) return error_nomem(m->error);
    target_init(&m->target, r->root, false, r->arena.memory);
    names_init(&m->folders, r->arena.memory, sizeof *m->with_weights);
    bool ok = list(m) && settle(m) && read_small(m) && read_heads(m) && put_sizes(m);
    target_done(&m->target);
    names_done(&m->folders);
    memory_release(r->arena.memory, m->with_weights);
    for (size_t i = 0; i < r->count; i++) memory_release(r->arena.memory, r->files[i].front);
    return ok;
}

bool remote_open(struct remote **out, const char *path, const numel_options *options, numel_error *e)
{
    struct remote_url url;
    struct remote *r = memory_resize(options->allocator, NULL, sizeof *r);
    *out = NULL;
    if (!r) return error_nomem(e);
    *r = (struct remote){ .folder = { .descriptor = -1 } };
    arena_init(&r->arena, options->allocator);
    struct mirroring m = { .r = r, .url = &url, .options = options, .error = e };
    r->url = arena_text(&r->arena, path, strlen(path));
    bool ok = r->url ? remote_parse(&url, path, options, &r->arena, e) && may_ask(options, e) && mirror(&m)
                     : error_nomem(e);
    ok = ok && (!options->save || remote_save(r, options, e));
    error_file(e, path);
    if (ok) *out = r;
    else remote_close(r);
    return ok;
}

bool remote_add(struct remote **list, const char *url, const numel_options *options, numel_error *e)
{
    struct remote *r;
    if (!remote_open(&r, url, options, e)) return false;
    r->next = *list;
    *list = r;
    return true;
}

void remote_close(struct remote *r)
{
    while (r) {
        struct remote *next = r->next;
        const numel_allocator *m = r->arena.memory;
        private_close(&r->folder);
        arena_done(&r->arena);
        memory_release(m, r);
        r = next;
    }
}

bool remote_refuse(const char *path, const char *what, numel_error *e)
{
    error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
              "is on another machine: %s reads all data, and of remote files only headers are read; download "
              "it first",
              what);
    error_file(e, path);
    return false;
}
