/*
 * adapter.h -- fine-tunes that are not models: LoRA and similar methods, applied to a base.
 *
 * A LoRA replaces a weight W [out, in] by W + scale * B A, with A [rank, in] and B [out, rank]. So its shapes
 * show the rank and the size of the changed weight, even without the base. Writers transpose and name the two
 * matrices differently:
 *
 *     PEFT      P.lora_A.weight [r, in]     P.lora_B.weight [out, r]     convolutions have more dims
 *               P.lora_embedding_A [r, V]   P.lora_embedding_B [E, r]    of a table [V, E]
 *               P.lora_magnitude_vector [out]                            DoRA
 *     MLX       P.lora_a [in, r]            P.lora_b [r, out]            experts: [N, r, in], [N, out, r]
 *     kohya     P.lora_down.weight [r, in]  P.lora_up.weight [out, r]    P.alpha, a scalar
 *     GGUF      W.lora_a [r, in]            W.lora_b [out, r]            token_embd.weight: A is [V, r]
 *     LyCORIS   LoHa, LoKr, GLoRA, OFT, IA3, whole differences: src/data/adapters has their shapes
 *
 * A llama.cpp control vector (general.architecture controlvector) has direction.N [E], counted from N = 1.
 * Each is added to the output of layer N.
 *
 * P without PEFT's "base_model.model." is the changed module; its last component is the target.
 * adapter_config.json next to the file states what was intended (r, rank_pattern, lora_alpha, the base) and
 * is compared with the tensors. Other methods (IA3, LoHa, prompts ...) are named and counted. Tensors that
 * belong to no method were trained whole (modules_to_save, biases). PEFT also saves some that are not
 * trained: a table that is changed (base_layer), and the shared matrices of VeRA.
 */
#ifndef NUMEL_ADAPTER_ADAPTER_H
#define NUMEL_ADAPTER_ADAPTER_H

#include "base/json_doc.h"
#include "model/cause.h"
#include "model/meanings.h"
#include "reader/checkpoint.h"
#include "registry/finding.h"

enum { ADAPTER_RANKS = 16, ADAPTER_COMPLAINTS = 12, ADAPTER_NOTES = 4, ADAPTER_PARTS = 8, ADAPTER_FITS = 12 };

struct adapter_ranks { /* distinct ranks, ascending; `more` if there was no room */
    uint64_t items[ADAPTER_RANKS];
    unsigned count;
    bool more;
    uint64_t least, most;
};

struct adapter_target {
    numel_str name; /* "q_proj"; first: see names.h */
    uint64_t modules, parameters;
    uint64_t base; /* elements of the changed weights; 0 if shapes do not show it */
    struct adapter_ranks ranks;
};

struct adapter_module {
    numel_str name;                  /* "model.layers.0.self_attn.q_proj"; first: see names.h */
    uint32_t tensors[ADAPTER_PARTS]; /* its parts, in the order of the file */
    uint8_t parts[ADAPTER_PARTS];    /* kind of each: a row of embedded_method_parts */
    unsigned part_count;
    bool full;       /* it has more parts than any method */
    bool whole;      /* its parts form one complete change of their method */
    bool based;      /* its weight is in the given base, with this size */
    bool told;       /* shapes show no weight size, and agree with the configuration */
    bool lesser;     /* `out` is the smaller of the two sizes */
    bool channels;   /* `in` is for one pixel of a kernel whose size is unknown */
    uint32_t factor; /* the tensor of its alpha, or NAMES_ABSENT */
    uint64_t parameters, rank, base;
    uint64_t out, in;    /* of the weight; in times the kernel; 0 if unknown */
    uint64_t experts;    /* stacked in it, each with its own ranks; 0 if unknown */
    numel_str parameter; /* the changed parameter, "...mlp.experts.down_proj"; n 0 if unknown */
    uint32_t target, block;
};

struct adapter_family;
struct said_list;
struct names_list;

struct adapter {
    struct meanings *meanings; /* of its tensors' names */
    const numel_checkpoint *ck;
    struct arena *arena;
    json_value *config;      /* adapter_config.json, or NULL; freed by adapter_done() */
    numel_error unread;      /* why adapter_config.json could not be read, if it exists */
    json_value *told;        /* diffusers' copy in the metadata, keys as "unet.r"; likewise */
    struct said_list **said; /* tables of keys of both, made on demand: adapter_said.c */
    bool *said_deep;         /* a listed name has more components than are searched */
    bool *said_unread;       /* an expression could not be evaluated */
    numel_str of;            /* the adapter's own name after the parts, ".default"; p NULL if none */
    numel_str of_other;      /* a second such name */
    const char *type;        /* "lora", "ia3"; NULL if it is not an adapter */
    bool control;            /* a ControlNet, stored as changes of the U-Net it was made from */
    bool vector;             /* llama.cpp's control vector: one direction per layer */
    const char *base;        /* the stated base, escaped; NULL if not stated */
    const char *alpha;       /* a number as text; NULL if not stated */
    struct adapter_module *modules;
    size_t module_count, module_cap;
    struct adapter_target *targets; /* most parameters first */
    size_t target_count, target_cap;
    struct adapter_target *blocks; /* the modules, by block_of() */
    size_t block_count, block_cap;
    struct names by_module, by_target, by_block;
    struct adapter_family *families;            /* all known families; NULL until families_of() is called */
    const struct adapter_family *family_solved; /* by families_solve(); else NULL */
    const char *family;             /* best family that all modules fit; NULL if none or unknown */
    const char *fits[ADAPTER_FITS]; /* all that fit, the best first */
    unsigned fit_count;
    bool whole_kind;                   /* an embedding, an IP-adapter ...: trained whole, without modules */
    uint64_t factors, factor_elements; /* alphas */
    bool alpha_several;                /* they range from alpha to alpha_most */
    const char *alpha_most;
    struct adapter_ranks ranks;
    uint64_t parameters;            /* all that are trained */
    uint64_t paired;                /* of these, in modules rather than trained whole */
    uint64_t target_base;           /* elements of the changed weights */
    uint64_t magnitudes;            /* elements of DoRA's vectors */
    uint64_t whole, whole_elements; /* saved whole: trained, or frozen copies */
    uint64_t frozen;                /* of these, frozen copies, in tensors */
    uint32_t first_whole;
    uint64_t base_parameters;                   /* of the whole base, if its configuration is known; else 0 */
    const char *complaints[ADAPTER_COMPLAINTS]; /* contradictions with the configuration or the base */
    enum finding_rule complaint_rules[ADAPTER_COMPLAINTS];
    unsigned complaint_count;
    const char *notes[ADAPTER_NOTES]; /* worth knowing, contradicting nothing */
    enum finding_rule note_rules[ADAPTER_NOTES];
    unsigned note_count;
    bool listed;                    /* the listed targets were compared with a base */
    bool wraps;                     /* it is not an adapter, but has a base_layer */
    bool unmerged;                  /* ... and an adapter as well: a model as PEFT wraps it */
    const char *writer;             /* outdated way of naming tensors; NULL if current */
    uint64_t shaped, named;         /* tensors outside modules, known by shape, by name only */
    uint64_t grounds[GROUND_COUNT]; /* tensors by ground: adapter_proof.c */
    uint8_t *rests;                 /* the ground of each tensor */
    bool held;                      /* a base has all changed modules, with their sizes */
    bool whole_held;                /* ... and all that was saved whole */
    bool changes_biased;            /* a changed module has a bias in the base */
    uint64_t base_biases;           /* number of biases in the base */
    const char *hole; /* why it is not proven though nothing contradicts: a missing block; NULL if none */
    bool proven;      /* all rest on their shapes, and nothing contradicts */
};

/* Fills *a; a->type is NULL if `ck` is not an adapter. A configuration in `k` is that of the base. Without
 * one (or if `k` is NULL) the config.json next to the adapter is used, if any. Returns false if memory
 * runs out, or if the configuration or base in `k` cannot be used. */
NUMEL_MUST bool adapter_read(struct adapter *a, const numel_checkpoint *ck, const numel_knowledge *k,
                             struct arena *arena, numel_error *e);
void adapter_done(struct adapter *a);
/* The adapter of a handle's checkpoint, made once and before its model (adapter_of.c); owned by the
 * handle. NULL and *e on failure, as above. */
struct handle;
NUMEL_MUST const struct adapter *adapter_of(struct handle *c, numel_error *e);
/* Same, but also fails with IO if the disk did not deliver adapter_config.json: a report without it would
 * look complete. */
NUMEL_MUST const struct adapter *adapter_whole_of(struct handle *c, numel_error *e);
/* Is the tensor trained? */
bool adapter_counts(const struct adapter *a, uint32_t tensor);

#endif
