/*
 * around.c -- walks a folder by names; judges each folder in it by its configuration.
 *
 * Two configurations describe the same model if both name the same model type and class, and no whole number
 * in both differs: a trainer's copy has another library version, type and path.
 */
#include "reader/around.h"

#include "base/num.h"
#include "base/text.h"
#include "reader/beside.h"
#include "reader/find.h"
#include "source/slurp.h"
#include "source/source.h"

#include <string.h>

enum { FOLDERS_DEEP = 4, FOLDERS_MOST = 1000, CONFIG_MOST = 4 << 20, CONFIG_DEEP = 4 };

struct looking {
    struct around *out;
    const struct numel_found *told;
    json_value *above; /* the folder's own configuration, read at the first comparison */
    const char *top;
    const struct folder *of_top; /* NULL: already read */
    struct arena *arena;
    numel_error *error;
    size_t folders;
};

/* ---- configurations ----------------------------------------------------------------------- */

bool around_config(json_value **doc, const char *dir, const struct folder *f, struct arena *a, numel_error *e)
{
    numel_error ignored = { .code = NUMEL_OK };
    *doc = NULL;
    if (!folder_has(f, text_of("config.json"))) return true;
    char *path = path_join(a, dir, text_of("config.json"));
    if (!path) return error_nomem(e);
    *doc = slurp_json(path, CONFIG_MOST, a->memory, &ignored);
    return ignored.code != NUMEL_E_NOMEM || error_nomem(e);
}

static const char *model_type(const json_value *doc) { return json_text_of(json_get(doc, "model_type")); }

/* The class that saved it, else its model type; NULL if it has neither and so is not a model's. */
static const char *class_of(const json_value *doc)
{
    const char *class = json_text_of(json_get(doc, "_class_name"));
    if (!class) class = json_text_of(json_first(json_get(doc, "architectures")));
    return class ? class : model_type(doc);
}

static bool same_text(const char *a, const char *b) { return !a || !b ? a == b : strcmp(a, b) == 0; }

/* Numbers that are not sizes: the end-of-text token may change in training. */
static bool is_size(const char *key) { return key && !text_ends(text_of(key), "_token_id"); }

static bool same_sizes(const json_value *a, const json_value *b, unsigned deep)
{
    for (const json_value *x = json_first(a); x; x = json_next(x)) {
        const json_value *y = json_name(x) ? json_get(b, json_name(x)) : NULL;
        int64_t m, n;
        if (!y || !is_size(json_name(x))) continue;
        if (json_integer(x, &m) && json_integer(y, &n) && m != n) return false;
        bool objects = json_kind(x) == JSON_OBJECT && json_kind(y) == JSON_OBJECT;
        if (objects && deep < CONFIG_DEEP && !same_sizes(x, y, deep + 1)) return false;
    }
    return true;
}

static bool is_same(const json_value *a, const json_value *b)
{
    return class_of(a) && same_text(class_of(a), class_of(b)) && same_text(model_type(a), model_type(b)) &&
           same_sizes(a, b, 0);
}

/* ---- a folder ----------------------------------------------------------------------------- */

static bool is_trained(const char *dir, const struct folder *f)
{
    if (text_glob("checkpoint-[0-9]*", path_base(dir)) || folder_has(f, text_of("trainer_state.json")))
        return true;
    for (size_t i = 0; i < f->count; i++)
        if (!f->entries[i].directory && beside_trained(f->entries[i].name)) return true;
    return false;
}

bool around_judge(struct around_item *x, const json_value *above, const char *dir, const struct folder *f,
                  struct arena *a, numel_error *e)
{
    json_value *doc;
    if (!around_config(&doc, dir, f, a, e)) return false;
    const char *class = class_of(doc), *type = model_type(doc);
    x->class = class ? arena_text(a, class, strlen(class)) : NULL;
    x->type = type ? arena_text(a, type, strlen(type)) : NULL;
    x->kind = is_trained(dir, f)                              ? AROUND_TRAINING
              : folder_has(f, text_of("adapter_config.json")) ? AROUND_ADAPTER
              : folder_has(f, text_of("model_index.json")) || folder_has(f, text_of("modules.json"))
                  ? AROUND_PIPELINE
              : is_same(doc, above) ? AROUND_COPY
              : class               ? AROUND_MODEL
                                    : AROUND_OTHER;
    json_doc_free(doc);
    return !a->failed || error_nomem(e);
}

/* ---- rows --------------------------------------------------------------------------------- */

NUMEL_MUST static struct around_item *add(struct looking *l, const char *place)
{
    struct around *o = l->out;
    struct around_item *grown = arena_grow(l->arena, o->items, o->count, &o->cap, sizeof *grown);
    if (!grown) return error_nomem(l->error), NULL;
    o->items = grown;
    o->items[o->count] = (struct around_item){ .place = place };
    return &o->items[o->count++];
}

/* The format of a file with tensors; NULL if it has none. `pytorch`: the folder has no other weights, so files
 * of PyTorch are read. */
static const char *form_of(numel_str name, bool pytorch, bool *read)
{
    bool weights = name_is_weights(name);
    *read = weights || (pytorch && name_is_pytorch(name));
    if (!weights) return beside_tensors(name);
    return text_ends(plain_name(name), ".gguf") ? "GGUF" : "safetensors";
}

static void count_file(struct around_item *x, const char *form, uint64_t bytes)
{
    size_t k = 0;
    while (k < AROUND_FORMS && x->forms[k] && x->forms[k] != form) k++;
    if (k < AROUND_FORMS) x->forms[k] = form;
    x->files++;
    x->bytes = num_capped(x->bytes, bytes);
}

static bool is_told(const struct looking *l, const char *dir)
{
    for (size_t i = 0; l->told && i < l->told->count; i++)
        if (strcmp(l->told->sets[i].dir, dir) == 0) return true;
    return false;
}

/* Files in the folder itself get one row per format. */
NUMEL_MUST static struct around_item *row_of(struct looking *l, size_t first, const char *form,
                                             numel_str name, const char *place)
{
    bool own = !place[0];
    for (size_t i = first; i < l->out->count; i++)
        if (!own || l->out->items[i].forms[0] == form) return &l->out->items[i];
    struct around_item *x = add(l, own ? name.p : place);
    if (x && own && beside_trained(name)) x->kind = AROUND_TRAINING;
    return x;
}

/* Files in the folder itself are reported elsewhere if they are read; so is everything in `told`. */
NUMEL_MUST static bool add_files(struct looking *l, const char *dir, const char *place,
                                 const struct folder *f)
{
    size_t first = l->out->count;
    bool told = !place[0] || is_told(l, dir), pytorch = !folder_has_weights(f);
    for (size_t i = 0; i < f->count; i++) {
        bool read;
        numel_str name = f->entries[i].name;
        const char *form = f->entries[i].directory ? NULL : form_of(name, pytorch, &read);
        if (!form || (read && told)) continue;
        struct around_item *x = row_of(l, first, form, name, place);
        char *path = path_join(l->arena, dir, name);
        if (!x || !path) return error_nomem(l->error);
        count_file(x, form, read ? source_original(path, l->arena->memory) : path_bytes(path));
    }
    if (l->out->count == first || !place[0]) return true;
    struct around_item *x = &l->out->items[first];
    if (told) return true; /* its row already describes it */
    const struct folder *top = l->of_top;
    l->of_top = NULL;
    if (top && !around_config(&l->above, l->top, top, l->arena, l->error)) return false;
    return around_judge(x, l->above, dir, f, l->arena, l->error);
}

NUMEL_MUST static bool look(struct looking *l, const char *dir, const char *place, unsigned deep);

NUMEL_MUST static bool look_below(struct looking *l, const char *dir, const char *place,
                                  const struct folder *f, unsigned deep)
{
    for (size_t i = 0; i < f->count; i++) {
        numel_str name = f->entries[i].name;
        if (!f->entries[i].directory || f->entries[i].circle || name.p[0] == '.') continue;
        l->out->more = l->folders == FOLDERS_MOST;
        if (l->out->more) return true;
        l->folders++;
        char *path = path_join(l->arena, dir, name), *below = path_join(l->arena, place, name);
        if (!path || !below) return error_nomem(l->error);
        if (f->entries[i].link && path_is_link(path)) continue; /* it may be a cycle */
        if (!look(l, path, below, deep + 1)) return false;
    }
    return true;
}

static bool look(struct looking *l, const char *dir, const char *place, unsigned deep)
{
    struct folder *f = arena_alloc(l->arena, sizeof *f); /* rows point to its names: also in the arena */
    if (!f) return error_nomem(l->error);
    if (!folder_look(f, dir, l->arena, l->error)) return false;
    if (!deep) l->top = dir, l->of_top = f;
    bool ok = add_files(l, dir, place, f) && (deep == FOLDERS_DEEP || look_below(l, dir, place, f, deep));
    if (!deep) json_doc_free(l->above);
    folder_done(f);
    return ok;
}

bool around_list(struct around *out, const char *dir, const struct numel_found *told, struct arena *a,
                 numel_error *e)
{
    struct looking l = { .out = out, .told = told, .arena = a, .error = e };
    *out = (struct around){ 0 };
    return look(&l, dir, "", 0);
}
