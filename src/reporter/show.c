/*
 * show.c -- the report of `numel show`: what it is, how much, and the tree folded by layer.
 *
 * The lines of the top level add up to the total. Nodes that do not repeat are transparent: their
 * children stand in their place under full names, so that indentation always means "inside each of
 * the repeated".
 */
#include "reporter/report.h"

#include "base/num.h"
#include "base/text.h"
#include "reader/checkpoint.h"
#include "registry/fold.h"
#include "reporter/config_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AUTO_ROWS = 40, ANY_DEPTH = 1000 };

struct type_sum {
    numel_str name; /* first: see names.h */
    uint64_t tensors, elements, bytes;
};

struct group_row {
    const char *name;
    unsigned level;
    uint64_t repeats, times, tensors, each, elements, bytes;
    const char *types;
    const numel_tensor *leaf;
};

struct rows {
    struct group_row *items;
    size_t count, cap;
};

struct show {
    const numel_checkpoint *ck;
    const numel_view *view;
    struct numel_report *report;
    struct arena *arena; /* the report's */
    numel_error *error;
    struct fold fold;
    struct type_sum *types;
    size_t type_count, type_cap;
    struct rows tree, groups; /* what text shows; what JSON lists */
    struct { uint64_t bytes, header, data, padding, gaps, overlap, trailing, missing; } sum;
    const char *architecture, *architecture_from, *class_name;
};

/* ---- facts -------------------------------------------------------------------------------- */

static int by_elements(const void *a, const void *b)
{
    const struct type_sum *x = a, *y = b;
    return (x->elements < y->elements) - (x->elements > y->elements);
}

/* A table of types, most elements first, in memory of the arena. */
static bool sum_types(struct show *s)
{
    const struct registry *r = &s->ck->registry;
    const numel_allocator *m = s->arena->memory;
    struct names names;
    void *p = NULL;
    bool ok = true;
    names_init(&names, m, sizeof *s->types);
    for (size_t i = 0; ok && i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i];
        size_t n = s->type_count;
        ok = memory_grow(m, &p, &s->type_cap, n + 1, sizeof *s->types, s->error) &&
             names_reserve(&names, p, n, n + 1, s->error);
        if (!ok) break;
        s->types = p;
        s->types[n] = (struct type_sum){ .name = text_of(t->dtype->name) };
        uint32_t k = names_enter(&names, s->types, n);
        if (k == n) s->type_count++;
        s->types[k].tensors++;
        s->types[k].elements += t->elements; /* sums were checked when the checkpoint was opened */
        s->types[k].bytes += t->bytes;
    }
    names_done(&names);
    struct type_sum *kept = arena_copy(s->arena, p, s->type_count * sizeof *s->types);
    memory_release(m, p);
    s->types = kept;
    if (!ok || !kept) return error_nomem(s->error);
    if (s->type_count) qsort(s->types, s->type_count, sizeof *s->types, by_elements);
    return true;
}

static void sum_files(struct show *s)
{
    for (size_t i = 0; i < s->ck->file_count; i++) {
        const numel_file *f = &s->ck->files[i];
        s->sum.bytes += f->bytes;
        s->sum.header += f->header_bytes;
        s->sum.data += f->data_bytes;
        s->sum.padding += f->padding;
        s->sum.gaps += f->gaps;
        s->sum.overlap += f->overlap;
        s->sum.trailing += f->trailing;
        s->sum.missing += f->missing;
    }
}

static const char *keep(struct show *s, const char *text)
{
    return text ? arena_text(s->arena, text, strlen(text)) : NULL;
}

/* Whose model this is, as far as files say it: GGUF's own key, or config.json. */
static bool find_architecture(struct show *s)
{
    numel_error ignored;
    const char *path;
    error_clear(&ignored);
    const struct metadata_entry *e = metadata_find(&s->ck->metadata, "general.architecture");
    if (e && e->type == META_STRING && s->ck->files[0].format == NUMEL_GGUF) {
        s->architecture = arena_text(s->arena, e->value.s.p, e->value.s.n);
        s->architecture_from = "metadata";
        return s->architecture || error_nomem(s->error);
    }
    json_value *doc = config_file_load(s->ck, "config.json", s->arena, &path, &ignored);
    s->architecture = keep(s, json_text_of(json_get(doc, "model_type")));
    s->class_name = keep(s, json_text_of(json_first(json_get(doc, "architectures"))));
    if (!s->architecture) s->architecture = s->class_name;
    if (s->architecture) s->architecture_from = "config.json";
    json_doc_free(doc);
    return ignored.code != NUMEL_E_NOMEM || error_nomem(s->error);
}

/* ---- rows of the tree --------------------------------------------------------------------- */

static bool add_row(struct show *s, struct rows *rows, const struct group_row *row)
{
    if (rows->count == rows->cap) { /* in the arena: a report's rows are few, or all are wanted */
        size_t cap = rows->cap ? rows->cap * 2 : 64;
        struct group_row *grown = arena_alloc(s->arena, cap * sizeof *grown);
        if (!grown) return error_nomem(s->error);
        if (rows->count) memcpy(grown, rows->items, rows->count * sizeof *grown);
        rows->items = grown;
        rows->cap = cap;
    }
    rows->items[rows->count++] = *row;
    return true;
}

static bool add_node(struct show *s, struct rows *rows, const struct fold_node *n,
                     const char *name, unsigned level)
{
    char types[96];
    fold_types(&s->fold, n->types, types, sizeof types);
    struct group_row row = { .name = name, .level = level, .repeats = n->repeats,
                             .times = n->times, .tensors = n->tensors, .each = n->each,
                             .elements = n->elements, .bytes = n->bytes,
                             .types = keep(s, types), .leaf = n->child ? NULL : n->tensor };
    return row.types ? add_row(s, rows, &row) : error_nomem(s->error);
}

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

/* The children of a node in the view's order; they stand in natural order already. */
static bool sort_children(struct show *s, struct fold_node *node)
{
    size_t n = 0, i = 0;
    int (*order)(const void *, const void *) = s->view->sort == NUMEL_SORT_BYTES ? node_by_bytes
                                                                                 : node_by_elements;
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

/* How many rows the tree has when cut at `depth`. */
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
        if (deeper == rows && count_rows(root, ANY_DEPTH) == rows) break;
        rows = deeper;
        depth++;
    }
    return depth;
}

/* into_repeats: whether what repeats is opened too. */
static bool list_rows(struct show *s, struct rows *rows, const struct fold_node *node,
                      const char *prefix, unsigned level, unsigned depth, bool into_repeats)
{
    for (const struct fold_node *c = node->child; c; c = c->next) {
        bool repeated = c->repeats > 1, open = c->child && depth > 1;
        const char *dot = prefix[0] && c->label[0] ? "." : "";
        const char *name = arena_format(s->arena, "%s%s%s", prefix, dot, c->label);
        if (!name) return error_nomem(s->error);
        if (repeated && !into_repeats) open = false;
        if ((!open || repeated) && !add_node(s, rows, c, name, level)) return false;
        if (open && !list_rows(s, rows, c, repeated ? "" : name, level + (repeated ? 1 : 0),
                               depth - 1, into_repeats))
            return false;
    }
    return true;
}

static bool rows_by_layer(struct show *s)
{
    unsigned depth = s->view->depth ? s->view->depth : s->view->all ? ANY_DEPTH : 0;
    if (!fold_build(&s->fold, &s->ck->registry, s->arena, s->error)) return false;
    if (!sort_children(s, s->fold.root)) return false;
    if (!depth) depth = auto_depth(s->fold.root);
    return list_rows(s, &s->tree, s->fold.root, "", 0, depth, true) &&
           list_rows(s, &s->groups, s->fold.root, "", 0, s->view->depth ? s->view->depth : ANY_DEPTH,
                     false);
}

static bool rows_by_type(struct show *s)
{
    for (size_t i = 0; i < s->type_count; i++) {
        const struct type_sum *t = &s->types[i];
        struct group_row row = { .name = t->name.p, .repeats = 1, .times = 1,
                                 .tensors = t->tensors, .each = t->elements,
                                 .elements = t->elements, .bytes = t->bytes, .types = t->name.p };
        if (!add_row(s, &s->tree, &row)) return false;
    }
    s->groups = s->tree;
    return true;
}

static bool rows_by_file(struct show *s)
{
    for (size_t i = 0; i < s->ck->file_count; i++) {
        const numel_file *f = &s->ck->files[i];
        struct group_row row = { .name = f->path, .repeats = 1, .times = 1, .tensors = f->tensors,
                                 .types = "" };
        for (uint64_t k = f->first_tensor; k < f->first_tensor + f->tensors; k++) {
            row.elements += s->ck->registry.tensors[k].elements;
            row.bytes += s->ck->registry.tensors[k].bytes;
        }
        row.each = row.elements;
        if (!add_row(s, &s->tree, &row)) return false;
    }
    s->groups = s->tree;
    return true;
}

/* ---- sections: the head ------------------------------------------------------------------- */

static const struct column head_columns[] = {
    { "path", "", 0 },          { "format", NULL, 0 },       { NULL, "format", 0 },
    { NULL, "architecture", 0 }, { NULL, "tensors", 0 },     { NULL, "elements", 0 },
    { NULL, "types", 0 },       { NULL, "bytes", 0 },        { NULL, "data", 0 },
};

static const char *format_name(const numel_checkpoint *ck)
{
    return ck->files[0].format == NUMEL_GGUF ? "gguf" : "safetensors";
}

static const char *format_text(struct show *s)
{
    const numel_file *f = &s->ck->files[0];
    char version[48] = "";
    if (f->format == NUMEL_GGUF)
        snprintf(version, sizeof version, " v%u%s", (unsigned)f->version,
                 f->big_endian ? ", big-endian" : "");
    if (s->ck->file_count + s->ck->missing == 1)
        return arena_format(s->arena, "%s%s", format_name(s->ck), version);
    if (s->ck->missing)
        return arena_format(s->arena, "%s%s, %zu of %zu files", format_name(s->ck), version,
                            s->ck->file_count, s->ck->file_count + s->ck->missing);
    return arena_format(s->arena, "%s%s, %zu files", format_name(s->ck), version,
                        s->ck->file_count);
}

static void add_part(struct buffer *b, const char *sign, const char *what, uint64_t bytes)
{
    char n[TEXT_NUMBER];
    if (bytes) buffer_format(b, "%s %s %s", sign, what, text_number(n, bytes));
}

/* "13,476,860,032 = header 28,800 + data 13,476,831,232": it must add up, or say what is off. */
static const char *bytes_text(struct show *s)
{
    char n[TEXT_NUMBER];
    struct buffer b;
    bool known = true, absent = s->ck->files[0].header_only;
    uint64_t data = s->sum.data;
    for (size_t i = 0; i < s->ck->file_count; i++) known &= s->ck->files[i].size_known;
    buffer_init(&b, s->arena->memory);
    buffer_format(&b, "%s%s = header %s", text_number(n, s->sum.bytes),
                  known ? "" : " (by the header)", "");
    buffer_text(&b, text_number(n, s->sum.header));
    add_part(&b, " +", absent ? "data (absent)" : "data", data);
    add_part(&b, " +", "padding", s->sum.padding);
    add_part(&b, " +", "gaps", s->sum.gaps);
    add_part(&b, " +", "trailing", s->sum.trailing);
    add_part(&b, "; does not add up:", "claimed twice", s->sum.overlap);
    add_part(&b, "; not there:", "missing", s->sum.missing);
    const char *text = b.failed ? NULL : arena_text(s->arena, b.p, b.n);
    buffer_done(&b);
    return text;
}

static const char *data_text(const numel_checkpoint *ck)
{
    bool copies = false, partial = false, absent = false;
    for (size_t i = 0; i < ck->file_count; i++) {
        const numel_file *f = &ck->files[i];
        copies |= f->header_only && f->tensors;
        absent |= f->data == NUMEL_DATA_ABSENT;
        partial |= f->data == NUMEL_DATA_PARTIAL;
    }
    return copies    ? "absent (header-only copy)"
           : partial ? "partial"
           : absent  ? "absent"
                     : NULL;
}

static const char *types_text(const struct show *s)
{
    if (s->type_count == 0) return NULL;
    struct buffer b;
    buffer_init(&b, s->arena->memory);
    for (size_t i = 0; i < s->type_count && i < 8; i++)
        buffer_format(&b, "%s%s", i ? ", " : "", s->types[i].name.p);
    if (s->type_count > 8) buffer_format(&b, ", ... %zu in all", s->type_count);
    const char *text = b.failed ? NULL : arena_text(s->arena, b.p, b.n);
    buffer_done(&b);
    return text;
}

static const char *architecture_text(struct show *s)
{
    char a[TEXT_QUOTE], c[TEXT_QUOTE];
    if (!s->architecture) return NULL;
    const char *name = text_quote(a, text_of(s->architecture));
    size_t n = strlen(name);
    if (s->class_name && s->class_name != s->architecture) {
        const char *class_name = text_quote(c, text_of(s->class_name));
        return arena_format(s->arena, "%.*s (%.*s, by %s)", (int)n - 2, name + 1,
                            (int)strlen(class_name) - 2, class_name + 1, s->architecture_from);
    }
    return arena_format(s->arena, "%.*s (by %s)", (int)n - 2, name + 1, s->architecture_from);
}

struct head {
    const struct show *show;
    const char *format, *architecture, *types, *bytes, *data;
};

static void head_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct head *h = ctx;
    const numel_checkpoint *ck = h->show->ck;
    (void)i, (void)depth;
    c[0] = CELL_S(text_of(ck->path));
    c[1] = CELL_T(format_name(ck));
    c[2] = CELL_T(h->format);
    if (h->architecture) c[3] = CELL_T(h->architecture);
    c[4] = CELL_U(CELL_COUNT, ck->registry.count);
    c[5] = CELL_U(CELL_TOTAL, ck->stored);
    if (h->types) c[6] = CELL_T(h->types);
    c[7] = CELL_T(h->bytes);
    if (h->data) c[8] = CELL_T(h->data);
}

static bool add_head(struct show *s)
{
    struct head *h = arena_alloc(s->arena, sizeof *h);
    if (!h) return error_nomem(s->error);
    *h = (struct head){ s, format_text(s), architecture_text(s), types_text(s), bytes_text(s),
                        data_text(s->ck) };
    if (!h->format || !h->bytes) return error_nomem(s->error);
    report_section(s->report, &(struct section){ .form = SECTION_FIELDS, .columns = head_columns,
                                                 .column_count = 9, .rows = 1, .row = head_row,
                                                 .ctx = h });
    return true;
}

/* ---- sections: files, architecture, counts, types ----------------------------------------- */

static const struct column file_columns[] = {
    { "path", NULL, 0 },       { "bytes", NULL, 0 },   { "header_bytes", NULL, 0 },
    { "tensors", NULL, 0 },    { "data", NULL, 0 },    { "data_bytes", NULL, 0 },
    { "padding", NULL, 0 },    { "gaps", NULL, 0 },    { "overlap", NULL, 0 },
    { "trailing", NULL, 0 },   { "missing", NULL, 0 }, { "header_only", NULL, 0 },
    { "compressed", NULL, 0 }, { "version", NULL, 0 }, { "big_endian", NULL, 0 },
};

static const char *data_name(numel_data d)
{
    return d == NUMEL_DATA_PRESENT ? "present" : d == NUMEL_DATA_ABSENT ? "absent" : "partial";
}

static void file_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct show *s = ctx;
    const numel_file *f = &s->ck->files[i];
    (void)depth;
    c[0] = CELL_S(text_of(f->path));
    c[1] = CELL_U(CELL_BYTES, f->bytes);
    c[2] = CELL_U(CELL_COUNT, f->header_bytes);
    c[3] = CELL_U(CELL_COUNT, f->tensors);
    c[4] = CELL_T(data_name(f->data));
    c[5] = CELL_U(CELL_COUNT, f->data_bytes);
    c[6] = CELL_U(CELL_COUNT, f->padding);
    c[7] = CELL_U(CELL_COUNT, f->gaps);
    c[8] = CELL_U(CELL_COUNT, f->overlap);
    c[9] = CELL_U(CELL_COUNT, f->trailing);
    c[10] = CELL_U(CELL_COUNT, f->missing);
    c[11] = CELL_U(CELL_BOOL, f->header_only);
    c[12] = CELL_U(CELL_BOOL, f->compressed);
    if (f->format == NUMEL_GGUF) c[13] = CELL_U(CELL_NUMBER, f->version);
    if (f->format == NUMEL_GGUF) c[14] = CELL_U(CELL_BOOL, f->big_endian);
}

static const struct column architecture_columns[] = { { "name", NULL, 0 }, { "spec", NULL, 0 },
                                                      { "from", NULL, 0 }, { "class", NULL, 0 } };

static void architecture_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct show *s = ctx;
    (void)i, (void)depth;
    c[0] = CELL_S(text_of(s->architecture));
    c[2] = CELL_T(s->architecture_from);
    if (s->class_name) c[3] = CELL_S(text_of(s->class_name));
}

static const struct column count_columns[] = {
    { "tensors", NULL, 0 },    { "stored", NULL, 0 },  { "logical", NULL, 0 },
    { "unique", NULL, 0 },     { "parameters", NULL, 0 }, { "buffers", NULL, 0 },
    { "non_embedding", NULL, 0 }, { "active", NULL, 0 },
};

/* What needs the architecture's formula is null until it is known. */
static void count_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct show *s = ctx;
    (void)i, (void)depth;
    c[0] = CELL_U(CELL_COUNT, s->ck->registry.count);
    c[1] = CELL_U(CELL_COUNT, s->ck->stored);
}

static const struct column type_columns[] = {
    { NULL, "type", 0 },
    { "tensors", "tensors", COLUMN_RIGHT },
    { "elements", "elements", COLUMN_RIGHT },
    { NULL, "share", COLUMN_RIGHT | COLUMN_EXTRA },
    { "bytes", "bytes", COLUMN_RIGHT | COLUMN_EXTRA },
};

static void type_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct show *s = ctx;
    const struct type_sum *t = &s->types[i];
    (void)depth;
    c[0] = CELL_S(t->name);
    c[1] = CELL_U(CELL_COUNT, t->tensors);
    c[2] = CELL_U(CELL_COUNT, t->elements);
    c[3] = (struct cell){ .kind = CELL_SHARE, .u = t->elements, .n = s->ck->stored };
    c[4] = CELL_U(CELL_BYTES, t->bytes);
}

#define COLUMNS(c) .columns = (c), .column_count = sizeof(c) / sizeof *(c)

static void add_facts(struct show *s)
{
    struct numel_report *r = s->report;
    report_section(r, &(struct section){ .key = "files", .form = SECTION_LIST, .hidden = true,
                                         COLUMNS(file_columns), .rows = s->ck->file_count,
                                         .row = file_row, .ctx = s });
    report_section(r, &(struct section){ .key = "architecture", .form = SECTION_OBJECT,
                                         .hidden = true, COLUMNS(architecture_columns), .rows = 1,
                                         .row = architecture_row, .ctx = s,
                                         .null = !s->architecture });
    report_section(r, &(struct section){ .key = "counts", .form = SECTION_OBJECT, .hidden = true,
                                         COLUMNS(count_columns), .rows = 1, .row = count_row,
                                         .ctx = s });
    report_section(r, &(struct section){ .key = "dtypes", .title = "", .form = SECTION_MAP,
                                         COLUMNS(type_columns), .rows = s->type_count,
                                         .headed = true, .row = type_row, .ctx = s,
                                         .hidden = s->type_count < 2 ||
                                                   s->view->by == NUMEL_BY_DTYPE });
}

/* ---- sections: the tree ------------------------------------------------------------------- */

static const struct column tree_columns[] = {
    { NULL, "name", COLUMN_NAME },
    { NULL, "shape", COLUMN_EXTRA },
    { NULL, "type", COLUMN_EXTRA },
    { NULL, "each", COLUMN_RIGHT },
    { NULL, "elements", COLUMN_RIGHT },
    { NULL, "share", COLUMN_RIGHT | COLUMN_EXTRA },
    { NULL, "bytes", COLUMN_RIGHT | COLUMN_EXTRA },
};

static void tree_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct show *s = ctx;
    const struct group_row *r = &s->tree.items[i];
    *depth = r->level;
    c[0] = CELL_T(r->name);
    if (s->view->by == NUMEL_BY_FILE) c[0] = CELL_S(text_of(r->name));
    if (r->leaf)
        c[1] = (struct cell){ .kind = CELL_DIMS, .dims = r->leaf->dims, .n = r->leaf->ndim };
    if (s->type_count > 1) c[2] = CELL_T(r->types);
    c[3] = (struct cell){ .kind = CELL_EACH, .u = r->each, .n = r->times };
    c[4] = CELL_U(CELL_COUNT, r->elements);
    c[5] = (struct cell){ .kind = CELL_SHARE, .u = r->elements, .n = s->ck->stored };
    c[6] = CELL_U(CELL_BYTES, r->bytes);
}

static const struct column group_columns[] = {
    { "name", NULL, 0 }, { "repeats", NULL, 0 },  { "tensors", NULL, 0 },
    { "each", NULL, 0 }, { "elements", NULL, 0 }, { "bytes", NULL, 0 },
};

static void group_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct show *s = ctx;
    const struct group_row *r = &s->groups.items[i];
    (void)depth;
    c[0] = CELL_T(r->name);
    c[1] = CELL_U(CELL_NUMBER, r->repeats);
    c[2] = CELL_U(CELL_COUNT, r->tensors);
    c[3] = CELL_U(CELL_COUNT, r->each);
    c[4] = CELL_U(CELL_COUNT, r->elements);
    c[5] = CELL_U(CELL_BYTES, r->bytes);
}

static void add_tree(struct show *s)
{
    struct section tree = { .title = "", .form = SECTION_LIST, COLUMNS(tree_columns),
                            .rows = s->tree.count, .headed = true, .row = tree_row, .ctx = s,
                            .hidden = s->tree.count == 0 };
    report_section(s->report, &tree);
    report_section(s->report, &(struct section){ .key = "groups", .form = SECTION_LIST,
                                                 .hidden = true, COLUMNS(group_columns),
                                                 .rows = s->groups.count, .row = group_row,
                                                 .ctx = s });
}

/* ---- the report --------------------------------------------------------------------------- */

static bool make_rows(struct show *s)
{
    if (s->view->totals) return true;
    switch (s->view->by) {
    case NUMEL_BY_DTYPE: return rows_by_type(s);
    case NUMEL_BY_FILE: return rows_by_file(s);
    default: return rows_by_layer(s);
    }
}

static bool make_show(struct numel_report *r, const numel_checkpoint *ck, const numel_view *view,
                      numel_error *e)
{
    struct show *s = arena_alloc(&r->arena, sizeof *s);
    numel_view *own = arena_copy(&r->arena, view, sizeof *view);
    if (!s || !own) return error_nomem(e);
    *s = (struct show){ .ck = ck, .view = own, .report = r, .arena = &r->arena, .error = e };
    if (!sum_types(s) || !find_architecture(s) || !make_rows(s)) return false;
    sum_files(s);
    if (!add_head(s)) return false;
    add_facts(s);
    add_tree(s);
    report_findings(r, ck);
    r->quiet = ck->stored;
    return true;
}

numel_rc numel_report_show(numel_report **out, const numel_checkpoint *ck, const numel_view *view,
                           numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    error_clear(e);
    *out = report_new(ck->arena.memory, "numel.show/1", e);
    if (*out && !make_show(*out, ck, view, e)) {
        numel_report_free(*out);
        *out = NULL;
    }
    return e->code;
}
