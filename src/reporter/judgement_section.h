/*
 * judgement_section.h -- writes a judgement (subject/judgement.h) as an object of a document or a record.
 */
#ifndef NUMEL_REPORTER_JUDGEMENT_SECTION_H
#define NUMEL_REPORTER_JUDGEMENT_SECTION_H

#include "page/report.h"
#include "subject/judgement.h"

/* Adds "judgement", in JSON only. *j must outlive the report; NULL if nothing was judged. NOMEM. */
NUMEL_MUST bool judgement_section(struct numel_report *r, const numel_judgement *j, numel_error *e);
/* Adds a handle's judgement. The handle must outlive the report; afterwards its model is ready. Errors:
 * see judgement_of(). */
NUMEL_MUST bool judged_section(struct numel_report *r, struct handle *c, numel_error *e);
/* Sets a report's status: it disagrees from `least` upwards, and is in part if the verdict is neither that
 * nor agrees. */
void report_judge(struct numel_report *r, numel_state verdict, numel_state least);
/* The judgement as JSON text in the arena; NULL if memory runs out. */
NUMEL_MUST const char *judgement_json(const numel_judgement *j, struct arena *a);

#endif
