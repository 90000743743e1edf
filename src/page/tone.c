/*
 * tone.c -- tables of words and their tones.
 *
 * A verdict may be followed by anything, so the longest phrase that the text begins with decides. A count in
 * front of it belongs to it: "2 errors".
 */
#include "page/tone.h"

#include "base/text.h"

#include <string.h>

/* A phrase comes before those that it begins with. */
static const struct phrase {
    const char *text;
    enum tone tone;
    bool word; /* it also has its tone as the whole text of any cell */
} phrases[] = {
    { "agrees in part", TONE_PART, false },
    { "agrees", TONE_GOOD, true },
    { "in part", TONE_PART, true },
    { "disagrees", TONE_BAD, true },
    { "damaged", TONE_BAD, true },
    { "incomplete", TONE_BAD, true },
    { "unknown", TONE_SOFT, true },
    { "error", TONE_BAD, true },
    { "errors", TONE_BAD, false },
    { "warning", TONE_PART, true },
    { "warnings", TONE_PART, false },
    { "note", TONE_SOFT, true },
    { "added", TONE_GOOD, true },
    { "removed", TONE_BAD, true },
    { "reshaped", TONE_PART, true },
    { "ok", TONE_GOOD, true },
    { "not checked", TONE_SOFT, true },
    { "complete", TONE_GOOD, false },
    { "equal", TONE_GOOD, false },
    { "differ", TONE_PART, false },
    { "differs", TONE_BAD, false },
    { "as expected", TONE_GOOD, false },
    { "matches", TONE_GOOD, false },
    { "missing", TONE_BAD, false },
    { "pointer", TONE_PART, false },
    { "wrong shape", TONE_BAD, false },
    { "wrong type", TONE_BAD, false },
    { "unexpected", TONE_BAD, false },
    { "contradiction", TONE_BAD, false },
    { "too much", TONE_BAD, false },
    { "yes", TONE_GOOD, false },
    { "up to", TONE_PART, false },
    { "no", TONE_BAD, false },
};
enum { PHRASES = sizeof phrases / sizeof *phrases };

enum tone tone_of_word(const char *text)
{
    for (size_t i = 0; i < PHRASES; i++)
        if (phrases[i].word && strcmp(phrases[i].text, text) == 0) return phrases[i].tone;
    return TONE_NONE;
}

static bool is_in_word(char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '-'; }

enum tone tone_of_verdict(numel_str text, size_t *n)
{
    size_t count = 0;
    while (count < text.n && strchr("0123456789,", text.p[count])) count++;
    if (count && count < text.n && text.p[count] == ' ') count++;
    const numel_str rest = text_from(text, count);
    for (size_t i = 0; i < PHRASES; i++) {
        size_t w = strlen(phrases[i].text);
        if (!text_starts(rest, phrases[i].text) || is_in_word(text_first(text_from(rest, w)))) continue;
        *n = count + w;
        return phrases[i].tone;
    }
    return *n = 0, TONE_NONE;
}

/* ---- element types ------------------------------------------------------------------------ */

/* Integers and booleans have no tone: they may hold anything. */
enum tone tone_of_type(numel_str type)
{
    static const struct {
        const char *start;
        enum tone tone;
    } types[] = {
        { "F64", TONE_WIDE }, { "F32", TONE_WIDE }, { "F16", TONE_HALF },   { "BF16", TONE_HALF },
        { "F8", TONE_SMALL }, { "F6", TONE_SMALL }, { "F4", TONE_SMALL },   { "Q", TONE_SMALL },
        { "IQ", TONE_SMALL }, { "TQ", TONE_SMALL }, { "MXFP", TONE_SMALL }, { "NVFP", TONE_SMALL }
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (text_starts(type, types[i].start)) return types[i].tone;
    return TONE_NONE;
}

/* ---- roles -------------------------------------------------------------------------------- */

/* The first of these words that a role has decides: the norm of an attention is a norm. */
enum cell_role role_of(numel_str role)
{
    static const struct {
        const char *word;
        enum cell_role role;
    } words[] = { { "norm", ROLE_NORM },         { "expert", ROLE_EXPERT },
                  { "router", ROLE_EXPERT },     { "shared.", ROLE_EXPERT },
                  { "attn", ROLE_ATTENTION },    { "attention", ROLE_ATTENTION },
                  { "mlp", ROLE_FEED_FORWARD },  { "ffn", ROLE_FEED_FORWARD },
                  { ".ff.", ROLE_FEED_FORWARD }, { "feed_forward", ROLE_FEED_FORWARD },
                  { "embed", ROLE_EMBEDDING },   { "head", ROLE_HEAD } };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_holds(role, text_of(words[i].word))) return words[i].role;
    return ROLE_NONE;
}
