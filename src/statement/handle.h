/*
 * handle.h -- a checkpoint or a configuration, and what the user knows about it, in one object.
 *
 * Reports are made from a handle. It computes its contents when a report first needs them and keeps them, so
 * several reports on one model do the work once. It has the model with its statement, and parts: facts
 * derived from those, each made by the room that knows how. All of it is freed with the handle; reports and
 * parts point into it.
 *
 * A handle is for one thread at a time, and its contents do not change: a report that needs another
 * configuration (a model type that GGUF does not state) restores the old one.
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
    const char *path;           /* path of the checkpoint or configuration; NULL if there is none */
    numel_knowledge knowledge;  /* a copy */
    bool search;                /* try every spec without a configuration, which takes time */
    bool no_model;              /* an adapter: nothing is expected, even with a configuration next to it */
    struct model *model;        /* NULL until handle_model() */
    struct tied tied;           /* what is stored twice; needs a formula and a checkpoint */
    struct statement statement; /* needs model->x; made by handle_ready() */
    bool stated;
    struct handle_part *parts;
};

/* Copies texts and lists. set_use is not copied, because the caller's may be gone when the model is made
 * or a report names it. NOMEM. */
NUMEL_MUST bool knowledge_copy(numel_knowledge *to, const numel_knowledge *, struct arena *, numel_error *);

/* Makes an empty handle. `path` is for a configuration alone (see model_of_config()). NULL: NOMEM. */
NUMEL_MUST struct handle *handle_new(const numel_checkpoint *ck, const char *path, const numel_knowledge *k,
                                     bool search, const numel_allocator *m, numel_error *e);
void handle_free(struct handle *c); /* accepts NULL */

/* Makes the model. Without a configuration or a spec, model->x is NULL and model->why has the reason.
 * False only for NOMEM, or if the user's request cannot be met. */
NUMEL_MUST bool handle_model(struct handle *c, numel_error *e);
/* Makes the model, and the statement of a checkpoint. Also OVERFLOW if its sums do not fit in 63 bits. */
NUMEL_MUST bool handle_ready(struct handle *c, numel_error *e);
/* False with IO if the configuration next to a ready model could not be read, so that it is unknown. */
NUMEL_MUST bool handle_config_read(const struct handle *c, numel_error *e);

/* A part is a fact about a model, found once. `make` fills `bytes` zeroed bytes in the handle's arena.
 * `done` (or NULL) frees whatever is outside the arena, even after `make` failed. */
struct handle_kind {
    size_t bytes;
    bool (*make)(void *part, struct handle *c, numel_error *e);
    void (*done)(void *part);
};
/* Returns the part of that kind, made by the first call; NULL and *e on failure. */
NUMEL_MUST void *handle_part(struct handle *c, const struct handle_kind *kind, numel_error *e);
/* Returns the part of that kind; NULL if it has not been made. */
const void *handle_made(const struct handle *c, const struct handle_kind *kind);

/* For a model with an expansion: the formula, the stored elements by role, and what was recognised by name
 * only. */
NUMEL_MUST struct terms *handle_terms(struct handle *c, numel_error *e);
NUMEL_MUST struct roles *handle_roles(struct handle *c, numel_error *e);
NUMEL_MUST struct unchecked *handle_unchecked(struct handle *c, numel_error *e);

#endif
