/*
 * mixture_section.h -- the types of the matrices in a GGUF file, as text and JSON for reports.
 */
#ifndef NUMEL_REPORTER_MIXTURE_SECTION_H
#define NUMEL_REPORTER_MIXTURE_SECTION_H

#include "page/report.h"
#include "reader/checkpoint.h"
#include "registry/mixture.h"
#include "reporter/quantization.h"

struct mixture_page {
    struct mixture mixture;            /* empty for other formats */
    const char *kinds, *left;          /* JSON: types of blocks; matrices not stored in blocks */
    const char *bits, *whole;          /* bits per weight: in blocks, overall; or NULL */
    const char *method;                /* "Q4_K_M" */
    const char *line, *packed, *mixed; /* NULL if there is nothing to print */
};

/* Returns a page in the arena; NULL: NOMEM. */
NUMEL_MUST const struct mixture_page *mixture_of(const numel_checkpoint *ck, struct arena *a, numel_error *e);
/* Adds "quantization" and "solutions" to JSON: from the types of a GGUF mixture, else from the layouts of
 * weights. */
void stored_quantization(struct numel_report *r, const struct quantization *q, const struct mixture_page *x);
/* Adds "mixture" to JSON; empty if there is none. */
void mixture_section(struct numel_report *r, const struct mixture_page *q);

#endif
