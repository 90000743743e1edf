/*
 * handles.h -- what all reports on a model (statement/handle.h) share.
 */
#ifndef NUMEL_REPORTER_HANDLES_H
#define NUMEL_REPORTER_HANDLES_H

#include "adapter/adapter.h"
#include "page/report.h"
#include "reporter/groups.h"
#include "subject/judgement.h"
#include "subject/subject.h"

/* Makes the model and its statement; nothing is expected of an adapter. Errors: see handle_ready(). */
NUMEL_MUST bool report_ready(struct handle *c, numel_error *e);

/* ---- subjects ---- */

/* The facts that functions of numel.h show of a model (api_subject.c); made when it is judged. */
struct resolved {
    const numel_judgement *judgement;
    const struct adapter *adapter; /* NULL if there is only a configuration */
    const struct terms *terms;     /* NULL if there is no formula */
    struct groups groups;          /* empty if there is only a configuration */
    const uint32_t *group_of;      /* by tensor, its leaf among the groups */
};
/* NULL if the subject was not judged. */
const struct resolved *subject_resolved(const numel_subject *);
/* Is i less than n? USAGE if not. */
NUMEL_MUST bool subject_index(size_t i, size_t n, numel_error *e);
/* Sets the length of each list (api_parts.c). */
void subject_sizes(const numel_subject *, numel_facts *);
/* Judges the components of a multi-part model on the first call (subject->whole, subject->judgement). */
NUMEL_MUST bool subject_whole(numel_subject *, numel_error *);

#endif
