/*
 * config_refused.c -- arguments that a diffusers class, or a transformers configuration, refuses.
 *
 * Much of a configuration shows in no shape: the name of an activation, a sample size, a number of groups.
 * Formulas do not read these keys, yet a model cannot be loaded if one of them is "x", or is null where the
 * class computes with it. What each class accepts was found by running it: words `key!KINDS` of
 * diffusers.table, by mkrefused.py. A transformers configuration checks its arguments against type
 * annotations: the same words in defaults.table, by mkdefaults.py. kinds.py defines them. Values that are
 * wrong only in combination, such as a number that does not divide another, are checked by
 * config_relations.c, the rest by the spec.
 */
#include "base/number.h"
#include "base/text.h"
#include "formula/config_internal.h"

#include <string.h>

/* Words for numbers. flags: they include true and false; fractions: also 1.5; written: also 32.0. */
static const struct number_word {
    const char *word;
    bool flags, fractions, written;
} number_words[] = {
    { "number", true, true, true },     { "whole", true, false, true }, { "float", false, true, true },
    { "integral", false, false, true }, { "int", false, false, false },
};

/* The word for numbers in KINDS, and its limit, ">0"; NULL if none is accepted. */
static const struct number_word *number_word(numel_str kinds, numel_str *limit)
{
    while (kinds.n) {
        numel_str word = text_cut(&kinds, '|');
        for (size_t i = 0; i < sizeof number_words / sizeof *number_words; i++) {
            *limit =
                text_from(word, text_starts(word, number_words[i].word) ? strlen(number_words[i].word) : 0);
            if (limit->n < word.n && (!limit->n || limit->p[0] == '<' || limit->p[0] == '>'))
                return &number_words[i];
        }
    }
    return NULL;
}

static bool number_accepted(const struct number_word *kind, numel_str limit, const json_value *v)
{
    int64_t n;
    if (!kind->written && json_fractional(v)) return false;
    if (!json_integer(v, &n)) return kind->fractions && (json_double(v) >= 0 || !text_starts(limit, ">"));
    return n < 0 ? !text_starts(limit, ">") : n > 0 || !limit.n || text_equal(limit, ">=0");
}

/* True if KINDS lists the text, in quotes, or lists no texts and `otherwise` is true. */
static bool text_accepted(numel_str kinds, const char *text, bool otherwise)
{
    bool told = false;
    while (kinds.n) {
        numel_str word = text_cut(&kinds, '|');
        if (text_first(word) != '"') continue;
        if (text_equal(text_inner(word), text)) return true;
        told = true;
    }
    return !told && otherwise;
}

/* The brackets of the word "list" in KINDS, "3,text"; NULL if no list is accepted. */
static numel_str list_of(numel_str kinds)
{
    while (kinds.n) {
        numel_str word = text_cut(&kinds, '|');
        if (text_equal(word, "list")) return text_from(word, word.n);
        if (text_starts(word, "list(")) return text_less(text_from(word, 5), 1);
    }
    return (numel_str){ NULL, 0 };
}

/* True if KINDS has the kind; for an item, if the brackets of its list have it, or no kind at all. */
static bool accepts(numel_str kinds, numel_str list, const char *kind)
{
    static const char *const all[] = { "null", "bool", "float", "text" };
    bool told = false;
    if (!list.p) return text_listed(kinds, '|', text_of(kind));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) told |= text_listed(list, ',', text_of(all[i]));
    return !told || text_listed(list, ',', text_of(kind));
}

/* Checks a value that is neither a list nor an object. For an item, `list` are the brackets. */
static bool plain_accepted(numel_str kinds, numel_str list, const json_value *v)
{
    numel_str limit = { "", 0 };
    const struct number_word *number = number_word(kinds, &limit);
    switch (json_kind(v)) {
    case JSON_NULL: return accepts(kinds, list, "null");
    case JSON_BOOL:
        return (!list.p && number && number->flags) || accepts(kinds, list, "bool") ||
               (!list.p && accepts(kinds, list, json_true(v) ? "true" : "false"));
    case JSON_STRING: return text_accepted(kinds, json_text_of(v), accepts(kinds, list, "text"));
    case JSON_NUMBER:
        return (list.p ? accepts(kinds, list, "float") : number != NULL) &&
               (!number || number_accepted(number, limit, v));
    default: return true;
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

/* True if the list has a length that its brackets allow. */
static bool length_accepted(numel_str list, uint64_t n, uint64_t blocks)
{
    while (list.n) {
        numel_str word = text_cut(&list, ',');
        bool least = text_ends(word, "+");
        uint64_t wanted = text_starts(word, "blocks") ? blocks : 0;
        if (number_is_digit(text_first(word))) wanted = (uint64_t)(word.p[0] - '0');
        if (wanted && (least ? n < wanted : n != wanted)) return false;
    }
    return true;
}

static const json_value *refused_in(numel_str kinds, numel_str list, const json_value *v)
{
    const json_value *found = NULL;
    for (const json_value *x = json_first(v); x && !found; x = json_next(x)) {
        if (json_kind(x) == JSON_ARRAY) found = refused_in(kinds, list, x);
        else if (!plain_accepted(kinds, list, x)) found = x;
    }
    return found;
}

/* The part of a value that the class refuses: the value itself or an item of it; NULL if none. */
static const json_value *refused_of(numel_str kinds, const json_value *v, uint64_t blocks)
{
    numel_str list = list_of(kinds), none = { NULL, 0 };
    if (json_kind(v) == JSON_OBJECT) return accepts(kinds, none, "object") ? NULL : v;
    if (json_kind(v) != JSON_ARRAY) return plain_accepted(kinds, none, v) ? NULL : v;
    if (!list.p || !length_accepted(list, json_count(v), blocks)) return v;
    return refused_in(kinds, list, v);
}

/* Always false. */
NUMEL_MUST static bool refuse(const json_value *v, const json_value *what, numel_str class, const char *file,
                              numel_error *e)
{
    char called[TEXT_QUOTE], shown[TEXT_QUOTE], key[TEXT_QUOTE];
    const char *constant = json_constant(what);
    char *said = json_print(what);
    if (!said) return error_nomem(e);
    error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "%s %s %s, of which no %s can be built",
              text_bare(key, text_of(json_name(v))), what == v ? "is" : "holds",
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
        const json_value *what = defaults_kinds(class, key, &kinds) ? refused_of(kinds, v, blocks) : NULL;
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
