/*
 * library.h -- all architecture specs that are known: those built in, and the user's, which take
 * the place of built-in ones of the same name.
 *
 * Specs are parsed when they are asked for. Which one fits a configuration is known by their match lines: of those
 * built in by an index made with them (embedded.h), so that what is asked costs the same however many there are; of
 * the user's by reading the lines. A user's file may have any suffix; in a folder, *.spec, *.layout, *.forms,
 * *.product (product.h) and *.print are taken. The latter are print templates (printout/template.h), whose entries keep the suffix as part
 * of their name: "llama.print" is not what `use llama` finds. Built in are those that several specs share: that of
 * an architecture is a section of its spec (section.h).
 */
#ifndef NUMEL_FORMULA_LIBRARY_H
#define NUMEL_FORMULA_LIBRARY_H

#include "formula/config.h"

struct library_entry {
    const char *name; /* "llama": of `arch`, else of the file */
    size_t name_bytes;
    const char *file;            /* "llama.spec", or the user's path */
    const char *family;          /* the folder that it lies in; NULL: the user's */
    numel_str text;              /* of a spec: without its print sections */
    numel_str whole;             /* as it stands in the file */
    bool built_in, architecture; /* false: a shared block without `arch` */
    bool serves_hf;              /* a match line speaks of models of Hugging Face */
};

struct layout;
struct forms;

struct library_spec { /* see library_spec() */
    const struct library_entry *entry;
    struct spec *spec;
};

struct library {
    struct arena arena;
    struct library_entry *own, *built_in; /* the user's as they were added; built in, by name */
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

/* Entries by number: the user's first, the last one added before all, then those built in, by name. */
size_t library_count(const struct library *l);
const struct library_entry *library_at(const struct library *l, size_t i);

/* A layout: formula/layout.h. Its entry keeps the suffix as part of its name, as a print template's does. */
bool library_is_layout(const struct library_entry *entry);
/* Forms: formula/forms.h. Likewise. */
bool library_is_forms(const struct library_entry *entry);

NUMEL_MUST bool library_open(struct library **out, const numel_allocator *m, numel_error *e);
void library_free(struct library *l);
/* A spec, a template or a layout; or a folder of them, with the folders in it. IO, LIMIT. */
NUMEL_MUST bool library_add_path(struct library *l, const char *path, numel_error *e);
NUMEL_MUST bool library_add_text(struct library *l, const char *file, const char *text, size_t n,
                                 numel_error *e);
const struct library_entry *library_find(const struct library *l, numel_str name);
/* USAGE: there is no architecture of that name; the nearest one is suggested. */
NUMEL_MUST bool library_unknown(const struct library *l, const char *name, numel_error *e);
/* The entry whose `match` rules fit the configuration; NULL when none does, then *e says what was
 * looked for (ARCH) or that memory ran out. A rule on `architectures` beats one on anything else. */
NUMEL_MUST const struct library_entry *library_match(const struct library *l, struct config *c,
                                                     enum side side, numel_error *e);
/* Is there a tensor of that name, of the first size `size` (0: any)? */
typedef bool library_has_fn(void *ctx, numel_str name, uint64_t size);
bool library_in_registry(void *registry, numel_str name, uint64_t size);
/* library_tensors.c: the entry with a rule on `tensors`, or, of files that add to a model, on `adapter`, of which the file has all
 * names; NULL when there is none. */
const struct library_entry *library_by_tensors(const struct library *l, const char *field,
                                               library_has_fn *has, void *ctx);
bool library_has_tensors(
    const struct library_entry *entry); /* has it such a rule? Then it says what its models are called */
/* Has the file a tensor that each of the entry's rules on `tensors` says it must not have? It is not one of its models then. */
bool library_rules_out(const struct library_entry *entry, library_has_fn *has, void *ctx);
bool library_serves_gguf(const struct library_entry *entry); /* any for GGUF, whose names it then has? */
/* known[i]: how many of the words occur in the spec of entry i or in the blocks that it uses, as parts of longer words
 * too; 0 for what is not an architecture. known has room for library_count(). A word is what names of tensors are
 * made of, [A-Za-z0-9_-]+; others occur nowhere in what is built in. */
NUMEL_MUST bool library_words(const struct library *l, const numel_str *words, size_t n, unsigned *known,
                              numel_error *e);

/* How many of the phrases stand in the entry's text or in a block that it uses, as they are. */
unsigned library_phrases(const struct library *l, const struct library_entry *entry, const numel_str *phrases,
                         size_t n);

/* A print template: a section of a spec, or a .print file. */
struct library_template {
    numel_str text;
    const char *file;
    uint32_t before; /* lines of the file that stand before the text */
};

/* How the modules of a spec are printed for a model type, which may be empty. What speaks of the model type comes
 * before what speaks of the spec, and of both a .print file of the user's before a section. Where a spec of the
 * user's has no section, that of the one built in under the name will do. False when there is none. */
bool library_template(const struct library *l, const struct library_entry *spec, numel_str model_type,
                      struct library_template *out);
/* The template NAME.print, as `use NAME` in a template means it. */
bool library_template_named(const struct library *l, numel_str name, struct library_template *out);

/* library_parsed.c: the spec of an entry, parsed when it is first asked for and kept with the library: to be
 * read only. */
NUMEL_MUST bool library_spec(struct library *l, const struct library_entry *entry, const struct spec **out,
                             numel_error *e);
/* All layouts, the user's in the place of built-in ones; parsed and kept likewise. */
NUMEL_MUST bool library_layouts(struct library *l, numel_error *e);
/* All files of forms likewise. */
NUMEL_MUST bool library_forms(struct library *l, numel_error *e);
void library_free_parsed(struct library *l);
/* Parses an entry for the caller, with the parts that a configuration asks for (NULL: those that are most likely);
 * `all` may be NULL. */
NUMEL_MUST bool library_parse(const struct library *l, const struct library_entry *entry, struct config *c,
                              struct spec **out, const numel_allocator *m, struct complaints *all,
                              numel_error *e);
/* The spec that serves a model type of Hugging Face, or a class of diffusers; NULL when there is none. */
const struct library_entry *library_type(const struct library *l, numel_str model_type);
/* ... and that serves what timm.table says under `timm` of an architecture. */
const struct library_entry *library_timm(const struct library *l, numel_str class);
/* The class of diffusers that an entry serves, where that is the only one; else of length 0. */
numel_str library_class(const struct library_entry *entry);

/* Specs with parts, parsed for one configuration; empty to begin with. */
struct library_linked {
    struct library_spec *items;
    size_t count, cap;
};
/* As library_spec(), with the parts that the configuration asks for: such a spec belongs to *own, and is made once
 * for all configurations that it is used with. */
NUMEL_MUST bool library_spec_for(struct library *l, struct library_linked *own,
                                 const struct library_entry *entry, struct config *c, const struct spec **out,
                                 numel_error *e);
void library_linked_free(struct library_linked *own, const numel_allocator *m);

#endif
