/* report.c -- making, writing and freeing reports. */
#include "reporter/report.h"

#include "base/num.h"
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
    arena_done(&r->arena);
    memory_release(m, r);
}

/* ---- writing ------------------------------------------------------------------------------ */

enum { FLUSH_AT = 32768 };

void sink_flush(struct sink *s)
{
    if (!s->failed && s->out.n && !s->write(s->ctx, s->out.p, s->out.n)) s->failed = true;
    s->out.n = 0;
}

void sink_line(struct sink *s)
{
    buffer_char(&s->out, '\n');
    if (s->out.n >= FLUSH_AT) sink_flush(s);
}

static void render_quiet(const struct numel_report *r, struct sink *s)
{
    if (r->quiet_text) buffer_text(&s->out, r->quiet_text);
    else buffer_format(&s->out, "%" PRIu64, r->quiet);
    sink_line(s);
}

numel_rc numel_report_write(const numel_report *r, const numel_style *style, numel_write_fn *write,
                            void *ctx, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    struct sink s = { .write = write, .ctx = ctx };
    bool memory = true;
    error_clear(e);
    buffer_init(&s.out, r->arena.memory);
    switch (style->format) {
    case NUMEL_TEXT: render_text(r, style, &s); break;
    case NUMEL_JSON: memory = render_json(r, &s); break;
    case NUMEL_QUIET: render_quiet(r, &s); break;
    }
    sink_flush(&s);
    if (!memory || s.out.failed) error_nomem(e);
    else if (s.failed) error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot write the report");
    buffer_done(&s.out);
    return e->code;
}

/* ---- findings ----------------------------------------------------------------------------- */

static const struct column finding_columns[] = {
    { NULL, "", 0 },          { "code", "", 0 },   { "severity", NULL, 0 }, { "file", NULL, 0 },
    { "tensor", NULL, 0 },    { "offset", NULL, 0 }, { "message", NULL, 0 }, { NULL, "", 0 },
};

static const char *severity_name(numel_severity s)
{
    return s == NUMEL_ERROR ? "error" : s == NUMEL_WARNING ? "warning" : "note";
}

static void finding_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct numel_checkpoint *ck = ctx;
    const numel_finding *f = &ck->findings.items[i];
    numel_severity s = f->severity;
    (void)depth;
    if (s == NUMEL_WARNING && ck->strict) s = NUMEL_ERROR;
    c[0] = CELL_T(severity_name(s));
    c[1] = CELL_T(f->code);
    c[2] = CELL_T(severity_name(s));
    c[3] = CELL_S(((numel_str){ f->file, strlen(f->file) }));
    c[4] = CELL_T(f->tensor);
    if (f->offset != NUMEL_NOWHERE) c[5] = CELL_U(CELL_NUMBER, f->offset);
    c[6] = CELL_T(f->message);
    c[7] = CELL_U(CELL_NULL, 0);
    c[7].kind = CELL_TEXT;
    c[7].t = f->message;
}

void report_findings(struct numel_report *r, const struct numel_checkpoint *ck)
{
    enum { SHOWN = 20 };
    size_t n = ck->findings.count;
    struct section s = { .key = "findings", .title = "", .form = SECTION_LIST,
                         .columns = finding_columns,
                         .column_count = sizeof finding_columns / sizeof *finding_columns,
                         .rows = n, .row = finding_row, .ctx = ck, .hidden = n == 0 };
    if (n > SHOWN) {
        s.text_rows = SHOWN;
        s.more = arena_format(&r->arena, "... and %zu more findings (--json lists them all)",
                              n - SHOWN);
    }
    report_section(r, &s);
}
