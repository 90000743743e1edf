/*
 * judge.h -- a case of the truth, ready to judge specifications: what the model holds, its
 * configuration, and what it counts.
 *
 * A specification passes when it expands to exactly the tensors of the case, names, shapes and sorts,
 * to its totals, and, from the configuration alone, to the same number of parameters.
 */
#ifndef NUMEL_TEST_JUDGE_H
#define NUMEL_TEST_JUDGE_H

#include "cases.h"
#include "inventory.h"

#include "formula/expand.h"
#include "formula/library.h"

struct witness {
    const struct truth *truth;
    struct inventory held;
    enum side side;
    const struct library_entry *entry; /* the specification that is for it */
    numel_checkpoint *ck;              /* of a GGUF header: its metadata are the configuration */
    char *config;                      /* else */
    size_t config_bytes;
    bool classed; /* the class is known: without it a formula may be another class's */
    bool *met;    /* by item; scratch */
};

/* The witness is not moved afterwards. entry is NULL when no specification is for it. */
void witness_init(struct witness *w, const struct truth *t, const struct library *l);
void witness_done(struct witness *w);

/* Its configuration; the caller frees it. */
struct config *witness_config(const struct witness *w);

/* Told of each site that stands in the file: what a case reaches. May be NULL. */
typedef void judge_reach_fn(void *ctx, const struct expansion *x, const struct site *site);

enum { JUDGE_WHY = 400 };
/* NULL, or the first thing that is wrong, in why. inventory_spell() has been called. */
const char *judge(struct witness *w, const struct spec *spec, char why[JUDGE_WHY], judge_reach_fn *reach,
                  void *ctx);

#endif
