/*
 * config_unread.c -- sizes that a configuration gives under a name that its class does not read.
 *
 * `n_embd` is the width of a GPT-2 and nothing at all in a configuration of Llama, which has hidden_size by default then. Which names
 * stand for one size is known from the classes: LlamaConfig has no n_embd, but others have, and call it hidden_size.
 */
#include "formula/config_parts.h"

#include "formula/lookup.h"
#include "base/number.h"
#include "base/text.h"

/* The number that the class has by default under that name, or under its other one; neither is given. */
static bool supposed(const json_value *object, const struct defaults_class *class, numel_str name,
                     uint64_t *n)
{
    numel_str json, other;
    if (json_at(object, name) || defaults_renamed(class, object, name)) return false;
    if (defaults_value(class, name, &json)) return number_plain(json, n);
    return defaults_alias(class, name, &other) && defaults_value(class, other, &json) &&
           number_plain(json, n);
}

/* A size of the class that other classes call `key`, where it is not given. */
static bool meant(const json_value *object, const struct defaults_class *class, numel_str key,
                  struct config_unread *out)
{
    for (uint32_t i = 0; lookup_alias(key, i, &out->read); i++)
        if (supposed(object, class, out->read, &out->used)) return true;
    return false;
}

static void look(const json_value *object, const struct defaults_class *class, config_unread_fn *tell,
                 void *ctx)
{
    for (const json_value *v = json_first(object); v; v = json_next(v)) {
        struct config_unread x = { .key = text_of(json_name(v)), .class = class->name };
        struct defaults_class part;
        int64_t n;
        if (json_kind(v) == JSON_OBJECT && defaults_of_part(class, v, &part)) look(v, &part, tell, ctx);
        bool number = json_integer(v, &n) && n >= 0; /* below 0 it was refused */
        if (!number || !meant(object, class, x.key, &x) || defaults_have(class, x.key)) continue;
        x.value = (uint64_t)n;
        if (x.value != x.used) tell(ctx, &x);
    }
}

void config_unread(const struct config *c, config_unread_fn *tell, void *ctx)
{
    struct defaults_class class;
    const json_value *root = c->document_count ? c->documents[0].root : NULL;
    const char *type = json_text_of(json_get(root, "model_type"));
    if (type && defaults_find(text_of(type), &class)) look(root, &class, tell, ctx);
}
