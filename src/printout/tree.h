/*
 * tree.h -- the module tree of a model, from a print template and the expansion of its spec.
 *
 * Equal modules are stored once: a shape is class, arguments and children, and a layer equal to an
 * earlier one costs a number, not a copy. So the tree of 100,000 equal layers is small, and folding a
 * ModuleList compares numbers. A child is a name and the number of its shape.
 *
 * Sizes come from the expected tensors; a module of a sized kind without an expected tensor is left
 * out. The tree owns everything.
 */
#ifndef NUMEL_PRINTOUT_TREE_H
#define NUMEL_PRINTOUT_TREE_H

#include "base/names.h"
#include "formula/expand.h"
#include "printout/template.h"

struct child {
    numel_str name;
    uint32_t shape;
};

struct shape {
    numel_str key;              /* first: see names.h. All its bytes; equal only for equal shapes */
    numel_str class, arguments; /* arguments may be empty */
    bool whole;                 /* class is the whole text: "SiLUActivation()" */
    bool folds;                 /* a ModuleList */
    struct child *children;
    uint32_t count;
};

struct tree {
    const numel_allocator *memory;
    struct arena arena;
    struct shape *shapes;
    size_t count, cap;
    struct names by_key;
    uint32_t root; /* NAMES_ABSENT if even that is missing */
    bool lacks;    /* incomplete: there is no template for the class, or for a part of the model */
};

/* The replacement of a Linear, or of a stack of experts, in a quantized model. */
struct tree_instead {
    const char *class; /* NULL: the same */
    const char *type;  /* of the weight, printed instead of `bias`; NULL: a plain tensor */
    bool bare;         /* printed without sizes */
};
/* `module` is its path with the last dot. */
typedef struct tree_instead tree_instead_fn(const void *ctx, numel_str module, bool is_experts);

enum { TREE_STEPS = 4000000 }; /* lines walked, all loops together */

/* Makes the tree from a template of x's spec, which was expanded under its Hugging Face names; `symbols`: how
 * many symbols the spec had then. `instead` may be NULL. SPEC, CONFIG: the template, or a value of the
 * configuration that it needs, is wrong. LIMIT, NOMEM. On failure the tree is empty; call tree_done() in
 * either case. */
NUMEL_MUST bool tree_make(struct tree *out, const struct template *t, const struct expansion *x,
                          size_t symbols, tree_instead_fn *instead, const void *ctx, const numel_allocator *m,
                          numel_error *e);
/* An empty tree, to be filled by tree_add(). */
void tree_init(struct tree *t, const numel_allocator *m);
void tree_done(struct tree *t);
/* The number of that shape, added if new; texts are copied. NAMES_ABSENT: NOMEM. */
uint32_t tree_add(struct tree *t, const struct shape *s, numel_error *e);

/* ---- lines -------------------------------------------------------------------------------- */

/* One line as torch prints it: "(0-31): 32 x LlamaDecoderLayer(". */
struct tree_line {
    const struct child *child; /* NULL: the root */
    size_t parent;             /* the line that opens the module around it */
    uint32_t shape, depth;
    const struct child *last; /* of the equal neighbours that start with `child` */
    uint32_t times;           /* how many; 1: not folded */
    enum { LINE_WHOLE, LINE_OPEN, LINE_ARGUMENTS, LINE_CLOSE } form;
};

struct tree_lines {
    const numel_allocator *memory;
    struct tree_line *items;
    size_t count, cap;
};

/* All lines of the tree: equal neighbours in a ModuleList are printed once, as in torch since 2.1. LIMIT,
 * NOMEM. */
NUMEL_MUST bool tree_lines_make(struct tree_lines *out, const struct tree *t, numel_error *e);
void tree_lines_done(struct tree_lines *l);
/* The text of a line, without its indentation of two blanks per level; unescaped. */
void tree_line_text(const struct tree *t, const struct tree_line *l, struct buffer *out);

#endif
