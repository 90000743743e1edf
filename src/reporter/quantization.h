/*
 * quantization.h -- how the weights are packed, as a report says it: an object in JSON, three lines of its head.
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
    const char *file;                 /* that says so; NULL: nothing but the tensors does */
    const char *bits, *whole;         /* bits a weight: of the packed ones, of all that is stored; or NULL */
    const char *kinds, *left_out;     /* JSON */
    const char *solutions;            /* "": nothing is open */
    const char *name;                 /* "GPTQ 4-bit, group 128"; NULL: nothing is packed */
    bool named;                       /* people call it so; else the layout's own name stands in */
    const char *line, *packed, *left; /* NULL: nothing to say */
};

/* JSON "quantization", null when there is none, whoever knows of it: cells of method, bits, group, layout,
 * bits_per_weight, weights, from, symmetric, whole_bits_per_weight, kinds, left_out, name. */
void quantization_object(struct numel_report *r, row_fn *cells, const void *of, bool none);

/* Lives in the arena; without a formula, or where nothing is packed, it says so. NULL: NOMEM, SPEC. */
NUMEL_MUST const struct quantization *quantization_of(const struct handle *c, struct arena *a,
                                                      numel_error *e);
/* quantization_name.c: what people call what is packed, layouts joined by " + "; with bits and groups where those are the same
 * for all of a layout. *known: people have a name for each. NULL: out of memory. */
NUMEL_MUST const char *quantization_name(const struct quantization *q, bool *known, struct arena *a);
/* The same, of weights that are packed, and "solutions". */
void quantization_section(struct numel_report *r, const struct quantization *q);
/* "4.15", of integers: hundredths of a bit. NULL: of no elements, or too many. */
NUMEL_MUST const char *bits_per_weight(uint64_t bytes, uint64_t elements, struct arena *a);
/* JSON "solutions": in which ways the same tensors may be read. */
void solutions_section(struct numel_report *r, const struct handle *c);
/* "4 bits in groups of 64, or 8 bits in groups of 32"; "" when nothing is open. NULL: out of memory. */
NUMEL_MUST const char *solutions_text(const struct handle *c, struct arena *a);

#endif
