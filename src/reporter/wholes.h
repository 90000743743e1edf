/*
 * wholes.h -- which models in ComfyUI's folders fit into memory, each with the files that it reads from the
 * folders next to its own: `list --fit`.
 */
#ifndef NUMEL_REPORTER_WHOLES_H
#define NUMEL_REPORTER_WHOLES_H

#include "page/report.h"
#include "reader/walk.h"

struct whole_model;

/* The models that a list met. */
struct wholes {
    struct arena arena;
    const numel_options *options;
    const numel_knowledge *knowledge;
    struct whole_model *models;
    size_t count, cap;
};

/* Borrows both. Call wholes_done() in any case. */
void wholes_init(struct wholes *w, const numel_options *, const numel_knowledge *);
void wholes_done(struct wholes *w);
/* Notes a file in checkpoints, diffusion_models or unet, and holds its place; ignores any other. NOMEM. */
NUMEL_MUST bool wholes_add(struct wholes *w, const struct walk_item *x, numel_error *e);
/* Adds a section with a row for each model whose product states what it reads; nothing without such a
 * model. NOMEM. */
NUMEL_MUST bool wholes_section(struct wholes *w, struct numel_report *out, numel_error *e);

#endif
