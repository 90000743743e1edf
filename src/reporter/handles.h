/*
 * handles.h -- what all reports over a model (statement/handle.h) begin and end with.
 */
#ifndef NUMEL_REPORTER_HANDLES_H
#define NUMEL_REPORTER_HANDLES_H

#include "adapter/adapter.h"
#include "page/report.h"
#include "reporter/groups.h"
#include "statement/handle.h"

/* The model and its statement; of an adapter nothing is expected. As handle_ready(). */
NUMEL_MUST bool report_ready(struct numel_model *c, numel_error *e);
/* USAGE when it is of a configuration alone. */
NUMEL_MUST bool report_has_checkpoint(const struct numel_model *c, numel_error *e);
/* The end of making a report: one that failed is freed. The code of *e. */
NUMEL_MUST numel_rc report_made(numel_report **out, bool ok, numel_error *e);

/* api_model.c: what the functions of numel.h show of a model, made when it is resolved. */
struct resolved {
    const numel_judgement *judgement;
    const struct adapter *adapter; /* NULL: of a configuration alone */
    const struct terms *terms;     /* NULL: there is no formula */
    struct groups groups;          /* empty: of a configuration alone */
};
/* NULL: the model was deferred, and nothing has resolved it. */
const struct resolved *model_resolved(const struct numel_model *c);
/* Whether there is an i-th of n; else USAGE. */
NUMEL_MUST bool model_index(size_t i, size_t n, numel_error *e);

#endif
