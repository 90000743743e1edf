/*
 * embedded.h -- the files of src/data that are built into the library, and the index that leads to them.
 *
 * src/data/derive makes both when the library is built: specs, the blocks and templates that they share, layouts, and
 * tables (of class defaults, of classes, of skeletons, of bases of adapters, of products), as one text; of the specs what must be
 * known before one is parsed; and what a file's tensors are looked up in. The index is sorted bytewise, for binary search
 * (lookup.h), and holds offsets in the text where others would hold pointers: a pointer is work for the dynamic linker at
 * each start, an offset is not.
 */
#ifndef NUMEL_FORMULA_EMBEDDED_H
#define NUMEL_FORMULA_EMBEDDED_H

#include "formula/spec.h"

extern const char *const embedded_text; /* names of files, families and fields end with a NUL */

enum embedded_kind { EMBEDDED_ARCH, EMBEDDED_BLOCK, EMBEDDED_PRINT, EMBEDDED_LAYOUT };

struct embedded_file {
    uint32_t text, bytes, spec_bytes; /* spec_bytes: before the print sections */
    uint32_t name, file, family;      /* "llama", "llama.spec", "llama": the folder that it lies in */
    uint32_t parts, part_count;       /* of an architecture: where in embedded_parts */
    uint16_t name_bytes;
    uint8_t kind;      /* enum embedded_kind */
    uint8_t serves_hf; /* a match line speaks of models of Hugging Face */
};

extern const struct embedded_file embedded_files[]; /* by name; an index of it is called a file */
extern const uint32_t embedded_count;
extern const uint16_t embedded_parts[]; /* files: the spec itself, and all that it uses */

/* What match lines ask for: the fields, and by field and word the spec that asks. */
struct embedded_field {
    uint32_t name;
    uint8_t side; /* enum side */
};
struct embedded_key {
    uint32_t word;
    uint16_t word_bytes, field, file;
};
extern const struct embedded_field embedded_fields[];
extern const uint32_t embedded_field_count;
extern const struct embedded_key embedded_keys[];
extern const uint32_t embedded_key_count;

/* All words ([A-Za-z0-9_-]+) of the specs and blocks, each with a newline behind it, and the files that have them:
 * holders[words[i].holders] to holders[words[i + 1].holders]. */
struct embedded_word {
    uint32_t text, holders;
};
extern const uint32_t embedded_vocabulary; /* where they begin in the text */
extern const uint32_t embedded_word_count;
extern const struct embedded_word embedded_words[]; /* one more, that ends the last */
extern const uint16_t embedded_holders[];

/* The lines of defaults.table, by their first word, and those of classes.table. */
struct embedded_default {
    uint32_t text, bytes;
};
extern const struct embedded_default embedded_defaults[];
extern const uint32_t embedded_default_count;
extern const struct embedded_default embedded_classes[];
extern const uint32_t embedded_class_count;

/* Names that some class has for one value, NAME@OTHER in defaults.table: both ways, by the first. */
struct embedded_alias {
    uint32_t name, other;
    uint16_t name_bytes, other_bytes;
};
extern const struct embedded_alias embedded_aliases[];
extern const uint32_t embedded_alias_count;

/* Lines that tensors tell: first the classes whose names the truth has (data/derive/skeletons.c), as MODEL_TYPE:CLASS,..., then the lines of
 * timm.table, open_clip.table and original.table that have a number or names. */
struct embedded_told {
    uint32_t text, bytes, names; /* names: how many digests of names it has (skeleton.h) */
};
extern const struct embedded_told embedded_told[];
extern const uint32_t embedded_told_count, embedded_told_classes;

/* And what tells them, of each kind the numbers, ascending, that of `kind` from embedded_told_kinds[kind] on;
 * the lines that have one are told_by[numbers[i].lines] to told_by[numbers[i + 1].lines]. */
enum told { TOLD_NAMES, TOLD_ID, TOLD_BEFORE, TOLD_KINDS };
struct embedded_number {
    uint32_t number, lines;
};
extern const uint32_t embedded_told_kinds[]; /* one more, that ends the last */
extern const struct embedded_number embedded_told_numbers[];
extern const uint16_t embedded_told_by[];

/* Those of data/adapters/bases.table, which that room reads. */
extern const uint32_t embedded_bases, embedded_bases_bytes;
/* The sizes of their matrices, out (0: any number) and in, each once a family (data/derive/sizes.c): those of the family or encoder that comes
 * as number n in the table, from 0, are embedded_base_from[n] to embedded_base_from[n + 1]. */
struct embedded_size {
    uint32_t out, in;
};
extern const struct embedded_size embedded_base_sizes[];
extern const uint32_t embedded_base_from[];
/* Those of data/classes/pipelines.table, likewise. */
extern const uint32_t embedded_pipelines, embedded_pipelines_bytes;
/* Those of data/classes/usual.table, by their first word: the earlier in the text, the more used. How many rows their tables of
 * tokens have: each once, ascending, 0 behind the last. */
extern const struct embedded_default embedded_usual[];
extern const uint32_t embedded_usual_count;
extern const uint32_t embedded_token_counts[];
/* Those of data/classes/roles.table, likewise. */
extern const uint32_t embedded_roles, embedded_roles_bytes;
/* Those of data/products/fits.table, likewise. */
extern const uint32_t embedded_fits, embedded_fits_bytes;
/* Those of data/products/NAME.product, one after another (product.h). */
extern const uint32_t embedded_products, embedded_products_bytes;

/* How adapters write the change of a weight, as src/data/adapters says it: parts, ended by a row without a tail, and forms, ended by one
 * without `out`. Parts and writers are numbers that tables of one build share. */
enum method_flag { PART_OWN = 1, PART_TABLE = 2, PART_TENSOR = 4, PART_FLAG = 8, PART_FIXED = 16 };
struct method_part {
    const char *tail, *method, *key, *bar; /* NULL: any method; no key */
    uint8_t part, writer, flags;
};
enum method_form_of { FORM_PLAIN, FORM_GGUF, FORM_GGUF_TABLE };
struct method_form {
    uint8_t of; /* enum method_form_of */
    const char *out, *in;
    struct method_need {
        uint8_t part;
        const char *shape; /* NULL ends the list; "?...": it may be missing */
    } needs[10];
    const char *told; /* "n=n_frequency v=vector_length?", or NULL */
};
extern const struct method_part embedded_method_parts[];
extern const struct method_form embedded_method_forms[];

#endif
