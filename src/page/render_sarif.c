/*
 * render_sarif.c -- results as SARIF 2.1.0 (OASIS), for code hosts and editors: one run, with the broken
 * rules and a result for each finding, at a byte of a file.
 *
 * Files are URIs, relative like the given paths. A case without a verdict is a notification of the run, which
 * then is not successful. There are no times and no host names: the same results give the same bytes.
 */
#include "page/report.h"

#include "base/text.h"

#include <string.h>

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

static void put_key(struct buffer *b, const char *before, const char *key, numel_str value)
{
    buffer_format(b, "%s\"%s\":", before, key);
    text_json(b, value);
}

/* Without a folder, "a:b" would look like a scheme; text_uri() escapes the colon. */
static void put_artifact(struct buffer *b, numel_str path)
{
    buffer_text(b, "\"artifactLocation\":{\"uri\":\"");
    text_uri(b, path);
    buffer_text(b, "\"}");
}

static void put_rule(struct buffer *b, const struct check_rule *r)
{
    buffer_char(b, '{');
    put_key(b, "", "id", text_of(r->code));
    buffer_text(b, ",\"shortDescription\":{");
    put_key(b, "", "text", text_of(r->about));
    buffer_text(b, "},\"defaultConfiguration\":{");
    put_key(b, "", "level", text_of(r->severity));
    buffer_text(b, "}}");
}

/* The number in the run of each rule that has a result; SIZE_MAX for the others. */
struct numbering {
    const struct checks *c;
    size_t *of;
};

static size_t rule_of(const struct checks *c, const char *code)
{
    for (size_t i = 0; i < c->rule_count; i++)
        if (strcmp(c->rules[i].code, code) == 0) return i;
    return SIZE_MAX;
}

static void put_rules(struct sink *sink, const struct numbering *n)
{
    bool first = true;
    buffer_text(&sink->out, "\"rules\":[");
    for (size_t i = 0; i < n->c->rule_count; i++) {
        if (n->of[i] == SIZE_MAX) continue;
        buffer_text(&sink->out, first ? "" : ",");
        first = false;
        sink_line(sink);
        put_rule(&sink->out, &n->c->rules[i]);
    }
    buffer_text(&sink->out, "]");
}

static void put_place(struct buffer *b, const struct check_suite *s, const struct check_result *r)
{
    buffer_text(b, ",\"locations\":[{\"physicalLocation\":{");
    put_artifact(b, r->file.n ? r->file : s->path);
    if (r->offset <= INT64_MAX) buffer_format(b, ",\"region\":{\"byteOffset\":%" PRIu64 "}", r->offset);
    buffer_char(b, '}');
    if (r->tensor.n) {
        buffer_text(b, ",\"logicalLocations\":[{");
        put_key(b, "", "fullyQualifiedName", r->tensor);
        buffer_text(b, "}]");
    }
    buffer_text(b, "}]");
}

static void put_result(struct sink *sink, const struct numbering *n, const struct check_suite *s,
                       const struct check_result *r)
{
    struct buffer *b = &sink->out;
    size_t rule = rule_of(n->c, r->code);
    buffer_char(b, '{');
    put_key(b, "", "ruleId", text_of(r->code));
    if (rule != SIZE_MAX) buffer_format(b, ",\"ruleIndex\":%zu", n->of[rule]);
    put_key(b, ",", "level", text_of(r->severity));
    buffer_text(b, ",\"message\":{");
    put_key(b, "", "text", text_of(r->message));
    buffer_char(b, '}');
    put_place(b, s, r);
    buffer_text(b, ",\"properties\":{");
    put_key(b, "", "verifyLevel", text_of(r->level));
    put_key(b, ",", "checkpoint", s->path);
    buffer_text(b, "}}");
}

static void put_results(struct sink *sink, const struct numbering *n)
{
    bool first = true;
    buffer_text(&sink->out, "\"results\":[");
    for (size_t i = 0; i < n->c->count && !sink->failed; i++) {
        const struct check_suite *s = &n->c->suites[i];
        for (size_t k = 0; k < s->count; k++) {
            buffer_text(&sink->out, first ? "" : ",");
            first = false;
            sink_line(sink);
            put_result(sink, n, s, &s->results[k]);
        }
    }
    buffer_char(&sink->out, ']');
}

/* Reports cases without a verdict. */
static void put_invocation(struct sink *sink, const struct checks *c)
{
    struct buffer *b = &sink->out;
    bool good = true;
    buffer_text(b, "\"invocations\":[{\"toolExecutionNotifications\":[");
    for (size_t i = 0; i < c->count; i++)
        for (unsigned k = 0; k < c->suites[i].case_count; k++) {
            const struct check_case *one = &c->suites[i].cases[k];
            if (one->verdict != CHECK_BROKEN) continue;
            buffer_text(b,
                        good ? "{\"level\":\"error\",\"message\":{" : ",{\"level\":\"error\",\"message\":{");
            put_key(b, "", "text", text_of(one->why));
            buffer_text(b, "},\"locations\":[{\"physicalLocation\":{");
            put_artifact(b, c->suites[i].path);
            buffer_text(b, "}}]}");
            good = false;
        }
    buffer_format(b, "],\"executionSuccessful\":%s}]", good ? "true" : "false");
}

static void number_rules(struct numbering *n)
{
    size_t used = 0;
    for (size_t i = 0; i < n->c->rule_count; i++) n->of[i] = SIZE_MAX;
    for (size_t i = 0; i < n->c->count; i++)
        for (size_t k = 0; k < n->c->suites[i].count; k++) {
            size_t rule = rule_of(n->c, n->c->suites[i].results[k].code);
            if (rule != SIZE_MAX) n->of[rule] = 0;
        }
    for (size_t i = 0; i < n->c->rule_count; i++)
        if (n->of[i] != SIZE_MAX) n->of[i] = used++;
}

bool render_sarif(const struct checks *c, const numel_allocator *m, struct sink *sink)
{
    struct buffer *b = &sink->out;
    struct numbering n = { .c = c, .of = memory_resize(m, NULL, (c->rule_count + 1) * sizeof *n.of) };
    if (!n.of) return false;
    number_rules(&n);
    put_key(b, "{", "$schema", text_of(SCHEMA));
    buffer_text(b, ",\"version\":\"2.1.0\",\"runs\":[{");
    put_key(b, "\"tool\":{\"driver\":{", "name", text_of("numel"));
    put_key(b, ",", "version", text_of(numel_version()));
    put_key(b, ",", "semanticVersion", text_of(numel_version()));
    buffer_char(b, ',');
    put_rules(sink, &n);
    buffer_text(b, "}},");
    put_invocation(sink, c);
    buffer_char(b, ',');
    put_results(sink, &n);
    buffer_text(b, ",\"columnKind\":\"unicodeCodePoints\"}]}");
    sink_line(sink);
    memory_release(m, n.of);
    return true;
}
