/*
 * defaults.c -- the values that a configuration class assumes for keys missing from config.json.
 *
 * defaults.table (built in, written by mkdefaults.py) has one class a line, as words separated by blanks:
 *   gpt2 GPT2Config n_embd=768 hidden_size@n_embd ...
 *   gemma3 Gemma3Config text_config>gemma3_text ...
 *   bert BertConfig hidden_size!whole num_attention_heads/hidden_size ...
 *
 *   key=JSON               its default
 *   key~other,other=JSON   its default while the other keys have theirs
 *   key@name               another name of it
 *   key>model_type         the model type of the nested class
 *   key!KINDS              kinds of value that it accepts (config_refused.c)
 *   key/other              it must divide the other key (config_relations.c)
 *
 * In diffusers.table the model class stands for both names. Products list how a published model differs from
 * its class:
 *   ControlNetModel.sd-1 ControlNetModel cross_attention_dim=768
 * The table is ours and well-formed; even so, nothing here reads past its end.
 */
#include "base/text.h"
#include "base/number.h"
#include "formula/config_internal.h"
#include "formula/lookup.h"

#include <string.h>

static bool word_next(numel_str *line, numel_str *word)
{
    const char *space = line->n ? memchr(line->p, ' ', line->n) : NULL;
    size_t n = space ? (size_t)(space - line->p) : line->n;
    *word = (numel_str){ line->p, n };
    size_t skip = n + (space != NULL);
    *line = text_from(*line, skip);
    return n > 0;
}

static void begin(struct defaults_class *c)
{
    word_next(&c->line, &c->model_type);
    word_next(&c->line, &c->name);
}

bool defaults_find(numel_str model_type, struct defaults_class *out)
{
    if (!lookup_defaults(model_type, &out->line)) return false;
    begin(out);
    return true;
}

bool defaults_of_class(numel_str name, struct defaults_class *out)
{
    if (!lookup_defaults_of(name, &out->line)) return false;
    begin(out);
    return true;
}

/* The rest of the word that starts with key and sign. */
static bool entry(const struct defaults_class *c, numel_str key, char sign, numel_str *rest)
{
    numel_str line = c->line, word;
    while (word_next(&line, &word))
        if (word.n > key.n && word.p[key.n] == sign && memcmp(word.p, key.p, key.n) == 0) {
            *rest = text_from(word, key.n + 1);
            return true;
        }
    return false;
}

bool defaults_value(const struct defaults_class *c, numel_str key, numel_str *json)
{
    struct defaults_class own;
    if (entry(c, key, '=', json)) return true;
    return !text_same(c->name, c->model_type) && defaults_find(c->name, &own) && entry(&own, key, '=', json);
}

bool config_class_number(numel_str model_type, numel_str key, uint64_t *n)
{
    struct defaults_class class;
    numel_str json;
    return defaults_find(model_type, &class) && defaults_value(&class, key, &json) && number_plain(json, n);
}

bool defaults_flag(const struct defaults_class *c, numel_str key)
{
    numel_str json;
    return defaults_value(c, key, &json) && (text_equal(json, "true") || text_equal(json, "false"));
}

bool defaults_derived(const struct defaults_class *c, numel_str key, numel_str *of, numel_str *json)
{
    if (!entry(c, key, '~', json)) return false;
    *of = text_cut(json, '=');
    return true;
}

bool defaults_kinds(const struct defaults_class *c, numel_str key, numel_str *kinds)
{
    return entry(c, key, '!', kinds);
}

bool defaults_divides(const struct defaults_class *c, size_t i, numel_str *key, numel_str *other)
{
    numel_str line = c->line, word;
    while (word_next(&line, &word)) {
        size_t sign = text_find(word, 0, '/');
        if (sign == word.n || memchr(word.p, '=', word.n) || memchr(word.p, '!', word.n) || i--) continue;
        *key = text_upto(word, sign);
        *other = text_from(word, sign + 1);
        return true;
    }
    return false;
}

bool defaults_nested(const struct defaults_class *c, numel_str key, struct defaults_class *out)
{
    numel_str model_type;
    return entry(c, key, '>', &model_type) && defaults_find(model_type, out);
}

bool defaults_of_part(const struct defaults_class *owner, const json_value *part, struct defaults_class *out)
{
    const char *own = json_text_of(json_get(part, "model_type"));
    if (own) return defaults_find(text_of(own), out);
    return owner->line.p && defaults_nested(owner, text_of(json_name(part)), out);
}

/* The next name of a key among the remaining words. */
static bool alias_next(numel_str *line, numel_str key, numel_str *other)
{
    numel_str word;
    while (word_next(line, &word)) {
        size_t at = text_find(word, 0, '@');
        if (at == word.n || !text_same(text_from(word, at + 1), key)) continue;
        *other = text_upto(word, at);
        return true;
    }
    return false;
}

bool defaults_alias(const struct defaults_class *c, numel_str key, numel_str *other)
{
    numel_str line = c->line;
    return entry(c, key, '@', other) || alias_next(&line, key, other);
}

const json_value *defaults_renamed(const struct defaults_class *c, const json_value *object, numel_str key)
{
    numel_str line = c->line, other;
    const json_value *v = entry(c, key, '@', &other) ? json_at(object, other) : NULL;
    while (!v && alias_next(&line, key, &other)) v = json_at(object, other);
    return v;
}

bool defaults_have(const struct defaults_class *c, numel_str key)
{
    numel_str of, other;
    return defaults_value(c, key, &other) || defaults_alias(c, key, &other) ||
           defaults_derived(c, key, &of, &other) || defaults_kinds(c, key, &other) || defaults_flag(c, key);
}
