/* inventory.c -- see inventory.h. */
#include "look.h"
#include "inventory.h"

#include "draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct held *)a)->name, ((const struct held *)b)->name);
}

static int by_alias(const void *a, const void *b)
{
    return strcmp(((const struct alias *)a)->name, ((const struct alias *)b)->name);
}

/* ---- what an expansion asks ------------------------------------------------------------------- */

long inventory_find(const struct inventory *v, const char *name)
{
    struct held key = { .name = name };
    struct alias other = { .name = name };
    const struct held *x = v->count ? bsearch(&key, v->items, v->count, sizeof key, by_name) : NULL;
    const struct alias *a =
        !x && v->alias_count ? bsearch(&other, v->aliases, v->alias_count, sizeof other, by_alias) : NULL;
    return a ? (long)a->of : x ? (long)(x - v->items) : INVENTORY_NONE;
}

static bool is_stored(const struct held *h) { return !h->copy || h->extra; }

static bool matches(const struct inventory *v, const char *glob)
{
    for (size_t i = 0; i < v->count; i++)
        if (is_stored(&v->items[i]) && text_glob(glob, text_of(v->items[i].name))) return true;
    for (size_t i = 0; i < v->alias_count; i++)
        if (is_stored(&v->items[v->aliases[i].of]) && text_glob(glob, text_of(v->aliases[i].name)))
            return true;
    return false;
}

static bool matches_once(struct inventory *v, const char *glob)
{
    numel_error e = { .code = NUMEL_OK };
    void *all = v->answers;
    for (size_t i = 0; i < v->answer_count; i++)
        if (!strcmp(v->answers[i].glob, glob)) return v->answers[i].there;
    bool there = matches(v, glob);
    if (v->answer_count == 64) return there; /* names that occur in one layer only: not worth keeping */
    if (!memory_grow(&memory_malloc, &all, &v->answer_cap, v->answer_count + 1, sizeof *v->answers, &e))
        die("%s", e.what);
    v->answers = all;
    v->answers[v->answer_count++] = (struct answer){ must(arena_text(&v->arena, glob, strlen(glob))), there };
    return there;
}

static bool has(void *ctx, const char *glob, bool *there, numel_error *e)
{
    struct inventory *v = ctx;
    long found = inventory_find(v, glob);
    (void)e;
    if (found >= 0) *there = is_stored(&v->items[found]);
    else *there = strpbrk(glob, "*?[") && matches_once(v, glob);
    return true;
}

static bool dim(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e)
{
    const struct inventory *v = ctx;
    long i = inventory_find(v, name);
    bool there = i >= 0 && is_stored(&v->items[i]) && axis < v->items[i].ndim;
    (void)e;
    *size = there ? v->items[i].dims[axis] : PRESENCE_NONE;
    return true;
}

/* ---- filling ---------------------------------------------------------------------------------- */

void inventory_init(struct inventory *v)
{
    *v = (struct inventory){ .presence = { .has = has, .dim = dim, .ctx = v } };
    arena_init(&v->arena, &memory_malloc);
}

void inventory_done(struct inventory *v)
{
    memory_release(&memory_malloc, v->items);
    memory_release(&memory_malloc, v->answers);
    free(v->aliases);
    arena_done(&v->arena);
}

static struct held *add(struct inventory *v, const char *name)
{
    numel_error e = { .code = NUMEL_OK };
    void *all = v->items;
    if (!memory_grow(&memory_malloc, &all, &v->cap, v->count + 1, sizeof *v->items, &e)) die("%s", e.what);
    v->items = all;
    v->items[v->count] = (struct held){ .name = name };
    return &v->items[v->count++];
}

static void add_shape(struct held *h, const json_value *shape)
{
    for (const json_value *d = json_first(shape); d; d = json_next(d)) {
        int64_t n;
        if (h->ndim == SPEC_DIMS || !json_integer(d, &n) || n < 0) die("%s: bad shape", h->name);
        h->dims[h->ndim++] = (uint64_t)n;
    }
}

/* Adds the items of `object`; tied ones are copies. */
static void add_object(struct inventory *v, const json_value *object, const json_value *tied,
                       struct held like)
{
    for (const json_value *x = json_first(object); x; x = json_next(x)) {
        struct held *h = add(v, json_name(x));
        h->copy = json_get(tied, h->name) != NULL;
        h->buffer = like.buffer;
        h->extra = like.extra;
        add_shape(h, x);
    }
}

static void sort(struct inventory *v)
{
    if (v->count) qsort(v->items, v->count, sizeof *v->items, by_name);
}

void inventory_of_truth(struct inventory *v, const json_value *doc)
{
    const json_value *tied = json_get(doc, "tied");
    add_object(v, json_get(doc, "params"), tied, (struct held){ 0 });
    add_object(v, json_get(doc, "buffers"), tied, (struct held){ .buffer = true });
    add_object(v, json_get(doc, "extra"), tied, (struct held){ .extra = true });
    v->extras = json_get(doc, "extra") != NULL;
    v->kinds = true;
    sort(v);
}

/* llama.cpp's test program gives each matrix a scale, or one for each of its experts, and the same for its
 * input; these carry no information about the architecture. A scale without a matrix does: Gemma 4 has
 * some. */
static bool is_scale(const numel_checkpoint *ck, const numel_tensor *t)
{
    static const char *const ends[] = { ".input_scale", ".scale" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char name[256];
        if (!text_ends(t->name, ends[i])) continue;
        int stem = (int)(t->name.n - strlen(ends[i]));
        int n = snprintf(name, sizeof name, "%.*s.input_scale", stem, t->name.p);
        if (n < 0 || n >= (int)sizeof name || numel_tensor_find(ck, name, (size_t)n) == SIZE_MAX) continue;
        n = snprintf(name, sizeof name, "%.*s.weight", stem, t->name.p);
        if (n < 0 || n >= (int)sizeof name) continue;
        const numel_tensor weight = look_at(ck, numel_tensor_find(ck, name, (size_t)n));
        bool is = weight.elements != NUMEL_NOT_KNOWN;
        uint64_t experts = is && weight.ndim == 3 ? weight.dims[0] : 1;
        if (is && (t->elements == 1 || t->elements == experts)) return true;
    }
    return false;
}

void inventory_of_checkpoint(struct inventory *v, const numel_checkpoint *ck)
{
    for (size_t i = 0; i < numel_tensor_count(ck); i++) {
        const numel_tensor own = look_at(ck, i), *t = &own;
        if (is_scale(ck, t)) continue;
        struct held *h = add(v, must(arena_text(&v->arena, t->name.p, t->name.n)));
        if (t->ndim > SPEC_DIMS) die("%s: too many dims", h->name);
        h->ndim = t->ndim;
        if (t->ndim) memcpy(h->dims, t->dims, t->ndim * sizeof *t->dims);
    }
    sort(v);
}

/* The names that a spec may use for item i if `name`, its own or one from a composite's spelling, is
 * spelled `by`. */
static void spell(struct inventory *v, const struct spec *spec, numel_str name, enum spelled by, size_t i)
{
    numel_str other;
    for (size_t at = 0; (other = spec_rename(spec, name, by, &at, &v->arena)).p;) {
        if (!(v->alias_count & (v->alias_count - 1)))
            v->aliases = must(realloc(v->aliases, (2 * v->alias_count + 1) * sizeof *v->aliases));
        v->aliases[v->alias_count++] = (struct alias){ other.p, i };
    }
}

void inventory_spell(struct inventory *v, const struct spec *spec)
{
    free(v->aliases);
    v->aliases = NULL;
    v->alias_count = v->answer_count = 0;
    for (size_t i = 0; spec->spelling_count && i < v->count; i++) {
        numel_str name = text_of(v->items[i].name), outside;
        spell(v, spec, name, SPELLED_ANYWHERE, i);
        for (size_t at = 0;
             spec->parted && (outside = spec_rename(spec, name, SPELLED_OUTSIDE, &at, &v->arena)).p;)
            spell(v, spec, outside, SPELLED_INSIDE, i);
    }
    if (v->alias_count) qsort(v->aliases, v->alias_count, sizeof *v->aliases, by_alias);
}
