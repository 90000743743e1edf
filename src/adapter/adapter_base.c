/*
 * adapter_base.c -- compares an adapter with its base: each module must be one of the base's weights, with
 * the same size.
 *
 * The base is a checkpoint of any kind (--base: the folder of a pipeline, a single file, a transformer or
 * U-Net alone, a language model in safetensors or GGUF), or a configuration whose formula gives the weights.
 * The two name a weight differently: PEFT and the wrapped model prepend prefixes, kohya writes underscores
 * for dots. So names are compared without component, outer prefixes and dots; the component is compared
 * separately.
 *
 * Published files and diffusers have different names for each weight. If no module has a name of the base,
 * the base's weights determine its family (adapter_family.c). The family knows both names, and the modules
 * are compared with it.
 */
#include "adapter/adapter_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "model/meaning.h"
#include "model/model.h"
#include "registry/dtype.h"
#include "source/folder.h"
#include "statement/line.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))
enum { LONGEST = 600, STACKS = 4 };

/* ---- names -------------------------------------------------------------------------------- */

/* Turns "1text_model_..." into "1:encoder_layers_0_mlp_fc1": the component, and the name in the form that
 * both sides share. */
static numel_str compared(unsigned part, numel_str name, char out[LONGEST])
{
    static const char *const outer[] = { "text_model_", "language_model_", "model_", "transformer_" };
    size_t n = 0, at = 2;
    if (name.n > LONGEST - 4) return (numel_str){ NULL, 0 };
    for (; n < name.n; n++) out[at + n] = name.p[n] == '.' ? '_' : name.p[n];
    numel_str rest = { out + at, n };
    for (size_t i = 0; i < ROWS(outer); i++) {
        if (text_starts(rest, "transformer_blocks_") || !text_take_start(&rest, outer[i])) continue;
        i = (size_t)-1;
    }
    char *start = out + (rest.p - out) - 2;
    start[0] = (char)('0' + part);
    start[1] = ':';
    return (numel_str){ start, rest.n + 2 };
}

/* Follows the name of the weight that the bias belongs to. */
static const char bias_end[] = ".bias";
/* Six vectors of a Wan block; not the weight of a layer. */
static const char modulation[] = ".modulation";

/* ---- the base's weights ------------------------------------------------------------------- */

NUMEL_MUST static bool enter_weight(struct base_table *t, struct base_weight w, numel_str key, numel_str own,
                                    numel_error *e)
{
    struct arena *arena = t->a->arena;
    void *p = t->items;
    w.name = (numel_str){ arena_text(arena, key.p, key.n), key.n };
    w.own = (numel_str){ arena_text(arena, own.p, own.n), own.n };
    if (!w.name.p || !w.own.p) return error_nomem(e);
    if (!memory_grow(arena->memory, &p, &t->cap, t->count + 1, sizeof *t->items, e)) return false;
    t->items = p;
    t->items[t->count] = w;
    if (!names_reserve(&t->by, t->count + 1, e)) return false;
    if (names_enter(&t->by, t->items, t->count) == t->count) t->count++;
    return true;
}

/* The module's name with ":0", ":1" ...: its stacks of experts are parameters of one module. */
static numel_str stack_key(char out[LONGEST], numel_str module, unsigned index)
{
    const char end[] = { ':', (char)('0' + index), 0 };
    return text_join(out, LONGEST, module, text_of(end), text_of(""));
}

/* "mlp.experts.down_proj" [N, out, in], or [N, in, out]. */
NUMEL_MUST static bool add_stack(struct base_table *t, unsigned part, numel_str name, const uint64_t *dims,
                                 numel_error *e)
{
    char text[LONGEST], more[LONGEST];
    numel_str own = text_head(name, '.');
    if (part || family_component(&own, true) || own.n < 2 || dims[0] < 2)
        return true; /* a prefix alone is not a module, one weight is not a stack */
    own = text_less(own, 1);
    numel_str module = compared(0, own, text), key = module;
    for (unsigned i = 0; module.p && i < STACKS; i++) {
        key = stack_key(more, module, i);
        if (!key.p || names_find(&t->by, t->items, key) == NAMES_ABSENT) break;
    }
    const struct base_weight w = { .out = dims[1],
                                   .in = dims[2],
                                   .experts = dims[0],
                                   .parameter = { arena_text(t->a->arena, name.p, name.n), name.n } };
    return !w.parameter.p ? error_nomem(e) : !key.p || enter_weight(t, w, key, own, e);
}

/* A modulation [1, vectors, width], entered under the name of its change. */
NUMEL_MUST static bool add_modulation(struct base_table *t, unsigned part, numel_str name,
                                      const uint64_t *dims, numel_error *e)
{
    char text[LONGEST], more[LONGEST];
    struct base_weight w = { .in = 1 };
    numel_str own = text_less(name, strlen(modulation));
    numel_str changed = text_join(more, sizeof more, own, text_of(".diff_m"), text_of(""));
    if (!changed.p || part || family_component(&changed, true) || dims[0] != 1 ||
        !num_mul(&w.out, dims[1], dims[2]))
        return true;
    numel_str key = compared(0, changed, text);
    return !key.p || enter_weight(t, w, key, changed, e);
}

NUMEL_MUST static bool add_weight(struct base_table *t, unsigned part, numel_str name, const uint64_t *dims,
                                  uint32_t ndim, numel_error *e)
{
    char text[LONGEST], more[LONGEST];
    bool bias = text_ends(name, bias_end);
    adds_note_weight(t, name, dims, ndim);
    if (ndim == 3 && text_ends(name, modulation)) return add_modulation(t, part, name, dims, e);
    if (ndim == 3 && !text_ends(name, ".weight")) return add_stack(t, part, name, dims, e);
    if ((!bias && !text_ends(name, ".weight")) || ndim == 0 || dims[0] == 0) return true;
    numel_str own = text_less(name, strlen(bias ? bias_end : ".weight"));
    unsigned said = family_component(&own, true);
    if (part == 0) part = said;
    numel_str key = part < FAMILY_PARTS ? compared(part, own, text) : (numel_str){ NULL, 0 };
    if (bias && key.p) key = text_join(more, sizeof more, key, text_of(bias_end), text_of(""));
    if (!key.p) return true;
    struct base_weight w = { .part = part, .out = dims[0], .in = 1, .kernel = ndim == 4, .bias = bias };
    for (uint32_t i = 1; i < ndim; i++)
        if (!num_mul(&w.in, w.in, dims[i])) return true;
    t->has[part] = true;
    return enter_weight(t, w, key, own, e);
}

/* The weights that the formula expects, under both names if they have two. */
NUMEL_MUST static bool add_expected(struct base_table *t, unsigned part, const struct expansion *x,
                                    numel_error *e)
{
    for (size_t i = 0; i < x->row_count; i++) {
        const struct site *s = &x->sites[x->rows[i].site];
        if (s->extra.p || s->kind == TENSOR_BUF) continue;
        if (!add_weight(t, part, x->rows[i].name, s->dims, s->ndim, e)) return false;
        bool twice = x->rows[i].other.p && !s->stacked; /* one stack for several weights there */
        size_t known = t->count;
        if (twice && !add_weight(t, part, x->rows[i].other, s->dims, s->ndim, e)) return false;
        if (t->count > known) t->items[known].alias = true;
    }
    return true;
}

NUMEL_MUST static bool add_stored(struct base_table *t, unsigned part, const numel_checkpoint *ck,
                                  numel_error *e)
{
    for (uint32_t i = 0; i < ck->registry.count; i++) {
        const numel_tensor *w = &ck->registry.tensors[i];
        bool number = w->dtype && dtype_is_number(w->dtype);
        if (number && !add_weight(t, part, w->name, w->dims, w->ndim, e)) return false;
    }
    return true;
}

/* Adds one checkpoint of the base: what its formula expects, if it has one, and what else is stored. */
NUMEL_MUST static bool add_checkpoint(struct base_table *t, const numel_checkpoint *ck, numel_error *e)
{
    numel_knowledge plain = { .size = sizeof plain, .declared_only = true };
    unsigned part = ck->part ? family_part(text_of(ck->part)) : 0;
    if (part == FAMILY_PARTS) return true;
    struct model *m = model_make(ck, &plain, false, t->a->arena->memory, e);
    bool ok = m != NULL && adds_note_config(t, m, e);
    if (ok && m->x) {
        t->a->base_parameters += m->x->totals.parameters;
        ok = add_expected(t, part, m->x, e);
    }
    ok = ok && add_stored(t, part, ck, e);
    model_free(m);
    return ok;
}

NUMEL_MUST static bool add_config(struct base_table *t, const char *path, const numel_knowledge *k,
                                  numel_error *e)
{
    struct model *base = model_of_config(path, k, t->a->arena->memory, e);
    if (!base) return false;
    bool ok = adds_note_config(t, base, e);
    if (ok && base->x) {
        t->a->base_parameters = base->x->totals.parameters;
        ok = add_expected(t, 0, base->x, e);
    } else if (ok) {
        ok = error_set(e, base->why.code ? base->why.code : NUMEL_E_CONFIG, NUMEL_NOWHERE,
                       "no formula for the base model: %.300s", base->why.what);
    }
    model_free(base);
    return ok;
}

NUMEL_MUST static bool add_path(struct base_table *t, const char *path, numel_error *e)
{
    numel_options o = { .size = sizeof o, .allocator = t->a->arena->memory };
    numel_found *found = NULL;
    bool ok = numel_find(&found, path, &o, e) == NUMEL_OK;
    for (size_t i = 0; ok && i < found->count; i++) {
        numel_checkpoint *ck = NULL;
        ok = numel_open(&ck, found, i, &o, e) == NUMEL_OK && add_checkpoint(t, ck, e);
        numel_free(ck);
    }
    numel_found_free(found);
    return ok;
}

/* ---- comparing ---------------------------------------------------------------------------- */

/* PEFT wraps one parameter around another of the same module. Returns the stack of the same size, else the
 * first; NULL if there are none. */
static const struct base_weight *stack_of(const struct base_table *t, const struct adapter_module *m)
{
    static const char inner[] = ".base_layer";
    char text[LONGEST], more[LONGEST];
    const struct base_weight *first = NULL;
    numel_str name = m->name;
    while (text_take_end(&name, inner)) continue;
    numel_str module = family_component(&name, true) ? (numel_str){ NULL, 0 } : compared(0, name, text);
    for (unsigned i = 0; module.p && i < STACKS; i++) {
        numel_str key = stack_key(more, module, i);
        uint32_t at = key.p ? names_find(&t->by, t->items, key) : NAMES_ABSENT;
        const struct base_weight *w = at == NAMES_ABSENT ? NULL : &t->items[at];
        if (w && m->out == w->out && m->in == w->in) return w;
        if (!first) first = w;
    }
    return first;
}

/* Looks the name up as it is. */
static const struct base_weight *weight_called(const struct base_table *t, const struct adapter_module *m,
                                               unsigned *part)
{
    char text[LONGEST], more[LONGEST];
    numel_str name = m->name;
    *part = family_component(&name, true);
    unsigned own =
        *part < FAMILY_PARTS && !t->has[*part] ? 0 : *part; /* the base may be just a text encoder */
    numel_str key = own < FAMILY_PARTS ? compared(own, name, text) : (numel_str){ NULL, 0 };
    uint32_t at = key.p ? names_find(&t->by, t->items, key) : NAMES_ABSENT;
    numel_str longer = key.p && at == NAMES_ABSENT
                           ? text_join(more, sizeof more, key, text_of("_0"), text_of(""))
                           : (numel_str){ NULL, 0 };
    if (longer.p) at = names_find(&t->by, t->items, longer);
    if (at == NAMES_ABSENT && text_ends(m->name, "lm_head")) /* a tied head is the table of tokens */
        at = names_find(&t->by, t->items, text_of("0:embed_tokens"));
    return at == NAMES_ABSENT ? stack_of(t, m) : &t->items[at];
}

static const struct base_weight *weight_of(const struct base_table *t, const struct adapter_module *m,
                                           unsigned *part)
{
    const struct base_weight *w = weight_called(t, m, part);
    struct adapter_module bare = *m;
    numel_str rest = m->name;
    (void)family_component(&rest, true);
    size_t before = text_from(m->name, rest.n).n;
    bare.name = names_bare(before ? rest : m->name);
    return w || before + bare.name.n == m->name.n ? w : weight_called(t, &bare, part);
}

/* A pair for a convolution has its axes; a pair for a matrix has two. */
static bool same_axes(const struct adapter *a, const struct adapter_module *m, const struct base_weight *w)
{
    bool any = false, kernel = false;
    for (unsigned i = 0; i < m->part_count; i++) {
        if (!part_is_matrix(m->parts[i])) continue;
        any = true;
        kernel |= a->ck->registry.tensors[m->tensors[i]].ndim == 4;
    }
    return !any || kernel == w->kernel;
}

static bool same_size(const struct adapter *a, const struct adapter_module *m, const struct base_weight *w)
{
    if (w->experts) return m->rank && m->rank % w->experts == 0 && m->out == w->out && m->in == w->in;
    bool is = (m->out == 0 || m->out == w->out) && family_in_fits(m, w->in);
    bool turned = (m->out == 0 || m->out == w->in) && (m->in == 0 || m->in == w->out);
    if (m->told || m->lesser) return same_axes(a, m, w) && family_lesser_fits(m, w->out, w->in);
    return (m->out || m->in) && same_axes(a, m, w) && (is || (turned && part_is_turned(a, m)));
}

struct comparing {
    const struct adapter_module *other, *absent;
    const struct base_weight *weight;
    uint64_t others, absences, found[FAMILY_PARTS + 1];
    unsigned part; /* of the first absent module */
};

static void compare_module(struct comparing *c, const struct base_table *t, struct adapter_module *m)
{
    unsigned part;
    const struct base_weight *w = weight_of(t, m, &part);
    if (!m->whole) return;
    if (w) c->found[part]++;
    if (w && same_size(t->a, m, w)) {
        m->based = true;
        m->experts = w->experts ? w->experts : 1;
        m->parameter = w->parameter;
    } else if (w) {
        if (c->others++ == 0) c->other = m, c->weight = w;
    } else if (part < FAMILY_PARTS && (t->has[part] || part == 0)) {
        if (c->absences++ == 0) c->absent = m, c->part = part;
    }
}

NUMEL_MUST static const char *size_text(struct arena *arena, uint64_t out, uint64_t in)
{
    char dims[TEXT_QUOTE];
    const uint64_t both[] = { out ? out : in, in };
    return arena_format(arena, "%s", text_dims(dims, both, out && in ? 2 : 1));
}

static void say_other(struct adapter *a, const struct comparing *c)
{
    const char *name = name_shown(a->arena, c->other->name);
    const char *own = size_text(a->arena, c->other->out, c->other->in);
    const char *theirs = size_text(a->arena, c->weight->out, c->weight->in);
    if (name && !same_axes(a, c->other, c->weight)) {
        adapter_disagree(a, arena_format(a->arena, "%s is changed as a %s, in the base model it is a %s",
                                         name, c->weight->kernel ? "matrix" : "convolution",
                                         c->weight->kernel ? "convolution" : "matrix"));
        return;
    }
    if (family_is_table(c->other->name) && c->other->in == c->weight->in) {
        adapter_fault(a, FINDING_ADAPTER_ROWS,
                      rows_text(a, c->other->name, c->other->out, c->weight->out, "the base model"));
        return;
    }
    if (name && own && theirs)
        adapter_disagree(a, arena_format(a->arena,
                                         "%s changes %s, which is %s in the base model (%" PRIu64
                                         " of %zu modules)",
                                         name, own, theirs, c->others, a->module_count));
}

/* No name of the adapter is in the base: compares by family, which knows the base's weights under other
 * names. */
static void compare_families(struct base_table *t, const struct comparing *c)
{
    struct adapter *a = t->a;
    const struct adapter_family *f = c->found[c->part] ? NULL : family_of_base(t);
    const char *name = name_shown(a->arena, c->absent->name);
    uint64_t lacks = f && family_fits(a, f) ? family_lacks(t, f) : 0;
    if (lacks && !a->hole)
        a->hole =
            arena_format(a->arena, "the base model lacks %" PRIu64 " of the weights of %s", lacks, f->name);
    if (f && family_fits(a, f)) a->family = f->name;
    else if (f && name)
        adapter_disagree(
            a, arena_format(a->arena, "the base model is %s, which has no %s of that size", f->name, name));
    else if (name)
        adapter_disagree(a, arena_format(a->arena, "%s is not in the base model (%" PRIu64 " of %zu modules)",
                                         name, c->absences, a->module_count));
}

static const struct base_weight *bias_of(const struct base_table *t, numel_str module)
{
    char text[LONGEST], more[LONGEST];
    unsigned part = family_component(&module, true);
    numel_str key = part < FAMILY_PARTS ? compared(part, module, text) : (numel_str){ NULL, 0 };
    if (key.p) key = text_join(more, sizeof more, key, text_of(bias_end), text_of(""));
    uint32_t at = key.p ? names_find(&t->by, t->items, key) : NAMES_ABSENT;
    return at == NAMES_ABSENT ? NULL : &t->items[at];
}

static bool find_weight(const void *of, const struct adapter_module *m, bool bias, struct weight_size *size)
{
    const struct base_table *t = of;
    unsigned part;
    const struct base_weight *w = bias ? bias_of(t, m->name) : weight_of(t, m, &part);
    if (w) *size = (struct weight_size){ w->out, w->in };
    return w && (bias ? m->out == w->out : same_size(t->a, m, w));
}

static bool has_weight(const void *of, numel_str name)
{
    unsigned part;
    return weight_of(of, &(struct adapter_module){ .name = name }, &part) != NULL;
}

/* A module that is saved whole must include its bias. */
static void compare_saved_biases(struct base_table *t)
{
    static const char end[] = ".weight";
    struct adapter *a = t->a;
    const char *name = NULL;
    for (uint32_t i = 0; i < a->ck->registry.count && !name; i++) {
        const numel_tensor *own = &a->ck->registry.tensors[i];
        struct parted p = part_of(a, own);
        char text[LONGEST];
        if (p.role != PART_NONE || !text_take_end(&p.module, end)) continue;
        numel_str stem = text_less(own->name, strlen(end));
        numel_str bias = text_join(text, sizeof text, stem, text_of(bias_end), text_of(""));
        if (bias_of(t, p.module) && bias.p && !registry_find(&a->ck->registry, bias))
            name = name_shown(a->arena, own->name);
    }
    if (name)
        adapter_disagree(
            a, arena_format(a->arena, "%s is there without the bias that the base model has", name));
}

/* A trained bias must exist in the base. A trained norm must include its bias. */
static void compare_biases(struct base_table *t)
{
    struct adapter *a = t->a;
    const struct adapter_module *more = NULL, *less = NULL;
    for (size_t i = 0; i < t->count; i++) a->base_biases += t->items[i].bias && !t->items[i].alias;
    for (size_t i = a->module_count; i-- > 0;) {
        const struct adapter_module *m = &a->modules[i];
        bool theirs = bias_of(t, m->name) != NULL, own = false, norm = false;
        a->changes_biased |= theirs;
        for (unsigned k = 0; k < m->part_count; k++) {
            own |= part_is_base_bias(m->parts[k]);
            norm |= part_is_norm(m->parts[k]);
        }
        if (own && !theirs) more = m;
        if (norm && theirs && !own) less = m;
    }
    const char *name = more || less ? name_shown(a->arena, more ? more->name : less->name) : NULL;
    if (name)
        adapter_disagree(a, arena_format(a->arena, "%s has %s bias, in the base model it has %s", name,
                                         more ? "a" : "no", more ? "none" : "one"));
}

static struct base_weight turned_weight(const struct base_weight *w)
{
    struct base_weight own = *w;
    own.out = w->in;
    own.in = w->out;
    return own;
}

/* Both stacks of a module may be [N, in, out]. That shows if the output of one is twice the input of the
 * other only when both are turned. */
static void turn_stacks(struct base_table *t, numel_str module)
{
    char text[LONGEST];
    struct base_weight *both[2] = { NULL, NULL };
    for (unsigned i = 0; i < 2; i++) {
        numel_str key = stack_key(text, module, i);
        uint32_t at = key.p ? names_find(&t->by, t->items, key) : NAMES_ABSENT;
        if (at != NAMES_ABSENT) both[i] = &t->items[at];
    }
    struct base_weight *x = both[0], *y = both[1];
    if (!x || !y) return;
    bool as_is = x->out == 2 * y->in || y->out == 2 * x->in;
    if (as_is || (x->in != 2 * y->out && y->in != 2 * x->out)) return;
    *x = turned_weight(x);
    *y = turned_weight(y);
}

static void turn_all(struct base_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        numel_str name = t->items[i].name;
        if (!t->items[i].experts || !text_ends(name, ":0")) continue;
        turn_stacks(t, text_less(name, 2));
    }
}

/* Image towers do not count: the base may be loaded without them, as a language model alone. */
static bool has_end(const void *of, const struct adapter *a, numel_str end, unsigned component, bool whole)
{
    const struct base_table *t = of;
    const char *own = said_component_name(component);
    numel_str start = text_of(own ? own : "");
    unsigned part = own ? family_component(&start, false) : 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct base_weight *w = &t->items[i];
        if (w->bias || w->alias || (own && w->part != part) || (!whole && w->in == 1)) continue;
        numel_str front = text_less(w->own, end.n);
        if (!text_same(text_tail(w->own, end.n), end) || (front.n && text_last(front) != '.')) continue;
        struct meaning m = meaning_of(w->own);
        if (m.place->place != PLACE_TOWER && (whole || gaps_list_layer(a, w->own))) return true;
    }
    return false;
}

NUMEL_MUST static bool compare_all(struct base_table *t, numel_error *e)
{
    const struct base_names names = { has_weight, has_end, t, false };
    struct comparing c = { 0 };
    t->a->held = t->a->module_count > 0;
    turn_all(t);
    adds_compare(t);
    for (size_t i = 0; i < t->a->module_count; i++) {
        compare_module(&c, t, &t->a->modules[i]);
        t->a->held &= t->a->modules[i].based;
    }
    if (c.other) say_other(t->a, &c);
    if (c.absent) compare_families(t, &c);
    if (t->a->held) compare_biases(t);
    if (t->a->held) compare_saved_biases(t);
    const struct weights w = { find_weight, t, t->a->whole ? family_of_base(t) : NULL };
    t->a->whole_held = t->a->held && t->a->whole && weights_have_whole(t->a, &w);
    whole_rows(t->a, &w, t->given ? "the base model" : "the configuration next to it", t->given);
    bool any = c.other || c.absent;
    for (size_t i = 0; i < ROWS(c.found); i++) any |= c.found[i] > 0;
    if (t->given && t->a->module_count && !any && !t->a->hole)
        t->a->hole = "the base model has no component that it changes";
    if (t->count) targets_compare(t->a, &names);
    return !t->a->held || gaps_compare(t->a, &names, e);
}

/* A config.json next to an adapter is that of its base. If it cannot be used, that is reported elsewhere. */
NUMEL_MUST static bool add_beside(struct base_table *t, numel_error *e)
{
    struct adapter *a = t->a;
    numel_knowledge base = { .size = sizeof base };
    numel_error ignored;
    const char *path = a->ck->dir ? path_join(a->arena, a->ck->dir, text_of("config.json")) : NULL;
    error_clear(&ignored);
    return a->ck->files[0].format == NUMEL_GGUF || !path || path_kind(path) != PATH_FILE ||
           add_config(t, path, &base, &ignored) || ignored.code != NUMEL_E_NOMEM || error_nomem(e);
}

NUMEL_MUST static bool add_known(struct base_table *t, const numel_knowledge *k, numel_error *e)
{
    numel_knowledge base = { .size = sizeof base };
    if (k && k->base) return add_path(t, k->base, e);
    if (k && k->config_text) {
        base.config = k->config;
        base.config_text = k->config_text;
        base.config_bytes = k->config_bytes;
        return add_config(t, NULL, &base, e);
    }
    if (k && k->config) return add_config(t, k->config, &base, e);
    return add_beside(t, e);
}

bool base_compare(struct adapter *a, const numel_knowledge *k, numel_error *e)
{
    struct base_table t = { .a = a, .given = k && (k->base || k->config || k->config_text) };
    names_init(&t.by, a->arena->memory, sizeof *t.items);
    bool ok = add_known(&t, k, e);
    ok = ok && ((t.count == 0 && !t.given) || compare_all(&t, e));
    names_done(&t.by);
    memory_release(a->arena->memory, t.items);
    return ok;
}
