/*
 * packed_told.c -- weights that ComfyUI's list in the metadata wrongly calls quantized.
 *
 * Layouts consult the list for weights that have tensors next to them. A weight that lost its scales, or was
 * never quantized, is a plain tensor that no layout checks, so the list itself is read entry by entry.
 */
#include "model/packed_internal.h"

#include "base/json_doc.h"

/* The tensor for an entry, whose name has the part's prefix; NAMES_ABSENT if it is in another part or
 * missing. */
static uint32_t tensor_told(const struct work *w, numel_str front, numel_str module)
{
    char name[LAYOUT_NAME];
    if (module.n <= front.n || memcmp(module.p, front.p, front.n) != 0) return NAMES_ABSENT;
    numel_str bare = text_from(module, front.n);
    numel_str weight = text_join(name, sizeof name, bare, text_of(".weight"), (numel_str){ NULL, 0 });
    return weight.p ? w->file->find(w->file->ctx, weight) : NAMES_ABSENT;
}

/* True if the tensor is expected and stored plain. */
static bool is_plain(const struct work *w, uint32_t tensor)
{
    return tensor != NAMES_ABSENT && w->own[tensor] != NAMES_ABSENT && !w->p->rows[w->own[tensor]].form;
}

NUMEL_MUST static bool tell(struct work *w, uint64_t weights, numel_str first, const char *format)
{
    char n[TEXT_NUMBER], name[TEXT_QUOTE], said[TEXT_QUOTE];
    if (!weights) return true;
    text_bare(name, first);
    text_bare(said, text_of(format));
    return packed_contradict(
        w, NAMES_ABSENT,
        arena_format(w->arena, "__metadata__ says that %s is stored as %s, it is not (%s weight%s)", name,
                     said, text_number(n, weights), weights == 1 ? "" : "s"));
}

bool packed_tell_told(struct work *w)
{
    const struct registry *r = w->file->registry;
    numel_str text, front = { "", 0 }, first = front;
    numel_error why = { 0 };
    const char *format = "";
    uint64_t weights = 0;
    if (!w->file->meta || !r->count || !w->file->meta(w->file->ctx, text_of("_quantization_metadata"), &text))
        return true;
    if (w->file->full && w->file->full[0].n >= r->tensors[0].name.n)
        front = text_less(w->file->full[0], r->tensors[0].name.n);
    json_value *doc = json_doc_parse(text.p, text.n, &why);
    if (!doc) return why.code != NUMEL_E_NOMEM || error_nomem(w->error);
    const json_value *layers = json_get(doc, "layers");
    for (const json_value *v = layers ? json_first(layers) : NULL; v; v = json_next(v)) {
        const char *as = json_text_of(json_get(v, "format")), *module = json_name(v);
        if (!as || !module || !is_plain(w, tensor_told(w, front, text_of(module)))) continue;
        if (weights++ == 0) first = text_of(module), format = as;
    }
    bool ok = tell(w, weights, first, format);
    json_doc_free(doc);
    return ok;
}
