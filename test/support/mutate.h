/*
 * mutate.h -- makes every small mistake in the text of a specification, one at a time.
 *
 * Works on text only, line by line, using the parser's own lexer. It therefore handles everything written
 * in the language of specifications, layouts too; the caller gives the kinds of lines. A mutant replaces
 * one run of bytes and keeps the number of lines, so that line numbers in messages stay valid.
 *
 *   delete        a tensor line is removed
 *   dim N         the N-th size is one more; `stack` and `gguf dim N` likewise
 *   if bias tied  the attribute is negated
 *   opt T         the attribute is removed
 *   size step     of a cache line is one more
 *   condition     of an if, else if or extra is negated
 *   alternative   of a oneof is removed
 */
#ifndef NUMEL_TEST_MUTATE_H
#define NUMEL_TEST_MUTATE_H

#include "base/memory.h"

struct mutant {
    const char *file;  /* "llama.spec" */
    const char *what;  /* "dim 2" */
    const char *line;  /* the line's text without comment, runs of blanks as one */
    uint32_t number;   /* of that line */
    size_t at, length; /* the replaced bytes in the text of the file */
    const char *with;
};

struct mutants {
    struct arena arena;
    struct mutant *items;
    size_t count, cap;
};

/* The first words of tensor lines, terminated by NULL. */
extern const char *const mutate_spec_kinds[];

void mutants_init(struct mutants *all);
void mutants_done(struct mutants *all);
void mutants_of(struct mutants *all, const char *file, numel_str text, const char *const *kinds);
/* The whole text with the mutant in it; the caller frees it. */
char *mutant_text(const struct mutant *m, numel_str text, size_t *n);

#endif
