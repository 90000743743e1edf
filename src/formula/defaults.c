/*
 * defaults.c -- what a configuration class assumes when config.json is silent.
 *
 * defaults.table (built in; mkdefaults.py made it) has one class a line, words between blanks:
 *   gpt2 GPT2Config n_embd=768 hidden_size@n_embd ...     key=JSON, key@other_name
 *   gemma3 Gemma3Config text_config>gemma3_text ...       key>model type of the nested class
 * It is ours and well-formed; still nothing here reads past its end.
 */
#include "formula/config_parts.h"
#include "formula/embedded.h"

#include <string.h>

static bool word_next(numel_str *line, numel_str *word)
{
    const char *space = line->n ? memchr(line->p, ' ', line->n) : NULL;
    size_t n = space ? (size_t)(space - line->p) : line->n;
    *word = (numel_str){ line->p, n };
    size_t skip = n + (space != NULL);
    *line = (numel_str){ line->p + skip, line->n - skip };
    return n > 0;
}

static numel_str table(void)
{
    for (size_t i = 0; i < embedded_count; i++)
        if (strcmp(embedded_files[i].name, "defaults.table") == 0)
            return (numel_str){ (const char *)embedded_files[i].text, embedded_files[i].bytes };
    return (numel_str){ "", 0 };
}

bool defaults_find(numel_str model_type, struct defaults_class *out)
{
    numel_str all = table();
    if (!model_type.n) return false;
    for (const char *at = all.p, *end = all.p + all.n; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        numel_str line = { at, (size_t)(stop - at) }, word;
        if (line.n > model_type.n && line.p[model_type.n] == ' ' &&
            memcmp(line.p, model_type.p, model_type.n) == 0 && word_next(&line, &word)) {
            out->model_type = word;
            word_next(&line, &out->name);
            out->line = line;
            return true;
        }
        at = stop < end ? stop + 1 : end;
    }
    return false;
}

/* The rest of the word that starts with key and sign. */
static bool entry(const struct defaults_class *c, numel_str key, char sign, numel_str *rest)
{
    numel_str line = c->line, word;
    while (word_next(&line, &word))
        if (word.n > key.n && word.p[key.n] == sign && memcmp(word.p, key.p, key.n) == 0) {
            *rest = (numel_str){ word.p + key.n + 1, word.n - key.n - 1 };
            return true;
        }
    return false;
}

bool defaults_value(const struct defaults_class *c, numel_str key, numel_str *json)
{
    return entry(c, key, '=', json);
}

bool defaults_nested(const struct defaults_class *c, numel_str key, struct defaults_class *out)
{
    numel_str model_type;
    return entry(c, key, '>', &model_type) && defaults_find(model_type, out);
}

bool defaults_alias(const struct defaults_class *c, numel_str key, numel_str *other)
{
    numel_str line = c->line, word;
    if (entry(c, key, '@', other)) return true;
    while (word_next(&line, &word)) {
        const char *at = memchr(word.p, '@', word.n);
        if (!at || (size_t)(word.p + word.n - at - 1) != key.n || memcmp(at + 1, key.p, key.n) != 0) continue;
        *other = (numel_str){ word.p, (size_t)(at - word.p) };
        return true;
    }
    return false;
}
