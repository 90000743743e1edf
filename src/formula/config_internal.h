/*
 * config_internal.h -- shared by config*.c, params.c, defaults.c and numbers.c only.
 */
#ifndef NUMEL_FORMULA_CONFIG_INTERNAL_H
#define NUMEL_FORMULA_CONFIG_INTERNAL_H

#include "base/names.h"
#include "formula/config.h"

struct document {
    json_value *root;
    const char *file;
    bool params; /* params.json: Meta's or Mistral's names */
};

struct assignment {
    const char *text;
    numel_str name;
    json_value *value;
    bool used;
};

struct memo { /* lists are converted once */
    const void *source;
    struct value value;
};

struct kept { /* the parsed JSON text of a default */
    numel_str text;
    json_value *value;
};

struct inferred { /* a null value is not known, unless `null` is true */
    numel_str key;
    struct value value;
    bool null;
    bool asked; /* since config_forget_asked() */
};

/* Cached by the paths asked for: values that stay while inferred values come and go. */
struct answer {
    numel_str paths; /* concatenated, each with a NUL; must come first: see names.h */
    bool declared;   /* by the user or a document, as `value` */
    bool assumed;    /* `value` is a default, or null if there is none */
    struct value value;
};

struct config {
    struct arena arena;
    struct document documents[CONFIG_DOCUMENTS];
    size_t document_count;
    struct document quantization; /* root NULL if none; file: its name */
    const char *quant_method;     /* used if it names none */
    const struct metadata *metadata;
    numel_str gguf_arch;
    struct assignment *sets;
    size_t set_count, set_cap;
    struct kept *texts;
    size_t text_count, text_cap;
    struct memo *memos;
    size_t memo_count, memo_cap;
    struct inferred *inferred;
    size_t inferred_count, inferred_cap;
    struct answer *answers;
    size_t answer_count, answer_cap;
    struct names by_paths;
    numel_str supposed;              /* model type whose class gives the defaults if none is stated */
    const char *hidden;              /* see config_hide() */
    const struct spec *answers_spec; /* the spec and the side that the answers are for */
    enum side answers_side;
    uint32_t vintage; /* 0: the newest; config_vintage() */
    bool passing;     /* the last default rests on inferred values, so it must not be cached */
    bool counts_held; /* checked, and unchanged since: config_counts_hold() */
};

/* defaults.c: the class of a model type; a line of the table. */
struct defaults_class {
    numel_str line, model_type, name;
};
/* config.c: the assignment that sets a name; NULL if none. */
struct assignment *config_set_find(struct config *c, numel_str name);
/* The object in which the last step of a path is looked up (NULL if the document lacks it), and its class. */
struct place {
    const json_value *object;
    struct defaults_class class;
    bool has_class;
    numel_str last;
};
/* config_part.c: the place of a path in a document; `d` may be NULL. */
struct place config_place(struct config *c, const struct spec *spec, const struct document *d,
                          numel_str path);
/* config_part.c: the class of the object in which the last step of a path, *key, is looked up; false if
 * unknown. */
bool config_class_at(struct config *c, const struct spec *spec, numel_str path, struct defaults_class *class,
                     numel_str *key);
/* config_part.c: the configuration `name` inside `outer`, whose class may be NULL (unknown). A former name of
 * the key has precedence: CLIP's text_config_dict before text_config. */
const json_value *config_nested(const json_value *outer, const struct defaults_class *class, numel_str name);
/* True if a composite's default for a part (`default text_config.hidden_size 4096`) does not apply. It is for
 * configurations without the part; a part that is given is read as its own class reads it. */
bool config_part_overrules(const struct config *c, const struct spec *s, const struct spec_default *d);

/* config_part.c: the name of a document's class: its model_type, diffusers' _class_name, or the architecture
 * that timm saved; {NULL, 0} if none. */
numel_str config_class_name(const json_value *root);
/* ... true if timm wrote the document; and its value for a path: first from model_args, then from the rest.
 * NULL if none. */
bool config_is_timm(const json_value *root);
const json_value *config_timm(const json_value *root, numel_str path);
/* ... true if the effect of each of its model_args is known: the spec reads it, it changes no tensor, or it
 * is the architecture's own value. Null counts as not given. CONFIG names the first unknown one; NOMEM. */
NUMEL_MUST bool config_arguments_hold(const json_value *root, const char *file, numel_error *e);

/* config_refused.c: true if the class that a document names, and those of its parts, accept each of their
 * arguments. CONFIG names the first that they refuse. */
NUMEL_MUST bool config_arguments_taken(const json_value *root, const char *file, numel_error *e);

/* config_relations.c: true if the class that the configuration names ignores this part or key. */
bool config_unused(const json_value *root, numel_str key);
/* ... true if each argument that must divide another does: heads a width, groups channels. CONFIG names the
 * first that does not. */
NUMEL_MUST bool config_parts_fit(const json_value *object, const struct defaults_class *class,
                                 const char *file, numel_error *e);

/* True if config_hide() ignores a value that a document states. */
static inline bool config_hides(const struct config *c, numel_str path, const struct value *v)
{
    return c->hidden && v->kind == VALUE_INT && (c->hidden[0] == '.' || text_equal(path, c->hidden));
}

/* ... or the default of the hidden key. */
static inline bool config_hides_default(const struct config *c, numel_str path, const struct value *v)
{
    return c->hidden && c->hidden[0] != '.' && config_hides(c, path, v);
}

/* config_part.c: takes the next step off a dotted path; *last if nothing follows. */
numel_str config_step(numel_str *path, bool *last);

/* config_inferred.c: NULL if the key is neither watched nor given. */
struct inferred *inferred_find(struct config *c, numel_str key);

/* params.c: the value in params.json for a path named as in config.json. *key becomes its name there. False
 * if it has none. */
bool params_value(const json_value *root, numel_str path, struct value *out, const char **key);
bool params_is(const json_value *root);

/* defaults.c */
bool defaults_find(numel_str model_type, struct defaults_class *out);
/* The class of the model type whose configuration class has this name. */
bool defaults_of_class(numel_str name, struct defaults_class *out);
/* The JSON text of a key's default; false if the class has none. */
bool defaults_value(const struct defaults_class *c, numel_str key, numel_str *json);
/* True if the default of the key is true or false. In a diffusers configuration, null then means false. */
bool defaults_flag(const struct defaults_class *, numel_str key);
/* The default of a key that the class derives from the keys in *of (comma-separated), valid while all of
 * those have their defaults. */
bool defaults_derived(const struct defaults_class *c, numel_str key, numel_str *of, numel_str *json);
/* Kinds of value that the class accepts for a key: "null|int>=0|list(3)" (kinds.py); false if unknown. */
bool defaults_kinds(const struct defaults_class *c, numel_str key, numel_str *kinds);
/* The i-th pair of arguments in which one must divide the other, or each of its items if it is a list; false
 * if there are no more. */
bool defaults_divides(const struct defaults_class *c, size_t i, numel_str *key, numel_str *other);
/* The class of the nested configuration under `key`. */
bool defaults_nested(const struct defaults_class *c, numel_str key, struct defaults_class *out);
/* The class of a part, an object inside one of class `owner`: by its own model_type, else by its key. If
 * `owner` is unknown, its line.p is NULL. */
bool defaults_of_part(const struct defaults_class *owner, const json_value *part, struct defaults_class *out);
/* The other name of a key (attribute_map), in either direction; false if it has none. */
bool defaults_alias(const struct defaults_class *c, numel_str key, numel_str *other);
/* The value that an object of the class has under any other name of a key; NULL if none. */
const json_value *defaults_renamed(const struct defaults_class *c, const json_value *object, numel_str key);
/* True if the class has the key, under any of its names. */
bool defaults_have(const struct defaults_class *c, numel_str key);

#endif
