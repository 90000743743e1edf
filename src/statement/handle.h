/*
 * handle.h -- a checkpoint, or a configuration alone, and what the user knows, as one object.
 *
 * Reports are written over such a handle: what it holds is made when the first of them asks for it and is
 * then kept, so that several reports of one model do the work once. It holds the model with its statement,
 * and parts: facts derived from those, each made by the room that knows how. All is freed with the handle,
 * which reports and parts point into.
 *
 * A handle is for one thread at a time, and nobody changes what it holds: a report that needs another
 * configuration (a model type that GGUF does not say) puts it back as it was.
 */
#ifndef NUMEL_STATEMENT_HANDLE_H
#define NUMEL_STATEMENT_HANDLE_H

#include "formula/terms.h"
#include "model/roles.h"
#include "model/tensor.h"
#include "statement/statement.h"
#include "statement/tied.h"
#include "statement/unchecked.h"

struct handle_part;

struct handle {
    const numel_allocator *memory;
    struct arena arena;
    const numel_checkpoint *ck; /* NULL: a configuration alone */
    const char *path;           /* of the checkpoint; of that configuration, then it may be NULL */
    numel_knowledge knowledge;  /* a copy */
    bool search;                /* without a configuration every spec is tried, which takes its time */
    bool no_model;              /* an adapter, whatever configuration lies beside it: nothing is expected */
    struct model *model;        /* NULL until handle_model() */
    struct tied tied;           /* what it stores twice, where it has a formula and a checkpoint */
    struct statement statement; /* where model->x is; handle_ready() makes it */
    bool stated;
    struct handle_part *parts;
};

/* With its texts and lists, but for set_use: the caller's may be gone when the model is made, or when a report names them.
 * NOMEM. */
NUMEL_MUST bool knowledge_copy(numel_knowledge *to, const numel_knowledge *, struct arena *, numel_error *);

/* Nothing is made yet. `path` is for a configuration alone (see model_of_config()). NULL for NOMEM. */
NUMEL_MUST struct handle *handle_new(const numel_checkpoint *ck, const char *path, const numel_knowledge *k,
                                     bool search, const numel_allocator *m, numel_error *e);
void handle_free(struct handle *c); /* NULL is fine */

/* Makes the model. Without a configuration or a spec model->x is NULL and model->why says why; false only
 * for NOMEM and for what the user asked for and cannot be had. */
NUMEL_MUST bool handle_model(struct handle *c, numel_error *e);
/* That and the statement of a checkpoint. OVERFLOW besides, when its sums do not fit in 63 bits. */
NUMEL_MUST bool handle_ready(struct handle *c, numel_error *e);
/* False and IO: a ready model has a configuration next to it that could not be read, so that nothing is known of it. */
NUMEL_MUST bool handle_config_read(const struct handle *c, numel_error *e);

/* What is found out about a model once: `make` fills `bytes` that are zero, in the handle's arena; `done`
 * (or NULL) frees what is not in it, also of one that `make` gave up. */
struct handle_kind {
    size_t bytes;
    bool (*make)(void *part, struct handle *c, numel_error *e);
    void (*done)(void *part);
};
/* The part of that kind, made by the first call; NULL and *e when it cannot be. */
NUMEL_MUST void *handle_part(struct handle *c, const struct handle_kind *kind, numel_error *e);
/* The same, or NULL when nobody has made it. */
const void *handle_made(const struct handle *c, const struct handle_kind *kind);

/* Of a model with an expansion: the formula, what is stored by role, and what rests on names alone. */
NUMEL_MUST struct terms *handle_terms(struct handle *c, numel_error *e);
NUMEL_MUST struct roles *handle_roles(struct handle *c, numel_error *e);
NUMEL_MUST struct unchecked *handle_unchecked(struct handle *c, numel_error *e);

#endif
