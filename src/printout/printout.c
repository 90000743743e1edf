/*
 * printout.c -- reading a printout: the plain text line by line.
 *
 * Each line is tried as the start of a printed model (modules.c), then of a table (summary.h); both move on
 * to the line where they end. The rest of that line is searched for a stated total (stated.c).
 */
#include "printout/printout.h"

#include "base/text.h"
#include "printout/lines.h"

void printout_remark(struct printout *p, bool harmless, const char *code, uint32_t line, uint32_t column,
                     const char *format, ...)
{
    char text[TEXT_QUOTE * 2];
    va_list args;
    numel_error ignored = { 0 };
    if (p->remark_count == PRINTOUT_FINDINGS) {
        p->remarks_left_out++;
        return;
    }
    va_start(args, format);
    text_formatv(text, sizeof text, format, args);
    va_end(args);
    const char *message = arena_text(&p->arena, text, strlen(text));
    if (!message || !memory_grow(p->arena.memory, &p->remarks, &p->remark_cap, p->remark_count + 1,
                                 sizeof *p->remarks, &ignored)) {
        error_nomem(p->error);
        return;
    }
    p->remarks[p->remark_count++] = (struct remark){ code, message, line, column, harmless };
}

/* Reads the line at *at and anything that starts in it, and moves *at past it. */
static bool read_line(struct printout *p, size_t *at, uint32_t *line)
{
    bool found;
    if (!modules_read(p, at, line, &found)) return false;
    if (!found && !summary_read(p, at, line, &found)) return false;
    numel_str text = { p->text.p, p->text.n }, rest = text_slice(text, *at, text_find(text, *at, '\n'));
    if (!stated_read(p, rest, *line)) return false;
    *at += rest.n + 1;
    ++*line;
    return true;
}

bool printout_read(struct printout *p, const void *text, size_t n, const numel_allocator *m, numel_error *e)
{
    size_t at = 0;
    uint32_t line = 1;
    *p = (struct printout){ .error = e };
    arena_init(&p->arena, m);
    buffer_init(&p->text, m);
    if (n > PRINTOUT_TEXT)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "more than %d bytes of text: too long for a printout", PRINTOUT_TEXT);
    lines_plain(&p->text, (numel_str){ text, n });
    if (p->text.failed) return error_nomem(e);
    while (at < p->text.n)
        if (!read_line(p, &at, &line)) return false;
    return summaries_judge(p) && error_free(e);
}

bool printout_holds(bool *holds, const void *text, size_t n, const numel_allocator *m, numel_error *e)
{
    struct printout p = { .error = NULL };
    *holds = false;
    buffer_init(&p.text, m);
    lines_plain(&p.text, (numel_str){ text, n });
    for (size_t at = 0; !p.text.failed && !*holds && at < p.text.n;) {
        *holds = modules_begin(&p, at) || summary_begins(&p, at);
        at = text_find(buffer_view(&p.text), at, '\n') + 1;
    }
    bool failed = p.text.failed;
    buffer_done(&p.text);
    return !failed || error_nomem(e);
}

void printout_done(struct printout *p)
{
    const numel_allocator *m = p->arena.memory;
    memory_release(m, p->modules);
    memory_release(m, p->parameters);
    memory_release(m, p->prints);
    memory_release(m, p->stated);
    memory_release(m, p->rows);
    memory_release(m, p->summaries);
    memory_release(m, p->remarks);
    buffer_done(&p->text);
    arena_done(&p->arena);
}
