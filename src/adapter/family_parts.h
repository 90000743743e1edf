/*
 * family_parts.h -- shared by family_base.c and family_rows.c: the specifications that bases.table names.
 */
#ifndef NUMEL_ADAPTER_FAMILY_PARTS_H
#define NUMEL_ADAPTER_FAMILY_PARTS_H

#include "adapter/adapter_internal.h"
#include "formula/library.h"

/* A specification as bases.table names it: "vit~v5". */
struct named_spec {
    numel_str name, spelling;          /* spelling: which alternative names to add; may be empty */
    const struct library_entry *entry; /* NULL if there is none */
};

/* Takes the next of a family's lines: "vit~v5+heads hidden_size=384". */
numel_str next_spec_line(numel_str *lines);
/* Takes the next specification of "vit~v5+heads". */
struct named_spec next_spec(const struct library *l, numel_str *words);
/* Makes the family's rows and those of its encoders; `gguf`: also with llama.cpp's names. A line that cannot
 * be expanded adds no rows; *wrong then has the reason for the first such line. `wrong` may be NULL, as at
 * run time; else it must be clear. */
void expand_family(struct adapter_family *f, struct library *l, bool gguf, struct arena *arena,
                   numel_error *wrong);

#endif
