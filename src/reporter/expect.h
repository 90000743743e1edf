/*
 * expect.h -- "params=8.03B,arch=llama,bits=4": compares a checkpoint with what is expected of it.
 *
 * There are three answers: yes, no, and unknown (no formula, no configuration); only the first counts as
 * success. A number written in full is exact. A shorter one, 8.03B, matches every number that rounds to it,
 * and the answer mentions the rounding.
 */
#ifndef NUMEL_REPORTER_EXPECT_H
#define NUMEL_REPORTER_EXPECT_H

#include "base/number.h"
#include "page/report.h"
#include "statement/handle.h"

enum expect_kind {
    EXPECT_COUNT, /* a number as people write it */
    EXPECT_BYTES, /* likewise, with units of bytes */
    EXPECT_BITS,  /* 4: the width that a quantizer names; 4.89: bits per weight */
    EXPECT_TEXT,  /* one of the fact's names, in either case */
    EXPECT_TYPES, /* all element types, BF16+F32, in any order */
    EXPECT_WORD   /* one of `words` */
};

enum { FACT_NAMES = 4 };

/* A fact about the checkpoint. It is unknown without a formula, or if no file states it. */
struct fact {
    bool known;
    uint64_t number;               /* counts; for bits the width, 0 if none is named */
    const char *names[FACT_NAMES]; /* texts: the first is shown; bits: "4.89", packed, all */
    const char *why;               /* why it is unknown, or NULL */
};

/* The sources of facts, made once for all of them. */
struct expect_facts {
    struct handle *c;
    struct arena *arena;
    numel_error *error;
    const struct adapter *adapter;
    const struct quantization *quantization;
    const struct mixture_page *mixture;
};

struct expect_rule {
    const char *key;
    enum expect_kind kind;
    bool (*ask)(struct expect_facts *, struct fact *); /* false: out of memory */
    const char *const *words;
};
/* The table in expect_facts.c; its last row has no key. */
extern const struct expect_rule expect_rules[];
NUMEL_MUST bool expect_facts_make(struct expect_facts *f, struct handle *c, struct arena *a, numel_error *e);

/* The number of layers that the configuration or the metadata states; 0: none. NOMEM. */
NUMEL_MUST bool expect_layers(const struct handle *c, uint64_t *layers, numel_error *e);

/* Judges the texts, adds the section "expect", and makes the report disagree or agree in part accordingly.
 * Resolves the model if necessary. Fails with USAGE for texts that numel_expect_check() refuses. */
NUMEL_MUST bool expect_section(struct numel_report *r, struct handle *c, const char *const *texts, size_t n,
                               numel_error *e);

#endif
