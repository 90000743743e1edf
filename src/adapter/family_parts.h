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

/* Reads the next of "vit~v5+heads", and moves past it. */
struct named_spec next_spec(const struct library *l, numel_str *words);
/* Makes the family's rows, and those of its encoders. `gguf`: by llama.cpp's names, too. */
void expand_family(struct adapter_family *f, struct library *l, bool gguf, struct arena *arena);

#endif
