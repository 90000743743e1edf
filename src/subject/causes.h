/*
 * causes.h -- a list of causes while a judgement is made. Each maker adds its own, the truest first, and
 * nothing if it finds nothing wrong.
 */
#ifndef NUMEL_SUBJECT_CAUSES_H
#define NUMEL_SUBJECT_CAUSES_H

#include "subject/judgement.h"

enum { CAUSES_MOST = 24 }; /* more are left out */

struct causes {
    numel_cause items[CAUSES_MOST + 1]; /* copied with the one after the last, which is empty */
    size_t count;
    struct arena *arena; /* of their texts */
    numel_error *error;
};

/* Adds one; `text` is in the arena or lasts as long. A text of NULL is NOMEM, and false. */
NUMEL_MUST bool cause_add(struct causes *l, const char *code, numel_state state, uint64_t explains,
                          const char *text);

/* What each maker finds. The model is ready; `a` is NULL for a configuration only. NOMEM; OVERFLOW as for a statement. */
NUMEL_MUST bool causes_of_bytes(struct causes *l, const numel_checkpoint *ck);
NUMEL_MUST bool causes_of_loaders(struct causes *l, struct handle *c); /* loaders.c */
NUMEL_MUST bool causes_of_model(struct causes *l, struct handle *c);   /* change.c */
NUMEL_MUST bool causes_of_adapter(struct causes *l, const struct adapter *a);

#endif
