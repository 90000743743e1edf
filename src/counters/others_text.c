/* others_text.c -- formats counts as other tools do; each rounds and spaces differently. */
#include "counters/others.h"

#include "base/num.h"

struct scale {
    uint64_t unit;
    const char *letter;
};

static const struct scale scales[] = { { UINT64_C(1000000000000000), "Q" },
                                       { UINT64_C(1000000000000), "T" },
                                       { UINT64_C(1000000000), "B" },
                                       { 1000000, "M" },
                                       { 1000, "K" },
                                       { 1, "" } };
enum { QUADRILLIONS, TRILLIONS, BILLIONS, MILLIONS, THOUSANDS, ONES };

/* The largest unit that is not above v, from `most` to `least`. */
static unsigned scale_of(uint64_t v, unsigned most, unsigned least)
{
    while (most < least && v < scales[most].unit) most++;
    return most;
}

/* Formats v / unit with up to 3 decimals, rounded half up, using integers. */
NUMEL_MUST static char *decimal(struct arena *a, uint64_t v, uint64_t unit, unsigned decimals,
                                const char *behind)
{
    static const uint64_t tens[] = { 1, 10, 100, 1000 };
    uint64_t ten = unit >= tens[decimals] ? tens[decimals] : unit, step = unit / ten;
    uint64_t n = v / step + (v % step >= step - step / 2 && step > 1);
    if (decimals == 0) return arena_format(a, "%" PRIu64 "%s", n, behind);
    for (; ten < tens[decimals]; ten *= 10) n *= 10;
    return arena_format(a, "%" PRIu64 ".%0*" PRIu64 "%s", n / ten, (int)decimals, n % ten, behind);
}

/* The Hub's page: "8B params", "0.8B params", "22.7M params", "333k params". Derived from pages, since the
 * code is not public. */
const char *others_text_hub(struct arena *a, uint64_t v)
{
    if (v >= UINT64_C(999500000000)) return decimal(a, v, scales[TRILLIONS].unit, 0, "T params");
    if (v >= UINT64_C(950000000)) return decimal(a, v, scales[BILLIONS].unit, 0, "B params");
    if (v >= UINT64_C(50000000)) return decimal(a, v, scales[BILLIONS].unit, 1, "B params");
    if (v >= 999500) return decimal(a, v, scales[MILLIONS].unit, v >= 10000000 ? 1 : 2, "M params");
    if (v >= 1000) return decimal(a, v, scales[THOUSANDS].unit, 0, "k params");
    return arena_format(a, "%" PRIu64 " params", v);
}

/* llama.cpp's log: "8.03 B". The smallest unit is thousands. */
const char *others_text_llama(struct arena *a, uint64_t v)
{
    static const char *const letters[] = { "", " T", " B", " M", " K" };
    unsigned s = scale_of(v, TRILLIONS, THOUSANDS);
    return decimal(a, v, scales[s].unit, 2, letters[s]);
}

/* gguf-parser: "8.03 B", but never ".00". */
const char *others_text_parser(struct arena *a, uint64_t v)
{
    unsigned s = scale_of(v, QUADRILLIONS, ONES);
    char *text = s == ONES ? arena_format(a, "%" PRIu64, v) : decimal(a, v, scales[s].unit, 2, "");
    size_t n = text ? strlen(text) : 0;
    if (n > 3 && strcmp(text + n - 3, ".00") == 0) text[n - 3] = 0;
    return text ? arena_format(a, "%s%s%s", text, s == ONES ? "" : " ", scales[s].letter) : NULL;
}

/* ollama show: "8.0B", "596.05M". */
const char *others_text_ollama(struct arena *a, uint64_t v)
{
    unsigned s = scale_of(v, BILLIONS, ONES);
    bool whole = v % scales[s].unit == 0;
    if (s == ONES) return arena_format(a, "%" PRIu64, v);
    return decimal(a, v, scales[s].unit,
                   whole || s == THOUSANDS ? 0
                   : s == BILLIONS         ? 1
                                           : 2,
                   scales[s].letter);
}

/* gguf-py's size label, with at least two digits: "8.0B", "124M". */
const char *others_text_label(struct arena *a, uint64_t v)
{
    unsigned s = scale_of(v, TRILLIONS, THOUSANDS);
    uint64_t rounded = v / scales[s].unit + (v % scales[s].unit > scales[s].unit / 2);
    return decimal(a, v, scales[s].unit, rounded >= 10 ? 0 : rounded >= 1 ? 1 : 2, scales[s].letter);
}
