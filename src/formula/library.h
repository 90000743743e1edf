/*
 * library.h -- all known architecture specs: built-in ones, and the user's, which replace built-in ones of
 * the same name.
 *
 * Specs are parsed when needed. Their match lines decide which one fits a configuration. For built-in specs
 * an index has them (embedded.h), so a lookup takes the same time for any number of specs; the user's files
 * are read line by line. A user's file may have any suffix. In a folder, *.spec, *.layout, *.forms, *.product
 * (product.h) and *.print are read. *.print files are print templates (printout/template.h). Their entries
 * keep the suffix as part of the name, so `use llama` does not find "llama.print". The built-in ones are
 * shared by several specs; the template of an architecture is a section of its spec (section.h).
 */
#ifndef NUMEL_FORMULA_LIBRARY_H
#define NUMEL_FORMULA_LIBRARY_H

#include "formula/config.h"

struct library_entry {
    const char *name; /* "llama": from `arch`, else from the file name */
    size_t name_bytes;
    const char *file;            /* "llama.spec", or the user's path */
    const char *family;          /* its folder; NULL for the user's files */
    numel_str text;              /* of a spec: without print sections */
    numel_str whole;             /* as in the file */
    bool built_in, architecture; /* architecture: false for a shared block without `arch` */
    bool serves_hf;              /* a match line is for models of Hugging Face */
};

struct layout;
struct forms;

struct library_spec { /* see library_spec() */
    const struct library_entry *entry;
    struct spec *spec;
};

struct library {
    struct arena arena;
    struct library_entry *own, *built_in; /* the user's, in the order added; built-in, by name */
    size_t own_count, own_cap;
    struct library_spec *specs;
    size_t spec_count, spec_cap;
    struct layout **layouts; /* see library_layouts() */
    size_t layout_count;
    bool layouts_read;
    struct forms **forms; /* see library_forms() */
    size_t form_count;
    bool forms_read;
};

/* Entries by number: the user's first, the latest before all others, then built-in ones by name. */
size_t library_count(const struct library *l);
const struct library_entry *library_at(const struct library *l, size_t i);

/* A layout: formula/layout.h. Like a print template, its entry keeps the suffix in the name. */
bool library_is_layout(const struct library_entry *entry);
/* Forms: formula/forms.h. Also with the suffix. */
bool library_is_forms(const struct library_entry *entry);

NUMEL_MUST bool library_open(struct library **out, const numel_allocator *m, numel_error *e);
void library_free(struct library *l);
/* Adds a spec, a template or a layout, or a folder of them with its subfolders. IO, LIMIT. */
NUMEL_MUST bool library_add_path(struct library *l, const char *path, numel_error *e);
NUMEL_MUST bool library_add_text(struct library *l, const char *file, const char *text, size_t n,
                                 numel_error *e);
const struct library_entry *library_find(const struct library *l, numel_str name);
/* Fails with USAGE: unknown architecture, with the most similar name as a suggestion. */
NUMEL_MUST bool library_unknown(const struct library *l, const char *name, numel_error *e);
/* The entry whose `match` rules fit the configuration. NULL if none does: *e has ARCH and what was looked
 * for, or NOMEM. A rule on `architectures` beats any other. */
NUMEL_MUST const struct library_entry *library_match(const struct library *l, struct config *c,
                                                     enum side side, numel_error *e);
/* True if the tensor exists, with first size `size` (0: any). */
typedef bool library_has_fn(void *ctx, numel_str name, uint64_t size);
bool library_in_registry(void *registry, numel_str name, uint64_t size);
/* library_tensors.c: the entry with a rule on `tensors` (or `adapter`, for files that add to a model) all of
 * whose names are in the file; NULL if none. */
const struct library_entry *library_by_tensors(const struct library *l, const char *field,
                                               library_has_fn *has, void *ctx);
bool library_has_tensors(
    const struct library_entry *entry); /* true if it has such a rule: then it names its models itself */
/* True if the file has tensors that each of the entry's rules on `tensors` excludes: then it is not one of
 * its models. */
bool library_rules_out(const struct library_entry *entry, library_has_fn *has, void *ctx);
bool library_serves_gguf(const struct library_entry *entry); /* a match line is for GGUF */
/* Sets known[i] to the number of words that occur in the spec of entry i or in its blocks, also inside longer
 * words; 0 if the entry is not an architecture. known has room for library_count(). Words must consist of the
 * characters of tensor names, [A-Za-z0-9_-]+; others are never found in built-in files. */
NUMEL_MUST bool library_words(const struct library *l, const numel_str *words, size_t n, unsigned *known,
                              numel_error *e);

/* Number of phrases that occur literally in the entry's text or in a block that it uses. */
unsigned library_phrases(const struct library *l, const struct library_entry *entry, const numel_str *phrases,
                         size_t n);

/* A print template: a section of a spec, or a .print file. */
struct library_template {
    numel_str text;
    const char *file;
    uint32_t before; /* number of lines before the text in the file */
};

/* The print template of a spec for a model type, which may be empty. A template for the model type beats one
 * for the spec; of each kind, a .print file of the user beats a section. If a user's spec has no section,
 * that of the built-in spec with the name is used. False if there is none. */
bool library_template(const struct library *l, const struct library_entry *spec, numel_str model_type,
                      struct library_template *out);
/* The template NAME.print, for `use NAME` in a template. */
bool library_template_named(const struct library *l, numel_str name, struct library_template *out);

/* library_parsed.c: the parsed spec of an entry, read-only; parsed on first use and owned by the library. */
NUMEL_MUST bool library_spec(struct library *l, const struct library_entry *entry, const struct spec **out,
                             numel_error *e);
/* Parses all layouts, where the user's replace built-in ones; the library owns them. */
NUMEL_MUST bool library_layouts(struct library *l, numel_error *e);
/* Parses all files of forms; the library owns them. */
NUMEL_MUST bool library_forms(struct library *l, numel_error *e);
void library_free_parsed(struct library *l);
/* Parses an entry, with the parts that the configuration asks for (NULL: the most likely ones). The caller
 * owns the spec; `all` may be NULL. */
NUMEL_MUST bool library_parse(const struct library *l, const struct library_entry *entry, struct config *c,
                              struct spec **out, const numel_allocator *m, struct complaints *all,
                              numel_error *e);
/* The spec that serves a model type of Hugging Face or a diffusers class; NULL if none. */
const struct library_entry *library_type(const struct library *l, numel_str model_type);
/* ... the spec that serves the word under `timm` of an architecture in timm.table. */
const struct library_entry *library_timm(const struct library *l, numel_str class);
/* The diffusers class that an entry serves, if it is the only one; else of length 0. */
numel_str library_class(const struct library_entry *entry);

/* Specs with parts, parsed for one configuration; initially empty. */
struct library_linked {
    struct library_spec *items;
    size_t count, cap;
};
/* Like library_spec(), with the parts that the configuration asks for. Such a spec belongs to *own; each
 * entry is parsed once, and later configurations get the same spec. */
NUMEL_MUST bool library_spec_for(struct library *l, struct library_linked *own,
                                 const struct library_entry *entry, struct config *c, const struct spec **out,
                                 numel_error *e);
void library_linked_free(struct library_linked *own, const numel_allocator *m);

#endif
