/*
 * packed_left.c -- compares the lists in a configuration with how weights are stored.
 *
 * A packed weight that a list excludes from the quantization contradicts the list. The reverse is a plain
 * weight that no list names although the loader would have packed it (`packs` in a layout): the loader
 * expects it packed and fills it with fresh values. Reporting it requires evidence in the file: another
 * weight of its pattern (the name without numbers) is packed, or other weights of its blocks are, if the
 * loader packs all matrices there. Heads, routers, gates, tables and tensors that are not in the loaded model
 * are never reported.
 */
#include "model/packed_internal.h"

#include "base/buffer.h"

/* ---- listed, and packed ------------------------------------------------------------------------- */

/* All weights of one list give one contradiction. */
bool packed_note_listed(struct work *w, uint32_t row, struct layout_word said)
{
    w->p->rows[row].whole = false;
    for (unsigned i = 0; i < w->listed_count; i++)
        if (strcmp(w->listed[i].said.list, said.list) == 0) return w->listed[i].weights++, true;
    if (w->listed_count == LAYOUT_WORDS)
        return packed_contradict(w, row, "a list of the configuration leaves it plain");
    w->listed[w->listed_count++] = (struct listed){ said, row, 1 };
    return true;
}

/* "model.layers.0.mlp.up_proj and 6 more" */
NUMEL_MUST static const char *and_more(struct work *w, uint32_t row, uint64_t weights)
{
    char name[TEXT_QUOTE], n[TEXT_NUMBER];
    text_bare(name, layout_module_name(w->x->rows[row].name));
    return weights == 1 ? arena_format(w->arena, "%s", name)
                        : arena_format(w->arena, "%s and %s more", name, text_number(n, weights - 1));
}

bool packed_tell_listed(struct work *w)
{
    for (unsigned i = 0; i < w->listed_count; i++) {
        const struct listed *l = &w->listed[i];
        const char *all = and_more(w, l->row, l->weights), *them = l->weights == 1 ? "it" : "them";
        const char *list = strcmp(l->said.list, ".") == 0 ? "quantization" : l->said.list;
        if (!all) return error_nomem(w->error);
        const char *text =
            l->said.plain
                ? arena_format(w->arena,
                               "%s lists %s as not quantized, the file has %s packed: take %s off the list",
                               list, all, them, them)
                : arena_format(w->arena,
                               "no group of %s includes %s, the file has %s packed: add %s to a group", list,
                               all, them, them);
        if (!packed_contradict(w, NAMES_ABSENT, text)) return false;
    }
    return true;
}

/* ---- left, and listed nowhere ------------------------------------------------------------------- */

struct known { /* patterns of packed weights, and their blocks */
    struct names index;
    numel_str *items;
    size_t count, cap;
    struct buffer buffer;
};

NUMEL_MUST static bool enter(struct work *w, struct known *k, numel_str text, bool *is_new)
{
    size_t before = k->count;
    if (!memory_grow(w->p->memory, (void **)&k->items, &k->cap, k->count + 1, sizeof *k->items, w->error) ||
        !names_reserve(&k->index, before + 1, w->error))
        return false;
    k->items[before] = text;
    *is_new = names_enter(&k->index, k->items, before) == before;
    if (*is_new) k->count++;
    return true;
}

/* "model.layers.*.mlp.up_proj". The text is in the buffer. */
static numel_str pattern_of(struct known *k, numel_str module)
{
    k->buffer.n = 0;
    text_starred(&k->buffer, module);
    return (numel_str){ k->buffer.p, k->buffer.n };
}

/* The part "model.layers.*"; empty outside blocks. */
static numel_str blocks_of(numel_str pattern)
{
    size_t n = 0;
    while (n < pattern.n && pattern.p[n] != '*') n++;
    return (numel_str){ pattern.p, n < pattern.n ? n : 0 };
}

/* Records the pattern of a packed row, and of its blocks. */
NUMEL_MUST static bool learn_row(struct work *w, struct known *k, uint32_t row)
{
    const struct packed_row *p = &w->p->rows[row];
    bool is_new = false;
    numel_str pattern = pattern_of(k, layout_module_name(w->x->rows[row].name));
    if (k->buffer.failed) return error_nomem(w->error);
    if (names_find(&k->index, k->items, pattern) != NAMES_ABSENT) return true;
    char *kept = arena_text(w->arena, pattern.p, pattern.n);
    if (!kept) return error_nomem(w->error);
    pattern.p = kept;
    numel_str blocks = blocks_of(pattern);
    /* if a class has experts as one parameter, a loader that cannot pack it never sees them */
    bool linear = blocks.n && (packed_site(w, row)->kind == TENSOR_LIN || p->form->layout->stacks);
    return enter(w, k, pattern, &is_new) && (!linear || enter(w, k, blocks, &is_new));
}

/* Records rows that differ only in their number once. */
NUMEL_MUST static bool learn(struct work *w, struct known *k)
{
    for (size_t i = 0; i < w->x->site_count; i++) {
        const struct site *s = &w->x->sites[i];
        bool known = false;
        for (uint32_t r = s->first_row; r < s->first_row + s->rows && !(known && s->counts); r++) {
            const struct packed_row *p = &w->p->rows[r];
            if (!p->form || p->value == NAMES_ABSENT) continue;
            if (!learn_row(w, k, r)) return false;
            known = true;
        }
    }
    return true;
}

/* True for matrices that every loader by blocks packs: attention and a plain feed-forward network. */
static bool is_main(numel_str role)
{
    static const char *const starts[] = { "attn.q", "attn.k", "attn.v", "attn.o", "mlp." };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (text_starts(role, starts[i])) return true;
    return false;
}

/* True for heads, routers and gates of any part, which writers exclude by their own lists. */
static bool is_kept_role(numel_str role)
{
    return text_holds(role, text_of("head")) || text_holds(role, text_of("router")) ||
           text_holds(role, text_of("gate_inp"));
}

/* True for a linear layer of the loaded model that is stored in floats, as without a quantizer. */
static bool is_left(const struct work *w, uint32_t row)
{
    const struct site *s = packed_site(w, row);
    uint32_t t = w->tensor[row];
    if (w->p->rows[row].form || t == NAMES_ABSENT || w->p->tensors[t].row != NAMES_ABSENT ||
        is_kept_role(s->role))
        return false;
    if (s->kind != TENSOR_LIN || s->tied || !s->counted || s->extra.p || s->ndim != 2 || s->dims[0] < 2 ||
        s->dims[1] < 2)
        return false;
    const numel_tensor *is = &w->file->registry->tensors[t];
    return packed_shape_of(s, w->x->rows[row].name) == SHAPE_LINEAR && packed_plain_type(is) &&
           packed_same_dims(s->dims, s->ndim, is->dims, is->ndim);
}

/* True if the file shows that the loader packs similar weights. *same: one of the same pattern is packed. */
static bool has_witness(struct work *w, struct known *k, uint32_t row, bool *same)
{
    numel_str pattern = pattern_of(k, layout_module_name(w->x->rows[row].name));
    numel_str blocks = blocks_of(pattern);
    *same = !k->buffer.failed && names_find(&k->index, k->items, pattern) != NAMES_ABSENT;
    return *same || (blocks.n && names_find(&k->index, k->items, blocks) != NAMES_ABSENT);
}

static const struct layout_rule_of_loader *loader_of(const struct work *w, const struct layout *l)
{
    for (unsigned i = 0; i < w->candidate_count; i++)
        if (w->candidates[i] == l) return w->loaders[i];
    return NULL;
}

/* True if the loader of this form's layout would have packed the row. */
static bool would_pack(const struct work *w, const struct layout_form *f, uint32_t row, bool same)
{
    const struct site *s = packed_site(w, row);
    const struct tensor_line *line = w->x->spec->lines[s->line].tensor;
    const struct layout_rule_of_loader *rule = loader_of(w, f->layout);
    if (!rule || f->contradiction || packed_keeps(f->layout, s->role)) return false;
    return same || (!(line && line->transposed) && (rule->packs == PACKS_LINEARS || is_main(s->role)));
}

static bool is_named_alike(const struct work *w, uint32_t row)
{
    bool yes = false;
    for (unsigned i = 0; i < w->candidate_count && !yes; i++)
        yes = layout_names_alike(w->candidates[i], &w->lists[i], layout_module_name(w->x->rows[row].name));
    return yes;
}

/* Sets *list to the list that should name the row; NULL: no contradiction. */
NUMEL_MUST static bool ask(struct work *w, uint32_t row, bool same, const char **list)
{
    struct layout_module m;
    struct layout_word said;
    *list = NULL;
    if (!packed_module(w, row, &m)) return true;
    if (!packed_said(w, row, SHAPE_LINEAR, &m, &said)) return false;
    if (said.plain || said.soft || said.outside || said.unkeyed || is_named_alike(w, row)) return true;
    const struct sized *sized = packed_sized(w, &m, SHAPE_LINEAR, true);
    if (!sized) return false;
    for (size_t i = 0; i < sized->forms.count && !*list; i++)
        if (would_pack(w, &sized->forms.items[i], row, same))
            *list = loader_of(w, sized->forms.items[i].layout)->list;
    return true;
}

bool packed_tell_left(struct work *w)
{
    struct known k = { .count = 0 };
    const char *first = NULL;
    struct listed l = { .weights = 0 };
    names_init(&k.index, w->p->memory, sizeof *k.items);
    buffer_init(&k.buffer, w->p->memory);
    bool ok = !w->declared || learn(w, &k), same;
    for (uint32_t r = 0; ok && k.count && r < w->x->row_count; r++) {
        const char *list = NULL;
        if (!is_left(w, r) || !has_witness(w, &k, r, &same)) continue;
        ok = ask(w, r, same, &list);
        if (list && !l.weights++) l.row = r, first = list;
    }
    names_done(&k.index);
    buffer_done(&k.buffer);
    memory_release(w->p->memory, k.items);
    if (!ok || !l.weights) return ok;
    const char *all = and_more(w, l.row, l.weights), *them = l.weights == 1 ? "it" : "them";
    if (!all) return error_nomem(w->error);
    return packed_contradict(
        w, NAMES_ABSENT,
        arena_format(w->arena,
                     "%s does not list %s as not quantized, the file has %s plain: add %s to the list", first,
                     all, them, them));
}
