/*
 * config_unread.c -- sizes that a configuration gives under a name that its class does not read.
 *
 * `n_embd` is the width of GPT-2, but means nothing in a Llama configuration, which then has the default
 * hidden_size. The classes show which names stand for the same size: LlamaConfig has no n_embd, but in other
 * classes it is another name of hidden_size.
 */
#include "formula/config_internal.h"

#include "formula/lookup.h"
#include "base/number.h"
#include "base/text.h"

/* The class's default under that name or its alias, if the object gives neither. */
static bool supposed(const json_value *object, const struct defaults_class *class, numel_str name,
                     uint64_t *n)
{
    numel_str json, other;
    if (json_at(object, name) || defaults_renamed(class, object, name)) return false;
    if (defaults_value(class, name, &json)) return number_plain(json, n);
    return defaults_alias(class, name, &other) && defaults_value(class, other, &json) &&
           number_plain(json, n);
}

/* A number of at least 0 in the object, under a name that the class does not have. */
static bool strange(const json_value *object, const struct defaults_class *class, numel_str key,
                    uint64_t *value)
{
    int64_t n;
    if (!json_integer(json_at(object, key), &n) || n < 0 || defaults_have(class, key)) return false;
    *value = (uint64_t)n;
    return true;
}

/* Few names have an alias, so looking up each of them is linear in the object's keys, even if it repeats
 * one. */
static void look_here(const json_value *object, const struct defaults_class *class, config_unread_fn *tell,
                      void *ctx)
{
    struct config_unread x = { .class = class->name };
    numel_str key, told = { NULL, 0 };
    for (uint32_t i = 0; lookup_alias(i, &key, &x.read); i++) {
        if (text_same(key, told) || !strange(object, class, key, &x.value)) continue;
        if (!supposed(object, class, x.read, &x.used)) continue;
        x.key = told = key;
        if (x.value != x.used) tell(ctx, &x);
    }
}

static void look(const json_value *object, const struct defaults_class *class, config_unread_fn *tell,
                 void *ctx)
{
    look_here(object, class, tell, ctx);
    for (const json_value *v = json_first(object); v; v = json_next(v)) {
        struct defaults_class part;
        if (json_kind(v) == JSON_OBJECT && defaults_of_part(class, v, &part)) look(v, &part, tell, ctx);
    }
}

void config_unread(const struct config *c, config_unread_fn *tell, void *ctx)
{
    struct defaults_class class;
    const json_value *root = c->document_count ? c->documents[0].root : NULL;
    const char *type = json_text_of(json_get(root, "model_type"));
    if (type && defaults_find(text_of(type), &class)) look(root, &class, tell, ctx);
}
