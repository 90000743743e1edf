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
 * Below it the differences are folded. The lists in JSON are not: one record for each link.
 */
#include "reader/remote.h"
#include "diff/diff.h"
#include "reporter/diff_against.h"
#include "reporter/diff_components.h"
#include "reporter/diff_values.h"
#include "reporter/handles.h"
#include "reporter/judged_text.h"
#include "base/border.h"
#include "reporter/lines.h"
#include "reporter/remote_section.h"

struct diff_report {
    struct diff d;
    struct diff_row *rows;
    struct diff_entry *entries;
    size_t row_count, entry_count;
    uint64_t bytes[2];
    struct judged_text judged[2];
    struct line_table lines;
    const char *compared, *files;
    struct toned verdict;
    struct diff_components *components;
    struct value_sections *values;            /* NULL if not requested */
    const numel_checkpoint *third;            /* NULL: none */
    struct against_sections *against;         /* NULL without a third checkpoint */
    const struct link **listed[CHANGE_COUNT]; /* links by change */
    size_t listed_count[CHANGE_COUNT];
};

/* ---- head and verdict --------------------------------------------------------------------- */

static const char *called(const numel_checkpoint *ck) { return ck->name ? ck->name : ck->path; }

static void head_row(struct table_row *row, struct cell *c)
{
    const struct diff_report *r = row->of;
    c[0] = CELL_S(text_of(called(r->d.side[A].ck)));
    c[1] = CELL_S(text_of(called(r->d.side[B].ck)));
    if (r->third) c[2] = CELL_S(text_of(called(r->third)));
    c[3] = CELL_T(r->d.by_role ? "role" : "name");
}

static const struct table head_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, head_row, { NULL, "a", 0, MADE }, { NULL, "b", 0, MADE },
          { NULL, "c", 0, MADE }, { "by", NULL, 0, MADE },
          { NULL, "compared", 0, AT(CELL_TEXT, struct diff_report, compared) },
          { NULL, "files", 0, AT_IF(d.moved, CELL_TEXT, struct diff_report, files) },
          { "moved", NULL, 0, AT(CELL_COUNT, struct diff_report, d.moved) });

/* clang-format off */
static const struct column side_columns[] = {
    { "path", NULL, 0, MADE }, { "name", NULL, 0, MADE }, { "format", NULL, 0, MADE },
    { "architecture", NULL, 0, MADE }, { "tensors", NULL, 0, MADE }, { "elements", NULL, 0, MADE },
    { "bytes", NULL, 0, MADE }, { "judgement", NULL, 0, MADE },
    { "remote", NULL, 0, MADE },
};
/* clang-format on */

static void side_row(struct table_row *row, struct cell *c)
{
    struct diff_report *r = (struct diff_report *)(uintptr_t)row->of;
    const struct diff_side *s = row->item;
    int which = s == &r->d.side[A] ? A : B;
    c[0] = CELL_S(text_of(s->ck->path));
    if (s->ck->name) c[1] = CELL_S(text_of(s->ck->name));
    c[2] = CELL_T(format_name(s->ck->files[0].format));
    if (s->c && s->c->model->architecture) c[3] = CELL_S(text_of(s->c->model->architecture));
    c[4] = CELL_U(CELL_COUNT, s->r->count);
    c[5] = CELL_U(CELL_COUNT, s->ck->stored);
    c[6] = CELL_U(CELL_BYTES, r->bytes[which]);
    c[7] = judged_cell(&r->judged[which]);
    c[8] = s->ck->remote ? (struct cell){ .kind = CELL_RAW,
                                          .t = remote_json(s->ck->remote, &r->judged[which].report->arena) }
                         : (struct cell){ .kind = CELL_ABSENT };
}

static const struct table side_tables[] = {
    TABLE_OF("a", NULL, SECTION_OBJECT, TABLE_HIDDEN, side_row, side_columns),
    TABLE_OF("b", NULL, SECTION_OBJECT, TABLE_HIDDEN, side_row, side_columns),
};

static void verdict_row(struct table_row *row, struct cell *c)
{
    const struct diff_report *r = row->of;
    if (!r->values) c[3] = CELL_T("values not compared (--values does)");
}

static const struct table verdict_table = TABLE(
    NULL, "", SECTION_FIELDS, 0, verdict_row, { "same", NULL, 0, AT(CELL_COUNT, struct diff_report, d.same) },
    { "unexplained", NULL, 0, AT(CELL_COUNT, struct diff_report, d.unexplained) },
    { "equal", NULL, 0, AT(CELL_BOOL, struct diff_report, d.equal) }, { NULL, "", 0, MADE },
    { "verdict", "", 0, AT(CELL_TEXT, struct diff_report, verdict) });

/* ---- the statement ------------------------------------------------------------------------ */

static enum tone tone_of(enum change change)
{
    return change == CHANGE_ADDED      ? TONE_GOOD
           : change == CHANGE_REMOVED  ? TONE_BAD
           : change == CHANGE_RESHAPED ? TONE_PART
                                       : TONE_NONE;
}

static enum tone tone_of_line(const struct line_code *code)
{
    const struct line_code *first = &diff_codes[DIFF_CHANGES];
    return code >= first ? tone_of((enum change)(code - first)) : TONE_NONE;
}

static struct line_end end_of(const struct diff_report *r, int side, const char *name)
{
    return (struct line_end){ .cause = name,
                              .tensors = CELL_U(CELL_COUNT, r->d.side[side].r->count),
                              .elements = CELL_U(CELL_COUNT, r->d.side[side].ck->stored),
                              .bytes = CELL_U(CELL_BYTES, r->bytes[side]) };
}

/* In text, the lines stand between the rows of a and b; the unexplained rest is last. */
static void add_statement(struct numel_report *out, struct diff_report *r)
{
    r->lines = (struct line_table){
        .tally = &r->d.tally,
        .tone = tone_of_line,
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

static void change_row(struct table_row *at, struct cell *c)
{
    const struct diff_row *row = at->item;
    c[1] = CELL_T(change_code((enum change)row->link->change));
    if (row->link->cause) c[3] = CELL_T(row->link->cause->text);
}

static const struct table change_table =
    TABLE("changes", NULL, SECTION_LIST, TABLE_HIDDEN, change_row,
          { "name", NULL, 0, AT(CELL_TEXT, struct diff_row, name) }, { "change", NULL, 0, MADE },
          { "what", NULL, 0, AT(CELL_TEXT, struct diff_row, what) }, { "cause", NULL, 0, MADE },
          { "times", NULL, 0, AT(CELL_COUNT, struct diff_row, times) },
          { "elements", NULL, 0, AT(CELL_SIGNED, struct diff_row, elements) },
          { "bytes", NULL, 0, AT(CELL_SIGNED_BYTES, struct diff_row, bytes) });

static void entry_row(struct table_row *at, struct cell *c)
{
    const struct diff_entry *e = at->item;
    at->depth = e->depth;
    if (!e->row) return;
    enum change change = (enum change)e->row->link->change;
    c[1] = CELL_TONE(change_text(change), tone_of(change));
}

static const struct table entry_table = TABLE(
    NULL, "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, entry_row,
    { NULL, "name", COLUMN_NAME, AT(CELL_TEXT, struct diff_entry, name) }, { NULL, "change", 0, MADE },
    { NULL, "what", COLUMN_NAME, VIA(CELL_TEXT, struct diff_entry, row, what) },
    { NULL, "times", COLUMN_RIGHT | COLUMN_RANK(2), VIA(CELL_COUNT, struct diff_entry, row, times) },
    { NULL, "elements", COLUMN_RIGHT | COLUMN_RANK(6), VIA(CELL_SIGNED, struct diff_entry, row, elements) },
    { NULL, "bytes", COLUMN_RIGHT | COLUMN_RANK(8) | COLUMN_BAR,
      VIA(CELL_SIGNED_BYTES, struct diff_entry, row, bytes) });

/* ---- layers ------------------------------------------------------------------------------- */

static const struct table layer_table = TABLE(
    "layers", "", SECTION_LIST, TABLE_FILLED, NULL,
    { "kind", "", 0, AT(CELL_TEXT, struct diff_layers, kind) },
    { "stem", "", COLUMN_NAME, AT(CELL_TEXT, struct diff_layers, stem) },
    { "a", NULL, 0, AT(CELL_COUNT, struct diff_layers, count[A]) },
    { "b", NULL, 0, AT(CELL_COUNT, struct diff_layers, count[B]) },
    { NULL, "", COLUMN_RIGHT, AT(CELL_COUNT, struct diff_layers, count[A]) }, { NULL, "", 0, SAID("->") },
    { NULL, "", COLUMN_RIGHT, AT(CELL_COUNT, struct diff_layers, count[B]) },
    { "only_a", NULL, 0, AT(CELL_TEXT, struct diff_layers, only[A]) },
    { "only_b", NULL, 0, AT(CELL_TEXT, struct diff_layers, only[B]) },
    { "renumbered", NULL, 0, AT(CELL_BOOL, struct diff_layers, renumbered) },
    { NULL, "", COLUMN_NOTE, AT(CELL_TEXT, struct diff_layers, note) });

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

static bool note_layers(struct diff *d, struct arena *a)
{
    for (size_t i = 0; i < d->layer_count; i++)
        if (!(d->layers[i].note = layer_note(&d->layers[i], a))) return false;
    return true;
}

/* ---- metadata and configuration ----------------------------------------------------------- */

static const struct table fact_table =
    TABLE("metadata", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, NULL,
          { "key", "key", COLUMN_NAME, AT(CELL_STR, struct diff_fact, key) },
          { "a", "a", COLUMN_NAME, AT(CELL_TEXT, struct diff_fact, text[A]) },
          { "b", "b", COLUMN_NAME, AT(CELL_TEXT, struct diff_fact, text[B]) });

/* ---- types of a GGUF file that was quantized ---------------------------------------------- */

static const struct table type_table =
    TABLE("requantized", NULL, SECTION_LIST, TABLE_HIDDEN, NULL,
          { "from", NULL, 0, AT(CELL_TEXT, struct diff_types, from) },
          { "to", NULL, 0, AT(CELL_TEXT, struct diff_types, to) },
          { "tensors", NULL, 0, AT(CELL_COUNT, struct diff_types, tensors) },
          { "elements", NULL, 0, AT(CELL_COUNT, struct diff_types, elements) });

/* ---- lists for programs ------------------------------------------------------------------- */

/* clang-format off */
static const struct column link_columns[] = {
    { "name", NULL, 0, MADE }, { "b_name", NULL, 0, MADE }, { "tensors", NULL, 0, MADE },
    { "b_tensors", NULL, 0, MADE }, { "dtype", NULL, 0, MADE }, { "b_dtype", NULL, 0, MADE },
    { "shape", NULL, 0, MADE }, { "b_shape", NULL, 0, MADE }, { "elements", NULL, 0, MADE },
    { "bytes", NULL, 0, MADE }, { "cause", NULL, 0, MADE },
};
/* clang-format on */

/* clang-format off */
static const struct column single_columns[] = {
    { "name", NULL, 0, MADE }, { "dtype", NULL, 0, MADE }, { "shape", NULL, 0, MADE },
    { "elements", NULL, 0, MADE }, { "bytes", NULL, 0, MADE }, { "cause", NULL, 0, MADE },
};
/* clang-format on */

static void link_row(struct table_row *row, struct cell *c)
{
    const struct diff_report *r = row->of;
    const struct link *l = *(const struct link *const *)row->item;
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

static void single_row(struct table_row *row, struct cell *c)
{
    const struct diff_report *r = row->of;
    const struct link *l = *(const struct link *const *)row->item;
    int side = l->count[A] ? A : B;
    const numel_tensor *t = diff_tensor(&r->d, l, side, 0);
    c[0] = CELL_S(t->name);
    c[1] = CELL_T(t->dtype->name);
    c[2] = (struct cell){ .kind = CELL_DIMS, .dims = t->dims, .n = t->ndim };
    c[3] = CELL_U(CELL_COUNT, l->elements[side]);
    c[4] = CELL_U(CELL_BYTES, l->bytes[side]);
    if (l->cause) c[5] = CELL_T(l->cause->text);
}

static const struct {
    enum change change;
    struct table table;
} lists[] = {
    { CHANGE_ADDED, TABLE_OF("added", NULL, SECTION_LIST, TABLE_HIDDEN, single_row, single_columns) },
    { CHANGE_REMOVED, TABLE_OF("removed", NULL, SECTION_LIST, TABLE_HIDDEN, single_row, single_columns) },
    { CHANGE_RESHAPED, TABLE_OF("reshaped", NULL, SECTION_LIST, TABLE_HIDDEN, link_row, link_columns) },
    { CHANGE_RETYPED, TABLE_OF("retyped", NULL, SECTION_LIST, TABLE_HIDDEN, link_row, link_columns) },
    { CHANGE_QUANTIZED, TABLE_OF("quantized", NULL, SECTION_LIST, TABLE_HIDDEN, link_row, link_columns) },
    { CHANGE_REARRANGED, TABLE_OF("rearranged", NULL, SECTION_LIST, TABLE_HIDDEN, link_row, link_columns) },
    { CHANGE_RENAMED, TABLE_OF("renamed", NULL, SECTION_LIST, TABLE_HIDDEN, link_row, link_columns) },
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
        enum change c = lists[i].change;
        report_list(out, &lists[i].table, ROWS(r->listed[c], r->listed_count[c]), r);
    }
    return true;
}

/* ---- the report --------------------------------------------------------------------------- */

/* "differ: 162 reshaped, 129 dtype changed; 0 of 291 tensors the same" */
static struct toned differences(const struct diff *d, struct arena *a)
{
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    struct buffer b;
    buffer_init(&b, d->memory);
    buffer_text(&b, "differ");
    size_t verdict = b.n;
    const char *separator = ": ";
    for (int c = CHANGE_COUNT - 1; c > CHANGE_SAME; c--) {
        if (d->changes[c] == 0) continue;
        buffer_format(&b, "%s%s %s", separator, text_number(n, d->changes[c]), change_text((enum change)c));
        separator = ", ";
    }
    size_t explained = d->rewritten ? d->count - d->changes[CHANGE_SAME] - d->unexplained_links : 0;
    if (explained) buffer_format(&b, " (%s explained by the conversion)", text_number(n, explained));
    buffer_format(&b, "; %s of %s tensors the same", text_number(n, d->same),
                  text_number(m, d->side[A].r->count));
    if (d->no_requantization) buffer_format(&b, "; not requantized: %s", d->no_requantization);
    return toned_keep(&b, a, TONE_PART, verdict);
}

/* "requantized: 224 tensors F16 -> Q4_0, 1 F16 -> Q6_K; 66 tensors the same; 2 metadata keys differ" */
static struct toned requantized(const struct diff *d, struct arena *a)
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
    return toned_keep(&b, a, TONE_NONE, 0);
}

static struct toned verdict_of(struct diff_report *r, struct arena *a)
{
    const struct diff *d = &r->d;
    char same[TEXT_COUNT], facts[TEXT_COUNT];
    if (d->side[A].ck->missing || d->side[B].ck->missing)
        return toned_format(a, TONE_PART, "differ",
                            ": shards are missing, so not everything could be compared");
    if (d->equal && (d->cross || (d->rewritten && d->changes[CHANGE_SAME] < d->count)))
        return toned_format(a, TONE_GOOD, "equal",
                            " except for the format: the conversion explains every difference");
    if (d->requantized) return requantized(d, a);
    if (d->equal && d->fact_count)
        return toned_format(a, TONE_GOOD, "equal",
                            ": %s of the same name, shape and dtype; %s of metadata or configuration "
                            "differ%s",
                            text_count(same, d->same, "tensor"), text_count(facts, d->fact_count, "key"),
                            d->fact_count == 1 ? "s" : "");
    if (d->equal)
        return toned_format(a, TONE_GOOD, "equal", ": %s of the same name, shape and dtype",
                            text_count(same, d->same, "tensor"));
    if (!d->cross) return differences(d, a);
    if (d->lost && !d->unexplained_links) return toned_format(a, TONE_PART, "differ", ": %s", d->lost);
    return toned_format(a, TONE_PART, "differ",
                        ": %zu of %zu differences not explained by the conversion%s%s", d->unexplained_links,
                        d->count - d->changes[CHANGE_SAME], d->lost ? "; " : "", d->lost ? d->lost : "");
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
    return r->compared && r->files && r->verdict.text && out->quiet_text;
}

static void add_sections(struct numel_report *out, struct diff_report *r, bool all)
{
    report_one(out, &head_table, r);
    for (int w = A; w <= B; w++) report_list(out, &side_tables[w], &r->d.side[w], 0, 1, r);
    add_statement(out, r);
    diff_components_section(out, r->components);
    report_list(out, &layer_table, ROWS(r->d.layers, r->d.layer_count), NULL);
    struct section *s = report_list(out, &entry_table, ROWS(r->entries, r->entry_count), NULL);
    if (!all) report_shorten(out, s, 40);
    report_list(out, &change_table, ROWS(r->rows, r->row_count), NULL);
    s = report_list(out, &fact_table, ROWS(r->d.facts, r->d.fact_count), NULL);
    if (!all) report_shorten(out, s, 20);
    report_list(out, &type_table, ROWS(r->d.types, r->d.requantized ? r->d.type_count : 0), NULL);
    if (r->values) diff_values_sections(out, r->values, all);
    else
        report_section(out, &(struct section){ .is = { .key = "values", .form = SECTION_OBJECT },
                                               .null = true,
                                               .hidden = true });
    diff_against_sections(out, r->against, all);
    report_one(out, &verdict_table, r);
    if (r->values) diff_values_verdict(out, r->values);
    diff_against_verdict(out, r->against);
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
    if (work && view->third) {
        r->third = view->third->ck;
        if (!diff_against_make(out, &r->against, diff_values_of(r->values), first->handle,
                               view->third->handle, work, e))
            return false;
    }
    out->quiet_nothing = work != NULL;
    if (!make_texts(out, r) || !note_layers(&r->d, &out->arena)) return error_nomem(e);
    out->verdict = out->disagrees ? (struct toned){ "differ", TONE_PART, 0 }
                   : out->in_part ? (struct toned){ "in part", TONE_PART, 0 }
                                  : (struct toned){ "equal", TONE_GOOD, 0 };
    add_sections(out, r, view->all);
    return list_links(out, r) || error_nomem(e);
}

/* Only the headers of a remote checkpoint are fetched, never its values. */
NUMEL_MUST static bool values_here(const numel_subject *s, numel_error *e)
{
    return !s->found || !s->found->remote || remote_refuse(s->found->sets[s->at].path, "--values", e);
}

numel_rc numel_report_diff(numel_report **out, numel_subject *first, numel_subject *second,
                           const numel_view *view, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_view seen;
    numel_work work;
    *out = NULL;
    if (!border_view(&seen, view, e) || !border_work(&work, seen.values, e)) return e->code;
    if (seen.values && (!values_here(second, e) || !values_here(first, e))) return e->code;
    if (seen.values && seen.third && !values_here(seen.third, e)) return e->code;
    if (!subject_stored(first, e) || !subject_stored(second, e)) return e->code;
    if (seen.third && !subject_stored(seen.third, e)) return e->code;
    *out = report_new(first->options.allocator, "numel.diff/1", e);
    return report_made(out, *out && make_diff(*out, first, second, &seen, seen.values ? &work : NULL, e), e);
}
