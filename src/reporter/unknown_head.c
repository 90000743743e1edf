/*
 * unknown_head.c -- what text shows of an unknown architecture: a line with what names and shapes reveal, and
 * the components whose tensors are all unexpected.
 *
 *     architecture       unknown, no configuration; by names and shapes: 4 layers (blocks), hidden size 64
 *     unknown component  vision_tower: 437 tensors, 303,179,776 elements
 *
 * A component is the shortest prefix of whole parts that no tensor on ground `shape` has. In names sorted by
 * bytes, those with a common prefix are adjacent, so two walks, one from each end, find all components.
 */
#include "model/training.h"
#include "base/border.h"
#include "model/meanings.h"
#include "model/tensor.h"
#include "reporter/handles.h"
#include "reporter/sections.h"

#include <stdlib.h>

/* ---- what names and shapes tell ----------------------------------------------------------- */

enum { STACKS = 8, COMPONENTS = 6 };

struct stack { /* of layers: "model.layers" */
    numel_str prefix;
    uint64_t tensors, layers;
};

struct told {
    struct stack stacks[STACKS];
    unsigned count;
    uint64_t hidden, vocabulary; /* 0 if unknown */
};

static bool is_index(numel_str part, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < part.n; i++) {
        if (part.p[i] < '0' || part.p[i] > '9' || i == 6) return false;
        *value = *value * 10 + (uint64_t)(part.p[i] - '0');
    }
    return part.n > 0;
}

/* The part that starts at `at`. */
static numel_str part_at(numel_str name, size_t at)
{
    size_t n = 0;
    while (at + n < name.n && name.p[at + n] != '.') n++;
    return (numel_str){ name.p + at, n };
}

static bool stacks_layers(numel_str prefix)
{
    static const char *const words[] = { "layers", "layer", "blocks", "block", "blk", "h" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        numel_str front = prefix;
        if (text_take_end(&front, words[i]) && (!front.n || text_last(front) == '.')) return true;
    }
    return false;
}

static void tell_layer(struct told *o, numel_str name)
{
    uint64_t index;
    size_t at = 0;
    for (numel_str part; at < name.n && !is_index(part = part_at(name, at), &index);) at += part.n + 1;
    if (at < 2 || at >= name.n) return;
    numel_str prefix = text_upto(name, at - 1);
    unsigned i = 0;
    while (i < o->count && !text_same(o->stacks[i].prefix, prefix)) i++;
    if (i == STACKS || !stacks_layers(prefix)) return;
    if (i == o->count) o->stacks[o->count++] = (struct stack){ .prefix = prefix };
    o->stacks[i].tensors++;
    if (o->stacks[i].layers <= index) o->stacks[i].layers = index + 1;
}

static void tell(struct told *o, const struct model *model)
{
    const struct registry *r = &model->ck->registry;
    for (size_t i = 0; i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i];
        tell_layer(o, t->name);
        if (o->vocabulary || t->ndim != 2 || t->dims[0] <= t->dims[1]) continue;
        struct meaning m = meanings_at(model_meanings(model), i);
        if (!m.role->role || strcmp(m.role->role, "embed.tok") != 0) continue;
        if (m.kind->kind != KIND_WEIGHT || m.place->place != PLACE_MODEL) continue;
        o->vocabulary = t->dims[0];
        bool floats = t->dtype->name[0] == 'F' ||
                      strncmp(t->dtype->name, "BF", 2) == 0; /* packed: fewer columns than values */
        o->hidden = floats && t->dtype->block_elements == 1 ? t->dims[1] : 0;
    }
}

static void put_told(struct buffer *b, const struct told *o)
{
    char n[TEXT_NUMBER], shown[TEXT_QUOTE];
    const char *sep = "; by names and shapes: ";
    const struct stack *most = NULL;
    for (unsigned i = 0; i < o->count; i++)
        if (o->stacks[i].layers > 1 && o->stacks[i].layers <= o->stacks[i].tensors &&
            (!most || o->stacks[i].tensors > most->tensors))
            most = &o->stacks[i];
    if (most) {
        buffer_format(b, "%s%s layers (%s)", sep, text_number(n, most->layers),
                      text_bare(shown, most->prefix));
        sep = ", ";
    }
    if (o->hidden) {
        buffer_format(b, "%shidden size %s", sep, text_number(n, o->hidden));
        sep = ", ";
    }
    if (o->vocabulary) buffer_format(b, "%svocabulary %s", sep, text_number(n, o->vocabulary));
}

/* "no specification for foo", "config.json has no model_type", "no configuration" */
NUMEL_MUST static bool put_why(struct buffer *b, const struct model *m, numel_error *e)
{
    char shown[TEXT_QUOTE];
    enum side side = config_has_json(m->config) ? SIDE_HF : m->side;
    const char *key = "";
    struct value v = { .kind = VALUE_NULL };
    numel_error why = { 0 };
    if (!config_kind(m->config, NULL, side, &key, &v, &why) && why.code == NUMEL_E_NOMEM)
        return error_nomem(e);
    if (m->ranks > 1) buffer_format(b, "one of %zu files, each with a part of every matrix", m->ranks);
    else if (v.kind == VALUE_TEXT && v.s.n)
        buffer_format(b, "no specification for %s", text_bare(shown, v.s));
    else if (m->from)
        buffer_format(b, "%s has no %s", side == SIDE_HF ? "the configuration" : "the metadata", key);
    else buffer_text(b, "no configuration");
    return true;
}

bool unknown_architecture(const char **out, const struct model *m, bool told, struct arena *a, numel_error *e)
{
    struct buffer b;
    struct told o = { .count = 0 };
    *out = NULL;
    buffer_init(&b, a->memory);
    buffer_text(&b, "unknown, ");
    bool ok = put_why(&b, m, e);
    if (ok && told && m->ck) {
        tell(&o, m);
        put_told(&b, &o);
    }
    if (ok && !b.failed) *out = arena_text(a, b.p, b.n);
    buffer_done(&b);
    return ok && (*out || error_nomem(e));
}

bool unknown_is(const struct model *m, const struct adapter *adapter)
{
    return !m->entry && !m->x && !m->broken && !m->other && !adapter->type && !model_training(m)->alone;
}

/* ---- components --------------------------------------------------------------------------- */

struct named {
    const numel_tensor *tensor;
    uint32_t parts; /* one more than it shares with any known tensor */
    bool known, strange;
};

struct branch {
    numel_str prefix, first, last; /* first and last of its names */
    uint64_t tensors, elements;
    bool strange; /* a tensor in it is of a tower, or unknown */
};

struct branches {
    struct branch items[COMPONENTS]; /* the largest first */
    unsigned shown;
    uint64_t all;
};

static int by_bytes(const void *a, const void *b)
{
    return text_bytes(((const struct named *)a)->tensor->name, ((const struct named *)b)->tensor->name);
}

/* Number of whole parts with which both names begin. */
static uint32_t shared_parts(numel_str a, numel_str b)
{
    uint32_t n = 0;
    for (size_t at = 0; at < a.n && at < b.n;) {
        numel_str x = part_at(a, at), y = part_at(b, at);
        if (!text_same(x, y)) break;
        n++;
        at += x.n + 1;
    }
    return n;
}

static void measure(struct named *all, size_t n)
{
    const struct named *known = NULL;
    for (size_t turn = 0; turn < 2; turn++, known = NULL)
        for (size_t k = 0; k < n; k++) {
            struct named *x = &all[turn ? n - 1 - k : k];
            if (x->known) known = x;
            uint32_t parts = known && !x->known ? shared_parts(known->tensor->name, x->tensor->name) + 1 : 1;
            if (parts > x->parts) x->parts = parts;
        }
}

/* The prefix of x->parts parts, or of `common` if that is more, up to the first number. n is 0 if known
 * names differ at a number. */
static numel_str prefix_of(const struct named *x, uint32_t common)
{
    numel_str name = x->tensor->name;
    uint32_t parts = x->parts > common ? x->parts : common;
    size_t end = 0;
    uint64_t index;
    for (uint32_t k = 0; k < parts && end < name.n; k++) {
        size_t at = end ? end + 1 : 0;
        numel_str part = part_at(name, at);
        if (k > 0 && is_index(part, &index))
            return (numel_str){ name.p, k < x->parts && x->parts > 1 ? 0 : end };
        end = at + part.n;
    }
    return (numel_str){ name.p, end };
}

/* "model" alone is uninformative; returns "model.diffusion_model" if it has nothing else. */
static numel_str telling(const struct branch *x)
{
    uint64_t index;
    size_t n = x->prefix.n;
    if (!text_equal(x->prefix, "model") && !text_equal(x->prefix, "module")) return x->prefix;
    numel_str next = n < x->first.n ? part_at(x->first, n + 1) : (numel_str){ "", 0 };
    bool all = shared_parts(x->first, x->last) > 1 && n + 1 + next.n < x->first.n;
    return all && !is_index(next, &index) ? (numel_str){ x->first.p, n + 1 + next.n } : x->prefix;
}

static void keep_component(struct branches *c, const struct branch *x)
{
    if (!x->strange || !x->prefix.n) return;
    unsigned at = c->shown < COMPONENTS ? c->shown : COMPONENTS;
    c->all++;
    while (at > 0 && c->items[at - 1].elements < x->elements) {
        if (at < COMPONENTS) c->items[at] = c->items[at - 1];
        at--;
    }
    if (at == COMPONENTS) return;
    c->items[at] = *x;
    c->items[at].prefix = telling(x);
    if (c->shown < COMPONENTS) c->shown++;
}

/* Number of parts before the first number. */
static uint32_t parts_above(numel_str name)
{
    uint64_t index;
    uint32_t n = 0;
    for (size_t at = 0; at < name.n && !is_index(part_at(name, at), &index); n++)
        at += part_at(name, at).n + 1;
    return n;
}

/* If nothing is known, parts that all names share do not distinguish components. */
static uint32_t common_parts(const struct named *all, size_t n)
{
    uint32_t common = n ? shared_parts(all[0].tensor->name, all[n - 1].tensor->name) + 1 : 1;
    for (size_t i = 0; i < n && common > 1; i++) {
        uint32_t above = parts_above(all[i].tensor->name);
        if (all[i].known) return 1;
        if (above < common) common = above > 1 ? above : 1;
    }
    return common;
}

static void gather(struct branches *c, struct named *all, size_t n)
{
    struct branch run = { .tensors = 0 };
    uint32_t common = common_parts(all, n);
    measure(all, n);
    for (size_t i = 0; i < n; i++) {
        if (all[i].known) continue;
        numel_str prefix = prefix_of(&all[i], common);
        if (!prefix.n) continue;
        if (!text_same(prefix, run.prefix)) {
            keep_component(c, &run);
            run = (struct branch){ .prefix = prefix, .first = all[i].tensor->name };
        }
        run.last = all[i].tensor->name;
        run.tensors++;
        run.elements += all[i].tensor->elements; /* cannot overflow: the total was checked */
        run.strange |= all[i].strange;
    }
    keep_component(c, &run);
}

NUMEL_MUST static bool find_components(struct branches *c, const struct model *m, numel_error *e)
{
    const struct registry *r = &m->ck->registry;
    const numel_allocator *memory = m->arena.memory;
    if (m->x && m->differences.grounds[GROUND_SHAPE] == r->count) return true; /* all are known */
    struct named *all = memory_resize(memory, NULL, (r->count + 1) * sizeof *all);
    bool strange = false;
    if (!all) return error_nomem(e);
    for (uint32_t i = 0; i < r->count; i++) {
        const struct model_tensor t = model_tensor(m, i);
        all[i] = (struct named){ .tensor = &r->tensors[i],
                                 .known = m->x && (t.ground == GROUND_SHAPE || t.cause == CAUSE_EXPECTED),
                                 .strange = !m->x || t.cause == CAUSE_TOWER || t.cause == CAUSE_UNKNOWN };
        strange |= all[i].strange;
    }
    if (strange) {
        qsort(all, r->count, sizeof *all, by_bytes);
        gather(c, all, r->count);
    }
    memory_release(memory, all);
    return true;
}

static const struct table component_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_FILLED, NULL, { NULL, "", 0, SAID("unknown component") },
          { NULL, "", COLUMN_NOTE, ITSELF(CELL_TEXT, const char *) });

bool unknown_components(struct numel_report *r, const struct model *m, const struct adapter *adapter,
                        numel_error *e)
{
    struct branches c = { .shown = 0 };
    char name[TEXT_QUOTE], tensors[TEXT_COUNT], elements[TEXT_COUNT];
    bool agrees = m->x && !m->differences.missing && !m->differences.mismatched;
    if (!agrees && !unknown_is(m, adapter)) return true;
    if (!find_components(&c, m, e)) return false;
    bool several = false;
    for (unsigned i = 0; i < c.shown; i++) several |= c.items[i].tensors > 1;
    if (!m->x && (c.all < 2 || !several)) return true; /* the list of tensors shows as much */
    const char **rows = arena_alloc(&r->arena, (c.shown + 1) * sizeof *rows);
    if (!rows) return error_nomem(e);
    for (unsigned i = 0; i < c.shown; i++) {
        rows[i] = arena_format(&r->arena, "%s: %s, %s", text_bare(name, c.items[i].prefix),
                               text_count(tensors, c.items[i].tensors, "tensor"),
                               text_count(elements, c.items[i].elements, "element"));
        if (!rows[i]) return error_nomem(e);
    }
    struct section *s = report_list(r, &component_table, ROWS(rows, c.shown), NULL);
    if (c.all == c.shown) return true;
    s->more = arena_format(&r->arena, "... and %" PRIu64 " more", c.all - c.shown);
    return s->more || error_nomem(e);
}
