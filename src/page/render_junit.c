/*
 * render_junit.c -- results as JUnit XML, in the form that Jenkins, GitLab and GitHub Actions read.
 *
 *     <testsuites name="numel" tests="2" failures="1" errors="0" skipped="0">
 *       <testsuite name="model" tests="2" failures="1" errors="0" skipped="0">
 *         <testcase name="header" classname="model"/>
 *         <testcase name="size" classname="model">
 *           <failure message="..." type="data-missing">error data-missing ...</failure>
 *
 * There are no times and no host names: the same results give the same bytes. A case has a single failure,
 * since some readers accept no more; its text has all results. Warnings and notes of a passed case are its
 * output.
 */
#include "page/report.h"

#include "base/text.h"

#include <string.h>

struct tally {
    uint64_t tests, by[CHECK_BROKEN + 1];
};

static void put_attribute(struct buffer *b, const char *name, numel_str value)
{
    buffer_format(b, " %s=\"", name);
    text_xml(b, value);
    buffer_char(b, '"');
}

static void put_tally(struct buffer *b, const struct tally *t)
{
    buffer_format(
        b, " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64 "\" skipped=\"%" PRIu64 "\"",
        t->tests, t->by[CHECK_FAILED], t->by[CHECK_BROKEN], t->by[CHECK_SKIPPED]);
}

static void add_suite(struct tally *t, const struct check_suite *s)
{
    t->tests += s->case_count;
    for (unsigned i = 0; i < s->case_count; i++) t->by[s->cases[i].verdict]++;
}

/* "error data-missing model.safetensors:96: a.weight: ..." */
static void put_result(struct buffer *b, const struct check_result *r)
{
    buffer_format(b, "%s %s ", r->severity, r->code);
    if (r->file.n) text_xml(b, r->file);
    if (r->offset != NUMEL_NOWHERE) buffer_format(b, "%s%" PRIu64, r->file.n ? ":" : "at byte ", r->offset);
    if (r->file.n || r->offset != NUMEL_NOWHERE) buffer_text(b, ": ");
    if (r->tensor.n && !strstr(r->message, r->tensor.p)) {
        text_xml(b, r->tensor);
        buffer_text(b, ": ");
    }
    text_xml(b, text_of(r->message));
    buffer_char(b, '\n');
}

static bool is_of(const struct check_result *r, const struct check_case *c)
{
    return strcmp(r->level, c->name) == 0;
}

static bool is_error(const struct check_result *r) { return strcmp(r->severity, "error") == 0; }

static void put_results(struct sink *sink, const struct check_suite *s, const struct check_case *c)
{
    for (size_t i = 0; i < s->count; i++)
        if (is_of(&s->results[i], c)) put_result(&sink->out, &s->results[i]);
}

/* The message is the first error, which lists of failures show. */
static void put_failure(struct sink *sink, const struct check_suite *s, const struct check_case *c)
{
    const struct check_result *first = NULL;
    uint64_t errors = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!is_of(&s->results[i], c) || !is_error(&s->results[i])) continue;
        if (!errors++) first = &s->results[i];
    }
    buffer_text(&sink->out, "      <failure message=\"");
    if (errors > 1) buffer_format(&sink->out, "%" PRIu64 " errors; the first: ", errors);
    if (first) text_xml(&sink->out, text_of(first->message));
    buffer_char(&sink->out, '"');
    put_attribute(&sink->out, "type", text_of(first ? first->code : "error"));
    buffer_char(&sink->out, '>');
    put_results(sink, s, c);
    buffer_text(&sink->out, "</failure>");
    sink_line(sink);
}

static bool has_results(const struct check_suite *s, const struct check_case *c)
{
    for (size_t i = 0; i < s->count; i++)
        if (is_of(&s->results[i], c)) return true;
    return false;
}

static void put_why(struct sink *sink, const char *element, const struct check_suite *s,
                    const struct check_case *c)
{
    buffer_format(&sink->out, "      <%s", element);
    put_attribute(&sink->out, "message", text_of(c->why));
    buffer_char(&sink->out, '>');
    put_results(sink, s, c);
    buffer_format(&sink->out, "</%s>", element);
    sink_line(sink);
}

static void put_case(struct sink *sink, const struct check_suite *s, const struct check_case *c)
{
    buffer_text(&sink->out, "    <testcase");
    put_attribute(&sink->out, "name", text_of(c->name));
    put_attribute(&sink->out, "classname", s->path);
    bool plain = c->verdict == CHECK_PASSED && !has_results(s, c);
    buffer_text(&sink->out, plain ? "/>" : ">");
    sink_line(sink);
    if (plain) return;
    switch (c->verdict) {
    case CHECK_FAILED: put_failure(sink, s, c); break;
    case CHECK_SKIPPED: put_why(sink, "skipped", s, c); break;
    case CHECK_BROKEN: put_why(sink, "error", s, c); break;
    case CHECK_PASSED:
        buffer_text(&sink->out, "      <system-out>");
        put_results(sink, s, c);
        buffer_text(&sink->out, "</system-out>");
        sink_line(sink);
    }
    buffer_text(&sink->out, "    </testcase>");
    sink_line(sink);
}

static void put_suite(struct sink *sink, const struct check_suite *s)
{
    struct tally t = { .tests = 0 };
    add_suite(&t, s);
    buffer_text(&sink->out, "  <testsuite");
    put_attribute(&sink->out, "name", s->path);
    put_tally(&sink->out, &t);
    buffer_char(&sink->out, '>');
    sink_line(sink);
    for (unsigned i = 0; i < s->case_count; i++) put_case(sink, s, &s->cases[i]);
    buffer_text(&sink->out, "  </testsuite>");
    sink_line(sink);
}

void render_junit(const struct checks *c, struct sink *sink)
{
    struct tally all = { .tests = 0 };
    for (size_t i = 0; i < c->count; i++) add_suite(&all, &c->suites[i]);
    buffer_text(&sink->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    sink_line(sink);
    buffer_text(&sink->out, "<testsuites name=\"numel\"");
    put_tally(&sink->out, &all);
    buffer_char(&sink->out, '>');
    sink_line(sink);
    for (size_t i = 0; i < c->count && !sink->failed; i++) put_suite(sink, &c->suites[i]);
    buffer_text(&sink->out, "</testsuites>");
    sink_line(sink);
}
