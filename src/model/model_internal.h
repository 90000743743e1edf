/*
 * model_internal.h -- the parts of a model and the steps that make it. For this room only.
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
    struct naming naming;     /* with a checkpoint and a spec */
    struct presence presence; /* based on `naming` */
    struct match match;       /* with a checkpoint and model->x: each tensor's match */
    struct training training; /* with a checkpoint: non-weights, and the names of the weights */
    struct meanings meanings; /* with a checkpoint: the meanings of its names */
    bool meta_dotted;         /* a key in by_meta contains a dot */
    struct names by_meta;     /* a safetensors checkpoint's metadata by key */
    struct kept *kept;        /* by file: the bytes that header-only copies keep; NULL until needed */
};

/* True if a required tensor is missing. This includes buffers, which the model needs though the formula
 * does not count them, and tensors of an `extra` block that is partly present. */
static inline bool model_lacks(const struct model *m, uint32_t row)
{
    return m->inner->match.rows[row].tensor == NAMES_ABSENT && !m->inner->match.rows[row].excused &&
           !model_site(m, row)->tied;
}

/* Reads the metadata's text under a tensor's name. */
bool model_read_meta(void *model, numel_str name, numel_str *text);

/* written.c: the program that wrote the files, from __metadata__: "mlx", "pt"; or NULL. */
NUMEL_MUST bool model_writer(struct model *m, const char **out, numel_error *e);
/* Makes model->x, with the expected tensors under the files' names. On failure *e has the reason. */
NUMEL_MUST bool model_expand(struct model *model, const struct expand_input *in, numel_error *e);

/* For trials in model.c and search_*.c: computes everything that depends on the current configuration,
 * which is the spec, the expected tensors and the matches. */
NUMEL_MUST bool model_decide(struct model *model, const numel_knowledge *k, bool may_search, numel_error *e);
/* Undoes model_decide(), including inferred values. */
void model_undo(struct model *model);
/* sets.c: checks that the model has the names that the user sets. A missing one is a USAGE error, or noted
 * in k->set_use. Without a formula, this cannot be checked. NOMEM. */
NUMEL_MUST bool model_sets_known(struct model *model, const numel_knowledge *k, numel_error *e);

/* choose.c: sets the model's spec and name; sets model->why if none fits. */
NUMEL_MUST bool model_choose(struct model *model, const numel_knowledge *k, numel_error *e);
/* Chooses by the tensors alone, if there is no configuration or its type is unknown. */
NUMEL_MUST bool model_choose_by_tensors(struct model *model, numel_error *e);
/* search_fit.c: adds keys that the configuration lacks, if the tensors show their values. */
NUMEL_MUST bool infer_missing_keys(struct model *model, numel_error *e);
/* search_spec.c: for a checkpoint without a configuration, finds the spec and the inferred values that
 * explain it. Sets no spec if none does. */
NUMEL_MUST bool search_spec(struct model *model, numel_error *e);
/* search_class.c: if no class is declared, chooses the best of the spec's. */
NUMEL_MUST bool search_class(struct model *model, const numel_knowledge *k, numel_error *e);

#endif
