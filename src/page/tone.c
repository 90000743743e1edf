/*
 * tone.c -- the tones of states and severities, and of two kinds of names: element types and roles.
 *
 * What a sentence tells is decided where the sentence is made (struct toned); here are the ids that all reports
 * share.
 */
#include "page/tone.h"

#include "base/text.h"

#include <stdarg.h>
#include <string.h>

enum tone tone_of_state(numel_state state)
{
    static const enum tone tones[] = {
        [NUMEL_STATE_AGREES] = TONE_GOOD,    [NUMEL_STATE_IN_PART] = TONE_PART,
        [NUMEL_STATE_UNKNOWN] = TONE_SOFT,   [NUMEL_STATE_DISAGREES] = TONE_BAD,
        [NUMEL_STATE_INCOMPLETE] = TONE_BAD, [NUMEL_STATE_DAMAGED] = TONE_BAD,
    };
    return tones[state];
}

enum tone tone_of_severity(numel_severity severity)
{
    return severity == NUMEL_ERROR ? TONE_BAD : severity == NUMEL_WARNING ? TONE_PART : TONE_SOFT;
}

struct toned toned_format(struct arena *a, enum tone tone, const char *verdict, const char *rest, ...)
{
    va_list args;
    va_start(args, rest);
    const char *more = arena_vformat(a, rest, args);
    va_end(args);
    return (struct toned){ more ? arena_format(a, "%s%s", verdict, more) : NULL, tone, strlen(verdict) };
}

struct toned toned_keep(struct buffer *b, struct arena *a, enum tone tone, size_t n)
{
    return (struct toned){ buffer_keep(b, a), tone, n };
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
