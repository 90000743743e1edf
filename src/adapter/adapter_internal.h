/*
 * adapter_internal.h -- shared by the files of this room: parts of a module, what their shapes show,
 * families.
 */
#ifndef NUMEL_ADAPTER_ADAPTER_INTERNAL_H
#define NUMEL_ADAPTER_ADAPTER_INTERNAL_H

#include "adapter/adapter.h"

/* What a tensor's name means: the module that it changes, and which part of the change it is. */
/* A mark is not a weight; it shows what kind of file this is. */
enum part_role { PART_NONE, PART_OF_MODULE, PART_FACTOR, PART_FROZEN, PART_OTHER, PART_MARK };

struct parted {
    enum part_role role;
    unsigned part;    /* of PART_OF_MODULE: its row in embedded_method_parts */
    bool wrapped;     /* it belongs to the model that is changed */
    const char *type; /* the method that it indicates, or NULL */
    numel_str module; /* also set for a factor */
    numel_str of;     /* the adapter's name after the part, ".default"; p NULL if it cannot have one */
};

struct parted part_of(const struct adapter *a, const numel_tensor *t);
/* Is it a control vector's direction? */
bool part_is_direction(const struct adapter *a, numel_str name);
bool part_is_magnitude(unsigned part);
bool part_is_bias(unsigned part);
bool part_is_base_bias(unsigned part); /* of the changed weight */
bool part_is_norm(unsigned part);
bool part_is_lora_bias(unsigned part); /* of its second matrix */
bool part_is_tokens(unsigned part);
bool part_is_scaled(unsigned part);  /* OneTrainer's mark of a scaled OFT */
bool part_is_trained(unsigned part); /* neither a mark nor a measure of the base's weight */
/* Does it belong to this method? */
bool part_is_of(unsigned part, const char *type);
/* Is it one of the two matrices of a LoRA, by any writer? */
bool part_is_matrix(unsigned part);
/* Not a weight: it qualifies another part. */
bool part_is_flag(unsigned part);

/* Sets the rank of a module and the size of the weight that it changes, from the shapes of its parts.
 * Returns the kind of fault if these are incomplete or do not fit; *why describes it (in the arena; NULL
 * if there is no fault). */
enum module_fault { FAULT_NONE, FAULT_MISSING, FAULT_UNEQUAL, FAULT_ALONE, FAULT_COUNT };
enum module_fault module_measure(struct adapter *a, struct adapter_module *m, const char **why);

/* ---- names that loaders do not read (adapter_names.c) --------------------------------------- */

/* Strips wrappers from the front of a module's name, and a surplus '_' from its end. Usually returns the
 * name unchanged. */
numel_str names_bare(numel_str name);
/* Length of the module's name if dots in the tensor's name have become '_', "x_lora_down.weight"; *tail is
 * the part that follows. 0 for all other names. */
size_t names_flat(numel_str name, numel_str *tail);
/* Reports faults that the names share, once the family is known. */
void names_tell(struct adapter *a);

/* ---- families ----------------------------------------------------------------------------- */

struct weight_size {
    uint64_t out, in; /* 0: any */
};

struct family_row {
    const char *pattern; /* "blocks.{0-3,7}.attn1.to_q"; NULL ends a table */
    uint64_t out, in;    /* in times the kernel; 0: any number */
    uint64_t experts;    /* stacked in it, each with its own ranks; 0: one weight */
    bool bias;
    uint64_t out_id, in_id; /* equal where the specification has the same expression; 0: a number */
};

enum { FAMILY_PARTS = 4 }; /* the denoiser or language model, and three text encoders */

struct adapter_family {
    const char *name;
    const char *aka;  /* lower-case glob of the names in metadata and trainers; NULL: none */
    const char *arch; /* its general.architecture in GGUF; NULL if llama.cpp does not have it */
    struct adapter_family *encoders[FAMILY_PARTS];
    const struct family_row *parts[FAMILY_PARTS]; /* NULL: missing, or not expanded */
    numel_str specs;                              /* its `spec` lines in bases.table */
    uint32_t number;  /* its index in bases.table and embedded_base_from, encoders included */
    bool control;     /* a ControlNet */
    unsigned unknown; /* number of shapes that its specifications do not have */
    struct adapter_family *next;
};

/* All known families. Those that may have the adapter's modules are expanded (family_base.c). NULL if
 * memory runs out; then the arena has failed. */
const struct adapter_family *families_of(struct adapter *a);
struct base_table;
/* Expands one family of each specification that may have the adapter's modules, at any size. */
void families_expand_one_each(struct adapter *a);
/* Likewise, but expands families that may have the base's weights. */
const struct adapter_family *families_of_base(const struct base_table *t);

/* Sets a->family_solved: known architectures, at other sizes on which all modules agree. */
void families_solve(struct adapter *a);

/* Finds the families that have all modules with the same sizes: a->fits. Out of memory: the arena has
 * failed. */
void family_find(struct adapter *a);
/* The family that a lower-case text names, preferably one that fits (*fits); NULL if there is none. */
const struct adapter_family *family_told(struct adapter *a, numel_str told, bool *fits);
/* Is this the name of a token table, or of a head that may be tied to it? */
bool family_is_table(numel_str module);
/* Does a fitting family have all tensors that were saved whole? Then it becomes a->family. */
bool family_whole(struct adapter *a);

/* ---- tensors saved whole (adapter_whole.c) ------------------------------------------------- */

/* The weights of a family, or of a model. */
struct weights {
    /* Does it have a weight, or bias, with the module's name and size (0: any)? *size: the size it has. */
    bool (*find)(const void *of, const struct adapter_module *m, bool bias, struct weight_size *size);
    const void *of;
    const struct adapter_family *family; /* NULL if there is none */
};

/* Does it have all tensors that the adapter saved whole or shares, with the same shapes? */
bool weights_have_whole(const struct adapter *a, const struct weights *w);
/* Reports a table or head that was saved whole with a different number of rows: a complaint if the base
 * was `given`, else a note. `whose` is "the base model". */
void whole_rows(struct adapter *a, const struct weights *w, const char *whose, bool given);
/* Returns the sentence; NULL if memory runs out. */
NUMEL_MUST const char *rows_text(struct adapter *a, numel_str module, uint64_t rows, uint64_t others,
                                 const char *whose);

/* Does a->family have a bias or, if `changed`, one in a changed module? True if the table does not show
 * it. */
bool family_biased(struct adapter *a, bool changed);
/* Does a->family have convolutions of several pixels, which trainers change on request? */
bool family_has_kernels(struct adapter *a);
/* Reports a target of an expression that the family has and the adapter lacks. */
void family_expression(struct adapter *a);
/* ---- the configuration of a module (adapter_said.c) ---------------------------------------- */

/* Call before all others of this section; said_close() frees what they make. Out of memory: the arena has
 * failed. */
NUMEL_MUST bool said_open(struct adapter *a);
void said_close(struct adapter *a);
/* Diffusers has one configuration per component. Returns the module's, counted from 1; 0 for the adapter's
 * own. */
unsigned said_component(const struct adapter *a, numel_str module);
/* "unet."; NULL for the adapter's own configuration, and after the last component. */
const char *said_component_name(unsigned component);
/* Do target_modules, minus exclude_modules, include the module? */
bool said_targets(const struct adapter *a, numel_str module);
/* The value of a key in one configuration; NULL if absent. */
const json_value *said_value(const struct adapter *a, unsigned component, const char *key);
/* The value of a key in the configuration of the module's component; NULL if absent. */
const json_value *adapter_said(const struct adapter *a, numel_str module, const char *key);
/* The size that the configuration gives for a module: a number, the length of a list, or an entry of the
 * key's "_pattern". False if there is none that can be read. */
bool adapter_said_size(const struct adapter *a, numel_str module, const char *key, uint64_t *n);
/* The rank that the configuration gives for a module, or for one expert of a stacked parameter;
 * `otherwise` if it gives none. Returns 0 if several ranks are possible. If rank_pattern has too many
 * expressions to evaluate, one with the module's own rank is assumed to match. */
int64_t said_rank(const struct adapter *a, const struct adapter_module *m, int64_t otherwise);
/* Does the key list the module, by its name, by the end of its name, or by an expression? Does it list the
 * number? Is it a text, or a list of texts? */
bool said_lists(const struct adapter *a, numel_str module, const char *key);
bool said_lists_number(const struct adapter *a, numel_str module, const char *key, uint64_t number);
bool said_is_texts(const struct adapter *a, numel_str module, const char *key);
/* Is a parameter of the module in target_parameters? */
bool said_lists_parameter(const struct adapter *a, numel_str module);
/* "lora_alpha", or "alpha" for PEFT's LoHa and LoKr. */
const char *said_alpha_key(const struct adapter *a, unsigned component);
bool said_expression(const char *key);
/* Sets a->told if the metadata contain PEFT's configuration. Out of memory: the arena has failed. */
void meta_read(struct adapter *a);
/* Compares rank, alpha and base in the metadata of kohya and diffusers with the tensors. */
void meta_compare(struct adapter *a);
/* A text of the metadata; p NULL if absent. */
numel_str meta_of(const struct adapter *a, const char *key);
/* An alpha as text; NULL if memory runs out. */
NUMEL_MUST const char *meta_number(struct adapter *a, double v);
/* Compares with the tensors what trainers state about base and method, before the family is settled, and
 * what configurations require, after that (adapter_claims.c). */
void claims_of_trainers(struct adapter *a);
void claims_of_configuration(struct adapter *a);
/* A lower-case, escaped copy; NULL if the text is empty, or memory runs out. */
const char *adapter_lower(struct adapter *a, const char *text);
/* Reads alphas that are stored as tensors, if the data are available. IO, CHANGED. */
NUMEL_MUST bool meta_alphas(struct adapter *a, numel_error *e);

/* Does the pattern match the name? */
bool family_module_is(const char *pattern, numel_str name);
/* Recognises files that add something without changing weights, and sets a->type, a->whole_kind and
 * a->fits. Leaves them unchanged for other files (adapter_kinds.c). */
void adapter_kind_find(struct adapter *a);
void kind_compare(struct adapter *a);

/* A weight of a base, from its checkpoints or its configuration. */
struct base_weight {
    numel_str name; /* in the form that is compared: adapter_base.c; first: see names.h */
    numel_str own;  /* as stored, without ".weight" or ".bias" */
    unsigned part;  /* the component it is in */
    uint64_t out, in;
    bool kernel;         /* of two dimensions */
    bool bias;           /* named after the weight that it belongs to */
    bool alias;          /* a second name of a weight */
    uint64_t experts;    /* stacked in it; 0: one weight */
    numel_str parameter; /* full name, if it is a stack */
};
enum { BASE_SIZES = 8 };
struct base_table {
    struct adapter *a;
    struct base_weight *items;
    size_t count, cap;
    struct names by;
    bool has[FAMILY_PARTS]; /* components that the base has */
    bool given;             /* named by the user, not found next to the adapter */
    bool decodes;           /* it has an autoencoder */
    bool writes;            /* it has token tables that do not belong to a text encoder */
    uint64_t tables[BASE_SIZES], layers[BASE_SIZES],
        keys[BASE_SIZES]; /* widths of token tables; adapter_adds.c */
    unsigned table_count, layer_count, key_count;
    uint64_t cross; /* input width of a U-Net's cross attention; 0: none */
};
struct model;
/* Notes the sizes that prompts and prefixes are compared with: from the base's configuration (NOMEM), and
 * from names of its weights, in all components. */
NUMEL_MUST bool adds_note_config(struct base_table *t, const struct model *m, numel_error *e);
void adds_note_weight(struct base_table *t, numel_str name, const uint64_t *dims, uint32_t ndim);
/* Compares an adapter that adds to a model, such as a prompt, with the base. */
void adds_compare(const struct base_table *t);

/* ---- adapters without values (adapter_empty.c) ---------------------------------------------- */

/* The method of a file that is declared an adapter but has no tensors of one; NULL if it is not declared
 * one. */
const char *empty_type(struct adapter *a);
/* Does a part of the module have no elements? empty_tell() reports this, once. */
bool empty_part(const struct adapter *a, const struct adapter_module *m);
void empty_tell(struct adapter *a);
/* Sets a->unmerged, for files that are not adapters. */
void unmerged_tell(struct adapter *a);

/* The family of nearly all weights of a base; NULL if there is none. */
const struct adapter_family *family_of_base(const struct base_table *t);
/* Number of the family's modules that the base lacks, in rows of which it has some. */
uint64_t family_lacks(const struct base_table *t, const struct adapter_family *f);
/* Can a weight with this `in`, which includes the kernel, belong to the module? */
bool family_in_fits(const struct adapter_module *m, uint64_t in);
/* Can a weight of this size belong to a module that shows no size, or only the smaller one? */
bool family_lesser_fits(const struct adapter_module *m, uint64_t out, uint64_t in);
bool family_fits(const struct adapter *a, const struct adapter_family *f);
/* The part of a family for a component of a pipeline: 2 for "text_encoder_2". FAMILY_PARTS if no adapter
 * changes it. */
unsigned family_part(numel_str component);
/* Strips the component from a name and returns its part; 0, with the name unchanged, if it has none.
 * `base`: also knows prefixes of base models. */
unsigned family_component(numel_str *name, bool base);
/* Compares the adapter with its base, if one is known. NOMEM, and fails if the base that the user named
 * cannot be used. */
NUMEL_MUST bool base_compare(struct adapter *a, const numel_knowledge *k, numel_error *e);
bool part_is_turned(const struct adapter *a, const struct adapter_module *m);
/* The modules of a base, by the adapter's names. */
struct base_names {
    bool (*has)(const void *of, numel_str name);
    /* Does it have a module of the component (0: any), in the listed layers, whose name is `end` or ends
     * in it after a dot? `whole`: counts norms, too, which cannot be changed but can be saved. */
    bool (*ends)(const void *of, const struct adapter *a, numel_str end, unsigned component, bool whole);
    const void *of;
    bool guessed; /* by the sizes of changed modules */
};
/* Does the configuration include the module's layer? True if it lists none. (adapter_gaps.c) */
bool gaps_list_layer(const struct adapter *a, numel_str module);
/* Looks for listed targets, and names to be saved, that no tensor has. A complaint if the base has them,
 * as PEFT ignores the others. `base` is NULL if none is known. */
void targets_compare(struct adapter *a, const struct base_names *base);
/* Looks for modules that the adapter omits although its pattern or configuration includes them:
 * complaints, a->hole. NOMEM. */
NUMEL_MUST bool gaps_compare(struct adapter *a, const struct base_names *base, numel_error *e);
/* Sets the number of experts stacked in each module, from a->family. */
void family_experts(struct adapter *a);
/* gaps_compare() with a->family, unless the adapter was compared with a base. */
NUMEL_MUST bool family_gaps(struct adapter *a, numel_error *e);
void told_compare(struct adapter *a);
/* Checks factors and types, and determines the ground of each tensor: a->grounds, a->proven. */
NUMEL_MUST bool proof_make(struct adapter *a); /* false: out of memory */
void adapter_disagree(struct adapter *a, const char *text);
/* Adds a complaint of another rule, or a note, by the rule's severity. Ignores a NULL text. */
void adapter_fault(struct adapter *a, enum finding_rule rule, const char *text);

#endif
