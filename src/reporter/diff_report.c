/*
 * diff_report.c -- the report of `numel diff`.
 *
 *     cause             tensors       elements       bytes
 *     a                     291  8,030,261,248    14.9 GiB
 *     rotary factors         +1            +64      +256 B   rope_freqs.weight
 *     quantized              +0             +0   -10.4 GiB
 *     b                     292  8,030,261,312    4.57 GiB
 *     unexplained                            0
 *
 * Below it what differs, folded. The lists of the JSON are not folded: a record a link.
 */
#include "diff/diff.h"
#include "reporter/diff_components.h"
#include "reporter/diff_values.h"
#include "reporter/handles.h"
#include "reporter/judged_text.h"
#include "base/border.h"
#include "reporter/lines.h"

struct diff_report {
    struct diff d;
    struct diff_row *rows;
    struct diff_entry *entries;
    size_t row_count, entry_count;
    uint64_t bytes[2];
    struct judged_text judged[2];
    struct line_table lines;
    const char *compared, *files, *verdict;
    const char **layer_notes;
    struct diff_components *components;
    struct value_sections *values;            /* NULL: they were not asked for */
    const struct link **listed[CHANGE_COUNT]; /* links by change */
    size_t listed_count[CHANGE_COUNT];
};

/* ---- head and verdict --------------------------------------------------------------------- */

/* clang-format off */
static const struct column head_columns[] = {
    { NULL, "a", 0 }, { NULL, "b", 0 }, { "by", NULL, 0 }, { NULL, "compared", 0 },
    { NULL, "files", 0 }, { "moved", NULL, 0 },
};
/* clang-format on */

static const char *called(const numel_checkpoint *ck) { return ck->name ? ck->name : ck->path; }

static void head_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct diff_report *r = ctx;
    (void)i, (void)depth;
    c[0] = CELL_S(text_of(called(r->d.side[A].ck)));
    c[1] = CELL_S(text_of(called(r->d.side[B].ck)));
    c[2] = CELL_T(r->d.by_role ? "role" : "name");
    c[3] = CELL_T(r->compared);
    if (r->d.moved) c[4] = CELL_T(r->files);
    c[5] = CELL_U(CELL_COUNT, r->d.moved);
}

/* clang-format off */
static const struct column side_columns[] = {
    { "path", NULL, 0 }, { "name", NULL, 0 }, { "format", NULL, 0 }, { "architecture", NULL, 0 },
    { "tensors", NULL, 0 }, { "elements", NULL, 0 }, { "bytes", NULL, 0 }, { "judgement", NULL, 0 },
};
/* clang-format on */

static void side_cells(const struct diff_report *r, int which, struct cell *c)
{
    const struct diff_side *s = &r->d.side[which];
    c[0] = CELL_S(text_of(s->ck->path));
    if (s->ck->name) c[1] = CELL_S(text_of(s->ck->name));
    c[2] = CELL_T(s->ck->files[0].format == NUMEL_GGUF ? "gguf" : "safetensors");
    if (s->c && s->c->model->architecture) c[3] = CELL_S(text_of(s->c->model->architecture));
    c[4] = CELL_U(CELL_COUNT, s->r->count);
    c[5] = CELL_U(CELL_COUNT, s->ck->stored);
    c[6] = CELL_U(CELL_BYTES, r->bytes[which]);
    c[7] = judged_cell(&((struct diff_report *)(uintptr_t)r)->judged[which]);
}

static void a_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)i, (void)depth;
    side_cells(ctx, A, c);
}

static void b_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)i, (void)depth;
    side_cells(ctx, B, c);
}

static const struct column verdict_columns[] = {
    { "same", NULL, 0 }, { "unexplained", NULL, 0 }, { "equal", NULL, 0 },
    { NULL, "", 0 },     { "verdict", "", 0 },
};

static void verdict_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct diff_report *r = ctx;
    (void)i, (void)depth;
    c[0] = CELL_U(CELL_COUNT, r->d.same);
    c[1] = CELL_U(CELL_COUNT, r->d.unexplained);
    c[2] = CELL_U(CELL_BOOL, r->d.equal);
    if (!r->values) c[3] = CELL_T("values not compared (--values does)");
    c[4] = CELL_T(r->verdict);
}

/* ---- the statement ------------------------------------------------------------------------ */

static struct line_end end_of(const struct diff_report *r, int side, const char *name)
{
    return (struct line_end){ .cause = name,
                              .tensors = CELL_U(CELL_COUNT, r->d.side[side].r->count),
                              .elements = CELL_U(CELL_COUNT, r->d.side[side].ck->stored),
                              .bytes = CELL_U(CELL_BYTES, r->bytes[side]) };
}

/* In text the sides stand around it, and what is left below. */
static void add_statement(struct numel_report *out, struct diff_report *r)
{
    r->lines = (struct line_table){
        .tally = &r->d.tally,
        .shows = LINES_TENSORS | LINES_BYTES | LINES_BYTES_TEXT | LINES_EXPLAINED | LINES_DIFFERENCES,
        .ends = { end_of(r, A, "a"),
                  end_of(r, B, "b"),
                  { .cause = "unexplained", .elements = CELL_U(CELL_COUNT, r->d.unexplained) } },
        .before = 1,
        .after = 2,
    };
    line_sections(out, &r->lines, "statement");
}

/* ---- what differs ------------------------------------------------------------------------- */

/* clang-format off */
static const struct column change_columns[] = {
    { "name", NULL, 0 },  { "change", NULL, 0 },   { "what", NULL, 0 }, { "cause", NULL, 0 },
    { "times", NULL, 0 }, { "elements", NULL, 0 }, { "bytes", NULL, 0 },
};
/* clang-format on */

static void change_cells(const struct diff_row *row, struct cell *c)
{
    c[0] = CELL_T(row->name);
    c[1] = CELL_T(change_text((enum change)row->link->change));
    c[2] = CELL_T(row->what);
    if (row->link->cause) c[3] = CELL_T(row->link->cause->text);
    c[4] = CELL_U(CELL_COUNT, row->times);
    c[5] = (struct cell){ .kind = CELL_SIGNED, .i = row->elements };
    c[6] = (struct cell){ .kind = CELL_SIGNED_BYTES, .i = row->bytes };
}

static void change_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)depth;
    const struct diff_row *row = &((const struct diff_report *)ctx)->rows[i];
    change_cells(row, c);
    c[1] = CELL_T(change_code((enum change)row->link->change));
}

static const struct column entry_columns[] = {
    { NULL, "name", COLUMN_NAME },
    { NULL, "change", 0 },
    { NULL, "what", COLUMN_NAME },
    { NULL, NULL, 0 },
    { NULL, "times", COLUMN_RIGHT | COLUMN_RANK(2) },
    { NULL, "elements", COLUMN_RIGHT | COLUMN_RANK(6) },
    { NULL, "bytes", COLUMN_RIGHT | COLUMN_RANK(8) },
};

static void entry_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct diff_entry *e = &((const struct diff_report *)ctx)->entries[i];
    *depth = e->depth;
    if (e->row) change_cells(e->row, c);
    c[0] = CELL_T(e->name);
}

/* ---- layers ------------------------------------------------------------------------------- */

/* clang-format off */
static const struct column layer_columns[] = {
    { "kind", "", 0 }, { "stem", "", COLUMN_NAME }, { "a", NULL, 0 }, { "b", NULL, 0 },
    { NULL, "", COLUMN_RIGHT }, { NULL, "", 0 }, { NULL, "", COLUMN_RIGHT },
    { "only_a", NULL, 0 }, { "only_b", NULL, 0 }, { "renumbered", NULL, 0 }, { NULL, "", COLUMN_NOTE },
};
/* clang-format on */

static void layer_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct diff_report *r = ctx;
    const struct diff_layers *l = &r->d.layers[i];
    (void)depth;
    c[0] = CELL_T(l->kind);
    c[1] = CELL_T(l->stem);
    c[2] = c[4] = CELL_U(CELL_COUNT, l->count[A]);
    c[3] = c[6] = CELL_U(CELL_COUNT, l->count[B]);
    c[5] = CELL_T("->");
    c[7] = CELL_T(l->only[A]);
    c[8] = CELL_T(l->only[B]);
    c[9] = CELL_U(CELL_BOOL, l->renumbered);
    c[10] = CELL_T(r->layer_notes[i]);
}

/* "renumbered; only in a: [28-31]" */
NUMEL_MUST static const char *layer_note(const struct diff_layers *l, struct arena *a)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    if (l->renumbered) buffer_text(&b, "renumbered");
    for (int w = A; w <= B; w++)
        if (l->only[w][0])
            buffer_format(&b, "%sonly in %c: %s", b.n ? "; " : "", w == A ? 'a' : 'b', l->only[w]);
    return buffer_keep(&b, a);
}

static bool note_layers(struct diff_report *r, struct arena *a)
{
    r->layer_notes = arena_alloc(a, (r->d.layer_count + 1) * sizeof *r->layer_notes);
    for (size_t i = 0; r->layer_notes && i < r->d.layer_count; i++) {
        r->layer_notes[i] = layer_note(&r->d.layers[i], a);
        if (!r->layer_notes[i]) return false;
    }
    return r->layer_notes != NULL;
}

/* ---- metadata and configuration ----------------------------------------------------------- */

static const struct column fact_columns[] = { { "key", "key", COLUMN_NAME },
                                              { "a", "a", COLUMN_NAME },
                                              { "b", "b", COLUMN_NAME } };

static void fact_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct diff_fact *f = &((const struct diff_report *)ctx)->d.facts[i];
    (void)depth;
    c[0] = CELL_S(f->key);
    for (int w = A; w <= B; w++)
        if (f->text[w]) c[1 + w] = CELL_T(f->text[w]);
}

/* ---- types of a GGUF file that was quantized ---------------------------------------------- */

static const struct column type_columns[] = {
    { "from", NULL, 0 }, { "to", NULL, 0 }, { "tensors", NULL, 0 }, { "elements", NULL, 0 }
};

static void type_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct diff_types *t = &((const struct diff_report *)ctx)->d.types[i];
    (void)depth;
    c[0] = CELL_T(t->from);
    c[1] = CELL_T(t->to);
    c[2] = CELL_U(CELL_COUNT, t->tensors);
    c[3] = CELL_U(CELL_COUNT, t->elements);
}

/* ---- lists for programs ------------------------------------------------------------------- */

/* clang-format off */
static const struct column link_columns[] = {
    { "name", NULL, 0 },    { "b_name", NULL, 0 },  { "tensors", NULL, 0 }, { "b_tensors", NULL, 0 },
    { "dtype", NULL, 0 },   { "b_dtype", NULL, 0 }, { "shape", NULL, 0 },   { "b_shape", NULL, 0 },
    { "elements", NULL, 0 }, { "bytes", NULL, 0 },  { "cause", NULL, 0 },
};
/* clang-format on */

/* clang-format off */
static const struct column single_columns[] = {
    { "name", NULL, 0 },     { "dtype", NULL, 0 }, { "shape", NULL, 0 },
    { "elements", NULL, 0 }, { "bytes", NULL, 0 }, { "cause", NULL, 0 },
};
/* clang-format on */

static void link_cells(const struct diff_report *r, const struct link *l, struct cell *c)
{
    for (int w = A; w <= B; w++) {
        const numel_tensor *t = diff_tensor(&r->d, l, w, 0);
        c[w] = CELL_S(t->name);
        c[2 + w] = CELL_U(CELL_COUNT, l->count[w]);
        c[4 + w] = CELL_T(t->dtype->name);
        c[6 + w] = (struct cell){ .kind = CELL_DIMS, .dims = t->dims, .n = t->ndim };
    }
    int64_t elements = (int64_t)l->elements[B] - (int64_t)l->elements[A];
    int64_t bytes = (int64_t)l->bytes[B] - (int64_t)l->bytes[A];
    c[8] = (struct cell){ .kind = CELL_SIGNED, .i = elements };
    c[9] = (struct cell){ .kind = CELL_SIGNED, .i = bytes };
    if (l->cause) c[10] = CELL_T(l->cause->text);
}

static void single_cells(const struct diff_report *r, const struct link *l, struct cell *c)
{
    int side = l->count[A] ? A : B;
    const numel_tensor *t = diff_tensor(&r->d, l, side, 0);
    c[0] = CELL_S(t->name);
    c[1] = CELL_T(t->dtype->name);
    c[2] = (struct cell){ .kind = CELL_DIMS, .dims = t->dims, .n = t->ndim };
    c[3] = CELL_U(CELL_COUNT, l->elements[side]);
    c[4] = CELL_U(CELL_BYTES, l->bytes[side]);
    if (l->cause) c[5] = CELL_T(l->cause->text);
}

/* One function a list: a section's row function knows nothing but the report. */
#define LIST(name, kind, cells)                                                  \
    static void name(const void *ctx, size_t i, struct cell *c, unsigned *depth) \
    {                                                                            \
        const struct diff_report *r = ctx;                                       \
        (void)depth;                                                             \
        cells(r, r->listed[kind][i], c);                                         \
    }
LIST(renamed_row, CHANGE_RENAMED, link_cells)
LIST(retyped_row, CHANGE_RETYPED, link_cells)
LIST(quantized_row, CHANGE_QUANTIZED, link_cells)
LIST(rearranged_row, CHANGE_REARRANGED, link_cells)
LIST(reshaped_row, CHANGE_RESHAPED, link_cells)
LIST(removed_row, CHANGE_REMOVED, single_cells)
LIST(added_row, CHANGE_ADDED, single_cells)

static const struct {
    enum change change;
    struct section section;
} lists[] = {
    { CHANGE_ADDED, { .key = "added", COLUMNS(single_columns), .row = added_row } },
    { CHANGE_REMOVED, { .key = "removed", COLUMNS(single_columns), .row = removed_row } },
    { CHANGE_RESHAPED, { .key = "reshaped", COLUMNS(link_columns), .row = reshaped_row } },
    { CHANGE_RETYPED, { .key = "retyped", COLUMNS(link_columns), .row = retyped_row } },
    { CHANGE_QUANTIZED, { .key = "quantized", COLUMNS(link_columns), .row = quantized_row } },
    { CHANGE_REARRANGED, { .key = "rearranged", COLUMNS(link_columns), .row = rearranged_row } },
    { CHANGE_RENAMED, { .key = "renamed", COLUMNS(link_columns), .row = renamed_row } },
};

static bool list_links(struct numel_report *out, struct diff_report *r)
{
    const struct diff *d = &r->d;
    for (int c = CHANGE_RENAMED; c < CHANGE_COUNT; c++) {
        r->listed[c] = arena_alloc(&out->arena, (d->changes[c] + 1) * sizeof *r->listed[c]);
        if (!r->listed[c]) return false;
    }
    for (size_t i = 0; i < d->count; i++) {
        const struct link *l = &d->links[i];
        if (l->change != CHANGE_SAME) r->listed[l->change][r->listed_count[l->change]++] = l;
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct section s = lists[i].section;
        s.form = SECTION_LIST;
        s.rows = r->listed_count[lists[i].change];
        s.hidden = true;
        s.ctx = r;
        report_section(out, &s);
    }
    return true;
}

/* ---- the report --------------------------------------------------------------------------- */

/* "differ: 162 reshaped, 129 dtype changed; 0 of 291 tensors the same" */
NUMEL_MUST static const char *differences(const struct diff *d, struct arena *a)
{
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    struct buffer b;
    buffer_init(&b, d->memory);
    buffer_text(&b, "differ");
    const char *separator = ": ";
    for (int c = CHANGE_COUNT - 1; c > CHANGE_SAME; c--) {
        if (d->changes[c] == 0) continue;
        buffer_format(&b, "%s%s %s", separator, text_number(n, d->changes[c]), change_text((enum change)c));
        separator = ", ";
    }
    buffer_format(&b, "; %s of %s tensors the same", text_number(n, d->same),
                  text_number(m, d->side[A].r->count));
    if (d->no_requantization) buffer_format(&b, "; not requantized: %s", d->no_requantization);
    return buffer_keep(&b, a);
}

/* "requantized: 224 tensors F16 -> Q4_0, 1 F16 -> Q6_K; 66 tensors the same; 2 metadata keys differ" */
NUMEL_MUST static const char *requantized(const struct diff *d, struct arena *a)
{
    char n[TEXT_COUNT];
    struct buffer b;
    buffer_init(&b, d->memory);
    for (size_t i = 0; i < d->type_count; i++)
        buffer_format(&b, "%s%s%s %s -> %s", i ? ", " : "requantized: ", text_number(n, d->types[i].tensors),
                      i                          ? ""
                      : d->types[i].tensors == 1 ? " tensor"
                                                 : " tensors",
                      d->types[i].from, d->types[i].to);
    buffer_format(&b, "; %s the same", text_count(n, d->same, "tensor"));
    if (d->fact_count)
        buffer_format(&b, "; %zu metadata key%s differ%s", d->fact_count, d->fact_count == 1 ? "" : "s",
                      d->fact_count == 1 ? "s" : "");
    return buffer_keep(&b, a);
}

NUMEL_MUST static const char *verdict_of(struct diff_report *r, struct arena *a)
{
    const struct diff *d = &r->d;
    char same[TEXT_COUNT], facts[TEXT_COUNT];
    if (d->side[A].ck->missing || d->side[B].ck->missing)
        return "differ: shards are missing, so not everything could be compared";
    if (d->equal && d->cross) return "equal except for the format: the conversion explains every difference";
    if (d->requantized) return requantized(d, a);
    if (d->equal && d->fact_count)
        return arena_format(a,
                            "equal: %s of the same name, shape and dtype; %s of metadata or configuration "
                            "differ%s",
                            text_count(same, d->same, "tensor"), text_count(facts, d->fact_count, "key"),
                            d->fact_count == 1 ? "s" : "");
    if (d->equal)
        return arena_format(a, "equal: %s of the same name, shape and dtype",
                            text_count(same, d->same, "tensor"));
    if (!d->cross) return differences(d, a);
    if (d->lost && !d->unexplained_links) return arena_format(a, "differ: %s", d->lost);
    return arena_format(a, "differ: %zu of %zu differences not explained by the conversion%s%s",
                        d->unexplained_links, d->count - d->changes[CHANGE_SAME], d->lost ? "; " : "",
                        d->lost ? d->lost : "");
}

static bool make_texts(struct numel_report *out, struct diff_report *r)
{
    struct arena *a = &out->arena;
    char moved[TEXT_COUNT];
    int64_t n = (int64_t)r->d.side[B].ck->stored - (int64_t)r->d.side[A].ck->stored;
    const char *by = r->d.cross ? "role" : r->d.by_role ? "name and role" : "name";
    r->compared = arena_format(a, "by %s; %s", by, r->values ? "all values" : "headers only");
    r->files =
        arena_format(a, "%zu -> %zu; %s moved to a file with another name", r->d.side[A].ck->file_count,
                     r->d.side[B].ck->file_count, text_count(moved, r->d.moved, "tensor"));
    r->verdict = verdict_of(r, a);
    out->quiet_text = arena_format(a, "%" PRId64, n);
    return r->compared && r->files && r->verdict && out->quiet_text;
}

/* A table of which text shows the first `most` rows, unless all are wanted. */
static struct section shortened(struct numel_report *out, struct section s, size_t most, bool all)
{
    s.title = "";
    s.form = SECTION_LIST;
    s.headed = true;
    s.hidden = s.rows == 0;
    if (s.rows > most && !all) {
        s.text_rows = most;
        s.more = arena_format(&out->arena, "... and %zu more (--no-truncate shows them)", s.rows - most);
    }
    return s;
}

static void add_side(struct numel_report *out, const struct diff_report *r, const char *key,
                     void (*row)(const void *, size_t, struct cell *, unsigned *))
{
    report_section(out, &(struct section){ .key = key,
                                           .form = SECTION_OBJECT,
                                           .hidden = true,
                                           COLUMNS(side_columns),
                                           .rows = 1,
                                           .row = row,
                                           .ctx = r });
}

static void add_sections(struct numel_report *out, struct diff_report *r, bool all)
{
    struct section table = shortened(
        out, (struct section){ COLUMNS(entry_columns), .rows = r->entry_count, .row = entry_row, .ctx = r },
        40, all);
    struct section facts = shortened(
        out,
        (struct section){
            .key = "metadata", COLUMNS(fact_columns), .rows = r->d.fact_count, .row = fact_row, .ctx = r },
        20, all);
    report_section(out,
                   &(struct section){
                       .form = SECTION_FIELDS, COLUMNS(head_columns), .rows = 1, .row = head_row, .ctx = r });
    add_side(out, r, "a", a_row);
    add_side(out, r, "b", b_row);
    add_statement(out, r);
    diff_components_section(out, r->components);
    report_section(out, &(struct section){ .key = "layers",
                                           .title = "",
                                           .form = SECTION_LIST,
                                           COLUMNS(layer_columns),
                                           .rows = r->d.layer_count,
                                           .row = layer_row,
                                           .ctx = r,
                                           .hidden = r->d.layer_count == 0 });
    report_section(out, &table);
    report_section(out, &(struct section){ .key = "changes",
                                           .form = SECTION_LIST,
                                           .hidden = true,
                                           COLUMNS(change_columns),
                                           .rows = r->row_count,
                                           .row = change_row,
                                           .ctx = r });
    report_section(out, &facts);
    report_section(out, &(struct section){ .key = "requantized",
                                           .form = SECTION_LIST,
                                           .hidden = true,
                                           COLUMNS(type_columns),
                                           .rows = r->d.requantized ? r->d.type_count : 0,
                                           .row = type_row,
                                           .ctx = r });
    if (r->values) diff_values_sections(out, r->values, all);
    else
        report_section(
            out, &(struct section){ .key = "values", .form = SECTION_OBJECT, .null = true, .hidden = true });
    report_section(out, &(struct section){ .title = "",
                                           .form = SECTION_FIELDS,
                                           COLUMNS(verdict_columns),
                                           .rows = 1,
                                           .row = verdict_row,
                                           .ctx = r });
    if (r->values) diff_values_verdict(out, r->values);
}

NUMEL_MUST static bool fold_rows(struct diff_report *r, bool all)
{
    return diff_fold(&r->d, all, &r->rows, &r->row_count) &&
           diff_table(&r->d, r->rows, r->row_count, all, &r->entries, &r->entry_count);
}

NUMEL_MUST static bool make_diff(struct numel_report *out, numel_subject *first, numel_subject *second,
                                 const numel_view *view, const numel_work *work, numel_error *e)
{
    struct diff_report *r = arena_alloc(&out->arena, sizeof *r);
    if (!r) return error_nomem(e);
    *r = (struct diff_report){ .judged = { { .ck = first->ck, .subject = first, .report = out },
                                           { .ck = second->ck, .subject = second, .report = out } } };
    if (!diff_make(&r->d, first->handle, second->handle, &out->arena, e)) return false;
    for (size_t i = 0; i < r->d.count; i++)
        for (int w = A; w <= B; w++) r->bytes[w] += r->d.links[i].bytes[w];
    if (!diff_components_make(&r->components, &r->d, &out->arena, e)) return false;
    out->disagrees = !r->d.equal;
    if (!view->totals && !fold_rows(r, view->all)) return false;
    if (work && !diff_values_make(out, &r->values, &r->d, work, e)) return false;
    out->quiet_nothing = work != NULL;
    if (!make_texts(out, r) || !note_layers(r, &out->arena)) return error_nomem(e);
    add_sections(out, r, view->all);
    return list_links(out, r) || error_nomem(e);
}

numel_rc numel_report_diff(numel_report **out, numel_subject *first, numel_subject *second,
                           const numel_view *view, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_view seen;
    numel_work work;
    error_clear(e);
    *out = NULL;
    if (!border_view(&seen, view, e) || !border_work(&work, seen.values, e)) return e->code;
    if (!subject_stored(first, e) || !subject_stored(second, e)) return e->code;
    *out = report_new(first->options.allocator, "numel.diff/1", e);
    return report_made(out, *out && make_diff(*out, first, second, &seen, seen.values ? &work : NULL, e), e);
}
