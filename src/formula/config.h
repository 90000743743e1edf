/*
 * config.h -- one configuration from several origins, asked by dotted path.
 *
 * Origins, in the order in which they answer:
 *   set        what the user said for this run (--set hidden_size=64)
 *   documents  config.json; Meta's and Mistral's params.json, whose keys answer to the names of
 *              config.json (dim is hidden_size); or, on the GGUF side, a file's metadata
 *   inferred   what infer.h read off the tensors: the file at hand says more than a default
 *   spec       `default` lines of the spec
 *   classes    the defaults of the Hugging Face class: config.json leaves out every key that equals
 *              them, so that `gemma-3-4b` has no num_attention_heads
 * A key declared as null is null, and hides a class default: that is what the class does too.
 *
 * Values that nobody can compute with (a size of 4096.5, one beyond 2^53) are handed out as what
 * they are; arithmetic refuses them and names the key. Metadata and JSON text are borrowed until
 * config_free().
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

/* config.json or params.json; `file` is for messages. CONFIG when it is not an object. */
NUMEL_MUST bool config_add_json(struct config *c, const void *p, uint64_t n, const char *file,
                                numel_error *e);
/* Is each key that counts something, read by a formula or not, a whole number that a model can have? CONFIG names the
 * first that is none; NOMEM. Looked at once until the configuration changes: a search expands a hundred times. */
NUMEL_MUST bool config_counts_hold(struct config *c, numel_error *e);
/* Each count of config.json that cannot be beside another: heads of keys and values that do not divide those of queries, more experts
 * chosen than there are. A formula that reads either obeys it. */
struct config_relation {
    const char *part, *whole, *file;
    int64_t parts, wholes;
    bool divides; /* else it is more */
};
typedef void config_relation_fn(void *ctx, const struct config_relation *);
void config_relations(const struct config *c, config_relation_fn *tell, void *ctx);
/* config_unread.c: each size that config.json gives under a name that the class does not read, while it has a default under the name
 * that it reads. Texts are the configuration's, or the library's. */
struct config_unread {
    numel_str key, read;  /* n_embd, hidden_size */
    uint64_t value, used; /* used: the default */
    numel_str class;      /* LlamaConfig */
};
typedef void config_unread_fn(void *ctx, const struct config_unread *);
void config_unread(const struct config *c, config_unread_fn *tell, void *ctx);
/* A file beside config.json that says how the weights are quantized (quantize_config.json ...), asked
 * for what config.json does not say; `method` is its quant_method when it names none. */
NUMEL_MUST bool config_add_quantization(struct config *c, const void *p, uint64_t n, const char *file,
                                        const char *method, numel_error *e);
/* Is there any? */
bool config_has_quantization(struct config *c);
/* The file that says so; NULL: none does. */
const char *config_quantization_file(const struct config *c);
/* Of the quantization: the value at a dotted path ("."; all of it), `over` first (may be NULL); null when nothing
 * says. */
NUMEL_MUST bool config_quantization(struct config *c, const json_value *over, numel_str path,
                                    struct value *out, numel_error *e);
/* Where config.json and a file of its own say how the weights are quantized: the first *key that they differ in, with both
 * values; NULL when they agree. */
NUMEL_MUST bool config_quantization_differs(struct config *c, const char **key, struct value *here,
                                            struct value *there, numel_error *e);
/* Of `over` alone. */
NUMEL_MUST bool config_own(struct config *c, const json_value *over, numel_str path, struct value *out,
                           numel_error *e);
void config_add_metadata(struct config *c, const struct metadata *m);
/* "SYM=VALUE" or "key=VALUE"; VALUE is JSON or a bare word. USAGE when it is neither. */
NUMEL_MUST bool config_set(struct config *c, const char *assignment, numel_error *e);
/* The version of transformers whose printouts are meant, "5.2" or "4.57.1": since() asks for it. USAGE when it is none. */
NUMEL_MUST bool config_set_vintage(struct config *c, const char *version, numel_error *e);
/* Of a version, to compare: its second part counts by thousandths, the third not at all. False: it is none. */
bool vintage_read(numel_str version, uint32_t *vintage);
uint32_t config_vintage(const struct config *c);
enum {
    VINTAGE_NEWEST = 5023,
    VINTAGE_NORM_BIAS = 5023
}; /* what is printed unless asked; torch's norms say `bias` */
/* The last of them, which there is, no longer counts; what was made of its value stays readable. */
void config_unset(struct config *c);

/* A value for a key that nothing else but a default has; its evidence is INFERRED. One a key, the
 * last one counts; null takes it back, but one of that evidence, which the tensors show, is the value. Texts and lists are
 * copied. */
NUMEL_MUST bool config_add_inferred(struct config *c, numel_str key, const struct value *v, numel_error *e);

/* Where neither documents nor --set say a model type, defaults are those of this one's class. The text is borrowed; {NULL, 0}
 * takes it back. */
void config_suppose(struct config *c, numel_str model_type);
/* The number that the class of a model type has where a configuration does not say the key; false: it has none. */
bool config_class_number(numel_str model_type, numel_str key, uint64_t *n);

/* The whole number that documents state for a key, and its default (".": what they state for any key), is passed over, so that
 * what is inferred counts instead; NULL: it no longer is. The text is borrowed. */
void config_hide(struct config *c, const char *key);

/* All inferred values of a configuration, to be kept while others are tried in their place: what is in
 * *values changes places with those that it has. They belong to that configuration; free() is for those
 * that are in neither. */
struct config_inferred {
    struct inferred *items;
    size_t count, cap;
};
void config_swap_inferred(struct config *c, struct config_inferred *values);
void config_free_inferred(struct config *c, struct config_inferred *values);

/* Was the inferred value of a key looked at, be it null, since all was forgotten? Only keys that are
 * watched, or had a value, show. */
NUMEL_MUST bool config_watch(struct config *c, numel_str key, numel_error *e);
void config_forget_asked(struct config *c);
bool config_asked(struct config *c, numel_str key);

bool config_has_metadata(const struct config *c);
bool config_has_json(const struct config *c);

/* The first path that has a value, with its evidence; VALUE_NULL (key: the first path) when none
 * has. `spec` may be NULL. False only when out of memory or a value is not to be had at all. */
NUMEL_MUST bool config_value(struct config *c, const struct spec *spec, enum side side,
                             const numel_str *paths, unsigned count, struct value *out, numel_error *e);
/* The last part of a path as config.json spells it: "num_local_experts" of "num_experts" where the class takes either. */
numel_str config_spelling(struct config *c, const struct spec *spec, numel_str path);
/* The model type of the configuration at a path of a composite, in whose spec parts that are around it have been read:
 * what it says itself, or what is taken for it where it is silent; {NULL, 0} when nobody knows. `c` may be NULL. */
NUMEL_MUST bool config_part_type(struct config *c, const struct spec *s, numel_str path, numel_str *out,
                                 numel_error *e);
/* What the model is called and the key that says so: model_type; `_class_name` where diffusers saved it, `architecture` where timm did; for GGUF
 * general.architecture. Null, and the usual key, when nothing says. False as config_value(). */
NUMEL_MUST bool config_kind(struct config *c, const struct spec *spec, enum side side, const char **key,
                            struct value *out, numel_error *e);
/* A part of a value that config_value() gave; it carries no evidence yet. */
NUMEL_MUST bool config_value_of(struct config *c, const json_value *v, struct value *out, numel_error *e);
/* What the user set for a symbol of a spec; false when nothing was. */
bool config_symbol(struct config *c, numel_str symbol, struct value *out);
/* numbers.c: every integer from 2 on that --set, documents and metadata hold, in their order:
 * "text_config.hidden_size", metadata without its architecture's prefix. What can be no size is left
 * out (token ids, angles), as is a key that would not read as a name in a formula. At most
 * CONFIG_NUMBERS; all in the arena. */
enum { CONFIG_NUMBERS = 128 };
struct config_number {
    const char *key;
    int64_t value;
};
NUMEL_MUST bool config_numbers(struct config *c, struct arena *a, const struct config_number **out,
                               unsigned *count, numel_error *e);
/* config_sets.c: is there anything that the name of the i-th assignment stands for: was it asked for, is it a symbol of the spec, a
 * key of the configuration or its class, or of every configuration? Of a class that is unknown any key may be one.
 * `spec` may be NULL. */
bool config_set_known(struct config *c, const struct spec *spec, size_t i);
numel_str config_set_name(const struct config *c, size_t i);

#endif
