/*
 * memory.h -- will it fit: the memory of a model while it generates: the exact part (its weights as loaded, the
 * caches of its layers) and, separately, the estimated part (activations).
 *
 * The exact part follows from tensors, cache lines and the rules of a runtime (runtime.h). Nothing is guessed: if
 * a part is unknown, there is no sum. A cache inferred from names (by_name.h) is an estimate too.
 */
#ifndef NUMEL_MEMORY_MEMORY_H
#define NUMEL_MEMORY_MEMORY_H

#include "memory/runtime.h"
#include "statement/handle.h"

enum {
    MEMORY_TYPES = 48,
    MEMORY_DEVICES = 64,
    MEMORY_CONTEXTS = 10, /* rows of a table: doubled from 4096 on, and the model's own */
    MEMORY_CONTEXT = 4096 /* if neither the user nor the model gives one */
};

/* The user's request: a parsed numel_plan. Texts are borrowed. */
struct memory_ask {
    struct memory_run run; /* context, batch: 0 until memory_make() has found them */
    const char *load;      /* "f16"; NULL: as stored */
    uint64_t load_bytes;   /* of an element; 0: as stored */
    uint64_t fit;          /* bytes; 0: not requested */
    bool runtime_given, kv_given, cpu_experts, offloads;
    uint64_t offload; /* layers on devices */
    uint64_t devices[MEMORY_DEVICES];
    size_t device_count;
    const struct training *train; /* NULL: nothing is trained */
    uint64_t rank;                /* of LoRA */
};
/* USAGE: an invalid type, size, device or training. */
NUMEL_MUST bool memory_ask(struct memory_ask *out, const numel_plan *plan, numel_error *e);

struct memory_type {
    const char *name;
    uint64_t tensors, elements, bytes;
};

/* Weights as loaded, by type; tied tensors count once. */
struct memory_weights {
    struct memory_type types[MEMORY_TYPES];
    size_t type_count;
    uint64_t bytes;
    bool known, estimated; /* estimated: the layout leaves choices of how to store them */
    const char *note;      /* why unknown, or the source of the type; NULL */
};

struct memory_device {
    const char *name;
    uint64_t room;                          /* 0: not given */
    uint64_t layers, weights, cache, bytes; /* bytes: weights and cache */
};

/* The additional memory of training, by the rules of training_memory.c. */
struct memory_training {
    uint64_t trained; /* parameters */
    uint64_t weights, gradients, states,
        activations; /* bytes; weights: the model's, as training holds them */
    const char *name, *rule, *activation_rule;
};

struct memory {
    struct handle *handle;      /* NULL: whole.c, keep.c */
    const struct memory *parts; /* whole.c: the components; else none */
    size_t part_count;
    const char *name; /* of a component; NULL */
    bool idle;        /* tensors outside all components: weights only, no cache and no activations */
    bool diffusion;   /* a diffusion model, or a component of one */
    bool no_context;  /* reads no context: diffusion, vision */
    struct arena *arena;
    struct memory_ask ask;
    struct expansion *x; /* with caches; NULL: no formula */
    bool cache_known;
    bool by_name;          /* attention was inferred from names and shapes alone */
    const char *cache_why; /* why it is unknown */
    struct cache_layers layers[CACHE_LAYERS];
    size_t layer_count;
    uint64_t inferred_token; /* by_name: elements of a token, of all layers */
    uint64_t inferred_layers;
    struct memory_weights weights;
    struct cache_bytes cache;
    uint64_t length; /* context length that the model declares; 0: unknown */
    uint64_t hidden, vocabulary;
    uint64_t activations;
    const char *rule; /* of activations; NULL: nothing is estimated */
    struct {
        bool known, fits, unlimited;
        uint64_t context, batch; /* the longest and the largest that fit; 0: none does */
    } fit;
    struct memory_device devices[MEMORY_DEVICES + 1];
    size_t device_count;
    const char *split_note; /* why layers are not split; NULL */
    uint64_t parallel;      /* bytes on each device, if they share every layer; 0: see parallel_note */
    const char *parallel_note;
    struct memory_training training;
};

/* OVERFLOW, NOMEM; USAGE: a type of keys and values whose blocks do not divide a row, or a context of 0. */
NUMEL_MUST bool memory_make(struct memory *out, struct handle *c, const struct memory_ask *ask,
                            struct arena *a, numel_error *e);
/* The same for tensors outside the components of a file, which are not a model. */
NUMEL_MUST bool memory_make_beside(struct memory *out, struct handle *c, const struct memory_ask *ask,
                                   struct arena *a, numel_error *e);
/* keep.c: copies what memory_cache_at(), memory_activations() and sums need, so that the model may be closed. NOMEM. */
NUMEL_MUST bool memory_keep(struct memory *m, numel_error *e);
void memory_done(struct memory *m);
/* whole.c: the sum of several named models, made for the context and the batch of `ask`; `lacking`: why some are
 * missing, or NULL. `parts` must outlive it. OVERFLOW, NOMEM. */
NUMEL_MUST bool memory_whole(struct memory *out, const struct memory *parts, size_t count,
                             const char *lacking, const struct memory_ask *ask, struct arena *a,
                             numel_error *e);
/* Adds the parts' caches to *out; the activations are those of the largest part. */
NUMEL_MUST bool memory_cache_of_parts(const struct memory *m, uint64_t context, uint64_t batch,
                                      struct cache_bytes *out, numel_error *e);
uint64_t memory_activations_of_parts(const struct memory *m, uint64_t context, uint64_t batch);
/* "2*K*D per token, 32 layers: 131,072 bytes a token in f16", as transformers keeps it; *out is NULL if it is unknown.
 * For a model with a formula. */
NUMEL_MUST bool memory_in_symbols(struct handle *c, struct arena *a, const char **out, numel_error *e);

/* The cache at another context and batch; false if it does not fit in 64 bits. */
NUMEL_MUST bool memory_cache_at(const struct memory *m, uint64_t context, uint64_t batch,
                                struct cache_bytes *out, numel_error *e);
/* The total there, with the estimate. */
NUMEL_MUST bool memory_total_at(const struct memory *m, uint64_t context, uint64_t batch, uint64_t *out,
                                numel_error *e);
/* The expansion with its caches, owned by the caller; on failure `why` has the reason. */
NUMEL_MUST bool memory_expand(const struct memory *m, bool folded, struct expansion **out, numel_error *why);
/* The value of a key at one of the places that may hold a language model's configuration; null: none. */
enum { MEMORY_PLACES = 6 };
NUMEL_MUST bool memory_value(const struct memory *m, size_t place, const char *key, struct value *out,
                             numel_error *e);
/* contradiction.c: sets m->cache_why if no class would run the configuration's layers. */
NUMEL_MUST bool memory_contradiction(struct memory *m, numel_error *e);
/* The language model's first of the keys that is a size, into *out if that is 0. */
NUMEL_MUST bool memory_size(const struct memory *m, const char *const *keys, uint64_t *out, numel_error *e);
uint64_t memory_activations(const struct memory *m, uint64_t context, uint64_t batch);
/* Is everything known that a sum needs? */
static inline bool memory_known(const struct memory *m) { return m->weights.known && m->cache_known; }
/* And is none of it inferred from names or estimated? */
static inline bool memory_exact(const struct memory *m)
{
    return memory_known(m) && !m->by_name && !m->weights.estimated;
}

/* weights.c */
NUMEL_MUST bool memory_weights(struct memory *m, numel_error *e);
NUMEL_MUST bool memory_add_type(struct memory_weights *w, const struct memory_type *type, numel_error *e);
/* Bytes of a tensor of the checkpoint as loaded, 0 for copies; *type: its type's name. */
uint64_t memory_tensor_bytes(const struct memory *m, uint32_t tensor, const char **type);

/* fit.c */
void memory_fit(struct memory *m);
/* devices.c: layers on devices; needs weights and cache. */
NUMEL_MUST bool memory_split(struct memory *m, numel_error *e);

/* training_memory.c */
struct training {
    const char *name;
    unsigned weights, gradients, states; /* bytes of a trained parameter */
    bool lora;                           /* the model itself stays as loaded */
    const char *rule;
};
const struct training *training_find(numel_str name, uint64_t *rank);
NUMEL_MUST bool memory_training(struct memory *m, numel_error *e);

#endif
