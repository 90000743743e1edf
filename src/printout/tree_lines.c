/*
 * tree_lines.c -- writing a tree: the lines that torch prints, with equal neighbours in a list folded to
 * "(0-31): 32 x".
 */
#include "printout/tree.h"

enum { TREE_LINES = 20000000 };

NUMEL_MUST static struct tree_line *add(struct tree_lines *l, const struct tree_line *line, numel_error *e)
{
    if (l->count >= TREE_LINES) {
        error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "a printout of more than %d lines", TREE_LINES);
        return NULL;
    }
    if (!memory_grow(l->memory, &l->items, &l->cap, l->count + 1, sizeof *l->items, e)) return NULL;
    l->items[l->count] = *line;
    return &l->items[l->count++];
}

/* The number of equal children from `at` on. */
static uint32_t run(const struct shape *s, uint32_t at)
{
    uint32_t n = 1;
    if (!s->folds) return 1;
    while (at + n < s->count && s->children[at + n].shape == s->children[at].shape) n++;
    return n;
}

/* The tree is as deep as its template is nested: at most SPEC_DEPTH. */
NUMEL_MUST static bool put_module(struct tree_lines *l, const struct tree *t, struct tree_line line,
                                  numel_error *e)
{
    const struct shape *s = &t->shapes[line.shape];
    line.form = s->count ? LINE_OPEN : LINE_WHOLE;
    if (!add(l, &line, e)) return false;
    if (!s->count) return true;
    struct tree_line inner = { .parent = l->count - 1,
                               .depth = line.depth + 1,
                               .shape = line.shape,
                               .times = 1,
                               .form = LINE_ARGUMENTS };
    if (s->arguments.n && !add(l, &inner, e)) return false;
    for (uint32_t i = 0, n; i < s->count; i += n) {
        n = run(s, i);
        inner.child = &s->children[i];
        inner.last = &s->children[i + n - 1];
        inner.shape = s->children[i].shape;
        inner.times = n;
        if (!put_module(l, t, inner, e)) return false;
    }
    line.form = LINE_CLOSE;
    return add(l, &line, e) != NULL;
}

bool tree_lines_make(struct tree_lines *out, const struct tree *t, numel_error *e)
{
    *out = (struct tree_lines){ .memory = t->memory };
    if (t->root == NAMES_ABSENT) return true;
    if (put_module(out, t, (struct tree_line){ .shape = t->root, .times = 1 }, e)) return true;
    tree_lines_done(out);
    return false;
}

void tree_lines_done(struct tree_lines *l)
{
    memory_release(l->memory, l->items);
    l->items = NULL;
    l->count = l->cap = 0;
}

static void put_name(const struct tree_line *l, struct buffer *out)
{
    if (!l->child) return;
    buffer_char(out, '(');
    buffer_add(out, l->child->name.p, l->child->name.n);
    if (l->times > 1) {
        buffer_char(out, '-');
        buffer_add(out, l->last->name.p, l->last->name.n);
    }
    buffer_text(out, "): ");
    if (l->times > 1) buffer_format(out, "%" PRIu32 " x ", l->times);
}

void tree_line_text(const struct tree *t, const struct tree_line *l, struct buffer *out)
{
    const struct shape *s = &t->shapes[l->shape];
    if (l->form == LINE_CLOSE) {
        buffer_char(out, ')');
        return;
    }
    if (l->form != LINE_ARGUMENTS) {
        put_name(l, out);
        buffer_add(out, s->class.p, s->class.n);
        if (!s->whole) buffer_char(out, '(');
    }
    if (l->form != LINE_OPEN) buffer_add(out, s->arguments.p, s->arguments.n);
    if (l->form == LINE_WHOLE && !s->whole) buffer_char(out, ')');
}
