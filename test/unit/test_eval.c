/* test_eval.c -- expressions: values, evidence, and expressions that cannot be computed. */
#include "formula.h"

#include "formula/real.h"

#include <math.h>
#include <stdio.h>

/* Keys of 127 letters, once the size limit of a key, and of 128. */
#define X16 "xxxxxxxxxxxxxxxx"
#define X127 X16 X16 X16 X16 X16 X16 X16 "xxxxxxxxxxxxxxx"

static const char config[] =
    "{\"hidden_size\":4096,\"heads\":32,\"odd\":31,\"big\":9223372036854775808,\"frac\":4096.5,"
    "\"text\":\"4096\",\"nothing\":null,\"list\":[3,1,2],\"names\":[\"a\",\"b\",\"a\"],"
    "\"at\":[0,-1,2],\"stages\":[\"stem\",\"stage2\",\"layer4\"],\"pattern\":\"M-M*\",\"factor\":1.3,"
    "\"huge\":9007199254740992,"
    "\"layers\":{\"0\":{\"n\":3},\"05\":{\"n\":7},\"5x\":{\"n\":8}},"
    "\"nest\":{\"x\":{\"y\":5},\"" X127 "\":6},"
    "\"blocks\":[{\"n\":1},{\"n\":null}],\"yes\":true,\"gate\":\"gated-gelu\"}";

/* Evaluates EXPR as the one let of a spec. */
static bool value_of(const char *expr, struct value *out, numel_error *e, struct arena *arena,
                     struct config *c)
{
    char text[1024];
    snprintf(text, sizeof text, "let X = %s\nraw r a b\n", expr);
    struct spec *s = parsed(text);
    struct env env = { .spec = s, .config = c, .arena = arena };
    *e = (numel_error){ 0 };
    POISON(*out);
    bool ok = env_init(&env, e) && eval(&env, s->lines[0].expr[SIDE_HF], out);
    if (ok && out->kind == VALUE_TEXT) out->s.p = arena_text(arena, out->s.p, out->s.n);
    spec_free(s);
    return ok;
}

static void computes(void **state)
{
    (void)state;
    static const struct {
        const char *expr, *shown;
    } rows[] = {
        { "1 + 2 * 3", "7" },
        { "(1 + 2) * 3", "9" },
        { "7 - 2 - 1", "4" },
        { "12 / 3 / 2", "2" },
        { "-7 % 4", "-3" },
        { "--5", "5" },
        { "1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 != 2 && 1 == 1", "true" },
        { "false || true && false", "false" },
        { "!true ? 1 : false ? 2 : 3", "3" },
        { "null ?? null ?? 4", "4" },
        { "cfg(\"hidden_size\") / cfg(\"heads\")", "128" },
        { "cfg(\"absent\", \"heads\")", "32" },
        { "cfg(\"nothing\", \"heads\")", "32" },
        { "cfg(\"nothing\") ?? 9", "9" },
        { "cfg(\"absent\") == null", "true" },
        { "cfg(\"nest.x.y\")", "5" },
        { "cfg(\"nest\").x.y", "5" },
        { "cfg(\"nest\").z.y ?? 6", "6" },
        { "cfg(\"nest\")." X127, "6" },
        { "cfg(\"nest\")." X127 "x ?? 9", "9" }, /* a different key */
        { "cfg(\"blocks\")[0].n", "1" },
        { "cfg(\"blocks\")[1].n ?? 8", "8" },
        { "cfg(\"list\")[1]", "1" },
        { "[3, 1 + 1, [4]][1] * 10 + [[1], [2, 5]][1][1]", "25" },
        { "len([]) + len([cfg(\"text\"), null])", "2" },
        { "in(2, [1, 2]) && max([4, 7]) == 7", "true" },
        { "cfg(\"heads\")[77]", "32" }, /* a single value applies to all layers */
        { "cfg(\"layers\")[5].n * 10 + cfg(\"layers\")[0].n", "73" }, /* an object, looked up by its keys */
        { "cfg(\"layers\")[50] == null && cfg(\"layers\")[-5] == null", "true" },
        { "cfg(\"layers\")[1].n ?? 9", "9" },
        { "cfg(\"pattern\")[3] == \"*\"", "true" },
        { "count(cfg(\"pattern\"), \"M\")", "2" },
        { "count(cfg(\"names\"), \"a\")", "2" },
        { "in(2, cfg(\"list\"))", "true" },
        { "in(2, cfg(\"absent\"))", "false" },
        { "in(\"b\", \"a b c\") && !in(\"\", \"a b\") && !in(\"a b\", \"a b c\")", "true" },
        { "len(cfg(\"list\")) + len(\"four\") + len(cfg(\"nest\"))", "9" },
        { "min(3, 1, 2) * 10 + max(cfg(\"list\"))", "13" },
        { "ceil_div(7, 2) * 100 + round_up(10, 4)", "412" },
        { "floor_div(7, 2) * 100 + floor_div(8, 2)", "304" },
        { "isnum(cfg(\"factor\")) && isnum(1) && !isnum(cfg(\"text\"))", "true" },
        { "starts(cfg(\"gate\"), \"gated-\")", "true" },
        { "mul(cfg(\"factor\"), 10922)", "14198" }, /* 1.3 * 10922 = 14198.6 */
        { "mul(1.5, 3) + mul(2, 3)", "10" },
        { "mul(25e-2, 8) + mul(1.25e-1, 8)", "3" },
        { "ceil(1.1, 10) * 100 + ceil(1.1, 30) + ceil(2, 3)", "1139" }, /* 11.000000000000002, 33 */
        { "round(0.5, 5) * 100 + round(2.5, 1) * 10 + round(1.5, 1)", "222" },
        { "round(0.7, 10) * 10 + round(0, 4)", "70" },
        { "divisible(20, 8) * 100 + divisible(12, 8) + divisible(0.75, 12, 8, 4)", "2432" },
        { "divisible(1.4, 24, 8) * 100 + divisible(0.35, 32, 8)", "3216" },
        { "divisible(1e-9, 5, 8) + divisible(3.5, 8)", "16" },
        { "pow(2, 10) * 100 + pow(0 - 3, 3) + pow(7, 0)", "102374" },
        { "pow(1, 9223372036854775807) + pow(0 - 1, 4611686018427387905) + pow(0, 0)", "1" },
        { "log2(1) * 1000 + log2(1024) * 10 + log2(1023)", "109" },
        { "grid(192, 0) * 100 + grid(192, 1)", "1216" }, /* 3 to 4 */
        { "grid(1, 0) * 10000 + grid(49, 1) * 100 + grid(98, 1)", "10714" },
        { "grid(197, 0) == null && grid(210, 0) == null && grid(0, 0) == null ? 1 : 0",
          "1" }, /* a prime; 14 to 15; none */
        { "root(0) + root(1) * 1000 + root(48) * 10 + root(49)", "1067" },
        { "root(9223372036854775807) - root(9223372030926249000)", "1" }, /* 3037000499 squared is ...9001 */
        { "sum(cfg(\"list\")) * 100 + sum(cfg(\"list\"), 2) * 10 + sum(cfg(\"list\"), 0)", "640" },
        { "primes(0, 0, 5) * 1000 + primes(24, 1, 2)", "28068" },          /* 2 + 3 + 5 + 7 + 11, 31 + 37 */
        { "primes(2047, 0, 1) + primes(2147483647, 0, 1)", "2147485700" }, /* 2047 = 23 * 89 passes for 2 */
        { "primes(27450, 0, 1) - primes(0, 3000, 1)", "0" },               /* the 3,001st */
        { "outs(cfg(\"at\"), null, 4)[1] * 10 + outs(cfg(\"at\"), null, 4)[2]", "42" }, /* -1 is the last */
        { "outs(null, cfg(\"stages\"), 4)[0] * 100 + outs(null, cfg(\"stages\"), 4)[1] * 10 + "
          "outs(null, cfg(\"stages\"), 4)[2]",
          "24" }, /* 0, 2, 4 */
        { "len(outs(null, null, 4)) * 10 + outs(null, null, 4)[0]", "14" },
        { "outs(cfg(\"at\"), cfg(\"stages\"), 4)[1]", "4" },            /* both are given */
        { "len(outs(cfg(\"absent\") ?? 3, cfg(\"stages\"), 4))", "3" }, /* before any default */
        { "outs(cfg(\"absent\") ?? 3, null, 4)[0]", "3" },
        { "labels()", "2" },
        { "1 + labels() * 3", "7" },
        { "substr(\"abcdef\", 2, 3)", "'cde'" },
        { "substr(\"abc\", 9)", "''" },
        { "\"a\" + \"b\"", "'ab'" },
        { "\"Q\" + text(4) + text(\"_0\")", "'Q4_0'" },
        { "width(\"torch.int32\") * 100 + bitsof(\"qint4\")", "3204" },
        { "bitsof(\"torch.float8_e4m3fn\") * 10 + (bitsof(\"float\") ?? 1)", "81" },
        { "pow2(4) + pow2(0)", "17" },
        { "upper(\"nf4_x\") + lower(\"NF4_X\")", "'NF4_Xnf4_x'" },
        { "upper(null) == null && holds(\"abc\", \"bc\") && !holds(null, \"a\")", "true" },
        { "ggml_block(\"Q4_0\") * 1000 + ggml_bytes(\"Q4_0\")", "32018" },  /* 16 bytes and a half */
        { "ggml_block(\"Q6_K\") * 1000 + ggml_bytes(\"Q6_K\")", "256210" }, /* 128 + 64 + 16 + 2 */
        { "ggml_block(\"Q4_2\") == null && ggml_bytes(\"BF17\") == null", "true" },
        { "false && cfg(\"text\") > 1", "false" }, /* evaluates no more than it needs */
        { "true ? 1 : 1 / 0", "1" },
        { "gguf", "false" },
    };
    struct config *c = configured(config);
    struct arena arena;
    arena_init(&arena, &memory_malloc);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct value v;
        numel_error e;
        char shown[VALUE_SHOW];
        if (!value_of(rows[i].expr, &v, &e, &arena, c)) fail_msg("%s: %s", rows[i].expr, e.what);
        if (strcmp(value_show(shown, &v), rows[i].shown) != 0)
            fail_msg("%s is %s, expected %s", rows[i].expr, shown, rows[i].shown);
    }
    arena_done(&arena);
    config_free(c);
}

static const struct {
    const char *expr, *what;
} refused[] = {
    { "1 / 0", "1 divided by 0" },
    { "1 % 0", "1 divided by 0" },
    { "cfg(\"hidden_size\") / cfg(\"odd\")", "4096 (hidden_size) is not a multiple of 31 (odd)" },
    { "cfg(\"text\") + 1", "'4096' (text) is not an integer" },
    { "cfg(\"frac\") + 1", "4096.5 (frac) is not an integer" },
    { "cfg(\"big\") + 1", "9.2233720368547758e+18 (big) is not an integer" },
    { "cfg(\"absent\") + 1", "the configuration has no absent; give it with --set absent=VALUE" },
    { "cfg(\"nothing\") * 2", "nothing is null in the configuration" },
    { "9223372036854775807 + 1", "the result does not fit in 64 bits" },
    { "cfg(\"huge\") * cfg(\"huge\")", "9007199254740992 (huge)" },
    { "0 - 9223372036854775807 - 2", "the result does not fit in 64 bits" },
    { "[1, 2][2]", "the list has 2 values, but number 2 (from 0) is used" },
    { "cfg(\"list\")[3]", "list has 3 values, but number 3 (from 0) is used" },
    { "cfg(\"list\")[0 - 1]", "list has 3 values, but number -1" },
    { "1 ? 2 : 3", "1 is not a boolean" },
    { "!cfg(\"heads\")", "32 (heads) is not a boolean" },
    { "cfg(\"heads\").x", "32 (heads) has no keys" },
    { "min(cfg(\"names\"))", "is not a list of integers" },
    { "ceil_div(1, 0)", "0 is not a size" },
    { "floor_div(1, 0)", "0 is not a size" },
    { "mul(cfg(\"text\"), 1)", "'4096' (text) is not a factor" },
    { "ceil(cfg(\"big\"), 2)", "(big) is out of range for ceil()" },
    { "round(0 - 1, 9223372036854775807) - 9", "the result does not fit in 64 bits" },
    { "divisible(1.5, 9007199254740993, 8)", "is out of range for divisible()" },
    { "divisible(cfg(\"text\"), 8)", "'4096' (text) is not a factor" },
    { "divisible(8, 0)", "is out of range for divisible()" },
    { "divisible(2, 1.5, 8)", "1.5 is not an integer" },
    { "pow(2, 63)", "the result does not fit in 64 bits" },
    { "pow(2, 0 - 1)", "-1 is not an exponent" },
    { "log2(0)", "0 is not a size" },
    { "root(0 - 1)", "-1 is not a size" },
    { "outs(cfg(\"frac\"), null, 4)", "4096.5 (frac) is not a list of stages" },
    { "outs(null, null, 0 - 1)", "-1 is not a number of stages" },
    { "outs(cfg(\"big\"), null, 4)", "big" },
    { "primes(2147483648, 0, 1)", "2147483648 is not a size below 2^31" },
    { "primes(2, 0 - 1, 1)", "-1 is not a size up to 4096" },
    { "primes(2, 0, 4097)", "4097 is not a size up to 4096" },
    { "sum(cfg(\"list\"), 4)", "a list of 3 (list) is not as long as 4" },
    { "sum(cfg(\"names\"))", "is not a list of integers" },
    { "sum(3)", "3 is not a list" },
    { "\"a\" * 2", "'a' is not an integer" },
    { "\"a\" + 2", "'a' is not an integer" },
    { "text(true)", "true is not an integer" },
    { "pow2(63)", "63 is not an exponent of 0 to 62" },
    { "pow2(0 - 1)", "-1 is not an exponent" },
    { "upper(4)", "4 is not a string" },
    { "ggml_bytes(4)", "4 is not a string" },
};

/* Messages must not show our line numbers: the author of the configuration does not know them. */
static void refuses(void **state)
{
    (void)state;
    struct config *c = configured(config);
    struct arena arena;
    struct value v;
    numel_error e;
    arena_init(&arena, &memory_malloc);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (value_of(refused[i].expr, &v, &e, &arena, c)) fail_msg("accepted: %s", refused[i].expr);
        if (!strstr(e.what, refused[i].what))
            fail_msg("%s: '%s', expected '%s'", refused[i].expr, e.what, refused[i].what);
        bool theirs = e.code == NUMEL_E_KEY || e.code == NUMEL_E_CONFIG;
        assert_int_equal(!strstr(e.what, "line 1, column "), theirs);
    }
    arena_done(&arena);
    config_free(c);
}

static void carries_evidence(void **state)
{
    (void)state;
    static const struct {
        const char *expr;
        enum evidence evidence;
        const char *key;
    } rows[] = {
        { "12", EVIDENCE_CONSTANT, NULL },
        { "cfg(\"heads\")", EVIDENCE_DECLARED, "heads" },
        { "cfg(\"absent\") ?? cfg(\"heads\")", EVIDENCE_DEFAULTED, "heads" },
        { "cfg(\"absent\") ?? 5", EVIDENCE_DEFAULTED, "absent" },
        { "cfg(\"heads\") * (cfg(\"absent\") ?? 5)", EVIDENCE_DEFAULTED, "absent" },
        { "cfg(\"nothing\") == null", EVIDENCE_DECLARED, "nothing" },
        { "has(\"x\", true) ? 1 : 2", EVIDENCE_DEFAULTED, NULL },
    };
    struct config *c = configured(config);
    struct arena arena;
    arena_init(&arena, &memory_malloc);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct value v;
        numel_error e;
        assert_true(value_of(rows[i].expr, &v, &e, &arena, c));
        if (v.evidence != rows[i].evidence) fail_msg("%s: %s", rows[i].expr, evidence_name(v.evidence));
        if (rows[i].key) assert_string_equal(v.key, rows[i].key);
        else assert_null(v.key);
    }
    arena_done(&arena);
    config_free(c);
}

/* The integer product rounds as doubles do. */
static void multiplies_as_python_does(void **state)
{
    (void)state;
    static const double factors[] = { 0, 0.1, 0.5, 1.0 / 3, 1, 1.3, 2.6875, 3.75, 1e-300, 1e6 };
    uint64_t n = 1;
    for (unsigned i = 0; i < 2000; i++) {
        n = n * 6364136223846793005u + 1442695040888963407u;
        int64_t size = (int64_t)(n >> 20);
        for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
            int64_t out;
            double d = factors[k] * (double)size;
            if (d >= 9.2e18) continue;
            assert_true(real_product(factors[k], size, REAL_DOWN, &out));
            assert_true(out == (int64_t)d);
            assert_true(real_product(factors[k], size, REAL_UP, &out));
            int64_t whole = (int64_t)d;
            double rest = d - (double)whole;
            assert_true(out == whole + (rest > 0));
            assert_true(real_product(factors[k], size, REAL_EVEN, &out));
            assert_true(out == whole + (rest > 0.5 || (!(rest < 0.5) && whole % 2)));
        }
    }
    int64_t out;
    assert_false(real_product(-1, 2, REAL_DOWN, &out));
    assert_false(real_product(NAN, 2, REAL_DOWN, &out));
    assert_false(real_product(INFINITY, 2, REAL_DOWN, &out));
    assert_false(real_product(1e6, INT64_C(1) << 53, REAL_DOWN, &out));
    assert_false(real_product(1, -1, REAL_DOWN, &out));
}

static int64_t make_divisible(double value, int64_t d, int64_t least)
{
    int64_t n = (int64_t)(value + (double)d / 2) / d * d;
    if (n < least) n = least;
    return (double)n < 0.9 * value ? n + d : n;
}

static void makes_divisible_as_python_does(void **state)
{
    (void)state;
    static const double factors[] = {
        0, 0.05, 0.1, 0.35, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.4, 2.2, 1e-12, 1e5
    };
    for (int64_t n = 1; n < 700; n++)
        for (int64_t d = 1; d < 34; d++)
            for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
                int64_t out;
                assert_true(real_divisible(factors[k], n, d, d % 5, &out));
                assert_true(out == make_divisible(factors[k] * (double)n, d, d % 5));
            }
}

/* If the configuration has both, the class decides which value remains. */
static void counts_labels(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        int64_t labels;
    } rows[] = {
        { "{}", 2 },
        { "{\"num_labels\":5}", 5 },
        { "{\"id2label\":{\"0\":\"a\"}}", 1 },
        { "{\"num_labels\":5,\"id2label\":{\"0\":\"a\",\"1\":\"b\",\"2\":\"c\"}}", 3 },
        { "{\"num_labels\":5,\"id2label\":null}", 5 },
    };
    struct arena arena;
    arena_init(&arena, &memory_malloc);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct config *c = configured(rows[i].json);
        struct value v;
        numel_error e;
        if (!value_of("labels()", &v, &e, &arena, c)) fail_msg("%s: %s", rows[i].json, e.what);
        assert_true(v.kind == VALUE_INT && v.i == rows[i].labels);
        config_free(c);
    }
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes),
        cmocka_unit_test(refuses),
        cmocka_unit_test(carries_evidence),
        cmocka_unit_test(multiplies_as_python_does),
        cmocka_unit_test(makes_divisible_as_python_does),
        cmocka_unit_test(counts_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
