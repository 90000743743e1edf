/*
 * adapter_parts.c -- recognises the tensors that change one weight by their names, for each method.
 *
 * The names are data: src/data/adapters. adapter_forms.c checks the shapes of the parts, and whether they go
 * together.
 */
#include "adapter/adapter_parts_internal.h"

#include "model/meanings.h"
#include "statement/line.h"
#include "base/num.h"
#include "base/text.h"
#include "registry/prefixes.h"

#include <ctype.h>
#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* ---- names -------------------------------------------------------------------------------- */

/* PEFT prepends its own prefix to the wrapped model's names. */
static numel_str unwrapped(numel_str module)
{
    static const char *const prefixes[] = { "base_model.model.", "base_model." };
    for (size_t i = 0; i < ROWS(prefixes); i++) {
        size_t n = strlen(prefixes[i]);
        if (module.n > n && memcmp(module.p, prefixes[i], n) == 0) return text_from(module, n);
    }
    return module;
}

/* "direction.12" of a control vector is added to the output of layer 12. */
bool part_is_direction(const struct adapter *a, numel_str name)
{
    static const char stem[] = "direction.";
    size_t n = sizeof stem - 1;
    if (!a->vector || name.n <= n || memcmp(name.p, stem, n) != 0 || name.p[n] == '0') return false;
    while (n < name.n && isdigit((unsigned char)name.p[n])) n++;
    return n == name.n;
}

/* kohya and LyCORIS write a module's name without dots. Returns its length; 0 for other names. */
static size_t kohya_stem(numel_str name)
{
    const char *dot = name.n ? memchr(name.p, '.', name.n) : NULL;
    if (!dot || !memchr(name.p, '_', (size_t)(dot - name.p))) return 0;
    bool own = text_starts(name, "lora_te");
    for (uint32_t i = 0; !own && i < embedded_prefix_count; i++) {
        const struct prefix *p = &embedded_prefixes[i];
        own = p->adapter && p->text[p->bytes - 1] == '_' && prefix_is(p, name);
    }
    return own ? (size_t)(dot - name.p) : 0;
}

/* Whole differences also follow names with dots, and XLabs numbers the changes of a block. Returns the
 * length of the module's name; 0 if it has no such tail. */
static size_t dotted_stem(const struct adapter *a, numel_str name)
{
    static const char *const tails[] = { ".diff", ".diff_b", ".set_weight", ".down.weight", ".up.weight" };
    numel_str pair = name;
    if (a->control && (text_take_end(&pair, ".down") || text_take_end(&pair, ".up"))) return pair.n;
    for (size_t i = 0; i < ROWS(tails); i++) {
        if (!text_ends(name, tails[i])) continue;
        numel_str stem = text_less(name, strlen(tails[i]));
        if (i < 3 || text_ends(stem, "_lora1") || text_ends(stem, "_lora2")) return stem.n;
    }
    return 0;
}

static bool is_linear(const struct method_part *row)
{
    return !(row->flags & PART_TABLE) && row->part <= PART_MID;
}

/* Does the tail match the row? The name of an adapter, *of, and "weight" or "bias" may follow. The
 * adapter's name may be last only if the part is a parameter rather than a linear layer. */
static bool tail_is(numel_str tail, const struct method_part *row, numel_str *of)
{
    numel_str end = tail;
    if (!text_take_start(&end, row->tail)) return false;
    bool last = text_take_end(&end, ".weight") || text_take_end(&end, ".bias");
    *of = end;
    bool named = end.n > 1 && end.p[0] == '.' && text_find(end, 1, '.') == end.n;
    return end.n == 0 || (named && (last || !is_linear(row)));
}

static unsigned row_of(const struct adapter *a, numel_str tail, bool own, numel_str *of)
{
    const struct method_part *r = embedded_method_parts;
    for (; r->tail; r++) {
        bool said =
            !r->key || (json_get(a->config, r->key) && !(r->bar && json_true(json_get(a->config, r->bar))));
        if ((own || !(r->flags & PART_OWN)) && said && tail_is(tail, r, of)) break;
    }
    return (unsigned)(r - embedded_method_parts);
}

/* PEFT may give a LoRA's second matrix a bias of its own, and trains a norm's bias. Returns that bias'
 * row; the row itself if it cannot have one. */
static unsigned bias_row(unsigned row)
{
    unsigned i = 0, part = embedded_method_parts[row].part;
    bool norm = part == PART_NORM;
    if (!norm && part != PART_A && part != PART_B) return row;
    while (embedded_method_parts[i].part != (norm ? PART_NORM_B : PART_BIAS) ||
           (norm && !part_is_of(i, embedded_method_parts[row].method)))
        i++;
    return i;
}

/* Uses the role in the table of names (meaning.h), for methods whose parts are unknown here. */
static struct parted told(const struct meaning_row *row, numel_str module)
{
    struct parted p = { .module = module, .type = row ? row->writer : NULL };
    const char *role = row && row->role ? row->role : "";
    p.wrapped = strcmp(role, "adapter.base") == 0;
    if (strcmp(role, "adapter.factor") == 0) p.role = PART_FACTOR;
    else if (p.wrapped || strcmp(role, "adapter.frozen") == 0) p.role = PART_FROZEN;
    else if (p.type) p.role = PART_OTHER;
    return p;
}

/* With bias="all" PEFT saves the biases of wrapped layers; these are trained along with the change. */
static struct parted trained_bias(numel_str name)
{
    struct parted p = { .role = PART_OF_MODULE };
    while (embedded_method_parts[p.part].part != PART_DIFF_B) p.part++;
    p.module = unwrapped(text_less(name, strlen(".base_layer.bias")));
    return p;
}

/* ComfyUI's "blocks.0.diff_m" changes "blocks.0.modulation", which is not the weight of a layer. */
static struct parted changed_modulation(numel_str name)
{
    struct parted p = { .role = PART_OF_MODULE, .module = unwrapped(name) };
    while (embedded_method_parts[p.part].part != PART_DIFF_M) p.part++;
    p.type = embedded_method_parts[p.part].method;
    return p;
}

/* A part by a name whose dots have become '_'. */
static struct parted flat_part(const struct adapter *a, numel_str module, numel_str tail)
{
    struct parted p = { .role = PART_FACTOR, .module = unwrapped(module) };
    if (text_equal(tail, "alpha")) return p;
    p.part = row_of(a, tail, false, &p.of);
    p.type = embedded_method_parts[p.part].method;
    p.role = p.type ? PART_OF_MODULE : PART_NONE;
    return p;
}

/* The meaning of a tensor, cached if it is in the adapter's own registry. */
static struct meaning meant(const struct adapter *a, const numel_tensor *t)
{
    const struct registry *r = &a->ck->registry;
    bool own = r->tensors && t >= r->tensors && t < r->tensors + r->count;
    return own ? meanings_at(a->meanings, (size_t)(t - r->tensors)) : meaning_of(t->name);
}

struct parted part_of(const struct adapter *a, const numel_tensor *t)
{
    numel_str name = t->name, flat;
    struct meaning m = meant(a, t);
    const struct meaning_row *row = meaning_adapter(&m);
    size_t own = kohya_stem(name);
    if (!own) own = dotted_stem(a, name);
    size_t stem = names_flat(name, &flat);
    if (stem) return flat_part(a, (numel_str){ name.p, stem }, flat);
    stem = own ? own : row ? m.stem : name.n;
    if (a->control && text_equal(name, "lora_controlnet")) return (struct parted){ .role = PART_MARK };
    if (part_is_direction(a, name)) return (struct parted){ .role = PART_OTHER };
    numel_str tail = text_from(name, stem), module = unwrapped((numel_str){ name.p, stem });
    if (tail.n && stem) tail = text_from(tail, 1);
    struct parted p = told(row, module);
    if (own && text_equal(tail, "alpha")) p.role = PART_FACTOR;
    if (text_ends(name, ".base_layer.bias")) return trained_bias(name);
    if (text_ends(name, ".diff_m")) return changed_modulation(name);
    if (stem == 0 || tail.n == 0 || p.role == PART_FACTOR || p.role == PART_FROZEN) return p;
    text_take_end(&p.module, ".token_adapter");
    p.part = row_of(a, tail, own != 0, &p.of);
    if (!embedded_method_parts[p.part].tail) return p;
    if (text_ends(name, ".bias")) p.part = bias_row(p.part);
    const struct method_part *r = &embedded_method_parts[p.part];
    if (r->method) p.type = r->method;
    p.role = PART_OF_MODULE;
    size_t n = strlen(".weight"); /* in GGUF the module is a tensor */
    if ((r->flags & PART_TENSOR) && text_ends(p.module, ".weight") && a->ck->files[0].format == NUMEL_GGUF)
        p.module = text_less(p.module, n);
    return p;
}
