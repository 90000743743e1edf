/*
 * memory.h -- whether a model fits into memory while it generates. The exact part is its weights as loaded
 * and the caches of its layers; the estimated part, shown separately, is activations.
 *
 * The exact part follows from the tensors, the cache lines and the rules of a runtime (runtime.h). Nothing is
 * guessed: if one part is unknown, there is no sum. A cache inferred from names (by_name.h) also counts as an
 * estimate.
 */
#ifndef NUMEL_MEMORY_MEMORY_H
#define NUMEL_MEMORY_MEMORY_H

#include "memory/runtime.h"
#include "statement/handle.h"

enum {
    MEMORY_TYPES = 48,
    MEMORY_DEVICES = 64,
    MEMORY_CONTEXTS = 10, /* rows of a table: doubling from 4096, and the model's own */
    MEMORY_CONTEXT = 4096 /* if neither the user nor the model states one */
};

/* The user's request, a parsed numel_plan. Texts are borrowed. */
struct memory_ask {
    struct memory_run run; /* context and batch are 0 until memory_make() sets them */
    const char *load;      /* "f16"; NULL: as stored */
    uint64_t load_bytes;   /* per element; 0: as stored */
    uint64_t fit;          /* bytes; 0: not requested */
    bool runtime_given, kv_given, cpu_experts, offloads;
    uint64_t offload; /* number of layers on devices */
    uint64_t devices[MEMORY_DEVICES];
    size_t device_count;
    const struct training *train; /* NULL: no training */
    uint64_t rank;                /* of LoRA */
};
/* USAGE for an invalid type, size, device or training. */
NUMEL_MUST bool memory_ask(struct memory_ask *out, const numel_plan *plan, numel_error *e);

struct memory_type {
    const char *name;
    uint64_t tensors, elements, bytes;
};

/* The weights as loaded, by type. Tied tensors count once. */
struct memory_weights {
    struct memory_type types[MEMORY_TYPES];
    size_t type_count;
    uint64_t bytes;
    bool known, estimated; /* estimated: the layout leaves a choice of how to store them */
    const char *note;      /* why they are unknown, or where the type comes from; or NULL */
};

struct memory_device {
    const char *name;
    uint64_t room;                          /* 0: unspecified */
    uint64_t layers, weights, cache, bytes; /* bytes: weights and cache */
};

/* The memory that training needs in addition, by the rules of training_memory.c. */
struct memory_training {
    uint64_t trained; /* number of trained parameters */
    uint64_t weights, gradients, states,
        activations; /* bytes; weights: those of the model, as training keeps them */
    const char *name, *rule, *activation_rule;
};

struct memory {
    struct handle *handle;      /* NULL after memory_keep(), and for a whole */
    const struct memory *parts; /* whole.c: the components; else NULL */
    size_t part_count;
    const char *name; /* that of a component; else NULL */
    bool idle;        /* tensors outside all components: only weights, without cache or activations */
    bool diffusion;   /* a diffusion model, or a component of one */
    bool no_context;  /* does not read a context: diffusion, vision */
    struct arena *arena;
    struct memory_ask ask;
    struct expansion *x; /* includes caches; NULL: no formula */
    bool cache_known;
    bool by_name;          /* attention was inferred from names and shapes alone */
    const char *cache_why; /* why the cache is unknown */
    struct cache_layers layers[CACHE_LAYERS];
    size_t layer_count;
    uint64_t inferred_token; /* by_name: elements per token, in all layers */
    uint64_t inferred_layers;
    struct memory_weights weights;
    struct cache_bytes cache;
    uint64_t length; /* the context length that the model declares; 0: unknown */
    uint64_t hidden, vocabulary;
    uint64_t activations;
    const char *rule; /* for activations; NULL: not estimated */
    struct {
        bool known, fits, unlimited;
        uint64_t context, batch; /* the longest and the largest that fit; 0: none */
    } fit;
    struct memory_device devices[MEMORY_DEVICES + 1];
    size_t device_count;
    const char *split_note; /* why layers are not split; or NULL */
    uint64_t parallel;      /* bytes on each device if every layer is split; 0: see parallel_note */
    const char *parallel_note;
    struct memory_training training;
};

/* OVERFLOW, NOMEM; USAGE for a context of 0, or a type of keys and values whose blocks do not divide a
 * row. */
NUMEL_MUST bool memory_make(struct memory *out, struct handle *c, const struct memory_ask *ask,
                            struct arena *a, numel_error *e);
/* For the tensors outside all components of a file, which are not a model. */
NUMEL_MUST bool memory_make_beside(struct memory *out, struct handle *c, const struct memory_ask *ask,
                                   struct arena *a, numel_error *e);
/* keep.c: copies whatever memory_cache_at(), memory_activations() and sums need, so that the model can be
 * closed. NOMEM. */
NUMEL_MUST bool memory_keep(struct memory *m, numel_error *e);
void memory_done(struct memory *m);
/* whole.c: sums several named models, made for the context and batch of `ask`. `lacking` is why some are
 * missing, or NULL. `parts` must outlive the sum. OVERFLOW, NOMEM. */
NUMEL_MUST bool memory_whole(struct memory *out, const struct memory *parts, size_t count,
                             const char *lacking, const struct memory_ask *ask, struct arena *a,
                             numel_error *e);
/* Adds the parts' caches to *out. The activations are those of the largest part. */
NUMEL_MUST bool memory_cache_of_parts(const struct memory *m, uint64_t context, uint64_t batch,
                                      struct cache_bytes *out, numel_error *e);
uint64_t memory_activations_of_parts(const struct memory *m, uint64_t context, uint64_t batch);
/* "2*K*D per token, 32 layers: 131,072 bytes a token in f16", as kept by transformers; *out is NULL if
 * unknown. Needs a formula. */
NUMEL_MUST bool memory_in_symbols(struct handle *c, struct arena *a, const char **out, numel_error *e);

/* The cache for another context and batch. False if it does not fit in 64 bits. */
NUMEL_MUST bool memory_cache_at(const struct memory *m, uint64_t context, uint64_t batch,
                                struct cache_bytes *out, numel_error *e);
/* The total for another context and batch, including the estimate. */
NUMEL_MUST bool memory_total_at(const struct memory *m, uint64_t context, uint64_t batch, uint64_t *out,
                                numel_error *e);
/* Makes the expansion with its caches, which the caller owns. On failure, `why` has the reason. */
NUMEL_MUST bool memory_expand(const struct memory *m, bool folded, struct expansion **out, numel_error *why);
/* Gets the value of a key at one of the places where a configuration may keep a language model; null if
 * there is none. */
enum { MEMORY_PLACES = 6 };
NUMEL_MUST bool memory_value(const struct memory *m, size_t place, const char *key, struct value *out,
                             numel_error *e);
/* contradiction.c: sets m->cache_why if no class can run the configuration's layers. */
NUMEL_MUST bool memory_contradiction(struct memory *m, numel_error *e);
/* If *out is 0, sets it to the language model's first key that has a size. */
NUMEL_MUST bool memory_size(const struct memory *m, const char *const *keys, uint64_t *out, numel_error *e);
uint64_t memory_activations(const struct memory *m, uint64_t context, uint64_t batch);
/* True if everything that a sum needs is known. */
static inline bool memory_known(const struct memory *m) { return m->weights.known && m->cache_known; }
/* True if, in addition, none of it is inferred from names or estimated. */
static inline bool memory_exact(const struct memory *m)
{
    return memory_known(m) && !m->by_name && !m->weights.estimated;
}

/* weights.c */
NUMEL_MUST bool memory_weights(struct memory *m, numel_error *e);
NUMEL_MUST bool memory_add_type(struct memory_weights *w, const struct memory_type *type, numel_error *e);
/* The bytes of a tensor in the checkpoint as loaded; 0 for copies. *type is the name of its type. */
uint64_t memory_tensor_bytes(const struct memory *m, uint32_t tensor, const char **type);

/* fit.c */
void memory_fit(struct memory *m);
/* devices.c: places layers on devices. Needs weights and cache. */
NUMEL_MUST bool memory_split(struct memory *m, numel_error *e);

/* training_memory.c */
struct training {
    const char *name;
    unsigned weights, gradients, states; /* bytes per trained parameter */
    bool lora;                           /* the model itself stays as loaded */
    const char *rule;
};
const struct training *training_find(numel_str name, uint64_t *rank);
NUMEL_MUST bool memory_training(struct memory *m, numel_error *e);

#endif
