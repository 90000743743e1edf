/*
 * template.h -- a parsed print template: how to print the module tree of an architecture.
 *
 * A template is a section of its spec, or a user's .print file, and uses the spec's symbols and
 * expressions; docs/spec.md, "Print templates", defines the language. A line is a module, a part, a
 * `let`, a `for`, an `if` with its `else`, or a `use`; its block is indented deeper. Lines are stored
 * flat, in order; each has the end of its block.
 *
 * Expressions become nodes of the spec, and symbols are shared with it: a template is evaluated in the
 * environment that the expansion of the spec left, and cannot outlive the spec.
 */
#ifndef NUMEL_PRINTOUT_TEMPLATE_H
#define NUMEL_PRINTOUT_TEMPLATE_H

#include "formula/library.h"

enum { MODULE_VALUES = 6 };

/* How to write the text in a class's brackets: kind.c. */
struct kind;

struct module_line {
    uint32_t name;                  /* a template; 0: the root, which has none */
    uint32_t class, arguments;      /* templates; arguments 0: written by the kind, or none */
    const struct kind *kind;        /* NULL: no kind, printed as Class() */
    uint32_t values[MODULE_VALUES]; /* expressions in the order of the kind's keys; 0: not given */
    uint32_t when, root;            /* if=, root=; 0: not given */
    uint32_t needs;                 /* needs=, a template: the name of a tensor inside it; 0: not given */
};

enum template_line_kind {
    TEMPLATE_MODULE,
    TEMPLATE_PART,
    TEMPLATE_LET,
    TEMPLATE_FOR,
    TEMPLATE_IF,
    TEMPLATE_ELSE
};

struct template_line {
    enum template_line_kind kind;
    uint32_t indent;
    uint32_t next;                    /* the first line after its block */
    uint32_t symbol;                  /* LET, FOR */
    uint32_t expr[2];                 /* LET: by side; FOR: from, to; IF, ELSE: condition (0: always) */
    const struct module_line *module; /* MODULE, PART */
    uint32_t scope;                   /* PART: of the spec's part, whose template is the block */
    bool lacks;                       /* PART: it has no template */
};

struct template
{
    const struct spec *spec; /* owns its symbols and nodes */
    const numel_allocator *memory;
    struct template_line *lines;
    size_t count, cap;
};

/* Parses a template into nodes and symbols of the spec; `use` includes templates of the library. SPEC if a
 * line is wrong: *e has the first complaint, `all` (may be NULL) all of them. LIMIT, NOMEM. */
NUMEL_MUST bool template_parse(struct template *out, struct spec *spec, const struct library *l,
                               const struct library_template *text, struct complaints *all, numel_error *e);
void template_done(struct template *t);

#endif
