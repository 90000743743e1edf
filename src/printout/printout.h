/*
 * printout.h -- reads a text: the models printed in it and the totals that it states.
 *
 *     LlamaForCausalLM(
 *       (model): LlamaModel(
 *         (embed_tokens): Embedding(32000, 4096)
 *         (layers): ModuleList(
 *           (0-31): 32 x LlamaDecoderLayer( ...
 *     trainable params: 4,194,304 || all params: 6,742,609,920 || trainable%: 0.0622
 *
 * A printed model is a tree of modules in page order, so a subtree is a range. The table of classes.c
 * turns a module's printed arguments into parameters. The text is not complete: parameters that belong
 * to no module are not printed, some classes print no size, and shared parameters print more than once.
 * So each module records what it shows:
 *
 *     SIZES      its own parameters, all of them as far as its class is known
 *     NOTHING    its class is known to have none
 *     NO_SIZE    it prints no size, and has no children that may hold parameters: its own are
 *                unknown, 0 or more
 *     CHILDREN   it prints children and no size of its own
 *
 * Everything is bounded: by the bytes of the text, and by the limits below, each far above any model.
 * Counts are exact; one that does not fit in 64 bits is an error. Names and classes are untrusted text.
 */
#ifndef NUMEL_PRINTOUT_PRINTOUT_H
#define NUMEL_PRINTOUT_PRINTOUT_H

#include "base/buffer.h"

#include <stdbool.h>

enum {
    PRINTOUT_TEXT = 64 << 20,   /* bytes; the largest model printed layer by layer takes 8 MiB */
    PRINTOUT_DEPTH = 200,       /* modules in modules; Python's own limit ends repr() near 300 */
    PRINTOUT_MODULES = 1 << 19, /* lines of modules; 61 layers of 384 experts, each printed, are 120,000 */
    PRINTOUT_PARAMETERS = 4096, /* of one module: a recurrent layer has 8 a level */
    PRINTOUT_FINDINGS = 100,    /* kept; more add nothing new */
    PRINTOUT_STATED = 100,      /* stated numbers of parameters */
    PARAMETER_DIMS = 6
};

enum shows { SHOWS_SIZES, SHOWS_NOTHING, SHOWS_NO_SIZE, SHOWS_CHILDREN };

/* Kinds of classes that matter beyond their sizes. */
enum module_kind {
    MODULE_PLAIN,
    MODULE_NORM,      /* unprinted sizes are the width of the surrounding module */
    MODULE_ATTENTION, /* torch's MultiheadAttention: in_proj exists but is not printed */
    MODULE_PACKED4    /* a 4-bit layer: two values a byte if bytes are counted */
};

struct parameter {    /* one that a module shows */
    const char *name; /* "weight"; "" if the module is the parameter itself */
    uint64_t dims[PARAMETER_DIMS];
    uint32_t ndim;
    bool assumed; /* its class mostly has it, and prints the same without: the bias of a LayerNorm */
    uint64_t elements;
};

struct module {
    numel_str name;    /* as printed: "q_proj", "0-31"; "" for the top */
    numel_str class;   /* "lora.Linear" */
    numel_str args;    /* between the brackets, up to the first child */
    uint64_t from, to; /* numbers in the name, if `numbered` */
    uint64_t copies;   /* to - from + 1 for "(0-31): 32 x"; else 1 */
    uint64_t times;    /* occurrences in the whole model: its copies times those of all above it */
    uint32_t parent;   /* of the top: itself */
    uint32_t end;      /* one past the last module of its subtree */
    uint32_t parameter, parameters; /* range of printout.parameters */
    uint32_t line;                  /* from 1 */
    uint64_t elements;              /* of one copy, without its children */
    uint8_t shows, kind;
    bool numbered;
    bool holds; /* a module below it shows a size, or may have an unprinted one */
};

struct printed {          /* one model */
    uint32_t module, end; /* range of printout.modules; the first is the top */
    uint32_t first_line, last_line;
    uint64_t elements; /* its count: a parameter printed twice is counted twice */
    uint64_t packed4;  /* of them, in 4-bit layers' weights */
    bool cut;          /* it ends with open brackets, or something was left out */
    bool loose;        /* brackets alone determine the nesting: indentation is lost */
};

/* A number of parameters that the text states next to the printout. */
enum stated_kind { STATED_TOTAL, STATED_TRAINABLE, STATED_FROZEN, STATED_OPTIMIZER };

struct stated {
    enum stated_kind kind;
    numel_str label;    /* "all params", as in the text */
    numel_str text;     /* "6607.34M" */
    uint64_t low, high; /* the counts that round to it: equal for an exact one */
    uint32_t line;
};

/* A number as written, and the counts that it may stand for: all equal for an exact one. */
struct figure {
    uint64_t nominal, low, high; /* "60.5 M": 60,500,000; 60,450,000 to 60,549,999 */
};

struct summary_row { /* of a table of layers */
    numel_str name;  /* "Conv2d: 1-1" */
    uint64_t elements;
    struct figure count;    /* its elements, as written */
    uint32_t depth;         /* the column where the name starts, or how many rows it is a part of */
    uint32_t line, summary; /* of printout.summaries */
    bool counted;           /* it has its own number */
    bool part;              /* its elements are included in a row above it */
};

struct summary {                    /* one table */
    uint32_t row, end;              /* range of printout.rows */
    uint32_t first_line, last_line; /* up to its last rule */
    uint64_t elements;              /* sum of the rows that count */
    struct figure sum;              /* the same, as a range if rounded */
    bool rounded;                   /* Lightning: figures like "85.8 M" */
    bool total_known;
    struct figure total;  /* as stated */
    bool sized;           /* ... and narrowed by the stated size in MB */
    numel_str total_text; /* "85.8 M" */
    uint64_t optimizer;   /* elements of the total that no row has */
    bool agrees;          /* the rows add up to the total, or none is stated */
    bool cut;             /* it has no end */
};

struct remark {       /* a fault of the text */
    const char *code; /* "cut-short": numel.5 */
    const char *message;
    uint32_t line, column; /* from 1; column 0: the whole line */
    bool harmless;         /* a note; else something could not be read */
};

struct printout {
    struct arena arena;
    struct buffer text; /* plain: lines.h; names point into it */
    struct module *modules;
    size_t module_count, module_cap;
    struct parameter *parameters;
    size_t parameter_count, parameter_cap;
    struct printed *prints;
    size_t print_count, print_cap;
    struct stated *stated;
    size_t stated_count, stated_cap;
    struct summary_row *rows;
    size_t row_count, row_cap;
    struct summary *summaries;
    size_t summary_count, summary_cap;
    struct remark *remarks;
    size_t remark_count, remark_cap, remarks_left_out;
    numel_error *error;
};

/* Reads text[0..n), which may be freed afterwards. LIMIT, OVERFLOW (both name the line), NOMEM. A
 * text without a printout is not an error: print_count and summary_count are then 0. Call
 * printout_done() after failure too. */
NUMEL_MUST bool printout_read(struct printout *p, const void *text, size_t n, const numel_allocator *,
                              numel_error *e);
void printout_done(struct printout *p);
/* Is anything printed in the text? Reads it up to there. NOMEM. */
NUMEL_MUST bool printout_holds(bool *holds, const void *text, size_t n, const numel_allocator *,
                               numel_error *e);

/* ---- between the files of this folder ----------------------------------------------------- */

void printout_remark(struct printout *p, bool harmless, const char *code, uint32_t line, uint32_t column,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));
/* modules.c: reads the model printed at text[*at] in line *line, if there is one, and moves both past it.
 * False only on an error. */
bool modules_read(struct printout *p, size_t *at, uint32_t *line, bool *found);
bool modules_begin(const struct printout *p, size_t at); /* does one start in the line at text[at]? */
/* classes.c: sets what the module shows. `m` is the newest of p->modules or has all its children. */
NUMEL_MUST bool module_count_own(struct printout *p, struct module *m);
/* summary.h: reads the table that starts at text[*at]. */
bool summary_read(struct printout *p, size_t *at, uint32_t *line, bool *found);
bool summary_begins(const struct printout *p, size_t at);
/* summary_total.c: compares every table with the total that it states. */
bool summaries_judge(struct printout *p);
/* stated.c: reads the totals stated in one line. */
bool stated_read(struct printout *p, numel_str line, uint32_t number);
bool stated_add(struct printout *p, const struct stated *);
/* Reads the number at the start of `s`, as Lightning writes it: "85.8 M" is rounded, "132 M" is truncated, in
 * units of 10^power. *length includes its unit. */
bool figure_read(struct figure *f, numel_str s, unsigned power, size_t *length);

#endif
