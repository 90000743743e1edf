/*
 * report.c -- makes, writes and frees reports. A report owns an arena and its sections. It is written
 * completely or fails, and never silently omits what memory did not suffice for.
 */
#include "page/report.h"

#include "base/border.h"
#include "base/num.h"
#include "base/text.h"

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

struct section *report_list(struct numel_report *r, const struct table *t, const void *items, size_t stride,
                            size_t rows, const void *of)
{
    bool hidden = t->shows & TABLE_HIDDEN || (t->shows & TABLE_FILLED && !rows);
    return report_section(
        r, &(struct section){
               .is = *t, .items = items, .stride = stride, .rows = rows, .of = of, .hidden = hidden });
}

struct section *report_one(struct numel_report *r, const struct table *t, const void *of)
{
    return report_list(r, t, of, 0, 1, of);
}

void report_begin(struct numel_report *r, const char *key)
{
    report_section(r, &(struct section){ .is = { .key = key, .form = SECTION_BEGIN } });
}

void report_end(struct numel_report *r)
{
    report_section(r, &(struct section){ .is = { .form = SECTION_END } });
}

void report_shorten(struct numel_report *r, struct section *s, size_t most)
{
    if (s->rows <= most) return;
    s->text_rows = most;
    s->more = arena_format(&r->arena, "... and %zu more (--no-truncate shows them)", s->rows - most);
}

void numel_report_free(numel_report *r)
{
    if (!r) return;
    const numel_allocator *m = r->arena.memory;
    if (r->done) r->done(r->done_ctx);
    arena_done(&r->arena);
    memory_release(m, r);
}

numel_rc report_made(numel_report **out, bool ok, numel_error *e)
{
    if (ok || !*out) return e->code;
    numel_report_free(*out);
    *out = NULL;
    return e->code;
}

numel_verdict numel_report_verdict(const numel_report *r)
{
    if (r->disagrees) return NUMEL_DISAGREES;
    return r->in_part ? NUMEL_IN_PART : NUMEL_AGREES;
}

const char *numel_report_expected_at(const numel_report *r, size_t i, numel_verdict *verdict)
{
    if (i >= r->answer_count) return NULL;
    if (verdict) *verdict = r->answers[i].verdict;
    return r->answers[i].text;
}

bool numel_report_stopped(const numel_report *r) { return r->stopped; }

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
    if (r->quiet_nothing) return;
    if (r->quiet_paths.p) {
        buffer_str(&s->out, r->quiet_paths);
        return;
    }
    if (r->quiet_text) text_safe(&s->out, text_of(r->quiet_text), true);
    else buffer_format(&s->out, "%" PRIu64, r->quiet);
    sink_line(s);
}

numel_rc numel_report_write(const numel_report *r, const numel_style *style, numel_write_fn *write, void *ctx,
                            numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct sink s = { .write = write, .ctx = ctx };
    numel_style own;
    bool memory = true;
    if (!border_style(&own, style, e)) return e->code;
    if (!r->checks && (own.format == NUMEL_JUNIT || own.format == NUMEL_SARIF)) {
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "this report cannot be written as JUnit or SARIF");
        return e->code;
    }
    buffer_init(&s.out, r->arena.memory);
    switch (own.format) {
    case NUMEL_TEXT: render_text(r, &own, &s); break;
    case NUMEL_JSON: memory = render_json(r, &s); break;
    case NUMEL_QUIET: render_quiet(r, &s); break;
    case NUMEL_CSV: memory = render_csv(r, &s); break;
    case NUMEL_MARKDOWN: memory = render_markdown(r, &s); break;
    case NUMEL_HTML: memory = render_html(r, &s); break;
    case NUMEL_JUNIT: render_junit(r->checks, &s); break;
    case NUMEL_SARIF: memory = render_sarif(r->checks, r->arena.memory, &s); break;
    }
    sink_flush(&s);
    if (!memory || s.out.failed || r->arena.failed) error_nomem(e); /* never silently incomplete */
    else if (r->lost && !error_free(r->lost)) *e = *r->lost;
    else if (s.failed) error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot write the report");
    buffer_done(&s.out);
    return e->code;
}
