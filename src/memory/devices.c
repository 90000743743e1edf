/*
 * devices.c -- places layers on devices: whole layers, as llama.cpp does, or each layer split among all
 * devices.
 *
 * Whole layers: a layer's weights and its cache stay together, and the output counts as an additional last
 * layer. The last layers are offloaded, and each device gets a share in proportion to its room. Tensors
 * before the layers (token embeddings, towers) stay on the processor, and so do experts, if requested.
 *
 * Each layer on all devices (tensor parallel): a matrix is cut into one part per device; a vector is on every
 * device. Heads are never cut, so the number of devices must divide the number of heads, and must divide the
 * number of key-value heads or be a multiple of it. MLA's cache has no heads and is on every device.
 */
#include "memory/memory.h"

#include "base/num.h"
#include "base/text.h"

/* A turn of the loop over layers. */
struct place {
    uint32_t line; /* that of the loop */
    int64_t at;
    uint64_t weights, experts, cache;
};

struct split {
    struct memory *m;
    struct place *places;
    size_t count, cap, last; /* last: the latest place found, since the next is often nearby */
    uint64_t output, rest;   /* weights after the layers, and all others outside layers */
    uint64_t cut, whole;     /* weights in matrices, and in vectors */
    uint64_t heads, kv_heads;
    numel_error *e;
};

NUMEL_MUST static bool too_large(numel_error *e)
{
    return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the devices' parts do not fit in 64 bits");
}

static const struct turn *outermost(const struct turn *t)
{
    while (t && t->outer) t = t->outer;
    return t;
}

/* Searches forward from the latest place, and wraps around. */
static struct place *find_place(struct split *s, uint32_t line, int64_t at)
{
    for (size_t n = 0, i = s->last; n < s->count; n++, i = i + 1 < s->count ? i + 1 : 0) {
        const struct place *p = &s->places[i];
        if (p->at == at && (p->line == line || line == UINT32_MAX)) return &s->places[s->last = i];
    }
    return NULL;
}

static struct place *place_of(struct split *s, const struct site *site)
{
    const struct turn *t = site ? outermost(site->turn) : NULL;
    return t ? find_place(s, t->loop->line, t->at) : NULL;
}

/* ---- caches ----------------------------------------------------------------------------------- */

static struct place *place_of_cache(struct split *s, const struct expansion *x, size_t i)
{
    const struct turn *t = outermost(x->caches[i].site.turn);
    return find_place(s, t ? t->loop->line : 0, t ? t->at : -1);
}

NUMEL_MUST static bool add_cache(struct split *s, const struct expansion *x, size_t from, size_t to)
{
    const struct turn *t = outermost(x->caches[from].site.turn);
    struct layer_use use;
    if (!memory_layer(&use, x, from, to, &s->m->ask.run, s->e)) return false;
    struct place *p = place_of_cache(s, x, from);
    if (!p) {
        if (!memory_grow(s->m->arena->memory, (void **)&s->places, &s->cap, s->count + 1, sizeof *s->places,
                         s->e))
            return false;
        p = &s->places[s->count++];
        *p = (struct place){ .line = t ? t->loop->line : 0, .at = t ? t->at : -1 };
    }
    return num_add(&p->cache, p->cache, use.bytes) || too_large(s->e);
}

/* In an expansion that is not folded, each layer is separate. */
NUMEL_MUST static bool add_caches(struct split *s, const struct expansion *x)
{
    for (size_t i = 0, to; i < x->cache_count; i = to) {
        to = memory_layer_end(x, i);
        if (!add_cache(s, x, i, to)) return false;
    }
    return true;
}

/* ---- weights ---------------------------------------------------------------------------------- */

/* The layer number in a name such as "model.layers.12.mlp"; -1 if there is none. */
static int64_t layer_in(numel_str name)
{
    for (size_t i = 0; i < name.n; i++) {
        size_t k = i;
        int64_t n = 0;
        if (i && name.p[i - 1] != '.') continue;
        while (k < name.n && k < i + 9 && name.p[k] >= '0' && name.p[k] <= '9')
            n = n * 10 + (name.p[k++] - '0');
        if (k > i && k < name.n && name.p[k] == '.') return n;
    }
    return -1;
}

NUMEL_MUST static bool add_weight(struct split *s, struct place *p, numel_str role, uint64_t bytes,
                                  bool matrix)
{
    bool expert = text_starts(role, "expert."),
         head = text_starts(role, "head") || text_equal(role, "norm.final");
    uint64_t *to = p ? (expert ? &p->experts : &p->weights) : head ? &s->output : &s->rest;
    uint64_t *cut = matrix ? &s->cut : &s->whole;
    return (num_add(to, *to, bytes) && num_add(cut, *cut, bytes)) || too_large(s->e);
}

NUMEL_MUST static bool add_stored(struct split *s)
{
    const struct model *model = s->m->handle->model;
    const struct registry *r = &model->ck->registry;
    for (size_t i = 0; i < r->count; i++) {
        const char *type;
        struct model_tensor k = model_tensor(model, (uint32_t)i);
        struct place *p = place_of(s, k.site);
        numel_str role = k.role;
        numel_str name = r->tensors[i].name;
        if (!k.site) p = find_place(s, UINT32_MAX, layer_in(name));
        if (!k.site && text_holds(name, text_of("expert"))) role = text_of("expert.");
        if (!add_weight(s, p, role, memory_tensor_bytes(s->m, (uint32_t)i, &type), r->tensors[i].ndim > 1))
            return false;
    }
    return true;
}

/* Here all weights have one type. */
NUMEL_MUST static bool add_expected(struct split *s, const struct expansion *x)
{
    const struct memory_weights *w = &s->m->weights;
    uint64_t elements = w->type_count ? w->types[0].elements : 0;
    for (size_t i = 0; i < x->site_count && elements; i++) {
        const struct site *site = &x->sites[i];
        uint64_t n;
        bool chosen = site->group == NO_GROUP || x->groups[site->group].chosen == site->alternative;
        if (!site->counted || !chosen || site->tied || site->extra.p) continue;
        if (!num_mul(&n, site->elements, site_tensors(site)) || !num_mul(&n, n, w->bytes / elements))
            return too_large(s->e);
        if (!add_weight(s, place_of(s, site), site->role, n, site->ndim > 1)) return false;
    }
    return true;
}

/* ---- among devices ---------------------------------------------------------------------------- */

enum { CPU = 0 }; /* its index in memory.devices */

/* The device of a layer. The output counts as the layer after the last. */
static size_t device_of(const struct memory *m, uint64_t layer, uint64_t layers)
{
    const struct memory_ask *a = &m->ask;
    uint64_t all = layers + 1, moved = a->offloads ? num_min(a->offload, all) : all, room = 0, upto = 0;
    if (layer < all - moved) return CPU;
    for (size_t i = 0; i < a->device_count; i++) room += a->devices[i] >> 20;
    for (size_t i = 0; i < a->device_count; i++) {
        upto += a->devices[i] >> 20;
        if (upto * moved > (layer - (all - moved)) * room) return i + 1;
    }
    return a->device_count ? a->device_count : 1;
}

NUMEL_MUST static bool give(struct memory *m, size_t device, uint64_t weights, uint64_t cache,
                            uint64_t layers, numel_error *e)
{
    struct memory_device *d = &m->devices[device];
    d->layers += layers;
    return (num_add(&d->weights, d->weights, weights) && num_add(&d->cache, d->cache, cache) &&
            num_add(&d->bytes, d->weights, d->cache)) ||
           too_large(e);
}

NUMEL_MUST static bool name_devices(struct memory *m, numel_error *e)
{
    size_t n = m->ask.device_count;
    m->devices[CPU] = (struct memory_device){ .name = "cpu" };
    m->device_count = 1 + (n ? n : 1);
    for (size_t i = 1; i < m->device_count; i++) {
        const char *name = arena_format(m->arena, "gpu %zu", i - 1);
        if (!name) return error_nomem(e);
        m->devices[i] = (struct memory_device){ .name = name, .room = n ? m->ask.devices[i - 1] : 0 };
    }
    return true;
}

/* If different layers share a pool of blocks, each device has a pool for its own layers. */
NUMEL_MUST static bool pool_caches(struct split *s, const struct expansion *x)
{
    struct memory *m = s->m;
    struct expansion own = *x;
    own.caches = arena_alloc(m->arena, x->cache_count * sizeof *own.caches);
    if (!own.caches) return error_nomem(s->e);
    for (size_t d = 0; d < m->device_count; d++) {
        struct memory_device *device = &m->devices[d];
        struct cache_bytes c;
        own.cache_count = 0;
        for (size_t i = 0; i < x->cache_count; i++) {
            const struct place *p = place_of_cache(s, x, i);
            if (p && device_of(m, (uint64_t)(p - s->places), s->count) == d)
                own.caches[own.cache_count++] = x->caches[i];
        }
        if (!memory_cache(&c, &own, &m->ask.run, s->e)) return false;
        device->cache = c.bytes;
        if (!num_add(&device->bytes, device->weights, device->cache)) return too_large(s->e);
    }
    return true;
}

NUMEL_MUST static bool share_out(struct split *s, const struct expansion *x)
{
    struct memory *m = s->m;
    if (!name_devices(m, s->e)) return false;
    for (size_t i = 0; i < s->count; i++) {
        const struct place *p = &s->places[i];
        size_t d = device_of(m, i, s->count);
        if (!give(m, d, p->weights, p->cache, 1, s->e) ||
            !give(m, m->ask.cpu_experts ? CPU : d, p->experts, 0, 0, s->e))
            return false;
    }
    return give(m, device_of(m, s->count, s->count), s->output, 0, 0, s->e) &&
           give(m, CPU, s->rest, 0, 0, s->e) && (!m->cache.groups || pool_caches(s, x));
}

/* ---- each layer on all devices ---------------------------------------------------------------- */

static bool has_latent(const struct expansion *x)
{
    for (size_t i = 0; i < x->cache_count; i++)
        if (x->caches[i].line->latent) return true;
    return false;
}

static uint64_t part_of(uint64_t n, uint64_t of) { return n / of + (n % of != 0); }

NUMEL_MUST static bool share_layers(struct split *s, const struct expansion *x)
{
    struct memory *m = s->m;
    uint64_t n = m->ask.device_count, cache = m->cache.bytes;
    char heads[TEXT_COUNT];
    if (n < 2) return true;
    if (s->heads % n || (s->kv_heads % n && n % num_max(s->kv_heads, 1))) {
        bool all = s->heads % n != 0;
        text_count(heads, all ? s->heads : s->kv_heads, all ? "head" : "head of keys and values");
        m->parallel_note =
            arena_format(m->arena, "no: %s cannot be split among %" PRIu64 " devices", heads, n);
        return m->parallel_note || error_nomem(s->e);
    }
    if (!has_latent(x)) cache = part_of(cache, s->kv_heads ? num_min(n, s->kv_heads) : n);
    m->parallel = part_of(s->cut, n) + s->whole;
    if (!num_add(&m->parallel, m->parallel, cache)) return too_large(s->e);
    uint64_t tenths = (m->parallel >> 20) * 100 / 1024;
    m->parallel_note = arena_format(
        m->arena, "%" PRIu64 ".%02" PRIu64 " GiB on each: matrices in %" PRIu64 " parts%s", tenths / 100,
        tenths % 100, n, has_latent(x) ? ", what MLA keeps on each" : ", heads too");
    return m->parallel_note || error_nomem(s->e);
}

/* ---- the whole -------------------------------------------------------------------------------- */

NUMEL_MUST static bool make_split(struct split *s, const struct expansion *x)
{
    const struct memory *m = s->m;
    static const char *const heads[] = { "num_attention_heads", "n_head", "attention.head_count", NULL };
    static const char *const kv_heads[] = { "num_key_value_heads", "attention.head_count_kv", NULL };
    if (!memory_size(s->m, heads, &s->heads, s->e) || !memory_size(s->m, kv_heads, &s->kv_heads, s->e))
        return false;
    if (!s->kv_heads) s->kv_heads = s->heads;
    return add_caches(s, x) && (m->handle->ck ? add_stored(s) : add_expected(s, x)) && share_out(s, x) &&
           share_layers(s, x);
}

/* True if there are few enough sites to expand each layer. Models in use have less than a tenth of the
 * limit. */
static bool few_sites(const struct expansion *x)
{
    enum { SITES = 40000 };
    uint64_t n = 0;
    for (size_t i = 0; i < x->site_count; i++)
        if (!num_add(&n, n, site_turns(&x->sites[i]))) return false;
    return n <= SITES;
}

bool memory_split(struct memory *m, numel_error *e)
{
    struct split s = { .m = m, .e = e };
    struct expansion *x = NULL;
    numel_error why = { .code = NUMEL_OK };
    if (!m->ask.device_count && !m->ask.offloads && !m->ask.cpu_experts) return true;
    if (!memory_known(m) || m->by_name) {
        m->split_note = "not known which layers there are";
        return true;
    }
    if (!m->handle->ck && m->weights.type_count > 1) {
        m->split_note =
            "not known what a layer's weights take when they are packed (or --load bf16, unpacked)";
        return true;
    }
    if (!few_sites(m->x) || !memory_expand(m, false, &x, &why)) {
        m->split_note = "too many layers to tell apart";
        return why.code != NUMEL_E_NOMEM || error_nomem(e);
    }
    bool ok = make_split(&s, x);
    memory_release(m->arena->memory, s.places);
    expansion_free(x);
    return ok;
}
