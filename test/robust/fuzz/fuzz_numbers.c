/*
 * fuzz_numbers.c -- the reader of numbers under every set of forms, the readers of digits alone, and globs.
 *
 * The first two bytes select forms and power; the rest is the text.
 */
#include "common/words.h"

#include "base/text.h"

#include <string.h>

#include "base/number.h"

enum { ALL_FORMS = NUMBER_GROUPS | NUMBER_EXPONENT | NUMBER_UNITS | NUMBER_BYTES | NUMBER_TYPED };

static void check_value(const struct number *n, size_t took)
{
    uint64_t low, high;
    FUZZ_ASSERT(n->scale && n->divisor, "an empty scale");
    FUZZ_ASSERT(n->low <= n->value && n->value <= n->high, "a value outside of its bounds");
    FUZZ_ASSERT(!n->exact || (n->low == n->value && n->high == n->value), "exact, and yet a range");
    FUZZ_ASSERT(!n->exact || n->mantissa == n->value, "exact, and yet scaled");
    FUZZ_ASSERT(n->digits <= took, "more digits than text");
    for (unsigned how = NUMBER_ROUNDED; how <= NUMBER_ZEROS; how++)
        if (number_range(n, (enum number_rounding)how, &low, &high)) /* the value is rounded, so the lower
                                                                      * bound rises */
            FUZZ_ASSERT(low <= n->value + (n->divisor > 1) && n->value <= high,
                        "a reading that leaves the number out");
}

static void check_number(numel_str text, unsigned forms, unsigned power)
{
    struct number n, same;
    numel_str rest = text, more = text;
    enum number_answer answer = number_read(&n, &rest, forms, power);
    FUZZ_ASSERT(rest.n <= text.n && rest.p == text.p + (text.n - rest.n),
                "the rest is not the end of the text");
    FUZZ_ASSERT((answer == NUMBER_ABSENT) == (rest.n == text.n), "absent, and yet read");
    if (answer == NUMBER_READ) check_value(&n, text.n - rest.n);
    numel_str alone = { text.p, text.n - rest.n };
    FUZZ_ASSERT(number_read(&same, &alone, forms, power) == answer || answer == NUMBER_ABSENT,
                "digits alone read differently");
    if (answer == NUMBER_READ)
        FUZZ_ASSERT(same.value == n.value && same.low == n.low && same.high == n.high && alone.n == 0,
                    "another number alone");
    (void)number_read(&same, &more, ALL_FORMS, power);
    FUZZ_ASSERT(more.n <= rest.n, "with more forms less is read");
}

static void check_digits(numel_str text)
{
    uint64_t v, w;
    char shown[24];
    numel_str rest = text;
    bool fits = number_digits(&rest, &v), plain = number_plain(text, &w);
    size_t n = text.n - rest.n;
    FUZZ_ASSERT(fits || v == 0, "digits that do not fit, and yet a value");
    FUZZ_ASSERT(!plain || (fits && rest.n == 0 && v == w), "two readers of digits disagree");
    FUZZ_ASSERT(plain || w == 0, "no number, and yet a value");
    FUZZ_ASSERT(plain == (fits && rest.n == 0), "digits alone, and yet none");
    if (!fits) return;
    snprintf(shown, sizeof shown, "%" PRIu64, v);
    while (n > 1 && text.p[text.n - rest.n - n] == '0') n--;
    FUZZ_ASSERT(strlen(shown) == n && memcmp(shown, text.p + (text.n - rest.n - n), n) == 0, "other digits");
}

/* By definition: a * matches nothing, or one byte and then itself again. */
static bool glob_slowly(const char *g, const char *p, const char *end, unsigned *fuel)
{
    if (!*fuel) return false;
    --*fuel;
    if (!*g) return p == end;
    if (*g == '*') return glob_slowly(g + 1, p, end, fuel) || (p < end && glob_slowly(g, p + 1, end, fuel));
    return p < end && *p == *g && glob_slowly(g + 1, p + 1, end, fuel);
}

/* "PATTERN=TEXT" */
static void check_glob(numel_str text)
{
    const char *sign = memchr(text.p, '=', text.n);
    char glob[128];
    unsigned fuel = 20000;
    if (!sign || (size_t)(sign - text.p) >= sizeof glob || memchr(text.p, 0, (size_t)(sign - text.p))) return;
    memcpy(glob, text.p, (size_t)(sign - text.p));
    glob[sign - text.p] = 0;
    numel_str name = { sign + 1, text.n - (size_t)(sign - text.p) - 1 };
    bool all = text_glob(glob, name), stars = text_glob_stars(glob, name);
    bool slow = glob_slowly(glob, name.p, name.p + name.n, &fuel);
    if (!fuel) return;
    FUZZ_ASSERT(stars == slow, "stars match differently");
    if (!strpbrk(glob, "?[")) FUZZ_ASSERT(all == slow, "a glob matches differently");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    numel_str text = { (const char *)data + 2, size - 2 };
    check_number(text, data[0] & ALL_FORMS, data[1] % 20);
    check_digits(text);
    check_glob(text);
    return 0;
}
