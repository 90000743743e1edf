/*
 * find.c -- resolves a path; from small to large: names, one set, a directory, a path.
 */
#include "reader/find_internal.h"
#include "reader/remote.h"

#include "base/border.h"
#include "base/num.h"
#include "base/text.h"
#include "reader/reader.h"
#include "source/pipe.h"
#include "source/source.h"

#include <limits.h>
#include <string.h>

/* ---- names -------------------------------------------------------------------------------- */

numel_str plain_name(numel_str name)
{
    if (!text_take_end(&name, ".head.zst")) text_take_end(&name, ".zst");
    return name;
}

/* Reads the digits before `end`: their value and count. False unless there are 5 or 6, as all writers
 * write. */
static bool digits_before(numel_str s, size_t end, uint64_t *value, size_t *digits)
{
    size_t i = end;
    *value = 0;
    while (i > 0 && s.p[i - 1] >= '0' && s.p[i - 1] <= '9') i--;
    *digits = end - i;
    for (; i < end && *digits <= 6; i++) *value = *value * 10 + (uint64_t)(s.p[i] - '0');
    return *digits == 5 || *digits == 6;
}

/* The rank before "-model-", as torch.distributed.checkpoint writes it: the files of all ranks are one
 * family. */
static void parse_rank(struct shard_name *n)
{
    static const char front[] = "shard-", behind[] = "-model-";
    numel_str p = n->prefix;
    size_t digits;
    n->rank = 0;
    if (!text_starts(p, front) || !text_ends(p, behind)) return;
    size_t end = text_less(p, sizeof behind - 1).n;
    if (!digits_before(p, end, &n->rank, &digits) || end != digits + sizeof front - 1) n->rank = 0;
    if (n->rank) n->prefix = text_of("shard-*-model-");
}

/* Parses the name up to `end`, where the suffix begins. */
static bool parse_numbers(numel_str name, size_t end, struct shard_name *out)
{
    if (!digits_before(name, end, &out->total, &out->total_digits)) return false;
    numel_str front = text_less(text_upto(name, end), out->total_digits);
    if (!text_take_end(&front, "-of-")) return false;
    size_t of = front.n;
    if (!digits_before(name, of, &out->number, &out->number_digits)) return false;
    out->prefix = text_less(text_upto(name, of), out->number_digits);
    out->suffix = text_from(name, end);
    parse_rank(out);
    return out->number > 0 && out->number <= out->total;
}

bool shard_name_parse(numel_str name, struct shard_name *out)
{
    size_t end = text_less(text_head(name, '.'), 1).n;
    if (end == 0) return false;
    if (parse_numbers(name, end, out)) return true;
    end = text_less(text_head(text_upto(name, end), '.'), 1).n;
    return end > 0 && parse_numbers(name, end, out);
}

bool path_is_shard(const char *path)
{
    struct shard_name shard;
    return shard_name_parse(plain_name(path_base(path)), &shard);
}

bool name_is_weights(numel_str name)
{
    name = plain_name(name);
    return text_ends(name, ".safetensors") || text_ends(name, ".gguf");
}

bool name_is_pytorch(numel_str name)
{
    static const char weights[] = "*.bin *.pt *.pth *.ckpt",
                      others[] =
                          "training_args.bin optimizer*.bin optimizer*.pt *_optim_states.pt scheduler*.bin "
                          "scheduler*.pt scaler*.pt sampler*.bin rng_state*.pth ggml*.bin";
    return text_globs(text_of(weights), name) && !text_globs(text_of(others), name);
}

bool folder_has_weights(const struct folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (!f->entries[i].directory && name_is_weights(f->entries[i].name)) return true;
    return false;
}

/* ---- one set ------------------------------------------------------------------------------ */

struct found_set *find_add_set(struct finding_sets *g, enum found_kind kind, const char *path,
                               const char *dir)
{
    struct numel_found *f = g->found;
    if (!memory_grow(f->arena.memory, &f->sets, &f->cap, f->count + 1, sizeof *f->sets, g->error))
        return NULL;
    f->sets[f->count] =
        (struct found_set){ .kind = kind, .path = path, .dir = dir, .place = g->place, .beside = g->folder };
    return &f->sets[f->count++];
}

bool find_add_file(struct finding_sets *g, struct found_set *s, numel_str name, const char *path)
{
    if (!memory_grow(g->arena->memory, &s->files, &s->cap, s->count + 1, sizeof *s->files, g->error))
        return false;
    s->files[s->count++] = (struct found_file){ .name = name, .path = path };
    return true;
}

static bool add_single(struct finding_sets *g, const char *path, const char *dir, numel_str name)
{
    struct found_set *s = find_add_set(g, FOUND_FILE, path, dir);
    return s && find_add_file(g, s, name, path);
}

/* ---- a directory -------------------------------------------------------------------------- */

/* Marks the files of a set, so that they are not listed again by themselves. */
struct sorting {
    struct finding_sets *g;
    const struct folder *f;
    const char *dir, *heading;
    bool *taken;
};

void find_take(const struct folder *f, numel_str name, const char *end, bool *taken)
{
    char text[PATH_MAX];
    numel_str full = text_join(text, sizeof text, name, text_of(end), text_of(""));
    uint32_t at = full.p ? names_find(&f->names, f->entries, full) : NAMES_ABSENT;
    if (at != NAMES_ABSENT) taken[at] = true;
}

NUMEL_MUST static bool sort_indexes(struct sorting *t)
{
    for (size_t i = 0; i < t->f->count; i++) {
        struct index_at_hand index;
        const struct shard_index *x = &index.x;
        numel_error ignored;
        numel_str name = t->f->entries[i].name;
        if (t->f->entries[i].directory || !name_is_index(name)) continue;
        t->taken[i] = true;
        char *path = path_join(t->g->arena, t->dir, name);
        if (!path) return error_nomem(t->g->error);
        error_clear(&ignored);
        if (!find_take_up(&index, path, t->g->arena->memory, &ignored)) {
            if (ignored.code == NUMEL_E_NOMEM) return error_nomem(t->g->error);
            if (!add_single(t->g, path, t->dir, name)) return false; /* opening it reports why */
            t->g->found->sets[t->g->found->count - 1].index = path;
            continue;
        }
        bool pytorch = x->shard_count && name_is_pytorch(plain_name(x->shards[0].name));
        bool ok = pytorch != t->g->pytorch || find_add_index_set(t->g, path, t->dir, t->f, x);
        for (size_t k = 0; k < x->shard_count; k++)
            for (size_t end = 0; end < FIND_ENDS; end++)
                find_take(t->f, x->shards[k].name, find_ends[end], t->taken);
        find_put_away(&index);
        if (!ok) return false;
    }
    return true;
}

static bool probe_pytorch(void *ctx)
{
    struct source *s = ctx;
    return reader_pytorch.probe(s->base, s->size);
}

static bool probe_body(void *ctx)
{
    struct source *s = ctx;
    return reader_gguf.probe(s->base, s->size) ||
           (s->size > 8 && s->base[8] == '{' && reader_safetensors.probe(s->base, s->size));
}

/* Does it begin like weights? One that shrinks meanwhile does: opening it reports the reason. */
static bool is_probed(const struct sorting *t, numel_str name, bool (*body)(void *))
{
    struct source s;
    numel_error ignored;
    char *path = path_join(t->g->arena, t->dir, name);
    error_clear(&ignored);
    if (!path || !source_open(&s, path, t->g->options->no_guard, t->g->arena->memory, &ignored)) {
        if (path && ignored.code == NUMEL_E_NOMEM) error_nomem(t->g->error);
        return false;
    }
    bool is = source_run(&s, body, &s, &ignored);
    source_close(&s);
    return is || ignored.code == NUMEL_E_CHANGED;
}

/* By content, since other programs use the suffix as well. Under a name that only PyTorch's has, also what never
 * arrived, but not other weights. */
static bool is_pytorch(const struct sorting *t, numel_str name)
{
    static const char usual[] = "pytorch_model*.bin diffusion_pytorch_model*.bin adapter_model*.bin "
                                "consolidated*.pth";
    if (!name_is_pytorch(name)) return false;
    return is_probed(t, name, probe_pytorch) ||
           (text_globs(text_of(usual), name) && !is_probed(t, name, probe_body));
}

/* Files without a known suffix (blobs named by their hash) are probed. */
static bool is_candidate(const struct sorting *t, size_t i)
{
    numel_str name = t->f->entries[i].name, plain = plain_name(name);
    if (t->taken[i] || t->f->entries[i].directory) return false;
    if (t->g->pytorch) return is_pytorch(t, name);
    if (plain.n < name.n && folder_has(t->f, plain)) return false; /* the file itself is here */
    return name_is_weights(name) ||
           (!memchr(name.p, '.', name.n) && name.n >= 32 && is_probed(t, name, probe_body));
}

NUMEL_MUST static bool sort_singles(struct sorting *t)
{
    for (size_t i = 0; i < t->f->count; i++) {
        if (!is_candidate(t, i)) continue;
        char *path = path_join(t->g->arena, t->dir, t->f->entries[i].name);
        if (!path) return error_nomem(t->g->error);
        if (!add_single(t->g, path, t->dir, t->f->entries[i].name)) return false;
    }
    return true;
}

/* All sets of the folder itself: of safetensors and GGUF, or of PyTorch. */
NUMEL_MUST static bool sort_sets(struct sorting *t, bool pytorch)
{
    t->g->pytorch = pytorch;
    return sort_indexes(t) && find_add_patterns(t->g, t->dir, t->f, t->taken) && sort_singles(t);
}

/* A single checkpoint is headed by its directory's name. */
static void head_by_directory(struct sorting *t, size_t first)
{
    struct numel_found *f = t->g->found;
    if (f->count == first + 1 && f->sets[first].kind != FOUND_FILE) f->sets[first].path = t->heading;
}

/* Searches one of its subfolders. */
NUMEL_MUST static bool find_below_one(struct sorting *t, numel_str name, enum find_depth depth)
{
    const char *place = t->g->place;
    char *path = path_join(t->g->arena, t->dir, name);
    t->g->place = place[0] ? path_join(t->g->arena, place, name) : name.p;
    if (!path || !t->g->place) return error_nomem(t->g->error);
    bool ok = find_in(t->g, path, path, depth);
    t->g->place = place;
    return ok;
}

/* Searches all its subfolders. */
NUMEL_MUST static bool find_below(struct sorting *t, enum find_depth depth)
{
    for (size_t i = 0; i < t->f->count; i++) {
        const struct folder_entry *x = &t->f->entries[i];
        if (x->directory && x->name.p[0] != '.' && !find_below_one(t, x->name, depth)) return false;
    }
    return true;
}

struct found_folder {
    struct folder f;
    struct found_folder *next;
};

/* The folder's contents, shared by all sets found in it and kept with them: NULL if it cannot be listed. */
NUMEL_MUST static const struct folder *list(struct finding_sets *g, const char *dir, numel_error *e)
{
    struct found_folder *new = arena_alloc(g->arena, sizeof *new);
    g->folder = NULL;
    if (!new) error_nomem(e);
    if (!new || !folder_list(&new->f, dir, g->arena, e)) return NULL;
    new->next = g->found->folders;
    g->found->folders = new;
    return g->folder = &new->f;
}

/* Searches for modules in other modules' folders. */
NUMEL_MUST static bool find_routes(struct sorting *t, const struct found_pipeline *p)
{
    for (size_t i = 0; i < p->count; i++) {
        numel_str below = text_of(p->items[i].place);
        char *path = memchr(below.p, '/', below.n) ? path_join(t->g->arena, t->dir, below) : NULL;
        if (t->g->arena->failed) return error_nomem(t->g->error);
        if (path && path_kind(path) == PATH_DIRECTORY && !find_below_one(t, below, FIND_PART)) return false;
    }
    return true;
}

/* Searches for further models in the folder, or, if it has no sets, in everything below. */
NUMEL_MUST static bool find_others(struct sorting *t, size_t first, enum find_depth depth)
{
    struct found_pipeline *p;
    const char *const *places;
    size_t count;
    if (!find_submodels(t->g, t->dir, t->f, first, &p, &places, &count)) return false;
    if (!p) return depth == FIND_HERE || t->g->found->count > first || find_below(t, FIND_HERE);
    for (size_t i = 0; i < count; i++)
        if (!find_below_one(t, text_of(places[i]), FIND_PART)) return false;
    find_pipeline_sets(t->g, p);
    return true;
}

/* Searches the rest of a folder whose own sets start at `first`. */
NUMEL_MUST static bool find_more(struct sorting *t, size_t first, enum find_depth depth)
{
    struct found_pipeline *p;
    if (depth == FIND_PART) return true;
    if (!find_pipeline(t->g, t->dir, t->f, &p)) return false;
    if (!p) return find_others(t, first, depth);
    if (p->modules) p->first = first; /* else weights next to the index are not components */
    if (!find_below(t, FIND_PART) || !find_routes(t, p)) return false;
    if (t->g->found->count == p->first) t->g->lacking = p;
    if (p->count || p->why) find_pipeline_sets(t->g, p); /* an empty index does not make them a model */
    return true;
}

bool find_in(struct finding_sets *g, const char *dir, const char *heading, enum find_depth depth)
{
    struct sorting t = { .g = g, .dir = dir, .heading = heading };
    size_t first = g->found->count;
    t.f = list(g, dir, g->error);
    if (!t.f) {
        error_file(g->error, dir);
        return false;
    }
    if (ollama_root(t.f)) return find_add_ollama(g, dir, "");
    if (depth == FIND_ROOT && hub_holds_repositories(t.f)) return find_add_hub(g, dir, t.f);
    t.taken = arena_zeroed(g->arena, t.f->count + 1);
    if (!t.taken) return error_nomem(g->error);
    if (!sort_sets(&t, false) || (g->found->count == first && !sort_sets(&t, true))) return false;
    if (!find_add_unfinished(g, dir, t.f, t.taken, first)) return false;
    head_by_directory(&t, first);
    if (depth != FIND_PART && g->found->count > first) g->found->sets[first].heads = true;
    if (depth == FIND_ROOT && g->found->count == first && text_equal(path_base(dir), "models"))
        return find_add_models(g, dir);
    return find_more(&t, first, depth);
}

/* Searches one level deeper: split_files/vae of a repackaged model. */
NUMEL_MUST static bool find_deeper(struct finding_sets *g, const char *dir)
{
    struct sorting t = { .g = g, .dir = dir, .heading = dir };
    t.f = list(g, dir, g->error);
    return t.f && find_below(&t, FIND_BELOW);
}

/* ---- a path ------------------------------------------------------------------------------- */

/* The set of a file: an index next to it that names it, else its name's pattern, else the file alone. */
NUMEL_MUST static bool find_by_index(struct finding_sets *g, const char *dir, const struct folder *f,
                                     numel_str name, bool *done)
{
    for (size_t i = 0; i < f->count && !*done; i++) {
        struct index_at_hand index;
        const struct shard_index *x = &index.x;
        numel_error ignored;
        if (f->entries[i].directory || !name_is_index(f->entries[i].name)) continue;
        char *path = path_join(g->arena, dir, f->entries[i].name);
        if (!path) return error_nomem(g->error);
        error_clear(&ignored);
        if (!find_take_up(&index, path, g->arena->memory, &ignored)) {
            if (ignored.code == NUMEL_E_NOMEM) return error_nomem(g->error);
            continue;
        }
        bool ok = true;
        if (names_find(&x->by_shard, x->shards, name) != NAMES_ABSENT) {
            *done = true;
            ok = find_add_index_set(g, path, dir, f, x);
        }
        find_put_away(&index);
        if (!ok) return false;
    }
    return true;
}

NUMEL_MUST static bool find_file(struct finding_sets *g, const char *path)
{
    struct shard_name n;
    numel_error ignored;
    numel_str base = path_base(path), name = plain_name(base);
    char *dir = path_directory(g->arena, path);
    bool done = false, ok = true;
    if (!dir) return error_nomem(g->error);
    error_clear(&ignored);
    const struct folder *f = list(g, dir, &ignored);
    if (!f) {
        if (ignored.code == NUMEL_E_NOMEM) return error_nomem(g->error);
        return add_single(g, path, dir, base);
    }
    g->pytorch = name_is_pytorch(base);
    if (name_is_weights(base) || g->pytorch) {
        ok = find_by_index(g, dir, f, name, &done);
        if (ok && !done && shard_name_parse(name, &n)) ok = find_add_pattern(g, dir, f, &n, path, &done);
    }
    return ok && (done || add_single(g, path, dir, base));
}

NUMEL_MUST static bool find_index(struct finding_sets *g, const char *path)
{
    struct index_at_hand index;
    char *dir = path_directory(g->arena, path);
    if (!dir) return error_nomem(g->error);
    if (!find_take_up(&index, path, g->arena->memory, g->error)) return false;
    const struct folder *f = list(g, dir, g->error);
    bool ok = f && find_add_index_set(g, path, dir, f, &index.x);
    find_put_away(&index);
    return ok;
}

NUMEL_MUST static bool find_directory(struct finding_sets *g, const char *path)
{
    const char *snapshot = hub_snapshot(g->arena, path);
    bool repository = !snapshot && text_starts(path_base(path), "models--");
    if (repository && !find_add_downloads(g, path, path)) return false;
    if (g->found->count) return true;
    if (!find_in(g, snapshot ? snapshot : path, path, snapshot ? FIND_BELOW : FIND_ROOT)) return false;
    const char *models = g->found->count ? NULL : path_join(g->arena, path, text_of("models"));
    if (models && path_kind(models) == PATH_DIRECTORY && !find_in(g, models, models, FIND_ROOT)) return false;
    if (!g->found->count && !find_add_downloads(g, snapshot ? snapshot : path, path)) return false;
    const char *folder = snapshot ? snapshot : path;
    if (!g->found->count && !g->lacking && !find_deeper(g, folder)) return false;
    return g->found->count || find_nothing(g, folder, path);
}

NUMEL_MUST static bool find_place(struct finding_sets *g, const char *path)
{
    enum path_kind kind = path_kind(path);
    const char *models, *below;
    bool piped = g->pipes && (kind == PATH_OTHER || strcmp(path, "-") == 0);
    if (piped && !find_piped(g, path, &piped)) return false;
    if (piped) return true;
    if ((kind == PATH_DIRECTORY || kind == PATH_FILE) && ollama_below(g->arena, path, &models, &below))
        return find_add_ollama(g, models, below);
    if (kind == PATH_DIRECTORY) return find_directory(g, path);
    if (kind == PATH_FILE && name_is_index(path_base(path))) return find_index(g, path);
    if (kind == PATH_FILE) return find_file(g, path);
    return add_single(g, path, ".", path_base(path)); /* opening it reports the error */
}

/* Makes header-only copies, which live as long as what was found. */
NUMEL_MUST static bool find_remote(struct finding_sets *g, const char *url)
{
    struct numel_found *f = g->found;
    if (!remote_open(&f->remote, url, g->options, g->error) || !find_place(g, f->remote->path)) return false;
    for (size_t i = 0; i < f->count; i++) f->sets[i].remote = f->remote;
    return true;
}

/* An existing path is a path; any other may be the name of a model. */
NUMEL_MUST static bool find_any(struct finding_sets *g, const char *path)
{
    const char *at;
    if (remote_is(path) && path_kind(path) == PATH_ABSENT) return find_remote(g, path);
    if (!find_named(g->arena, g->options, path, &at, g->error)) return false;
    g->found->nowhere = path_kind(at ? at : path) == PATH_ABSENT;
    return find_place(g, at ? at : path) && hub_name_sets(g);
}

NUMEL_MUST static bool find_alone(struct finding_sets *g, const char *path)
{
    return find_in(g, path, path, FIND_HERE) && hub_name_sets(g);
}

/* `pipes`: the path may be a pipe, which a path read from a file may not. */
NUMEL_MUST static bool find_by(numel_found **out, const char *path, const numel_options *options, bool pipes,
                               bool (*find)(struct finding_sets *, const char *), numel_error *e)
{
    const numel_allocator *m = options->allocator;
    struct numel_found *f = memory_resize(m, NULL, sizeof *f);
    *out = NULL;
    if (!f) return error_nomem(e);
    *f = (struct numel_found){ 0 };
    arena_init(&f->arena, m);
    struct finding_sets g = {
        .found = f, .arena = &f->arena, .error = e, .place = "", .options = options, .pipes = pipes
    };
    char *own = arena_text(&f->arena, path, strlen(path));
    bool found = own ? find(&g, own) : error_nomem(e);
    if (f->arena.failed) error_nomem(e); /* some helpers can only answer "no" */
    if (found && error_free(e)) *out = f;
    else numel_found_free(f);
    error_file(e, path);
    return *out != NULL;
}

numel_rc numel_find(numel_found **out, const char *path, const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    error_clear(e);
    *out = NULL;
    return border_options(&own, options, e) && find_by(out, path, &own, true, find_any, e) ? NUMEL_OK
                                                                                           : e->code;
}

bool find_path(numel_found **out, const char *path, const numel_options *options, numel_error *e)
{
    return find_by(out, path, options, false, find_any, e);
}

bool find_folder(numel_found **out, const char *dir, const numel_options *options, numel_error *e)
{
    return find_by(out, dir, options, false, find_alone, e);
}

const struct folder *found_folder(const numel_found *f)
{
    const struct found_folder *p = f->folders;
    while (p && p->next) p = p->next;
    return p ? &p->f : NULL;
}

bool found_all(const numel_found *f) { return found_folder(f) && ollama_root(found_folder(f)); }

size_t numel_found_count(const numel_found *f) { return f->count; }
const char *numel_found_path(const numel_found *f, size_t i) { return path_shown(f->sets[i].path); }

void numel_found_free(numel_found *f)
{
    if (!f) return;
    const numel_allocator *m = f->arena.memory;
    for (size_t i = 0; i < f->count; i++) {
        memory_release(m, f->sets[i].files);
        if (f->sets[i].pipe) pipe_close(f->sets[i].pipe);
    }
    for (struct found_folder *p = f->folders; p; p = p->next) folder_done(&p->f);
    remote_close(f->remote);
    memory_release(m, f->sets);
    arena_done(&f->arena);
    memory_release(m, f);
}
