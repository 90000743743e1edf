/*
 * others_loaded.c -- how many parameters a tensor has in a model that transformers has loaded.
 *
 * A quantizer replaces modules, and the count depends on what it keeps in them: parameters or buffers, packed
 * values or tensors with the logical shape. The rules were recorded from models that were saved and loaded
 * again (fixtures/packed/RELOADED.tsv), with transformers 5.17.
 */
#include "counters/others.h"

#include "base/text.h"
#include "model/meaning.h"

#define CODE(name) (&others_codes[OTHERS_##name])

static const numel_tensor *tensor_at(const struct others *o, uint32_t i)
{
    return &o->ck->registry.tensors[i];
}

static enum cause cause_at(const struct others *o, uint32_t i) { return model_tensor(o->c->model, i).cause; }

static bool is_packed(const struct others *o, uint32_t i)
{
    return model_tensor(o->c->model, i).fit == FIT_PACKED;
}

/* The tensor with that name, but with `end` instead of the last `cut` bytes; NULL if there is none. */
static const numel_tensor *beside(const struct others *o, numel_str name, size_t cut, const char *end)
{
    char text[600];
    numel_str other = text_join(text, sizeof text, text_less(name, cut), text_of(end), text_of(""));
    return name.n >= cut && other.p ? registry_find(&o->ck->registry, other) : NULL;
}

size_t others_last_part(numel_str name) { return text_from(name, text_head(name, '.').n).n; }

/* ---- methods --------------------------------------------------------------------------------- */

enum keeps {
    KEEPS_ALL,     /* parameters as stored, including scales */
    KEEPS_LOGICAL, /* one parameter of the logical shape */
    KEEPS_VALUES,  /* the values as stored; scales are buffers */
    KEEPS_NOTHING, /* everything is in buffers */
    KEEPS_PLAIN    /* an unknown method, so the model is loaded as if not quantized */
};

static enum keeps keeps(const struct others *o)
{
    static const struct {
        const char *method;
        enum keeps keeps;
    } methods[] = {
        { "torchao", KEEPS_LOGICAL },    { "quark", KEEPS_VALUES },   { "auto-round", KEEPS_NOTHING },
        { "auto_round", KEEPS_NOTHING }, { "modelopt", KEEPS_PLAIN },
    };
    const char *method = json_text_of(json_get(o->hub.quant, "quant_method"));
    for (size_t i = 0; method && i < sizeof methods / sizeof *methods; i++)
        if (strcmp(method, methods[i].method) == 0) return methods[i].keeps;
    return KEEPS_ALL;
}

/* True if a packed tensor's size differs from the plain weight's and no quantizer handles it. */
bool others_unread(const struct others *o)
{
    if (keeps(o) != KEEPS_PLAIN) return false;
    for (uint32_t i = 0; i < o->ck->registry.count; i++)
        if (is_packed(o, i) && tensor_at(o, i)->elements != o->base[i]) return true;
    return false;
}

/* True for quanto's tensors inside a tensor: "weight._data", "weight._scale". Scales for activations are
 * buffers. */
static bool is_quanto(const struct others *o, numel_str name)
{
    return text_glob("*.weight._*", name) || beside(o, name, others_last_part(name), "weight._data") ||
           beside(o, name, others_last_part(name), "weight._data._data");
}

/* True if compressed-tensors unpacks the tensor: experts of a class that stacks them. */
static bool is_unpacked(const struct others *o, numel_str name)
{
    const char *method = json_text_of(json_get(o->hub.quant, "quant_method"));
    return method && strcmp(method, "compressed-tensors") == 0 && text_glob("*.experts.[0-9]*", name);
}

/* Applies the method's own rule to a packed weight or to a tensor next to one; false if there is no such
 * rule. */
static bool in_its_way(const struct others *o, uint32_t i, struct taken *taken)
{
    numel_str name = tensor_at(o, i)->name;
    bool packed = cause_at(o, i) == CAUSE_EXPECTED;
    enum keeps how = is_quanto(o, name) || is_unpacked(o, name) ? KEEPS_LOGICAL : keeps(o);
    bool scaled = beside(o, name, others_last_part(name), "weight_scale"); /* 8 bits: as many elements */
    if (how == KEEPS_ALL || (packed && (how == KEEPS_VALUES || !(is_packed(o, i) || scaled)))) return false;
    *taken = (struct taken){ 0, NULL };
    if (packed && how == KEEPS_NOTHING) taken->why = CODE(GPTQ_BUFFERS);
    else if (packed) taken->n = o->base[i];
    return true;
}

/* ---- parts ------------------------------------------------------------------------------------ */

/* True for tensors that bitsandbytes keeps in an object, not in parameters. */
static bool is_quant_state(numel_str name)
{
    const struct embedded_sidecar *s = meaning_of(name).sidecar;
    return s && strncmp(s->layout, "bnb", 3) == 0;
}

/* True for layers of GPTQ and AWQ, which register everything as buffers, even the bias. */
static bool in_buffers(const struct others *o, numel_str name)
{
    return beside(o, name, others_last_part(name), "qweight") != NULL;
}

/* False for the scales of layers that are stored but not loaded (MTP). */
static bool weight_is_loaded(const struct others *o, numel_str sidecar)
{
    const numel_tensor *w = beside(o, sidecar, others_last_part(sidecar), "weight");
    if (!w) w = beside(o, sidecar, others_last_part(sidecar), "weight_packed");
    return !w || cause_at(o, (uint32_t)(w - o->ck->registry.tensors)) == CAUSE_EXPECTED;
}

/* True for gpt-oss's blocks and scales, which are dequantized on load unless there are kernels for them. */
static bool of_blocks(const struct others *o, numel_str name)
{
    return (text_ends(name, "_scales") && beside(o, name, 7, "_blocks")) || text_ends(name, "_blocks");
}

static struct taken packed_weight(const struct others *o, uint32_t i, enum others_loader by)
{
    const numel_tensor *t = tensor_at(o, i);
    if (of_blocks(o, t->name)) return (struct taken){ o->base[i], NULL };
    if (by == LOADER_TRANSFORMERS &&
        (beside(o, t->name, 0, ".quant_map") || beside(o, t->name, 0, ".absmax")))
        return (struct taken){ t->bytes * 2, NULL }; /* Params4bit: numel * 2 * bytes of storage */
    return (struct taken){ t->elements, NULL };
}

struct taken others_loaded(const struct others *o, uint32_t i, enum others_loader by)
{
    const numel_tensor *t = tensor_at(o, i);
    enum cause cause = cause_at(o, i);
    struct taken taken;
    if ((cause == CAUSE_EXPECTED || cause == CAUSE_SIDECAR) && in_its_way(o, i, &taken)) return taken;
    if (cause == CAUSE_EXPECTED) {
        if (in_buffers(o, t->name)) return (struct taken){ 0, CODE(GPTQ_BUFFERS) };
        return is_packed(o, i) ? packed_weight(o, i, by) : (struct taken){ t->elements, NULL };
    }
    if (cause != CAUSE_SIDECAR || is_quant_state(t->name) || of_blocks(o, t->name) ||
        in_buffers(o, t->name) || !weight_is_loaded(o, t->name))
        return (struct taken){ 0, NULL };
    return (struct taken){ t->elements, CODE(LOADED_SCALES) };
}
