/*
 * whole.c -- several models in memory at once: the components of a pipeline.
 *
 * All are loaded before the first one runs, so their weights and caches add up. They run one after another,
 * so activations are those of the largest component. In training, all wait for the gradients, so activations
 * add up, too. If one component is unknown, so is the sum.
 */
#include "memory/memory.h"

#include "base/num.h"

NUMEL_MUST static bool too_large(numel_error *e)
{
    return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the components' sums do not fit in 64 bits");
}

/* ---- caches and activations ------------------------------------------------------------------- */

bool memory_cache_of_parts(const struct memory *m, uint64_t context, uint64_t batch, struct cache_bytes *out,
                           numel_error *e)
{
    for (size_t i = 0; i < m->part_count; i++) {
        struct cache_bytes c;
        if (!memory_cache_at(&m->parts[i], context, batch, &c, e)) return false;
        for (unsigned k = 0; k < CACHE_KINDS; k++)
            if (!num_add(&out->elements[k], out->elements[k], c.elements[k])) return too_large(e);
        if (!num_add(&out->total, out->total, c.total) || !num_add(&out->bytes, out->bytes, c.bytes) ||
            !num_add(&out->fixed, out->fixed, c.fixed) || !num_add(&out->next, out->next, c.next))
            return too_large(e);
    }
    return true;
}

uint64_t memory_activations_of_parts(const struct memory *m, uint64_t context, uint64_t batch)
{
    uint64_t most = 0;
    for (size_t i = 0; i < m->part_count; i++)
        if (m->parts[i].rule) most = num_max(most, memory_activations(&m->parts[i], context, batch));
    return most;
}

/* ---- the sum ---------------------------------------------------------------------------------- */

/* Sets *to to "vae: why", unless it is already set. */
NUMEL_MUST static bool say(const char **to, const struct memory *of, const char *why, struct arena *a,
                           numel_error *e)
{
    if (*to || !why) return true;
    *to = arena_format(a, "%s: %s", of->name, why);
    return *to || error_nomem(e);
}

NUMEL_MUST static bool add_weights(struct memory *out, const struct memory *m, numel_error *e)
{
    const struct memory_weights *w = &m->weights;
    for (size_t i = 0; i < w->type_count; i++)
        if (!memory_add_type(&out->weights, &w->types[i], e)) return false;
    out->weights.known &= w->known;
    out->weights.estimated |= w->estimated;
    return say(&out->weights.note, m, w->note, out->arena, e);
}

static void add_layers(struct memory *out, const struct memory *m)
{
    for (size_t i = 0; i < m->layer_count; i++) {
        const struct cache_layers *l = &m->layers[i];
        size_t k = 0;
        while (k < out->layer_count && (out->layers[k].kind != l->kind || out->layers[k].window != l->window))
            k++;
        if (k == CACHE_LAYERS) k--;
        else if (k == out->layer_count)
            out->layers[out->layer_count++] = (struct cache_layers){ l->kind, l->window, 0 };
        out->layers[k].count += l->count;
    }
}

NUMEL_MUST static bool add_training(struct memory *out, const struct memory *m, numel_error *e)
{
    const struct memory_training *t = &m->training;
    struct memory_training *all = &out->training;
    if (!t->rule) return true;
    bool estimated = t->activation_rule && (!all->rule || all->activation_rule);
    if (!num_add(&all->trained, all->trained, t->trained) ||
        !num_add(&all->weights, all->weights, t->weights) ||
        !num_add(&all->gradients, all->gradients, t->gradients) ||
        !num_add(&all->states, all->states, t->states) ||
        !num_add(&all->activations, all->activations, t->activations))
        return too_large(e);
    all->name = t->name;
    all->rule = t->rule;
    all->activation_rule = estimated ? t->activation_rule : NULL;
    return true;
}

NUMEL_MUST static bool add_part(struct memory *out, const struct memory *m, numel_error *e)
{
    out->cache_known &= m->cache_known;
    out->diffusion |= m->diffusion;
    out->no_context |= m->diffusion;
    out->by_name |= m->by_name;
    out->inferred_layers += m->inferred_layers;
    add_layers(out, m);
    return say(&out->cache_why, m, m->cache_known ? NULL : m->cache_why, out->arena, e) &&
           add_weights(out, m, e) && add_training(out, m, e);
}

NUMEL_MUST static bool find_activations(struct memory *m, numel_error *e)
{
    const char *rule = NULL;
    for (size_t i = 0; i < m->part_count; i++) {
        if (m->parts[i].idle) continue;
        rule = m->parts[i].rule;
        if (!rule) return true;
    }
    if (!rule) return true;
    m->activations = memory_activations(m, m->ask.run.context, m->ask.run.batch);
    m->rule = arena_format(m->arena, "of the component that takes most: %s", rule);
    return m->rule || error_nomem(e);
}

/* The first component that keeps a cache between tokens. Reports show its types of keys and values. */
static const struct memory *main_part(const struct memory *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].cache.next) return &parts[i];
    return parts;
}

bool memory_whole(struct memory *out, const struct memory *parts, size_t count, const char *lacking,
                  const struct memory_ask *ask, struct arena *a, numel_error *e)
{
    *out = (struct memory){ .arena = a, .ask = *ask, .parts = parts, .part_count = count };
    if (count) out->ask.run = main_part(parts, count)->ask.run;
    else if (!lacking) lacking = "no component has weights";
    out->weights = (struct memory_weights){ .known = !lacking, .note = lacking };
    out->cache_known = !lacking;
    out->cache_why = lacking;
    for (size_t i = 0; i < count; i++)
        if (!add_part(out, &parts[i], e)) return false;
    if (!memory_cache_at(out, ask->run.context, ask->run.batch, &out->cache, e) ||
        (!lacking && !find_activations(out, e)))
        return false;
    if (ask->device_count || ask->offloads || ask->cpu_experts)
        out->split_note = "components are not split into layers: ask of one of them";
    memory_fit(out);
    return true;
}
