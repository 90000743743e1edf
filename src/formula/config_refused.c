/*
 * config_refused.c -- arguments that a diffusers class, or a transformers configuration, refuses.
 *
 * Much of a configuration shows in no shape: the name of an activation, a sample size, a number of groups.
 * Formulas do not read these keys, yet a model cannot be loaded if one of them is "x", or is null where the
 * class computes with it. What each class refuses was found by running it: words `key!KINDS` of
 * diffusers.table, by mkrefused.py, which explains the letters. A transformers configuration checks its
 * arguments against type annotations: the same words in defaults.table, by mkdefaults.py. Values that are
 * wrong only in combination, such as a number that does not divide another, are checked by
 * config_relations.c, the rest by the spec.
 */
#include "base/number.h"
#include "base/text.h"
#include "formula/config_internal.h"

#include <string.h>

/* True if KINDS has the letter. KINDS end where the words begin. */
static bool refuses(numel_str kinds, char letter) { return memchr(kinds.p, letter, kinds.n) != NULL; }

/* Splits "n3=a|b" into letters and words; false if it has no words. */
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

/* Checks an argument, or an item of one, that is neither a list nor an object. */
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

/* Number of down blocks, from the document or else the class. */
static uint64_t count_blocks(const json_value *root, const struct defaults_class *class)
{
    const json_value *types = json_get(root, "down_block_types");
    numel_str json;
    uint64_t n = json_count(types);
    if (types || !defaults_value(class, text_of("down_block_types"), &json)) return n;
    for (size_t i = 0; i < json.n; i++) n += json.p[i] == '"';
    return n / 2;
}

/* True if a list does not have the length that the class requires. */
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

/* The part of a value that the class refuses: the value itself or an item of it; NULL if none. */
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

/* Always false. */
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

/* Checks an object whose class is known, and its parts. The scanner has bounded the depth. A part that is not
 * built (`unused`) still gets a configuration: its arguments are checked one by one, but not against each
 * other. */
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
