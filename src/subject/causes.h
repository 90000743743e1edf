/*
 * causes.h -- a list of causes, filled while a judgement is made. Each maker adds its own causes, most likely
 * first, and adds nothing if it finds nothing wrong.
 */
#ifndef NUMEL_SUBJECT_CAUSES_H
#define NUMEL_SUBJECT_CAUSES_H

#include "subject/judgement.h"

enum { CAUSES_MOST = 24 }; /* further ones are dropped */

struct causes {
    numel_cause items[CAUSES_MOST + 1]; /* always with an empty item after the last */
    size_t count;
    struct arena *arena; /* owns the texts */
    numel_error *error;
};

/* Adds a cause; `text` is in the arena or lives as long. If it is NULL: NOMEM, false. */
NUMEL_MUST bool cause_add(struct causes *l, const char *code, numel_state state, uint64_t explains,
                          const char *text);

/* The makers. The model must be ready; `a` is NULL if there is only a configuration. NOMEM; OVERFLOW as
 * for a statement. */
NUMEL_MUST bool causes_of_bytes(struct causes *l, const numel_checkpoint *ck);
NUMEL_MUST bool causes_of_loaders(struct causes *l, struct handle *c); /* loaders.c */
NUMEL_MUST bool causes_of_model(struct causes *l, struct handle *c);   /* change.c */
NUMEL_MUST bool causes_of_adapter(struct causes *l, const struct adapter *a);

#endif
