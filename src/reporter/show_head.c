/* show_head.c -- the lines above the tree: what the checkpoint is, its size, and where its bytes are. */
#include "base/text.h"
#include "model/context.h"
#include "reporter/sections.h"
#include "reporter/show.h"

/* ---- sections: the head ------------------------------------------------------------------- */

struct head {
    const struct show *show;
    const char *format, *architecture, *types, *bytes, *data, *parameters, *context;
    struct toned verdict; /* no text if there is nothing to compare with */
    struct model_context length;
    const char *line, *packed; /* from a GGUF's types, else from layouts */
};

NUMEL_MUST static const char *format_text(struct show *s)
{
    const numel_file *f = &s->ck->files[0];
    char version[48] = "", files[TEXT_COUNT];
    if (f->format == NUMEL_GGUF)
        text_format(version, sizeof version, " v%u%s", (unsigned)f->version,
                    f->big_endian ? ", big-endian" : "");
    if (s->ck->file_count + s->ck->missing == 1)
        return arena_format(s->arena, "%s%s", format_name(f->format), version);
    if (s->ck->missing)
        return arena_format(s->arena, "%s%s, %zu of %zu files", format_name(f->format), version,
                            s->ck->file_count, s->ck->file_count + s->ck->missing);
    return arena_format(s->arena, "%s%s, %s", format_name(f->format), version,
                        text_count(files, s->ck->file_count, "file"));
}

static void add_part(struct buffer *b, const char *sign, const char *what, uint64_t bytes)
{
    char n[TEXT_NUMBER];
    if (bytes) buffer_format(b, "%s %s %s", sign, what, text_number(n, bytes));
}

/* "; 4 bytes overlap" */
static void add_fault(struct buffer *b, const char *before, uint64_t bytes, const char *are, const char *is)
{
    char n[TEXT_COUNT];
    if (bytes) buffer_format(b, "; %s%s %s", before, text_count(n, bytes, "byte"), bytes == 1 ? is : are);
}

/* "13,476,860,032 = header 28,800 + data 13,476,831,232". The sum must add up, or the text states what
 * does not. */
NUMEL_MUST static const char *bytes_text(struct show *s)
{
    char n[TEXT_NUMBER];
    struct buffer b;
    bool known = true, absent = s->ck->files[0].header_only;
    uint64_t data = s->sum.data;
    if (s->ck->named) return "0";
    for (size_t i = 0; i < s->ck->file_count; i++) known &= s->ck->files[i].size_known;
    buffer_init(&b, s->arena->memory);
    buffer_format(&b, "%s%s = header %s", text_number(n, s->sum.bytes), known ? "" : " (by the header)", "");
    buffer_text(&b, text_number(n, s->sum.header));
    add_part(&b, " +",
             s->ck->piped || s->ck->remote ? "data (not read)"
             : absent                      ? "data (absent)"
                                           : "data",
             data);
    add_part(&b, " +", "padding", s->sum.padding);
    add_part(&b, " +", "gaps", s->sum.gaps);
    add_part(&b, " +", "trailing", s->sum.trailing);
    add_fault(&b, "does not add up: ", s->sum.overlap, "overlap", "overlaps");
    add_fault(&b, "", s->sum.missing, "are missing", "is missing");
    return buffer_keep(&b, s->arena);
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
    if (ck->piped) return "not checked: read from a pipe";
    if (ck->remote && copies) return "not read: only headers were fetched";
    if (ck->named) return "absent: names from the index, shapes from the formula";
    return copies ? "absent (header-only copy)" : partial ? "partial" : absent ? "absent" : NULL;
}

NUMEL_MUST static const char *types_text(const struct show *s)
{
    if (s->type_count == 0) return NULL;
    struct buffer b;
    buffer_init(&b, s->arena->memory);
    for (size_t i = 0; i < s->type_count && i < 8; i++)
        buffer_format(&b, "%s%s", i ? ", " : "", s->types[i].name.p);
    if (s->type_count > 8) buffer_format(&b, ", ... %zu in all", s->type_count);
    return buffer_keep(&b, s->arena);
}

/* The type of a llama.cpp projector, which is what lacks a specification; {NULL, 0} for other files. */
static numel_str projector_type(const struct show *s)
{
    static const char *const keys[] = { "clip.projector_type", "clip.vision.projector_type",
                                        "clip.audio.projector_type" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct metadata_entry *e = metadata_find(&s->ck->metadata, keys[i]);
        if (e && e->type == META_STRING) return e->value.s;
    }
    return (numel_str){ NULL, 0 };
}

NUMEL_MUST static const char *architecture_text(struct show *s)
{
    char name[TEXT_QUOTE], class_name[TEXT_QUOTE];
    const struct model *m = s->c->model;
    if (m->other) return m->other->name;
    if (!s->architecture && s->c->model->x)
        return arena_format(s->arena, "%s (by %s)", s->c->model->called, s->judgement->known_by);
    if (!s->architecture) return NULL;
    text_bare(name, text_of(s->architecture));
    bool unknown = !m->spec && !m->x && !m->broken && !s->adapter->type; /* it has no specification */
    if (m->ranks > 1)
        return arena_format(s->arena, "%s, one of %zu files with a part of every matrix (by %s)", name,
                            m->ranks, s->architecture_from);
    const char *says = unknown ? "unknown, no specification for " : "";
    numel_str projector = projector_type(s);
    if (unknown && projector.n && strcmp(s->architecture, "clip") == 0)
        return arena_format(s->arena, "%sprojector_type %s of clip (by %s)", says,
                            text_quote(class_name, projector), s->architecture_from);
    if (file_is_projector(s->ck))
        return arena_format(s->arena, "%s%s, a projector (mmproj) for a language model (by %s)", says, name,
                            s->architecture_from);
    if (!s->class_name || strcmp(s->class_name, s->architecture) == 0)
        return arena_format(s->arena, "%s%s (by %s)", says, name, s->architecture_from);
    return arena_format(s->arena, "%s%s (%s, by %s)", says, name,
                        text_bare(class_name, text_of(s->class_name)), s->architecture_from);
}

/* True if missing or wrong bytes, or a loader, make the verdict worse than the statement. */
static bool has_other_cause(const struct show *s)
{
    const numel_judgement *j = s->judgement;
    bool stated = s->c->statement.agrees || s->c->statement.in_part;
    return j->cause_count &&
           (j->verdict > NUMEL_STATE_DISAGREES || (j->verdict == NUMEL_STATE_DISAGREES && stated));
}

/* The verdict of reconcile in one line; NULL if there is nothing to compare with. */
static struct toned verdict_text(struct show *s)
{
    static const struct toned none = { NULL, TONE_NONE, 0 };
    const struct handle *c = s->c;
    char n[TEXT_NUMBER], unchecked[TEXT_NUMBER];
    if (has_other_cause(s))
        return toned_format(s->arena, tone_of_state(s->judgement->verdict),
                            numel_state_name(s->judgement->verdict), ": %s", s->judgement->causes[0].text);
    if (!c->model->x) return none;
    text_number(n, c->model->counts.parameters);
    const char *bare = c->statement.agrees ? unscaled_text(c->model, s->arena) : "",
               *tied = tied_clauses(&c->tied, c->model, true, s->arena);
    if (!bare || !tied) return none;
    if (c->statement.agrees)
        return toned_format(s->arena, TONE_GOOD, "agrees", " with %s: %s parameters%s%s", c->model->called, n,
                            bare, tied);
    text_number(unchecked, c->model->differences.grounds[GROUND_NAME]);
    if (c->statement.in_part)
        return toned_format(
            s->arena, TONE_PART, "agrees in part", " with %s: %s parameters; %s (see 'numel reconcile')",
            c->model->called, n,
            c->model->differences.grounds[GROUND_NAME]
                ? arena_format(s->arena, "%s %s not checked", unchecked,
                               c->model->differences.grounds[GROUND_NAME] == 1 ? "tensor is" : "tensors are")
                : "sizes inferred from the tensors");
    const struct differences *d = &c->model->differences;
    const char *more = d->contradiction_count ? ", contradictions" : "";
    if (d->contradiction_count == 1) more = ", 1 contradiction";
    return toned_format(s->arena, TONE_BAD, "disagrees",
                        " with %s: %zu missing, %zu of the wrong shape, %zu unexpected%s "
                        "(see 'numel reconcile')",
                        c->model->called, d->missing, d->mismatched, d->unexpected_count, more);
}

/* "46,702,792,704 (46.70 B), 12,879,425,536 (12.88 B) active"; NULL if unknown. */
NUMEL_MUST static bool parameters_text(struct show *s, const char **out)
{
    const struct counts *n = &s->c->model->counts;
    struct buffer b;
    *out = NULL;
    if (!s->c->model->x) return true;
    buffer_init(&b, s->arena->memory);
    text_total(&b, n->parameters);
    if (n->active && n->active != n->parameters) {
        buffer_text(&b, ", ");
        text_total(&b, n->active);
        buffer_text(&b, " active");
    }
    *out = buffer_keep(&b, s->arena);
    return *out || error_nomem(s->error);
}

/* "131,072 tokens (max_position_embeddings), stretched from 32,768 by yarn"; NULL if unknown. */
NUMEL_MUST static bool context_text(struct show *s, struct model_context *x, const char **out)
{
    char n[TEXT_NUMBER];
    struct buffer b;
    *out = NULL;
    if (!model_context(s->c->model, x, s->error)) return false;
    if (!x->tokens) return true;
    buffer_init(&b, s->arena->memory);
    buffer_format(&b, "%s tokens (", text_number(n, (uint64_t)x->tokens));
    text_safe(&b, text_of(x->key), false);
    if (x->by) buffer_format(&b, ", the default of %s", x->by);
    buffer_char(&b, ')');
    if (x->original) buffer_format(&b, ", extended from %s by ", text_number(n, (uint64_t)x->original));
    if (x->original) text_safe(&b, text_of(x->kind), false);
    *out = buffer_keep(&b, s->arena);
    return *out || error_nomem(s->error);
}

static void head_row(struct table_row *row, struct cell *c)
{
    const struct show *s = ((const struct head *)row->of)->show;
    c[0] = CELL_S(text_of(s->ck->path));
    c[1] = CELL_T(format_name(s->ck->files[0].format));
    c[8] = CELL_U(CELL_COUNT, s->ck->registry.count);
    c[9] = CELL_U(CELL_TOTAL, s->ck->stored);
    if (s->quantization->left) c[13] = CELL_T(s->quantization->left);
    if (s->mixture->mixed) c[14] = CELL_T(s->mixture->mixed);
    c[18] = CELL_T(numel_state_name(s->judgement->verdict));
}

static const struct table head_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, head_row, { "path", "", 0, MADE }, { "format", NULL, 0, MADE },
          { NULL, "format", 0, AT(CELL_TEXT, struct head, format) },
          { NULL, "architecture", 0, AT(CELL_TEXT, struct head, architecture) },
          { NULL, "parameters", 0, AT(CELL_TEXT, struct head, parameters) },
          { "context_length", NULL, 0, AT_SOME(CELL_COUNT, struct head, length.tokens) },
          { NULL, "context", 0, AT(CELL_TEXT, struct head, context) },
          { "bytes", "size", 0, VIA(CELL_SIZE, struct head, show, sum.bytes) }, { NULL, "tensors", 0, MADE },
          { NULL, "elements", 0, MADE }, { NULL, "types", COLUMN_TYPE, AT(CELL_TEXT, struct head, types) },
          { NULL, "quantization", 0, AT(CELL_TEXT, struct head, line) },
          { NULL, "packed", 0, AT(CELL_TEXT, struct head, packed) }, { NULL, "unquantized", 0, MADE },
          { NULL, "mixture", 0, MADE }, { NULL, "bytes", 0, AT(CELL_TEXT, struct head, bytes) },
          { NULL, "data", 0, AT(CELL_TEXT, struct head, data) },
          { NULL, "index", 0, VIA(CELL_TEXT, struct head, show, promised) }, { "verdict", NULL, 0, MADE },
          { NULL, "verdict", 0, AT(CELL_TEXT, struct head, verdict) });

bool show_head(struct show *s)
{
    struct head *h = arena_alloc(s->arena, sizeof *h);
    if (!h) return error_nomem(s->error);
    *h = (struct head){ .show = s,
                        .format = format_text(s),
                        .architecture = architecture_text(s),
                        .types = types_text(s),
                        .bytes = bytes_text(s),
                        .data = data_text(s->ck),
                        .verdict = verdict_text(s),
                        .line = s->mixture->line ? s->mixture->line : s->quantization->line,
                        .packed = s->mixture->line ? s->mixture->packed : s->quantization->packed };
    if (!s->architecture && unknown_is(s->c->model, s->adapter) &&
        !unknown_architecture(&h->architecture, s->c->model, true, s->arena, s->error))
        return false;
    if (!s->architecture && h->architecture && !s->c->model->from && !s->c->model->other && !s->c->search)
        h->architecture =
            arena_format(s->arena, "%s ('numel reconcile' tries every specification)", h->architecture);
    if (!parameters_text(s, &h->parameters) || !context_text(s, &h->length, &h->context)) return false;
    if ((s->c->model->x && !h->verdict.text) || !h->format || !h->bytes || (s->type_count && !h->types) ||
        ((s->architecture || s->c->model->x) && !h->architecture))
        return error_nomem(s->error);
    name_section(s->report, s->ck);
    report_one(s->report, &head_table, h);
    return true;
}
