/*
 * ledger_offered.c -- for a configuration alone, adds buffers that only some files of a model contain.
 *
 * GPT-2's causal masks, and the rotary frequencies that Llama saved in 2023, are lines of the specs that
 * depend on has(), so without a file they are absent. Counts of a file that has them include them, so the
 * ledger lists them next to the parameters, as stored in some files (TRAIT_EXTRA), by name and shape.
 */
#include "explain/ledger_internal.h"

#include "base/num.h"

static bool has_conditions(const struct spec *s)
{
    for (size_t i = 0; i < s->line_count; i++) {
        const struct tensor_line *t = s->lines[i].kind == LINE_TENSOR ? s->lines[i].tensor : NULL;
        if (t && t->kind == TENSOR_BUF && (t->when || t->optional)) return true;
    }
    return false;
}

/* Writes "transformer.h.N.attn.bias" for "transformer.h.3.attn.bias"; keeps the number of a single tensor. */
static void name_text(struct buffer *b, numel_str name, bool many)
{
    for (size_t i = 0; i < name.n; i++) {
        size_t end = i;
        while (many && (i == 0 || name.p[i - 1] == '.') && end < name.n && name.p[end] >= '0' &&
               name.p[end] <= '9')
            end++;
        bool number = end > i && end < name.n && name.p[end] == '.';
        buffer_char(b, number ? 'N' : name.p[i]);
        if (number) i = end - 1;
    }
}

/* "12 x transformer.h.N.attn.bias [1, 1, 1024, 1024], 1,048,576 each" */
NUMEL_MUST static bool describe(struct ledger *l, struct entry *n, const struct site *s, numel_str name,
                                numel_error *e)
{
    struct buffer b;
    char number[TEXT_NUMBER];
    buffer_init(&b, l->arena->memory);
    if (n->tensors > 1) buffer_format(&b, "%s x ", text_number(number, n->tensors));
    name_text(&b, name, n->tensors > 1);
    for (uint32_t i = 0; i < s->ndim; i++) buffer_format(&b, "%s%" PRIu64, i ? ", " : " [", s->dims[i]);
    if (s->ndim) buffer_char(&b, ']');
    if (n->tensors > 1) buffer_format(&b, ", %s each", text_number(number, s->elements));
    char *text = buffer_keep(&b, l->arena);
    n->described = text;
    return text || error_nomem(e);
}

/* Sites with the same line and traits share an entry. */
NUMEL_MUST static bool add_offered(struct ledger *l, const struct expansion *x, const struct site *s,
                                   numel_error *e)
{
    uint32_t traits = ledger_site_traits(l, s) | TRAIT_EXTRA;
    struct entry *n = NULL;
    uint64_t elements;
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].described && l->entries[i].line == s->line && l->entries[i].traits == traits)
            n = &l->entries[i];
    if (!n && !(n = ledger_entry(l, e))) return false;
    n->role = s->role; /* the role in the spec */
    n->traits = traits;
    n->line = s->line;
    n->tensors += site_tensors(s);
    if (!num_mul(&elements, s->elements, site_tensors(s)) || !num_add(&n->elements, n->elements, elements))
        return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the buffers do not fit in 64 bits");
    n->raw = n->full = n->elements;
    return describe(l, n, s, x->rows[s->first_row].name, e);
}

bool ledger_offered(struct ledger *l, numel_error *e)
{
    struct expand_input in = {
        .spec = l->model->spec, .config = l->model->config, .side = l->model->side, .offer = true
    };
    struct expansion *x = NULL;
    numel_error mine;
    error_clear(&mine);
    if (!has_conditions(l->model->spec)) return true;
    if (!expand_folded(&x, &in, l->arena->memory, &mine)) return mine.code != NUMEL_E_NOMEM || error_nomem(e);
    bool ok = true;
    for (size_t i = 0; ok && i < x->site_count; i++) {
        const struct site *s = &x->sites[i];
        bool some = s->kind == TENSOR_BUF && !s->counted && !s->tied && !s->extra.p && s->group == NO_GROUP;
        if (some) ok = add_offered(l, x, s, e);
    }
    expansion_free(x);
    return ok;
}
