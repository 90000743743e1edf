/*
 * template.h -- a print template, parsed: how the module tree of an architecture is printed.
 *
 * A template is a section of its spec, or a .print file of the user's, and is written in the
 * spec's symbols and expressions; docs/spec.md, "Print templates", has the language. A line is a
 * module, a part, a `let`, a `for`, an `if` with its `else`, or a `use`; what is inside a line is indented
 * deeper. Lines lie flat in their order, each knowing where its inside ends.
 *
 * Expressions become nodes of the spec, symbols are shared with it: a template is evaluated in the
 * environment that the expansion of the spec left, and cannot outlive the spec.
 */
#ifndef NUMEL_PRINTOUT_TEMPLATE_H
#define NUMEL_PRINTOUT_TEMPLATE_H

#include "formula/library.h"

enum { MODULE_VALUES = 6 };

/* How the text between a class's brackets is made: kind.c. */
struct kind;

struct module_line {
    uint32_t name;                  /* a template; 0: the root, which has none */
    uint32_t class, arguments;      /* templates; arguments 0: the kind writes them, or there are none */
    const struct kind *kind;        /* NULL: a module of no kind, printed as Class() */
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
    uint32_t next;                    /* the first line that is not inside this one */
    uint32_t symbol;                  /* LET, FOR */
    uint32_t expr[2];                 /* LET: by side; FOR: from, to; IF, ELSE: condition (0: always) */
    const struct module_line *module; /* MODULE, PART */
    uint32_t scope;                   /* PART: of the spec's part, whose template is inside */
    bool lacks;                       /* PART: it has no template */
};

struct template
{
    const struct spec *spec; /* whose symbols and nodes its expressions are */
    const numel_allocator *memory;
    struct template_line *lines;
    size_t count, cap;
};

/* Parses a template into nodes and symbols of the spec; what it uses is of the library. SPEC when a
 * line is wrong: *e has the first complaint, `all` (may be NULL) each of them. LIMIT, NOMEM. */
NUMEL_MUST bool template_parse(struct template *out, struct spec *spec, const struct library *l,
                               const struct library_template *text, struct complaints *all, numel_error *e);
void template_done(struct template *t);

#endif
