/*
 * judged.h -- the judgement of a checkpoint as `show` has it, for reports that say something else of it.
 */
#ifndef NUMEL_REPORTER_JUDGED_H
#define NUMEL_REPORTER_JUDGED_H

#include "components/components.h"
#include "subject/judgement.h"

struct judged {
    const numel_judgement *judgement;
    struct numel_model *model; /* NULL: the file is several models */
    struct numel_parts *parts; /* NULL: it is one */
    struct components whole;   /* of several, asked */
    numel_judgement own;
    struct arena arena;
    bool borrowed; /* `model` is the caller's */
};

/* `given` is the caller's handle of the checkpoint, or NULL: it is used where a search would find nothing more. The
 * checkpoint, and `given`, must outlive *j. Errors as judgement_of(); IO: its configuration cannot be read. Nothing is left
 * to close then. */
NUMEL_MUST bool judged_open(struct judged *j, const numel_checkpoint *, struct numel_model *given,
                            const numel_allocator *, numel_error *);
void judged_close(struct judged *j);

#endif
