/*
 * reports.h -- what must hold of every report about a checkpoint that opened, whatever is in it: it
 * can be rendered, its JSON is JSON, it holds nothing that may not be shown (hostile.h), its totals are the
 * checkpoint's.
 */
#ifndef NUMEL_TEST_REPORTS_H
#define NUMEL_TEST_REPORTS_H

#include <numel.h>

/* The reports that are made of a checkpoint; those of paths are in test_starved.c. A new one belongs here. */
enum {
    REPORT_SHOW,
    REPORT_TENSORS,
    REPORT_META,
    REPORT_RECONCILE,
    REPORT_OTHERS, /* show with what others show */
    REPORT_EXPLAIN,
    REPORT_DIFF, /* the checkpoint against itself */
    REPORT_PRINT,
    REPORT_FORMULA, /* may be refused: a spec that does not fit */
    REPORT_PRINTOUT,
    REPORT_KINDS
};

numel_rc report_make(unsigned kind, numel_report **out, numel_subject *model, const numel_view *view,
                     numel_error *e);

/* NULL, or what is wrong. */
const char *check_reports(const numel_checkpoint *ck);

/* NULL, or what is wrong with what a call has come to: a report or an error, not both; the error has words,
 * and they may be shown; the report can be written in every format, twice with the same bytes, and so on as
 * above. `kind` is REPORT_KINDS for one that is none of them; ck NULL: its totals are not looked at. */
const char *check_made(numel_rc rc, const numel_report *r, const numel_error *e, unsigned kind,
                       const numel_checkpoint *ck);

/* NULL, or why p is not one JSON text, or several in a row. */
const char *check_json(const void *p, size_t n);

#endif
