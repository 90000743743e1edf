/* parts.c -- evaluates parts of models; see parts.h. */
#include "formula/parts.h"

#include "formula/config_internal.h"
#include "formula/lookup.h"

#include <string.h>

/* The classes of a model type: the rest of a line of the table. */
struct classes {
    numel_str prefix, words;
};

static bool classes_find(numel_str model_type, struct classes *out)
{
    if (!model_type.n || !lookup_classes(model_type, &out->words)) return false;
    text_word(&out->words);
    out->prefix = text_word(&out->words);
    return true;
}

/* The class of that kind; false if there is none. */
static bool class_of_kind(const struct classes *c, numel_str kind, numel_str *name)
{
    numel_str words = c->words;
    for (numel_str word = text_word(&words); word.n; word = text_word(&words))
        if (word.n > kind.n && word.p[kind.n] == '=' && memcmp(word.p, kind.p, kind.n) == 0) {
            *name = text_from(word, kind.n + 1);
            return true;
        }
    return false;
}

/* True if the class name begins with the model type, ignoring "_", "-" and case. */
static bool is_called_after(numel_str class, numel_str model_type)
{
    size_t at = 0;
    for (size_t i = 0; i < model_type.n; i++) {
        char c = model_type.p[i];
        if (c == '_' || c == '-') continue;
        if (at == class.n || (class.p[at] | 0x20) != (c | 0x20)) return false; /* letters and digits only */
        at++;
    }
    return true;
}

bool part_type_of_class(numel_str class, numel_str *model_type)
{
    bool found = false, called = false;
    numel_str line;
    for (uint32_t i = 0; lookup_classes_line(i, &line) && !called; i++) {
        numel_str words = line, type = text_word(&words);
        text_word(&words); /* the prefix */
        for (numel_str word = text_word(&words); word.n; word = text_word(&words)) {
            text_cut(&word, '='); /* KIND=Class */
            if (!text_same(word, class)) continue;
            called = is_called_after(class, type);
            if (!found || called) *model_type = type;
            found = true;
            break;
        }
    }
    return found;
}

/* The usual name of a class that is not listed: "FooModel" for FooConfig. */
NUMEL_MUST static bool likely(struct env *env, numel_str model_type, const char *end, numel_str *out)
{
    struct defaults_class class;
    *out = (numel_str){ "", 0 };
    if (!defaults_find(model_type, &class)) return true;
    text_take_end(&class.name, "Config");
    *out = arena_join(env->arena, class.name, text_of(end), text_of(""));
    return out->p || error_nomem(env->error);
}

/* Kinds, such as "causal" or "image_text", do not begin with a capital; classes do. */
static bool is_kind(numel_str s) { return s.n && (s.p[0] < 'A' || s.p[0] > 'Z'); }

/* The class for a kind that the table lacks. */
NUMEL_MUST static bool unlisted(struct env *env, uint32_t scope, bool listed, numel_str kind, numel_str *name)
{
    const struct part_scope *s = &env->spec->scopes[scope];
    char path[TEXT_QUOTE], type[TEXT_QUOTE], word[TEXT_QUOTE];
    if (text_equal(kind, "base")) return likely(env, s->type, "Model", name);
    if (!listed && text_equal(kind, "causal")) return likely(env, s->type, "ForCausalLM", name);
    return eval_fail(env, s->class, NUMEL_E_CONFIG, "%s is of model type %s, which has no class that is %s",
                     text_bare(path, s->base), text_quote(type, s->type), text_bare(word, kind));
}

bool part_class(struct env *env, uint32_t scope, struct value *out)
{
    const struct part_scope *s = &env->spec->scopes[scope];
    struct classes classes;
    char shown[EVAL_SHOW];
    numel_str name = { "", 0 };
    *out = value_text(text_of("base"));
    if (s->class && !eval(env, s->class, out)) return false;
    if (out->kind != VALUE_TEXT)
        return eval_fail(env, s->class, NUMEL_E_CONFIG, "%s is not a class", eval_show(shown, out));
    if (!is_kind(out->s)) return true;
    bool listed = classes_find(s->type, &classes);
    if (!(listed && class_of_kind(&classes, out->s, &name)) && !unlisted(env, scope, listed, out->s, &name))
        return false;
    out->s = name;
    return true;
}

/* True for a class without a head: its names lack the prefix that classes with a head have. */
static bool is_bare(const struct classes *c, numel_str class)
{
    static const char *const kinds[] = { "base", "backbone", "encoding", "vision" };
    numel_str name = { "", 0 };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (class_of_kind(c, text_of(kinds[i]), &name) && text_same(name, class)) return true;
    return false;
}

bool part_strip(struct env *env, uint32_t scope, numel_str *out)
{
    const struct part_scope *s = &env->spec->scopes[scope];
    struct classes classes;
    struct value class;
    *out = (numel_str){ "", 0 };
    if (s->strip.p) return *out = s->strip, true;
    if (!s->bare.n || !classes_find(s->type, &classes)) return true;
    if (!part_class(env, scope, &class)) return false;
    if (is_bare(&classes, class.s)) *out = s->bare;
    return true;
}

bool part_prefix(struct arena *a, numel_str model_type, numel_str *out, numel_error *e)
{
    struct classes classes;
    *out = (numel_str){ "", 0 };
    if (!classes_find(model_type, &classes) || text_equal(classes.prefix, "-")) return true;
    *out = arena_join(a, classes.prefix, text_of("."), text_of(""));
    return out->p || error_nomem(e);
}

bool part_says(const struct spec *s, uint32_t scope, numel_str key)
{
    for (unsigned i = 0; scope && i < s->scopes[scope].key_count; i++)
        if (text_same(s->scopes[scope].keys[i].name, key)) return true;
    return scope && text_equal(key, "model_type");
}

/* The part's model type, which is always known; its evidence depends on where it comes from. */
static bool model_type(struct env *env, const struct part_scope *s, struct value *out)
{
    char room[PART_PATH];
    numel_str path =
        text_join(room, sizeof room, s->base, text_of(s->base.n ? "." : ""), text_of("model_type"));
    *out = value_null();
    if (path.p && !config_value(env->config, env->spec, env->values, &path, 1, out, env->error)) return false;
    bool said = out->kind == VALUE_TEXT && text_same(out->s, s->type);
    if (!said) out->evidence = EVIDENCE_DEFAULTED;
    out->kind = VALUE_TEXT;
    out->s = s->type;
    return true;
}

bool part_key(struct env *env, uint32_t scope, numel_str key, struct value *out, bool *said)
{
    const struct part_scope *s = &env->spec->scopes[scope];
    *said = part_says(env->spec, scope, key);
    for (unsigned i = 0; *said && i < s->key_count; i++)
        if (text_same(s->keys[i].name, key)) return eval(env, s->keys[i].value, out);
    return !*said || model_type(env, s, out);
}

bool part_path(struct env *env, uint32_t scope, numel_str path, char room[PART_PATH], numel_str *out)
{
    numel_str base = env->spec->scopes[scope].base;
    *out = path;
    if (!base.n) return true;
    *out = text_join(room, PART_PATH, base, text_of("."), path);
    if (!out->p) *out = arena_join(env->arena, base, text_of("."), path);
    return out->p || error_nomem(env->error);
}

bool part_name(struct env *env, uint32_t scope, numel_str name, const char **out)
{
    const struct part_place *p = scope ? env->place : NULL;
    while (p && p->scope != scope) p = p->outer;
    numel_str before = { p ? p->prefix->p : "", p ? p->start : 0 };
    numel_str whole = arena_join(env->arena, before, name, text_of(""));
    if (!whole.p) return error_nomem(env->error);
    part_bare(p, (char *)whole.p, whole.n);
    *out = whole.p;
    return true;
}

size_t part_bare(const struct part_place *p, char *name, size_t n)
{
    for (; p; p = p->outer) {
        size_t from = p->start + p->strip.n;
        if (!p->strip.n || from > n || memcmp(name + p->start, p->strip.p, p->strip.n) != 0) continue;
        memmove(name + p->start, name + from, n - from + 1);
        n -= p->strip.n;
    }
    return n;
}
