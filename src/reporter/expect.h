/*
 * expect.h -- "params=8.03B,arch=llama,bits=4": what a checkpoint is expected to be, held against what it is.
 *
 * Three answers: it is so, it is not, or nobody can say (no formula, no configuration); only the first is a yes. A
 * number written in full is exact; a shorter one, 8.03B, stands for all that round to it, and a match says so.
 */
#ifndef NUMEL_REPORTER_EXPECT_H
#define NUMEL_REPORTER_EXPECT_H

#include "base/number.h"
#include "page/report.h"
#include "statement/handle.h"

enum expect_kind {
    EXPECT_COUNT, /* as people write numbers */
    EXPECT_BYTES, /* the same, with units of bytes */
    EXPECT_BITS,  /* 4: the width that a quantizer names; 4.89: bits per weight */
    EXPECT_TEXT,  /* one of the names that the fact goes by, in either case */
    EXPECT_TYPES, /* all element types, BF16+F32, in any order */
    EXPECT_WORD   /* one of `words` */
};

enum { FACT_NAMES = 4 };

/* What is so. Without a formula, or where the files are silent, it is not known. */
struct fact {
    bool known;
    uint64_t number; /* of counts; of bits the width, 0: none is named */
    const char
        *names[FACT_NAMES]; /* of texts: the first is shown; of bits: "4.89", of packed weights, of all */
    const char *why;        /* not known: why; or NULL */
};

/* What facts are taken from; made once for all of them. */
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
/* expect_facts.c: the table; ends with a row without a key. */
extern const struct expect_rule expect_rules[];
NUMEL_MUST bool expect_facts_make(struct expect_facts *f, struct handle *c, struct arena *a, numel_error *e);

/* Judges the texts, adds the section "expect" to the report, and lets it disagree or agree in part. The model is
 * resolved if it was not. USAGE: what numel_expect_check() refuses. */
NUMEL_MUST bool expect_section(struct numel_report *r, struct handle *c, const char *const *texts, size_t n,
                               numel_error *e);

#endif
