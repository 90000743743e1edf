/*
 * browse_load.c -- opens and judges models, and lists their tensors for a view of the tree.
 *
 * A path of a view is what divides the tensors in it, then their names:
 *
 *   layers    model.layers.[0-31] \n mlp.up.weight \t model.layers.0.mlp.up.weight
 *   tensors   model.layers.0.mlp.up.weight
 *   types     F16 \n model.layers.0.mlp.up.weight
 *   roles     ffn.up \t model.layers.0.mlp.up.weight
 *
 * Among several models, the label of one and a '\n' come first.
 */
#include "browse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening -------------------------------------------------------------------------------- */

struct opening {
    struct browse_models *models;
    const struct options *options;
    const numel_options *library;
    size_t room, subjects;
};

NUMEL_MUST static char *escape_str(numel_str s)
{
    size_t n = numel_escape(NULL, 0, s.p, s.n) + 1;
    char *out = malloc(n);
    if (out) numel_escape(out, n, s.p, s.n);
    return out;
}

NUMEL_MUST static char *escaped(const char *text) { return escape_str((numel_str){ text, strlen(text) }); }

/* A new last model; NULL: out of memory. */
NUMEL_MUST static struct browse_model *add_model(struct opening *o)
{
    struct browse_models *m = o->models;
    if (m->count == o->room) {
        size_t room = o->room ? 2 * o->room : 8;
        struct browse_model *items = realloc(m->items, room * sizeof *items);
        if (!items) return NULL;
        m->items = items;
        o->room = room;
    }
    m->items[m->count] = (struct browse_model){ .subject = NULL };
    return &m->items[m->count++];
}

/* "llama, agrees"; with a cause, "llama, incomplete: 3 of 4 shards are missing". */
NUMEL_MUST static bool describe(struct browse_model *one, const numel_judgement *j)
{
    const char *kind = numel_subject_kind_name(j->kind), *of = j->architecture ? j->architecture : j->name;
    char text[2048];
    size_t used = 0;
    const char *parts[] = { of ? of : kind, j->cause_count ? ": " : "",
                            j->cause_count ? j->causes[0].text : "" };
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!put_bytes(text, sizeof text, &used, parts[i], strlen(parts[i]))) break;
    one->verdict = j->verdict;
    one->about = escaped(text);
    return one->about != NULL;
}

/* Adds what the formula counts under another spelling of the specification than the one it chose. */
NUMEL_MUST static bool count_spelled(struct browse_model *one)
{
    for (size_t i = 0; i < numel_tensor_count(one->checkpoint); i++) {
        numel_tensor_facts about = NUMEL_INIT(numel_tensor_facts);
        numel_expected x = NUMEL_INIT(numel_expected);
        if (one->formula[i]) continue;
        if (numel_tensor_about(one->subject, i, &about, NULL) != NUMEL_OK) return false;
        bool is = strcmp(about.code, "formula") == 0 || strcmp(about.code, "packed") == 0;
        if (!is || about.expected == NUMEL_NONE) continue;
        if (numel_expected_at(one->subject, about.expected, &x, NULL) != NUMEL_OK) return false;
        one->formula[i] = x.elements;
    }
    return true;
}

/* Finds what the formula counts as each tensor. Several expected tensors may be one that is stored. */
NUMEL_MUST static bool count(struct browse_model *one)
{
    numel_counts n = NUMEL_INIT(numel_counts);
    numel_facts facts = NUMEL_INIT(numel_facts);
    one->formula = calloc(numel_tensor_count(one->checkpoint) + 1, sizeof *one->formula);
    if (!one->formula || numel_subject_counts(one->subject, &n, NULL) != NUMEL_OK ||
        numel_subject_about(one->subject, &facts, NULL) != NUMEL_OK)
        return false;
    one->counted = n.parameters != NUMEL_NOT_KNOWN;
    for (size_t i = 0; i < facts.expected; i++) {
        numel_expected x = NUMEL_INIT(numel_expected);
        if (numel_expected_at(one->subject, i, &x, NULL) != NUMEL_OK) return false;
        if (x.counted && x.tensor != NUMEL_NONE) one->formula[x.tensor] += x.elements;
    }
    return count_spelled(one);
}

/* The label of a model that shares its file with others: its name, with a number if it is not the first one of it. */
NUMEL_MUST static char *own_label(const struct browse_models *m, const numel_judgement *j)
{
    const char *name = !j ? "unreadable" : j->name ? j->name : numel_subject_kind_name(j->kind);
    char text[256];
    bool other = false;
    for (size_t i = 0; i + 1 < m->count; i++) other |= strcmp(name, m->items[i].path) == 0;
    if (!other) return escaped(name);
    snprintf(text, sizeof text, "%s %zu", name, m->count);
    return escaped(text);
}

/* Judges a model, whose path is known or else its name is its path. One that cannot be read is listed with the
 * reason. */
NUMEL_MUST static bool add_subject(struct opening *o, numel_subject *s, const char *path, numel_error *e)
{
    const numel_judgement *j = NULL;
    struct browse_model *one = add_model(o);
    if (!one) {
        numel_subject_close(s);
        return false;
    }
    one->subject = s;
    bool read = s && numel_subject_checkpoint(s, &one->checkpoint, e) == NUMEL_OK &&
                numel_subject_judge(s, &j, e) == NUMEL_OK;
    one->label = one->path = path ? escaped(path) : own_label(o->models, read ? j : NULL);
    one->unreadable = !read;
    one->verdict = NUMEL_STATE_DAMAGED;
    o->models->unreadable += !read;
    if (!read) one->about = escaped(e->what);
    return one->path && (read ? describe(one, j) && count(one) : one->about != NULL);
}

/* Adds the models of a whole. Those in one file, whose path is `file`, have none of their own. */
NUMEL_MUST static bool add_members(struct opening *o, numel_subject *whole, size_t n, const char *file,
                                   numel_error *e)
{
    o->models->wholes[o->models->whole_count++] = whole;
    for (size_t i = 0; i < n; i++) {
        numel_subject *s = NULL;
        const numel_checkpoint *ck = NULL;
        const char *path = e->file;
        if (numel_subject_member(&s, whole, i, e) == NUMEL_OK &&
            numel_subject_checkpoint(s, &ck, e) == NUMEL_OK)
            path = strcmp(numel_path(ck), file) == 0 ? NULL : numel_path(ck);
        if (!add_subject(o, s, path, e)) return false;
    }
    return true;
}

/* Adds the i-th checkpoint found, or the models of which it is the first. */
NUMEL_MUST static bool add_found(struct opening *o, size_t i, numel_error *e)
{
    numel_subject *s = NULL;
    size_t members = 0;
    const char *path = numel_found_path(o->models->found, i);
    if (numel_subject_at(&s, o->models->found, i, &o->options->knowledge, o->library, e) != NUMEL_OK ||
        numel_subject_members(s, &members, e) != NUMEL_OK)
        members = 0;
    const char *file = numel_found_components(o->models->found, i) ? "" : path;
    return members ? add_members(o, s, members, file, e) : add_subject(o, s, path, e);
}

/* What is said of several: a judgement if they are one whole. */
NUMEL_MUST static bool describe_all(struct opening *o, const char *path, numel_error *e)
{
    struct browse_models *m = o->models;
    const numel_judgement *j = NULL;
    struct browse_model *all = &m->all;
    char text[64];
    bool one = m->count == 1, whole = !one && o->subjects == 1 && m->whole_count == 1;
    if (!(all->path = escaped(path))) return false;
    all->counted = true;
    for (size_t i = 0; i < m->count; i++) all->counted &= m->items[i].counted;
    if (one) {
        all->subject = m->items[0].subject;
        all->verdict = m->items[0].verdict;
        return (all->about = escaped(m->items[0].about)) != NULL;
    }
    if (whole && numel_subject_judge(m->wholes[0], &j, e) == NUMEL_OK) {
        all->subject = m->wholes[0];
        return describe(all, j);
    }
    for (size_t i = 0; i < m->count; i++)
        if (m->items[i].verdict > all->verdict) all->verdict = m->items[i].verdict;
    snprintf(text, sizeof text, "%zu models: the worst of them", m->count);
    return (all->about = escaped(text)) != NULL;
}

/* Labels lose the folder that all have in common. */
static void shorten_labels(struct browse_models *m)
{
    size_t common = m->count > 1 ? strlen(m->items[0].path) : 0;
    for (size_t i = 1; i < m->count; i++) {
        size_t n = 0;
        while (n < common && m->items[i].path[n] == m->items[0].path[n]) n++;
        common = n;
    }
    while (common && m->items[0].path[common - 1] != '/') common--;
    for (size_t i = 0; i < m->count; i++) m->items[i].label += common;
}

NUMEL_MUST static bool open_all(struct opening *o, const char *path, numel_error *e)
{
    struct browse_models *m = o->models;
    size_t n = numel_found_count(m->found);
    m->wholes = calloc(n + 1, sizeof *m->wholes);
    if (!m->wholes) return false;
    for (size_t i = 0, parts; i < n; i += parts ? parts : 1) {
        parts = numel_found_components(m->found, i);
        o->subjects++;
        if (!add_found(o, i, e)) return false;
    }
    shorten_labels(m);
    return describe_all(o, path, e);
}

int models_open(struct browse_models *m, const struct options *o)
{
    struct timespec started = { 0, 0 };
    numel_options library = o->library;
    struct opening opening = { .models = m, .options = o, .library = &library };
    numel_error e = { .code = NUMEL_OK, .offset = NUMEL_NOWHERE };
    *m = (struct browse_models){ .found = NULL };
    if (progress_shown(o)) library.progress = progress_bar;
    library.progress_ctx = &started;
    if (numel_find(&m->found, o->args[0], &library, &e) != NUMEL_OK) return output_refused(o, o->args[0], &e);
    if (!open_all(&opening, o->args[0], &e)) return out_of_memory(o);
    if (m->unreadable < m->count || !m->count) return EXIT_AGREE;
    return output_refused(o, o->args[0], &e);
}

void models_close(struct browse_models *m)
{
    for (size_t i = 0; i < m->count; i++) {
        numel_subject_close(m->items[i].subject);
        free(m->items[i].path);
        free(m->items[i].about);
        free(m->items[i].formula);
    }
    for (size_t i = 0; i < m->whole_count; i++) numel_subject_close(m->wholes[i]);
    free(m->items);
    free(m->wholes);
    free(m->all.path);
    free(m->all.about);
    numel_found_free(m->found);
}

/* ---- paths ------------------------------------------------------------------------------------ */

/* What tensors of a model are listed with. */
struct listing {
    struct tree *tree;
    const struct browse_model *model;
    uint32_t number;
    enum view view;
    const char *prefix; /* the model's label, or "" */
    char **groups;      /* by group, its path in the tree of layers */
    size_t group_count;
    uint32_t rank; /* of its first group */
};

/* Joins texts, each with what follows it. */
NUMEL_MUST static char *joined(const char *a, const char *between, const char *b)
{
    size_t room = strlen(a) + strlen(between) + strlen(b) + 1, used = 0;
    char *out = malloc(room);
    if (out && put_bytes(out, room, &used, a, strlen(a)) &&
        put_bytes(out, room, &used, between, strlen(between)) && put_bytes(out, room, &used, b, strlen(b)))
        return out;
    free(out);
    return NULL;
}

/* The path of each group is that of the last one a level above, and its name. */
NUMEL_MUST static bool list_groups(struct listing *l)
{
    numel_facts facts = NUMEL_INIT(numel_facts);
    enum { DEEP = 128 };
    const char *above[DEEP + 1] = { l->prefix };
    if (numel_subject_about(l->model->subject, &facts, NULL) != NUMEL_OK) return false;
    l->groups = calloc(facts.groups + 1, sizeof *l->groups);
    if (!l->groups) return false;
    for (l->group_count = 0; l->group_count < facts.groups; l->group_count++) {
        numel_group g = NUMEL_INIT(numel_group);
        if (numel_group_at(l->model->subject, l->group_count, &g, NULL) != NUMEL_OK) return false;
        uint32_t level = g.level < DEEP ? g.level : DEEP - 1;
        if (!above[level]) return false;
        char *path = joined(above[level], above[level][0] ? "\n" : "", g.name);
        if (!path) return false;
        l->groups[l->group_count] = path;
        above[level + 1] = path;
    }
    return true;
}

/* What a view puts before the name of a tensor, and between them. */
NUMEL_MUST static char *above_of(const struct listing *l, const numel_tensor *t,
                                 const numel_tensor_facts *about, const char **between)
{
    const char *part = "";
    char *role = NULL, *out;
    if (l->view == BY_LAYER && about->group < l->group_count) {
        *between = "\t";
        return joined(l->groups[about->group], "", "");
    }
    if (l->view == BY_DTYPE) part = t->dtype->name;
    if (l->view == BY_ROLE)
        part = role = about->role.p ? escape_str(about->role) : joined("(no role)", "", "");
    if (!part) return NULL;
    *between = l->view == BY_ROLE ? "\t" : part[0] || l->prefix[0] ? "\n" : "";
    out = joined(l->prefix, l->prefix[0] && part[0] ? "\n" : "", part);
    free(role);
    return out;
}

NUMEL_MUST static bool add_leaf(struct listing *l, uint32_t i)
{
    numel_tensor t = NUMEL_INIT(numel_tensor);
    numel_tensor_facts about = NUMEL_INIT(numel_tensor_facts);
    const char *between = "";
    if (numel_tensor_at(l->model->checkpoint, i, &t, NULL) != NUMEL_OK ||
        numel_tensor_about(l->model->subject, i, &about, NULL) != NUMEL_OK)
        return false;
    char *above = above_of(l, &t, &about, &between), *name = escape_str(t.name);
    struct leaf *leaf = &l->tree->leaves[l->tree->leaf_count];
    *leaf = (struct leaf){ .rank = l->rank, .model = l->number, .tensor = i };
    if (above && name) leaf->path = joined(above, between, name);
    free(above);
    free(name);
    if (!leaf->path) return false;
    bool parameter = l->model->counted && l->model->formula[i];
    leaf->rank += l->view == BY_LAYER ? about.group : 0;
    leaf->sums[IN_BYTES] = t.bytes;
    leaf->sums[IN_ELEMENTS] = t.elements;
    leaf->sums[IN_PARAMETERS] = parameter ? about.logical : 0;
    leaf->sums[TENSORS] = 1;
    leaf->type = t.dtype->name;
    l->tree->leaf_count++;
    return true;
}

/* A model that cannot be read is a leaf without tensors. */
NUMEL_MUST static bool add_unreadable(struct listing *l)
{
    struct leaf *leaf = &l->tree->leaves[l->tree->leaf_count];
    *leaf = (struct leaf){ .rank = l->rank, .model = l->number, .tensor = NUMEL_NONE };
    leaf->path = joined(l->model->label, "", "");
    l->tree->leaf_count += leaf->path != NULL;
    return leaf->path != NULL;
}

NUMEL_MUST static bool add_leaves(struct listing *l)
{
    bool ok = true;
    if (l->model->unreadable) return add_unreadable(l);
    size_t n = numel_tensor_count(l->model->checkpoint);
    l->groups = NULL;
    if (l->view == BY_LAYER) ok = list_groups(l);
    for (uint32_t i = 0; ok && i < n; i++) ok = add_leaf(l, i);
    for (size_t i = 0; l->groups && i < l->group_count; i++) free(l->groups[i]);
    free(l->groups);
    l->rank += (uint32_t)l->group_count + 1;
    return ok;
}

static int compare_leaves(const void *a, const void *b)
{
    const struct leaf *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    int c = tree_compare(x->path, y->path);
    return c ? c : (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

static bool is_sorted(const struct tree *t)
{
    for (size_t i = 1; i < t->leaf_count; i++)
        if (compare_leaves(&t->leaves[i - 1], &t->leaves[i]) > 0) return false;
    return true;
}

bool models_tree(const struct browse_models *m, enum view view, struct tree *t)
{
    struct listing l = { .tree = t, .view = view, .prefix = "" };
    size_t n = m->count;
    bool ok = true;
    for (size_t i = 0; i < m->count; i++)
        n += m->items[i].unreadable ? 0 : numel_tensor_count(m->items[i].checkpoint);
    *t = (struct tree){ .leaves = calloc(n + 1, sizeof *t->leaves) };
    if (!t->leaves) return false;
    for (uint32_t i = 0; ok && i < m->count; i++) {
        l.model = &m->items[i];
        l.number = i;
        l.group_count = 0;
        if (m->count > 1) l.prefix = l.model->label;
        ok = add_leaves(&l);
    }
    if (ok && !is_sorted(t)) qsort(t->leaves, t->leaf_count, sizeof *t->leaves, compare_leaves);
    return ok && tree_build(t, m->count > 1);
}
