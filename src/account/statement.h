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
#ifndef NUMEL_ACCOUNT_STATEMENT_H
#define NUMEL_ACCOUNT_STATEMENT_H

#include "account/match.h"

struct statement_line {
    const char *code, *cause; /* the first for programs, it never changes; the other for people */
    const char *detail;       /* may be "" */
    uint64_t tensors;
    int64_t elements;
    enum ground ground; /* the weakest of its tensors */
    uint64_t unchecked; /* those of its tensors that rest on their names */
};

struct gap {         /* an expected tensor that is not there, or not as expected */
    uint32_t row;    /* whose it is; NAMES_ABSENT: of none */
    uint32_t tensor; /* NAMES_ABSENT: missing */
    enum fit fit;
    numel_str name; /* as expected */
    const uint64_t *dims;
    uint32_t ndim;
    numel_str types; /* "float", "I32|U32" */
};

struct contradiction { /* between configuration, layout and shapes */
    numel_str name;    /* of the weight, "" when all are meant */
    const char *text;  /* with both values */
    const char *said;  /* both as a sentence */
};

/* As design.md defines them; what needs the formula is only there with one. */
struct counts {
    uint64_t stored, logical, unique, parameters, buffers, non_embedding, active;
    bool has_active; /* the number of experts used is known */
};

enum { STATEMENT_LINES = CAUSE_COUNT + 16 };

struct statement {
    struct statement_line lines[STATEMENT_LINES];
    size_t count;
    uint64_t formula, stored;
    int64_t unexplained;
    struct gap *gaps;
    size_t missing, mismatched; /* of gaps: the missing come first */
    struct contradiction *contradictions;
    size_t contradiction_count;
    uint32_t *unexpected; /* tensors with a cause that disagrees */
    size_t unexpected_count;
    uint64_t grounds[GROUND_COUNT]; /* tensors */
    struct counts counts;
    bool agrees, in_part; /* neither: it disagrees */
};

/* Everything lives in the understanding's arena. OVERFLOW, NOMEM. */
bool statement_make(struct statement *s, struct match *m, numel_error *e);

/* The code of the line that a tensor is counted in. */
const char *statement_code(const struct match *m, uint32_t tensor);

/* All of it for one checkpoint. Without a configuration or a spec, u.x is NULL, u.why says why, and
 * there is no statement. */
struct comparison {
    const numel_allocator *memory;
    struct understanding u;
    struct match match;
    struct statement s;
};

/* A new one, never moved. `k` may be NULL. `guess`: without a configuration every spec is tried, which
 * takes its time; reports that are only about what is there do without. NULL for NOMEM and for what the user asked for and cannot
 * be had. */
struct comparison *comparison_make(const numel_checkpoint *ck, const numel_knowledge *k, bool guess,
                                   const numel_allocator *m, numel_error *e);
void comparison_free(struct comparison *c); /* NULL is fine */
/* The same, with the class that is declared or none. */
struct comparison *comparison_as_told(const numel_checkpoint *ck, const numel_knowledge *k, bool guess,
                                      const numel_allocator *m, numel_error *e);
/* Of what is no model (adapter.h): nothing is expected, whatever configuration lies beside it. */
struct comparison *comparison_of_adapter(const numel_checkpoint *ck, const numel_allocator *m,
                                         numel_error *e);
/* class_guess.c: puts the best of the classes that the spec knows in its place, when none is
 * declared. */
bool comparison_guess_class(struct comparison **c, const numel_checkpoint *ck, const numel_knowledge *k,
                            const numel_allocator *m, numel_error *e);

/* How many of the routed experts a token passes: a key of the configuration. False when it has none. */
bool experts_used(struct understanding *u, int64_t *used);

/* The class of a tensor for lists: "weight", "buffer", "quant", "tied" or "unknown". */
const char *match_class(const struct match *m, uint32_t tensor);

#endif
