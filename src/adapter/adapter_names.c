/*
 * adapter_names.c -- module names that few or no loaders read, and the names they stand for.
 *
 * Tools rename tensors carelessly: a wrapper's prefix remains after the component
 * ("transformer.base_model.model.x"), kohya's names gain a trailing '_', the dots around lora_down become
 * '_'. The changed modules can still be recognised, and the names are reported as faulty. Attention
 * processors, as old diffusers saved them, are still read today.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"
#include "model/meaning.h"
#include "statement/line.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* Prefixes of wrapped models, and, in names without dots, a repeated component. */
static const struct wrapper {
    const char *start;
    bool compiled;  /* by torch: adapter loaders do not strip it */
    bool component; /* a component: surplus only after another one */
} wrappers[] = {
    { "base_model.model.", false, false },
    { "base_model.", false, false },
    { "_orig_mod.", true, false },
    { "module.", true, false },
    { "unet.", false, true },
    { "transformer.", false, true },
    { "diffusion_model.", false, true },
    { "unet_", false, false },
    { "base_model_model_", false, false },
    { "text_encoder_", false, false },
    { "transformer_", false, false },
};

static const struct wrapper *wrapper_of(numel_str name)
{
    for (size_t i = 0; i < ROWS(wrappers); i++) {
        bool blocks = text_starts(name, "transformer_blocks"); /* these are modules */
        if (!blocks && text_starts(name, wrappers[i].start)) return &wrappers[i];
    }
    return NULL;
}

/* "..._to_k_", in a name without dots. */
static bool is_trailed(numel_str name)
{
    return name.n > 1 && text_last(name) == '_' && !memchr(name.p, '.', name.n);
}

numel_str names_bare(numel_str name)
{
    for (const struct wrapper *w; (w = wrapper_of(name)) != NULL;) name = text_from(name, strlen(w->start));
    return text_less(name, is_trailed(name));
}

size_t names_flat(numel_str name, numel_str *tail)
{
    static const char *const parts[] = { "lora_down", "lora_up", "lora_mid", "lora_A", "lora_B" };
    static const char *const behind[] = { ".weight", "_weight", ".default.weight", "_default_weight", "" };
    for (size_t i = 0; i < ROWS(behind); i++) {
        numel_str stem = name;
        if (!text_take_end(&stem, behind[i])) continue;
        for (size_t k = 0; k < ROWS(parts); k++) {
            numel_str front = stem;
            if (!text_take_end(&front, parts[k]) || front.n < 2 || text_last(front) != '_') continue;
            struct meaning m = meaning_of(name);
            const struct meaning_row *row = meaning_adapter(&m);
            bool other = row && row->writer && strcmp(row->writer, "lora") != 0; /* "poly_lora_A" */
            *tail = text_of(parts[k]);
            return other ? 0 : text_less(front, 1).n;
        }
    }
    bool factor = text_ends(name, "_alpha") && text_starts(name, "lora_") && !memchr(name.p, '.', name.n);
    *tail = text_of("alpha");
    return factor ? text_less(name, strlen("_alpha")).n : 0;
}

static void tell_flat(struct adapter *a)
{
    const struct registry *r = &a->ck->registry;
    const numel_tensor *first = NULL;
    uint64_t n = 0;
    numel_str tail;
    for (uint32_t i = 0; i < r->count; i++)
        if (names_flat(r->tensors[i].name, &tail) && n++ == 0) first = &r->tensors[i];
    const char *name = first ? name_shown(a->arena, first->name) : NULL;
    (void)(first && names_flat(first->name, &tail));
    const char *part = name ? arena_text(a->arena, tail.p, tail.n) : NULL;
    if (part)
        adapter_fault(a, FINDING_ADAPTER_NAMES,
                      arena_format(a->arena,
                                   "%s has '_' instead of a dot before %s (%" PRIu64
                                   " of %zu tensors): no loader finds a LoRA under these names",
                                   name, part, n, r->count));
}

static void tell_trailed(struct adapter *a)
{
    size_t n = 0;
    while (n < a->module_count && is_trailed(a->modules[n].name)) n++;
    const char *name = n && n == a->module_count ? name_shown(a->arena, a->modules[0].name) : NULL;
    if (name)
        adapter_fault(
            a, FINDING_ADAPTER_NAMES,
            arena_format(
                a->arena,
                "%s ends with an extra '_' (%zu of %zu modules): no loader finds a module under such a name",
                name, n, n));
}

/* The wrapper at the front of the name, or after its component, which is then *before. NULL if there is
 * none. */
static const struct wrapper *wrapper_in(numel_str name, numel_str *before)
{
    const struct wrapper *w = wrapper_of(name);
    numel_str rest = name;
    *before = (numel_str){ name.p, 0 };
    if (w && !w->component) return w;
    (void)family_component(&rest, false);
    *before = text_less(name, rest.n);
    return before->n ? wrapper_of(rest) : NULL;
}

/* Only for names with dots; tell_flat() and tell_trailed() cover the others. */
static void tell_wrapped(struct adapter *a)
{
    numel_str before = { NULL, 0 };
    const struct wrapper *w = NULL;
    size_t n = 0;
    for (size_t i = a->module_count; i-- > 0;) {
        const struct wrapper *own = wrapper_in(a->modules[i].name, &before);
        if (own && text_ends(text_of(own->start), ".") && (a->family || a->modules[i].based)) w = own, n++;
    }
    if (n == 0 || n < a->module_count) return;
    const char *part = before.n ? name_shown(a->arena, before) : "";
    const char *behind = part && before.n ? arena_format(a->arena, " after '%s'", part) : "";
    if (behind)
        adapter_fault(a, w->compiled ? FINDING_ADAPTER_NAMES : FINDING_ADAPTER_PREFIX,
                      arena_format(a->arena,
                                   "the names have the prefix '%s'%s (%zu of %zu modules), which %s not "
                                   "strip: they find no module under such a name; remove it",
                                   w->start, behind, n, n,
                                   w->compiled ? "adapter loaders do" : "diffusers and most others do"));
}

void names_tell(struct adapter *a)
{
    for (size_t i = 0; i < a->module_count && !a->writer; i++)
        if (text_holds(a->modules[i].name, text_of(".processor.to_")))
            a->writer = "attention processors (attn_procs), as old diffusers saved them";
    tell_flat(a);
    tell_trailed(a);
    tell_wrapped(a);
}
