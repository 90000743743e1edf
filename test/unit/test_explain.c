/*
 * test_explain.c -- the search of `numel explain`: which account comes first, for a model small enough to
 * add up here.
 *
 *     V 1,000  E 64  L 4  H 8  K 2  D 8  F 192, head not tied
 *     embedding 64,000, head 64,000, final norm 64
 *     layer: q, o 4,096 each; k, v 1,024 each; gate, up, down 12,288 each; two norms of 64: 47,232
 *     all: 2 * 64,000 + 4 * 47,232 + 64 = 316,992
 */
#define _DEFAULT_SOURCE /* mkstemps() */
#include "../support/check.h"
#include "../support/t.h"

#include "explain/explain.h"

#include <numel.h>

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static const char config[] =
    "{\"model_type\":\"llama\",\"architectures\":[\"LlamaForCausalLM\"],\"vocab_size\":1000,"
    "\"hidden_size\":64,\"num_hidden_layers\":4,\"num_attention_heads\":8,"
    "\"num_key_value_heads\":2,\"intermediate_size\":192,\"tie_word_embeddings\":false}";

static char config_path[64];

static int write_config(void **state)
{
    (void)state;
    snprintf(config_path, sizeof config_path, "/tmp/numel-explain-XXXXXX.json");
    int fd = mkstemps(config_path, 5);
    if (fd < 0) return -1;
    ssize_t n = write(fd, config, sizeof config - 1);
    return close(fd) || n != (ssize_t)sizeof config - 1;
}

static int remove_config(void **state)
{
    (void)state;
    return unlink(config_path);
}

struct text {
    char p[65536];
    size_t n;
};

static bool collect(void *ctx, const void *p, size_t bytes)
{
    struct text *t = ctx;
    if (bytes > sizeof t->p - 1 - t->n) return false;
    memcpy(t->p + t->n, p, bytes);
    t->n += bytes;
    t->p[t->n] = 0;
    return true;
}

/* The report's text in a style; "" if it cannot be made. *agrees is set if the number is explained. */
static void explained(struct text *t, const char *number, numel_style_format format, bool *agrees)
{
    numel_report *r = NULL;
    numel_error e;
    t->n = 0;
    t->p[0] = 0;
    *agrees = false;
    numel_subject *model = NULL;
    if (numel_subject_open(&model, config_path, NULL, NULL, &e)) return;
    if (numel_report_explain(&r, number, model, NULL, &e)) {
        numel_subject_close(model);
        return;
    }
    assert_int_equal(numel_report_write(r, &(numel_style){ .size = sizeof(numel_style), .format = format },
                                        collect, t, &e),
                     0);
    *agrees = (numel_report_verdict(r) == NUMEL_AGREES);
    numel_report_free(r);
    numel_subject_close(model);
}

/* Extracts "parameters, without output head" from the first explanation. */
/* The judgement, on its own line, also has causes. */
static const char *behind_judgement(const char *json)
{
    const char *line = strstr(json, "\n \"judgement\":");
    const char *end = line ? strchr(line + 1, '\n') : NULL;
    return end ? end : json;
}

static void first_causes(const char *json, char *out, size_t room)
{
    static const char key[] = "\"cause\":\"";
    const char *p = strstr(behind_judgement(json), "\"causes\":["), *end = p ? strchr(p, ']') : NULL;
    size_t n = 0;
    out[0] = 0;
    while (p && (p = strstr(p, key)) && p < end) {
        p += sizeof key - 1;
        n += (size_t)snprintf(out + n, room - n, "%s%.*s", n ? ", " : "", (int)strcspn(p, "\""), p);
    }
}

static const struct {
    const char *number, *causes;
} rows[] = {
    { "316992", "parameters" },
    { "317k", "parameters" },
    { "0.32M", "parameters" },
    { "252992", "parameters, without output head" }, /* - 64,000 */
    { "253k", "parameters, without output head" },
    { "316928", "parameters, without final norm" }, /* - 64 */
    { "252928", "parameters, without output head, without final norm" },
    { "316416", "parameters, without norms" },                   /* - 9 * 64 */
    { "316480", "parameters, without the norms of the layers" }, /* - 8 * 64 */
    { "341568", "parameters, K and V at full heads" },           /* + 4 * 2 * 3,072 */
    { "277568", "parameters, K and V at full heads, without output head" },
    { "188928", "all layers" },             /* 4 * 47,232 */
    { "188416", "matrices of the layers" }, /* - 8 * 64 */
    { "47232", "one layer" },
    { "47104", "matrices of one layer" },     /* - 2 * 64 */
    { "10240", "attention of one layer" },    /* 2 * 4,096 + 2 * 1,024 */
    { "36864", "feed-forward of one layer" }, /* 3 * 12,288 */
    { "24576", "gate and up of one layer" },
    { "6144", "q, k and v of one layer" },
    { "320064", "parameters, another vocabulary" }, /* 1,024: + 2 * 24 * 64 */
    { "633984", "parameters, bytes" },              /* 2 * 316,992 */
    { "1267968", "parameters, bytes" },             /* 4 * 316,992 */
    { "316992000", "parameters, off by a factor of 1000" },
};

static void test_accounts(void **state)
{
    static struct text t;
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        char causes[512];
        bool agrees;
        explained(&t, rows[i].number, NUMEL_JSON, &agrees);
        first_causes(t.p, causes, sizeof causes);
        ROW(failed, agrees && strcmp(causes, rows[i].causes) == 0, "%s: %s%s", rows[i].number,
            agrees ? "" : "not explained, ", causes);
    }
    assert_int_equal(failed, 0);
}

/* Nothing gives these numbers: the nearest account and its remainder add up to the number. */
static void test_rests(void **state)
{
    static const struct {
        const char *number, *rest;
    } none[] = {
        { "316993", "1\n" }, /* no account is as small as 1 */
        { "316991", "-1\n" },
        { "1000003", NULL }, /* a prime: leaves a nonzero remainder */
    };
    static struct text t;
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(none); i++) {
        bool agrees;
        explained(&t, none[i].number, NUMEL_QUIET, &agrees);
        bool right = none[i].rest ? strcmp(t.p, none[i].rest) == 0 : strcmp(t.p, "0\n") != 0;
        ROW(failed, !agrees && right, "%s leaves %s", none[i].number, t.p);
    }
    assert_int_equal(failed, 0);
}

/* Numbers that fit but explain nothing are `possible`, not `explained`; next to each, one that is
 * explained. */
static void test_chance(void **state)
{
    static const struct {
        const char *number;
        bool explained, possible;
    } claims[] = {
        { "47.2K", false, true }, /* a layer, of 47,232 */
        { "47232", true, false },
        { "317M", false, true }, /* 1000 times the parameters */
        { "316992000", true, false },
        { "10.2M", false, true },   /* 1000 times the attention of a layer, 10,240 */
        { "320K", true, false },    /* the parameters: trailing zeros are not significant */
        { "333K", false, false },   /* no account */
        { "323,136", false, true }, /* F = 200: every number this small matches some size */
        { "0.3M", true, false },    /* the parameters: the cheapest account that one digit allows */
        { "634KB", true, false },   /* two bytes for each */
    };
    static struct text t;
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(claims); i++) {
        bool agrees;
        explained(&t, claims[i].number, NUMEL_JSON, &agrees);
        bool told = strstr(t.p, "\"explained\": true") != NULL;
        bool possible = strstr(t.p, "\"possible\": true") != NULL;
        const char *verdict = strstr(t.p, "\"verdict\": \"");
        bool chance = verdict && strncmp(verdict + 12, "possible, may be chance", 23) == 0;
        ROW(failed,
            told == claims[i].explained && agrees == told && possible == claims[i].possible &&
                chance == possible,
            "%s: explained %d, possible %d, %.120s", claims[i].number, told, possible, verdict);
    }
    assert_int_equal(failed, 0);
}

/* Each allocation of model, ledger and search fails in turn: an error, without leaks. */
static void test_memory(void **state)
{
    static const numel_knowledge nothing = NUMEL_INIT(numel_knowledge);
    static const char *const numbers[] = { "252992", "253k", "320064", "1000003" };
    (void)state;
    for (size_t i = 0; i < ROWS_OF(numbers); i++) {
        bool done = false;
        for (uint64_t n = 0; !done; n++) {
            struct check_memory m;
            struct ledger l;
            struct explanation x;
            struct claim c;
            numel_error e = { 0 };
            check_memory_init(&m, n);
            assert_true(claim_read(&c, numbers[i], &e));
            struct handle *model = handle_new(NULL, config_path, &nothing, false, &m.allocator, &e);
            bool resolved = model && handle_ready(model, &e) && model->model->x,
                 made = resolved && ledger_make(&l, model, &e);
            done = made && explain(&x, &c, &l, &e);
            if (!done && resolved) assert_int_equal(e.code, NUMEL_E_NOMEM);
            if (done) explain_done(&x);
            if (made) ledger_done(&l);
            handle_free(model);
            assert_true(m.outstanding == 0);
            done = done && m.calls <= n;
            assert_true(n < 100000);
        }
    }
}

/* The lines of each account add up to its value, for every claim. */
static void test_sums(void **state)
{
    static struct text t;
    unsigned failed = 0, accounts = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        bool agrees;
        explained(&t, rows[i].number, NUMEL_JSON, &agrees);
        for (const char *p = behind_judgement(t.p); (p = strstr(p, "\"causes\":[")); accounts++) {
            const char *end = strstr(p, "\"value\":");
            int64_t sum = 0;
            while ((p = strstr(p, "\"elements\":")) && p < end) sum += strtoll(p += 11, NULL, 10);
            ROW(failed, sum == strtoll(end + 8, NULL, 10), "%s: lines add up to %" PRId64, rows[i].number,
                sum);
            p = end;
        }
    }
    assert_int_equal(failed, 0);
    assert_true(accounts > ROWS_OF(rows));
}

static void test_refusals(void **state)
{
    numel_report *r;
    numel_error e;
    (void)state;
    numel_subject *model;
    POISON(r);
    assert_int_equal(numel_subject_open(&model, config_path, NULL, NULL, &e), NUMEL_OK);
    assert_int_equal(numel_report_explain(&r, "many", model, NULL, &e), NUMEL_E_USAGE);
    assert_null(r);
    numel_subject_close(model);
    POISON(r);
    assert_int_equal(numel_subject_open(&model, "/nowhere/config.json", NULL, NULL, &e), NUMEL_OK);
    assert_int_equal(numel_report_explain(&r, "7B", model, NULL, &e), NUMEL_E_IO);
    assert_null(r);
    numel_subject_close(model);
    uint64_t value, low, high;
    assert_int_equal(numel_claim("7B", &value, &low, &high, NULL), NUMEL_OK);
    assert_true(value == 7000000000 && low == 6500000000 && high == 7500000000);
    assert_int_equal(numel_claim("7X", &value, &low, &high, NULL), NUMEL_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accounts), cmocka_unit_test(test_rests), cmocka_unit_test(test_chance),
        cmocka_unit_test(test_memory),   cmocka_unit_test(test_sums),  cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, write_config, remove_config);
}
