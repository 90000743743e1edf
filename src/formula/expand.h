/*
 * expand.h -- turns a spec and a configuration into the table of all tensors that a checkpoint should hold.
 *
 *   row     one expected tensor: its name. 500,000 rows are an ordinary load, so a row is small
 *   site    one part (weight, bias) of one tensor line in one iteration of its loops: everything that its
 *           rows share, such as role, dims, evidence. A stack of experts is one site with many rows
 *   group   one `oneof` in one iteration: alternatives, of which a file holds one. The sites of an
 *           alternative are adjacent. Without a file, alternatives must have equal totals
 *
 * dims are outermost first on both sides. Rows are in the order of the spec, which is that of a forward pass.
 * Everything is allocated in the expansion's arena.
 *
 * The number of rows is known before any is made: like iterations of a loop (alike.h) are walked once and
 * stand for each other. Too many rows are refused. A folded expansion has one row a site, and the same sums.
 */
#ifndef NUMEL_FORMULA_EXPAND_H
#define NUMEL_FORMULA_EXPAND_H

#include "formula/poly.h"
#include "formula/walk.h"

enum {
    EXPAND_STEPS = 4000000, /* lines walked, in all loops together */
    EXPAND_TURNS = 100000,  /* ... and iterations of a loop, alike ones once */
    EXPAND_SITES = 30000,   /* folded */
    EXPAND_CACHES = 180000, /* cache lines, in all iterations */
    EXPAND_ROWS = 180000    /* unless the file has more than half as many */
};
#define NO_GROUP UINT32_MAX

/* A loop as it ran, once for each iteration of the loops around it. */
struct loop {
    uint32_t line; /* of the `for` */
    int64_t from, to;
    struct poly from_poly, to_poly;
};

/* An iteration of a loop; `outer` is NULL at the top. */
struct turn {
    const struct turn *outer;
    const struct loop *loop;
    int64_t at, last; /* folded: it stands for `times` iterations up to `last` */
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
    uint32_t first_row, rows; /* for each iteration it stands for; folded: only the first exists */
    size_t number_at;         /* if counts: offset of the row's number in its name */
    bool counts;              /* several rows whose names differ only in the row's number */
    uint32_t stack;           /* number of tensors: rows, or the N of a stacked one */
    uint64_t padded;          /* the first dim in files that pad it (`pad=`); 0 if none does */
    uint32_t group, alternative;
    int64_t layer;                /* of the innermost loop; -1 outside of loops */
    enum evidence evidence;       /* for its size and its presence */
    bool counted;                 /* in the totals: chosen, not a copy, and present if optional */
    bool tied, optional, stacked; /* stacked: N is its first dim */
    bool asked;                   /* its own if= asked the file */
    bool offered;                 /* a buffer in some files only, listed without a file; never counted */
    numel_str extra; /* its `extra` block, else {NULL, 0}: stored in some files, not a parameter of the loaded
                      * model; never counted */
    const struct turn *turn;
    struct poly each, times; /* the size without the stack; the stack */
};

/* A cache line in one iteration of its loops. Tensor fields of `site` have neutral values: rows 1, stack 1,
 * no symbols. */
struct cache_site {
    struct site site; /* elements: for one token or sequence */
    const struct cache_line *line;
    int64_t window;      /* -1 if none */
    int64_t every, rest; /* 0: one each */
    int64_t width;       /* of a kernel; 0 if not given */
};

struct row {
    numel_str name;  /* on the expanded side */
    numel_str other; /* on the other side, {NULL, 0} if it has none; {e} is not replaced */
    uint32_t site;
    uint32_t index; /* in its stack */
};

struct group {
    uint32_t line;
    uint32_t alternatives; /* those that exist on this side */
    uint32_t chosen;       /* the first that is wholly present, else the first */
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
    struct arena values; /* symbols and intermediate results: env.arena */
    const struct spec *spec;
    enum side side;
    bool folded, unnamed, ranged;
    uint64_t turns;          /* limit of iterations, folded */
    uint64_t expected;       /* rows in all iterations; UINT64_MAX: at least */
    int64_t most;            /* iterations of a loop, or tensors of a stack */
    char most_of[EVAL_SHOW]; /* which one: "1000000 (n_routed_experts)" */
    bool keeps;              /* see cache in struct expand_input */
    bool blind;              /* without vision and audio */
    bool offers;             /* see offer in struct expand_input */
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
    numel_error cache_why; /* why they are unknown; NUMEL_OK if they are known, or none */
    struct totals totals;
    bool *shown;         /* by symbol: it appears in a size or in the bounds of a loop */
    uint32_t *alias;     /* by symbol: the node of `let A = B`, so that B is shown; else 0 */
    uint32_t *last_site; /* by line and part: the latest site + 1 */
    struct size *sizes;  /* by node: its polynomial, if equal in all iterations */
    uint32_t *sized;     /* nodes with a known polynomial, in the order computed */
    size_t sized_count;
};

struct expand_input {
    const struct spec *spec;
    struct config *config;
    enum side side;              /* of the names */
    bool other_values;           /* reads the other side's keys: config.json for a GGUF file, or the
                                  * reverse */
    const struct presence *file; /* may be NULL */
    bool llama_cpp; /* its cache, where it differs from transformers: `llama_cpp` in the language */
    bool cache;     /* also caches: a site each, expensive with a million layers */
    bool unnamed;   /* sites only, which saves most memory; ignored if folded; asks no file */
    bool ranged;    /* folded: names cover adjacent iterations and rows: "h.{0-11}.attn" */
    bool blind;     /* without vision and audio: roles that begin with `v.` or `a.` */
    bool offer;     /* without a file: also buffers that has() would add */
    uint64_t rows;  /* limit; 0: EXPAND_ROWS */
    uint64_t turns; /* limit of iterations that differ, folded; 0: EXPAND_TURNS */
};

/* Spec and config must outlive the expansion. CONFIG: a key is missing or wrong. SPEC: the spec is wrong.
 * LIMIT, OVERFLOW, DUPLICATE (two expected tensors with one name), NOMEM. */
NUMEL_MUST bool expand(struct expansion **out, const struct expand_input *in, const numel_allocator *m,
                       numel_error *e);
/* The same, folded, without a limit of rows. */
NUMEL_MUST bool expand_folded(struct expansion **out, const struct expand_input *in, const numel_allocator *m,
                              numel_error *e);
/* Number of iterations that a site stands for; UINT64_MAX: at least. */
uint64_t site_turns(const struct site *s);
/* Number of its tensors in all iterations. If it is counted this fits, as it is part of the totals. */
static inline uint64_t site_tensors(const struct site *s) { return s->rows * site_turns(s); }
void expansion_free(struct expansion *x);
/* The text that the spec gives a symbol; {NULL, 0} if none. */
numel_str expansion_text(const struct expansion *x, const char *symbol);
/* Call after changing sites and rows: sums up again, and checks that no name occurs twice. OVERFLOW,
 * DUPLICATE, NOMEM. */
NUMEL_MUST bool expansion_close(struct expansion *x, numel_error *e);

/* size.c: an expression as a polynomial, with its value in the environment. */
struct poly size_poly(struct expansion *x, uint32_t node);

#endif
