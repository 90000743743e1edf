/* reports.c -- see reports.h. */
#include "look.h"
#include "reports.h"

#include "check.h"
#include "hostile.h"

#include "base/buffer.h"
#include "base/json_scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static numel_rc make_printout(numel_report **out, numel_subject *model, const numel_view *view,
                              numel_error *e)
{
    static const char text[] = "LlamaModel(\n  (embed_tokens): Embedding(16, 8)\n  (layers): ModuleList(\n"
                               "    (0-1): 2 x LlamaDecoderLayer(\n      (q_proj): Linear(in_features=8, "
                               "out_features=8, bias=False)\n    )\n  )\n)\n";
    const numel_printout printout = { sizeof(numel_printout), "a printout", text, sizeof text - 1 };
    return numel_report_printout(out, model, &printout, view, NULL, e);
}

numel_rc report_make(unsigned kind, numel_report **out, numel_subject *model, const numel_view *view,
                     numel_error *e)
{
    numel_view more = NUMEL_INIT(numel_view);
    if (view) more = *view;
    more.others = true;
    switch (kind) {
    case REPORT_SHOW: return numel_report_show(out, model, view, e);
    case REPORT_TENSORS: return numel_report_tensors(out, model, view, e);
    case REPORT_META: return numel_report_meta(out, model, view, e);
    case REPORT_RECONCILE: return numel_report_reconcile(out, model, view, e);
    case REPORT_OTHERS: return numel_report_show(out, model, &more, e);
    case REPORT_EXPLAIN: return numel_report_explain(out, "6.74B", model, view, e);
    case REPORT_DIFF: return numel_report_diff(out, model, model, view, e);
    case REPORT_PRINT: return numel_report_print(out, model, e);
    case REPORT_FORMULA: return numel_report_formula(out, model, e);
    default: return make_printout(out, model, view, e);
    }
}

const char *check_json(const void *p, size_t n)
{
    static char why[600];
    struct json_scan s;
    numel_error e = { .offset = NUMEL_NOWHERE };
    json_start(&s, p, n, 0, &e);
    do json_skip(&s);
    while (json_ok(&s) && json_peek(&s));
    if (json_ok(&s)) return NULL;
    snprintf(why, sizeof why, "the JSON is none, at %" PRIu64 ": %s", e.offset, e.what);
    return why;
}

static bool collect(void *ctx, const void *p, size_t bytes)
{
    buffer_add(ctx, p, bytes);
    return !((struct buffer *)ctx)->failed;
}

static bool refuse(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return false;
}

static size_t count_lines(const struct buffer *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++) n += b->p[i] == '\n';
    return n;
}

/* The summary must state the checkpoint's own total. */
static bool says_total(struct buffer *b, uint64_t stored)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "\"stored\":%" PRIu64 ",", stored);
    buffer_char(b, 0);
    return b->failed || strstr(b->p, wanted) != NULL;
}

static const char *check_rendered(struct buffer *b, unsigned kind, numel_style_format format,
                                  const numel_checkpoint *ck)
{
    const char *why;
    if (b->failed) return "out of memory in the test";
    if ((why = check_clean(b->p, b->n))) return why;
    if (format != NUMEL_JSON) return NULL;
    if (!(b->n == 0 && kind == REPORT_TENSORS) && (why = check_json(b->p, b->n))) return why;
    if (!ck) return NULL;
    if (kind == REPORT_TENSORS && count_lines(b) != numel_tensor_count(ck)) return "not a line a tensor";
    numel_counts counts = NUMEL_INIT(numel_counts);
    if (!look_count(ck, &counts)) return "no counts";
    if (kind == REPORT_SHOW && !says_total(b, counts.stored)) return "the total is not in the JSON";
    return NULL;
}

/* A second rendering must give the same bytes. */
struct again {
    const struct buffer *first;
    size_t at;
};

static bool compare(void *ctx, const void *p, size_t bytes)
{
    struct again *a = ctx;
    if (bytes > a->first->n - a->at || (bytes && memcmp(a->first->p + a->at, p, bytes) != 0)) return false;
    a->at += bytes;
    return true;
}

static const char *check_again(const numel_report *r, const numel_style *style, const struct buffer *b)
{
    numel_error e;
    struct again a = { b, 0 };
    if (numel_report_write(r, style, compare, &a, &e) != NUMEL_OK || a.at != b->n)
        return "the same report is written differently";
    if (b->n && numel_report_write(r, style, refuse, NULL, &e) != NUMEL_E_IO)
        return "a writer that refuses is not IO";
    return NULL;
}

static const char *check_report(const numel_report *r, unsigned kind, const numel_checkpoint *ck)
{
    enum { S = sizeof(numel_style) };
    static const numel_style styles[] = {
        { S, .format = NUMEL_TEXT },
        { S, .format = NUMEL_TEXT, .width = 20 },
        { S, .format = NUMEL_JSON },
        { S, .format = NUMEL_QUIET },
    };
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        struct buffer b;
        numel_error e;
        buffer_init(&b, &memory_malloc);
        numel_rc rc = numel_report_write(r, &styles[i], collect, &b, &e);
        const char *why = rc ? "a report that cannot be written" : check_again(r, &styles[i], &b);
        if (!why) why = check_rendered(&b, kind, styles[i].format, ck);
        buffer_done(&b);
        if (why) return why;
    }
    return NULL;
}

const char *check_made(numel_rc rc, const numel_report *r, const numel_error *e, unsigned kind,
                       const numel_checkpoint *ck)
{
    if ((rc == NUMEL_OK) != (r != NULL)) return "result and report disagree";
    return r ? check_report(r, kind, ck) : check_error(rc, e, UINT64_MAX);
}

const char *check_reports(const numel_checkpoint *ck)
{
    enum { S = sizeof(numel_view) };
    static const numel_view views[] = {
        { .size = S },
        { S, .by = NUMEL_BY_DTYPE, .all = true, .sort = NUMEL_SORT_BYTES },
        { S, .by = NUMEL_BY_FILE, .depth = 1, .sort = NUMEL_SORT_OFFSET },
    };
    for (unsigned kind = 0; kind < REPORT_KINDS; kind++)
        for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
            numel_report *r = NULL;
            numel_subject *model = NULL;
            numel_error e;
            numel_rc rc = numel_subject_of(&model, ck, NULL, NULL, &e);
            if (!rc) rc = report_make(kind, &r, model, &views[i], &e);
            const char *why = check_made(rc, r, &e, kind, ck);
            if (rc && (kind != REPORT_FORMULA || rc == NUMEL_E_NOMEM)) why = "a report that cannot be made";
            numel_report_free(r);
            numel_subject_close(model);
            if (why) return why;
        }
    return NULL;
}
