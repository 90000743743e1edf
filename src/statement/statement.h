/*
 * statement.h -- the accounting statement: formula + named causes = what is stored, last line zero.
 *
 * Lines are sums over match.h: what the formula says; less what is absent; plus or less what packing
 * and wrong shapes make of it; plus each cause that is stored beside it. They add up to `stored` by
 * construction, and are added up again here: a statement that does not is an error of ours, and is
 * said to be unexplained. It disagrees when something is missing, of the wrong shape or type, or
 * unknown; else it agrees in part when some tensors rest on their names alone, or the sizes were read
 * off the tensors themselves; it agrees when nothing is left to doubt.
 */
#ifndef NUMEL_STATEMENT_STATEMENT_H
#define NUMEL_STATEMENT_STATEMENT_H

#include "model/model.h"

struct statement_line {
    const char *code, *cause; /* the first for programs, it never changes; the other for people */
    const char *detail;       /* may be "" */
    uint64_t tensors;
    int64_t elements;
    enum ground ground; /* the weakest of its tensors */
    uint64_t unchecked; /* those of its tensors that rest on their names */
};

enum { STATEMENT_LINES = CAUSE_COUNT + 16 };

struct statement {
    struct statement_line lines[STATEMENT_LINES];
    size_t count;
    uint64_t formula, stored;
    int64_t unexplained;
    bool agrees, in_part; /* neither: it disagrees */
};

/* Needs m->x. Everything lives in the model's arena. OVERFLOW, NOMEM. */
bool statement_make(struct statement *s, struct model *m, numel_error *e);

/* The code of the line that a tensor is counted in. */
const char *statement_code(const struct match *m, uint32_t tensor);

#endif
