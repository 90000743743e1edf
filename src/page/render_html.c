/* render_html.c -- a report as a page of its own: the frame around articles (html_article.c) and data (html_data.c). */
#include "page/html.h"

#include "base/text.h"
#include "page/files.h"

enum { TITLE = 200 }; /* bytes */

static const char mark[] = "<meta name=\"generator\" content=\"numel\">";

bool html_is_page(const char *front, size_t n)
{
    return text_starts((numel_str){ front, n }, "<!doctype html>") &&
           text_holds((numel_str){ front, n }, text_of(mark));
}

numel_str html_word(const struct numel_report *r)
{
    numel_str s = text_of(r->schema);
    (void)text_take_start(&s, "numel.");
    return text_upto(s, text_find(s, 0, '/'));
}

numel_str html_title(const struct numel_report *r)
{
    struct cell cells[REPORT_COLUMNS];
    for (unsigned i = 0; i < r->count; i++) {
        const struct section *s = &r->sections[i];
        if (s->is.form != SECTION_FIELDS) continue;
        section_row(s, 0, cells);
        for (unsigned c = 0; c < s->is.column_count; c++)
            if (s->is.columns[c].key && strcmp(s->is.columns[c].key, "path") == 0 &&
                cells[c].kind == CELL_STR)
                return cells[c].s;
    }
    return html_word(r);
}

/* The policy is the page's first word on what may be loaded: it stands before all else that could load anything. */
void html_begin(struct sink *s, numel_str title)
{
    struct buffer *out = &s->out;
    buffer_text(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    buffer_text(out, mark);
    buffer_format(out,
                  "\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n",
                  page_script_sha256, page_style_sha256);
    buffer_text(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    text_xml(out, text_upto(title, text_whole(text_upto(title, TITLE))));
    buffer_text(out, " - numel</title>\n<style>");
    buffer_text(out, page_style);
    buffer_text(out, "</style>\n</head>\n<body>\n<main>");
    sink_line(s);
}

void html_data_begin(struct sink *s)
{
    buffer_text(&s->out, "</main>\n<script type=\"application/json\" id=\"data\">[");
    sink_line(s);
}

void html_end(struct sink *s)
{
    buffer_text(&s->out, "]</script>\n<script>");
    buffer_text(&s->out, page_script);
    buffer_text(&s->out, "</script>\n</body>\n</html>");
    sink_line(s);
}

bool render_html(const struct numel_report *r, struct sink *s)
{
    html_begin(s, html_title(r));
    html_article(r, HTML_MAIN, s);
    html_data_begin(s);
    bool ok = html_data(r, HTML_MAIN, true, s);
    html_end(s);
    return ok;
}
