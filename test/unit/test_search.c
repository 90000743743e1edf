/*
 * test_search.c -- the search for the cheapest account: every set of choices once and in order, each bound
 * respected, and results compared with trying every set, on random numbers.
 */
#include "../support/t.h"

#include "statement/search.h"

#include <inttypes.h>

enum { SUMS = 3, CHOICES = 6, SEEN = 1000 };

/* Choice i subtracts parts[i] from a sum; the parts of selected choices overlap by `shared`. */
struct toy {
    uint64_t sums[SUMS], parts[CHOICES], shared, usable;
    unsigned prices[CHOICES], fails; /* fails: begin() fails on this call; 0: never */
    enum search_next stop;           /* returned for visited ways, except the first of a sum */
    struct search_way seen[SEEN];
    size_t count;
};

static enum search_next begin(void *ctx, struct search_way *w, uint64_t *usable)
{
    struct toy *t = ctx;
    if (t->fails && --t->fails == 0) return SEARCH_FAILED;
    w->value = t->sums[w->sum];
    w->price = (unsigned)w->sum;
    *usable = t->usable;
    return w->value ? SEARCH_DEEPER : SEARCH_BACK;
}

static bool count(void *ctx, struct search_way *w)
{
    const struct toy *t = ctx;
    uint64_t off = 0, taken = 0;
    for (unsigned i = 0; i < CHOICES; i++)
        if (w->taken >> i & 1) off += t->parts[i], taken++;
    if (taken > 1) off -= off < t->shared ? off : t->shared;
    if (off > t->sums[w->sum]) return false;
    w->value = t->sums[w->sum] - off;
    return true;
}

static unsigned price(void *ctx, uint64_t taken, unsigned choice)
{
    (void)taken;
    return ((const struct toy *)ctx)->prices[choice];
}

static enum search_next see(void *to, const struct search_way *w)
{
    struct toy *t = to;
    assert_true(t->count < SEEN);
    t->seen[t->count++] = *w;
    return w->taken ? t->stop : SEARCH_DEEPER;
}

static struct search search_of(struct toy *t)
{
    return (struct search){ .ctx = t,
                            .sums = SUMS,
                            .choices = CHOICES,
                            .price_most = 100,
                            .choices_most = CHOICES,
                            .ways_most = SEEN,
                            .begin = begin,
                            .count = count,
                            .price = price };
}

static const struct toy plain = {
    .sums = { 1000, 2000, 0 }, .parts = { 1, 2, 4, 8, 16, 32 }, .prices = { 1, 1, 1, 1, 1, 1 }, .usable = 0x3f
};

/* All 64 sets of two sums, each set before its extensions; the third sum is absent. */
static void test_order(void **state)
{
    struct toy t = plain;
    struct search s = search_of(&t);
    (void)state;
    assert_true(search_walk(&s, see, &t));
    assert_int_equal(t.count, 128);
    static const uint64_t first[] = { 0, 1, 3, 7, 15, 31, 63, 47, 23, 55 };
    for (size_t i = 0; i < ROWS_OF(first); i++) assert_int_equal(t.seen[i].taken, first[i]);
    for (size_t i = 0; i < t.count; i++) {
        assert_int_equal(t.seen[i].sum, i / 64);
        assert_int_equal(t.seen[i].value, plain.sums[i / 64] - t.seen[i].taken);
        assert_int_equal(t.seen[i].price, i / 64 + (unsigned)__builtin_popcountll(t.seen[i].taken));
        for (size_t k = 0; k < i; k++)
            assert_false(t.seen[k].sum == t.seen[i].sum && t.seen[k].taken == t.seen[i].taken);
    }
}

/* ---- bounds ------------------------------------------------------------------------------- */

static size_t ways(const struct search *bounds, struct toy *t)
{
    struct search s = *bounds;
    s.ctx = t;
    t->count = 0;
    assert_true(search_walk(&s, see, t));
    return t->count;
}

static void test_bounds(void **state)
{
    struct toy t = plain;
    struct search s = search_of(&t);
    (void)state;
    s.choices_most = 2; /* 1 + 6 + 15 */
    assert_int_equal(ways(&s, &t), 2 * 22);
    s.choices_most = 0;
    assert_int_equal(ways(&s, &t), 2);
    s = search_of(&t);
    s.price_most = 1; /* the second sum costs 1 itself */
    assert_int_equal(ways(&s, &t), 7 + 1);
    s.price_most = 0;
    assert_int_equal(ways(&s, &t), 1);
    s = search_of(&t);
    s.ways_most = 70;
    assert_int_equal(ways(&s, &t), 70);
    s.ways_most = 0;
    assert_int_equal(ways(&s, &t), 0);
    s = search_of(&t);
    s.apart[0] = 0x7; /* 4 * 8 */
    assert_int_equal(ways(&s, &t), 2 * 32);
    s.apart[1] = 0x38;
    assert_int_equal(ways(&s, &t), 2 * 16);
    s = search_of(&t);
    t.usable = 0x21;
    assert_int_equal(ways(&s, &t), 2 * 4);
    t.usable = 0;
    assert_int_equal(ways(&s, &t), 2);
}

/* A choice that changes nothing is skipped; one that leaves less than zero ends the branch, and so does
 * the visitor on request. */
static void test_pruning(void **state)
{
    struct toy t = plain;
    struct search s = search_of(&t);
    (void)state;
    t.parts[2] = 0;
    assert_int_equal(ways(&s, &t), 2 * 32);
    t = plain;
    t.parts[0] = 5000;
    assert_int_equal(ways(&s, &t), 2 * 32);
    t = plain;
    t.stop = SEARCH_BACK;
    assert_int_equal(ways(&s, &t), 2 * 7);
    t.stop = SEARCH_FAILED;
    t.count = 0;
    assert_false(search_walk(&s, see, &t));
    assert_int_equal(t.count, 2);
    t = plain;
    t.fails = 2;
    assert_false(search_walk(&s, see, &t));
    assert_int_equal(t.count, 64);
}

/* ---- the cheapest ------------------------------------------------------------------------- */

static uint64_t next(uint64_t *seed) /* xorshift64*: the same numbers on every machine */
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * UINT64_C(0x2545F4914F6CDD1D);
}

/* By trying all sets, in numeric order. */
static bool by_hand(struct toy *t, uint64_t low, uint64_t high, struct search_way *best, uint64_t *below)
{
    bool found = false;
    *below = 0;
    for (size_t sum = 0; sum < SUMS; sum++)
        for (uint64_t taken = 0; t->sums[sum] && taken < 1 << CHOICES; taken++) {
            struct search_way w = { .sum = sum, .taken = taken, .price = (unsigned)sum };
            if (taken & ~t->usable || !count(t, &w)) continue;
            for (unsigned i = 0; i < CHOICES; i++) w.price += taken >> i & 1 ? t->prices[i] : 0;
            if (w.value < low && w.value > *below) *below = w.value;
            if (w.value < low || w.value > high || (found && w.price >= best->price)) continue;
            found = true;
            *best = w;
        }
    return found;
}

static void test_cheapest(void **state)
{
    uint64_t seed = 7, met = 0;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct toy t = { .usable = next(&seed) & 0x3f };
        struct search s = search_of(&t);
        struct search_way best = { 0 }, hand = { 0 };
        uint64_t below, below_hand, low = next(&seed) % 200, high = low + next(&seed) % 6;
        for (unsigned k = 0; k < SUMS; k++) t.sums[k] = next(&seed) % 400;
        for (unsigned k = 0; k < CHOICES; k++) t.parts[k] = 1 + next(&seed) % 60;
        for (unsigned k = 0; k < CHOICES; k++) t.prices[k] = 1 + (unsigned)(next(&seed) % 3);
        bool found = search_cheapest(&s, low, high, &best, &below);
        assert_int_equal(found, by_hand(&t, low, high, &hand, &below_hand));
        assert_int_equal(below, below_hand);
        met += found;
        if (!found) continue;
        assert_int_equal(best.sum, hand.sum);
        assert_int_equal(best.taken, hand.taken);
        assert_int_equal(best.value, hand.value);
        assert_int_equal(best.price, hand.price);
    }
    assert_in_range(met, 500, 2500); /* found and not found both occur */
}

static void test_names(void **state)
{
    static const struct search_sum sums[] = {
        { "first", 7 }, { "second", 9 }, { "third", 7 }, { "none", 0 }
    };
    (void)state;
    assert_string_equal(search_what(sums, 4, 7, 7), "first");
    assert_string_equal(search_what(sums, 4, 9, 9), "second");
    assert_string_equal(search_what(sums, 4, 0, 0), "none");
    assert_null(search_what(sums, 4, 8, 8));
    assert_null(search_what(sums, 1, 9, 9));
    assert_null(search_what(NULL, 0, 7, 7));
    assert_string_equal(search_what(sums, 4, 8, 9), "second");
    assert_string_equal(search_what(sums, 4, 1, UINT64_MAX), "first");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),    cmocka_unit_test(test_bounds), cmocka_unit_test(test_pruning),
        cmocka_unit_test(test_cheapest), cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
