/*
 * embedded.h -- the files of src/data that are built into the library, and their index.
 *
 * src/data/derive makes both in the build: one text of all specs, shared blocks and templates, layouts, and
 * tables (class defaults, classes, skeletons, adapter bases, products); facts about specs that are needed
 * before one is parsed; and lookup tables for the tensors of a file. The index is sorted bytewise for binary
 * search (lookup.h). It holds offsets into the text instead of pointers: the dynamic linker would have to
 * relocate pointers at each start.
 */
#ifndef NUMEL_FORMULA_EMBEDDED_H
#define NUMEL_FORMULA_EMBEDDED_H

#include "formula/spec.h"

extern const char *const embedded_text; /* names of files, families and fields end with a NUL */

enum embedded_kind { EMBEDDED_ARCH, EMBEDDED_BLOCK, EMBEDDED_PRINT, EMBEDDED_LAYOUT };

struct embedded_file {
    uint32_t text, bytes, spec_bytes; /* spec_bytes: before the print sections */
    uint32_t name, file, family;      /* "llama", "llama.spec", "llama": its folder */
    uint32_t parts, part_count;       /* of an architecture: a range of embedded_parts */
    uint16_t name_bytes;
    uint8_t kind;      /* enum embedded_kind */
    uint8_t serves_hf; /* a match line is for models of Hugging Face */
};

extern const struct embedded_file embedded_files[]; /* sorted by name; an index into it is called a file */
extern const uint32_t embedded_count;
extern const uint16_t embedded_parts[]; /* files: the spec itself and all that it uses */

/* Keys of match lines: the fields, and for each field and word the spec. */
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

/* All words ([A-Za-z0-9_-]+) of specs and blocks, each followed by a newline, and the files that have them:
 * holders[words[i].holders] to holders[words[i + 1].holders]. */
struct embedded_word {
    uint32_t text, holders;
};
extern const uint32_t embedded_vocabulary; /* offset of the words in the text */
extern const uint32_t embedded_word_count;
extern const struct embedded_word embedded_words[]; /* with a sentinel, the end of the last */
extern const uint16_t embedded_holders[];

/* The lines of defaults.table, by their first word, and those of classes.table. */
struct embedded_default {
    uint32_t text, bytes;
};
extern const struct embedded_default embedded_defaults[];
extern const uint32_t embedded_default_count;
extern const struct embedded_default embedded_classes[];
extern const uint32_t embedded_class_count;

/* Names that some class uses for one value, NAME@OTHER in defaults.table: in both directions, sorted by the
 * first. */
struct embedded_alias {
    uint32_t name, other;
    uint16_t name_bytes, other_bytes;
};
extern const struct embedded_alias embedded_aliases[];
extern const uint32_t embedded_alias_count;

/* Lines that tensors can identify: first the classes whose tensor names are in the truth
 * (data/derive/skeletons.c), as MODEL_TYPE:CLASS,..., then the lines of timm.table, open_clip.table and
 * original.table that have a number or names. */
struct embedded_told {
    uint32_t text, bytes, names; /* names: number of its name digests (skeleton.h) */
};
extern const struct embedded_told embedded_told[];
extern const uint32_t embedded_told_count, embedded_told_classes;

/* The numbers that identify them, ascending for each kind; those of `kind` start at
 * embedded_told_kinds[kind]. The lines with numbers[i] are in told_by, from numbers[i].lines up to numbers[i
 * + 1].lines. */
enum told { TOLD_NAMES, TOLD_ID, TOLD_BEFORE, TOLD_KINDS };
struct embedded_number {
    uint32_t number, lines;
};
extern const uint32_t embedded_told_kinds[]; /* with a sentinel, the end of the last */
extern const struct embedded_number embedded_told_numbers[];
extern const uint16_t embedded_told_by[];

/* data/adapters/bases.table, read in src/adapter. */
extern const uint32_t embedded_bases, embedded_bases_bytes;
/* The sizes of their matrices, outputs (0: any number) and inputs, each once per family
 * (data/derive/sizes.c). Those of the n-th family or encoder in the table, from 0, are embedded_base_from[n]
 * to embedded_base_from[n + 1]. */
struct embedded_size {
    uint32_t out, in;
};
extern const struct embedded_size embedded_base_sizes[];
extern const uint32_t embedded_base_from[];
/* data/classes/pipelines.table. */
extern const uint32_t embedded_pipelines, embedded_pipelines_bytes;
/* The lines of data/classes/usual.table, by their first word; those earlier in the text are more widely used.
 * The row counts of their token tables: each once, ascending, terminated by 0. */
extern const struct embedded_default embedded_usual[];
extern const uint32_t embedded_usual_count;
extern const uint32_t embedded_token_counts[];
/* data/classes/roles.table. */
extern const uint32_t embedded_roles, embedded_roles_bytes;
/* data/cards/cards.table. */
extern const uint32_t embedded_cards, embedded_cards_bytes;
/* data/products/fits.table. */
extern const uint32_t embedded_fits, embedded_fits_bytes;
/* All files data/products/NAME.product, concatenated (product.h). */
extern const uint32_t embedded_products, embedded_products_bytes;

/* The ways in which adapters store the change of a weight, from src/data/adapters: parts, ended by a row
 * without `tail`, and forms, ended by one without `out`. Part and writer numbers are shared by the tables of
 * one build. */
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
        const char *shape; /* NULL ends the list; "?...": optional */
    } needs[10];
    const char *told; /* "n=n_frequency v=vector_length?", or NULL */
};
extern const struct method_part embedded_method_parts[];
extern const struct method_form embedded_method_forms[];

#endif
