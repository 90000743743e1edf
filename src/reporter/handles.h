/*
 * handles.h -- what all reports over a model (statement/handle.h) begin and end with.
 */
#ifndef NUMEL_REPORTER_HANDLES_H
#define NUMEL_REPORTER_HANDLES_H

#include "adapter/adapter.h"
#include "page/report.h"
#include "reporter/groups.h"
#include "subject/judgement.h"
#include "subject/subject.h"

/* The model and its statement; of an adapter nothing is expected. As handle_ready(). */
NUMEL_MUST bool report_ready(struct handle *c, numel_error *e);

/* ---- subjects ---- */

/* api_subject.c: what the functions of numel.h show of a model, made when it is judged. */
struct resolved {
    const numel_judgement *judgement;
    const struct adapter *adapter; /* NULL: of a configuration alone */
    const struct terms *terms;     /* NULL: there is no formula */
    struct groups groups;          /* empty: of a configuration alone */
};
/* NULL: it was not judged. */
const struct resolved *subject_resolved(const numel_subject *);
/* Whether there is an i-th of n; else USAGE. */
NUMEL_MUST bool subject_index(size_t i, size_t n, numel_error *e);
/* api_parts.c: how many of each list there are. */
void subject_sizes(const numel_subject *, numel_facts *);
/* The components of several asked, and judged (subject->whole, subject->judgement), by the first call. */
NUMEL_MUST bool subject_whole(numel_subject *, numel_error *);

#endif
