/*
 * handles.h -- reports over a handle (statement/handle.h), and how those of numel.h get theirs.
 *
 * Each report that looks at a model is made by a function over a handle, here; several over one handle do
 * the work once. Both the handle and its checkpoint outlive the report. The function of numel.h makes a
 * handle of its own, which goes with the report.
 */
#ifndef NUMEL_REPORTER_HANDLES_H
#define NUMEL_REPORTER_HANDLES_H

#include "page/report.h"
#include "statement/handle.h"

numel_rc report_show_of(numel_report **, struct numel_model *, const numel_view *, numel_error *);
numel_rc report_tensors_of(numel_report **, struct numel_model *, const numel_view *, numel_error *);
numel_rc report_formula_of(numel_report **, struct numel_model *, numel_error *);
numel_rc report_reconcile_of(numel_report **, struct numel_model *, const numel_view *, numel_error *);
numel_rc report_diff_of(numel_report **, struct numel_model *a, struct numel_model *b, const numel_view *,
                        numel_error *);
/* `c` may be NULL: the printout alone. */
numel_rc report_printout_of(numel_report **, struct numel_model *c, const numel_printout *,
                            const numel_view *, const numel_allocator *, numel_error *);
numel_rc report_print_of(numel_report **, struct numel_model *, numel_error *);
numel_rc report_explain_of(numel_report **, const char *number, struct numel_model *, const numel_view *,
                           numel_error *);

/* The model and its statement; of an adapter nothing is expected. As handle_ready(). */
bool report_ready(struct numel_model *c, numel_error *e);
/* The end of making a report: one that failed is freed. The code of *e. */
numel_rc report_made(numel_report **out, bool ok, numel_error *e);
/* The handle, of at most two, goes with the report; at once when there is none. NULL is fine. The code of *e. */
numel_rc report_owns(numel_report *r, struct numel_model *c, numel_error *e);

#endif
