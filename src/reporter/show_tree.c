/*
 * show_tree.c -- the tree in the show report: folded by layer, or by type, or by file.
 *
 * The rows are those of groups.h, limited as the view or the terminal requires.
 */
#include "reporter/show.h"

#include "model/tensor.h"
#include "page/tone.h"

#include <stdlib.h>

enum { AUTO_ROWS = 40 };

/* ---- rows of the tree --------------------------------------------------------------------- */

static int node_by_elements(const void *a, const void *b)
{
    const struct fold_node *x = *(const struct fold_node *const *)a;
    const struct fold_node *y = *(const struct fold_node *const *)b;
    return (x->elements < y->elements) - (x->elements > y->elements);
}

static int node_by_bytes(const void *a, const void *b)
{
    const struct fold_node *x = *(const struct fold_node *const *)a;
    const struct fold_node *y = *(const struct fold_node *const *)b;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* Sorts the children of a node as the view requires; they are already in natural order. */
NUMEL_MUST static bool sort_children(struct show *s, struct fold_node *node)
{
    size_t n = 0, i = 0;
    int (*order)(const void *, const void *) =
        s->view->sort == NUMEL_SORT_BYTES ? node_by_bytes : node_by_elements;
    if (s->view->sort != NUMEL_SORT_BYTES && s->view->sort != NUMEL_SORT_ELEMENTS) return true;
    for (struct fold_node *c = node->child; c; c = c->next) n++;
    struct fold_node **list = arena_alloc(s->arena, (n + 1) * sizeof *list);
    if (!list) return error_nomem(s->error);
    for (struct fold_node *c = node->child; c; c = c->next) list[i++] = c;
    qsort(list, n, sizeof *list, order);
    list[n] = NULL;
    node->child = list[0];
    for (i = 0; i < n; i++) list[i]->next = list[i + 1];
    for (i = 0; i < n; i++)
        if (!sort_children(s, list[i])) return false;
    return true;
}

/* Number of rows of the tree down to `depth`. */
static size_t count_rows(const struct fold_node *node, unsigned depth)
{
    size_t rows = 0;
    for (const struct fold_node *c = node->child; c; c = c->next) {
        bool open = c->child && depth > 1;
        rows += !open || c->repeats > 1;
        if (open) rows += count_rows(c, depth - 1);
        if (rows > 1000000) break;
    }
    return rows;
}

static unsigned auto_depth(const struct fold_node *root)
{
    unsigned depth = 1;
    size_t rows = count_rows(root, 1);
    while (depth < 64) {
        size_t deeper = count_rows(root, depth + 1);
        if (deeper > AUTO_ROWS && depth > 1) break;
        if (deeper > AUTO_ROWS * 2) break;
        if (deeper == rows && count_rows(root, GROUPS_ANY_DEPTH) == rows) break;
        rows = deeper;
        depth++;
    }
    return depth;
}

NUMEL_MUST static bool rows_by_layer(struct show *s)
{
    unsigned depth = s->view->depth ? s->view->depth : s->view->all ? GROUPS_ANY_DEPTH : 0;
    if (!fold_build(&s->fold, &s->ck->registry, s->arena, s->error)) return false;
    if (!sort_children(s, s->fold.root)) return false;
    if (!depth) depth = auto_depth(s->fold.root);
    unsigned all = s->view->depth ? s->view->depth : GROUPS_ANY_DEPTH;
    return groups_list(&s->tree, &s->fold, depth, true, s->arena, s->error) &&
           groups_list(&s->groups, &s->fold, all, false, s->arena, s->error);
}

/* A row without a tree; there is room for it. */
NUMEL_MUST static bool add_row(struct show *s, const char *name, const char *types, struct fold_node n)
{
    n.repeats = n.times = 1;
    n.each = n.elements;
    const struct fold_node *node = arena_copy(s->arena, &n, sizeof n);
    s->tree.items[s->tree.count++] = (struct group_row){ .name = name, .types = types, .node = node };
    return node || error_nomem(s->error);
}

NUMEL_MUST static bool add_file(struct show *s, const numel_file *f)
{
    struct fold_node n = { .tensors = f->tensors };
    for (uint64_t k = f->first_tensor; k < f->first_tensor + f->tensors; k++) {
        n.elements += s->ck->registry.tensors[k].elements;
        n.bytes += s->ck->registry.tensors[k].bytes;
    }
    return add_row(s, f->path, "", n);
}

NUMEL_MUST static bool add_type(struct show *s, const struct type_sum *t)
{
    struct fold_node n = { .tensors = t->tensors, .elements = t->elements, .bytes = t->bytes };
    return add_row(s, t->name.p, t->name.p, n);
}

bool show_rows(struct show *s)
{
    bool types = s->view->by == NUMEL_BY_DTYPE;
    size_t n = types ? s->type_count : s->ck->file_count;
    if (!types && s->view->by != NUMEL_BY_FILE) return rows_by_layer(s);
    s->tree.items = arena_alloc(s->arena, n * sizeof *s->tree.items);
    if (!s->tree.items) return error_nomem(s->error);
    for (size_t i = 0; i < n; i++)
        if (!(types ? add_type(s, &s->types[i]) : add_file(s, &s->ck->files[i]))) return false;
    s->groups = s->tree;
    return true;
}

/* ---- roles -------------------------------------------------------------------------------- */

/* Adds the role of the tensors below a node to that of others: different ones are ROLE_SEVERAL. Norms and
 * what quantizers store have the role of their module. */
static void add_role(const struct show *s, const struct fold_node *n, enum cell_role *role)
{
    for (const struct fold_node *c = n->child; c && *role != ROLE_SEVERAL; c = c->next) add_role(s, c, role);
    if (n->child || !n->tensor) return;
    const struct model_tensor is = model_tensor(s->c->model, (uint32_t)(n->tensor - s->ck->registry.tensors));
    if (!is.role.p || text_starts(is.role, "quant.")) return;
    enum cell_role own = role_of(is.role);
    if (own == ROLE_NORM && *role) return;
    *role = *role == ROLE_NONE || *role == ROLE_NORM || own == *role ? own : ROLE_SEVERAL;
}

static enum cell_role node_role(const struct show *s, const struct fold_node *n)
{
    enum cell_role role = ROLE_NONE;
    if (s->c->model->x && s->view->by == NUMEL_BY_LAYER) add_role(s, n, &role);
    return role;
}

/* ---- sections: the tree ------------------------------------------------------------------- */

static void tree_row(struct table_row *row, struct cell *c)
{
    const struct show *s = row->of;
    const struct group_row *r = row->item;
    const struct fold_node *n = r->node;
    const numel_tensor *leaf = groups_leaf(r);
    row->depth = r->level;
    c[0] = CELL_T(r->name);
    c[0].role = node_role(s, n);
    if (s->view->by == NUMEL_BY_FILE) c[0] = CELL_S(text_of(r->name));
    bool sized = n->bytes || !s->ck->named; /* names in an index do not show quantized sizes */
    if (leaf && (leaf->elements || sized))
        c[1] = (struct cell){ .kind = CELL_DIMS, .dims = leaf->dims, .n = leaf->ndim };
    if (s->type_count > 1) c[2] = CELL_T(r->types);
    c[3] = (struct cell){ .kind = CELL_EACH, .u = n->each, .n = n->times };
    c[4] = CELL_U(CELL_COUNT, n->elements);
    c[5] = (struct cell){ .kind = CELL_SHARE, .u = n->elements, .n = s->ck->stored };
    if (sized) c[6] = CELL_U(CELL_BYTES, n->bytes);
}

static const struct table tree_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED, tree_row, { NULL, "name", COLUMN_NAME, MADE },
          { NULL, "shape", COLUMN_RANK(4), MADE }, { NULL, "type", COLUMN_RANK(8) | COLUMN_TYPE, MADE },
          { NULL, "each", COLUMN_RIGHT | COLUMN_RANK(2), MADE }, { NULL, "elements", COLUMN_RIGHT, MADE },
          { NULL, "share", COLUMN_RIGHT | COLUMN_RANK(1) | COLUMN_BAR, MADE },
          { NULL, "bytes", COLUMN_RIGHT | COLUMN_RANK(9), MADE });

static void group_row(struct table_row *row, struct cell *c)
{
    const struct group_row *g = row->item;
    const struct fold_node *n = g->node;
    c[0] = CELL_T(g->name);
    c[1] = CELL_U(CELL_NUMBER, n->repeats);
    c[2] = CELL_U(CELL_COUNT, n->tensors);
    c[3] = CELL_U(CELL_COUNT, n->each);
    c[4] = CELL_U(CELL_COUNT, n->elements);
    c[5] = CELL_U(CELL_BYTES, n->bytes);
}

static const struct table group_table =
    TABLE("groups", NULL, SECTION_LIST, TABLE_HIDDEN, group_row, { "name", NULL, 0, MADE },
          { "repeats", NULL, 0, MADE }, { "tensors", NULL, 0, MADE }, { "each", NULL, 0, MADE },
          { "elements", NULL, 0, MADE }, { "bytes", NULL, 0, MADE });

/* kohya's names have no dots to fold at. The modules of an adapter are already folded above, by target and
 * block. */
enum { ADAPTER_TREE = 40 };

void show_tree(struct show *s)
{
    bool told = s->adapter->target_count > 0 && s->tree.count > ADAPTER_TREE && !s->view->all &&
                !s->view->depth && s->view->by == NUMEL_BY_LAYER;
    report_list(s->report, &tree_table, ROWS(s->tree.items, s->tree.count), s)->hidden =
        s->tree.count == 0 || told;
    report_list(s->report, &group_table, ROWS(s->groups.items, s->groups.count), NULL);
}
