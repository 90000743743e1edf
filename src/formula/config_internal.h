/*
 * config_internal.h -- between config*.c, params.c, defaults.c and numbers.c only.
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

struct kept { /* the JSON text of a default, parsed */
    numel_str text;
    json_value *value;
};

struct inferred { /* null: nothing any more, unless it is said to be null */
    numel_str key;
    struct value value;
    bool null;
    bool asked; /* since config_forget_asked() */
};

/* What never changes while inferred values come and go, kept by the paths that were asked for. */
struct answer {
    numel_str paths; /* one behind the other, each with a NUL; first: see names.h */
    bool declared;   /* by the user or a document: `value` is what they say */
    bool assumed;    /* `value` is a default, or that there is none */
    struct value value;
};

struct config {
    struct arena arena;
    struct document documents[CONFIG_DOCUMENTS];
    size_t document_count;
    struct document quantization; /* root NULL: none; file: where it stands */
    const char *quant_method;     /* its method when it does not name one */
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
    numel_str supposed;              /* model type whose class has the defaults where nobody says one */
    const char *hidden;              /* see config_hide() */
    const struct spec *answers_spec; /* for which, and for which side, they were given */
    enum side answers_side;
    uint32_t vintage; /* 0: the newest; config_vintage() */
    bool passing; /* the default that was asked for rests on inferred values, and lasts no longer than they */
    bool counts_held; /* they were looked at, and nothing has changed since: config_counts_hold() */
};

/* defaults.c: the class of a model type; a line of the table. */
struct defaults_class {
    numel_str line, model_type, name;
};
/* config.c: what --set says of a name; NULL: nothing. */
struct assignment *config_set_find(struct config *c, numel_str name);
/* The class that stands behind the object in which the last step of a path is looked up, and that
 * object itself (NULL when the document lacks it). */
struct place {
    const json_value *object;
    struct defaults_class class;
    bool has_class;
    numel_str last;
};
/* config_part.c: that of a path in a document, or where there is none. */
struct place config_place(struct config *c, const struct spec *spec, const struct document *d,
                          numel_str path);
/* config_part.c: the class of the object that a path's last step, *key, is looked up in; false: unknown. */
bool config_class_at(struct config *c, const struct spec *spec, numel_str path, struct defaults_class *class,
                     numel_str *key);
/* config_part.c: a configuration inside of another, of that class (NULL: unknown), whose older name for it goes before its own: CLIP's
 * text_config_dict before text_config. */
const json_value *config_nested(const json_value *outer, const struct defaults_class *class, numel_str name);
/* Does a default of a composite that stands for a part of it (`default text_config.hidden_size 4096`) not count?
 * It is meant for configurations without the part; one that has it is read as the part's own class reads it. */
bool config_part_overrules(const struct config *c, const struct spec *s, const struct spec_default *d);

/* config_part.c: what names the class behind a document: its model_type, diffusers' _class_name, or the architecture
 * that timm saved; {NULL, 0}: nothing. */
numel_str config_class_name(const json_value *root);
/* ... and what a document of timm has for a path: an argument of its model_args, before all that stands beside it.
 * NULL: nothing. */
bool config_is_timm(const json_value *root);
const json_value *config_timm(const json_value *root, numel_str path);
/* ... and is known what each of its model_args does: the specification reads it, it changes no tensor, or it is the
 * architecture's own value? Null is no argument. CONFIG: of one it is not. NOMEM. */
NUMEL_MUST bool config_arguments_hold(const json_value *root, const char *file, numel_error *e);

/* config_refused.c: can the class that a document names, and those of its parts, be built of each of their arguments? CONFIG names the first of which they cannot. */
NUMEL_MUST bool config_arguments_taken(const json_value *root, const char *file, numel_error *e);

/* config_relations.c: a part of a configuration, or a key, that the class it names makes nothing of. */
bool config_unused(const json_value *root, numel_str key);
/* ... does what must divide another argument of the object divide it: heads a width, groups channels? CONFIG names the first that does not. */
NUMEL_MUST bool config_parts_fit(const json_value *object, const struct defaults_class *class,
                                 const char *file, numel_error *e);

/* Is a value that a document states passed over? */
static inline bool config_hides(const struct config *c, numel_str path, const struct value *v)
{
    return c->hidden && v->kind == VALUE_INT && (c->hidden[0] == '.' || text_equal(path, c->hidden));
}

/* ... and the default of the one key that is hidden? */
static inline bool config_hides_default(const struct config *c, numel_str path, const struct value *v)
{
    return c->hidden && c->hidden[0] != '.' && config_hides(c, path, v);
}

/* config_part.c: the next step of a dotted path, moved past; *last when nothing follows. */
numel_str config_step(numel_str *path, bool *last);

/* config_inferred.c: NULL when the key is neither watched nor given. */
struct inferred *inferred_find(struct config *c, numel_str key);

/* params.c: the value that params.json has under the name config.json gives it. *key gets its own
 * name for it. False: it says nothing. */
bool params_value(const json_value *root, numel_str path, struct value *out, const char **key);
bool params_is(const json_value *root);

/* defaults.c */
bool defaults_find(numel_str model_type, struct defaults_class *out);
/* That of the model type whose configuration's class has the name. */
bool defaults_of_class(numel_str name, struct defaults_class *out);
/* The JSON text of a key's default; false when the class has none. */
bool defaults_value(const struct defaults_class *c, numel_str key, numel_str *json);
/* Is that of the key true or false? A configuration of diffusers that says null means no. */
bool defaults_flag(const struct defaults_class *, numel_str key);
/* That of a key which the class derives from others, names between commas, where all of those are defaults. */
bool defaults_derived(const struct defaults_class *c, numel_str key, numel_str *of, numel_str *json);
/* What the class of diffusers cannot be built of as that argument: "nb3=a|b" (mkrefused.py); false when nobody says. */
bool defaults_refused(const struct defaults_class *c, numel_str key, numel_str *kinds);
/* The i-th pair of arguments of which the one must divide the other, or all of it where that is a list; false: there are no more. */
bool defaults_divides(const struct defaults_class *c, size_t i, numel_str *key, numel_str *other);
/* The class of the nested configuration under `key`. */
bool defaults_nested(const struct defaults_class *c, numel_str key, struct defaults_class *out);
/* The class of a part, an object inside of one of class `owner`: by its own model_type, else by its key. `owner` may be unknown, line.p NULL. */
bool defaults_of_part(const struct defaults_class *owner, const json_value *part, struct defaults_class *out);
/* The other name of a key (attribute_map), in either direction; false when it has none. */
bool defaults_alias(const struct defaults_class *c, numel_str key, numel_str *other);
/* What an object of the class has under any other name of a key; NULL: nothing. */
const json_value *defaults_renamed(const struct defaults_class *c, const json_value *object, numel_str key);
/* Is it a key of the class, by any of its names? */
bool defaults_have(const struct defaults_class *c, numel_str key);

#endif
