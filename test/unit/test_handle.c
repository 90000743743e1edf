/*
 * test_handle.c -- several reports on one subject: each is the same as on a subject of its own, in any
 * order, and together they cost little more than one. The cost is counted in allocations, which are the
 * same on every machine.
 */
#include "../support/check.h"
#include "../support/draft.h"
#include "../support/t.h"

#include "model/tensor.h"
#include "statement/statement.h"

#include <numel.h>

/* ---- what is said ------------------------------------------------------------------------- */

enum { SHOW, OTHERS, TENSORS, FORMULA, RECONCILE, PRINT, EXPLAIN, DIFF, KINDS };

static numel_rc make_over(unsigned kind, numel_report **out, numel_subject *c, numel_error *e)
{
    static const numel_view plain = { .size = sizeof plain },
                            others = { .size = sizeof others, .others = true };
    error_clear(e);
    switch (kind) {
    case SHOW: return numel_report_show(out, c, &plain, e);
    case OTHERS: return numel_report_show(out, c, &others, e);
    case TENSORS: return numel_report_tensors(out, c, &plain, e);
    case FORMULA: return numel_report_formula(out, c, e);
    case RECONCILE: return numel_report_reconcile(out, c, &plain, e);
    case PRINT: return numel_report_print(out, c, e);
    case EXPLAIN: return numel_report_explain(out, "1234567", c, &plain, e);
    default: return numel_report_diff(out, c, c, &plain, e);
    }
}

static bool collect(void *ctx, const void *p, size_t bytes)
{
    buffer_add(ctx, p, bytes);
    return true;
}

/* Its JSON, or the error if there is none. */
static void say(unsigned kind, numel_subject *c, struct buffer *out)
{
    static const numel_style style = { .size = sizeof style, .format = NUMEL_JSON };
    numel_report *r = NULL;
    numel_error e;
    out->n = 0;
    if (make_over(kind, &r, c, &e) != NUMEL_OK) buffer_text(out, e.what);
    else assert_int_equal(numel_report_write(r, &style, collect, out, &e), NUMEL_OK);
    numel_report_free(r);
}

/* Each kind on a new handle, then on one shared by all kinds, forwards and backwards. */
static unsigned compare_all(const char *path, const numel_checkpoint *ck, const numel_knowledge *k)
{
    struct buffer alone[KINDS], text;
    numel_error e = { 0 };
    unsigned failed = 0;
    buffer_init(&text, &memory_malloc);
    for (unsigned i = 0; i < KINDS; i++) {
        numel_subject *c;
        assert_int_equal(numel_subject_of(&c, ck, k, NULL, &e), NUMEL_OK);
        buffer_init(&alone[i], &memory_malloc);
        say(i, c, &alone[i]);
        numel_subject_close(c);
    }
    numel_subject *c;
    assert_int_equal(numel_subject_of(&c, ck, k, NULL, &e), NUMEL_OK);
    for (unsigned turn = 0; turn < 2 * KINDS; turn++) {
        unsigned i = turn < KINDS ? turn : 2 * KINDS - 1 - turn;
        say(i, c, &text);
        ROW(failed, text.n == alone[i].n && memcmp(text.p, alone[i].p, text.n) == 0, "%s: report %u, turn %u",
            path, i, turn);
    }
    numel_subject_close(c);
    for (unsigned i = 0; i < KINDS; i++) buffer_done(&alone[i]);
    buffer_done(&text);
    return failed;
}

static const char *const paths[] = {
    "fixtures/qwen3-0.6b",  "fixtures/llama-3.1-8b-q4_k_m", "fixtures/gptq-tiny",
    "fixtures/gptq-untold", "fixtures/bert-base",           "fixtures/gpt2",
};

static numel_checkpoint *open_path(const char *path, numel_found **found)
{
    numel_checkpoint *ck = NULL;
    assert_int_equal(numel_find(found, path, NULL, NULL), NUMEL_OK);
    assert_int_equal(numel_open(&ck, *found, 0, NULL, NULL), NUMEL_OK);
    return ck;
}

static void test_same(void **state)
{
    static const char *const sets[] = { "architectures=[\"BertModel\"]" };
    static const numel_knowledge nothing = { .size = sizeof nothing },
                                 some = { .size = sizeof some, .sets = sets, .set_count = 1 };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(paths); i++) {
        numel_found *found = NULL;
        numel_checkpoint *ck = open_path(paths[i], &found);
        failed += compare_all(paths[i], ck, &nothing);
        failed += compare_all(paths[i], ck, &some);
        numel_free(ck);
        numel_found_free(found);
    }
    assert_int_equal(failed, 0);
}

/* ---- what a tensor is --------------------------------------------------------------------- */

/* Facts about single tensors add up to the model's counts; rows and tensors refer to each other. */
static unsigned check_tensors(const char *path, const struct model *m)
{
    uint64_t logical = 0, parameters = 0, grounds[GROUND_COUNT] = { 0 }, missing = 0;
    unsigned failed = 0;
    for (uint32_t i = 0; i < m->ck->registry.count; i++) {
        const struct model_tensor t = model_tensor(m, i);
        logical += t.logical;
        parameters += tensor_parameters(&t);
        grounds[t.ground]++;
        bool beside = t.cause == CAUSE_SIDECAR; /* "quant.scale" */
        ROW(failed, (t.row == NAMES_ABSENT) == !t.site && !t.role.p == !(t.site || beside), "%s: tensor %u",
            path, i);
        ROW(failed, beside == text_starts(t.role, "quant."), "%s: the part of tensor %u", path, i);
        ROW(failed, !t.site || model_row(m, t.row).tensor == i, "%s: the row of tensor %u", path, i);
        ROW(failed, t.class[0] != 'q' || t.layout, "%s: tensor %u is of no layout", path, i);
    }
    for (uint32_t i = 0; i < m->x->row_count; i++) {
        const struct model_row r = model_row(m, i);
        missing += r.missing;
        ROW(failed, !r.parameter || model_tensor(m, r.tensor).row == i, "%s: the tensor of row %u", path, i);
    }
    ROW(failed, logical == m->counts.logical, "%s: logical", path);
    ROW(failed, parameters == m->counts.parameters, "%s: parameters", path);
    ROW(failed, missing == m->differences.missing, "%s: missing", path);
    ROW(failed, memcmp(grounds, m->differences.grounds, sizeof grounds) == 0, "%s: grounds", path);
    return failed;
}

/* The lines cover all bytes once; each line equals the sum of the tensors assigned to it. */
static unsigned check_lines(const char *path, struct model *m)
{
    struct statement s;
    numel_error e = { 0 };
    unsigned failed = 0;
    uint64_t bytes = 0;
    assert_true(statement_make(&s, m, "", &e));
    for (size_t k = 0; k < s.tally.count; k++) {
        const struct tally_line *l = s.tally.lines[k];
        uint64_t of_line = 0, tensors = 0;
        for (uint32_t i = 0; i < m->ck->registry.count; i++) {
            const struct model_tensor t = model_tensor(m, i);
            if (statement_code(&t) != l->code) continue;
            of_line += m->ck->registry.tensors[i].bytes;
            tensors++;
        }
        bytes += of_line;
        ROW(failed, of_line == (uint64_t)l->bytes, "%s: bytes of %s", path, l->code->code);
        ROW(failed, k == 0 || tensors == (uint64_t)l->tensors, "%s: tensors of %s", path, l->code->code);
    }
    ROW(failed, bytes == s.bytes, "%s: bytes", path);
    return failed;
}

static void test_tensors(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(paths); i++) {
        numel_found *found = NULL;
        numel_checkpoint *ck = open_path(paths[i], &found);
        numel_error e = { 0 };
        struct model *m = model_make(ck, NULL, true, &memory_malloc, &e);
        assert_true(m && m->x);
        failed += check_tensors(paths[i], m);
        failed += check_lines(paths[i], m);
        model_free(m);
        numel_free(ck);
        numel_found_free(found);
    }
    assert_int_equal(failed, 0);
}

/* ---- what it costs ------------------------------------------------------------------------ */

/* A description as one file in memory, without a configuration next to it. */
static numel_checkpoint *open_described(const char *path, struct buffer *bytes, const numel_options *options)
{
    struct draft d;
    char one[] = "shard 1", *extra[] = { one };
    numel_checkpoint *ck;
    uint64_t data;
    draft_init(&d);
    draft_describe(&d, path, extra, 1);
    draft_shard(&d);
    buffer_init(bytes, &memory_malloc);
    encode_safetensors(&d, 0, bytes, &data);
    draft_done(&d);
    assert_int_equal(numel_open_memory(&ck, bytes->p, bytes->n, options, NULL), NUMEL_OK);
    return ck;
}

static bool ignore(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return true;
}

/* Number of allocations a report makes. */
static uint64_t cost(unsigned kind, numel_subject *c, struct check_memory *m)
{
    static const numel_style style = { .size = sizeof style, .format = NUMEL_TEXT };
    numel_report *r;
    numel_error e;
    uint64_t before = m->calls;
    assert_int_equal(make_over(kind, &r, c, &e), NUMEL_OK);
    assert_int_equal(numel_report_write(r, &style, ignore, NULL, &e), NUMEL_OK);
    numel_report_free(r);
    return m->calls - before;
}

/* DeepSeek-V3 without its configuration: the spec is searched for, and its keys are inferred from 91,991
 * tensors. */
static void test_cost(void **state)
{
    struct check_memory m;
    struct buffer bytes;
    numel_error e = { 0 };
    (void)state;
    check_memory_init(&m, UINT64_MAX);
    numel_checkpoint *ck =
        open_described("test/gen/deepseek-v3.txt", &bytes,
                       &(numel_options){ .size = sizeof(numel_options), .allocator = &m.allocator });
    numel_subject *c;
    assert_int_equal(numel_subject_of(&c, ck, NULL, NULL, &e), NUMEL_OK);
    uint64_t opened = m.calls, first = cost(RECONCILE, c, &m);
    uint64_t second = cost(TENSORS, c, &m), third = cost(SHOW, c, &m);
    print_message("opening %llu, reconcile %llu, tensors %llu, show %llu\n", (unsigned long long)opened,
                  (unsigned long long)first, (unsigned long long)second, (unsigned long long)third);
    assert_true(opened + first <= 1600);
    assert_true(10 * (opened + first + second + third) <= 13 * (opened + first));
    numel_subject_close(c);
    numel_free(ck);
    buffer_done(&bytes);
    assert_true(m.outstanding == 0);
}

/* A model given only by the host has no path: no report may read the bytes of its name. */
static void test_without_path(void **state)
{
    static const char *const sets[] = { "E=64", "L=2", "H=4", "F=128", "V=100" };
    static const unsigned kinds[] = { FORMULA, PRINT, EXPLAIN };
    const numel_knowledge k = { .size = sizeof k, .architecture = "llama", .sets = sets, .set_count = 5 };
    struct buffer text;
    (void)state;
    buffer_init(&text, &memory_malloc);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        numel_error e = { 0 };
        numel_subject *c = NULL;
        assert_int_equal(numel_subject_open(&c, NULL, &k, NULL, &e), NUMEL_OK);
        say(kinds[i], c, &text);
        buffer_char(&text, 0);
        assert_true(text.p[0] == '{');
        numel_subject_close(c);
    }
    buffer_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_path),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_tensors),
        cmocka_unit_test(test_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
