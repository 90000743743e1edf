/*
 * quantization.h -- the packing of weights in a report: an object in JSON, three lines in its head.
 */
#ifndef NUMEL_REPORTER_QUANTIZATION_H
#define NUMEL_REPORTER_QUANTIZATION_H

#include "model/packing.h"
#include "page/report.h"
#include "statement/handle.h"

struct quantization {
    const struct handle *model;
    struct model_packing facts;
    struct packing packing;
    bool none;
    const char *file;                 /* the file that states it; NULL if only the tensors show it */
    const char *bits, *whole;         /* bits per weight: packed, overall; or NULL */
    const char *kinds, *left_out;     /* JSON */
    const char *solutions;            /* "" if nothing is ambiguous */
    const char *name;                 /* "GPTQ 4-bit, group 128"; NULL if nothing is packed */
    bool named;                       /* it is a common name; else it is the layout's own */
    const char *line, *packed, *left; /* NULL if there is nothing to print */
};

/* Adds "quantization" to JSON, from any source; null if `none`. The cells are method, bits, group, layout,
 * bits_per_weight, weights, from, symmetric, whole_bits_per_weight, kinds, left_out, name. */
void quantization_object(struct numel_report *r, row_fn *cells, const void *of, bool none);

/* Returns a description in the arena; `none` is set without a formula, or if nothing is packed. NULL:
 * NOMEM, SPEC. */
NUMEL_MUST const struct quantization *quantization_of(const struct handle *c, struct arena *a,
                                                      numel_error *e);
/* The common name of the packing (quantization_name.c). Layouts are joined by " + "; bits and groups are
 * included if all weights of a layout share them. *known: each layout has a common name. NULL if memory
 * runs out. */
NUMEL_MUST const char *quantization_name(const struct quantization *q, bool *known, struct arena *a);
/* Adds "quantization" of packed weights, and "solutions". */
void quantization_section(struct numel_report *r, const struct quantization *q);
/* "4.15": rounded to hundredths with integers. NULL if there are no elements or bytes, if the result is
 * too large, or if memory runs out. */
NUMEL_MUST const char *bits_per_weight(uint64_t bytes, uint64_t elements, struct arena *a);
/* Adds "solutions" to JSON: the ways in which the same tensors can be read. */
void solutions_section(struct numel_report *r, const struct handle *c);
/* "4 bits in groups of 64, or 8 bits in groups of 32"; "" if nothing is ambiguous. NULL if memory runs
 * out. */
NUMEL_MUST const char *solutions_text(const struct handle *c, struct arena *a);

#endif
