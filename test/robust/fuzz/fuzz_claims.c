/*
 * fuzz_claims.c -- a number as people type it: its value is between its bounds, reads the same when
 * printed, and is not changed by a zero after the point, which only narrows the bounds. Plain numbers are
 * also computed here.
 */
#include "common/words.h"

#include "base/text.h"

#include <string.h>

#include "explain/claim.h"

__extension__ typedef unsigned __int128 wide;

struct claimed {
    uint64_t value, low, high;
};

static bool claim_of(struct claimed *c, const char *text)
{
    numel_error e;
    numel_rc rc = numel_claim(text, &c->value, &c->low, &c->high, &e);
    fuzz_error(rc == NUMEL_OK, &e, strlen(text));
    FUZZ_ASSERT(rc == NUMEL_OK || rc == NUMEL_E_USAGE, "another code than USAGE");
    if (rc) return false;
    FUZZ_ASSERT(c->value >= 1 && c->low <= c->value && c->value < c->high, "a value outside of its bounds");
    return true;
}

static void check_written(const struct claimed *c)
{
    char text[TEXT_NUMBER];
    struct claimed again;
    snprintf(text, sizeof text, "%" PRIu64, c->value);
    FUZZ_ASSERT(claim_of(&again, text) && again.value == c->value, "digits that are another number");
    FUZZ_ASSERT(again.low == c->value && again.high == c->value + 1, "digits that are not exact");
    FUZZ_ASSERT(claim_of(&again, text_number(text, c->value)) && again.value == c->value &&
                    again.high == again.low + 1,
                "groups of digits that are another number");
}

/* Splits "12.5M" into its parts; false for any other form. */
struct plain {
    uint64_t mantissa;
    unsigned digits, decimals, power;
    size_t point; /* where the digits end */
    bool pointed;
};

static bool read_plain(struct plain *p, const char *text)
{
    static const char letters[] = "KMBT";
    const char *at = text;
    *p = (struct plain){ 0 };
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !p->pointed && at > text); at++) {
        if (*at == '.') {
            p->pointed = true;
            continue;
        }
        p->mantissa = p->mantissa * 10 + (uint64_t)(*at - '0');
        p->decimals += p->pointed;
        if (++p->digits > 17) return false;
    }
    p->point = (size_t)(at - text);
    const char *unit = *at ? strchr(letters, *at) : NULL;
    if (unit) p->power = 3 * (unsigned)(unit - letters + 1);
    return p->digits && (!p->pointed || p->decimals) && (!*at || (unit && !at[1]));
}

static uint64_t ten_to(unsigned n) { return n ? 10 * ten_to(n - 1) : 1; }

static void check_plain(const char *text, const struct claimed *c)
{
    struct plain p;
    char longer[64];
    struct claimed same;
    if (!read_plain(&p, text) || p.decimals > 12) return;
    wide scaled = (wide)p.mantissa * ten_to(p.power), by = ten_to(p.decimals), last = ten_to(p.power);
    FUZZ_ASSERT(c->value == (uint64_t)((scaled + by / 2) / by), "the number is another");
    /* A value is in the window if it differs from the written one by less than half of the last digit. */
    FUZZ_ASSERT(2 * (wide)c->low * by + last >= 2 * scaled || c->low == c->value, "low is too low");
    FUZZ_ASSERT(2 * (wide)(c->high - 1) * by < 2 * scaled + last || c->high == c->value + 1,
                "high is too high");
    if (c->low > 0) FUZZ_ASSERT(2 * (wide)(c->low - 1) * by + last < 2 * scaled, "low is too high");
    FUZZ_ASSERT(2 * (wide)c->high * by >= 2 * scaled + last || c->high == c->value + 1, "high is too low");
    snprintf(longer, sizeof longer, "%.*s%s0%s", (int)p.point, text, p.pointed ? "" : ".", text + p.point);
    if (!claim_of(&same, longer)) return; /* too many digits */
    FUZZ_ASSERT(same.value == c->value, "a zero after the point changes the number");
    FUZZ_ASSERT(same.low >= c->low && same.high <= c->high, "a digit more makes it less exact");
}

static void check_readings(const char *text)
{
    struct claim c;
    numel_error e = { .code = NUMEL_OK };
    uint64_t low, high;
    FUZZ_ASSERT(claim_read(&c, text, &e), "read once and not again");
    for (unsigned r = 0; r < CLAIM_READINGS; r++)
        if (claim_window(&c, (enum claim_reading)r, &low, &high))
            FUZZ_ASSERT(low <= c.n.value + (c.n.divisor > 1) && c.n.value < high,
                        "a reading that leaves the number out");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct claimed c;
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    text[size] = 0;
    if (claim_of(&c, text)) {
        check_written(&c);
        check_readings(text);
        if (strlen(text) < 40) check_plain(text, &c);
    }
    free(text);
    return 0;
}
