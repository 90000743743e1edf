/*
 * mutate.h -- every small mistake that the text of a specification could have, one at a time.
 *
 * Works on the text alone, line by line, with the words that the parser's own lexer finds: so it serves
 * all that is written in the language of specifications, layouts too, whose kinds of lines the caller
 * gives. A mutant replaces one run of bytes; the number of lines stays, so that messages keep theirs.
 *
 *   delete        a tensor line is gone
 *   dim N         the N-th size is one more; `stack` and `gguf dim N` likewise
 *   if bias tied  the attribute is negated
 *   opt T         the attribute is gone
 *   size step     of a cache line is one more
 *   condition     of an if, else if or extra is negated
 *   alternative   of a oneof is gone
 */
#ifndef NUMEL_TEST_MUTATE_H
#define NUMEL_TEST_MUTATE_H

#include "base/memory.h"

struct mutant {
    const char *file;  /* "llama.spec" */
    const char *what;  /* "dim 2" */
    const char *line;  /* its text, runs of blanks as one, without comment */
    uint32_t number;   /* of that line */
    size_t at, length; /* what is replaced in the text of the file */
    const char *with;
};

struct mutants {
    struct arena arena;
    struct mutant *items;
    size_t count, cap;
};

/* The words that begin a tensor line, ended by NULL. */
extern const char *const mutate_spec_kinds[];

void mutants_init(struct mutants *all);
void mutants_done(struct mutants *all);
void mutants_of(struct mutants *all, const char *file, numel_str text, const char *const *kinds);
/* The whole text with the mutant in it; freed by the caller. */
char *mutant_text(const struct mutant *m, numel_str text, size_t *n);

#endif
