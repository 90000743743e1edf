/*
 * function_number.c -- functions that compute numbers from numbers. All are exact: integers are checked, and
 * real.h computes what Python does with doubles.
 */
#include "base/num.h"
#include "base/number.h"
#include "formula/function_internal.h"
#include "formula/real.h"

static bool ints(struct call *c)
{
    for (unsigned i = 0; i < c->count; i++) {
        if (c->v[i].kind == VALUE_NULL && c->v[i].key) return eval_null(c->env, c->at[i], &c->v[i]);
        if (c->v[i].kind != VALUE_INT) return call_wrong(c, i, "an integer");
    }
    return true;
}

static bool too_large(struct call *c)
{
    return eval_fail(c->env, c->node, NUMEL_E_OVERFLOW, "the result does not fit in 64 bits");
}

/* min, max: of integers, or of one list of integers. */
bool call_extreme(struct call *c, struct value *out)
{
    bool most = c->env->spec->nodes[c->node].number == FUNCTION_MAX;
    bool list = c->count == 1 && c->v[0].kind == VALUE_LIST;
    const struct value *items = list ? c->v[0].list.items : c->v;
    uint64_t n = list ? c->v[0].list.n : c->count;
    if (list && (!call_items(c, 0) || !n)) return call_wrong(c, 0, "a list with values");
    if (!list && !ints(c)) return false;
    for (uint64_t i = 0; i < n; i++) {
        if (items[i].kind != VALUE_INT) return call_wrong(c, 0, "a list of integers");
        if (i == 0 || (most ? items[i].i > out->i : items[i].i < out->i)) *out = value_int(items[i].i);
    }
    return true;
}

/* ceil_div, floor_div, round_up */
bool call_quotient(struct call *c, struct value *out)
{
    int64_t function = c->env->spec->nodes[c->node].number;
    if (!ints(c)) return false;
    int64_t a = c->v[0].i, b = c->v[1].i;
    if (a < 0) return call_wrong(c, 0, "a size");
    if (b < 1) return call_wrong(c, 1, "a size");
    int64_t n = a / b + (function != FUNCTION_FLOOR_DIV && a % b != 0);
    if (function == FUNCTION_ROUND_UP && __builtin_mul_overflow(n, b, &n)) return too_large(c);
    return *out = value_int(n), true;
}

static bool out_of_range(struct call *c)
{
    char shown[EVAL_SHOW];
    int64_t function = c->env->spec->nodes[c->node].number;
    return eval_fail(c->env, c->node, NUMEL_E_RANGE, "%s is out of range for %s()",
                     eval_show(shown, &c->v[0]), spec_function_name((int)function));
}

/* mul(factor, n), ceil, round: int(), math.ceil() and round() of factor * n, as in Python. The factor may be
 * an integer. */
bool call_product(struct call *c, struct value *out)
{
    int64_t n, function = c->env->spec->nodes[c->node].number;
    enum real_way way = function == FUNCTION_CEIL    ? REAL_UP
                        : function == FUNCTION_ROUND ? REAL_EVEN
                                                     : REAL_DOWN;
    if (c->v[1].kind != VALUE_INT) return call_wrong(c, 1, "an integer");
    if (c->v[0].kind == VALUE_INT) {
        if (__builtin_mul_overflow(c->v[0].i, c->v[1].i, &n)) return too_large(c);
        return *out = value_int(n), true;
    }
    if (c->v[0].kind != VALUE_REAL) return call_wrong(c, 0, "a factor");
    if (!real_product(c->v[0].r, c->v[1].i, way, &n)) return out_of_range(c);
    return *out = value_int(n), true;
}

/* divisible(x, d), divisible(factor, n, d [, least]): `least` defaults to d. */
bool call_divisible(struct call *c, struct value *out)
{
    int64_t n = 1, least, result;
    double factor = 1;
    unsigned d = c->count == 2 ? 1 : 2;
    for (unsigned i = 1; i < c->count; i++)
        if (c->v[i].kind != VALUE_INT) return call_wrong(c, i, "an integer");
    if (c->v[0].kind != VALUE_INT && c->v[0].kind != VALUE_REAL) return call_wrong(c, 0, "a factor");
    least = c->v[c->count - 1].i;
    if (d == 2) n = c->v[1].i;
    if (c->v[0].kind == VALUE_REAL) factor = c->v[0].r;
    else if (__builtin_mul_overflow(n, c->v[0].i, &n)) return too_large(c);
    if (!real_divisible(factor, n, c->v[d].i, least, &result)) return out_of_range(c);
    return *out = value_int(result), true;
}

/* ratio(a, n): the factor for which mul(factor, n) gives a. */
bool call_ratio(struct call *c, struct value *out)
{
    const double next = 1 + 0x1p-52;
    if (!ints(c)) return false;
    int64_t a = c->v[0].i, n = c->v[1].i, back;
    if (a < 0 || a >= (int64_t)1 << 53) return call_wrong(c, 0, "a size");
    if (n < 1 || n >= (int64_t)1 << 53) return call_wrong(c, 1, "a size");
    if (a % n == 0) return *out = value_int(a / n), true;
    double factor = (double)a / (double)n;
    if (real_product(factor, n, REAL_DOWN, &back) && back < a) factor *= next;
    return *out = (struct value){ .kind = VALUE_REAL, .r = factor }, true;
}

/* pow(a, n) */
bool call_power(struct call *c, struct value *out)
{
    if (!ints(c)) return false;
    int64_t a = c->v[0].i, n = c->v[1].i, power = 1;
    if (n < 0) return call_wrong(c, 1, "an exponent");
    if (a >= -1 && a <= 1) n = n ? 2 - n % 2 : 0; /* same result, without a long loop */
    for (; n; n--)
        if (__builtin_mul_overflow(power, a, &power)) return too_large(c);
    return *out = value_int(power), true;
}

/* log2(n): the exponent of the largest power of two up to n. */
bool call_log2(struct call *c, struct value *out)
{
    if (!ints(c)) return false;
    if (c->v[0].i < 1) return call_wrong(c, 0, "a size");
    int64_t exponent = 0;
    for (int64_t n = c->v[0].i; n > 1; n /= 2) exponent++;
    return *out = value_int(exponent), true;
}

/* root(n): the integer square root, rounded down, bit by bit from the highest. */
bool call_root(struct call *c, struct value *out)
{
    if (!ints(c)) return false;
    if (c->v[0].i < 0) return call_wrong(c, 0, "a size");
    int64_t n = c->v[0].i, root = 0;
    for (int64_t bit = INT64_C(1) << 31; bit; bit /= 2)
        if ((root | bit) <= n / (root | bit)) root |= bit;
    return *out = value_int(root), true;
}

/* True for side ratios like 3:4, which images have and most numbers do not. */
static bool is_simple(int64_t high, int64_t wide)
{
    enum { PART = 7 };
    int64_t of_both = (int64_t)num_gcd((uint64_t)high, (uint64_t)wide);
    return (of_both > 1 || high == wide) && high / of_both <= PART && wide / of_both <= PART;
}

/* grid(n, axis): the number of rows (0) or columns (1) of a grid with n places: the most nearly square one
 * whose sides have a simple ratio. Null if there is none. */
bool call_grid(struct call *c, struct value *out)
{
    enum { MOST = 4096 }; /* rows: an image 65,536 pixels high, in patches of 16 */
    if (!ints(c)) return false;
    int64_t n = c->v[0].i, rows = 0;
    for (int64_t i = 1; i <= MOST && i <= n / i; i++)
        if (n % i == 0 && is_simple(i, n / i)) rows = i;
    *out = rows ? value_int(c->v[1].i ? n / rows : rows) : value_null();
    return true;
}

/* sum(list [, n]): of its first n items. */
bool call_sum(struct call *c, struct value *out)
{
    const struct value *list = &c->v[0];
    char shown[EVAL_SHOW];
    int64_t sum = 0;
    if (list->kind != VALUE_LIST) return call_wrong(c, 0, "a list");
    uint64_t n = list->list.n;
    if (c->count == 2 && (c->v[1].kind != VALUE_INT || c->v[1].i < 0)) return call_wrong(c, 1, "a size");
    if (c->count == 2 && (uint64_t)c->v[1].i > n)
        return eval_fail(c->env, c->node, NUMEL_E_CONFIG, "%s is not as long as %" PRId64,
                         eval_show(shown, list), c->v[1].i);
    if (c->count == 2) n = (uint64_t)c->v[1].i;
    if (n && !call_items(c, 0)) return false;
    for (uint64_t i = 0; i < n; i++) {
        if (list->list.items[i].kind != VALUE_INT) return call_wrong(c, 0, "a list of integers");
        if (__builtin_add_overflow(sum, list->list.items[i].i, &sum)) return too_large(c);
    }
    return *out = value_int(sum), true;
}

static uint64_t power_modulo(uint64_t base, uint64_t exponent, uint64_t n)
{
    uint64_t power = 1;
    for (; exponent; exponent /= 2, base = base * base % n)
        if (exponent % 2) power = power * base % n;
    return power;
}

/* The Miller-Rabin test; these three witnesses decide it up to 4,759,123,140. */
static bool is_prime(uint64_t n)
{
    static const uint64_t witnesses[] = { 2, 7, 61 };
    uint64_t odd = n - 1;
    if (n < 2) return false;
    while (odd % 2 == 0) odd /= 2;
    for (size_t i = 0; i < sizeof witnesses / sizeof *witnesses; i++) {
        if (n == witnesses[i]) return true;
        if (n % 2 == 0) return false;
        uint64_t power = power_modulo(witnesses[i], odd, n);
        bool passes = power == 1;
        for (uint64_t e = odd; !passes && e < n - 1; e *= 2, power = power * power % n)
            passes = power == n - 1;
        if (!passes) return false;
    }
    return true;
}

/* primes(from, skip, n): the sum of n primes from `from` on, after skipping some. */
bool call_primes(struct call *c, struct value *out)
{
    enum { PRIMES = 4096 };
    int64_t sum = 0;
    if (!ints(c)) return false;
    if (c->v[0].i < 0 || c->v[0].i > INT32_MAX) return call_wrong(c, 0, "a size below 2^31");
    if (c->v[1].i < 0 || c->v[1].i > PRIMES) return call_wrong(c, 1, "a size up to 4096");
    if (c->v[2].i < 0 || c->v[2].i > PRIMES) return call_wrong(c, 2, "a size up to 4096");
    int64_t left = c->v[1].i + c->v[2].i;
    for (int64_t at = c->v[0].i; left > 0; at++) {
        if (!is_prime((uint64_t)at)) continue;
        if (left-- <= c->v[2].i) sum += at;
    }
    return *out = value_int(sum), true;
}

/* 3 for "stage3" and "layer3", 0 for "stem". */
static int64_t stage_of(numel_str name)
{
    int64_t n = 0;
    for (size_t i = 0; i < name.n; i++)
        if (number_is_digit(name.p[i]) && n < INT16_MAX) n = n * 10 + (name.p[i] - '0');
    return n;
}

/* Converts one stage of argument `of`: a name or a number; negative numbers count from the last stage, S. */
static bool add_stage(struct call *c, unsigned of, const struct value *from, struct value *to)
{
    if (from->kind != VALUE_INT && from->kind != VALUE_TEXT) return call_wrong(c, of, "a list of stages");
    bool from_last = from->kind == VALUE_INT && from->i < 0; /* the sum cannot overflow */
    *to = value_int(from->kind == VALUE_TEXT ? stage_of(from->s)
                    : from_last              ? from->i + c->v[2].i + 1
                                             : from->i);
    return true;
}

/* outs(indices, names, S): the stages whose outputs a backbone returns, 0 for the stem: by number, else by
 * name, else only the last, S. A given value has precedence over a default. */
bool call_outs(struct call *c, struct value *out)
{
    const struct value *numbers = &c->v[0], *names = &c->v[1];
    bool named =
        numbers->kind == VALUE_NULL || (names->kind != VALUE_NULL && numbers->evidence > names->evidence);
    const struct value *from = named ? names : numbers;
    if (c->v[2].kind != VALUE_INT || c->v[2].i < 0 || c->v[2].i > INT16_MAX)
        return call_wrong(c, 2, "a number of stages");
    if (from->kind == VALUE_LIST && !call_items(c, named)) return false;
    if (from->kind == VALUE_NULL) from = &c->v[2];
    uint64_t n = from->kind == VALUE_LIST ? from->list.n : 1;
    struct value *items = arena_alloc(c->env->arena, n * sizeof *items);
    if (!items) return error_nomem(c->env->error);
    for (uint64_t i = 0; i < n; i++)
        if (!add_stage(c, named, from->kind == VALUE_LIST ? &from->list.items[i] : from, &items[i]))
            return false;
    *out = (struct value){ .kind = VALUE_LIST, .list = { items, n } };
    return true;
}
