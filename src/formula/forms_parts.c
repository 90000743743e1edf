/* forms_parts.c -- names and sizes of forms; see forms_internal.h. */
#include "formula/forms_internal.h"

#include <ctype.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------ */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool forms_match(const struct form_line *l, numel_str name, numel_str *prefix, numel_str *word)
{
    size_t end = name.n;
    *word = (numel_str){ "", 0 };
    for (unsigned i = l->piece_count; i--;) {
        const struct form_piece *p = &l->pieces[i];
        size_t from = end;
        if (p->mark == FORM_TEXT) {
            if (end < p->text.n || memcmp(name.p + end - p->text.n, p->text.p, p->text.n) != 0) return false;
            end -= p->text.n;
            continue;
        }
        bool digits = p->mark == FORM_EXPERT;
        while (end && (digits ? isdigit((unsigned char)name.p[end - 1]) : is_word(name.p[end - 1]))) end--;
        if (end == from) return false;
        if (!digits) *word = text_slice(name, end, from);
    }
    *prefix = (numel_str){ name.p, end };
    return end > 0;
}

bool forms_name(struct buffer *text, const struct form_line *l, numel_str prefix, numel_str word, uint32_t e,
                numel_str *out)
{
    text->n = 0;
    buffer_add(text, prefix.p, prefix.n);
    for (unsigned i = 0; i < l->piece_count; i++) {
        const struct form_piece *p = &l->pieces[i];
        if (p->mark == FORM_TEXT) buffer_add(text, p->text.p, p->text.n);
        else if (p->mark == FORM_WORD) buffer_add(text, word.p, word.n);
        else buffer_format(text, "%" PRIu32, e);
    }
    *out = buffer_view(text);
    return !text->failed;
}

/* ---- sizes ------------------------------------------------------------------------------------ */

bool forms_value(struct form_sizes *z, uint32_t node, int64_t *out)
{
    struct value v;
    error_clear(&z->mine);
    bool ok = eval(&z->env, node, &v) && v.kind == VALUE_INT && v.i > 0;
    *out = ok ? v.i : 0;
    return ok;
}

bool forms_unify(struct form_sizes *z, uint32_t node, uint64_t size)
{
    const struct node *nodes = z->forms->base->nodes, *n = &nodes[node];
    int64_t factor = 1, known;
    if (size > INT64_MAX) return false;
    if (n->kind == NODE_MUL && nodes[n->b].kind == NODE_SYMBOL && forms_value(z, n->a, &factor))
        n = &nodes[n->b];
    if (n->kind != NODE_SYMBOL || z->env.is_bound[n->number])
        return forms_value(z, node, &known) && (uint64_t)known == size;
    if (factor < 1 || size % (uint64_t)factor) return false;
    struct value v = value_int((int64_t)size / factor);
    env_bind(&z->env, (uint32_t)n->number, &v);
    return true;
}

void forms_forget(struct form_sizes *z)
{
    memset(z->env.is_bound, 0, z->forms->base->symbol_count * sizeof *z->env.is_bound);
}

bool forms_begin(struct form_sizes *z, const struct form *f)
{
    forms_forget(z);
    for (unsigned i = 0; i < f->let_count; i++) {
        int64_t n;
        if (!forms_value(z, f->lets[i], &n)) return false;
        struct value v = value_int(n);
        env_bind(&z->env, f->let_symbols[i], &v);
    }
    return true;
}
