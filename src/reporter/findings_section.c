/*
 * findings_section.c -- the findings of a checkpoint, at the end of `numel show`: the first twenty in text,
 * all in JSON. A severity is shown as it counts: with --strict a warning is an error.
 */
#include "reporter/sections.h"

#include "base/num.h"
#include "base/text.h"
#include "reader/checkpoint.h"

#include <string.h>

struct finding_rows {
    const numel_judgement *judgement;
    const struct numel_checkpoint *ck;
    const char **texts; /* of the findings shown in text */
    size_t shown;
};

struct cell severity_cell(numel_severity severity)
{
    return CELL_TONE(finding_severity(severity), tone_of_severity(severity));
}

static void finding_row(struct table_row *row, struct cell *c)
{
    const struct finding_rows *rows = row->of;
    const numel_finding *f = row->item;
    bool lifted = rows->ck->strict && f->severity == NUMEL_WARNING;
    c[0] = c[4] = severity_cell(lifted ? NUMEL_ERROR : f->severity);
    if (row->i < rows->shown) c[2] = CELL_T(rows->texts[row->i]);
    c[9] = CELL_T(finding_level(f->level));
    for (size_t k = 0; k < rows->judgement->cause_count && c[10].kind == CELL_NULL; k++)
        if (strcmp(rows->judgement->causes[k].code, f->code) == 0) c[10] = CELL_U(CELL_NUMBER, k);
}

static const struct table table =
    TABLE("findings", "", SECTION_LIST, TABLE_FILLED, finding_row, { NULL, "", 0, MADE },
          { NULL, "", 0, AT(CELL_TEXT, numel_finding, code) }, { NULL, "", COLUMN_NOTE, MADE },
          { "code", NULL, 0, AT(CELL_TEXT, numel_finding, code) }, { "severity", NULL, 0, MADE },
          { "file", NULL, 0, AT(CELL_STR, numel_finding, file) },
          { "tensor", NULL, 0, AT(CELL_TEXT, numel_finding, tensor) },
          { "offset", NULL, 0, AT_KNOWN(CELL_NUMBER, numel_finding, offset) },
          { "message", NULL, 0, AT(CELL_TEXT, numel_finding, message) }, { "level", NULL, 0, MADE },
          { "cause", NULL, 0, MADE });

const char *finding_text(struct arena *a, const char *file, const numel_finding *f)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    text_escape(&b, text_of(file));
    if (f->offset != NUMEL_NOWHERE) buffer_format(&b, "%s%" PRIu64, b.n ? ":" : "at byte ", f->offset);
    if (b.n) buffer_text(&b, ": ");
    if (f->tensor[0] && !strstr(f->message, f->tensor)) buffer_format(&b, "%s: ", f->tensor);
    buffer_text(&b, f->message);
    return buffer_keep(&b, a);
}

/* The finding's file; "" if it is obvious. */
static const char *file_of(const struct numel_checkpoint *ck, const numel_finding *f)
{
    bool one = ck->file_count + ck->missing <= 1 && f->offset != NUMEL_NOWHERE;
    return one || strcmp(f->file, ck->path) == 0 ? "" : f->file;
}

bool report_findings(struct numel_report *r, const struct numel_checkpoint *ck, const numel_judgement *j,
                     numel_error *e)
{
    enum { SHOWN = 20 };
    size_t n = ck->findings.count;
    struct finding_rows *rows = arena_alloc(&r->arena, sizeof *rows);
    if (!rows) return error_nomem(e);
    *rows = (struct finding_rows){ j, ck, NULL, num_min(n, SHOWN) };
    rows->texts = arena_alloc(&r->arena, SHOWN * sizeof *rows->texts);
    for (size_t i = 0; i < rows->shown; i++) {
        const numel_finding *f = &ck->findings.items[i];
        if (rows->texts) rows->texts[i] = finding_text(&r->arena, file_of(ck, f), f);
        if (!rows->texts || !rows->texts[i]) return error_nomem(e);
    }
    struct section *s = report_list(r, &table, ROWS(ck->findings.items, n), rows);
    if (n <= SHOWN) return true;
    s->text_rows = SHOWN;
    s->more = arena_format(&r->arena, "... and %zu more findings (--json lists them all)", n - SHOWN);
    return s->more || error_nomem(e);
}
