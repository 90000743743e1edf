/*
 * inventory.h -- the true tensors of a model by name, against which a specification is judged.
 *
 * Filled from a case of the oracle or from a checkpoint's header, then sorted; a specification's spellings
 * add further names for the same tensors. Errors end the program.
 */
#ifndef NUMEL_TEST_INVENTORY_H
#define NUMEL_TEST_INVENTORY_H

#include "base/json_doc.h"
#include "formula/eval.h"

struct held {
    const char *name;
    uint64_t dims[SPEC_DIMS]; /* outermost first */
    uint32_t ndim;
    bool copy;   /* a tied name: a second name of a tensor stored under another */
    bool buffer; /* not a parameter */
    bool extra;  /* stored although the class does not load it, copies included: a multi-token prediction
                  * layer */
};

struct alias {
    const char *name;
    size_t of;
};

struct inventory {
    struct held *items; /* by name */
    size_t count, cap;
    struct alias *aliases; /* names made by the spec's spellings, sorted */
    size_t alias_count;
    struct arena arena;
    bool extras;              /* the tensors outside the class are known */
    bool kinds;               /* the buffers are known */
    struct presence presence; /* queries of an expansion, with cached answers for patterns */
    struct answer {
        char *glob;
        bool there;
    } * answers;
    size_t answer_count, answer_cap;
};

void inventory_init(struct inventory *v);
void inventory_done(struct inventory *v);
/* Adds params, buffers, tied and extra of a case; the document must outlive the inventory. */
void inventory_of_truth(struct inventory *v, const json_value *doc);
void inventory_of_checkpoint(struct inventory *v, const numel_checkpoint *ck);
/* Sorts; call it after the last addition. */
void inventory_spell(struct inventory *v, const struct spec *spec);

enum { INVENTORY_NONE = -1 };
long inventory_find(const struct inventory *v, const char *name);

#endif
