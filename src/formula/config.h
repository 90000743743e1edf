/*
 * config.h -- one configuration from several sources, read by dotted path.
 *
 * Sources, in order of precedence:
 *   set        given by the user for this run (--set hidden_size=64)
 *   documents  config.json; Meta's and Mistral's params.json, whose keys are read by their names in
 *              config.json (dim is hidden_size); or, on the GGUF side, a file's metadata
 *   inferred   read off the tensors by infer.h: the file at hand is better evidence than a default
 *   spec       `default` lines of the spec
 *   classes    the defaults of the Hugging Face class: config.json omits keys that equal them, so
 *              `gemma-3-4b` has no num_attention_heads
 * A key declared as null is null and hides a class default, as it does for the class itself.
 *
 * Values that cannot be computed with (a size of 4096.5, one beyond 2^53) are returned unchanged; arithmetic
 * refuses them and names the key. Metadata and JSON text are borrowed until config_free().
 */
#ifndef NUMEL_FORMULA_CONFIG_H
#define NUMEL_FORMULA_CONFIG_H

#include "formula/spec.h"
#include "formula/value.h"
#include "registry/metadata.h"

enum { CONFIG_DOCUMENTS = 4, CONFIG_LIST = 1 << 20 };

struct config;

NUMEL_MUST bool config_new(struct config **out, const numel_allocator *m, numel_error *e);
void config_free(struct config *c);

/* Adds config.json or params.json; `file` is for messages. CONFIG if it is not an object. */
NUMEL_MUST bool config_add_json(struct config *c, const void *p, uint64_t n, const char *file,
                                numel_error *e);
/* True if each key that counts something is a whole number that a model can have, whether a formula reads it
 * or not. CONFIG names the first that is not; NOMEM. The result is kept until the configuration changes: a
 * search expands a hundred times. */
NUMEL_MUST bool config_counts_hold(struct config *c, numel_error *e);
/* Calls `tell` for each count in config.json that contradicts another: key-value heads that do not divide the
 * query heads, more experts chosen than exist. A formula that reads only one of them would not notice. */
struct config_relation {
    const char *part, *whole, *file;
    int64_t parts, wholes;
    bool divides; /* else it exceeds the whole */
};
typedef void config_relation_fn(void *ctx, const struct config_relation *);
void config_relations(const struct config *c, config_relation_fn *tell, void *ctx);
/* config_unread.c: calls `tell` for each size that config.json gives under a name that the class does not
 * read, while the name that it does read has its default. Texts belong to the configuration or to the
 * library. */
struct config_unread {
    numel_str key, read;  /* such as n_embd and hidden_size */
    uint64_t value, used; /* used: the default */
    numel_str class;      /* such as LlamaConfig */
};
typedef void config_unread_fn(void *ctx, const struct config_unread *);
void config_unread(const struct config *c, config_unread_fn *tell, void *ctx);
/* Adds a file next to config.json with the quantization settings (quantize_config.json ...). It is read for
 * keys that config.json lacks; `method` is its quant_method if it names none. */
NUMEL_MUST bool config_add_quantization(struct config *c, const void *p, uint64_t n, const char *file,
                                        const char *method, numel_error *e);
/* True if there are quantization settings. */
bool config_has_quantization(struct config *c);
/* The file with the quantization settings; NULL if there is none. */
const char *config_quantization_file(const struct config *c);
/* The quantization setting at a dotted path ("." for all of them), from `over` first (may be NULL); null if
 * not stated. */
NUMEL_MUST bool config_quantization(struct config *c, const json_value *over, numel_str path,
                                    struct value *out, numel_error *e);
/* The first *key in which config.json and a separate quantization file differ, with both values; NULL if they
 * agree. */
NUMEL_MUST bool config_quantization_differs(struct config *c, const char **key, struct value *here,
                                            struct value *there, numel_error *e);
/* The same, from `over` alone. */
NUMEL_MUST bool config_own(struct config *c, const json_value *over, numel_str path, struct value *out,
                           numel_error *e);
void config_add_metadata(struct config *c, const struct metadata *m);
/* "SYM=VALUE" or "key=VALUE"; VALUE is JSON or a bare word. USAGE if it is not one of these. */
NUMEL_MUST bool config_set(struct config *c, const char *assignment, numel_error *e);
/* Sets the version of transformers whose printouts are meant, "5.2" or "4.57.1", for since(). USAGE if it is
 * not a version. */
NUMEL_MUST bool config_set_vintage(struct config *c, const char *version, numel_error *e);
/* A version as a number that can be compared: major * 1000 + minor, without the patch level. False if it is
 * not one. */
bool vintage_read(numel_str version, uint32_t *vintage);
uint32_t config_vintage(const struct config *c);
enum {
    VINTAGE_NEWEST = 5023,
    VINTAGE_NORM_BIAS = 5023
}; /* what is printed by default; the first whose norms print `bias` */
/* Withdraws the last assignment, which must exist. Values read from it stay valid. */
void config_unset(struct config *c);

/* Sets a value, with evidence INFERRED, for a key that has at most a default otherwise. A later value
 * replaces an earlier one. Null removes it, unless that null itself has evidence INFERRED: then the tensors
 * show null. Copies texts and lists. */
NUMEL_MUST bool config_add_inferred(struct config *c, numel_str key, const struct value *v, numel_error *e);

/* Sets the model type whose class gives the defaults if neither documents nor --set state one. The text is
 * borrowed; {NULL, 0} resets it. */
void config_suppose(struct config *c, numel_str model_type);
/* The number that the class of a model type has for a key by default; false if it has none. */
bool config_class_number(numel_str model_type, numel_str key, uint64_t *n);

/* Ignores the whole number that documents state for a key, and its default, so that an inferred value counts
 * instead. "." ignores whole numbers that documents state for any key; NULL ignores nothing. The text is
 * borrowed. */
void config_hide(struct config *c, const char *key);

/* All inferred values of a configuration, set aside while others are tried. config_swap_inferred() exchanges
 * them with the current ones. They belong to that configuration; config_free_inferred() frees values that are
 * not in use. */
struct config_inferred {
    struct inferred *items;
    size_t count, cap;
};
void config_swap_inferred(struct config *c, struct config_inferred *values);
void config_free_inferred(struct config *c, struct config_inferred *values);

/* config_asked(): true if the inferred value of a key, even null, was read since config_forget_asked(). Keys
 * must be watched, or have had a value. */
NUMEL_MUST bool config_watch(struct config *c, numel_str key, numel_error *e);
void config_forget_asked(struct config *c);
bool config_asked(struct config *c, numel_str key);

bool config_has_metadata(const struct config *c);
bool config_has_json(const struct config *c);

/* The value of the first path that has one, with its evidence; VALUE_NULL, with the first path as key, if
 * none has. `spec` may be NULL. False only if out of memory or if a value cannot be read. */
NUMEL_MUST bool config_value(struct config *c, const struct spec *spec, enum side side,
                             const numel_str *paths, unsigned count, struct value *out, numel_error *e);
/* The last part of a path as config.json spells it: "num_local_experts" for "num_experts" if the class
 * accepts either. */
numel_str config_spelling(struct config *c, const struct spec *spec, numel_str path);
/* The model type of a nested configuration: the type it states, else the type assumed for it; {NULL, 0} if
 * unknown. `s` is the composite's spec, in which the enclosing parts have been read. `c` may be NULL. */
NUMEL_MUST bool config_part_type(struct config *c, const struct spec *s, numel_str path, numel_str *out,
                                 numel_error *e);
/* The model's type and the key that states it: model_type, diffusers' `_class_name`, timm's `architecture`,
 * or GGUF's general.architecture. Null, with the usual key, if none does. False as for config_value(). */
NUMEL_MUST bool config_kind(struct config *c, const struct spec *spec, enum side side, const char **key,
                            struct value *out, numel_error *e);
/* Converts a part of a value that config_value() returned; the result has no evidence yet. */
NUMEL_MUST bool config_value_of(struct config *c, const json_value *v, struct value *out, numel_error *e);
/* The value that the user set for a symbol of a spec; false if none. */
bool config_symbol(struct config *c, numel_str symbol, struct value *out);
/* numbers.c: every integer from 2 on in --set, documents and metadata, in order: "text_config.hidden_size",
 * metadata keys without the architecture. Omits values that cannot be sizes (token ids, angles) and keys that
 * would not read as a name in a formula. At most CONFIG_NUMBERS; allocated from the arena. */
enum { CONFIG_NUMBERS = 128 };
struct config_number {
    const char *key;
    int64_t value;
};
NUMEL_MUST bool config_numbers(struct config *c, struct arena *a, const struct config_number **out,
                               unsigned *count, numel_error *e);
/* config_sets.c: true if the name of the i-th assignment is known: it was read, or is a symbol of the spec, a
 * key of the configuration or its class, or a key that any configuration may have. If the class is unknown,
 * any key is accepted. `spec` may be NULL. */
bool config_set_known(struct config *c, const struct spec *spec, size_t i);
numel_str config_set_name(const struct config *c, size_t i);

#endif
