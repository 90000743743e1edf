/*
 * browse_pane.c -- lines of text, and the facts of a node: all about a tensor, the sums of a part.
 */
#include "browse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ------------------------------------------------------------------------------------ */

void lines_free(struct lines *l)
{
    for (size_t i = 0; i < l->count; i++) free(l->at[i]);
    free(l->at);
    *l = (struct lines){ .at = NULL };
}

NUMEL_MUST static char **room_for_line(struct lines *l)
{
    size_t room = l->room ? 2 * l->room : 32;
    if (l->count < l->room) return l->at;
    char **at = realloc(l->at, room * sizeof *at);
    if (at) l->at = at, l->room = room;
    return at;
}

void lines_put(struct lines *l, const char *text, size_t n)
{
    size_t used = 0;
    char **at = room_for_line(l), *line = at ? malloc(n + 1) : NULL;
    l->failed |= !line;
    if (!line) return;
    line[0] = '\0';
    if (n) l->failed |= !put_bytes(line, n + 1, &used, text, n);
    at[l->count++] = line;
}

void lines_add(struct lines *l, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    lines_put(l, text, n < 0 ? 0 : strlen(text));
}

/* The bytes of as many whole characters as fit. */
static size_t fitting(const char *text, size_t bytes, size_t columns)
{
    size_t n = 0;
    for (; n < bytes && (columns || ((unsigned char)text[n] & 0xC0) == 0x80); n++)
        columns -= ((unsigned char)text[n] & 0xC0) != 0x80;
    return n;
}

/* Adds "head      text", and the rest of a long text below. */
static void add_text(struct lines *l, const char *head, const char *text, size_t bytes, unsigned columns)
{
    enum { HEAD = 12, LEAST = 20, MOST = 1000 };
    size_t width = columns < HEAD + LEAST ? LEAST : columns > MOST ? MOST : columns - HEAD;
    do {
        char line[HEAD + 4 * MOST + 1];
        size_t n = fitting(text, bytes, width);
        snprintf(line, sizeof line, "%-11s ", head);
        size_t used = strlen(line);
        if (!put_bytes(line, sizeof line, &used, text, n)) break;
        lines_put(l, line, used);
        head = "";
        text += n;
        bytes -= n;
    } while (bytes);
}

static void add_fact(struct lines *l, const char *head, const char *text, unsigned columns)
{
    add_text(l, head, text, strlen(text), columns);
}

static void add_number(struct lines *l, const char *head, uint64_t v)
{
    struct digits n, s;
    if (v < 1000) lines_add(l, "%-11s %s", head, browse_count(&n, v));
    else lines_add(l, "%-11s %s (%s)", head, browse_count(&n, v), browse_short(&s, v));
}

static void add_bytes(struct lines *l, uint64_t v)
{
    struct digits n, s;
    if (v < 1024) lines_add(l, "%-11s %s", "bytes", browse_count(&n, v));
    else lines_add(l, "%-11s %s (%s)", "bytes", browse_count(&n, v), browse_bytes(&s, v));
}

/* ---- details ---------------------------------------------------------------------------------- */

static void add_shape(struct lines *l, const numel_tensor *t, unsigned columns)
{
    char text[512] = "[";
    struct digits n;
    size_t used = 1;
    bool all = true;
    for (uint32_t i = 0; i < t->ndim && all; i++) {
        snprintf(n.text, sizeof n.text, "%s%llu", i ? ", " : "", (unsigned long long)t->dims[i]);
        all = put_bytes(text, sizeof text, &used, n.text, strlen(n.text));
    }
    add_fact(l, "shape", all && put_bytes(text, sizeof text, &used, "]", 1) ? text : "too long", columns);
}

static void add_escaped(struct lines *l, const char *head, numel_str text, unsigned columns)
{
    size_t n = numel_escape(NULL, 0, text.p, text.n) + 1;
    char *shown = malloc(n);
    l->failed |= !shown;
    if (!shown) return;
    numel_escape(shown, n, text.p, text.n);
    add_fact(l, head, shown, columns);
    free(shown);
}

static void add_place(struct lines *l, const struct browse_model *m, const numel_tensor *t, unsigned columns)
{
    const numel_file *f = numel_file_at(m->checkpoint, t->file);
    if (f) add_escaped(l, "file", (numel_str){ f->path, strlen(f->path) }, columns);
    if (f && t->offset != NUMEL_NOWHERE) {
        struct digits n;
        lines_add(l, "%-11s %s", "offset", browse_count(&n, t->offset));
    }
    if (f && t->offset == NUMEL_NOWHERE)
        lines_add(l, "%-11s %s", "offset", "none: joined from slices in several files");
}

static void add_known(struct lines *l, const struct browse_model *m, const numel_tensor_facts *about,
                      unsigned columns)
{
    static const char *const grounds[] = { "nothing", "its name only", "its name, shape and type" };
    numel_line line = NUMEL_INIT(numel_line);
    if (about->role.p) add_escaped(l, "role", about->role, columns);
    add_fact(l, "kind", about->kind, columns);
    if (about->layout) add_fact(l, "layout", about->layout, columns);
    add_fact(l, "statement", statement_line(m, about->code, &line) ? line.cause : about->code, columns);
    add_fact(l, "known by", grounds[about->ground], columns);
}

static void add_tensor(struct lines *l, const struct browse_model *m, const struct leaf *leaf,
                       unsigned columns)
{
    numel_tensor t = NUMEL_INIT(numel_tensor);
    numel_tensor_facts about = NUMEL_INIT(numel_tensor_facts);
    if (numel_tensor_at(m->checkpoint, leaf->tensor, &t, NULL) != NUMEL_OK ||
        numel_tensor_about(m->subject, leaf->tensor, &about, NULL) != NUMEL_OK)
        return;
    add_escaped(l, "name", t.name, columns);
    add_fact(l, "type", t.dtype->name, columns);
    add_shape(l, &t, columns);
    add_number(l, "elements", t.elements);
    if (m->counted) add_number(l, "parameters", leaf->sums[IN_PARAMETERS]);
    add_bytes(l, t.bytes);
    add_place(l, m, &t, columns);
    add_known(l, m, &about, columns);
}

void pane_details(const struct browse_models *m, const struct tree *t, uint32_t node, unsigned columns,
                  struct lines *l)
{
    const struct node *n = &t->nodes[node];
    const struct leaf *leaf = &t->leaves[n->leaf];
    if (n->tensor && leaf->tensor == NUMEL_NONE) {
        add_fact(l, "path", m->items[leaf->model].path, columns);
        add_fact(l, "unreadable", m->items[leaf->model].about, columns);
    } else if (n->tensor) {
        add_tensor(l, &m->items[leaf->model], leaf, columns);
    }
    if (n->tensor) return;
    if (node) add_text(l, "name", n->label, n->bytes, columns);
    else add_fact(l, "path", m->all.path, columns);
    add_number(l, "tensors", n->sums[TENSORS]);
    add_number(l, "elements", n->sums[IN_ELEMENTS]);
    if (m->all.counted) add_number(l, "parameters", n->sums[IN_PARAMETERS]);
    add_bytes(l, n->sums[IN_BYTES]);
    if (node == 0) add_fact(l, "verdict", numel_state_name(m->all.verdict), columns);
    if (node == 0) add_fact(l, "what it is", m->all.about, columns);
}
