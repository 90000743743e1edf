/*
 * claim.c -- reads a claimed number: the grammar of base/number.h, with an optional "~" before it and a noun
 * after it, and nothing else. Then finds the window of counts that each reading allows.
 */
#include "explain/claim.h"

#include "base/num.h"
#include "base/text.h"

#include <strings.h>

/* ---- the text ----------------------------------------------------------------------------- */

static void skip_blanks(numel_str *s)
{
    while (s->n && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n')) *s = text_from(*s, 1);
}

static bool is_noun(numel_str s)
{
    static const char *const nouns[] = {
        "parameters", "parameter", "params", "param", "elements", "weights"
    };
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        if (strlen(nouns[i]) == s.n && strncasecmp(nouns[i], s.p, s.n) == 0) return true;
    return false;
}

/* True if only blanks and at most one noun are left. */
static bool is_end(numel_str rest)
{
    skip_blanks(&rest);
    size_t n = 0;
    while (n < rest.n && !strchr(" \t\n", rest.p[n])) n++;
    if (!is_noun((numel_str){ rest.p, n })) n = 0;
    rest = text_from(rest, n);
    skip_blanks(&rest);
    return rest.n == 0;
}

NUMEL_MUST static bool bad(const char *text, const char *why, numel_error *e)
{
    char quoted[TEXT_QUOTE];
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                     "%s %s; a number is like 6738415616, 6,738,415,616, 6738.4M, 7B, 1.5e9",
                     text_quote(quoted, text_of(text)), why);
}

/* Why the text is not a claim; NULL if it is one. */
static const char *fault(const struct number *n, enum number_answer answer, numel_str rest)
{
    if (answer == NUMBER_ABSENT || answer == NUMBER_BROKEN || !is_end(rest)) return "is not a number";
    if (answer == NUMBER_LONG || (n->digits > CLAIM_DIGITS && n->value != CLAIM_MOST))
        return "has too many digits";
    if (answer == NUMBER_UNEVEN) return "is not a whole number";
    if (answer == NUMBER_LARGE || n->value > CLAIM_MOST) return "is too large";
    if (n->mantissa == 0) return "is zero";
    return n->value == 0 ? "is smaller than one" : NULL;
}

bool claim_read(struct claim *c, const char *text, numel_error *e)
{
    numel_str rest = text_of(text);
    *c = (struct claim){ .text = text };
    skip_blanks(&rest);
    if (rest.n && *rest.p == '~') rest = text_from(rest, 1);
    enum number_answer answer = number_read(
        &c->n, &rest, NUMBER_GROUPS | NUMBER_EXPONENT | NUMBER_UNITS | NUMBER_BYTES | NUMBER_TYPED, 0);
    const char *why = fault(&c->n, answer, rest);
    return !why || bad(text, why, e);
}

/* ---- windows ------------------------------------------------------------------------------ */

/* True for a name with one or two significant digits: "7B". */
static bool is_name(const struct number *n)
{
    uint64_t digits = n->mantissa;
    while (!n->pointed && digits % 10 == 0) digits /= 10;
    return !n->exact && n->kind == NUMBER_COUNT && digits < 100 && n->value > 1000000;
}

bool claim_window(const struct claim *c, enum claim_reading r, uint64_t *low, uint64_t *high)
{
    static const enum number_rounding how[] = {
        [CLAIM_WRITTEN] = NUMBER_ROUNDED, [CLAIM_CUT] = NUMBER_CUT, [CLAIM_ZEROS] = NUMBER_ZEROS
    };
    if (r == CLAIM_NAME) {
        *low = c->n.value - c->n.value / 4;
        *high = c->n.value + c->n.value / 4;
        return is_name(&c->n);
    }
    return number_range(&c->n, how[r], low, high) && num_add(high, *high, 1);
}

const char *claim_reading_text(enum claim_reading r)
{
    static const char *const texts[CLAIM_READINGS] = {
        "as written",
        "truncated, not rounded",
        "trailing zeros are not significant",
        "a rounded name, within 25 %",
    };
    return texts[r];
}
