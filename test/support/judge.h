/*
 * judge.h -- judges specifications against a case of the oracle: the tensors of the model, its
 * configuration, and its counts.
 *
 * A specification passes if it expands to exactly the tensors of the case (names, shapes and sorts), to
 * its totals, and, from the configuration alone, to the same number of parameters.
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
    const struct library_entry *entry; /* the matching specification */
    numel_checkpoint *ck;              /* for a GGUF header: its metadata is the configuration */
    char *config;                      /* otherwise */
    size_t config_bytes;
    bool classed; /* the class is known; without it the formula may be another class's */
    bool *met;    /* scratch, by item */
};

/* The witness must not be moved afterwards. entry is NULL if no specification matches. */
void witness_init(struct witness *w, const struct truth *t, const struct library *l);
void witness_done(struct witness *w);

/* Its configuration; the caller frees it. */
struct config *witness_config(const struct witness *w);

/* Called for each site present in the file, to record what a case covers. May be NULL. */
typedef void judge_reach_fn(void *ctx, const struct expansion *x, const struct site *site);

enum { JUDGE_WHY = 400 };
/* Returns NULL, or the first mismatch, formatted into why. Requires inventory_spell(). */
const char *judge(struct witness *w, const struct spec *spec, char why[JUDGE_WHY], judge_reach_fn *reach,
                  void *ctx);

#endif
