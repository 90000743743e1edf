/*
 * expand.h -- a spec and a configuration become the table of all tensors that a checkpoint should
 * hold.
 *
 *   row     one expected tensor: its name. 500,000 are an ordinary load, so a row is small
 *   site    one tensor line in one turn of its loops, and one part of it (weight, bias): everything
 *           that its rows share: role, dims, evidence. A stack of experts is one site, many rows
 *   group   one `oneof` in one turn: alternatives, of which a file holds one. All sites of an
 *           alternative are neighbours. Without a file, alternatives must have equal totals
 *
 * dims are outermost first on both sides. Rows are in the order of the spec, which is that of a
 * forward pass. Everything lives in the expansion's arena.
 *
 * How many rows there are is known before one is made: turns of loops that are alike (alike.h) are walked once,
 * and stand for each other. What asks for more rows than there is use for is refused; folded, it has one row a
 * site, and its sums are those of all.
 */
#ifndef NUMEL_FORMULA_EXPAND_H
#define NUMEL_FORMULA_EXPAND_H

#include "formula/poly.h"
#include "formula/walk.h"

enum {
    EXPAND_STEPS = 4000000, /* lines walked, all loops together */
    EXPAND_TURNS = 100000,  /* ... and turns of a loop, alike ones once */
    EXPAND_SITES = 30000,   /* folded */
    EXPAND_CACHES = 180000, /* cache lines, in all turns */
    EXPAND_ROWS = 180000    /* unless the file at hand has more than half as many */
};
#define NO_GROUP UINT32_MAX

/* A loop as it ran, once for each turn of those around it. */
struct loop {
    uint32_t line; /* of the `for` */
    int64_t from, to;
    struct poly from_poly, to_poly;
};

/* A turn of a loop; `outer` NULL at the top. */
struct turn {
    const struct turn *outer;
    const struct loop *loop;
    int64_t at, last; /* folded: it stands for `times` turns, the last of which is `last` */
    uint64_t times;   /* else 1 */
};

struct site {
    uint32_t line; /* index into spec->lines */
    enum tensor_kind kind;
    enum tensor_holds holds;
    enum part part;
    numel_str role;       /* of a bias: "attn.q.bias" */
    const uint64_t *dims; /* of one row */
    uint32_t ndim;
    uint64_t elements;        /* of one row */
    uint32_t first_row, rows; /* in each of the turns that it stands for; folded, only the first is there */
    size_t number_at;         /* counts: where the number of a row begins in its name */
    bool counts;              /* several rows, whose names differ in nothing but the row's number */
    uint32_t stack;           /* how many tensors it stands for: rows, or the N of a stacked one */
    uint64_t padded;          /* the first dim in files that pad it, as `pad=` says; 0: none does */
    uint32_t group, alternative;
    int64_t layer;                /* of the innermost loop, -1 outside of loops */
    enum evidence evidence;       /* of its size and of its being here */
    bool counted;                 /* in the totals: chosen, no copy, and present if optional */
    bool tied, optional, stacked; /* stacked: the N is its first dim */
    bool asked;                   /* its own if= asked the file whether it is there */
    bool offered;                 /* a buffer that only some files hold, and none is asked; never counted */
    numel_str extra; /* the `extra` block it stands in, else {NULL, 0}: stored in some files, never
                        a parameter of the model as it is loaded; never counted */
    const struct turn *turn;
    struct poly each, times; /* size without the stack; the stack */
};

/* A cache line in one turn of its loops. Of `site` what only tensors have is not there: rows 1, stack 1, no symbols. */
struct cache_site {
    struct site site; /* elements: for one token or sequence */
    const struct cache_line *line;
    int64_t window;      /* -1: none */
    int64_t every, rest; /* 0: one each */
    int64_t width;       /* of a kernel; 0: not said */
};

struct row {
    numel_str name;  /* on the expanded side */
    numel_str other; /* on the other side, {NULL, 0} when it has none; {e} is left as it is */
    uint32_t site;
    uint32_t index; /* in its stack */
};

struct group {
    uint32_t line;
    uint32_t alternatives; /* those that exist on this side */
    uint32_t chosen;       /* the first wholly present one, else the first */
    bool present;
    uint32_t first_site, sites;
    uint64_t elements; /* of the chosen one */
};

struct totals {
    uint64_t parameters, buffers, copies; /* elements; copies: tied, not counted elsewhere */
    uint64_t parameter_tensors, buffer_tensors, copy_tensors;
};

struct size {
    struct poly poly;
    int64_t value;
    bool known;
};

struct expansion {
    struct arena arena;
    struct arena values; /* of symbols, and of what is being computed: env.arena */
    const struct spec *spec;
    enum side side;
    bool folded, unnamed, ranged;
    uint64_t turns;          /* of loops, folded: at most */
    uint64_t expected;       /* rows, of all turns; UINT64_MAX: at least */
    int64_t most;            /* turns of a loop, or tensors of a stack */
    char most_of[EVAL_SHOW]; /* which: "1000000 (n_routed_experts)" */
    bool keeps;              /* also what layers keep: struct expand_input */
    bool blind;              /* without what sees and hears */
    bool offers;             /* also what only a file could say it holds: struct expand_input */
    struct env env;          /* as the last line left it */
    struct factors factors;
    struct site *sites;
    size_t site_count, site_cap;
    struct row *rows;
    size_t row_count, row_cap;
    struct group *groups;
    size_t group_count, group_cap;
    struct cache_site *caches; /* in the order of the spec */
    size_t cache_count, cache_cap;
    numel_error cache_why; /* why they are not known; NUMEL_OK: they are, if there are any */
    struct totals totals;
    bool *shown;         /* by symbol: it stands in a size or in the bounds of a loop */
    uint32_t *alias;     /* by symbol: the node of `let A = B`, so that B is shown; else 0 */
    uint32_t *last_site; /* by line and part: the latest site + 1 */
    struct size *sizes;  /* by node: its polynomial, when it is the same in all turns */
    uint32_t *sized;     /* the nodes of which that is known, in the order in which they came to be */
    size_t sized_count;
};

struct expand_input {
    const struct spec *spec;
    struct config *config;
    enum side side;              /* whose names */
    bool other_values;           /* keys are those of the other side: a config.json for a GGUF file, or
                                    names of Hugging Face from GGUF's metadata */
    const struct presence *file; /* may be NULL */
    bool llama_cpp; /* what it keeps, where it differs from transformers: `llama_cpp` in the language */
    bool cache;     /* also what layers keep: a site each, which a million layers make dear */
    bool unnamed;   /* sites alone, which saves most of the memory; not when folded, and no file is asked */
    bool
        ranged; /* folded: names stand for all turns and rows, "h.{0-11}.attn", and no turns that are apart for each other */
    bool blind;     /* without what sees and hears: roles that begin with `v.` or `a.` */
    bool offer;     /* without a file: also the buffers that one might hold, if has() said so */
    uint64_t rows;  /* at most so many; 0: EXPAND_ROWS */
    uint64_t turns; /* of loops that are unlike each other, folded: at most; 0: EXPAND_TURNS */
};

/* Spec and config must outlive it. CONFIG: a key is missing or wrong. SPEC: the spec is. LIMIT,
 * OVERFLOW, DUPLICATE (two expected tensors of one name), NOMEM. */
NUMEL_MUST bool expand(struct expansion **out, const struct expand_input *in, const numel_allocator *m,
                       numel_error *e);
/* Folded, of any number of rows. */
NUMEL_MUST bool expand_folded(struct expansion **out, const struct expand_input *in, const numel_allocator *m,
                              numel_error *e);
/* How many turns a site stands for; UINT64_MAX: at least. */
uint64_t site_turns(const struct site *s);
/* Its tensors in all of them: a part of the totals, which fit, where it is counted. */
static inline uint64_t site_tensors(const struct site *s) { return s->rows * site_turns(s); }
void expansion_free(struct expansion *x);
/* The text that the spec gives a symbol; {NULL, 0} where it gives none. */
numel_str expansion_text(const struct expansion *x, const char *symbol);
/* For who has changed sites and rows: the totals anew, and no name twice. OVERFLOW, DUPLICATE, NOMEM. */
NUMEL_MUST bool expansion_close(struct expansion *x, numel_error *e);

/* size.c: an expression as a polynomial, with its value in the environment. */
struct poly size_poly(struct expansion *x, uint32_t node);

#endif
