/*
 * judgement_section.h -- how a judgement (subject/judgement.h) is written: an object of a document, or of a record.
 */
#ifndef NUMEL_REPORTER_JUDGEMENT_SECTION_H
#define NUMEL_REPORTER_JUDGEMENT_SECTION_H

#include "page/report.h"
#include "subject/judgement.h"

/* "judgement", in JSON alone; what it points to outlives the report. NOMEM. */
NUMEL_MUST bool judgement_section(struct numel_report *r, const struct judgement *j, numel_error *e);
/* The same as text, of the arena; NULL: NOMEM. */
NUMEL_MUST const char *judgement_json(const struct judgement *j, struct arena *a);

#endif
