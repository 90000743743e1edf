/*
 * adapter_empty.c -- adapters without values, and models that contain an adapter: a file without tensors that
 * is declared an adapter; tensors without elements, left by DeepSpeed ZeRO-3 if weights were not gathered
 * before saving; a model as PEFT wraps it, with base_layer and both matrices.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"
#include "statement/line.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* AdaLoRA may have pruned all ranks of a weight, [0, in]; that is not a fault. */
static bool is_empty(const struct adapter *a, const numel_tensor *t)
{
    bool ranks = a->type && strcmp(a->type, "adalora") == 0 && t->ndim > 1;
    return t->elements == 0 && !ranks;
}

bool empty_part(const struct adapter *a, const struct adapter_module *m)
{
    for (unsigned i = 0; i < m->part_count; i++)
        if (is_empty(a, &a->ck->registry.tensors[m->tensors[i]])) return true;
    return false;
}

const char *empty_type(struct adapter *a)
{
    static const char *const files[] = { "adapter_model.safetensors", "pytorch_lora_weights.safetensors" };
    static const char *const keys[] = { "lora_adapter_metadata", "ss_network_module" };
    const char *told = json_text_of(json_get(a->config, "peft_type"));
    bool is = told || text_ends(meta_of(a, "modelspec.architecture"), "/lora");
    bool peft = told && text_ends(text_of(a->ck->files[0].path), files[0]);
    if (a->ck->missing || (a->ck->registry.count && !peft)) return NULL; /* perhaps a model next to it */
    for (size_t i = 0; i < ROWS(files); i++) is |= text_ends(text_of(a->ck->files[0].path), files[i]);
    for (size_t i = 0; i < ROWS(keys); i++) is |= meta_of(a, keys[i]).n > 0;
    return is ? told ? told : "lora" : NULL;
}

/* "q_proj, v_proj" */
static const char *targets_text(struct adapter *a)
{
    const json_value *v = json_get(a->config, "target_modules");
    const char *text = json_text_of(v) ? name_shown(a->arena, text_of(json_text_of(v))) : "";
    unsigned n = 0;
    for (const json_value *c = json_first(v); c && text && n < 4; c = json_next(c)) {
        const char *own = json_text_of(c) ? name_shown(a->arena, text_of(json_text_of(c))) : NULL;
        if (own) text = arena_format(a->arena, "%s%s%s", text, n++ ? ", " : "", own);
    }
    return text;
}

static void tell_no_tensors(struct adapter *a)
{
    const char *targets = targets_text(a);
    adapter_fault(
        a, FINDING_ADAPTER_EMPTY,
        "the file has no tensors: nothing was saved, and a loader would leave the base model as it is");
    if (targets && targets[0])
        adapter_disagree(
            a, arena_format(a->arena, "adapter_config.json lists %s, and none of them is there", targets));
}

void empty_tell(struct adapter *a)
{
    const struct registry *r = &a->ck->registry;
    const numel_tensor *first = NULL;
    char dims[TEXT_QUOTE];
    size_t n = 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (is_empty(a, &r->tensors[i]) && n++ == 0) first = &r->tensors[i];
    if (r->count == 0 && a->ck->missing == 0) tell_no_tensors(a);
    const char *name = first ? name_shown(a->arena, first->name) : NULL;
    if (name)
        adapter_fault(
            a, FINDING_ADAPTER_EMPTY,
            arena_format(a->arena,
                         "%s is %s, no elements (%zu of %zu tensors are empty): DeepSpeed ZeRO-3 saves "
                         "weights so that were not gathered; gather them, and save the adapter again",
                         name, text_dims(dims, first->dims, first->ndim), n, r->count));
}

/* Is the weight that the change applies to stored with it? Covers PEFT's names both with base_layer and
 * before it. */
static bool stands_beside(const struct adapter *a, numel_str name, const struct parted *p)
{
    char text[600];
    numel_str own = p->module.n ? text_span(name.p, p->module.p + p->module.n) : text_of("");
    numel_str weight = text_join(text, sizeof text, own, text_of(".weight"), text_of(""));
    return own.n && weight.p && registry_find(&a->ck->registry, weight);
}

void unmerged_tell(struct adapter *a)
{
    const struct registry *r = &a->ck->registry;
    size_t bases = 0, parts = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        struct parted p = part_of(a, &r->tensors[i]);
        bool own = text_equal(p.of, ".speech") || text_equal(p.of, ".vision"); /* Phi-4-multimodal's */
        bool part = p.role == PART_OF_MODULE && p.type && strcmp(p.type, "lora") == 0 && !own;
        bases += p.wrapped || (part && !bases && stands_beside(a, r->tensors[i].name, &p));
        parts += part && !is_empty(a, &r->tensors[i]);
    }
    a->unmerged = bases && parts;
}
