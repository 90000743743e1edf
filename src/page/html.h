/*
 * html.h -- the pieces of a page of HTML: its front, an article for each report, the data of its script, its end.
 *
 * The articles are complete without the script: the sections of the text, as lists and tables. The script (page*.js)
 * reads the data, one JSON array with an object for each report, and adds what can be clicked: a map of the tensors,
 * plots, tables that are sorted and searched. A table of many rows is an article's first rows and, in the data, all.
 *
 * The page loads nothing. Its content security policy allows only the style and the script that it contains, by their
 * digests, so even text that escaped the escaper could not run.
 */
#ifndef NUMEL_PAGE_HTML_H
#define NUMEL_PAGE_HTML_H

#include "page/report.h"

enum {
    HTML_ROWS = 200, /* a table with more is in the data too, */
    HTML_FIRST = 100 /* ... and shows so many without the script */
};

/* The first report of a subject; or another one of the same subject. */
enum html_part { HTML_MAIN, HTML_MORE };

/* `title`: raw. Writes up to the first article. */
void html_begin(struct sink *s, numel_str title);
/* What the page is called after this report: a path, or a word. */
numel_str html_title(const struct numel_report *r);
void html_article(const struct numel_report *r, enum html_part part, struct sink *s);
/* Between the articles and the data; between data and the end. */
void html_data_begin(struct sink *s);
void html_end(struct sink *s);
/* The report's object in the data. `first`: no comma precedes it. False: out of memory. */
bool html_data(const struct numel_report *r, enum html_part part, bool first, struct sink *s);

/* Is the front of a file that of a page? */
bool html_is_page(const char *front, size_t n);
/* "show": of the schema "numel.show/1". */
numel_str html_word(const struct numel_report *r);

#endif
