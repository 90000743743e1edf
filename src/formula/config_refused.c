/*
 * config_refused.c -- arguments that a class of diffusers, or a configuration of transformers, cannot be built of.
 *
 * Much of a configuration is in no shape: the name of an activation, a size of samples, a number of groups. A formula does not
 * read it, and yet nobody can load a model whose configuration says "x" there, or null where the class reckons. What each class
 * refuses was tried with the class itself: words `key!KINDS` of diffusers.table, by mkrefused.py, which has the letters. A
 * configuration of transformers holds what it is given to its annotations: those words of defaults.table, by mkdefaults.py.
 * What is wrong only beside another argument, as a number that does not divide it, is config_relations.c's; the rest is for the
 * specification to say.
 */
#include "base/number.h"
#include "base/text.h"
#include "formula/config_internal.h"

#include <string.h>

/* Has KINDS, which end where its words begin, the letter? */
static bool refuses(numel_str kinds, char letter) { return memchr(kinds.p, letter, kinds.n) != NULL; }

/* "n3=a|b": the letters, and the words if there are any. */
static bool cut_words(numel_str *kinds, numel_str *words)
{
    size_t sign = text_find(*kinds, 0, '=');
    if (sign == kinds->n) return false;
    *words = text_from(*kinds, sign + 1);
    *kinds = text_upto(*kinds, sign);
    return true;
}

static bool number_refused(numel_str kinds, const json_value *v)
{
    int64_t n;
    if (refuses(kinds, 'i') || (refuses(kinds, 'w') && json_fractional(v))) return true;
    if (!json_integer(v, &n)) return refuses(kinds, 'f') || (json_double(v) < 0 && refuses(kinds, 'm'));
    return n < 0 ? refuses(kinds, 'm') : n == 0 && refuses(kinds, 'z');
}

/* Of the value of an argument, or of an item of it, that is neither a list nor an object. */
static bool one_refused(numel_str kinds, const json_value *v, bool item)
{
    numel_str words = { "", 0 };
    bool told = cut_words(&kinds, &words);
    switch (json_kind(v)) {
    case JSON_NULL: return refuses(kinds, item ? 'N' : 'n');
    case JSON_BOOL: return refuses(kinds, 'b') || refuses(kinds, json_true(v) ? 'y' : 'x');
    case JSON_STRING:
        return told ? !text_listed(words, '|', text_of(json_text_of(v))) : refuses(kinds, item ? 'T' : 't');
    case JSON_NUMBER: return (!item && refuses(kinds, 'p')) || number_refused(kinds, v);
    default: return false;
    }
}

/* The blocks on the way down: what the document says, or the class. */
static uint64_t count_blocks(const json_value *root, const struct defaults_class *class)
{
    const json_value *types = json_get(root, "down_block_types");
    numel_str json;
    uint64_t n = json_count(types);
    if (types || !defaults_value(class, text_of("down_block_types"), &json)) return n;
    for (size_t i = 0; i < json.n; i++) n += json.p[i] == '"';
    return n / 2;
}

/* A length that is none of the one that all lists must have. */
static bool length_refused(numel_str kinds, uint64_t n, uint64_t blocks)
{
    if (blocks && ((refuses(kinds, 'd') && n != blocks) || (refuses(kinds, 'D') && n < blocks))) return true;
    for (size_t i = 0; i < kinds.n; i++) {
        uint64_t sides = number_is_digit(kinds.p[i]) ? (uint64_t)(kinds.p[i] - '0') : 0;
        if (sides) return i && kinds.p[i - 1] == 's' ? n < sides : n != sides;
    }
    return false;
}

static const json_value *refused_in(numel_str kinds, const json_value *list)
{
    const json_value *found = NULL;
    for (const json_value *x = json_first(list); x && !found; x = json_next(x)) {
        if (json_kind(x) == JSON_ARRAY) found = refused_in(kinds, x);
        else if (one_refused(kinds, x, true)) found = x;
    }
    return found;
}

/* What the class cannot be built of: the value, or what it holds; NULL: nothing. */
static const json_value *refused_of(numel_str kinds, const json_value *v, uint64_t blocks)
{
    numel_str letters = kinds, words = { "", 0 };
    uint64_t n = json_count(v);
    cut_words(&letters, &words);
    if (json_kind(v) == JSON_OBJECT) return refuses(letters, 'o') ? v : NULL;
    if (json_kind(v) != JSON_ARRAY) return one_refused(kinds, v, false) ? v : NULL;
    if (refuses(letters, 'l') || (!n && refuses(letters, 'e')) || length_refused(letters, n, blocks))
        return v;
    return refused_in(kinds, v);
}

/* Always false, of a value that is there. */
NUMEL_MUST static bool refuse(const json_value *v, const json_value *what, numel_str class, const char *file,
                              numel_error *e)
{
    char called[TEXT_QUOTE], shown[TEXT_QUOTE], key[TEXT_QUOTE];
    const char *constant = json_constant(what);
    char *said = json_print(what);
    if (!said) return error_nomem(e);
    error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "%s %s %s, so no %s can be built",
              text_bare(key, text_of(json_name(v))), what == v ? "is" : "contains",
              text_bare(shown, text_of(constant ? constant : said)), text_bare(called, class));
    json_print_free(said);
    return error_file(e, file), false;
}

/* Of an object whose class is known, and of those of parts in it. The scanner has bounded how deep they lie. Of a part that is not built,
 * `unused`, the configuration is made all the same: what is wrong in it beside another argument nobody finds out. */
NUMEL_MUST static bool taken(const json_value *object, const struct defaults_class *class, numel_str called,
                             bool unused, const char *file, numel_error *e)
{
    struct defaults_class part;
    numel_str kinds;
    if (!unused && !config_parts_fit(object, class, file, e)) return false;
    uint64_t blocks = count_blocks(object, class);
    for (const json_value *v = json_first(object); v; v = json_next(v)) {
        numel_str key = text_of(json_name(v));
        const json_value *what = defaults_refused(class, key, &kinds) ? refused_of(kinds, v, blocks) : NULL;
        if (what) return refuse(v, what, called, file, e);
        if (json_kind(v) != JSON_OBJECT) continue;
        if (defaults_of_part(class, v, &part) &&
            !taken(v, &part, part.name, unused || config_unused(object, key), file, e))
            return false;
    }
    return true;
}

bool config_arguments_taken(const json_value *root, const char *file, numel_error *e)
{
    const char *diffusers = json_text_of(json_get(root, "_class_name")),
               *type = json_text_of(json_get(root, "model_type")), *name = diffusers ? diffusers : type;
    struct defaults_class class;
    if (!name || !defaults_find(text_of(name), &class)) return true;
    return taken(root, &class, diffusers ? text_of(name) : class.name, false, file, e);
}
