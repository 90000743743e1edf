/*
 * quantization_section.c -- how the weights are stored, as proven by their shapes.
 *
 *     quantization  compressed-tensors (ct-pack), 4 bits, groups of 32, symmetric (by config.json)
 *     packed        384 modules, 4.50 bits a weight, 5.71 over the whole file
 *     left out      lm_head, 32 x mlp.gate
 */
#include "reporter/quantization.h"

#include "reporter/sections.h"

const char *bits_per_weight(uint64_t bytes, uint64_t elements, struct arena *a)
{
    __extension__ typedef unsigned __int128 wide;
    if (!elements || !bytes) return NULL; /* an index alone has no bytes */
    wide n = ((wide)bytes * 800 + elements / 2) / elements;
    if (n > UINT64_MAX) return NULL;
    return arena_format(a, "%" PRIu64 ".%02" PRIu64, (uint64_t)n / 100, (uint64_t)n % 100);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

/* clang-format off */
static const struct column columns[] = {
    { "method", NULL, 0, MADE }, { "bits", NULL, 0, MADE }, { "group", NULL, 0, MADE },
    { "layout", NULL, 0, MADE }, { "bits_per_weight", NULL, 0, MADE }, { "weights", NULL, 0, MADE },
    { "from", NULL, 0, MADE }, { "symmetric", NULL, 0, MADE }, { "whole_bits_per_weight", NULL, 0, MADE },
    { "kinds", NULL, 0, MADE }, { "left_out", NULL, 0, MADE }, { "name", NULL, 0, MADE },
};
/* clang-format on */

static void fill_row(struct table_row *row, struct cell *c)
{
    const struct quantization *q = row->of;
    const struct model_packing *p = &q->facts;
    if (p->method) c[0] = CELL_T(p->method);
    if (p->bits) c[1] = CELL_U(CELL_NUMBER, (uint64_t)p->bits);
    if (p->group) c[2] = CELL_U(CELL_NUMBER, (uint64_t)p->group);
    if (p->layout) c[3] = CELL_T(p->layout);
    if (q->bits) c[4] = (struct cell){ .kind = CELL_RAW, .t = q->bits };
    c[5] = CELL_U(CELL_COUNT, p->weights);
    c[6] = CELL_T(q->file ? "config.json" : "names");
    if (q->packing.symmetry) c[7] = CELL_U(CELL_BOOL, q->packing.symmetry == SYMMETRIC);
    if (q->whole) c[8] = (struct cell){ .kind = CELL_RAW, .t = q->whole };
    c[9] = (struct cell){ .kind = CELL_RAW, .t = q->kinds };
    c[10] = (struct cell){ .kind = CELL_RAW, .t = q->left_out };
    if (q->name) c[11] = CELL_T(q->name);
}

static void kind_row(struct table_row *row, struct cell *c)
{
    const struct packing_kind *k = row->item;
    if (k->bits > 0) c[1] = CELL_U(CELL_NUMBER, (uint64_t)k->bits);
    if (k->group > 0) c[2] = CELL_U(CELL_NUMBER, (uint64_t)k->group);
}

static const struct table kind_table =
    TABLE(NULL, NULL, SECTION_LIST, 0, kind_row,
          { "layout", NULL, 0, AT(CELL_TEXT, struct packing_kind, layout) }, { "bits", NULL, 0, MADE },
          { "group", NULL, 0, MADE }, { "modules", NULL, 0, AT(CELL_COUNT, struct packing_kind, modules) },
          { "elements", NULL, 0, AT(CELL_COUNT, struct packing_kind, elements) },
          { "bytes", NULL, 0, AT(CELL_COUNT, struct packing_kind, bytes) });

static const struct table left_table =
    TABLE(NULL, NULL, SECTION_LIST, 0, NULL, { "name", NULL, 0, AT(CELL_STR, struct packing_left, name) },
          { "modules", NULL, 0, AT(CELL_COUNT, struct packing_left, modules) });

NUMEL_MUST static const char *left_json(const struct packing *p, struct arena *a)
{
    const char *names = table_json(&left_table, ROWS(p->left, p->left_count), NULL, a);
    return names ? arena_format(a, "{\"modules\":%" PRIu64 ",\"names\":%s}", p->left_modules, names) : NULL;
}

void quantization_object(struct numel_report *r, row_fn *cells, const void *of, bool none)
{
    const struct table t = TABLE_OF("quantization", NULL, SECTION_OBJECT, TABLE_HIDDEN, cells, columns);
    report_one(r, &t, of)->null = none;
}

void quantization_section(struct numel_report *r, const struct quantization *q)
{
    quantization_object(r, fill_row, q, q->none);
    solutions_section(r, q->model);
}

/* ---- text ------------------------------------------------------------------------------------- */

static bool same_bits(const struct packing *p)
{
    for (size_t i = 1; i < p->kind_count; i++)
        if (p->kinds[i].bits != p->kinds[0].bits) return false;
    return true;
}

static bool same_group(const struct packing *p)
{
    for (size_t i = 1; i < p->kind_count; i++)
        if (p->kinds[i].group != p->kinds[0].group) return false;
    return true;
}

static bool same_layout(const struct packing *p)
{
    for (size_t i = 1; i < p->kind_count; i++)
        if (strcmp(p->kinds[i].layout, p->kinds[0].layout) != 0) return false;
    return true;
}

static void put_bits(struct buffer *b, const char *sep, const struct packing_kind *k)
{
    if (k->bits) buffer_format(b, "%s%" PRId64 " bit%s", sep, k->bits, k->bits == 1 ? "" : "s");
}

static void put_group(struct buffer *b, const char *sep, const struct packing_kind *k)
{
    if (k->group == PACKING_ROW) buffer_format(b, "%sone scale per row", sep);
    else if (k->group) buffer_format(b, "%sgroups of %" PRId64, sep, k->group);
}

/* Writes the words in "type 'nf4', double 1, scales 'tensor'", with their keys where needed: "nf4, scales
 * tensor". */
static void put_words(struct buffer *b, const char *sep, const char *choice, bool typed)
{
    for (const char *p = choice; *p;) {
        const char *end = strstr(p, ", "), *space = strchr(p, ' ');
        size_t n = end ? (size_t)(end - p) : strlen(p), name = space ? (size_t)(space - p) : n;
        numel_str word = text_from((numel_str){ p, n }, name + 1), value = text_inner(word);
        if (value.n && text_first(word) == '\'' && text_last(word) == '\'') {
            bool plain =
                text_equal((numel_str){ p, name }, "type") || text_equal((numel_str){ p, name }, "mode");
            bool group = text_equal(value, "group"); /* its number is written elsewhere */
            group |= plain && !typed;                /* part of the name */
            if (!group) buffer_text(b, sep);
            if (!plain && !group) buffer_add(b, p, name + 1);
            if (!group) buffer_str(b, value);
        }
        p += end ? n + 2 : n;
    }
}

static void put_source(struct buffer *b, const struct quantization *q)
{
    const char *slash = q->file ? strrchr(q->file, '/') : NULL;
    buffer_text(b, " (by ");
    text_safe(b, text_of(slash ? slash + 1 : q->file ? q->file : "its tensors"), false);
    buffer_char(b, ')');
}

/* The properties that all packed weights share. */
NUMEL_MUST static const char *line_text(const struct quantization *q, struct arena *a)
{
    const struct packing *p = &q->packing;
    const struct packing_kind *k = &p->kinds[0];
    const char *method = q->facts.method ? q->facts.method : q->facts.layout;
    struct buffer b;
    bool named = q->named;
    buffer_init(&b, a->memory);
    text_safe(&b, text_of(named ? q->name : method), false);
    if (!named && same_layout(p) && strcmp(method, k->layout) != 0) buffer_format(&b, " (%s)", k->layout);
    if (same_layout(p)) put_words(&b, ", ", q->facts.choice, !named);
    if (q->facts.open) buffer_format(&b, ", %s", q->solutions);
    if (!named && same_bits(p)) put_bits(&b, ", ", k);
    if (!named && same_group(p)) put_group(&b, ", ", k);
    if (p->symmetry) buffer_text(&b, p->symmetry == SYMMETRIC ? ", symmetric" : ", asymmetric");
    put_source(&b, q);
    return buffer_keep(&b, a);
}

/* "4 bits: 224 modules; 8 bits: 32 modules": only what differs. */
static void put_kinds(struct buffer *b, const struct packing *p)
{
    char n[TEXT_NUMBER];
    for (size_t i = 0; i < p->kind_count && i < 6; i++) {
        const struct packing_kind *k = &p->kinds[i];
        const char *sep = "";
        if (i) buffer_text(b, "; ");
        if (!same_layout(p)) buffer_text(b, k->layout), sep = ", ";
        if (!same_bits(p) && k->bits) put_bits(b, sep, k), sep = ", ";
        if (!same_group(p)) put_group(b, sep, k);
        buffer_format(b, "%s%s module%s", p->kind_count > 1 ? ": " : "", text_number(n, k->modules),
                      k->modules == 1 ? "" : "s");
    }
    if (p->kind_count > 6) buffer_format(b, "; ... %zu kinds in all", p->kind_count);
}

NUMEL_MUST static const char *packed_text(const struct quantization *q, struct arena *a)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    put_kinds(&b, &q->packing);
    if (q->bits) buffer_format(&b, ", %s bits per weight", q->bits);
    else if (!q->facts.elements) buffer_text(&b, ", none stored as its layout requires");
    if (q->bits && q->whole) buffer_format(&b, ", %s over the whole file", q->whole);
    return buffer_keep(&b, a);
}

/* A shorter name for readers: "mlp.gate", and "mlp.experts.*" for everything in the experts. */
static numel_str left_name(const struct packing *p, size_t i)
{
    numel_str name = p->left[i].name;
    bool inside = name.n > p->stem.n && memcmp(name.p, p->stem.p, p->stem.n) == 0;
    size_t cut = inside ? p->stem.n : 0;
    for (size_t k = cut; k + 1 < name.n; k++)
        if (name.p[k] == '*' && name.p[k + 1] == '.' && inside) name.n = k + 1;
    return text_from(name, cut);
}

NUMEL_MUST static const char *left_text(const struct packing *p, struct arena *a)
{
    enum { FEW = 6 };
    char n[TEXT_NUMBER];
    unsigned shown = 0;
    struct buffer b;
    buffer_init(&b, a->memory);
    if (p->left_count == 0) buffer_text(&b, "none");
    for (size_t i = 0; i < p->left_count && shown <= FEW;) {
        numel_str name = left_name(p, i);
        uint64_t modules = 0;
        while (i < p->left_count && text_same(left_name(p, i), name)) modules += p->left[i++].modules;
        if (shown++ == FEW) break;
        if (shown > 1) buffer_text(&b, ", ");
        if (modules > 1) buffer_format(&b, "%s x ", text_number(n, modules));
        text_safe(&b, name, false);
    }
    if (shown > FEW) buffer_format(&b, ", ... %s modules in all", text_number(n, p->left_modules));
    return buffer_keep(&b, a);
}

/* The configuration states a method, but no weight is stored in a known layout. */
NUMEL_MUST static const char *unknown_text(const struct quantization *q, struct arena *a)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    text_safe(&b, text_of(q->facts.method), false);
    put_source(&b, q);
    buffer_text(&b, ", but no weight is stored in a known layout");
    return buffer_keep(&b, a);
}

/* ---- both ------------------------------------------------------------------------------------- */

static bool make_texts(struct quantization *q, struct arena *a)
{
    q->solutions = solutions_text(q->model, a);
    q->kinds = table_json(&kind_table, ROWS(q->packing.kinds, q->packing.kind_count), NULL, a);
    q->left_out = left_json(&q->packing, a);
    if (!q->solutions || !q->kinds || !q->left_out) return false;
    if (q->packing.kind_count) {
        if (!(q->name = quantization_name(q, &q->named, a))) return false;
        q->line = line_text(q, a);
        q->packed = packed_text(q, a);
        q->left = left_text(&q->packing, a);
        return q->line && q->packed && q->left;
    }
    if (q->none || !q->facts.method) return true;
    q->line = unknown_text(q, a);
    return q->line != NULL;
}

const struct quantization *quantization_of(const struct handle *c, struct arena *a, numel_error *e)
{
    struct quantization *q = arena_alloc(a, sizeof *q);
    if (!q) return error_nomem(e), NULL;
    *q = (struct quantization){ .model = c, .none = true };
    if (!c->model->x) return q;
    q->facts = model_packing(c->model);
    q->file = config_quantization_file(c->model->config);
    q->none = !q->facts.method && !q->facts.weights;
    if (!packing_make(&q->packing, c->model, a, e)) return NULL;
    q->bits = bits_per_weight(q->facts.bytes, q->facts.elements, a);
    if (q->packing.kind_count) q->whole = bits_per_weight(q->packing.bytes, q->packing.elements, a);
    if (!make_texts(q, a)) return error_nomem(e), NULL;
    return q;
}
