/*
 * forms.h -- the same elements under other names or cut another way, as data: layouts/NAME.forms.
 *
 * A spec says what tensors a model has, as its authors published them. Writers cut them otherwise: MLX
 * keeps all experts of a layer in one tensor, others take a stack of experts apart. Such a habit is a form:
 *
 *     form switch
 *      old {P}.experts.{e}.{m}.weight A B      what a spec expects
 *      new {P}.switch_mlp.{m}.weight N A B     what the file has in its place
 *
 * It changes what is expected before anything is matched: layouts, differences and counts see the names of the
 * file. It is used where all the old tensors are expected, the file has nothing of them and something of the
 * new ones, and both have the same number of elements; then every new tensor is expected with its exact shape.
 * docs/spec.md ("Forms") has the language.
 */
#ifndef NUMEL_FORMULA_FORMS_H
#define NUMEL_FORMULA_FORMS_H

#include "formula/expand.h"
#include "formula/library.h"
#include "registry/registry.h"

enum { FORM_LINES = 6, FORM_LETS = 4, FORM_PIECES = 8, FORM_DIMS = 5 };

/* A name behind {P}: literal text, and marks between. */
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
    bool each;      /* a tensor an expert: the name has {e} */
    numel_str role; /* new: of its own; {NULL, 0}: that of an old one */
};

struct form {
    const char *name;
    const char *writer; /* as __metadata__ names it under "format"; NULL: any */
    uint32_t let_symbols[FORM_LETS], lets[FORM_LETS];
    struct form_line old[FORM_LINES], new[FORM_LINES];
    unsigned let_count, old_count, new_count;
    bool same; /* a new name is an old one: only the shape tells them apart */
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
void forms_free(struct forms *f); /* NULL is fine */

/* What a file says of a name, in whatever spelling it has. */
struct form_file {
    /* Has some name that text in it? A quick look. */
    bool (*occurs)(void *ctx, numel_str text);
    /* The tensor, or what a quantizer put in its place: "a.b.qweight" for "a.b.weight". */
    bool (*holds)(void *ctx, numel_str name, bool *yes, numel_error *e);
    /* Its dims; false when there is no tensor of just that name. */
    bool (*dims)(void *ctx, numel_str name, const uint64_t **dims, uint32_t *ndim);
    const char *writer; /* that the file names, or NULL */
    void *ctx;
};

/* forms_apply.c: the expansion, with what is expected under the names that the file has. LIMIT, OVERFLOW,
 * DUPLICATE, NOMEM. */
NUMEL_MUST bool forms_apply(struct expansion *x, const struct forms *f, const struct form_file *file,
                            numel_error *e);

/* forms_reverse.c: the tensors of a registry, and beside those in some form all that a spec may have in their place. The
 * names and dims of `to`, which begins empty, are the arena's or those of `from`; *made grows by the number of
 * those that were made; with none `to` stays empty. NOMEM, LIMIT. */
NUMEL_MUST bool forms_reverse(const struct forms *f, const struct registry *from, const char *writer,
                              struct registry *to, uint64_t *made, struct arena *a, numel_error *e);

#endif
