/* api_save.c -- saves a report to a file. It is rendered in memory and then written at once, so the file
 * is never incomplete. */
#include "page/html.h"

#include "base/text.h"
#include "source/target.h"

static bool add(void *ctx, const void *p, size_t bytes)
{
    struct buffer *b = ctx;
    buffer_add(b, p, bytes);
    return !b->failed;
}

static bool is_xml(const char *front, size_t n) { return n && front[0] == '<'; }
static bool is_sarif(const char *front, size_t n)
{
    return n && front[0] == '{' && text_holds((numel_str){ front, n }, text_of("sarif"));
}
static bool is_nothing(const char *front, size_t n)
{
    (void)front, (void)n;
    return false;
}

numel_rc numel_report_save(const numel_report *r, const numel_style *style, const char *path,
                           numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    struct buffer b;
    buffer_init(&b, r->arena.memory);
    if (numel_report_write(r, style, add, &b, e) != NUMEL_OK) {
        if (b.failed) error_clear(e), error_nomem(e); /* the cause is not the write, but memory */
    } else {
        numel_style_format format = style ? style->format : NUMEL_TEXT;
        target_ours_fn *ours = format == NUMEL_JUNIT   ? is_xml
                               : format == NUMEL_SARIF ? is_sarif
                               : format == NUMEL_HTML  ? html_is_page
                                                       : is_nothing;
        (void)(target_save(path, ours, b.p, b.n, r->arena.memory, e) || e->code);
    }
    buffer_done(&b);
    return e->code;
}
