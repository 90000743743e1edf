/*
 * components_report.c -- numel.components/1: a folder with one model in several checkpoints.
 *
 *     component     class                 files  elements  parameters  type      size  verdict
 *     text_encoder  CLIPTextModel             1    19,306      19,306  F32   78.8 KiB  agrees
 *     tokenizer     CLIPTokenizer                                                      no weights
 *     unet          UNet2DConditionModel      1   985,444     985,444  F32    3.7 MiB  agrees
 */
#include "components/components.h"
#include "reporter/components_words.h"
#include "reporter/handles.h"
#include "reporter/judgement_section.h"
#include "reporter/sections.h"
#include "base/text.h"
#include "source/folder.h"

#include <string.h>

struct components_report {
    struct components c;
    numel_judgement judgement;
    const char *what, *total;
    struct toned verdict;
    const char **notes; /* one per row, or NULL */
};

/* ---- texts -------------------------------------------------------------------------------- */

const char *components_library(const struct components *c)
{
    return c->pipeline ? c->pipeline->library : "single file";
}

const char *components_title(const struct components *c, struct arena *a)
{
    char class[TEXT_QUOTE];
    if (!c->class) return components_library(c);
    return arena_format(a, "%s (%s)", text_bare(class, text_of(c->class)), components_library(c));
}

/* The note of a component in a single file, which has no index that could promise anything. */
NUMEL_MUST static bool note_part(const struct component *x, const char **out, struct arena *a, numel_error *e)
{
    char prefix[TEXT_QUOTE], key[TEXT_QUOTE];
    const char *off = x->off ? x->off : "", *sep = x->off ? ": " : "";
    if (x->row.error) *out = arena_format(a, "%s", x->row.error->what);
    else if (x->state == COMPONENT_NONE) *out = "not in this file";
    else if (x->state == COMPONENT_BUFFERS)
        *out = arena_format(a, "%s: known by name, shape and type", x->why);
    else if (x->state == COMPONENT_STRAY) *out = arena_format(a, "%s: unknown, in no component", x->why);
    else if (x->part->key.n)
        *out = arena_format(a, "%s%s.%s%s", text_bare(prefix, text_of(x->part->prefix->text)),
                            text_bare(key, x->part->key), sep, off);
    else
        *out =
            arena_format(a, "%s%s%s%s", x->part->prefix->text, x->counted ? "" : " (not counted)", sep, off);
    return *out || error_nomem(e);
}

bool component_note(const struct component *x, const char **out, struct arena *a, numel_error *e)
{
    char said[TEXT_QUOTE];
    *out = NULL;
    if (x->single) return note_part(x, out, a, e);
    if (x->said) *out = arena_format(a, "its config.json says %s", text_bare(said, text_of(x->said)));
    else if (x->off) *out = x->off;
    else if (x->row.error) *out = arena_format(a, "%s", x->row.error->what);
    else if (x->doubt) *out = x->doubt;
    else if (x->state == COMPONENT_PLAIN) *out = "no weights";
    else if (x->state == COMPONENT_NONE) *out = "absent: null in the index";
    else if (x->why) *out = x->why;
    else if (!x->promise) *out = "not in the index, not counted";
    else if (!x->promise->class) *out = "null in the index, not counted";
    else if (!x->counted) *out = "not counted";
    else return true;
    return *out || error_nomem(e);
}

NUMEL_MUST static const char *total_text(const struct components *c, struct arena *a)
{
    struct buffer b;
    char n[TEXT_COUNT], files[TEXT_COUNT];
    buffer_init(&b, a->memory);
    buffer_format(&b, "%s in %s, ", text_count(n, c->checkpoints, "component"),
                  text_count(files, c->files, "file"));
    text_total(&b, c->stored);
    buffer_text(&b, " elements, ");
    text_cell(&b, &CELL_U(CELL_BYTES, c->bytes));
    return buffer_keep(&b, a);
}

/* Number of judged rows with a verdict in this range. */
static uint64_t count_verdict(const struct components *c, numel_state from, numel_state to)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct component *x = &c->items[i];
        if (component_is_judged(x)) n += x->verdict >= from && x->verdict <= to;
    }
    return n;
}

/* Names the components in F8 that are not quantized. reconcile counts their tensors. */
static void say_cast(struct buffer *b, const struct components *c)
{
    const char *sep = "; ";
    for (size_t i = 0; i < c->count; i++) {
        const struct component *x = &c->items[i];
        bool cast = x->counted && x->state == COMPONENT_WEIGHTS && x->row.dtype && !x->row.method &&
                    text_starts(text_of(x->row.dtype), "F8_E");
        if (!cast) continue;
        char name[TEXT_QUOTE];
        buffer_format(b, "%s%s", sep, text_bare(name, text_of(x->name)));
        sep = ", ";
    }
    if (sep[0] == ',') buffer_text(b, " of F8 without scales: cast, or the scales were lost");
}

static struct toned verdict_text(const struct components *c, const numel_judgement *j, struct arena *a)
{
    static const struct {
        numel_state from, to;
        const char *what;
    } parts[] = {
        { NUMEL_STATE_AGREES, NUMEL_STATE_AGREES, "agrees" },
        { NUMEL_STATE_IN_PART, NUMEL_STATE_IN_PART, "in part" },
        { NUMEL_STATE_UNKNOWN, NUMEL_STATE_UNKNOWN, "unknown" },
        { NUMEL_STATE_DISAGREES, NUMEL_STATE_DISAGREES, "disagrees" },
        { NUMEL_STATE_INCOMPLETE, NUMEL_STATE_INCOMPLETE, "missing or incomplete" },
        { NUMEL_STATE_DAMAGED, NUMEL_STATE_DAMAGED, "damaged" },
    };
    struct buffer b;
    bool bytes = c->parts && checkpoint_state(c->parts->whole) != NUMEL_STATE_UNKNOWN;
    if (j->cause_count && (bytes || (c->pipeline && c->pipeline->why)))
        return toned_format(a, tone_of_state(j->verdict), numel_state_name(j->verdict), ": %s",
                            j->causes[0].text);
    buffer_init(&b, a->memory);
    buffer_text(&b, numel_state_name(c->verdict));
    size_t verdict = b.n;
    if (c->verdict == NUMEL_STATE_AGREES)
        buffer_text(&b, c->parts ? ": each component agrees, and there is nothing else"
                                 : ": all components are present, and each agrees");
    const char *sep = ": ";
    for (size_t i = 0; c->verdict != NUMEL_STATE_AGREES && i < sizeof parts / sizeof *parts; i++) {
        uint64_t n = count_verdict(c, parts[i].from, parts[i].to);
        if (!n) continue;
        buffer_format(&b, "%s%" PRIu64 " %s", sep, n, parts[i].what);
        sep = ", ";
    }
    if (c->verdict == NUMEL_STATE_AGREES) say_cast(&b, c);
    return toned_keep(&b, a, tone_of_state(c->verdict), verdict);
}

/* ---- rows --------------------------------------------------------------------------------- */

static void head_row(struct table_row *row, struct cell *c)
{
    const struct components_report *r = row->of;
    c[3] = CELL_T(components_library(&r->c));
}

static const struct table head_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, head_row,
          { "path", "", 0, AT(CELL_STR, struct components_report, c.path) },
          { "index", NULL, 0, AT(CELL_STR, struct components_report, c.index) },
          { "class", NULL, 0, AT(CELL_STR, struct components_report, c.class) }, { "library", NULL, 0, MADE },
          { NULL, "components", 0, AT(CELL_TEXT, struct components_report, what) },
          { "architecture", NULL, 0, AT(CELL_STR, struct components_report, judgement.architecture) });

const char *component_state_name(const struct component *x)
{
    static const char *const names[] = { "weights", "no weights", "absent",     "missing",
                                         "unread",  "buffers",    "unexplained" };
    return names[x->state];
}

static void weights_cells(const struct component *x, struct cell *c)
{
    c[5] = CELL_S(text_of(x->path));
    c[8] = CELL_U(CELL_COUNT, x->files);
    if (x->row.error) return;
    if (x->row.architecture) c[7] = CELL_S(text_of(x->row.architecture));
    c[9] = CELL_U(CELL_COUNT, x->row.tensors);
    c[10] = CELL_U(CELL_COUNT, x->row.stored);
    if (x->row.parameters != NUMEL_NOT_KNOWN) c[11] = CELL_U(CELL_COUNT, x->row.parameters);
    if (x->row.dtype) c[12] = CELL_S(text_of(x->row.dtype));
    c[13] = CELL_U(CELL_BYTES, x->row.bytes);
}

static void item_row(struct table_row *at, struct cell *c)
{
    const struct components_report *r = at->of;
    const struct component *x = at->item;
    bool other = x->variant[0] && !x->counted && at->i > 0 && strcmp(x->name, x[-1].name) == 0;
    if (x->variant[0]) c[1] = CELL_S(text_of(x->variant));
    c[2] = CELL_S(text_of(other ? x->variant : x->name));
    at->depth = other;
    if (x->promise && x->promise->class && !other) c[3] = CELL_S(text_of(x->promise->class));
    if (x->promise && x->promise->library) c[4] = CELL_S(text_of(x->promise->library));
    c[6] = CELL_T(component_state_name(x));
    bool beside = x->state == COMPONENT_BUFFERS || x->state == COMPONENT_STRAY;
    if (x->state == COMPONENT_WEIGHTS || beside) weights_cells(x, c);
    if (x->single && x->row.architecture && !other) c[3] = CELL_S(text_of(x->row.architecture));
    if (x->state == COMPONENT_WEIGHTS || x->state == COMPONENT_UNREAD || beside || x->off)
        c[15] = CELL_TONE(numel_state_name(x->verdict), tone_of_state(x->verdict));
    if (x->state == COMPONENT_MISSING) c[15] = CELL_TONE("missing", TONE_BAD);
    if (r->notes[at->i]) c[16] = CELL_T(r->notes[at->i]);
}

static const struct table item_table =
    TABLE("components", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, item_row,
          { "name", NULL, 0, AT(CELL_STR, struct component, name) }, { "variant", NULL, 0, MADE },
          { NULL, "component", COLUMN_NAME, MADE }, { "class", "class", COLUMN_RANK(9), MADE },
          { "library", NULL, 0, MADE }, { "path", NULL, 0, MADE }, { "state", NULL, 0, MADE },
          { "architecture", NULL, 0, MADE }, { "files", "files", COLUMN_RIGHT | COLUMN_RANK(4), MADE },
          { "tensors", NULL, 0, MADE }, { "stored", "elements", COLUMN_RIGHT, MADE },
          { "parameters", "parameters", COLUMN_RIGHT | COLUMN_RANK(6), MADE },
          { "dtype", "type", COLUMN_RANK(7) | COLUMN_TYPE, MADE },
          { "bytes", "size", COLUMN_RIGHT | COLUMN_RANK(8) | COLUMN_BAR, MADE },
          { "counted", NULL, 0, AT(CELL_BOOL, struct component, counted) }, { "verdict", "verdict", 0, MADE },
          { "note", "", COLUMN_NOTE, MADE });

static const struct table total_table =
    TABLE("total", NULL, SECTION_OBJECT, TABLE_HIDDEN, NULL,
          { "components", NULL, 0, AT(CELL_COUNT, struct components, checkpoints) },
          { "files", NULL, 0, AT(CELL_COUNT, struct components, files) },
          { "tensors", NULL, 0, AT(CELL_COUNT, struct components, tensors) },
          { "stored", NULL, 0, AT(CELL_COUNT, struct components, stored) },
          { "parameters", NULL, 0, AT_KNOWN(CELL_COUNT, struct components, parameters) },
          { "bytes", NULL, 0, AT(CELL_BYTES, struct components, bytes) });

static void verdict_row(struct table_row *row, struct cell *c)
{
    const struct components_report *r = row->of;
    c[2] = CELL_T(numel_state_name(r->c.verdict));
}

static const struct table verdict_table = TABLE(
    NULL, "", SECTION_FIELDS, 0, verdict_row,
    { NULL, "total", 0, AT(CELL_TEXT, struct components_report, total) },
    { NULL, "parameters", 0, AT_KNOWN(CELL_TOTAL, struct components_report, c.parameters) },
    { "verdict", NULL, 0, MADE }, { NULL, "verdict", 0, AT(CELL_TEXT, struct components_report, verdict) });

/* ---- the report --------------------------------------------------------------------------- */

NUMEL_MUST static bool make_texts(struct components_report *r, struct arena *a, numel_error *e)
{
    r->what = components_title(&r->c, a);
    r->total = total_text(&r->c, a);
    r->verdict = verdict_text(&r->c, &r->judgement, a);
    r->notes = arena_alloc(a, (r->c.count + 1) * sizeof *r->notes);
    if (!r->what || !r->total || !r->verdict.text || !r->notes) return error_nomem(e);
    for (size_t i = 0; i < r->c.count; i++)
        if (!component_note(&r->c.items[i], &r->notes[i], a, e)) return false;
    return true;
}

static void add_sections(struct numel_report *out, struct components_report *r)
{
    report_one(out, &head_table, r);
    report_list(out, &item_table, ROWS(r->c.items, r->c.count), r);
    report_one(out, &total_table, &r->c);
    report_one(out, &verdict_table, r);
}

NUMEL_MUST static bool fill(struct numel_report *out, numel_subject *s, bool summary, numel_error *e)
{
    struct components_report *r = arena_alloc(&out->arena, sizeof *r);
    if (!r) return error_nomem(e);
    *r = (struct components_report){ .what = NULL };
    if (!subject_whole(s, e)) return false;
    r->c = *s->whole;
    r->judgement = s->judgement;
    if (!judgement_section(out, &r->judgement, e) || !make_texts(r, &out->arena, e)) return false;
    const char *dir = r->c.pipeline ? r->c.pipeline->dir : NULL;
    out->quiet = r->c.stored;
    out->quiet_nothing = !summary; /* -q prints a number for each component */
    report_judge(out, r->judgement.verdict, summary ? NUMEL_STATE_INCOMPLETE : NUMEL_STATE_DISAGREES);
    out->in_part &= !summary;
    add_sections(out, r);
    return around_section(out, dir, r->c.found, false, e);
}

numel_rc components_report(numel_report **out, numel_subject *s, bool summary, numel_error *e)
{
    *out = report_new(s->options.allocator, "numel.components/1", e);
    return report_made(out, *out && fill(*out, s, summary, e), e);
}
