/*
 * meaning.h -- what the name of a tensor means, when nothing but the name is known: one table.
 *
 * A name is read part by part ("model", "layers", "0", "self_attn", "q_proj", "weight"), and says up to
 * four things, each of which another part of it may say:
 *
 *     kind    what sort of tensor it is: a weight, a bias, a buffer, something a quantizer stores beside
 *             the values, a part of an adapter. Mostly the last part says so.
 *     maybe   what it is if more than the name speaks for it: "P.scale" is a quantizer's in a quantized
 *             checkpoint and a parameter elsewhere; "h.0.attn.bias" is a mask where no spec expects a bias.
 *     place   which piece of the whole it lies in, when not in the model itself: a tower, prediction
 *             layers, a head for a task. Mostly the first part says so.
 *     role    what its module does, in the words of the specs: "attn.q", "mlp.gate", "norm", "embed.tok".
 *
 * What a quantizer stores is in no row: layouts tell it (embedded_sidecars).
 *
 * The table is in order of preference: for each of the four the first row that matches and has something
 * to say is believed. Rows match whole parts, never the middle of one unless they say so with a `*`:
 * "weight_scale" is a scale, "weight_scale_head" and "my_lora_A" are nothing. Adding a name is adding a
 * row; test/unit/test_meaning.c wants a neighbour beside it that must be refused.
 *
 * What a name means proves nothing: a tensor whose name alone was recognised has ground `name` (cause.h).
 * Each such row is a debt, to become a line of a spec or of a layout.
 *
 * Not here: what another program takes a name for, where its own list is the rule (counters/hub_size.c:
 * huggingface.js; verify/lint_gguf.c: llama.cpp), and words of configurations (unknown_phrases.c).
 */
#ifndef NUMEL_MODEL_MEANING_H
#define NUMEL_MODEL_MEANING_H

#include "base/text.h"
#include "formula/layout.h"

enum meaning_kind {
    KIND_NONE,
    KIND_WEIGHT,
    KIND_BIAS,
    KIND_BUFFER,   /* stored and loaded, not trained */
    KIND_LEFTOVER, /* what old writers stored, and nobody loads */
    KIND_ROPE,     /* rotary factors that a converter wrote */
    KIND_QUANT,    /* of a packed weight: `sidecar` says what */
    KIND_ADAPTER   /* of a fine-tune; its role: "adapter.a", ".b", ".magnitude", ".factor" (a constant),
                      ".base" (the weight that it wraps), ".frozen" (its own, not trained); NULL: another */
};

enum meaning_place {
    PLACE_MODEL, /* or nothing is said */
    PLACE_MTP,   /* multi-token prediction */
    PLACE_TOWER, /* of images or sound, and what projects from there */
    PLACE_TASK   /* a head that another class of the same model has */
};

/* Where in a name the pattern stands. */
enum meaning_at {
    AT_END,    /* its last parts */
    AT_MODULE, /* its last parts, or those before the last: a module and its parameter */
    AT_ANY,    /* anywhere */
    AT_FIRST,  /* its first parts, and more behind them */
    AT_START   /* the same, or behind parts that only wrap a model: "model.visual.x" */
};

struct meaning_row {
    enum meaning_at at;
    const char *glob; /* of as many parts of the name as it has itself (base/text.h) */
    enum meaning_kind kind;
    enum meaning_place place;
    const char *role;   /* of a spec, or NULL */
    const char *writer; /* a method of adapters, or NULL */
    bool doubt;         /* its kind needs more than the name */
};

/* Never NULL: a row of nothing where the name says nothing. */
struct meaning {
    const struct meaning_row *kind, *maybe, *place, *role;
    const struct embedded_sidecar *sidecar; /* where one of the first two is KIND_QUANT; else NULL */
    size_t stem; /* bytes of the name before what `kind` (or, if it says nothing but weight or bias, `maybe`)
                    recognised, without the dot: the module of "P.lora_A.weight", of "P_scales" */
};

/* Linear in the name; nothing is kept or allocated. */
struct meaning meaning_of(numel_str name);

/* The row of an adapter that it is a part of, or might be; NULL when of none. */
const struct meaning_row *meaning_adapter(const struct meaning *m);
/* Is a module of that name, one part, added to a model by PEFT or its likes? */
bool meaning_names_adapter(numel_str module);
/* Is it a buffer, by its name alone? */
bool meaning_is_buffer(const struct meaning *m);

extern const struct meaning_row meaning_rows[];
extern const size_t meaning_row_count;

/* ---- traits ------------------------------------------------------------------------------- */

/* What counts take in or leave out, by role and by what is known of the tensor. */
enum trait {
    TRAIT_LAYER = 1 << 0, /* in a layer of the model itself, not of a tower */
    TRAIT_FLAT = 1 << 1,  /* of one dimension, or none */
    TRAIT_BIAS = 1 << 2,
    TRAIT_NORM = 1 << 3,
    TRAIT_FINAL = 1 << 4,  /* the norm behind the layers */
    TRAIT_TOKENS = 1 << 5, /* the table of tokens */
    TRAIT_POSITIONS = 1 << 6,
    TRAIT_TYPES = 1 << 7, /* token types, languages, ... */
    TRAIT_TABLE = 1 << 8, /* any lookup table: what exclude_embeddings takes out */
    TRAIT_HEAD = 1 << 9,  /* from states to tokens */
    TRAIT_TASK = 1 << 10, /* another head: classes, spans, masked words */
    TRAIT_POOL = 1 << 11,
    TRAIT_ATTENTION = 1 << 12,
    TRAIT_QKV = 1 << 13,
    TRAIT_FFN = 1 << 14,     /* dense, routed or shared */
    TRAIT_GATE_UP = 1 << 15, /* its first projections */
    TRAIT_EXPERT = 1 << 16,  /* routed */
    TRAIT_SHARED = 1 << 17,
    TRAIT_ROUTER = 1 << 18,
    TRAIT_TOWER = 1 << 19, /* images, sound */
    TRAIT_PROJECTOR = 1 << 20,
    TRAIT_PACKED = 1 << 28, /* several values in one stored element */
    TRAIT_MASK = 1 << 29,   /* buffers: of causal attention */
    TRAIT_ROPE = 1 << 30,   /* of rotary frequencies */
    /* beside the parameters */
    TRAIT_TIED = 1 << 21, /* a second name of a tensor that is counted */
    TRAIT_BUFFER = 1 << 22,
    TRAIT_MTP = 1 << 23,   /* multi-token prediction */
    TRAIT_EXTRA = 1 << 24, /* what else some files hold */
    TRAIT_SCALE = 1 << 25, /* what a quantizer wrote beside the values */
    TRAIT_LORA = 1 << 26,
    TRAIT_OTHER = 1 << 27, /* stored, and none of these */
    TRAIT_BESIDE =
        TRAIT_TIED | TRAIT_BUFFER | TRAIT_MTP | TRAIT_EXTRA | TRAIT_SCALE | TRAIT_LORA | TRAIT_OTHER
};

/* Of a spec's role. */
uint32_t meaning_role_traits(numel_str role);
/* Of a tensor of which only the name is known: its role's, and those of its kind and place. */
uint32_t meaning_traits(const struct meaning *m);

#endif
