/*
 * forms.h -- the same elements under other names or cut another way, as data: layouts/NAME.forms.
 *
 * A spec lists the tensors of a model as its authors published them. Some writers cut them differently: MLX
 * keeps all experts of a layer in one tensor, others take a stack of experts apart. Such a convention is a
 * form:
 *
 *     form switch
 *      old {P}.experts.{e}.{m}.weight A B      what a spec expects
 *      new {P}.switch_mlp.{m}.weight N A B     what the file has instead
 *
 * It changes what is expected before anything is matched, so layouts, differences and counts see the names of
 * the file. It applies if all old tensors are expected, the file has none of them and some of the new ones,
 * and both have the same number of elements. Then every new tensor is expected with its exact shape.
 * docs/spec.md ("Forms") has the language.
 */
#ifndef NUMEL_FORMULA_FORMS_H
#define NUMEL_FORMULA_FORMS_H

#include "formula/expand.h"
#include "formula/library.h"
#include "registry/registry.h"

enum { FORM_LINES = 6, FORM_LETS = 4, FORM_PIECES = 8, FORM_DIMS = 5 };

/* A name after {P}: literal text and marks. */
enum form_mark { FORM_TEXT, FORM_EXPERT, FORM_WORD };

struct form_piece {
    enum form_mark mark;
    numel_str text; /* TEXT */
};

struct form_line {
    struct form_piece pieces[FORM_PIECES];
    unsigned piece_count;
    uint32_t dims[FORM_DIMS]; /* nodes */
    unsigned ndim;
    bool each;      /* one tensor an expert: the name has {e} */
    numel_str role; /* new: its own role; {NULL, 0}: that of an old one */
};

struct form {
    const char *name;
    const char *writer; /* "format" in __metadata__; NULL: any */
    uint32_t let_symbols[FORM_LETS], lets[FORM_LETS];
    struct form_line old[FORM_LINES], new[FORM_LINES];
    unsigned let_count, old_count, new_count;
    bool same; /* a new name equals an old one: only the shape tells them apart */
};

struct forms {
    struct spec *base; /* nodes and symbols; no lines */
    struct form *items;
    size_t count, cap;
    uint32_t experts; /* the symbol N */
};

/* forms_parse.c. SPEC, LIMIT, NOMEM. */
NUMEL_MUST bool forms_parse(struct forms **out, const struct library_entry *entry, const numel_allocator *m,
                            struct complaints *all, numel_error *e);
void forms_free(struct forms *f); /* accepts NULL */

/* Looks up names in a file, in any spelling that it uses. */
struct form_file {
    /* True if some name contains the text. A quick test. */
    bool (*occurs)(void *ctx, numel_str text);
    /* Sets *yes if the file has the tensor, or what a quantizer stored instead: "a.b.qweight" for
     * "a.b.weight". */
    bool (*holds)(void *ctx, numel_str name, bool *yes, numel_error *e);
    /* Its dims; false if no tensor has exactly that name. */
    bool (*dims)(void *ctx, numel_str name, const uint64_t **dims, uint32_t *ndim);
    const char *writer; /* as named in the file, or NULL */
    void *ctx;
};

/* forms_apply.c: rewrites the expansion to expect the names that the file has. LIMIT, OVERFLOW, DUPLICATE,
 * NOMEM. */
NUMEL_MUST bool forms_apply(struct expansion *x, const struct forms *f, const struct form_file *file,
                            numel_error *e);

/* forms_reverse.c: copies the tensors of a registry to `to`, which is empty, and adds what a spec may expect
 * instead of those in some form. Names and dims belong to the arena or to `from`. *made grows by the number
 * of tensors added; if there are none, `to` stays empty. NOMEM, LIMIT. */
NUMEL_MUST bool forms_reverse(const struct forms *f, const struct registry *from, const char *writer,
                              struct registry *to, uint64_t *made, struct arena *a, numel_error *e);

#endif
