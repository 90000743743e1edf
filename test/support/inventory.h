/*
 * inventory.h -- the tensors that a model truly holds, by name, as a specification is judged by them.
 *
 * Filled from a case of the oracle or from a checkpoint's header, then sorted; a specification's
 * spellings make further names of the same tensors. Mistakes end the program.
 */
#ifndef NUMEL_TEST_INVENTORY_H
#define NUMEL_TEST_INVENTORY_H

#include "base/json_doc.h"
#include "formula/eval.h"

struct held {
    const char *name;
    uint64_t dims[SPEC_DIMS]; /* outermost first */
    uint32_t ndim;
    bool copy;   /* a tied name: a second one of a tensor that is stored under another */
    bool buffer; /* no parameter */
    bool extra;  /* stored beside what the class loads, copies too: a layer for multi-token prediction */
};

struct alias {
    const char *name;
    size_t of;
};

struct inventory {
    struct held *items; /* by name */
    size_t count, cap;
    struct alias *aliases; /* what the spellings of the spec make of the names; by name */
    size_t alias_count;
    struct arena arena;
    bool extras;              /* it is known what files hold beside the class */
    bool kinds;               /* it is known which are buffers */
    struct presence presence; /* what an expansion asks of it; a pattern's answer is kept */
    struct answer {
        char *glob;
        bool there;
    } * answers;
    size_t answer_count, answer_cap;
};

void inventory_init(struct inventory *v);
void inventory_done(struct inventory *v);
/* params, buffers, tied and extra of a case; the document must outlive the inventory. */
void inventory_of_truth(struct inventory *v, const json_value *doc);
void inventory_of_checkpoint(struct inventory *v, const numel_checkpoint *ck);
/* Once all is in. */
void inventory_spell(struct inventory *v, const struct spec *spec);

enum { INVENTORY_NONE = -1 };
long inventory_find(const struct inventory *v, const char *name);

#endif
