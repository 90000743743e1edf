/*
 * adapter_internal.h -- what the files of this room share: parts of a module and what their shapes say, families.
 */
#ifndef NUMEL_ADAPTER_ADAPTER_INTERNAL_H
#define NUMEL_ADAPTER_ADAPTER_INTERNAL_H

#include "adapter/adapter.h"

/* What a name is: the module that it changes, and which part of the change. */
/* A mark is no weight: it says what the file is. */
enum part_role { PART_NONE, PART_OF_MODULE, PART_FACTOR, PART_FROZEN, PART_OTHER, PART_MARK };

struct parted {
    enum part_role role;
    unsigned part;    /* of PART_OF_MODULE: its row in the table of parts */
    bool wrapped;     /* of the model that is changed */
    const char *type; /* the method that it speaks for, or NULL */
    numel_str module; /* also of a factor */
    numel_str of;     /* the name of the adapter behind the part, "default"; p NULL: it can have none */
};

struct parted part_of(const struct adapter *a, const numel_tensor *t);
/* Is it a control vector's direction? */
bool part_is_direction(const struct adapter *a, numel_str name);
bool part_is_magnitude(unsigned part);
bool part_is_bias(unsigned part);
bool part_is_base_bias(unsigned part); /* of the weight that is changed */
bool part_is_norm(unsigned part);
bool part_is_lora_bias(unsigned part); /* of its second matrix */
bool part_is_tokens(unsigned part);
bool part_is_scaled(unsigned part);  /* OneTrainer's mark of an OFT that is scaled */
bool part_is_trained(unsigned part); /* no mark, and no measure of the base's weight */
/* Is it one of that method? */
bool part_is_of(unsigned part, const char *type);
/* One of the two matrices of a LoRA, whoever wrote it? */
bool part_is_matrix(unsigned part);
/* No weight: says how another is meant. */
bool part_is_flag(unsigned part);

/* The rank of a module and the weight that it changes, from the shapes of its parts. What is not whole, or does not
 * fit, is said in *why (in the arena; NULL: nothing), of the kind *fault. */
enum module_fault { FAULT_NONE, FAULT_MISSING, FAULT_UNEQUAL, FAULT_ALONE, FAULT_COUNT };
enum module_fault module_measure(struct adapter *a, struct adapter_module *m, const char **why);

/* ---- names that loaders do not read (adapter_names.c) --------------------------------------- */

/* The name of a module without wrappers in front of it, and the '_' that is too much behind it: itself, mostly. */
numel_str names_bare(numel_str name);
/* Where the module's name ends in one whose dots have become '_', "x_lora_down.weight", and which part it names; 0: it has
 * dots, or is of no part. */
size_t names_flat(numel_str name, numel_str *tail);
/* What is wrong with all of them, when the family is known. */
void names_tell(struct adapter *a);

/* ---- families ----------------------------------------------------------------------------- */

struct weight_size {
    uint64_t out, in; /* 0: any */
};

struct family_row {
    const char *pattern; /* "blocks.{0-3,7}.attn1.to_q"; NULL ends a table */
    uint64_t out, in;    /* in times the kernel; 0: any number */
    uint64_t experts;    /* that are stacked in it, each with ranks of its own; 0: it is one weight */
    bool bias;
    uint64_t out_id,
        in_id; /* the same for sizes that its specification computes alike; 0: it is a number there */
};

enum { FAMILY_PARTS = 4 }; /* what makes the noise less, and three encoders of text */

struct adapter_family {
    const char *name;
    const char *aka;  /* what metadata and trainers call it: a glob of small letters; NULL: nothing */
    const char *arch; /* general.architecture of it in GGUF; NULL: llama.cpp has no name for it */
    struct adapter_family *encoders[FAMILY_PARTS];
    const struct family_row *parts[FAMILY_PARTS]; /* NULL: it has none, or is not expanded */
    numel_str specs;                              /* its lines of "spec": what it is expanded from */
    uint32_t number;  /* its place in bases.table, encoders included: an index of embedded_base_from */
    unsigned unknown; /* shapes of names that these do not have */
    struct adapter_family *next;
};

/* All that are known, those expanded that may have the adapter's modules (family_base.c); NULL: no memory, as the arena says. */
const struct adapter_family *families_of(struct adapter *a);
struct base_table;
/* Expands one of each specification that may have the adapter's modules at other sizes. */
void families_expand_one_each(struct adapter *a);
/* ... and those that may have the base's. */
const struct adapter_family *families_of_base(const struct base_table *t);

/* a->family_solved: those of architectures that are known, at other sizes, which all modules have in common. */
void families_solve(struct adapter *a);

/* Which families have all modules at just these sizes: a->fits. NOMEM is the arena's. */
void family_find(struct adapter *a);
/* The family that a word of others names, in small letters: of several one that fits; NULL: none. */
const struct adapter_family *family_told(struct adapter *a, numel_str told, bool *fits);
/* Does a table of tokens, or the head that it may be tied to, go by this name? */
bool family_is_table(numel_str module);
/* Are all tensors that were saved whole those of a family that fits? Then it is a->family. */
bool family_whole(struct adapter *a);

/* ---- what is saved whole (adapter_whole.c) ------------------------------------------------- */

/* The weights of a family, or of a model. */
struct weights {
    /* Has it a weight, or bias, of the module's name and size (0: any)? *size: what it has. */
    bool (*find)(const void *of, const struct adapter_module *m, bool bias, struct weight_size *size);
    const void *of;
    const struct adapter_family *family; /* NULL: none */
};

/* Has it all that the adapter holds whole, and what it shares, with just their shapes? */
bool weights_have_whole(const struct adapter *a, const struct weights *w);
/* A table or head that is saved whole with other rows: a complaint where the base was `given`, else a note. `whose`: "the
 * base model". */
void whole_rows(struct adapter *a, const struct weights *w, const char *whose, bool given);
/* The sentence; NULL: no memory. */
NUMEL_MUST const char *rows_text(struct adapter *a, numel_str module, uint64_t rows, uint64_t others,
                                 const char *whose);

/* Has a->family a bias, or one of the modules that are changed there? True where the table does not say. */
bool family_biased(struct adapter *a, bool changed);
/* Has a->family convolutions of several pixels that trainers change where they are told to? */
bool family_has_kernels(struct adapter *a);
/* An expression's targets that the family has and the adapter has not: a complaint. */
void family_expression(struct adapter *a);
/* ---- what the configuration says of a module (adapter_said.c) ------------------------------ */

/* Before all of these, and what frees them. NOMEM is the arena's. */
NUMEL_MUST bool said_open(struct adapter *a);
void said_close(struct adapter *a);
/* Diffusers has a configuration for each component: whose holds for the module, from 1; 0: the adapter's own. */
unsigned said_component(const struct adapter *a, numel_str module);
/* "unet."; NULL: of the adapter's own, and behind the last. */
const char *said_component_name(unsigned component);
/* Does the expression that target_modules is match the name? */
bool said_targets(const struct adapter *a, numel_str module);
/* A key of one of them; NULL: not said. */
const json_value *said_value(const struct adapter *a, unsigned component, const char *key);
/* A key of the configuration that the module's component was trained with; NULL: not said. */
const json_value *adapter_said(const struct adapter *a, numel_str module, const char *key);
/* The size that it says of a module: a number, as many as a list has, or by the key's "_pattern"; false: nothing that can be
 * read so. */
bool adapter_said_size(const struct adapter *a, numel_str module, const char *key, uint64_t *n);
/* The rank that the configuration gives a module, `otherwise` where it says nothing of it; of a parameter that of one expert. An
 * expression in rank_pattern that has this very rank is believed to mean it. 0: it may be several. */
int64_t said_rank(const struct adapter *a, const struct adapter_module *m, int64_t otherwise);
/* Does the key list the module, whole or by the end of its name, or match it as an expression; that number; nothing but
 * texts? */
bool said_lists(const struct adapter *a, numel_str module, const char *key);
bool said_lists_number(const struct adapter *a, numel_str module, const char *key, uint64_t number);
bool said_is_texts(const struct adapter *a, numel_str module, const char *key);
/* Is a parameter of it among target_parameters? */
bool said_lists_parameter(const struct adapter *a, numel_str module);
/* "lora_alpha", or as PEFT's LoHa and LoKr have it. */
const char *said_alpha_key(const struct adapter *a, unsigned component);
bool said_expression(const char *key);
/* Targets, and keys of patterns, by names that no tensor has. */
/* a->told, where metadata hold PEFT's configuration. NOMEM is the arena's. */
void meta_read(struct adapter *a);
/* What metadata of kohya and diffusers say of rank, alpha and base, held against the tensors. */
void meta_compare(struct adapter *a);
/* A text of the metadata; p NULL: there is none. */
numel_str meta_of(const struct adapter *a, const char *key);
/* A number as alphas are said. */
NUMEL_MUST const char *meta_number(struct adapter *a, double v);
/* What trainers say of the base and the method, and what configurations say that must be there (adapter_claims.c): before
 * the family is settled, and behind that. */
void claims_of_trainers(struct adapter *a);
void claims_of_configuration(struct adapter *a);
/* In small letters, escaped; NULL: it was nothing. */
const char *adapter_lower(struct adapter *a, const char *text);
/* Alphas that lie in tensors, where there are data. IO, CHANGED. */
NUMEL_MUST bool meta_alphas(struct adapter *a, numel_error *e);

/* Is the name one that the pattern stands for? */
bool family_module_is(const char *pattern, numel_str name);
/* What adds something without changing weights: a->type, a->whole_kind and a->fits; as they were where it is none (adapter_kinds.c). */
void adapter_kind_find(struct adapter *a);
void kind_compare(struct adapter *a);

/* The weights of a base: of its checkpoints, or as its configuration has them. */
struct base_weight {
    numel_str name; /* as both sides are compared: adapter_base.c; first: see names.h */
    numel_str own;  /* as it is stored, without ".weight" or ".bias" */
    unsigned part;  /* which component */
    uint64_t out, in;
    bool kernel;         /* of two dimensions */
    bool bias;           /* its own name is that of the weight that it stands beside */
    bool alias;          /* of a weight that has another name, too */
    uint64_t experts;    /* that are stacked in it; 0: it is one weight */
    numel_str parameter; /* its name in full, of a stack */
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
    bool writes;            /* it has tables of tokens that no encoder of a picture's text has */
    uint64_t tables[BASE_SIZES], layers[BASE_SIZES],
        keys[BASE_SIZES]; /* widths of tables of tokens; adapter_adds.c */
    unsigned table_count, layer_count, key_count;
    uint64_t cross; /* what a U-Net's cross attention takes; 0: none */
};
struct model;
/* What a prefix is held against, by the configuration of the base; NOMEM. Names of weights, in all components. */
NUMEL_MUST bool adds_note_config(struct base_table *t, const struct model *m, numel_error *e);
void adds_note_weight(struct base_table *t, numel_str name, const uint64_t *dims, uint32_t ndim);
/* What adds to a model, against the base. */
void adds_compare(const struct base_table *t);

/* ---- what holds no values (adapter_empty.c) ------------------------------------------------- */

/* The method of a file without tensors of any, which is said to be an adapter; NULL: nothing says so. */
const char *empty_type(struct adapter *a);
/* Has a part of the module no elements? That is told once, by empty_tell(). */
bool empty_part(const struct adapter *a, const struct adapter_module *m);
void empty_tell(struct adapter *a);
/* a->unmerged, of what is no adapter. */
void unmerged_tell(struct adapter *a);

/* The family that nearly all weights of a base are of; NULL: none. */
const struct adapter_family *family_of_base(const struct base_table *t);
/* Of the family's modules that the base has some of, how many it has not. */
uint64_t family_lacks(const struct base_table *t, const struct adapter_family *f);
/* May what goes into a weight, in times its kernel, be what the module says of it? */
bool family_in_fits(const struct adapter_module *m, uint64_t in);
/* Of a module that shows no size, or the lesser of both. */
bool family_lesser_fits(const struct adapter_module *m, uint64_t out, uint64_t in);
bool family_fits(const struct adapter *a, const struct adapter_family *f);
/* Which part of a family a component of a pipeline is: "text_encoder_2" 2; FAMILY_PARTS: no adapter changes it. */
unsigned family_part(numel_str component);
/* The part that a name stands in, and the rest of it; 0 and the name itself where none is said. Those of bases, too? */
unsigned family_component(numel_str *name, bool base);
/* Holds the adapter against the base that is known, if any. NOMEM, and when the one that was named cannot be used. */
NUMEL_MUST bool base_compare(struct adapter *a, const numel_knowledge *k, numel_error *e);
bool part_is_turned(const struct adapter *a, const struct adapter_module *m);
/* Which modules a base has, by names as the adapter's. */
struct base_names {
    bool (*has)(const void *of, numel_str name);
    /* One that is called so, or ends in it behind a dot, of that component (0: any), among the layers that are listed? `whole`:
     * also a norm, which no change is for. */
    bool (*ends)(const void *of, const struct adapter *a, numel_str end, unsigned component, bool whole);
    const void *of;
    bool guessed; /* by the sizes of what is changed */
};
/* Does the configuration list the layer that the module is in, or all of them? (adapter_gaps.c) */
bool gaps_list_layer(const struct adapter *a, numel_str module);
/* Targets, and what is to be saved, by names that no tensor has: a complaint where the base has them, which is all
 * that PEFT makes changes for. `base` NULL: none is known. */
void targets_compare(struct adapter *a, const struct base_names *base);
/* Modules that the adapter leaves out where its pattern or its configuration has them: complaints, a->hole. NOMEM. */
NUMEL_MUST bool gaps_compare(struct adapter *a, const struct base_names *base, numel_error *e);
/* How many experts are stacked in a module that is a parameter, where a->family has it so. */
void family_experts(struct adapter *a);
/* The same against a->family, unless a base was there. */
NUMEL_MUST bool family_gaps(struct adapter *a, numel_error *e);
void told_compare(struct adapter *a);
/* Factors and types, and what each tensor rests on: a->grounds, a->proven. */
NUMEL_MUST bool proof_make(struct adapter *a); /* false: no memory */
void adapter_disagree(struct adapter *a, const char *text);
/* A complaint of another rule, or a note, by the rule's severity; a text of NULL is left out. */
void adapter_fault(struct adapter *a, enum finding_rule rule, const char *text);

#endif
