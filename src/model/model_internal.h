/*
 * model_internal.h -- what a model is made of, and how it is made: for the room itself.
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
    struct naming naming;     /* of a checkpoint, with a spec */
    struct presence presence; /* over it */
    struct match match;       /* of a checkpoint, with model->x: what each tensor is */
    struct training training; /* of a checkpoint: what is no weight, and the names of those that are */
    struct meanings meanings; /* of a checkpoint: what its names mean */
    bool meta_dotted;         /* some key of by_meta has a dot in it */
    struct names by_meta;     /* the checkpoint's metadata by key, when it is safetensors */
    struct kept *kept;        /* by file: what header-only copies kept; NULL until asked for */
};

/* Is an expected tensor absent that should be there? Buffers too: the model computes with them, though the
 * formula does not count them. So with what stands in an `extra` block of which something else is there. */
static inline bool model_lacks(const struct model *m, uint32_t row)
{
    return m->inner->match.rows[row].tensor == NAMES_ABSENT && !m->inner->match.rows[row].excused &&
           !model_site(m, row)->tied;
}

/* match_packed.c: the bytes of a small tensor, where they are on disk as they are; for struct packed_file. */
NUMEL_MUST bool model_read_tensor(void *model, uint32_t tensor, uint8_t out[WITNESS_DATA], size_t *n);
/* ... and the text that the metadata have under a tensor's name. */
bool model_read_meta(void *model, numel_str name, numel_str *text);

/* written.c: who wrote the files, as __metadata__ says it: "mlx", "pt"; or NULL. */
NUMEL_MUST bool model_writer(struct model *m, const char **out, numel_error *e);
/* model->x, with what is expected under the names that the files have. *e: why there is none. */
NUMEL_MUST bool model_expand(struct model *model, const struct expand_input *in, numel_error *e);

/* For trials, between model.c and search_*.c. From the configuration as it is now to all that rests on it:
 * the spec, what it expects, what each tensor is. */
NUMEL_MUST bool model_decide(struct model *model, const numel_knowledge *k, bool may_search, numel_error *e);
/* Takes that back, with what was inferred. */
void model_undo(struct model *model);
/* sets.c: has the model what the user sets? What it lacks is USAGE, or noted in k->set_use; of a model without a formula nothing is
 * known. NOMEM. */
NUMEL_MUST bool model_sets_known(struct model *model, const numel_knowledge *k, numel_error *e);

/* choose.c: the spec of a model, with how it is called; model->why where none fits. */
NUMEL_MUST bool model_choose(struct model *model, const numel_knowledge *k, numel_error *e);
/* The same by its tensors alone, where there is no configuration, or one of an unknown type. */
NUMEL_MUST bool model_choose_by_tensors(struct model *model, numel_error *e);
/* search_spec.c: adds to the configuration the keys that it lacks and that the tensors show. */
NUMEL_MUST bool infer_missing_keys(struct model *model, numel_error *e);
/* The spec, and the inferred values of its configuration, that explain a checkpoint which has none; no spec
 * when none does. */
NUMEL_MUST bool search_spec(struct model *model, numel_error *e);
/* search_class.c: when no class is declared, the best of those that the spec knows. */
NUMEL_MUST bool search_class(struct model *model, const numel_knowledge *k, numel_error *e);

#endif
