/*
 * reports.h -- invariants of every report about a checkpoint that opened, whatever it contains: it
 * renders, its JSON is valid, it contains nothing that may not be shown (hostile.h), its totals match the
 * checkpoint's.
 */
#ifndef NUMEL_TEST_REPORTS_H
#define NUMEL_TEST_REPORTS_H

#include <numel.h>

/* The reports on checkpoints; test_starved.c has those on paths. Add new ones here. */
enum {
    REPORT_SHOW,
    REPORT_TENSORS,
    REPORT_META,
    REPORT_RECONCILE,
    REPORT_OTHERS, /* show --others */
    REPORT_EXPLAIN,
    REPORT_DIFF, /* of the checkpoint with itself */
    REPORT_PRINT,
    REPORT_FORMULA, /* may be refused: the spec may not fit */
    REPORT_PRINTOUT,
    REPORT_KINDS
};

numel_rc report_make(unsigned kind, numel_report **out, numel_subject *model, const numel_view *view,
                     numel_error *e);

/* Returns NULL, or what is wrong. */
const char *check_reports(const numel_checkpoint *ck);

/* Returns NULL, or what is wrong with the result of a call: it must be a report or an error, not both. An
 * error has a message that may be shown; a report renders in every format, twice with the same bytes, and
 * so on as above. `kind` is REPORT_KINDS for any other report; if ck is NULL, totals are not checked. */
const char *check_made(numel_rc rc, const numel_report *r, const numel_error *e, unsigned kind,
                       const numel_checkpoint *ck);

/* Returns NULL, or why p is not one JSON text or several in a row. */
const char *check_json(const void *p, size_t n);

#endif
