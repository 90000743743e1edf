/*
 * adapter.h -- what a fine-tune holds that is not a model: LoRA and the like, laid over a base.
 *
 * A LoRA replaces a weight W [out, in] by W + scale * B A, with A [rank, in] and B [out, rank]: so its
 * shapes show the rank, and the size of the weight that it changes, without the base. Writers turn and
 * name the two in their own ways:
 *
 *     PEFT      P.lora_A.weight [r, in]     P.lora_B.weight [out, r]     convolutions have more dims
 *               P.lora_embedding_A [r, V]   P.lora_embedding_B [E, r]    of a table [V, E]
 *               P.lora_magnitude_vector [out]                            DoRA
 *     MLX       P.lora_a [in, r]            P.lora_b [r, out]            experts: [N, r, in], [N, out, r]
 *     kohya     P.lora_down.weight [r, in]  P.lora_up.weight [out, r]    P.alpha, a scalar
 *     GGUF      W.lora_a [r, in]            W.lora_b [out, r]            token_embd.weight: A is [V, r]
 *     LyCORIS   LoHa, LoKr, GLoRA, OFT, IA3, whole differences: adapter_parts.c has their shapes
 *
 * A control vector of llama.cpp (general.architecture controlvector) has direction.N [E], from N = 1, which is added to
 * what comes out of layer N.
 *
 * The module that is changed is P without PEFT's "base_model.model."; its last part is the target.
 * adapter_config.json beside the file says what was meant (r, rank_pattern, lora_alpha, the base); the
 * two are compared. Other methods (IA3, LoHa, prompts ...) are named and counted. Tensors in the file
 * that belong to no method are trained whole (modules_to_save, biases); PEFT also saves some that are
 * not trained: a table that is changed (base_layer), VeRA's shared matrices.
 */
#ifndef NUMEL_ADAPTER_ADAPTER_H
#define NUMEL_ADAPTER_ADAPTER_H

#include "base/json_doc.h"
#include "model/cause.h"
#include "model/meanings.h"
#include "reader/checkpoint.h"
#include "registry/finding.h"

enum { ADAPTER_RANKS = 16, ADAPTER_COMPLAINTS = 12, ADAPTER_NOTES = 4, ADAPTER_PARTS = 8, ADAPTER_FITS = 12 };

struct adapter_ranks { /* distinct ones, the smallest first; `more` when there is no room */
    uint64_t items[ADAPTER_RANKS];
    unsigned count;
    bool more;
    uint64_t least, most;
};

struct adapter_target {
    numel_str name; /* "q_proj"; first: see names.h */
    uint64_t modules, parameters;
    uint64_t base; /* elements of the weights that are changed; 0 when shapes do not say */
    struct adapter_ranks ranks;
};

struct adapter_module {
    numel_str name;                  /* "model.layers.0.self_attn.q_proj"; first: see names.h */
    uint32_t tensors[ADAPTER_PARTS]; /* its parts, in the order of the file */
    uint8_t parts[ADAPTER_PARTS];    /* what each is: a row of the table of parts */
    unsigned part_count;
    bool full;       /* it has more parts than any method */
    bool whole;      /* its parts make up one change of their method */
    bool based;      /* its weight is in the base that was named, with just that size */
    bool told;       /* no weight's size shows in its parts, which are as the configuration says */
    bool lesser;     /* `out` is the lesser of both sizes */
    bool channels;   /* `in` is that of a kernel's pixel: of which size nothing says */
    uint32_t factor; /* the tensor of its alpha, or NAMES_ABSENT */
    uint64_t parameters, rank, base;
    uint64_t out, in; /* of the weight; in times the kernel; 0: not known */
    uint64_t experts; /* that are stacked in it, each of which has ranks of its own; 0: not known */
    numel_str
        parameter; /* "model.layers.0.mlp.experts.down_proj", where that is what is changed; n 0: not known */
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
    numel_error unread;      /* why it was not read, when it is there */
    json_value *told;        /* the same as diffusers has it in the metadata, "unet.r"; likewise */
    struct said_list **said; /* keys of both as tables, made when they are asked for: adapter_said.c */
    bool *said_deep;         /* some of them has names of more ends than are looked at */
    bool *said_unread;       /* some of them has expressions that are not read here */
    numel_str of;            /* the adapter's own name behind the parts, "default"; p NULL: none was met */
    numel_str of_other;      /* another one */
    const char *type;        /* "lora", "ia3"; NULL: no adapter */
    bool control;            /* a ControlNet, written as changes of the U-Net that it was made from */
    bool vector;             /* llama.cpp's control vector: a direction for each layer */
    const char *base;        /* what it was trained on, escaped; NULL: not said */
    const char *alpha;       /* a JSON number; NULL: not said */
    struct adapter_module *modules;
    size_t module_count, module_cap;
    struct adapter_target *targets; /* most parameters first */
    size_t target_count, target_cap;
    struct adapter_target
        *blocks; /* the same modules, by what stands before the first number of their names */
    size_t block_count, block_cap;
    struct names by_module, by_target, by_block;
    struct adapter_family *families; /* all that are known; NULL: nobody asked */
    const struct adapter_family
        *family_solved; /* architectures at sizes of its own; NULL: a known family fits, or none */
    const char *family; /* whose weights all modules fit, the best of them; NULL: nobody's, or not known */
    const char *fits[ADAPTER_FITS]; /* all of those, the best first */
    unsigned fit_count;
    bool whole_kind; /* an embedding, an IP-adapter ...: all of it is trained, and of no module */
    uint64_t factors, factor_elements; /* alphas */
    bool alpha_several;                /* alpha to alpha_most */
    const char *alpha_most;
    struct adapter_ranks ranks;
    uint64_t parameters;            /* all that is trained */
    uint64_t paired;                /* of them, those of modules: not what is trained whole */
    uint64_t target_base;           /* of the weights that are changed */
    uint64_t magnitudes;            /* DoRA vectors, in elements */
    uint64_t whole, whole_elements; /* tensors saved whole: trained so, or frozen copies */
    uint64_t frozen;                /* of them, the copies, in tensors */
    uint32_t first_whole;
    uint64_t base_parameters; /* of the whole base, when its configuration is known; else 0 */
    const char *complaints[ADAPTER_COMPLAINTS]; /* where file and configuration, or base, disagree */
    enum finding_rule complaint_rules[ADAPTER_COMPLAINTS];
    unsigned complaint_count;
    const char *notes[ADAPTER_NOTES]; /* what is worth knowing, and contradicts nothing */
    enum finding_rule note_rules[ADAPTER_NOTES];
    unsigned note_count;
    bool listed;            /* what the configuration lists was held against a base */
    bool wraps;             /* something that is no adapter has a base_layer */
    bool unmerged;          /* and an adapter beside it, as PEFT wraps a model */
    const char *writer;     /* how the names are written, where it is an old way; NULL: as today's are */
    uint64_t shaped, named; /* tensors of no module that are known by shape, by name only */
    uint64_t grounds[GROUND_COUNT]; /* on what its tensors rest: adapter_proof.c */
    uint8_t *rests;                 /* the same of each tensor */
    bool held;                      /* against a base that has them all */
    bool whole_held;                /* it has what was saved whole, too */
    bool changes_biased;            /* a module that is changed has a bias there */
    uint64_t base_biases;           /* that it has */
    const char *hole;               /* a block of many that it leaves out; NULL: none */
    bool proven;                    /* all of them on their shapes, and nothing contradicts it */
};

/* Fills *a; a->type is NULL for what is not an adapter. The configuration that `k` has is that of
 * the base; without one (or k NULL) it is the one beside the adapter, if any. False for NOMEM, and when the one that was
 * named cannot be used. */
NUMEL_MUST bool adapter_read(struct adapter *a, const numel_checkpoint *ck, const numel_knowledge *k,
                             struct arena *arena, numel_error *e);
void adapter_done(struct adapter *a);
/* That of a handle's checkpoint, made once and before its model (adapter_of.c); NULL and *e as above. */
struct handle;
NUMEL_MUST const struct adapter *adapter_of(struct handle *c, numel_error *e);
/* The same; IO besides when the disk does not give its configuration: what was told without would look whole. */
NUMEL_MUST const struct adapter *adapter_whole_of(struct handle *c, numel_error *e);
/* Is the tensor one that is trained? */
bool adapter_counts(const struct adapter *a, uint32_t tensor);

#endif
