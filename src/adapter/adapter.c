/*
 * adapter.c -- groups the tensors of an adapter by the module that they change, and compares them with the
 * adapter's configuration and its base.
 *
 * The table of names (model/meaning.h) shows which part of a change a name is, and of which method. The axis
 * of the rank depends on the writer, and is found here. Each kind of mistake becomes one complaint: a
 * sentence with the number of modules it affects.
 */
#include "adapter/adapter_internal.h"

#include "model/config_file.h"
#include "base/num.h"
#include "base/number.h"
#include "base/text.h"
#include "statement/line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- names -------------------------------------------------------------------------------- */

#define ROWS(t) (sizeof(t) / sizeof *(t))

static bool is_gguf(const struct adapter *a) { return a->ck->files[0].format == NUMEL_GGUF; }

bool adapter_counts(const struct adapter *a, uint32_t tensor)
{
    struct parted p = part_of(a, &a->ck->registry.tensors[tensor]);
    bool part = p.role == PART_OF_MODULE && !a->whole_kind;
    return p.role != PART_FACTOR && p.role != PART_FROZEN && p.role != PART_MARK &&
           (!part || part_is_trained(p.part));
}

/* "q_proj" of "model.layers.0.self_attn.q_proj". A kohya name, "lora_te_layers_0_mlp_fc1", has no dots;
 * its target follows the last number. */
static numel_str target_of(numel_str module)
{
    size_t i = module.n, at = 0;
    while (i > 0 && isdigit((unsigned char)module.p[i - 1])) i--; /* "to_out.0", "net.2" */
    if (i > 0 && i < module.n && module.p[i - 1] == '.') i--;
    while (i > 0 && module.p[i - 1] != '.') i--;
    numel_str last = text_from(module, i);
    for (size_t k = 1; i == 0 && k + 2 < last.n; k++) {
        size_t d = k;
        while (d < last.n && isdigit((unsigned char)last.p[d])) d++;
        if (d > k && last.p[k - 1] == '_' && d + 1 < last.n && last.p[d] == '_') at = d + 1;
    }
    return text_from(last, at);
}

/* The part of a name before its first number: "unet.down_blocks", "lora_unet_down_blocks". */
static numel_str block_of(numel_str module)
{
    for (size_t i = 1; i + 1 < module.n; i++)
        if (strchr("._", module.p[i - 1]) && isdigit((unsigned char)module.p[i])) {
            size_t d = i;
            while (d < module.n && isdigit((unsigned char)module.p[d])) d++;
            if (d == module.n || strchr("._", module.p[d])) return text_upto(module, i - 1);
        }
    return module;
}

/* ---- modules and targets ------------------------------------------------------------------ */

static void add_rank(struct adapter_ranks *r, uint64_t rank)
{
    unsigned i = 0;
    if (r->count == 0 || rank < r->least) r->least = rank;
    if (rank > r->most) r->most = rank;
    while (i < r->count && r->items[i] < rank) i++;
    if (i < r->count && r->items[i] == rank) return;
    if (r->count == ADAPTER_RANKS) {
        r->more = true;
        return;
    }
    for (unsigned k = r->count++; k > i; k--) r->items[k] = r->items[k - 1];
    r->items[i] = rank;
}

NUMEL_MUST static bool module_number(struct adapter *a, numel_str name, uint32_t *number, numel_error *e)
{
    void *p = a->modules;
    size_t n = a->module_count;
    if (!memory_grow(a->arena->memory, &p, &a->module_cap, n + 1, sizeof *a->modules, e)) return false;
    a->modules = p;
    a->modules[n] = (struct adapter_module){ .name = name, .factor = NAMES_ABSENT };
    if (!names_reserve(&a->by_module, n + 1, e)) return false;
    *number = names_enter(&a->by_module, a->modules, n);
    a->module_count += *number == n;
    return true;
}

/* Targets and blocks both collect modules under a name. */
struct gathering {
    struct adapter_target **items;
    size_t *count, *cap;
    struct names *by;
};

NUMEL_MUST static bool target_number(struct adapter *a, const struct gathering *g, numel_str name,
                                     uint32_t *number, numel_error *e)
{
    void *p = *g->items;
    size_t n = *g->count;
    if (!memory_grow(a->arena->memory, &p, g->cap, n + 1, sizeof **g->items, e)) return false;
    *g->items = p;
    (*g->items)[n] = (struct adapter_target){ .name = name };
    if (!names_reserve(g->by, n + 1, e)) return false;
    *number = names_enter(g->by, *g->items, n);
    *g->count += *number == n;
    return true;
}

static void add_part(struct adapter *a, struct adapter_module *m, uint32_t tensor, unsigned part)
{
    uint64_t elements = part_is_trained(part) ? a->ck->registry.tensors[tensor].elements : 0;
    m->parameters += elements;
    a->paired += elements;
    if (part_is_magnitude(part)) a->magnitudes += elements;
    if (m->part_count == ADAPTER_PARTS) {
        m->full = true;
        return;
    }
    m->parts[m->part_count] = (uint8_t)part;
    m->tensors[m->part_count++] = tensor;
}

NUMEL_MUST static bool add_tensor(struct adapter *a, uint32_t i, numel_error *e)
{
    const numel_tensor *t = &a->ck->registry.tensors[i];
    struct parted p = part_of(a, t);
    bool factor = p.role == PART_FACTOR; /* a constant, not trained */
    uint32_t m;
    a->named += !a->whole_kind && !(factor && p.module.n) && p.role != PART_OF_MODULE && p.role != PART_NONE;
    if (a->whole_kind) {
        a->parameters += t->elements;
        return true;
    }
    if (p.role == PART_MARK) a->shaped++, a->named--;
    if (factor) a->factors++, a->factor_elements += t->elements;
    else if (p.role != PART_FROZEN && p.role != PART_MARK &&
             (p.role != PART_OF_MODULE || part_is_trained(p.part)))
        a->parameters += t->elements; /* cannot overflow: the registry checked the sum of all tensors */
    if (p.role == PART_NONE || p.role == PART_FROZEN) {
        if (a->whole++ == 0) a->first_whole = i;
        a->frozen += p.role == PART_FROZEN;
        a->whole_elements += t->elements;
    }
    if (!(factor && p.module.n) && p.role != PART_OF_MODULE) return true;
    if (!module_number(a, p.module, &m, e)) return false;
    if (factor) a->modules[m].factor = i;
    else add_part(a, &a->modules[m], i, p.part);
    if (p.of.p && !a->of.p) a->of = p.of;
    if (p.of.p && !text_same(p.of, a->of)) a->of_other = p.of;
    return true;
}

void adapter_fault(struct adapter *a, enum finding_rule rule, const char *text)
{
    numel_severity severity;
    const char *about;
    (void)finding_rule_at(rule, &severity, &about);
    if (!text) return;
    if (severity != NUMEL_ERROR && a->note_count < ADAPTER_NOTES) {
        a->note_rules[a->note_count] = rule;
        a->notes[a->note_count++] = text;
    }
    if (severity != NUMEL_ERROR || a->complaint_count == ADAPTER_COMPLAINTS) return;
    a->complaint_rules[a->complaint_count] = rule;
    a->complaints[a->complaint_count++] = text;
}

void adapter_disagree(struct adapter *a, const char *text)
{
    adapter_fault(a, FINDING_ADAPTER_DISAGREES, text);
}

/* A file holds one adapter. PEFT saves no adapter names, but its classes put one after each part. */
static void compare_names(struct adapter *a)
{
    const char *one = a->of_other.p ? name_shown(a->arena, a->of) : NULL;
    const char *other = one ? name_shown(a->arena, a->of_other) : NULL;
    if (other)
        adapter_disagree(a, arena_format(a->arena,
                                         "its tensors belong to two adapters: \"lora_A%s\", \"lora_A%s\"",
                                         one, other));
}

/* Reports each kind of fault once: its first module and the number of modules. */
static void measure_all(struct adapter *a)
{
    uint64_t faults[FAULT_COUNT] = { 0 };
    const char *first[FAULT_COUNT] = { NULL }, *why;
    for (size_t i = 0; i < a->module_count; i++) {
        enum module_fault f = module_measure(a, &a->modules[i], &why);
        if (empty_part(a, &a->modules[i])) continue; /* already reported by empty_tell() */
        if (f && faults[f]++ == 0) first[f] = why;
    }
    for (unsigned f = 1; f < FAULT_COUNT; f++)
        if (first[f])
            adapter_disagree(a, arena_format(a->arena, "%s (%" PRIu64 " of %zu modules)", first[f], faults[f],
                                             a->module_count));
}

NUMEL_MUST static bool gather(struct adapter *a, const struct gathering *g, const struct adapter_module *m,
                              numel_str name, uint32_t *number, numel_error *e)
{
    if (!target_number(a, g, name, number, e)) return false;
    struct adapter_target *t = &(*g->items)[*number];
    t->modules++;
    t->parameters += m->parameters;
    return num_add(&t->base, t->base, m->base) ||
           error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the sizes of the base model do not fit in 64 bits");
}

NUMEL_MUST static bool make_targets(struct adapter *a, numel_error *e)
{
    const struct gathering targets = { &a->targets, &a->target_count, &a->target_cap, &a->by_target };
    const struct gathering blocks = { &a->blocks, &a->block_count, &a->block_cap, &a->by_block };
    measure_all(a);
    for (size_t i = 0; i < a->module_count; i++) {
        struct adapter_module *m = &a->modules[i];
        if (!gather(a, &targets, m, target_of(m->name), &m->target, e) ||
            !gather(a, &blocks, m, block_of(m->name), &m->block, e))
            return false;
        if (!num_add(&a->target_base, a->target_base, m->base))
            return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                             "the sizes of the base model do not fit in 64 bits");
    }
    return true;
}

static int by_parameters(const void *a, const void *b)
{
    const struct adapter_target *x = a, *y = b;
    return (x->parameters < y->parameters) - (x->parameters > y->parameters);
}

/* ---- the configuration -------------------------------------------------------------------- */

/* PEFT's key, or MLX's. */
static const json_value *either(const struct adapter *a, const char *peft, const char *mlx)
{
    const json_value *v = json_get(a->config, peft);
    if (json_kind(v) != JSON_NULL || !mlx) return v;
    v = json_get(json_get(a->config, "lora_parameters"), mlx);
    return json_kind(v) != JSON_NULL ? v : json_get(a->config, mlx);
}

static int64_t told_rank(const struct adapter *a, const struct adapter_module *m)
{
    int64_t r = 0;
    (void)json_integer(either(a, "r", "rank"), &r);
    return said_rank(a, m, r);
}

/* PEFT stacks the ranks of experts that are targeted as parameters in one pair, r for each; the number of
 * experts may be unknown. */
static bool rank_agrees(const struct adapter *a, const struct adapter_module *m)
{
    int64_t r = told_rank(a, m);
    if (r <= 0 || m->rank == 0) return true;
    return m->experts ? m->rank / m->experts == (uint64_t)r : m->rank % (uint64_t)r == 0;
}

/* The rank of one expert. */
static uint64_t rank_of(const struct adapter *a, const struct adapter_module *m)
{
    int64_t r = m->experts ? 0 : told_rank(a, m);
    if (r > 0 && m->rank % (uint64_t)r == 0) return (uint64_t)r;
    return m->experts ? m->rank / m->experts : m->rank;
}

static void say_rank(struct adapter *a, const struct adapter_module *first, uint64_t others)
{
    const char *name = name_shown(a->arena, first->name), *each = "";
    if (first->experts > 1) each = arena_format(a->arena, " for each of %" PRIu64 " experts", first->experts);
    if (!name || !each) return;
    adapter_disagree(a, arena_format(a->arena,
                                     "%s says rank %" PRId64 ", but %s has %" PRIu64 "%s (%" PRIu64
                                     " of %zu modules differ)",
                                     a->told ? "lora_adapter_metadata" : "adapter_config.json",
                                     told_rank(a, first), name, rank_of(a, first), each, others,
                                     a->module_count));
}

/* Called twice: first for ordinary modules, then for stacked parameters, when the base or the family has
 * shown the number of experts. */
static void compare_ranks(struct adapter *a, bool parameters)
{
    uint64_t others = 0;
    struct adapter_module *first = NULL;
    bool shrink = json_get(a->config, "init_r") != NULL; /* AdaLoRA shrinks each rank by its importance */
    for (size_t i = 0; i < a->module_count; i++) {
        struct adapter_module *m = &a->modules[i];
        bool stacked = m->experts > 1 || said_lists_parameter(a, m->name);
        if (stacked != parameters) continue;
        if (!stacked) m->experts = 1;
        if (!shrink && !rank_agrees(a, m) && others++ == 0) first = m;
        if (!m->rank) continue;
        add_rank(&a->ranks, rank_of(a, m));
        add_rank(&a->targets[m->target].ranks, rank_of(a, m));
        add_rank(&a->blocks[m->block].ranks, rank_of(a, m));
    }
    if (first) say_rank(a, first, others);
}

/* Directions must all be as long as the first, and as many as the metadata states. */
static void compare_directions(struct adapter *a)
{
    const struct registry *r = &a->ck->registry;
    const struct metadata_entry *m = metadata_find(&a->ck->metadata, "controlvector.layer_count");
    uint64_t directions = 0, others = 0;
    const numel_tensor *first = NULL;
    for (uint32_t i = 0; i < r->count; i++) {
        if (!part_is_direction(a, r->tensors[i].name)) continue;
        if (directions++ == 0) first = &r->tensors[i];
        others += r->tensors[i].ndim != 1 || r->tensors[i].elements != first->elements;
    }
    const char *name = others ? name_shown(a->arena, first->name) : NULL;
    if (name)
        adapter_disagree(a, arena_format(a->arena,
                                         "%" PRIu64 " of %" PRIu64 " directions differ in length from %s",
                                         others, directions, name));
    if (m && m->type == META_U32 && m->value.u != directions)
        adapter_disagree(a, arena_format(a->arena,
                                         "controlvector.layer_count is %" PRIu64 ", but the file has %" PRIu64
                                         " directions",
                                         m->value.u, directions));
}

NUMEL_MUST static const char *metadata_text(const struct adapter *a, const char *key)
{
    const struct metadata_entry *m = metadata_find(&a->ck->metadata, key);
    return m && m->type == META_STRING ? arena_text(a->arena, m->value.s.p, m->value.s.n) : NULL;
}

/* A JSON number as text. It is a factor, never a count. NULL if it is too large for JSON, or memory runs
 * out. */
NUMEL_MUST static const char *number_text(struct adapter *a, double v)
{
    int64_t whole = v > -1e15 && v < 1e15 ? (int64_t)v : 0;
    if (!(v > -1e300 && v < 1e300)) return NULL; /* JSON cannot write such a number */
    if (!((double)whole < v) && !((double)whole > v)) return arena_format(a->arena, "%" PRId64, whole);
    char text[NUMBER_REAL];
    number_real(text, v, NUMBER_SHORT, 9);
    return arena_text(a->arena, text, strlen(text));
}

static void read_words(struct adapter *a)
{
    const char *base = json_text_of(either(a, "base_model_name_or_path", "model"));
    const json_value *alpha = either(a, said_alpha_key(a, 0), "scale");
    const struct metadata_entry *m = metadata_find(&a->ck->metadata, "adapter.lora.alpha");
    if (!base) base = metadata_text(a, "general.base_model.0.name");
    if (!base && a->vector) base = metadata_text(a, "controlvector.model_hint");
    if (base && base[0]) a->base = name_shown(a->arena, text_of(base));
    if (json_kind(alpha) == JSON_NUMBER) a->alpha = number_text(a, json_double(alpha));
    if (m && (m->type == META_F32 || m->type == META_F64)) a->alpha = number_text(a, m->value.f);
}

/* ---- all ---------------------------------------------------------------------------------- */

/* With bias="all" PEFT saves every bias of the model, often more tensors than there are changes. */
static bool is_wrapped_bias(numel_str name)
{
    return text_starts(name, "base_model.") && text_ends(name, ".bias");
}

/* Returns the method of the file, or NULL if it is a model: a wrapped one, or one whose tensors mostly
 * belong to no method. PEFT's configuration overrides this. A file with many names is sampled. */
static const char *type_of(struct adapter *a)
{
    enum { LOOKED_AT = 256 };
    const struct registry *r = &a->ck->registry;
    const char *found = NULL;
    size_t hits = 0, looked = 0, beside = 0;
    bool declared = json_get(a->config, "peft_type") != NULL;
    size_t step = declared || r->count < 2 * LOOKED_AT ? 1 : r->count / LOOKED_AT;
    for (size_t i = 0; i < r->count; i += step, looked++) {
        size_t at = i + ((looked * 2654435761U) >> 16) % step; /* parts repeat in a fixed order */
        if (at >= r->count) at = i;
        struct parted p = part_of(a, &r->tensors[at]);
        bool wrapped =
            p.wrapped && !p.type && !family_is_table(p.module); /* PEFT saves tables with their changes */
        if (wrapped && !declared && !text_ends(r->tensors[at].name, ".bias")) {
            a->wraps = true;
            return NULL;
        }
        beside += p.role == PART_FROZEN && !p.wrapped && !p.type; /* matrices that many changes share */
        beside += p.role == PART_NONE && is_wrapped_bias(r->tensors[at].name);
        hits += p.type != NULL || p.role == PART_FACTOR;
        if (!found || strcmp(found, "full") == 0) found = p.type ? p.type : found; /* norms of a LoRA */
        if (p.type && strcmp(p.type, "adalora") == 0) found = p.type; /* otherwise looks like LoRA */
    }
    bool own = hits * 2 >= looked - beside || declared;
    a->wraps = hits > 0 && !own;
    return own ? found : NULL;
}

const char *adapter_lower(struct adapter *a, const char *text)
{
    char *own = text && text[0] ? (char *)(uintptr_t)name_shown(a->arena, text_of(text)) : NULL;
    for (char *p = own; p && *p; p++) *p = (char)tolower((unsigned char)*p);
    return own;
}

static bool has_tensor(const struct adapter *a, const char *name)
{
    for (uint32_t i = 0; i < a->ck->registry.count; i++)
        if (text_equal(a->ck->registry.tensors[i].name, name)) return true;
    return false;
}

/* PhotoMaker: a LoRA together with an encoder of persons. A specification describes the whole file, so it
 * counts as a model. */
static bool holds_encoder(const struct adapter *a)
{
    return has_tensor(a, "id_encoder.visual_projection_2.weight") ||
           has_tensor(a, "id_encoder.fuse_module.layer_norm.weight");
}

static bool name_type(struct adapter *a)
{
    if (is_gguf(a)) {
        const char *arch = metadata_text(a, "general.architecture");
        const char *general = metadata_text(a, "general.type");
        a->vector = arch && strcmp(arch, "controlvector") == 0;
        if (a->vector) a->type = "control vector";
        if (a->vector || !general || strcmp(general, "adapter") != 0) return !a->arena->failed;
        a->type = adapter_lower(a, metadata_text(a, "adapter.type"));
    } else {
        a->control = has_tensor(a, "lora_controlnet");
        if (a->control) a->type = "control-lora";
        if (!a->config && !a->type) adapter_kind_find(a);
        const char *by_name = a->type || holds_encoder(a) ? NULL : type_of(a);
        if (!by_name) by_name = a->type ? NULL : empty_type(a);
        if (a->wraps) unmerged_tell(a);
        if (!by_name) return !a->arena->failed;
        a->type = adapter_lower(a, json_text_of(either(a, "peft_type", "fine_tune_type")));
        if (!a->type) a->type = by_name;
    }
    if (!a->type) a->type = "adapter";
    return !a->arena->failed;
}

NUMEL_MUST static bool read_tensors(struct adapter *a, numel_error *e)
{
    empty_tell(a);
    for (uint32_t i = 0; i < a->ck->registry.count; i++)
        if (!add_tensor(a, i, e)) return false;
    if (!make_targets(a, e)) return false;
    compare_names(a);
    compare_ranks(a, false);
    if (a->vector) compare_directions(a);
    read_words(a);
    if (!meta_alphas(a, e)) return false;
    family_find(a);
    meta_compare(a);
    kind_compare(a);
    if (a->magnitudes && strcmp(a->type, "lora") == 0) a->type = "dora";
    return !a->arena->failed || error_nomem(e);
}

/* An adapter needs no configuration. One that exists and cannot be read is a complaint: no loader would
 * load the adapter. */
NUMEL_MUST static bool read_config(struct adapter *a)
{
    const char *path;
    a->config = config_file_load(a->ck, "adapter_config.json", a->arena, &path, &a->unread);
    if (a->unread.code == NUMEL_E_NOMEM) return false;
    if (!error_free(&a->unread))
        adapter_disagree(a, arena_format(a->arena, "adapter_config.json: %s", a->unread.what));
    return !a->arena->failed;
}

static void settle_ranks(struct adapter *a)
{
    family_experts(a);
    compare_ranks(a, true);
    if (a->target_count) qsort(a->targets, a->target_count, sizeof *a->targets, by_parameters);
}

bool adapter_read(struct adapter *a, const numel_checkpoint *ck, const numel_knowledge *k,
                  struct arena *arena, numel_error *e)
{
    *a = (struct adapter){ .ck = ck, .arena = arena, .meanings = arena_alloc(arena, sizeof *a->meanings) };
    names_init(&a->by_module, arena->memory, sizeof *a->modules);
    names_init(&a->by_target, arena->memory, sizeof *a->targets);
    names_init(&a->by_block, arena->memory, sizeof *a->blocks);
    bool ok =
        a->meanings && meanings_init(a->meanings, &ck->registry, arena, e) && (is_gguf(a) || read_config(a));
    if (ok && !is_gguf(a)) meta_read(a);
    ok = ok && !arena->failed && said_open(a) && name_type(a);
    if (!ok) error_nomem(e);
    ok = ok && (!a->type || (read_tensors(a, e) && base_compare(a, k, e) && family_gaps(a, e)));
    if (ok && a->type) settle_ranks(a);
    if (ok && a->type && !proof_make(a)) ok = error_nomem(e);
    if (ok && arena->failed) ok = error_nomem(e);
    if (!ok) adapter_done(a);
    return ok;
}

void adapter_done(struct adapter *a)
{
    const numel_allocator *m = a->by_module.memory;
    if (!m) return;
    said_close(a);
    memory_release(m, a->modules);
    memory_release(m, a->targets);
    memory_release(m, a->blocks);
    names_done(&a->by_module);
    names_done(&a->by_target);
    names_done(&a->by_block);
    json_doc_free(a->config);
    json_doc_free(a->told);
    a->config = a->told = NULL;
    a->modules = NULL;
    a->targets = a->blocks = NULL;
    a->by_module.memory = NULL;
}
