/*
 * ledger.c -- makes the entries for a model with a spec: sums the stored or expected tensors of each tensor
 * line, groups equal layers into kinds, and combines sites that count alike into one entry. Other tensors in
 * a file are entered by their cause.
 */
#include "explain/ledger_internal.h"

#include "base/hash.h"
#include "base/num.h"

/* ---- traits ------------------------------------------------------------------------------- */

/* If the whole model is a tower, the "v." or "a." of its roles is ignored. */
uint32_t ledger_site_traits(const struct ledger *l, const struct site *s)
{
    bool prefixed = s->role.n > 2 && s->role.p[1] == '.';
    size_t skip = l->all_tower && prefixed ? 2 : 0;
    uint32_t traits = meaning_role_traits(text_from(s->role, skip));
    if (s->kind == TENSOR_NORM) traits |= TRAIT_NORM;
    if (s->kind == TENSOR_EMB) traits |= TRAIT_TABLE;
    if (s->part == PART_BIAS) traits |= TRAIT_BIAS;
    if (s->ndim - s->stacked < 2) traits |= TRAIT_FLAT;
    if (s->turn && !(traits & TRAIT_TOWER)) traits |= TRAIT_LAYER;
    if (s->kind == TENSOR_BUF) traits |= TRAIT_BUFFER;
    if (s->tied) traits |= TRAIT_TIED;
    if (s->extra.p) traits |= text_equal(s->extra, "mtp") ? TRAIT_MTP : TRAIT_EXTRA;
    if (s->extra.p) traits &= ~(uint32_t)TRAIT_LAYER;
    return traits;
}

static bool is_all_tower(const struct expansion *x)
{
    for (size_t i = 0; i < x->site_count; i++)
        if (x->sites[i].turn && !(meaning_role_traits(x->sites[i].role) & TRAIT_TOWER)) return false;
    return true;
}

/* The traits of a stored tensor that the model does not expect. */
static uint32_t cause_traits(enum cause c)
{
    switch (c) {
    case CAUSE_SIDECAR:
    case CAUSE_QUANT_BIAS: return TRAIT_SCALE;
    case CAUSE_BUFFER:
    case CAUSE_ROPE:
    case CAUSE_LEFTOVER: return TRAIT_BUFFER;
    case CAUSE_TIED_COPY: return TRAIT_TIED;
    case CAUSE_LORA: return TRAIT_LORA;
    case CAUSE_TOWER:
    case CAUSE_HEAD: return TRAIT_EXTRA;
    default: return TRAIT_OTHER;
    }
}

/* ---- sizes that may be mistaken for another ----------------------------------------------- */

enum { DIMENSION_NAMES = 4 };

static const char *const dimension_names[DIMENSIONS][DIMENSION_NAMES] = {
    [DIMENSION_VOCABULARY] = { "V", "vocab_size", "text_config.vocab_size" },
    [DIMENSION_WIDTH] = { "F", "intermediate_size" },
    [DIMENSION_EXPERT_WIDTH] = { "Fe", "moe_intermediate_size" },
    [DIMENSION_POSITIONS] = { "P", "max_position_embeddings", "n_positions" },
    [DIMENSION_LAYERS] = { "L", "num_hidden_layers" },
};

static const struct factor *find_factor(const struct factors *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (text_equal(f->items[i].text, name)) return &f->items[i];
    return NULL;
}

static void find_dimensions(struct ledger *l)
{
    for (int d = 0; d < DIMENSIONS; d++)
        for (int i = 0; i < DIMENSION_NAMES && dimension_names[d][i] && !l->dimensions[d].symbol; i++) {
            const struct factor *f = find_factor(&l->x->factors, dimension_names[d][i]);
            if (f) l->dimensions[d] = (struct dimension_value){ dimension_names[d][i], f->value };
        }
    int64_t layers = ledger_symbol(l, "L");
    if (layers > 0) l->dimensions[DIMENSION_LAYERS] = (struct dimension_value){ "L", layers };
}

int64_t ledger_symbol(const struct ledger *l, const char *name)
{
    const struct expansion *x = l->x;
    for (size_t i = 0; x && i < x->spec->symbol_count; i++)
        if (text_equal(x->spec->symbols[i].name, name) && x->env.is_bound[i])
            return x->env.bound[i].kind == VALUE_INT ? x->env.bound[i].i : 0;
    return 0;
}

/* ---- one site ----------------------------------------------------------------------------- */

struct sum { /* over the rows of a site */
    uint64_t tensors, elements, raw;
    numel_str name;
    bool whole; /* all exist at the expected size */
    uint32_t kind;
};

/* For a configuration alone: sums all expected tensors. */
static bool sum_expected(struct sum *sum, const struct expansion *x, const struct site *s)
{
    bool chosen = s->group == NO_GROUP || x->groups[s->group].chosen == s->alternative;
    bool beside = s->tied || s->extra.p;
    sum->name = x->rows[s->first_row].name;
    sum->whole = true;
    if (!chosen || (!s->counted && !beside)) return true;
    sum->tensors = site_tensors(s);
    return num_mul(&sum->elements, s->elements, sum->tensors) && (sum->raw = sum->elements, true);
}

/* True if some row expects the tensor, which is then in that row's entry. */
static bool is_entered(const struct model_tensor *t)
{
    return t->site && (t->cause == CAUSE_EXPECTED || t->cause == CAUSE_BUFFER ||
                       t->cause == CAUSE_TIED_COPY || t->cause == CAUSE_EXTRA);
}

/* For a file: sums the expected tensors. A tied copy that is not stored is counted as well, since some
 * people count it. */
static bool sum_found(struct sum *sum, const struct ledger *l, const struct site *s)
{
    bool fits = true;
    for (uint32_t r = s->first_row; r < s->first_row + s->rows; r++) {
        const struct model_row row = model_row(l->model, r);
        if (row.tensor == NAMES_ABSENT) continue;
        const struct model_tensor is = model_tensor(l->model, row.tensor);
        if (!is_entered(&is)) continue;
        const numel_tensor *tensor = &l->model->ck->registry.tensors[row.tensor];
        uint64_t n = row.elements;
        if (sum->tensors++ == 0) sum->name = tensor->name;
        fits = fits && num_add(&sum->elements, sum->elements, n) &&
               num_add(&sum->raw, sum->raw, tensor->elements);
    }
    if (sum->tensors == 0 && s->tied && !s->extra.p) return sum_expected(sum, l->x, s);
    sum->whole = fits && sum->tensors == s->rows && sum->elements / s->rows == s->elements &&
                 sum->elements % s->rows == 0;
    return fits;
}

/* The elements of the whole site if the factor of that name were v. */
static bool site_with(const struct ledger *l, const struct site *s, const char *name, int64_t v,
                      uint64_t *out)
{
    int64_t one;
    return poly_value_with(&l->x->factors, s->each, text_of(name), v, &one) && one >= 0 &&
           num_mul(out, (uint64_t)one, s->stack) && num_mul(out, *out, site_turns(s));
}

/* The growth of the site if a size grows by one; 0 unless it is linear. */
static uint64_t growth(const struct ledger *l, const struct site *s, const struct dimension_value *d)
{
    uint64_t at, one, two;
    if (!d->symbol || !site_with(l, s, d->symbol, d->value, &at) ||
        !site_with(l, s, d->symbol, d->value + 1, &one) || !site_with(l, s, d->symbol, d->value + 2, &two))
        return 0;
    return one >= at && two - one == one - at ? one - at : 0;
}

/* The number of experts in the tensors. Some tensors have all experts in one of their sizes. */
static uint64_t stack_of(const struct ledger *l, const struct site *s)
{
    uint64_t none, experts = l->stacked;
    bool flat = s->stack == 1 && experts > 1 && meaning_role_traits(s->role) & TRAIT_EXPERT;
    return flat && site_with(l, s, "N", 0, &none) && none == 0 ? experts : s->stack;
}

/* ---- layers ------------------------------------------------------------------------------- */

static const struct turn *outermost(const struct turn *t)
{
    while (t && t->outer) t = t->outer;
    return t;
}

uint32_t ledger_kind(struct ledger *l, const struct layer_kind *k)
{
    uint32_t i = 0;
    while (i < l->kind_count && (l->kinds[i].hash != k->hash || l->kinds[i].line != k->line)) i++;
    if (i == LEDGER_KINDS) i--;
    if (i < l->kind_count) l->kinds[i].layers += k->layers;
    else l->kinds[l->kind_count++] = *k;
    return i;
}

/* Sites of the same turn are adjacent. */
static void find_layers(struct ledger *l, struct sum *sums)
{
    const struct expansion *x = l->x;
    for (size_t i = 0; i < x->site_count;) {
        const struct turn *turn = outermost(x->sites[i].turn);
        size_t from = i;
        struct layer_kind k = { .hash = HASH_BEGIN, .traits = UINT32_MAX };
        for (; i < x->site_count && outermost(x->sites[i].turn) == turn; i++) {
            if (sums[i].tensors == 0) continue;
            k.traits &= ledger_site_traits(l, &x->sites[i]);
            k.hash = hash_number(hash_number(k.hash, x->sites[i].line), x->sites[i].part);
            k.hash = hash_number(k.hash, sums[i].elements / (turn ? turn->times : 1));
        }
        if (!turn) continue;
        k.layers = turn->times;
        k.first = turn->at;
        k.line = turn->loop->line;
        uint32_t kind = ledger_kind(l, &k);
        while (from < i) sums[from++].kind = kind;
    }
}

/* ---- entries ------------------------------------------------------------------------------ */

struct entry *ledger_entry(struct ledger *l, numel_error *e)
{
    if (!memory_grow(l->arena->memory, (void **)&l->entries, &l->cap, l->count + 1, sizeof *l->entries, e))
        return NULL;
    l->entries[l->count] = (struct entry){ .line = NO_LINE, .kind = NO_KIND, .stack = 1 };
    return &l->entries[l->count++];
}

NUMEL_MUST static struct entry *entry_for(struct ledger *l, const struct site *s, const struct sum *sum,
                                          numel_error *e)
{
    uint32_t traits = ledger_site_traits(l, s);
    uint64_t stack = stack_of(l, s);
    for (uint32_t i = l->of_line[s->line]; i; i = l->entries[i - 1].before) {
        struct entry *n = &l->entries[i - 1];
        if (n->kind == sum->kind && n->traits == traits && n->stack == stack && text_same(n->role, s->role))
            return n;
    }
    struct entry *n = ledger_entry(l, e);
    if (!n) return NULL;
    n->role = s->role;
    n->name = sum->name;
    n->traits = traits;
    n->line = s->line;
    n->before = l->of_line[s->line];
    l->of_line[s->line] = (uint32_t)l->count;
    n->kind = sum->kind;
    n->stack = stack;
    return n;
}

NUMEL_MUST static bool add_site(struct ledger *l, const struct site *s, const struct sum *sum, numel_error *e)
{
    struct entry *n = entry_for(l, s, sum, e);
    uint64_t full = sum->elements, heads = l->heads;
    if (!n) return false;
    if (sum->whole && heads && !site_with(l, s, "K", (int64_t)heads, &full)) full = sum->elements;
    bool fits = num_add(&n->elements, n->elements, sum->elements) && num_add(&n->raw, n->raw, sum->raw) &&
                num_add(&n->full, n->full, full);
    n->tensors += sum->tensors;
    for (int d = 0; sum->whole && d < DIMENSION_LAYERS; d++) n->grows[d] += growth(l, s, &l->dimensions[d]);
    return fits || error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the sums do not fit in 64 bits");
}

NUMEL_MUST static bool add_sites(struct ledger *l, numel_error *e)
{
    const struct expansion *x = l->x;
    l->of_line = arena_alloc(l->arena, x->spec->line_count * sizeof *l->of_line);
    if (!l->of_line) return error_nomem(e);
    memset(l->of_line, 0, x->spec->line_count * sizeof *l->of_line);
    struct sum *sums = memory_resize(l->arena->memory, NULL, (x->site_count + 1) * sizeof *sums);
    bool ok = sums != NULL || error_nomem(e);
    for (size_t i = 0; ok && i < x->site_count; i++) {
        sums[i] = (struct sum){ .kind = NO_KIND };
        ok = l->c ? sum_found(&sums[i], l, &x->sites[i]) : sum_expected(&sums[i], x, &x->sites[i]);
        if (!ok) error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the sums do not fit in 64 bits");
    }
    if (ok) find_layers(l, sums);
    for (size_t i = 0; ok && i < x->site_count; i++)
        if (sums[i].tensors) ok = add_site(l, &x->sites[i], &sums[i], e);
    memory_release(l->arena->memory, sums);
    return ok;
}

/* An additional layer would be of the last kind. */
static void grow_layers(struct ledger *l)
{
    uint32_t last = NO_KIND;
    for (uint32_t k = 0; k < l->kind_count; k++)
        if (l->kinds[k].traits & TRAIT_LAYER) last = k;
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].kind == last && last != NO_KIND && l->entries[i].traits & TRAIT_LAYER)
            l->entries[i].grows[DIMENSION_LAYERS] = l->entries[i].elements / l->kinds[last].layers;
}

/* ---- other tensors of a file -------------------------------------------------------------- */

NUMEL_MUST static bool add_leftover(struct ledger *l, const numel_tensor *t, enum cause cause, numel_error *e)
{
    struct entry *n = NULL;
    uint32_t traits = cause_traits(cause) | (t->ndim < 2 ? TRAIT_FLAT : 0);
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].line == NO_LINE && l->entries[i].traits == traits) n = &l->entries[i];
    if (!n) {
        if (!(n = ledger_entry(l, e))) return false;
        n->role = text_of(cause_text(cause));
        n->name = t->name;
        n->traits = traits;
    }
    n->tensors++;
    n->elements += t->elements; /* part of `stored`, which fits in 64 bits */
    n->raw = n->full = n->elements;
    return true;
}

NUMEL_MUST static bool add_leftovers(struct ledger *l, numel_error *e)
{
    for (uint32_t i = 0; i < l->model->ck->registry.count; i++) {
        const struct model_tensor t = model_tensor(l->model, i);
        if (!is_entered(&t) && !add_leftover(l, &l->model->ck->registry.tensors[i], t.cause, e)) return false;
    }
    return true;
}

static void sum_files(struct ledger *l)
{
    const numel_checkpoint *ck = l->model->ck;
    for (size_t i = 0; i < ck->file_count; i++) {
        if (!num_add(&l->data_bytes, l->data_bytes, ck->files[i].data_bytes)) l->data_bytes = 0;
        if (!num_add(&l->file_bytes, l->file_bytes, ck->files[i].bytes)) l->file_bytes = 0;
    }
    l->stored = ck->stored;
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Models with rotary positions have no position table, but calculators count one. */
NUMEL_MUST static bool find_positions(struct ledger *l, numel_error *e)
{
    static const char *const keys[] = { "max_position_embeddings", "n_positions", "n_ctx", "context_length",
                                        "text_config.max_position_embeddings" };
    enum { KEYS = sizeof keys / sizeof *keys };
    numel_str paths[KEYS];
    struct value v;
    numel_error why = { 0 }; /* for an unusable value */
    for (size_t i = 0; i < KEYS; i++) paths[i] = text_of(keys[i]);
    enum side side = config_has_json(l->model->config) ? SIDE_HF : l->model->side;
    bool found = config_value(l->model->config, l->model->spec, side, paths, KEYS, &v, &why);
    if (found && v.kind == VALUE_INT && v.i > 0) l->positions = (uint64_t)v.i;
    return why.code != NUMEL_E_NOMEM || error_nomem(e);
}

NUMEL_MUST static bool fill(struct ledger *l, numel_error *e)
{
    if (!l->x) return ledger_from_names(l, e);
    int64_t experts = ledger_symbol(l, "N");
    l->heads = (uint64_t)ledger_symbol(l, "H");
    l->stacked = experts > 0 ? (uint64_t)experts : 0;
    l->all_tower = is_all_tower(l->x);
    find_dimensions(l);
    if (!add_sites(l, e) || (l->c ? !add_leftovers(l, e) : !(ledger_scales(l, e) && ledger_offered(l, e))))
        return false;
    grow_layers(l);
    return true;
}

/* Links the entries of each role. */
NUMEL_MUST static bool chain_roles(struct ledger *l, numel_error *e)
{
    struct names roles;
    uint32_t *last = memory_resize(l->arena->memory, NULL, (l->count + 1) * sizeof *last);
    names_init_at(&roles, l->arena->memory, sizeof *l->entries, offsetof(struct entry, role));
    bool ok = last ? names_reserve(&roles, l->count, e) : error_nomem(e);
    for (uint32_t i = 0; ok && i < l->count; i++) {
        uint32_t first = names_enter(&roles, l->entries, i);
        l->entries[i].next = UINT32_MAX;
        l->entries[i].leads = first == i;
        if (first != i) l->entries[last[first]].next = i;
        last[first] = i;
    }
    names_done(&roles);
    memory_release(l->arena->memory, last);
    return ok;
}

bool ledger_make(struct ledger *l, struct handle *c, numel_error *e)
{
    uint64_t used;
    struct model *model = c->model;
    *l = (struct ledger){ .model = model,
                          .c = model->ck ? c : NULL,
                          .x = model->ck ? model->x : model_formula(model),
                          .arena = &model->arena };
    if (!fill(l, e) || !chain_roles(l, e) || !find_positions(l, e) || !experts_used(model, &used, e)) {
        ledger_done(l);
        return false;
    }
    if (l->c) sum_files(l);
    for (size_t i = 0; i < l->count; i++) {
        struct entry *n = &l->entries[i];
        if (n->traits & TRAIT_EXPERT) l->experts = num_max(l->experts, n->stack);
        if (n->raw < n->elements) n->traits |= TRAIT_PACKED;
    }
    if (used && used < l->experts) l->used = used;
    return true;
}

void ledger_done(struct ledger *l)
{
    memory_release(l->arena->memory, l->entries);
    l->entries = NULL;
    l->count = l->cap = 0;
}
