/*
 * reports.h -- what must hold of every report about a checkpoint that opened, whatever is in it: it
 * can be rendered, its JSON is JSON, its text holds no control character, its totals are the
 * checkpoint's.
 */
#ifndef NUMEL_TEST_REPORTS_H
#define NUMEL_TEST_REPORTS_H

#include <numel.h>

enum { REPORT_KINDS = 8 };

/* show, tensors, meta, reconcile, show with what others show, explain, the checkpoint against itself,
 * or print. */
numel_rc report_make(unsigned kind, numel_report **out, const numel_checkpoint *ck,
                     const numel_view *view, numel_error *e);

/* NULL, or what is wrong. */
const char *check_reports(const numel_checkpoint *ck);

/* NULL, or why p is not one JSON text, or several in a row. */
const char *check_json(const void *p, size_t n);

#endif
