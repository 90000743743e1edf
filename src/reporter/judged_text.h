/*
 * judged_text.h -- a judgement (judged.h) in JSON alone: it is made when a renderer asks for it, which text does not.
 */
#ifndef NUMEL_REPORTER_JUDGED_TEXT_H
#define NUMEL_REPORTER_JUDGED_TEXT_H

#include "page/report.h"

struct judged_text {
    const numel_checkpoint *ck;
    numel_subject *subject; /* of the report, which is judged where a search would find nothing more; NULL */
    struct numel_report *report;
    const char *json;
    bool made;
    numel_error why; /* why it could not be made; of the disk, the report says so (numel_report.lost) */
};

/* The cell of a column "judgement": null where the checkpoint cannot be judged. */
struct cell judged_cell(struct judged_text *t);
/* "judgement", in JSON alone. The checkpoint must outlive the report. NOMEM. */
NUMEL_MUST bool judged_later(struct numel_report *r, const numel_checkpoint *, numel_error *);

#endif
