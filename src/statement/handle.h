/*
 * handle.h -- a checkpoint, or a configuration alone, and what the user knows, in one object.
 *
 * Reports are written from such a handle. It makes what it holds when a report first asks for it and keeps
 * it, so several reports of one model do the work once. It holds the model with its statement, and parts:
 * facts derived from those, each made by the room that knows how. All of it is freed with the handle; reports
 * and parts point into it.
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
    const numel_checkpoint *ck; /* NULL: configuration only */
    const char *path;           /* of the checkpoint or configuration; NULL if that has none */
    numel_knowledge knowledge;  /* a copy */
    bool search;                /* without a configuration, try every spec; takes time */
    bool no_model;              /* an adapter, even with a configuration next to it: nothing is expected */
    struct model *model;        /* NULL until handle_model() */
    struct tied tied;           /* what it stores twice; needs a formula and a checkpoint */
    struct statement statement; /* if model->x; made by handle_ready() */
    bool stated;
    struct handle_part *parts;
};

/* Copies texts and lists, but not set_use: the caller's may be gone when the model is made or a report names
 * them. NOMEM. */
NUMEL_MUST bool knowledge_copy(numel_knowledge *to, const numel_knowledge *, struct arena *, numel_error *);

/* Makes no part yet. `path` is for a configuration only (see model_of_config()). NULL: NOMEM. */
NUMEL_MUST struct handle *handle_new(const numel_checkpoint *ck, const char *path, const numel_knowledge *k,
                                     bool search, const numel_allocator *m, numel_error *e);
void handle_free(struct handle *c); /* NULL is fine */

/* Makes the model. Without a configuration or a spec, model->x is NULL and model->why gives the reason; false
 * only for NOMEM and for a user's request that cannot be met. */
NUMEL_MUST bool handle_model(struct handle *c, numel_error *e);
/* Makes that and the statement of a checkpoint. Also OVERFLOW, when its sums do not fit in 63 bits. */
NUMEL_MUST bool handle_ready(struct handle *c, numel_error *e);
/* False and IO if a ready model has a configuration next to it that could not be read, so nothing is known of it. */
NUMEL_MUST bool handle_config_read(const struct handle *c, numel_error *e);

/* A fact about a model, found once: `make` fills `bytes` zeroed bytes in the handle's arena; `done` (or NULL)
 * frees what is outside it, even after `make` failed. */
struct handle_kind {
    size_t bytes;
    bool (*make)(void *part, struct handle *c, numel_error *e);
    void (*done)(void *part);
};
/* Returns the part of that kind, made by the first call; NULL and *e on failure. */
NUMEL_MUST void *handle_part(struct handle *c, const struct handle_kind *kind, numel_error *e);
/* The same, but NULL if it has not been made. */
const void *handle_made(const struct handle *c, const struct handle_kind *kind);

/* For a model with an expansion: the formula, what is stored by role, and what rests on names only. */
NUMEL_MUST struct terms *handle_terms(struct handle *c, numel_error *e);
NUMEL_MUST struct roles *handle_roles(struct handle *c, numel_error *e);
NUMEL_MUST struct unchecked *handle_unchecked(struct handle *c, numel_error *e);

#endif
