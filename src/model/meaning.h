/*
 * meaning.h -- one table for the meaning of a tensor's name when nothing else is known.
 *
 * A name is read part by part ("model", "layers", "0", "self_attn", "q_proj", "weight"), and has up to four
 * meanings, possibly from different parts:
 *
 *   kind   the sort of tensor: a weight, a bias, a buffer, something a quantizer stores next to
 *          the values, a part of an adapter. Usually from the last part.
 *   maybe  the kind if there is more evidence than the name: "P.scale" is a quantizer's in a quantized
 *          checkpoint and a parameter elsewhere; "h.0.attn.bias" is a mask if no spec expects a bias.
 *   place  where the tensor is if not in the model itself: a tower, prediction layers, a head for a
 *          task. Usually from the first part.
 *   role   the function of its module, in the specs' words: "attn.q", "mlp.gate", "norm", "embed.tok".
 *
 * A quantizer's tensors are not in the table: layouts describe them (embedded_sidecars). Nor are methods of
 * adapters but LoRA's: data/adapters names them (embedded_method_names), and what the table says of a name
 * goes before.
 *
 * The table is in order of preference: for each of the four meanings, the first matching row that has it
 * wins. Rows match whole parts, never the middle of one unless they contain a `*`: "weight_scale" is a scale;
 * "weight_scale_head" and "my_lora_A" mean nothing. To add a name, add a row here, and to
 * test/unit/test_meaning.c a similar name that must not match.
 *
 * The meaning of a name proves nothing: a tensor recognised only by name has ground `name` (cause.h). Each
 * such row is a debt, to be repaid by a line of a spec or layout.
 *
 * Not in this table: names whose rule is another program's own list (counters/hub_size.c: huggingface.js;
 * verify/lint_gguf.c: llama.cpp), and words in configurations (unknown_phrases.c).
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
    KIND_LEFTOVER, /* stored by old writers, not loaded */
    KIND_ROPE,     /* rotary factors written by a converter */
    KIND_QUANT,    /* part of a packed weight; see `sidecar` */
    KIND_ADAPTER   /* part of a fine-tune, with role "adapter.a", ".b", ".magnitude", ".factor" (a
                    * constant), ".base" (the wrapped weight), ".frozen" (its own, not trained), or NULL */
};

enum meaning_place {
    PLACE_MODEL, /* or unknown */
    PLACE_MTP,   /* multi-token prediction */
    PLACE_TOWER, /* for images or sound, including its projector */
    PLACE_TASK   /* a head of another class of the same model */
};

/* Where in a name the pattern must match. */
enum meaning_at {
    AT_END,    /* its last parts */
    AT_MODULE, /* its last parts, or those before the last: a module and its parameter */
    AT_ANY,    /* anywhere */
    AT_FIRST,  /* its first parts, with more after them */
    AT_START   /* the same, or after parts that only wrap a model, as in "model.visual.x" */
};

struct meaning_row {
    enum meaning_at at;
    const char *glob; /* matches as many parts of the name as it has itself (base/text.h) */
    enum meaning_kind kind;
    enum meaning_place place;
    const char *role;   /* of a spec, or NULL */
    const char *writer; /* an adapter method, or NULL */
    bool doubt;         /* its kind needs more evidence than the name */
};

/* The rows are never NULL: without such a meaning, a row is empty. */
struct meaning {
    const struct meaning_row *kind, *maybe, *place, *role;
    const struct embedded_sidecar *sidecar; /* if one of the first two is KIND_QUANT; else NULL */
    size_t stem; /* bytes of the name before the part that `kind` recognised (or `maybe`, if `kind` is only
                  * weight or bias), without the dot: the module in "P.lora_A.weight" or "P_scales" */
};

/* Takes time linear in the name; keeps and allocates nothing. */
struct meaning meaning_of(numel_str name);

/* The row for an adapter that the tensor is, or may be, part of; NULL if none. */
const struct meaning_row *meaning_adapter(const struct meaning *m);
/* True if PEFT or a similar tool adds modules of that name (one part) to a model. */
bool meaning_names_adapter(numel_str module);
/* True if the name alone makes it a buffer. */
bool meaning_is_buffer(const struct meaning *m);

extern const struct meaning_row meaning_rows[];
extern const size_t meaning_row_count;
extern const struct meaning_row embedded_method_names[]; /* glob NULL ends them */

/* ---- traits ------------------------------------------------------------------------------- */

/* Properties by which counts include or exclude a tensor; they come from its role and from facts about it. */
enum trait {
    TRAIT_LAYER = 1 << 0, /* in a layer of the model itself, not of a tower */
    TRAIT_FLAT = 1 << 1,  /* at most one dimension */
    TRAIT_BIAS = 1 << 2,
    TRAIT_NORM = 1 << 3,
    TRAIT_FINAL = 1 << 4,  /* the norm after the layers */
    TRAIT_TOKENS = 1 << 5, /* the token table */
    TRAIT_POSITIONS = 1 << 6,
    TRAIT_TYPES = 1 << 7, /* token types, languages, ... */
    TRAIT_TABLE = 1 << 8, /* any lookup table, as exclude_embeddings removes it */
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
    /* not parameters */
    TRAIT_TIED = 1 << 21, /* another name for a counted tensor */
    TRAIT_BUFFER = 1 << 22,
    TRAIT_MTP = 1 << 23,   /* multi-token prediction */
    TRAIT_EXTRA = 1 << 24, /* additional tensors that some files have */
    TRAIT_SCALE = 1 << 25, /* stored by a quantizer next to the values */
    TRAIT_LORA = 1 << 26,
    TRAIT_OTHER = 1 << 27, /* stored, but none of these */
    TRAIT_BESIDE =
        TRAIT_TIED | TRAIT_BUFFER | TRAIT_MTP | TRAIT_EXTRA | TRAIT_SCALE | TRAIT_LORA | TRAIT_OTHER
};

/* The traits of a spec's role. */
uint32_t meaning_role_traits(numel_str role);
/* The traits of a tensor with only a name: those of its role, kind and place. */
uint32_t meaning_traits(const struct meaning *m);

#endif
