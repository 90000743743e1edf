/*
 * config_part.c -- configurations inside a configuration: their class and their defaults; see spec_part.c.
 */
#include "base/text.h"
#include "formula/config_internal.h"

#include <string.h>

numel_str config_step(numel_str *path, bool *last)
{
    *last = text_find(*path, 0, '.') == path->n;
    return text_cut(path, '.');
}

/* The rest of a path below a base, which may be empty; false if the path is not below it. */
static bool is_below(numel_str path, numel_str base, numel_str *rest)
{
    if (!base.n) return *rest = path, true;
    if (path.n <= base.n + 1 || path.p[base.n] != '.' || memcmp(path.p, base.p, base.n) != 0) return false;
    *rest = text_from(path, base.n + 1);
    return true;
}

const json_value *config_nested(const json_value *outer, const struct defaults_class *class, numel_str name)
{
    const json_value *part = class ? defaults_renamed(class, outer, name) : NULL;
    return json_kind(part) == JSON_OBJECT ? part : json_at(outer, name);
}

/* Sets the class of the configuration at a path that is a part of the spec, if it differs from the class
 * found there (*has). */
static void part_class(const struct spec *s, numel_str base, struct defaults_class *class, bool *has)
{
    struct defaults_class found;
    for (unsigned i = s ? s->scope_count : 0; i-- > 1;) {
        if (!text_same(s->scopes[i].base, base) || !defaults_find(s->scopes[i].type, &found)) continue;
        if (!*has || !text_same(class->name, found.name)) *class = found;
        *has = true;
        return;
    }
}

/* A part that is given has the defaults of its own class. The values that its owner uses for a missing part
 * apply only if the owner also completes parts that are given (`_given`). */
static void class_of(struct place *at, const json_value *parent_type, const json_value *object)
{
    const char *type = json_text_of(json_at(object, text_of("model_type")));
    bool same = type && parent_type && strcmp(type, json_text_of(parent_type)) == 0, has = at->has_class;
    struct defaults_class made = at->class;
    numel_str json;
    if (!object) return;
    if (type && !same && defaults_find(text_of(type), &at->class)) at->has_class = true;
    else if (has && defaults_value(&made, text_of("model_type"), &json) && json.n > 2)
        defaults_find(text_inner(json), &at->class);
    if (has && text_same(made.name, at->class.name) && defaults_value(&made, text_of("_given"), &json))
        at->class = made;
}

struct place config_place(struct config *c, const struct spec *spec, const struct document *d, numel_str path)
{
    const json_value *root = d ? d->root : NULL;
    struct place at = { .object = root };
    bool last, params = d && d->params;
    const char *from = path.p;
    struct assignment *set = config_set_find(c, text_of("model_type"));
    numel_str name = config_class_name(root);
    struct value v;
    const char *key;
    if (set) set->used = true;
    if (set && json_text_of(set->value)) name = text_of(json_text_of(set->value));
    if (!name.n && params && params_value(root, text_of("model_type"), &v, &key)) name = v.s;
    if (!name.n) name = c->supposed;
    at.has_class = defaults_find(name, &at.class);
    for (at.last = config_step(&path, &last); !last; at.last = config_step(&path, &last)) {
        const json_value *type_above = json_at(at.object, text_of("model_type"));
        at.object = config_nested(at.object, at.has_class ? &at.class : NULL, at.last);
        struct defaults_class outer = at.class;
        at.has_class = at.has_class && defaults_nested(&outer, at.last, &at.class);
        class_of(&at, json_text_of(type_above) ? type_above : NULL, at.object);
        numel_str base = text_span(from, at.last.p + at.last.n);
        part_class(spec, base, &at.class, &at.has_class);
    }
    return at;
}

bool config_class_at(struct config *c, const struct spec *spec, numel_str path, struct defaults_class *class,
                     numel_str *key)
{
    struct place at = config_place(c, spec, c->document_count ? &c->documents[0] : NULL, path);
    *class = at.class;
    *key = at.last;
    return at.has_class;
}

bool config_part_overrules(const struct config *c, const struct spec *s, const struct spec_default *d)
{
    numel_str path = text_of(d->path), key;
    bool last;
    for (unsigned i = 1; i < s->scope_count; i++) {
        numel_str base = s->scopes[i].base;
        if (i == d->scope || !base.n || !is_below(path, base, &key) || text_equal(key, "model_type"))
            continue;
        for (size_t k = 0; k < c->document_count; k++) {
            const json_value *object = c->documents[k].root;
            for (numel_str rest = base; rest.n && object;)
                object = json_at(object, config_step(&rest, &last));
            if (object && json_kind(object) == JSON_OBJECT) return true;
        }
    }
    return false;
}

/* ---- the model's class -------------------------------------------------------------------------- */

/* timm's name for the architecture, without the tag of its weights; {NULL, 0} if timm did not write the
 * document or the architecture is unknown. */
static numel_str timm_architecture(const json_value *root)
{
    const char *type = json_text_of(json_at(root, text_of("model_type")));
    const char *text = json_text_of(json_at(root, text_of("architecture")));
    struct defaults_class known;
    numel_str json;
    const json_value *part = json_at(json_at(root, text_of("model_args")), text_of("features_only"));
    if (!text || (type && strcmp(type, "timm_wrapper") != 0) || (part && json_true(part)))
        return (numel_str){ NULL, 0 };
    numel_str name = { text, strcspn(text, ".") };
    bool found = defaults_find(name, &known) && defaults_value(&known, text_of("timm"), &json);
    return found ? name : (numel_str){ NULL, 0 };
}

numel_str config_class_name(const json_value *root)
{
    numel_str timm = timm_architecture(root);
    const char *type = json_text_of(json_at(root, text_of("_class_name")));
    if (timm.n) return timm;
    if (!type) type = json_text_of(json_at(root, text_of("model_type")));
    return type ? text_of(type) : (numel_str){ NULL, 0 };
}

bool config_is_timm(const json_value *root) { return timm_architecture(root).n > 0; }

const json_value *config_timm(const json_value *root, numel_str path)
{
    const json_value *args = json_at(root, text_of("model_args")),
                     *pretrained = json_at(root, text_of("pretrained_cfg"));
    const json_value *v = json_at(args, path);
    numel_str rest = path;
    bool last;
    if (v) return v;
    if (text_equal(config_step(&rest, &last), "pretrained_cfg") && !last) {
        while (!last) pretrained = json_at(pretrained ? pretrained : root, config_step(&rest, &last));
        return pretrained;
    }
    /* num_features only describes the model; global_pool is an argument only in files without
     * pretrained_cfg. */
    if (text_equal(path, "num_features") || (pretrained && text_equal(path, "global_pool"))) return NULL;
    return json_at(root, path);
}

/* Arguments that create_model() consumes or that all architectures accept: no class is asked. */
static const char always[] =
    "cache_dir,checkpoint_path,exportable,features_only,global_pool,in_chans,no_jit,num_classes,"
    "pretrained,pretrained_cfg,pretrained_cfg_overlay,pretrained_strict,scriptable";

/* Sets *own if the value is the architecture's own, or its family's if the architecture states none. */
NUMEL_MUST static bool is_own(const struct defaults_class *known, const struct defaults_class *alike,
                              const json_value *v, bool *own, numel_error *e)
{
    numel_str json, key = text_of(json_name(v));
    *own = false;
    if (!defaults_value(known, key, &json) && !defaults_value(alike, key, &json)) return true;
    char *said = json_print(v);
    if (!said) return error_nomem(e);
    *own = text_equal(json, said);
    json_print_free(said);
    return true;
}

bool config_arguments_hold(const json_value *root, const char *file, numel_error *e)
{
    numel_str name = timm_architecture(root), takes;
    struct defaults_class known, alike;
    char called[TEXT_QUOTE], shown[TEXT_QUOTE];
    bool own = true;
    if (!name.n || !defaults_find(name, &known) || !defaults_nested(&known, text_of("T"), &alike) ||
        !defaults_value(&alike, text_of("takes"), &takes) || takes.n < 2)
        return true;
    takes = text_inner(takes);
    for (const json_value *v = json_first(json_at(root, text_of("model_args"))); v; v = json_next(v)) {
        numel_str key = text_of(json_name(v));
        if (json_kind(v) == JSON_NULL || text_listed(takes, ',', key) ||
            text_listed(text_of(always), ',', key))
            continue;
        if (!is_own(&known, &alike, v, &own, e)) return false;
        if (own) continue;
        error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "nobody knows what %s makes of its argument %s",
                  text_bare(called, name), text_bare(shown, key));
        return error_file(e, file), false;
    }
    return true;
}

bool config_kind(struct config *c, const struct spec *spec, enum side side, const char **key,
                 struct value *out, numel_error *e)
{
    numel_str type = text_of("model_type"), class = text_of("_class_name"), timm = text_of("architecture");
    numel_str arch = text_of("general.architecture");
    struct value other;
    *key = side == SIDE_HF ? type.p : arch.p;
    if (side != SIDE_HF) return config_value(c, spec, side, &arch, 1, out, e);
    if (!config_value(c, spec, side, &class, 1, &other, e)) return false;
    if (other.kind != VALUE_NULL)
        return *key = class.p, *out = other, true; /* diffusers reads nothing else */
    if (!config_value(c, spec, side, &type, 1, out, e)) return false;
    if (out->kind != VALUE_NULL) return true;
    if (!config_value(c, spec, side, &timm, 1, &other, e)) return false;
    if (other.kind == VALUE_NULL) return true;
    *key = timm.p;
    *out = other;
    return true;
}

/* ---- the model type of a part ------------------------------------------------------------------- */

/* True if a line of the table belongs to an owner: "llava.vision_config" to "llava". */
static bool is_owned(numel_str model_type, numel_str owner)
{
    numel_str rest;
    return owner.n && is_below(model_type, owner, &rest);
}

/* The model type that a class uses at a path if none is stated; false if it has no class there. */
static bool nested_type(numel_str model_type, numel_str path, numel_str *out)
{
    struct defaults_class class, inner;
    bool last;
    if (!defaults_find(model_type, &class)) return false;
    *out = class.model_type;
    while (path.n) {
        if (!defaults_nested(&class, config_step(&path, &last), &inner)) return false;
        *out = inner.model_type;
        bool owned = is_owned(inner.model_type, class.model_type); /* such as "llava.vision_config" */
        class = inner;
        if (owned && defaults_of_class(inner.name, &inner)) *out = inner.model_type;
    }
    return true;
}

/* The same, starting from what encloses the path: a part, else the declared type or a type that the spec
 * matches. */
static bool assumed_type(const struct spec *s, numel_str declared, numel_str path, numel_str *out)
{
    numel_str rest;
    for (unsigned i = s->scope_count; i-- > 1;)
        if (is_below(path, s->scopes[i].base, &rest)) return nested_type(s->scopes[i].type, rest, out);
    if (declared.n && nested_type(declared, path, out)) return true;
    for (size_t i = 0; i < s->rule_count; i++) {
        numel_str words = s->rules[i].words;
        if (s->rules[i].scope || s->rules[i].side != SIDE_HF || strcmp(s->rules[i].field, "model_type") != 0)
            continue;
        for (numel_str word = text_word(&words); word.n; word = text_word(&words))
            if (nested_type(word, path, out)) return true;
    }
    return false;
}

/* The value of `default PATH.model_type "x"` in the spec. */
static bool default_type(const struct spec *s, numel_str path, numel_str *out)
{
    for (size_t i = 0; i < s->default_count; i++) {
        numel_str key, json = text_of(s->defaults[i].json);
        if (!is_below(text_of(s->defaults[i].path), path, &key) || !text_equal(key, "model_type")) continue;
        if (json.n < 2 || json.p[0] != '"') continue;
        return *out = text_inner(json), true;
    }
    return false;
}

/* The model type declared at a path ("" for the top). The base class of all configurations writes an empty
 * one: it counts as not declared. */
NUMEL_MUST static bool declared_type(struct config *c, numel_str path, numel_str *out, numel_error *e)
{
    char room[256];
    numel_str key = text_join(room, sizeof room, path, text_of(path.n ? "." : ""), text_of("model_type"));
    struct value v = value_null();
    *out = (numel_str){ NULL, 0 };
    if (c && key.p && !config_value(c, NULL, SIDE_HF, &key, 1, &v, e)) return false;
    if (v.kind == VALUE_TEXT && v.s.n) *out = v.s;
    return true;
}

bool config_part_type(struct config *c, const struct spec *s, numel_str path, numel_str *out, numel_error *e)
{
    numel_str top, around, assumed = { NULL, 0 }, above = { path.p, 0 };
    for (size_t i = 0; i < path.n; i++)
        if (path.p[i] == '.') above.n = i;
    if (!declared_type(c, path, out, e) || !declared_type(c, (numel_str){ "", 0 }, &top, e) ||
        !declared_type(c, above, &around, e))
        return false;
    if (!default_type(s, path, &assumed)) assumed_type(s, top, path, &assumed);
    bool same = out->p && around.p && text_same(*out, around); /* its author copied the whole model's */
    if (assumed.p && (!out->p || same)) *out = assumed;
    return true;
}
