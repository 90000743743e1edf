/*
 * others.h -- the numbers that known counters would show for a checkpoint, and why they differ from `parameters`.
 *
 * A counter is a row of a table: its name, the formats that it reads, and a rule: how many parameters
 * the counter counts for one tensor. Our own count of the tensor is known too (cause.h). So the
 * difference of two numbers is a sum over tensors, as lines (statement/line.h): each has a cause, its
 * tensors, and the difference that they make. They add up, which is proven:
 *
 *     parameters + lines = the counter's number
 *
 * Counters that repeat a declared number (of an index, a key) have no tensors behind it; their line names
 * the sum that it equals, or says that there is none. Without an architecture `parameters` is unknown:
 * then the lines start from the stored elements.
 */
#ifndef NUMEL_COUNTERS_OTHERS_H
#define NUMEL_COUNTERS_OTHERS_H

#include "statement/handle.h"
#include "counters/hub_size.h"
#include "counters/others_codes.h"

/* The library whose classes a counter loads. */
enum counter_classes { ANY_CLASS, OF_TRANSFORMERS, OF_DIFFUSERS };

enum others_from { FROM_PARAMETERS, FROM_STORED, FROM_BYTES };

struct counter;

/* The reading of one counter. */
struct counted {
    const struct counter *counter;
    const char *text; /* as the counter prints it; NULL: in digits, or nothing */
    const char *none; /* why there is no value, and no lines; else NULL */
    uint64_t value;
    enum others_from from; /* where the lines start */
    uint64_t start;        /* its value */
    struct tally tally;    /* the lines from start to value */
    int64_t difference;    /* their sum */
};

/* The facts that counters need about an adapter; the reporter gets them from src/adapter. */
struct counted_adapter {
    const bool *trained; /* by tensor */
    uint64_t parameters; /* trained ones */
    uint64_t base;       /* parameters of the base model; 0: unknown */
    uint64_t ranks;      /* numbers that PEFT also makes and does not save: AdaLoRA's, one a module */
    bool encoder;        /* PEFT also makes a prompt encoder, which is not saved */
};

struct others {
    const numel_checkpoint *ck;
    const struct handle *c;
    struct arena *arena;
    numel_error *error;
    json_value *config; /* config.json, or NULL */
    struct hub_size hub, hub_before;
    bool diffusers;                        /* its class is one of diffusers */
    bool known;                            /* there is an expansion: `parameters` is known */
    const struct counted_adapter *adapter; /* not a model: nothing loads it alone; else NULL */
    uint64_t *base;                        /* by tensor: its share of `parameters`, or its elements */
    uint64_t from;                         /* their sum */
    struct counted *readings;              /* in the order of the table */
};

/* How many parameters the counter counts for a tensor, and why that differs from our count; `why` may be NULL
 * if the tensor's own cause states it. */
struct taken {
    uint64_t n;
    const struct line_code *why;
};
typedef struct taken part_fn(const struct others *o, uint32_t tensor);

struct counter {
    const char *name;
    unsigned formats; /* bits of numel_format */
    enum counter_classes classes;
    const char *where;                                    /* where people meet the number */
    bool (*before)(struct others *o, struct counted *t);  /* may refuse; NULL: nothing to check */
    part_fn *part;                                        /* NULL: no sum over tensors */
    bool (*after)(struct others *o, struct counted *t);   /* adds the rest of the count; NULL: nothing */
    const char *(*text)(struct arena *a, uint64_t value); /* how it prints; NULL: in digits */
};

/* All counters' readings, in the arena; they borrow ck and c. `adapter` is NULL for a model. NULL: NOMEM. */
NUMEL_MUST struct others *others_make(const numel_checkpoint *ck, const struct handle *c,
                                      const struct counted_adapter *adapter, struct arena *a, numel_error *e);

/* others_rules.c: the rules of each counter. */
extern const struct counter others_counters[];
extern const size_t others_counter_count;
/* Does the counter read files of the format and load classes of the library? */
bool others_reads(const struct others *o, const struct counter *c);
/* Sets the reason for no value; always returns false. */
bool others_none(struct counted *t, const char *why);

/* others_loaded.c: models that PyTorch loads. */
enum others_loader { LOADER_TRANSFORMERS, LOADER_TORCH };
struct taken others_loaded(const struct others *o, uint32_t tensor, enum others_loader by);
/* Are there packed values that no quantizer of transformers reads? */
bool others_unread(const struct others *o);
/* Length of a name's last part, after the last dot. */
size_t others_last_part(numel_str name);

/* others_text.c: numbers as other tools print them, in the arena; NULL: NOMEM. */
NUMEL_MUST const char *others_text_hub(struct arena *a, uint64_t v);
NUMEL_MUST const char *others_text_llama(struct arena *a, uint64_t v);
NUMEL_MUST const char *others_text_parser(struct arena *a, uint64_t v);
NUMEL_MUST const char *others_text_ollama(struct arena *a, uint64_t v);
NUMEL_MUST const char *others_text_label(struct arena *a, uint64_t v);

#endif
