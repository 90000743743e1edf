/*
 * others.h -- the numbers that known counters show for a checkpoint, and why they differ from `parameters`.
 *
 * A counter is a row of a table: its name, the formats that it reads, and a rule, which is how many
 * parameters it counts for one tensor. Our own count for the tensor is known as well (cause.h), so the
 * difference of two numbers is a sum over tensors. It is split into lines (statement/line.h), each with a
 * cause, its tensors, and the difference that they make. They are proven to add up:
 *
 *   parameters + lines = the counter's number
 *
 * A counter that repeats a declared number (from an index, from a key) has no tensors; its line names the sum
 * that equals the number, or states that there is none. Without an architecture, `parameters` is unknown, and
 * the lines start from the stored elements.
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
    const char *text; /* as the counter prints it; NULL: plain digits, or no value */
    const char *none; /* why there is no value and no lines; else NULL */
    uint64_t value;
    enum others_from from; /* what the lines start from */
    uint64_t start;        /* the value there */
    struct tally tally;    /* the lines from start to value */
    int64_t difference;    /* sum of the lines */
};

/* What counters need to know about an adapter; the reporter gets it from src/adapter. */
struct counted_adapter {
    const bool *trained; /* by tensor */
    uint64_t parameters; /* number of trained ones */
    uint64_t base;       /* number of parameters in the base model; 0: unknown */
    uint64_t ranks;      /* numbers that PEFT also creates but does not save: one per module for AdaLoRA */
    bool encoder;        /* PEFT also creates a prompt encoder, which it does not save */
};

struct others {
    const numel_checkpoint *ck;
    const struct handle *c;
    struct arena *arena;
    numel_error *error;
    json_value *config; /* config.json, or NULL */
    struct hub_size hub, hub_before;
    bool diffusers;                        /* the class is one of diffusers */
    bool known;                            /* there is an expansion, so `parameters` is known */
    const struct counted_adapter *adapter; /* for an adapter, which cannot be loaded alone; else NULL */
    uint64_t *base;                        /* by tensor: its part of `parameters`, or else its elements */
    uint64_t from;                         /* sum of `base` */
    struct counted *readings;              /* in the order of the table */
};

/* The number of parameters that the counter counts for a tensor, and why it differs from ours. `why` may
 * be NULL if the tensor's own cause explains it. */
struct taken {
    uint64_t n;
    const struct line_code *why;
};
typedef struct taken part_fn(const struct others *o, uint32_t tensor);

struct counter {
    const char *name;
    unsigned formats; /* bits of numel_format */
    enum counter_classes classes;
    const char *where;                                    /* where people see the number */
    bool (*before)(struct others *o, struct counted *t);  /* checks, and may refuse; or NULL */
    part_fn *part;                                        /* NULL: no sum over tensors */
    bool (*after)(struct others *o, struct counted *t);   /* adds to the count; or NULL */
    const char *(*text)(struct arena *a, uint64_t value); /* formats the number; NULL: plain digits */
};

/* Makes all readings, in the arena; they borrow ck and c. `adapter` is NULL for a model. NULL: NOMEM. */
NUMEL_MUST struct others *others_make(const numel_checkpoint *ck, const struct handle *c,
                                      const struct counted_adapter *adapter, struct arena *a, numel_error *e);

/* others_rules.c: the rules of each counter. */
extern const struct counter others_counters[];
extern const size_t others_counter_count;
/* True if the counter reads the file's format and loads classes of its library. */
bool others_reads(const struct others *o, const struct counter *c);
/* Sets the reason for the missing value. Always returns false. */
bool others_none(struct counted *t, const char *why);

/* others_loaded.c: counts a tensor in a model that PyTorch has loaded. */
enum others_loader { LOADER_TRANSFORMERS, LOADER_TORCH };
struct taken others_loaded(const struct others *o, uint32_t tensor, enum others_loader by);
/* True if there are packed values that no quantizer in transformers reads. */
bool others_unread(const struct others *o);
/* The length of a name's last part, after the last dot. */
size_t others_last_part(numel_str name);

/* others_text.c: numbers as other tools print them; in the arena. NULL: NOMEM. */
NUMEL_MUST const char *others_text_hub(struct arena *a, uint64_t v);
NUMEL_MUST const char *others_text_llama(struct arena *a, uint64_t v);
NUMEL_MUST const char *others_text_parser(struct arena *a, uint64_t v);
NUMEL_MUST const char *others_text_ollama(struct arena *a, uint64_t v);
NUMEL_MUST const char *others_text_label(struct arena *a, uint64_t v);

#endif
