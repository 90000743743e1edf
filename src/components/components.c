/*
 * components.c -- compares an index's promises with the found sets: first which sets exist, by name alone,
 * then the state of each.
 */
#include "components/components.h"

#include "base/num.h"
#include "base/text.h"
#include "reader/beside.h"
#include "source/folder.h"

struct listing {
    struct components *c;
    struct arena *arena;
    numel_error *error;
};

/* ---- choosing a set ------------------------------------------------------------------------ */

/* Splits "diffusion_pytorch_model.fp16-00001-of-00002.safetensors", and also
 * "diffusion_pytorch_model-00001-of-00002.fp16.safetensors", into "diffusion_pytorch_model" and "fp16". */
static void split_name(numel_str name, numel_str *stem, numel_str *variant)
{
    struct shard_name shard;
    name = plain_name(name);
    bool parsed = shard_name_parse(name, &shard);
    text_take_end(&name, ".safetensors");
    text_take_end(&name, ".gguf");
    if (parsed) {
        numel_str behind = text_behind(name, shard.suffix.p);
        name = shard.prefix;
        text_take_end(&name, "-");
        if (behind.n > 1) {
            *stem = name;
            *variant = text_from(behind, 1);
            return;
        }
    }
    *variant = name;
    *stem = text_cut(variant, '.');
}

static numel_str first_name(const struct found_set *s)
{
    return s->count ? s->files[0].name : s->absent ? s->absent_first : path_base(s->path);
}

/* The rank of a component's set. The lowest is the one loaded by default. */
static unsigned rank_of(numel_str stem, numel_str variant)
{
    static const char *const usual[] = { "diffusion_pytorch_model", "model", "pytorch_model" };
    bool known = false;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) known |= text_equal(stem, usual[i]);
    return !variant.n ? !known : text_equal(variant, "non_ema") ? 3 : 2;
}

/* ---- rows ---------------------------------------------------------------------------------- */

struct component *components_add(struct components *c, struct arena *a, numel_error *e)
{
    struct component *grown = arena_grow(a, c->items, c->count, &c->cap, sizeof *grown);
    if (!grown) return error_nomem(e), NULL;
    c->items = grown;
    struct component *x = &c->items[c->count++];
    *x = (struct component){ .name = "", .variant = "" };
    x->row = (numel_row){ .size = sizeof x->row };
    return x;
}

NUMEL_MUST static struct component *add(struct listing *l, const struct found_component *promise,
                                        const char *name, enum component_state state)
{
    struct component *x = components_add(l->c, l->arena, l->error);
    if (!x) return NULL;
    x->promise = promise;
    x->name = name;
    x->state = state;
    return x;
}

/* The class stated in a set's folder; NULL if missing or unreadable. */
NUMEL_MUST static bool said_class(struct listing *l, const struct found_set *s, const char **class)
{
    const json_value *doc;
    *class = NULL;
    if (!components_config(l->c, s->dir, "config.json", &doc, l->arena, l->error)) return false;
    const char *text = json_text_of(json_get(doc, "_class_name"));
    if (!text) text = json_text_of(json_first(json_get(doc, "architectures")));
    if (text) *class = arena_text(l->arena, text, strlen(text));
    return !text || *class ? true : error_nomem(l->error);
}

bool component_is_chosen(const char *class)
{
    return strncmp(class, "Auto", 4) == 0 && class[4] >= 'A' && class[4] <= 'Z';
}

/* Compares the index's class with the one that the configuration was saved with. Skipped if the
 * configuration chooses the class, and for modules of sentence-transformers, which wrap one. */
NUMEL_MUST static bool compare_class(struct listing *l, struct component *x)
{
    const char *promised = x->promise ? x->promise->class : NULL, *said;
    if (l->c->pipeline->modules || (promised && component_is_chosen(promised))) return true;
    if (!said_class(l, &l->c->found->sets[x->set], &said)) return false;
    if (!promised) x->own = said;
    else if (said && strcmp(said, promised) != 0) x->said = said;
    return true;
}

/* True for a folder's sets: those of the promise, or without a promise those in `dir`. The counted one
 * comes first. */
static bool is_of(const struct found_set *s, const struct found_component *promise, const char *dir)
{
    return promise ? s->component == promise : !s->component && strcmp(s->dir, dir) == 0;
}

NUMEL_MUST static bool add_set(struct listing *l, const struct found_component *promise, const char *name,
                               size_t set, bool first)
{
    numel_str stem, variant;
    struct component *x = add(l, promise, name, COMPONENT_WEIGHTS);
    if (!x) return false;
    split_name(first_name(&l->c->found->sets[set]), &stem, &variant);
    numel_str label = variant.n || first ? variant : stem;
    x->variant = arena_text(l->arena, label.p, label.n);
    x->set = set;
    x->path = l->c->found->sets[set].path;
    x->files = l->c->found->sets[set].count + l->c->found->sets[set].absent;
    x->counted = first && promise && promise->class;
    return x->variant ? compare_class(l, x) : error_nomem(l->error);
}

NUMEL_MUST static bool add_sets(struct listing *l, const struct found_component *promise, const char *name,
                                const char *dir, bool *any)
{
    const struct found_pipeline *p = l->c->pipeline;
    size_t best = SIZE_MAX;
    unsigned least = UINT32_MAX;
    for (size_t i = p->first; i < p->first + p->sets; i++) {
        numel_str stem, variant;
        if (!is_of(&l->c->found->sets[i], promise, dir)) continue;
        split_name(first_name(&l->c->found->sets[i]), &stem, &variant);
        unsigned rank = rank_of(stem, variant);
        if (rank < least) least = rank, best = i;
    }
    *any = best != SIZE_MAX;
    if (*any && !add_set(l, promise, name, best, true)) return false;
    for (size_t i = p->first; *any && i < p->first + p->sets; i++)
        if (i != best && is_of(&l->c->found->sets[i], promise, dir) && !add_set(l, promise, name, i, false))
            return false;
    return true;
}

/* The component whose averaged weights a folder contains: "unet" for "unet_ema". NULL if it is not such a
 * folder. */
static const struct found_component *average_of(const struct found_pipeline *p, const struct found_set *s)
{
    numel_str place = path_base(s->dir);
    if (p->modules || s->component || !text_take_end(&place, "_ema")) return NULL;
    for (size_t k = 0; k < p->count; k++)
        if (p->items[k].class && text_equal(place, p->items[k].place)) return &p->items[k];
    return NULL;
}

/* Averages never count, even if there are no other weights. */
NUMEL_MUST static bool add_averages(struct listing *l, const struct found_component *promise)
{
    const struct found_pipeline *p = l->c->pipeline;
    for (size_t i = p->first; i < p->first + p->sets; i++) {
        if (average_of(p, &l->c->found->sets[i]) != promise) continue;
        if (!add_set(l, promise, promise->name, i, true)) return false;
        struct component *x = &l->c->items[l->c->count - 1];
        x->counted = false;
        x->variant = arena_format(l->arena, "ema%s%s", x->variant[0] ? "." : "", x->variant);
        if (!x->variant) return error_nomem(l->error);
    }
    return true;
}

/* ---- promises without a checkpoint --------------------------------------------------------- */

static bool has_unread(const struct folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (!f->entries[i].directory && beside_tensors(f->entries[i].name)) return true;
    return false;
}

/* Exporters save to folders named after their format, next to the folder's own files. */
NUMEL_MUST static bool has_exported(struct listing *l, const char *path, bool *out)
{
    static const char *const forms[] = { "onnx", "openvino" };
    *out = false;
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !*out; i++) {
        struct folder f;
        numel_error ignored = { .code = NUMEL_OK };
        char *at = path_join(l->arena, path, text_of(forms[i]));
        if (!at) return error_nomem(l->error);
        if (folder_list(&f, at, l->arena, &ignored)) {
            *out = has_unread(&f);
            folder_done(&f);
        } else if (ignored.code == NUMEL_E_NOMEM) return error_nomem(l->error);
    }
    return true;
}

/* Sets the state of a promise whose folder has no checkpoint. */
static void judge_folder(struct component *x, const struct folder *f, bool unread)
{
    bool plain = x->promise->plain;
    x->state = !f                  ? COMPONENT_MISSING
               : plain && f->count ? COMPONENT_PLAIN
               : unread            ? COMPONENT_UNREAD
                                   : COMPONENT_MISSING;
    if (x->promise->bare) x->state = COMPONENT_PLAIN;
    x->why = !f                             ? "its folder is not there"
             : x->state == COMPONENT_UNREAD ? "its weights are pickles or another form that is not read"
             : x->state == COMPONENT_MISSING
                 ? f->count ? "no weights are in its folder" : "its folder is empty"
                 : NULL;
}

NUMEL_MUST static bool add_without(struct listing *l, const struct found_component *promise)
{
    const struct found_pipeline *p = l->c->pipeline;
    struct component *x = add(l, promise, promise->name, COMPONENT_NONE);
    struct folder own;
    const struct folder *f = p->beside;
    bool unread = false;
    numel_error ignored = { .code = NUMEL_OK };
    if (!x || !promise->class) return x != NULL;
    const char *path = promise->place[0] ? path_join(l->arena, p->dir, text_of(promise->place)) : p->dir;
    if (!path) return error_nomem(l->error);
    if (promise->place[0]) f = folder_list(&own, path, l->arena, &ignored) ? &own : NULL;
    if (!f && ignored.code == NUMEL_E_NOMEM) return error_nomem(l->error);
    bool ok = !f || has_exported(l, path, &unread);
    judge_folder(x, f, unread || (f && has_unread(f)));
    if (f == &own) folder_done(&own);
    return ok;
}

NUMEL_MUST static bool add_promise(struct listing *l, const struct found_component *promise)
{
    bool any;
    if (!add_sets(l, promise, promise->name, NULL, &any)) return false;
    return (any || add_without(l, promise)) && add_averages(l, promise);
}

/* Adds a folder of weights that the index does not promise, once; `i` is its first set. */
NUMEL_MUST static bool add_stray(struct listing *l, size_t i)
{
    const struct found_pipeline *p = l->c->pipeline;
    const struct found_set *sets = l->c->found->sets;
    bool any;
    if (sets[i].component || average_of(p, &sets[i])) return true;
    for (size_t k = p->first; k < i; k++)
        if (!sets[k].component && strcmp(sets[k].dir, sets[i].dir) == 0) return true;
    numel_str base = strcmp(sets[i].dir, p->dir) == 0 ? text_of(".") : path_base(sets[i].dir);
    const char *name = arena_text(l->arena, base.p, base.n);
    return name ? add_sets(l, NULL, name, sets[i].dir, &any) : error_nomem(l->error);
}

NUMEL_MUST static bool make_rows(struct components *c, struct arena *a, numel_error *e)
{
    const struct found_pipeline *p = c->pipeline;
    struct listing l = { c, a, e };
    for (size_t k = 0; k < p->count; k++)
        if (!add_promise(&l, &p->items[k])) return false;
    for (size_t k = p->first; k < p->first + p->sets; k++)
        if (!add_stray(&l, k)) return false;
    components_doubt(c);
    return components_follow(c, a, e) && components_fit(c, a, e) && components_take(c, a, e) &&
           components_unconfigured(c, a, e);
}

bool components_make(struct components *c, const numel_found *found, size_t i, struct arena *a,
                     numel_error *e)
{
    const struct found_pipeline *p = found->sets[i].pipeline;
    *c = (struct components){ .pipeline = p, .found = found, .path = p->dir, .index = p->index };
    if (!p->why) c->class = p->class;
    bool ok = make_rows(c, a, e);
    components_forget(c);
    return ok;
}

/* ---- states -------------------------------------------------------------------------------- */

/* `file` is the state of a single file's bytes: nothing in a truncated file agrees, because loaders read
 * it whole. */
static numel_state judge(const struct component *x, numel_state file)
{
    bool told = x->row.state < NUMEL_STATE_DISAGREES;
    if (x->state == COMPONENT_MISSING) return NUMEL_STATE_INCOMPLETE;
    if (x->state == COMPONENT_BUFFERS) return NUMEL_STATE_AGREES;
    if (x->state == COMPONENT_STRAY) return NUMEL_STATE_DISAGREES;
    if (x->state != COMPONENT_WEIGHTS) return x->off ? NUMEL_STATE_DISAGREES : NUMEL_STATE_UNKNOWN;
    if (x->row.error)
        return x->row.error->code == NUMEL_E_TRUNCATED ? NUMEL_STATE_INCOMPLETE : NUMEL_STATE_DAMAGED;
    if (file == NUMEL_STATE_UNKNOWN && x->doubt && x->row.state == NUMEL_STATE_AGREES && !x->off)
        return NUMEL_STATE_IN_PART;
    numel_state own = (x->said || x->off) && told ? NUMEL_STATE_DISAGREES : x->row.state;
    return file > own ? file : own;
}

NUMEL_MUST static bool count(struct components *c, const struct component *x, numel_error *e)
{
    const numel_row *r = &x->row;
    if (!x->counted) return true;
    c->checkpoints += x->state == COMPONENT_WEIGHTS;
    c->files += x->part ? c->files == 0 ? x->files : 0 : c->found->sets[x->set].count;
    bool ok = num_add(&c->tensors, c->tensors, r->tensors) && num_add(&c->stored, c->stored, r->stored) &&
              num_add(&c->bytes, c->bytes, r->bytes);
    if (x->state == COMPONENT_BUFFERS) return ok;
    if (r->error || r->parameters == NUMEL_NOT_KNOWN) c->parameters = NUMEL_NOT_KNOWN;
    if (c->parameters != NUMEL_NOT_KNOWN) ok = ok && num_add(&c->parameters, c->parameters, r->parameters);
    return ok || error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the components' sums do not fit in 64 bits");
}

/* The worst state; if nothing is wrong, whether all agree or only some. */
static void judge_all(struct components *c)
{
    numel_state worst = c->pipeline && c->pipeline->why ? NUMEL_STATE_DAMAGED : NUMEL_STATE_UNKNOWN;
    bool all = true, any = false;
    for (size_t i = 0; i < c->count; i++) {
        const struct component *x = &c->items[i];
        if (!component_is_judged(x)) continue;
        if (x->verdict >= NUMEL_STATE_DISAGREES && x->verdict > worst) worst = x->verdict;
        all &= x->verdict == NUMEL_STATE_AGREES;
        any |= x->counted && (x->verdict == NUMEL_STATE_AGREES || x->verdict == NUMEL_STATE_IN_PART);
    }
    c->verdict = worst ? worst : !any ? NUMEL_STATE_UNKNOWN : all ? NUMEL_STATE_AGREES : NUMEL_STATE_IN_PART;
}

NUMEL_MUST static bool ask(struct components *c, struct component *x, const struct component_asking *asking,
                           struct arena *a, numel_error *e)
{
    if (x->state != COMPONENT_WEIGHTS) return true;
    x->row.path = x->row.name = x->path;
    return x->part ? asking->part(&x->row, &x->product, x->part->ck, asking->options, asking->knowledge, a, e)
                   : asking->set(&x->row, c->found, x->set, asking->options, asking->knowledge, a, e);
}

bool components_ask(struct components *c, const struct component_asking *asking, struct arena *a,
                    numel_error *e)
{
    for (size_t i = 0; i < c->count; i++) {
        struct component *x = &c->items[i];
        if (!ask(c, x, asking, a, e)) return false;
        if (x->state == COMPONENT_UNREAD || x->state == COMPONENT_MISSING) c->parameters = NUMEL_NOT_KNOWN;
        if (!count(c, x, e)) return false;
        if (c->parts && i == 0) c->class = x->row.architecture; /* the model that the others serve */
    }
    if (!components_serve(c, a, e)) return false;
    numel_state file = c->parts ? checkpoint_state(c->parts->whole) : NUMEL_STATE_UNKNOWN;
    for (size_t i = 0; i < c->count; i++) c->items[i].verdict = judge(&c->items[i], file);
    judge_all(c);
    return true;
}
