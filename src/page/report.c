/* report.c -- making, writing and freeing reports. */
#include "page/report.h"

#include "base/border.h"
#include "base/num.h"
#include "base/text.h"
#include "reader/checkpoint.h"

#include <string.h>

struct numel_report *report_new(const numel_allocator *m, const char *schema, numel_error *e)
{
    struct numel_report *r = memory_resize(m, NULL, sizeof *r);
    if (!r) {
        error_nomem(e);
        return NULL;
    }
    *r = (struct numel_report){ .schema = schema };
    arena_init(&r->arena, m);
    return r;
}

struct section *report_section(struct numel_report *r, const struct section *s)
{
    if (r->count == REPORT_SECTIONS) return &r->sections[REPORT_SECTIONS - 1];
    r->sections[r->count] = *s;
    return &r->sections[r->count++];
}

void numel_report_free(numel_report *r)
{
    if (!r) return;
    const numel_allocator *m = r->arena.memory;
    if (r->done) r->done(r->done_ctx);
    arena_done(&r->arena);
    memory_release(m, r);
}

numel_verdict numel_report_verdict(const numel_report *r)
{
    if (r->disagrees) return NUMEL_DISAGREES;
    return r->in_part ? NUMEL_IN_PART : NUMEL_AGREES;
}

bool numel_report_agrees(const numel_report *r) { return numel_report_verdict(r) == NUMEL_AGREES; }
bool numel_report_stopped(const numel_report *r) { return r->stopped; }

/* ---- writing ------------------------------------------------------------------------------ */

enum { FLUSH_AT = 32768 };

static void flush(struct sink *s)
{
    if (!s->failed && s->out.n && !s->write(s->ctx, s->out.p, s->out.n)) s->failed = true;
    s->out.n = 0;
}

void sink_line(struct sink *s)
{
    buffer_char(&s->out, '\n');
    if (s->out.n >= FLUSH_AT) flush(s);
}

static void render_quiet(const struct numel_report *r, struct sink *s)
{
    if (r->quiet_nothing) return;
    if (r->quiet_text) text_safe(&s->out, text_of(r->quiet_text), true);
    else buffer_format(&s->out, "%" PRIu64, r->quiet);
    sink_line(s);
}

numel_rc numel_report_write(const numel_report *r, const numel_style *style, numel_write_fn *write, void *ctx,
                            numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    struct sink s = { .write = write, .ctx = ctx };
    numel_style own;
    bool memory = true;
    error_clear(e);
    if (!border_style(&own, style, e)) return e->code;
    buffer_init(&s.out, r->arena.memory);
    switch (own.format) {
    case NUMEL_TEXT: render_text(r, &own, &s); break;
    case NUMEL_JSON: memory = render_json(r, &s); break;
    case NUMEL_QUIET: render_quiet(r, &s); break;
    }
    flush(&s);
    if (!memory || s.out.failed || r->arena.failed) error_nomem(e); /* no report is of less than all */
    else if (s.failed) error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot write the report");
    buffer_done(&s.out);
    return e->code;
}

/* ---- findings ----------------------------------------------------------------------------- */

/* clang-format off */
static const struct column columns[] = {
    { NULL, "", 0 },       { NULL, "", 0 },   { NULL, "", 0 },      { "code", NULL, 0 },
    { "severity", NULL, 0 }, { "file", NULL, 0 }, { "tensor", NULL, 0 }, { "offset", NULL, 0 },
    { "message", NULL, 0 },  { "level", NULL, 0 },
};
/* clang-format on */

struct finding_rows {
    const struct numel_checkpoint *ck;
    const char **texts; /* of those that text shows */
    size_t shown;
};

static const char *severity_name(const struct numel_checkpoint *ck, numel_severity s)
{
    if (s == NUMEL_WARNING && ck->strict) s = NUMEL_ERROR;
    return s == NUMEL_ERROR ? "error" : s == NUMEL_WARNING ? "warning" : "note";
}

static void finding_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct finding_rows *rows = ctx;
    const numel_finding *f = &rows->ck->findings.items[i];
    const char *severity = severity_name(rows->ck, f->severity);
    (void)depth;
    c[0] = CELL_T(severity);
    c[1] = CELL_T(f->code);
    if (i < rows->shown) c[2] = CELL_T(rows->texts[i]);
    c[3] = CELL_T(f->code);
    c[4] = CELL_T(severity);
    c[5] = CELL_S(((numel_str){ f->file, strlen(f->file) }));
    c[6] = CELL_T(f->tensor);
    if (f->offset != NUMEL_NOWHERE) c[7] = CELL_U(CELL_NUMBER, f->offset);
    c[8] = CELL_T(f->message);
    c[9] = CELL_T(finding_level(f->level));
}

/* "model-2.safetensors:96: a.weight: data_offsets begin at ...": what of it is not said already. */
static const char *finding_text(struct arena *a, const struct numel_checkpoint *ck, const numel_finding *f)
{
    struct buffer b;
    bool file = f->file[0] && (ck->file_count + ck->missing > 1 || f->offset == NUMEL_NOWHERE) &&
                strcmp(f->file, ck->path) != 0;
    buffer_init(&b, a->memory);
    if (file) text_escape(&b, text_of(f->file));
    if (f->offset != NUMEL_NOWHERE) buffer_format(&b, "%s%" PRIu64, file ? ":" : "at byte ", f->offset);
    if (b.n) buffer_text(&b, ": ");
    if (f->tensor[0] && !strstr(f->message, f->tensor)) buffer_format(&b, "%s: ", f->tensor);
    buffer_text(&b, f->message);
    const char *text = b.failed ? NULL : arena_text(a, b.p, b.n);
    buffer_done(&b);
    return text;
}

bool report_findings(struct numel_report *r, const struct numel_checkpoint *ck, numel_error *e)
{
    enum { SHOWN = 20 };
    size_t n = ck->findings.count;
    struct finding_rows *rows = arena_alloc(&r->arena, sizeof *rows);
    if (!rows) return error_nomem(e);
    *rows = (struct finding_rows){ ck, NULL, num_min(n, SHOWN) };
    rows->texts = arena_alloc(&r->arena, SHOWN * sizeof *rows->texts);
    for (size_t i = 0; i < rows->shown; i++) {
        if (rows->texts) rows->texts[i] = finding_text(&r->arena, ck, &ck->findings.items[i]);
        if (!rows->texts || !rows->texts[i]) return error_nomem(e);
    }
    struct section s = { .key = "findings",
                         .title = "",
                         .form = SECTION_LIST,
                         .columns = columns,
                         .column_count = sizeof columns / sizeof *columns,
                         .rows = n,
                         .row = finding_row,
                         .ctx = rows,
                         .hidden = n == 0 };
    if (n > SHOWN) {
        s.text_rows = SHOWN;
        s.more = arena_format(&r->arena, "... and %zu more findings (--json lists them all)", n - SHOWN);
        if (!s.more) return error_nomem(e);
    }
    report_section(r, &s);
    return true;
}
