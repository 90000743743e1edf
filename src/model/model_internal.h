/*
 * model_internal.h -- the parts of a model, and how it is made: only for this room.
 */
#ifndef NUMEL_MODEL_MODEL_INTERNAL_H
#define NUMEL_MODEL_MODEL_INTERNAL_H

#include "model/match_internal.h"
#include "model/meanings.h"
#include "model/model.h"
#include "model/naming_internal.h"
#include "model/training.h"
#include "source/kept.h"

struct model_inner {
    struct naming naming;     /* for a checkpoint, with a spec */
    struct presence presence; /* over it */
    struct match match;       /* for a checkpoint, with model->x: each tensor's match */
    struct training training; /* for a checkpoint: non-weights, and the names of the weights */
    struct meanings meanings; /* for a checkpoint: the meanings of its names */
    bool meta_dotted;         /* some key of by_meta has a dot */
    struct names by_meta;     /* the checkpoint's metadata by key, for safetensors */
    struct kept *kept;        /* by file: bytes kept by header-only copies; NULL until needed */
};

/* Is a required tensor missing? Also buffers: the model computes with them, though the formula does not
 * count them; also tensors of an `extra` block with other tensors present. */
static inline bool model_lacks(const struct model *m, uint32_t row)
{
    return m->inner->match.rows[row].tensor == NAMES_ABSENT && !m->inner->match.rows[row].excused &&
           !model_site(m, row)->tied;
}

/* match_packed.c: the bytes of a small tensor, if they are on disk unchanged; for struct packed_file. */
NUMEL_MUST bool model_read_tensor(void *model, uint32_t tensor, uint8_t out[WITNESS_DATA], size_t *n);
/* ... and the metadata's text under a tensor's name. */
bool model_read_meta(void *model, numel_str name, numel_str *text);

/* written.c: the writer of the files, as in __metadata__: "mlx", "pt"; or NULL. */
NUMEL_MUST bool model_writer(struct model *m, const char **out, numel_error *e);
/* Makes model->x, with the expected tensors under the files' names. *e: the reason if it cannot. */
NUMEL_MUST bool model_expand(struct model *model, const struct expand_input *in, numel_error *e);

/* For trials, between model.c and search_*.c. From the current configuration, computes everything that
 * depends on it: the spec, the expected tensors, the matches. */
NUMEL_MUST bool model_decide(struct model *model, const numel_knowledge *k, bool may_search, numel_error *e);
/* Undoes that, including inferred values. */
void model_undo(struct model *model);
/* sets.c: does the model have the names that the user sets? A missing one is USAGE, or noted in k->set_use;
 * without a formula this is unknown. NOMEM. */
NUMEL_MUST bool model_sets_known(struct model *model, const numel_knowledge *k, numel_error *e);

/* choose.c: sets the spec of a model and its name; model->why if none fits. */
NUMEL_MUST bool model_choose(struct model *model, const numel_knowledge *k, numel_error *e);
/* The same only by its tensors, without a configuration or with one of an unknown type. */
NUMEL_MUST bool model_choose_by_tensors(struct model *model, numel_error *e);
/* search_spec.c: adds missing keys to the configuration, if the tensors show them. */
NUMEL_MUST bool infer_missing_keys(struct model *model, numel_error *e);
/* Finds the spec, and the inferred values of its configuration, that explain a checkpoint without one;
 * sets no spec if none does. */
NUMEL_MUST bool search_spec(struct model *model, numel_error *e);
/* search_class.c: if no class is declared, chooses the best of the spec's. */
NUMEL_MUST bool search_class(struct model *model, const numel_knowledge *k, numel_error *e);

#endif
