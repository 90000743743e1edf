/*
 * mixture_section.h -- the types of a GGUF file's matrices, as a report says them.
 */
#ifndef NUMEL_REPORTER_MIXTURE_SECTION_H
#define NUMEL_REPORTER_MIXTURE_SECTION_H

#include "page/report.h"
#include "reader/checkpoint.h"
#include "registry/mixture.h"
#include "reporter/quantization.h"

struct mixture_page {
    struct mixture mixture;            /* empty for other formats */
    const char *kinds, *left;          /* JSON, of types, and of matrices that are in none of blocks */
    const char *bits, *whole;          /* bits a weight: of what is stored in blocks, of all; or NULL */
    const char *method;                /* "Q4_K_M" */
    const char *line, *packed, *mixed; /* NULL: nothing to say */
};

/* In the arena. NULL: NOMEM. */
NUMEL_MUST const struct mixture_page *mixture_of(const numel_checkpoint *ck, struct arena *a, numel_error *e);
/* JSON "quantization" and "solutions": by the types of a file that has lines, else by the layouts of weights. */
void stored_quantization(struct numel_report *r, const struct quantization *q, const struct mixture_page *x);
/* JSON "mixture", empty where there is none. */
void mixture_section(struct numel_report *r, const struct mixture_page *q);

#endif
