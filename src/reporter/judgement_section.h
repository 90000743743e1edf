/*
 * judgement_section.h -- how a judgement (subject/judgement.h) is written: an object of a document, or of a record.
 */
#ifndef NUMEL_REPORTER_JUDGEMENT_SECTION_H
#define NUMEL_REPORTER_JUDGEMENT_SECTION_H

#include "page/report.h"
#include "subject/judgement.h"

/* "judgement", in JSON alone; what it points to outlives the report. `j` NULL: nothing was judged. NOMEM. */
NUMEL_MUST bool judgement_section(struct numel_report *r, const numel_judgement *j, numel_error *e);
/* That of a handle, which outlives the report: its section, and what the report comes to. The model is ready after it. As
 * judgement_of(). */
NUMEL_MUST bool judged_section(struct numel_report *r, struct handle *c, numel_error *e);
/* A report's status: it disagrees from `least` on, and is in part where nothing was found and something is not known. */
void report_judge(struct numel_report *r, numel_state verdict, numel_state least);
/* The same as text, of the arena; NULL: NOMEM. */
NUMEL_MUST const char *judgement_json(const numel_judgement *j, struct arena *a);

#endif
