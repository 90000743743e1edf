/*
 * browse_statement.c -- what the statement has about one node of the tree.
 *
 * Of a whole model it is the report of `numel reconcile`. Of a part it is made like that one: what the formula counts of
 * the tensors in it, those that are missing included; then, by code, how far what is stored differs; the sum is what is
 * stored.
 */
#include "browse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reports ---------------------------------------------------------------------------------- */

struct writing {
    struct lines *lines;
    char line[8192];
    size_t used;
};

/* Cuts a report into lines; of a line that is too long, the rest is dropped. */
static bool write_lines(void *ctx, const void *p, size_t bytes)
{
    struct writing *w = ctx;
    const char *text = p;
    for (size_t n; bytes; text += n, bytes -= n) {
        const char *end = memchr(text, '\n', bytes);
        n = end ? (size_t)(end - text) : bytes;
        bool whole = put_bytes(w->line, sizeof w->line, &w->used, text, n);
        if (!end) return whole || !w->lines->failed;
        lines_put(w->lines, w->line, w->used);
        w->used = 0;
        n++;
    }
    return !w->lines->failed;
}

static void add_report(const struct browse_model *m, unsigned columns, struct lines *l)
{
    struct writing w = { .lines = l };
    numel_style style = NUMEL_INIT(numel_style);
    numel_report *r = NULL;
    numel_error e;
    style.width = columns;
    if (numel_report_reconcile(&r, m->subject, NULL, &e) != NUMEL_OK ||
        numel_report_write(r, &style, write_lines, &w, &e) != NUMEL_OK)
        lines_add(l, "%s", e.what);
    if (w.used) lines_put(l, w.line, w.used);
    numel_report_free(r);
}

/* ---- names of missing tensors --------------------------------------------------------------------- */

static const char *read_index(const char *p, const char *end, uint64_t *v)
{
    for (*v = 0; p < end && *p >= '0' && *p <= '9'; p++) {
        if (*v > UINT64_MAX / 10 - 1) return end;
        *v = *v * 10 + (uint64_t)(*p - '0');
    }
    return p;
}

/* Is v in "0-2,5,...,31]"? After "..." all up to the last one may be. */
static bool in_ranges(const char *p, const char *end, uint64_t v)
{
    uint64_t low = 0, high;
    bool from_before = false;
    while (p < end && *p != ']') {
        if (*p == '.' || *p == ',') {
            from_before |= *p == '.';
            p++;
            continue;
        }
        const char *next = read_index(p, end, &high);
        if (next == p) return false;
        if (!from_before) low = high;
        if (next < end && *next == '-') next = read_index(next + 1, end, &high);
        if (v >= low && v <= high) return true;
        low = high;
        p = next;
    }
    return false;
}

bool path_covers(const char *path, size_t n, numel_str name)
{
    const char *end = path + n, *at = name.p, *stop = name.p + name.n;
    while (path < end && at < stop) {
        const char *close = *path == '[' ? memchr(path, ']', (size_t)(end - path)) : NULL;
        uint64_t v;
        const char *next = close ? read_index(at, stop, &v) : at;
        if (next > at) {
            if (!in_ranges(path + 1, close + 1, v)) return false;
            path = close + 1;
            at = next;
        } else if (*path == *at || (*path == '\n' && *at == '.')) {
            path++;
            at++;
        } else {
            return false;
        }
    }
    return path == end && (at == stop || *at == '.');
}

/* ---- the part of a node ----------------------------------------------------------------------------- */

enum { CODES = 48, SHOWN = 200 };

/* Sums are unsigned: a difference is taken when it is shown. */
struct sum {
    const char *code;
    uint64_t tensors, stored, counted; /* elements: in the file, by the formula */
};

struct part {
    const struct browse_model *model;
    const struct tree *tree;
    const struct node *node;
    const char *path; /* of the node below its model */
    size_t bytes;
    enum view view;
    bool *holds; /* by tensor of the model */
    struct sum all, missing, lines[CODES];
    size_t count;
};

bool statement_line(const struct browse_model *m, const char *code, numel_line *line)
{
    numel_facts facts = NUMEL_INIT(numel_facts);
    if (numel_subject_about(m->subject, &facts, NULL) != NUMEL_OK) return false;
    for (size_t i = 0; i < facts.lines; i++)
        if (numel_line_at(m->subject, i, line, NULL) == NUMEL_OK && strcmp(line->code, code) == 0)
            return true;
    return false;
}

static void add(struct sum *s, uint64_t stored, uint64_t counted)
{
    s->tensors++;
    s->stored += stored;
    s->counted += counted;
}

static struct sum *sum_of(struct part *p, const char *code)
{
    size_t i = 0;
    while (i < p->count && strcmp(p->lines[i].code, code) != 0) i++;
    if (i >= CODES) return &p->lines[CODES - 1];
    if (i == p->count) p->lines[p->count++].code = code;
    return &p->lines[i];
}

/* An expected tensor that the formula counts; false: it does not, or there is none. */
NUMEL_MUST static bool is_counted(const struct part *p, uint32_t row, numel_expected *x)
{
    return row != NUMEL_NONE && numel_expected_at(p->model->subject, row, x, NULL) == NUMEL_OK && x->counted;
}

static void add_stored(struct part *p)
{
    for (uint32_t i = p->node->leaf; i < p->node->leaf + p->node->leaves; i++) {
        const struct leaf *leaf = &p->tree->leaves[i];
        numel_tensor_facts about = NUMEL_INIT(numel_tensor_facts);
        if (numel_tensor_about(p->model->subject, leaf->tensor, &about, NULL) != NUMEL_OK) continue;
        uint64_t stored = leaf->sums[IN_ELEMENTS], own = p->model->formula[leaf->tensor];
        p->holds[leaf->tensor] = true;
        p->all.tensors += own > 0;
        p->all.stored += stored;
        p->all.counted += own;
        if (stored != own) add(sum_of(p, about.code), stored, own);
    }
}

/* Is a missing tensor one of the node's? By type nothing is known of it. */
NUMEL_MUST static bool is_below(const struct part *p, const numel_difference *d, const numel_expected *x)
{
    if (p->view == BY_DTYPE || p->node->tensor) return false;
    return path_covers(p->path, p->bytes, p->view == BY_ROLE ? x->role : d->name);
}

static void show_difference(struct part *p, const numel_difference *d, uint64_t *shown, struct lines *l)
{
    char name[1024];
    numel_expected x = NUMEL_INIT(numel_expected);
    bool counted = is_counted(p, d->expected, &x);
    bool here =
        d->tensor != NUMEL_NONE ? p->holds[d->tensor] : d->kind == NUMEL_MISSING && is_below(p, d, &x);
    if (!here) return;
    if (d->kind == NUMEL_MISSING && counted) add(&p->missing, 0, x.elements);
    if ((*shown)++ >= SHOWN) return;
    numel_escape(name, sizeof name, d->name.p, d->name.n);
    lines_add(l, "%-11s %s", d->text, name);
}

static void add_differences(struct part *p, size_t n, struct lines *l)
{
    uint64_t shown = 0;
    for (size_t i = 0; i < n; i++) {
        numel_difference d = NUMEL_INIT(numel_difference);
        if (numel_difference_at(p->model->subject, i, &d, NULL) == NUMEL_OK)
            show_difference(p, &d, &shown, l);
    }
    if (shown > SHOWN) lines_add(l, "and %llu more", (unsigned long long)(shown - SHOWN));
}

static void show_sum(struct lines *l, const char *what, const struct sum *s, bool sign)
{
    struct digits n, number, tensors;
    bool less = s->stored < s->counted;
    uint64_t v = less ? s->counted - s->stored : s->stored - s->counted;
    snprintf(number.text, sizeof number.text, "%s%s", !sign ? "" : less ? "-" : "+", browse_count(&n, v));
    lines_add(l, "%-28s %9s %20s", what, browse_count(&tensors, s->tensors), number.text);
}

static void show_part(const struct part *p, const struct lines *differences, struct lines *l)
{
    struct sum formula = { "formula", p->all.tensors + p->missing.tensors, p->all.counted, 0 };
    struct sum stored = { "stored", p->node->leaves, p->all.stored, 0 };
    formula.stored += p->missing.counted;
    lines_add(l, "%-28s %9s %20s", "cause", "tensors", "elements");
    show_sum(l, "formula", &formula, false);
    if (p->missing.tensors) show_sum(l, "missing", &p->missing, true);
    for (size_t i = 0; i < p->count; i++) {
        numel_line line = NUMEL_INIT(numel_line);
        bool known = statement_line(p->model, p->lines[i].code, &line);
        show_sum(l, known ? line.cause : p->lines[i].code, &p->lines[i], true);
    }
    show_sum(l, "stored", &stored, false);
    if (differences->count) lines_add(l, "%s", "");
    for (size_t i = 0; i < differences->count; i++) lines_add(l, "%s", differences->at[i]);
}

/* What there is above the lines: the node's name, and why there is no formula. */
static void show_head(const struct part *p, const numel_facts *facts, struct lines *l)
{
    lines_put(l, p->node->label, p->node->bytes);
    lines_add(l, "%s", "");
    if (facts->formula != NUMEL_NOT_KNOWN) return;
    lines_add(l, "no formula: %s", facts->why_text ? facts->why_text : "the architecture is unknown");
    lines_add(l, "%s", "");
}

static void add_part(struct part *p, struct lines *l)
{
    struct lines differences = { .at = NULL };
    numel_facts facts = NUMEL_INIT(numel_facts);
    if (numel_subject_about(p->model->subject, &facts, NULL) != NUMEL_OK) return;
    p->holds = calloc(numel_tensor_count(p->model->checkpoint) + 1, sizeof *p->holds);
    l->failed |= !p->holds;
    if (!p->holds) return;
    add_stored(p);
    add_differences(p, facts.differences, &differences);
    show_head(p, &facts, l);
    show_part(p, &differences, l);
    l->failed |= differences.failed;
    lines_free(&differences);
    free(p->holds);
}

/* ---- one node ------------------------------------------------------------------------------------------ */

/* Of several independent models, a line for each. */
static void add_verdicts(const struct browse_models *m, struct lines *l)
{
    for (size_t i = 0; i < m->count; i++)
        lines_add(l, "%-10s  %s: %s",
                  m->items[i].unreadable ? "unreadable" : numel_state_name(m->items[i].verdict),
                  m->items[i].label, m->items[i].about);
}

void pane_statement(const struct browse_models *m, const struct tree *t, enum view view, uint32_t node,
                    unsigned columns, struct lines *l)
{
    const struct node *n = &t->nodes[node];
    const struct leaf *leaf = &t->leaves[n->leaf];
    const struct browse_model *model = n->leaves ? &m->items[leaf->model] : &m->all;
    bool several = m->count > 1;
    if (node == 0 && !m->all.subject) {
        add_verdicts(m, l);
    } else if (node == 0 || (several && n->parent == 0)) {
        if (node == 0) model = &m->all;
        if (model->unreadable) lines_add(l, "%s", model->about);
        else add_report(model, columns, l);
    } else {
        struct part p = { .model = model, .tree = t, .node = n, .view = view };
        p.path = leaf->path + (several ? strlen(model->label) + 1 : 0);
        p.bytes = (size_t)(n->label - p.path) + n->bytes;
        add_part(&p, l);
    }
}
