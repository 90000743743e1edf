/*
 * others.h -- what the known counters would show for a checkpoint, and why it is not `parameters`.
 *
 * A counter is a row of a table: its name, the formats that it reads, and a rule, which says for one
 * tensor how many parameters the counter takes it for. What we take it for is known too (match.h).
 * So the difference of two numbers is a sum over tensors, and is said in lines: each a cause, its
 * tensors, and what they make the counter's number larger or smaller by. They add up by construction:
 *
 *     parameters + lines = what the counter shows
 *
 * Counters that repeat what somebody declared (an index, a key) have no tensors to show for it; the
 * tally names the sum that it equals, or says that there is none. Without an architecture nothing is
 * known of `parameters`: then the lines start from the stored elements.
 */
#ifndef NUMEL_COUNTERS_OTHERS_H
#define NUMEL_COUNTERS_OTHERS_H

#include "adapter/adapter.h"
#include "statement/handle.h"
#include "counters/hub_size.h"

enum { OTHERS_LINES = 24 };

struct others_line {
    const char *cause;
    const char *detail; /* the tensors; "" when none are to blame */
    uint64_t tensors;
    int64_t elements;
};

enum others_from { FROM_PARAMETERS, FROM_STORED, FROM_BYTES, FROM_NOTHING };

struct counter;

/* What one counter shows. */
struct tally {
    const struct counter *counter;
    const char *text; /* as the counter prints it; NULL: in digits, or nothing */
    const char *none; /* why there is no value; else NULL */
    uint64_t value;
    enum others_from from; /* what the lines start from */
    struct others_line lines[OTHERS_LINES];
    uint32_t first[OTHERS_LINES]; /* a tensor, or NAMES_ABSENT */
    unsigned count;
    bool overflow;
    int64_t difference;          /* value less what the lines start from: their sum */
    const char *reason, *causes; /* the lines as a sentence, and as JSON */
};

struct others_row {            /* of the text: a tally, or one of its lines */
    const struct tally *tally; /* NULL: what they start from */
    const struct others_line *line;
};

struct others {
    const numel_checkpoint *ck;
    const struct numel_model *c;
    struct arena *arena;
    numel_error *error;
    json_value *config; /* config.json, or NULL */
    struct hub_size hub, hub_before;
    bool known;                    /* there is an expansion: `parameters` is known */
    const struct adapter *adapter; /* not a model: nothing loads it alone; else NULL */
    uint64_t *base;                /* by tensor: what it is of `parameters`, or its elements */
    uint64_t from;                 /* their sum */
    struct tally *tallies;         /* in the order of the table */
    struct others_row *rows;
    size_t row_count;
};

/* How many parameters the counter takes a tensor for, and why not as many as we; `why` may be NULL
 * when the tensor's own cause says it. */
struct taken {
    uint64_t n;
    const char *why;
};
typedef struct taken part_fn(const struct others *o, uint32_t tensor);

struct counter {
    const char *name;
    unsigned formats;                                     /* bits of numel_format */
    const char *where;                                    /* where people meet the number */
    bool (*before)(struct others *o, struct tally *t);    /* may refuse; NULL: nothing to ask */
    part_fn *part;                                        /* NULL: no sum over tensors */
    bool (*after)(struct others *o, struct tally *t);     /* what is no tensor's; NULL: nothing */
    const char *(*text)(struct arena *a, uint64_t value); /* how it prints; NULL: in digits */
};

/* All counters, in the arena; they look at ck and c. `config` is the path of a configuration to use, or
 * NULL; so is `adapter` for a model. NULL: NOMEM. */
struct others *others_make(const numel_checkpoint *ck, const struct numel_model *c, const char *config,
                           const struct adapter *adapter, struct arena *a, numel_error *e);

/* others_rules.c: the rules of each counter. */
extern const struct counter others_counters[];
extern const size_t others_counter_count;
/* Adds to the line of that cause; `tensor` may be NAMES_ABSENT, when none is to blame. */
struct others_line *others_line(struct others *o, struct tally *t, const char *cause, uint32_t tensor,
                                uint64_t is, uint64_t was);
/* No value, and why: always false. */
bool others_none(struct tally *t, const char *why);

/* others_text.c: numbers as other tools print them, in the arena; NULL when out of memory. */
const char *others_text_hub(struct arena *a, uint64_t v);
const char *others_text_llama(struct arena *a, uint64_t v);
const char *others_text_parser(struct arena *a, uint64_t v);
const char *others_text_ollama(struct arena *a, uint64_t v);
const char *others_text_label(struct arena *a, uint64_t v);

#endif
