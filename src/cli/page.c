/*
 * page.c -- --html: the reports of a command on one page. Of a model the page has what other commands would report too:
 * the overview, the statement, the memory and all tensors.
 */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_stream(const struct options *o) { return strcmp(o->html, "-") == 0; }

/* `list` reads folders of models, and a page may be written next to these. */
NUMEL_MUST static numel_rc open_page(struct options *o, bool listed, numel_error *e)
{
    size_t n = listed ? 0 : o->count;
    struct located *at = calloc(n + 1, sizeof *at);
    const char **inputs = calloc(n + 1, sizeof *inputs);
    numel_rc rc = NUMEL_E_NOMEM;
    *e = (numel_error){ .code = NUMEL_E_NOMEM, .offset = NUMEL_NOWHERE, .what = "out of memory" };
    for (size_t i = 0; at && inputs && i < n; i++) inputs[i] = located(o, o->args[i], &at[i]);
    if (at && inputs)
        rc = numel_page_open(&o->page, is_stream(o) ? NULL : o->html, inputs, n, &o->library, e);
    free(inputs);
    free(at);
    return rc;
}

bool page_begin(struct options *o, int *status)
{
    numel_error e;
    if (!o->html || open_page(o, o->command == &command_list, &e) == NUMEL_OK) return true;
    say_error(o->html, &e);
    *status = e.code == NUMEL_E_USAGE ? EXIT_USAGE : EXIT_UNREADABLE;
    return false;
}

bool page_add(const struct options *o, const numel_report *r, bool more)
{
    numel_error e;
    if (numel_page_add(o->page, r, more, &e) == NUMEL_OK) return true;
    say_error(NULL, &e);
    return false;
}

/* ---- the other reports -------------------------------------------------------------------- */

/* Adds what could be made: where there is no formula or no tensor, a page has less. */
static void add_made(const struct options *o, numel_report *r, numel_rc rc)
{
    if (rc == NUMEL_OK) (void)page_add(o, r, true);
    numel_report_free(r);
}

void page_add_tensors(const struct options *o, numel_subject *s)
{
    const numel_view view = NUMEL_INIT(numel_view);
    numel_report *r = NULL;
    numel_rc rc = numel_report_tensors(&r, s, &view, NULL);
    add_made(o, r, rc);
}

typedef void add_fn(const struct options *o, numel_subject *s);

static void add_statement(const struct options *o, numel_subject *s)
{
    numel_report *r = NULL;
    numel_rc rc = report_statement(&r, s, o, NULL);
    add_made(o, r, rc);
}

static void add_members(const struct options *o, numel_subject *s, size_t members, add_fn *add)
{
    for (size_t i = 0; i < members; i++) {
        numel_subject *member = NULL;
        if (numel_subject_member(&member, s, i, NULL) == NUMEL_OK) add(o, member);
        numel_subject_close(member);
    }
}

void page_add_rest(const struct options *o, numel_subject *s)
{
    static const struct {
        const struct command *command;
        report_fn *make;
    } reports[] = { { &command_show, report_show },
                    { &command_reconcile, report_statement },
                    { &command_memory, report_memory } };
    size_t members = 0;
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        numel_report *r = NULL;
        if (o->command == reports[i].command) continue;
        numel_rc rc = reports[i].make(&r, s, o, NULL);
        add_made(o, r, rc);
    }
    if (numel_subject_members(s, &members, NULL) != NUMEL_OK || !members) {
        page_add_tensors(o, s);
        return;
    }
    if (o->command != &command_reconcile) add_members(o, s, members, add_statement);
    add_members(o, s, members, page_add_tensors);
}

/* ---- the end ------------------------------------------------------------------------------ */

static bool write_out(void *ctx, const void *p, size_t bytes) { return fwrite(p, 1, bytes, ctx) == bytes; }

int page_end(struct options *o, int status)
{
    numel_error e;
    numel_rc rc = NUMEL_OK;
    if (!o->page) return status;
    if (numel_page_count(o->page) && status != EXIT_USAGE)
        rc = is_stream(o) ? numel_page_write(o->page, write_out, stdout, &e) : numel_page_save(o->page, &e);
    numel_page_close(o->page);
    o->page = NULL;
    if (rc == NUMEL_OK) return status;
    bool left = is_stream(o) && rc == NUMEL_E_IO; /* output_close() reports it */
    if (!left) say_error(is_stream(o) ? NULL : o->html, &e);
    return rc == NUMEL_E_USAGE ? EXIT_USAGE : EXIT_UNREADABLE;
}
