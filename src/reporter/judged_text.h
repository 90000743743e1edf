/*
 * judged_text.h -- a judgement (judged.h) that is only made if a renderer asks for it: JSON does, text does
 * not.
 */
#ifndef NUMEL_REPORTER_JUDGED_TEXT_H
#define NUMEL_REPORTER_JUDGED_TEXT_H

#include "page/report.h"

struct judged_text {
    const numel_checkpoint *ck;
    numel_subject *subject; /* the report's own, used if a search would find no more; or NULL */
    struct numel_report *report;
    const char *json;
    bool made;
    numel_error why; /* why it could not be made; if the disk failed, also numel_report.lost */
};

/* The cell of a column "judgement"; null if the checkpoint cannot be judged. */
struct cell judged_cell(struct judged_text *t);
/* Adds "judgement", in JSON only. The checkpoint must outlive the report. NOMEM. */
NUMEL_MUST bool judged_later(struct numel_report *r, const numel_checkpoint *, numel_error *);

#endif
