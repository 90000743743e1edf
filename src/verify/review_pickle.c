/*
 * review_pickle.c -- files by their content: which of them run code when loaded, and which code.
 *
 * A pickle is recognised by its first bytes, in a zip by its entries, of protocol 0 by a name that loaders
 * treat as a pickle's. Compressed data is not unpacked: its imports are reported as unknown.
 */
#include "verify/review.h"

#include "base/num.h"
#include "base/text.h"
#include "reader/pickle_imports.h"
#include "reader/reader.h"
#include "reader/recognise.h"
#include "reader/zip.h"
#include "source/folder.h"
#include "source/source.h"

enum { NAMES = 4, NAME = 80, MAX_PICKLE = 64 << 20, PICKLES = 64, FRONT = 64 << 20 };

/* The imports of pickles: the first few of each kind. */
struct imports {
    char names[PICKLE_DANGEROUS + 1][NAMES][NAME];
    uint64_t count[PICKLE_DANGEROUS + 1];
};

struct looking {
    struct review *g;
    const struct source *s;
    const char *path;
    numel_str name;
    void *memo;
    struct imports imports;
    enum { NO_PICKLE, PICKLED, IN_ZIP, PACKED, OBJECTS } how;
    const char *magic, *kind;
    bool whole, zip, other, lambda; /* whole: read to its end; other: weights under a pickle's name */
    bool begins;                    /* like a pickle */
};

/* ---- names -------------------------------------------------------------------------------- */

/* Names that loaders treat as pickles', and which loaders. */
static const struct {
    const char *globs, *who;
} loaders[] = {
    { "pytorch_model*.bin",
      "transformers loads it with use_safetensors=False, or if there is no .safetensors" },
    { "diffusion_pytorch_model*.bin",
      "diffusers loads it with use_safetensors=False, or if there is no .safetensors" },
    { "adapter_model*.bin", "peft loads it if there is no adapter_model.safetensors" },
    { "consolidated*.pth", "Meta's own loader reads only this file" },
    { "training_args.bin optimizer*.pt optimizer*.bin scheduler*.pt scaler*.pt rng_state*.pth",
      "a trainer reads it when it resumes" },
    { "*.ckpt", "Lightning and from_single_file() load it" },
    { "*.joblib", "joblib.load() loads it" },
    { "*.pkl *.pickle", "pickle.load() loads it" },
    { "*.npy *.npz", "numpy.load(allow_pickle=True) loads it" },
    { "*.bin *.pt *.pth", "torch.load(weights_only=False) loads it" },
    { "*.pdparams", "paddle.load() loads it" },
};

/* NULL: not a pickle's name. */
static const char *loader_of(numel_str name)
{
    char lower[256];
    name = text_lower(lower, sizeof lower, text_tail(name, sizeof lower));
    for (size_t i = 0; i < sizeof loaders / sizeof *loaders; i++)
        if (text_globs(text_of(loaders[i].globs), name)) return loaders[i].who;
    return NULL;
}

/* ---- imports ------------------------------------------------------------------------------ */

static void note_import(void *ctx, numel_str module, numel_str name, bool hidden)
{
    struct imports *m = ctx;
    char shown[NAME], joined[NAME];
    if (m->count[PICKLE_DANGEROUS] > NAMES) return; /* it cannot get worse */
    enum pickle_import kind = hidden ? PICKLE_DANGEROUS : pickle_judge(module, name);
    numel_str all =
        hidden ? text_of("a computed name") : text_join(joined, sizeof joined, module, text_of("."), name);
    if (!all.p) all = text_of("a name too long to show");
    (void)text_safe_fit(shown, sizeof shown, all);
    for (uint64_t i = 0; i < num_min(m->count[kind], NAMES); i++)
        if (strcmp(m->names[kind][i], shown) == 0) return;
    if (m->count[kind] < NAMES) text_format(m->names[kind][m->count[kind]], NAME, "%s", shown);
    m->count[kind]++;
}

/* "os.system, builtins.eval, and more" */
static const char *listed(const struct imports *m, enum pickle_import kind, char out[NAMES * NAME + 32])
{
    uint64_t n = num_min(m->count[kind], NAMES);
    struct fixed all = fixed_of(out, NAMES * NAME + 32);
    for (uint64_t i = 0; i < n; i++) fixed_format(&all, "%s%s", i ? ", " : "", m->names[kind][i]);
    if (m->count[kind] > n) fixed_text(&all, ", and more");
    return out;
}

/* Consecutive pickles, as old PyTorch writes them. */
static void scan_pickles(struct looking *l, const uint8_t *p, uint64_t n)
{
    uint64_t at = 0, used;
    enum pickle_end end = PICKLE_STOP;
    for (unsigned i = 0; i < PICKLES && end == PICKLE_STOP && (i == 0 || pickle_begins(p + at, n - at));
         i++) {
        end = pickle_scan(p + at, n - at, &used, l->memo, note_import, &l->imports);
        at += used;
    }
    l->whole = end == PICKLE_STOP;
}

/* ---- the front of a file ------------------------------------------------------------------ */

static bool holds(const uint8_t *p, uint64_t n, const char *word)
{
    return text_holds((numel_str){ (const char *)p, (size_t)n }, text_of(word));
}

/* A Lambda layer is Python bytecode inside the model. */
static bool has_lambda(const uint8_t *p, uint64_t n)
{
    return holds(p, n, "\"class_name\": \"Lambda\"") || holds(p, n, "\"class_name\":\"Lambda\"") ||
           holds(p, n, "__lambda__");
}

/* 'descr': '|O': an array of objects, which are pickled. */
static bool has_objects(const uint8_t *p, uint64_t n)
{
    uint64_t header = num_min(n, 4096);
    return holds(p, header, "|O") || holds(p, header, "'O'");
}

/* Protocols 0 and 1 have no magic: they are text, and any word may be an opcode. */
static bool is_old_pickle(struct looking *l, const uint8_t *p, uint64_t n)
{
    struct imports before = l->imports;
    scan_pickles(l, p, n);
    if (l->whole) return true;
    l->imports = before;
    return false;
}

static bool front_body(void *ctx)
{
    struct looking *l = ctx;
    const uint8_t *p = l->s->base;
    uint64_t n = l->s->size;
    bool loaded = loader_of(l->name) != NULL;
    bool weights = reader_gguf.probe(p, n) || (n > 8 && safetensors_begins(p, n));
    l->magic = recognise_magic(p, n, &l->kind);
    l->other = loaded && weights;
    if (weights) return true;
    if (zip_begins(p, n)) l->zip = true;
    else if (l->magic && strcmp(l->kind, "archive") == 0) l->how = loaded ? PACKED : NO_PICKLE;
    else if (n > 2 && p[0] == 0x78 && loaded && (p[0] * 256 + p[1]) % 31 == 0)
        l->how = PACKED; /* zlib, by joblib */
    else if (n > 6 && memcmp(p, "\x93NUMPY", 6) == 0) l->how = has_objects(p, n) ? OBJECTS : NO_PICKLE;
    else if (n > 4 && memcmp(p, "\x89HDF", 4) == 0) l->lambda = has_lambda(p, n);
    else if (pickle_begins(p, n)) {
        l->how = PICKLED;
        scan_pickles(l, p, n);
    } else if (loaded && n > 1 && !l->magic && is_old_pickle(l, p, n)) l->how = PICKLED;
    return true;
}

/* ---- a zip -------------------------------------------------------------------------------- */

NUMEL_MUST static bool look_at_entry(struct looking *l, const struct zip *z, const struct zip_entry *x,
                                     const struct zip_bytes *b, numel_error *why)
{
    struct arena *a = &l->g->arena;
    struct arena_mark mark = arena_mark(a);
    bool pickle = text_ends(x->name, ".pkl") || text_ends(x->name, ".pickle"),
         npy = text_ends(x->name, ".npy");
    bool keras = text_equal(x->name, "config.json");
    numel_str text = { NULL, 0 };
    if (!pickle && !npy && !keras) return true;
    if (!x->stored) {
        if (pickle) note_import(&l->imports, text, text, true);
        if (pickle) l->how = IN_ZIP;
        return true;
    }
    if (!zip_content(z, x, b, npy ? 4096 : MAX_PICKLE, a, &text, why)) return false;
    if (npy && has_objects((const uint8_t *)text.p, text.n)) l->how = OBJECTS;
    if (keras) l->lambda |= has_lambda((const uint8_t *)text.p, text.n);
    if (pickle) {
        bool whole = l->whole || l->how != IN_ZIP;
        l->how = IN_ZIP;
        scan_pickles(l, (const uint8_t *)text.p, text.n);
        l->whole &= whole;
    }
    arena_rewind(a, mark);
    return true;
}

NUMEL_MUST static bool look_at_zip(struct looking *l)
{
    struct stream s;
    struct zip z;
    numel_error why = { 0 };
    bool ok = stream_open(&s, l->path, &why);
    if (ok) {
        struct zip_bytes b = zip_stream(&s);
        ok = zip_read(&z, &b, &l->g->arena, &why);
        for (size_t i = 0; ok && i < z.count; i++) ok = look_at_entry(l, &z, &z.entries[i], &b, &why);
        ok = stream_close(&s, &why) && ok;
    }
    if (why.code == NUMEL_E_NOMEM) return error_nomem(l->g->v->error);
    if (ok) return true;
    if (loader_of(l->name)) l->how = IN_ZIP; /* any loader that accepts it will run it */
    l->whole = false;
    return true;
}

/* ---- findings ----------------------------------------------------------------------------- */

static void tell_pickle(const struct looking *l)
{
    static const char *const how[] = { [PICKLED] = "a pickle",
                                       [IN_ZIP] = "a pickle in a zip",
                                       [PACKED] = "a compressed pickle, by its name",
                                       [OBJECTS] = "pickled arrays of Python objects" };
    char danger[NAMES * NAME + 32], other[NAMES * NAME + 32];
    const char *who = loader_of(l->name);
    const struct imports *m = &l->imports;
    bool unread = l->how == PACKED || l->how == OBJECTS || !l->whole;
    listed(m, PICKLE_OTHER, other);
    other[200] = 0;
    review_find(l->g, FINDING_PICKLE, l->path, 0,
                "%s: loading it can run code, and %s; delete it if you do not need it%s%s%s", how[l->how],
                who ? who : "pickle.load() loads it", unread ? "; its imports could not all be read" : "",
                m->count[PICKLE_OTHER] ? "; it imports " : "", other);
    if (m->count[PICKLE_DANGEROUS])
        review_find(l->g, FINDING_PICKLE_IMPORTS, l->path, NUMEL_NOWHERE,
                    "the pickle imports %s, which weights never need: do not load it",
                    listed(m, PICKLE_DANGEROUS, danger));
}

static void tell(const struct looking *l)
{
    if (l->how != NO_PICKLE) tell_pickle(l);
    if (l->other)
        review_find(l->g, FINDING_NAME_OTHER, l->path, 0,
                    "it is named like a pickle, but holds safetensors or GGUF: loading it runs no code");
    if (l->lambda)
        review_find(l->g, FINDING_KERAS_LAMBDA, l->path, NUMEL_NOWHERE,
                    "a Keras model with a Lambda layer, which is Python code: load it with safe_mode=True, "
                    "or not at all");
    if (l->magic && strcmp(l->kind, "program") == 0)
        review_find(l->g, FINDING_NATIVE_CODE, l->path, 0, "%s: no model needs it; do not run it", l->magic);
}

static bool begins_body(void *ctx)
{
    struct looking *l = ctx;
    l->begins = pickle_begins(l->s->base, num_min(l->s->size, 3));
    return true;
}

NUMEL_MUST static bool look(struct looking *l, struct source *s, numel_error *why)
{
    l->s = s;
    if (s->compressed || s->total == 0) return true;
    if (!source_run(s, begins_body, l, why)) return false;
    if (l->begins && !source_grow(s, s->total, s->total, why)) return false;
    return source_run(s, front_body, l, why) && (!l->zip || look_at_zip(l));
}

bool review_content(struct review *g, const char *path, numel_str name)
{
    struct arena_mark mark = arena_mark(&g->arena);
    struct looking *l = arena_alloc(&g->arena, sizeof *l);
    struct source s;
    numel_error why = { 0 };
    if (!l) return error_nomem(g->v->error);
    *l = (struct looking){ .g = g, .path = path, .name = name, .memo = arena_alloc(&g->arena, PICKLE_MEMO) };
    if (!l->memo) return error_nomem(g->v->error);
    bool ok = source_open(&s, path, g->v->options->no_guard, g->arena.memory, &why);
    if (ok) {
        ok = look(l, &s, &why);
        source_close(&s);
    }
    if (why.code == NUMEL_E_NOMEM || !error_free(g->v->error)) return error_nomem(g->v->error);
    if (ok) tell(l);
    else if (loader_of(name) && path_kind(path) == PATH_ABSENT)
        review_find(g, FINDING_PICKLE, path, NUMEL_NOWHERE,
                    "named like a pickle, which runs code when it is loaded; it was not read (%s)",
                    loader_of(name));
    else if (loader_of(name)) review_unread(g, path, "what it runs", &why);
    arena_rewind(&g->arena, mark);
    return true;
}
