/*
 * find_ollama.c -- the models folder of Ollama.
 *
 *     manifests/HOST/NAMESPACE/MODEL/TAG   JSON: { "config": BLOB, "layers": [ BLOB, ... ] }
 *     blobs/sha256-HEX                     BLOB: { "mediaType", "digest": "sha256:HEX", "size", "name" }
 *
 * A layer that is a model, a projector or an adapter is a separate checkpoint, as it would be a separate
 * file elsewhere; layers with one tensor each are the files of one checkpoint. A model's name is MODEL:TAG,
 * after NAMESPACE/ unless that is Ollama's own, and after HOST/ unless that is Ollama's.
 *
 * A manifest is untrusted text. A digest must be 64 digits, so that no blob is outside the folder; links to
 * manifest folders are not followed, so that none is entered twice.
 */
#include "reader/find_internal.h"

#include "base/json_doc.h"
#include "base/text.h"
#include "source/slurp.h"

#include <string.h>

enum { MANIFEST_MOST = 4 << 20, MANIFEST_DEPTH = 4 };

/* ---- location ----------------------------------------------------------------------------- */

NUMEL_MUST static bool has_folder(struct arena *a, const char *dir, const char *name)
{
    return path_in(a, dir, name, PATH_DIRECTORY) != NULL;
}

/* Moves *path one level up and prepends the cut part to *below. */
NUMEL_MUST static bool climb(struct arena *a, const char **path, const char **below)
{
    numel_str base = path_base(*path);
    const char *above = path_directory(a, *path);
    numel_str rest = arena_join(a, base, text_of((*below)[0] ? "/" : ""), text_of(*below));
    if (!above || !rest.p) return false;
    *path = above;
    *below = rest.p;
    return true;
}

bool ollama_root(const struct folder *f)
{
    static const char *const needs[] = { "manifests", "blobs" };
    for (size_t i = 0; i < 2; i++) {
        const struct folder_entry *x = folder_entry(f, text_of(needs[i]));
        if (!x || !x->directory) return false;
    }
    return true;
}

NUMEL_MUST static bool climb_to_models(struct arena *a, const char *at, const char **models,
                                       const char **below)
{
    *below = "";
    for (unsigned i = 0; i <= MANIFEST_DEPTH; i++) {
        bool is = text_equal(path_base(at), "manifests");
        if (is) *models = path_directory(a, at);
        if (is) return *models && has_folder(a, *models, "blobs");
        if (!climb(a, &at, below)) return false;
    }
    return false;
}

bool ollama_below(struct arena *a, const char *path, const char **models, const char **below)
{
    if (climb_to_models(a, path, models, below)) return true;
    const char *real = path[0] == '/' ? NULL : path_real(a, path);
    return real && climb_to_models(a, real, models, below);
}

/* ---- manifests ---------------------------------------------------------------------------- */

struct tag {
    struct finding_sets *g;
    const char *models, *blobs, *path, *name;
    size_t tensors;             /* index of the set of its layers with one tensor each; SIZE_MAX: none yet */
    struct found_layers others; /* layers without weights */
};

/* "sha256-HEX" from "sha256:HEX"; n is 0 if it is not one. */
NUMEL_MUST static numel_str blob_of(struct arena *a, const char *digest)
{
    size_t n = digest ? strlen(digest) : 0;
    if (n != 71 || memcmp(digest, "sha256", 6) != 0 || (digest[6] != ':' && digest[6] != '-'))
        return (numel_str){ "", 0 };
    for (size_t i = 7; i < n; i++)
        if (!strchr("0123456789abcdef", digest[i])) return (numel_str){ "", 0 };
    return arena_join(a, text_of("sha256-"), text_of(digest + 7), (numel_str){ "", 0 });
}

/* "model" from "application/vnd.ollama.image.model". */
NUMEL_MUST static const char *type_of(struct arena *a, const json_value *layer)
{
    const char *type = json_text_of(json_get(layer, "mediaType"));
    const char *dot = type ? strrchr(type, '.') : NULL;
    dot = dot ? dot + 1 : type ? type : "";
    return arena_text(a, dot, strlen(dot));
}

NUMEL_MUST static struct found_layer *layer_of(struct tag *t, const json_value *v, numel_str blob)
{
    struct arena *a = t->g->arena;
    const char *name = json_text_of(json_get(v, "name"));
    int64_t bytes = 0;
    const json_value *size = json_get(v, "size");
    struct found_layer *l = arena_alloc(a, sizeof *l);
    if (!l) return NULL;
    bool sized = size && json_integer(size, &bytes) && bytes >= 0;
    *l = (struct found_layer){ .name = text_of(""),
                               .model = t->name,
                               .bytes = sized ? (uint64_t)bytes : NUMEL_NOT_KNOWN };
    if (name) l->name = (numel_str){ arena_text(a, name, strlen(name)), strlen(name) };
    l->type = type_of(a, v);
    l->path = path_join(a, t->blobs, blob);
    return l->name.p && l->type && l->path ? l : NULL;
}

/* ---- its checkpoints ---------------------------------------------------------------------- */

NUMEL_MUST static bool add_layer(struct tag *t, struct found_set *s, struct found_layer *l)
{
    bool here = path_kind(l->path) == PATH_FILE;
    if (!find_add_file(t->g, s, path_base(l->path), here ? l->path : NULL)) return false;
    s->files[s->count - 1].layer = l;
    return true;
}

NUMEL_MUST static struct found_set *new_set(struct tag *t, const struct found_layer *l)
{
    bool model = strcmp(l->type, "model") == 0 || strcmp(l->type, "tensor") == 0;
    struct found_set *s = find_add_set(t->g, FOUND_MANIFEST, l->path, t->blobs);
    if (!s) return NULL;
    s->index = t->path;
    s->name = model ? t->name : arena_format(t->g->arena, "%s (%s)", t->name, l->type);
    return s->name ? s : NULL;
}

static bool is_weights(const char *type)
{
    return text_lists(text_of("model projector adapter draft embed"), text_of(type));
}

/* The blobs named by manifests; all others are strays. */
struct ollama_blobs {
    numel_str *items;
    size_t count, cap;
    struct names names;
    bool unknown; /* a manifest could not be read */
};

NUMEL_MUST static bool note_blob(struct tag *t, numel_str blob)
{
    struct ollama_blobs *b = t->g->blobs;
    return !b || names_add(&b->names, &b->items, &b->count, &b->cap, blob, NULL, t->g->error) != NAMES_ABSENT;
}

NUMEL_MUST static bool no_digest(struct tag *t, const char *digest)
{
    char quoted[TEXT_QUOTE];
    if (t->g->arena->failed) return error_nomem(t->g->error);
    return error_set(t->g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                     "a layer has the digest %s, expected 'sha256:' and 64 digits",
                     digest ? text_quote(quoted, text_of(digest)) : "none");
}

/* Adds one layer, to a set or to the others. */
NUMEL_MUST static bool take_layer(struct tag *t, const json_value *v)
{
    struct numel_found *f = t->g->found;
    const char *digest = json_text_of(json_get(v, "digest"));
    numel_str blob = blob_of(t->g->arena, digest);
    if (!blob.n) return no_digest(t, digest);
    struct found_layer *l = layer_of(t, v, blob);
    if (!l) return error_nomem(t->g->error);
    if (!note_blob(t, blob)) return false;
    bool tensor = strcmp(l->type, "tensor") == 0;
    if (!tensor && !is_weights(l->type)) {
        t->others.items[t->others.count++] = *l;
        return true;
    }
    if (!tensor || t->tensors == SIZE_MAX) {
        if (!new_set(t, l)) return error_nomem(t->g->error);
        if (tensor) t->tensors = f->count - 1;
    }
    return add_layer(t, &f->sets[tensor ? t->tensors : f->count - 1], l);
}

/* Adds the layers in order, then the configuration. */
NUMEL_MUST static bool take_layers(struct tag *t, const json_value *doc)
{
    const json_value *layers = json_get(doc, "layers"), *config = json_get(doc, "config");
    size_t n = json_count(layers) + 1, first = t->g->found->count;
    if (!layers || json_kind(layers) != JSON_ARRAY)
        return error_set(t->g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                         "is not an Ollama manifest: it has no list 'layers'");
    t->others.items = arena_alloc(t->g->arena, n * sizeof *t->others.items);
    if (!t->others.items) return error_nomem(t->g->error);
    for (const json_value *v = json_first(layers); v; v = json_next(v))
        if (!take_layer(t, v)) return false;
    if (config && json_get(config, "digest") && !take_layer(t, config)) return false;
    struct found_layers *others = arena_copy(t->g->arena, &t->others, sizeof t->others);
    if (!others) return error_nomem(t->g->error);
    if (t->g->found->count > first) t->g->found->sets[first].layers = others;
    return t->g->found->count > first ||
           error_set(t->g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                     "names no weights: none of its layers is a model, an adapter or a tensor");
}

/* An unreadable manifest becomes a set that cannot be opened; the folder's other sets can. */
NUMEL_MUST static bool keep_failure(struct tag *t, size_t first)
{
    struct numel_found *f = t->g->found;
    if (t->g->error->code == NUMEL_E_NOMEM || t->g->arena->failed) return error_nomem(t->g->error);
    error_file(t->g->error, t->path);
    while (f->count > first) memory_release(t->g->arena->memory, f->sets[--f->count].files);
    const numel_error *why = arena_copy(t->g->arena, t->g->error, sizeof *why);
    struct found_set *s = why ? find_add_set(t->g, FOUND_MANIFEST, t->path, t->blobs) : NULL;
    if (!s) return error_nomem(t->g->error);
    error_clear(t->g->error);
    s->why = why;
    s->name = t->name;
    if (t->g->blobs) t->g->blobs->unknown = true;
    return true;
}

NUMEL_MUST static bool read_manifest(struct tag *t)
{
    size_t first = t->g->found->count;
    json_value *doc = slurp_json(t->path, MANIFEST_MOST, t->g->arena->memory, t->g->error);
    bool ok = doc && take_layers(t, doc);
    json_doc_free(doc);
    return ok || keep_failure(t, first);
}

/* ---- its name ----------------------------------------------------------------------------- */

/* True for Ollama's own host, the only one with the namespace "library". */
NUMEL_MUST static bool is_own_host(struct arena *a, const char *models, numel_str host)
{
    numel_str path = arena_join(a, text_of("manifests/"), host, text_of("/library"));
    return path.p && has_folder(a, models, path.p);
}

/* Ollama's name for "HOST/NAMESPACE/MODEL/TAG". */
NUMEL_MUST static const char *name_of(struct arena *a, const char *models, const char *below)
{
    numel_str part[4], rest = text_of(below);
    for (size_t i = 0; i < 4; i++) part[i] = text_cut(&rest, '/');
    numel_str slash = text_of("/"), none = { "", 0 };
    bool own = is_own_host(a, models, part[0]), library = own && text_equal(part[1], "library");
    numel_str front = own ? none : arena_join(a, part[0], slash, none);
    if (!library && front.p) front = arena_join(a, front, part[1], slash);
    numel_str name = front.p ? arena_join(a, front, part[2], text_of(":")) : front;
    return name.p ? arena_join(a, name, part[3], none).p : NULL;
}

/* ---- the manifests ------------------------------------------------------------------------ */

NUMEL_MUST static bool add_manifest(struct finding_sets *g, const char *models, const char *path,
                                    const char *below)
{
    struct tag t = { .g = g, .models = models, .path = path, .tensors = SIZE_MAX };
    g->folder = NULL; /* files next to its blobs do not belong to it */
    t.blobs = path_join(g->arena, models, text_of("blobs"));
    t.name = name_of(g->arena, models, below);
    if (!t.blobs || !t.name) return error_nomem(g->error);
    return read_manifest(&t);
}

/* Is it a link? Links are not followed. */
static bool leads_away(struct arena *a, const char *dir, numel_str name)
{
    char *path = path_join(a, dir, name), *real = path ? path_real(a, path) : NULL;
    char *above = path_real(a, dir), *own = above ? path_join(a, above, name) : NULL;
    return !real || !own || strcmp(real, own) != 0;
}

NUMEL_MUST static bool walk(struct finding_sets *g, const char *models, const char *dir, const char *below,
                            unsigned depth)
{
    struct folder f;
    if (!folder_list(&f, dir, g->arena, g->error)) {
        error_file(g->error, dir);
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < f.count; i++) {
        const struct folder_entry *e = &f.entries[i];
        numel_str rest = arena_join(g->arena, text_of(below), text_of(below[0] ? "/" : ""), e->name);
        char *path = path_join(g->arena, dir, e->name);
        if (!path || !rest.p) ok = error_nomem(g->error);
        else if (e->name.p[0] == '.' || e->directory == (depth == MANIFEST_DEPTH)) continue;
        else if (!e->directory) ok = add_manifest(g, models, path, rest.p);
        else if (!leads_away(g->arena, dir, e->name)) ok = walk(g, models, path, rest.p, depth + 1);
    }
    folder_done(&f);
    return ok;
}

static unsigned parts_of(const char *below)
{
    unsigned parts = below[0] != '\0';
    for (; *below; below++) parts += *below == '/';
    return parts;
}

/* Blobs that no manifest names. */
NUMEL_MUST static bool find_strays(struct finding_sets *g, const char *models, size_t first)
{
    struct folder f;
    numel_error ignored = { .code = NUMEL_OK };
    struct found_strays *s = arena_alloc(g->arena, sizeof *s);
    char *blobs = path_join(g->arena, models, text_of("blobs"));
    if (!s || !blobs) return error_nomem(g->error);
    if (!folder_list(&f, blobs, g->arena, &ignored))
        return ignored.code != NUMEL_E_NOMEM || error_nomem(g->error);
    *s = (struct found_strays){ .count = 0 };
    for (size_t i = 0; i < f.count; i++) {
        numel_str name = f.entries[i].name;
        struct arena_mark mark = arena_mark(g->arena);
        bool begun = memchr(name.p, 'p', name.n) != NULL; /* sha256-HEX-partial, -partial-N */
        s->begun += begun && text_ends(name, "-partial");
        if (begun || f.entries[i].directory || name.n != 71 ||
            names_find(&g->blobs->names, g->blobs->items, name) != NAMES_ABSENT)
            continue;
        char *path = path_join(g->arena, blobs, name);
        s->bytes += path ? path_bytes(path) : 0;
        if (s->count++ == 0) s->first = path;
        else arena_rewind(g->arena, mark);
    }
    folder_done(&f);
    g->found->sets[first].strays = s;
    return !g->arena->failed || error_nomem(g->error);
}

NUMEL_MUST static bool walk_all(struct finding_sets *g, const char *models, const char *dir)
{
    struct ollama_blobs blobs = { .count = 0 };
    size_t first = g->found->count;
    names_init(&blobs.names, g->arena->memory, sizeof *blobs.items);
    g->blobs = &blobs;
    bool ok = walk(g, models, dir, "", 1);
    if (ok && g->found->count > first && !blobs.unknown) ok = find_strays(g, models, first);
    g->blobs = NULL;
    names_done(&blobs.names);
    memory_release(g->arena->memory, blobs.items);
    return ok;
}

bool find_add_ollama(struct finding_sets *g, const char *models, const char *below)
{
    char *dir = path_join(g->arena, models, text_of("manifests"));
    size_t first = g->found->count;
    if (dir && below[0]) dir = path_join(g->arena, dir, text_of(below));
    if (!dir) return error_nomem(g->error);
    if (path_kind(dir) == PATH_FILE) return add_manifest(g, models, dir, below);
    if (below[0] ? !walk(g, models, dir, below, parts_of(below) + 1) : !walk_all(g, models, dir))
        return false;
    return g->found->count > first ||
           error_set(g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                     "is an Ollama models folder without a manifest: no model was pulled");
}
