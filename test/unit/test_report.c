/*
 * test_report.c -- every fixture that opens can be reported, in every style; each failed allocation while
 * making or writing a report gives NOMEM without leaks.
 */
#include "../support/check.h"
#include "../support/fixture.h"
#include "../support/reports.h"
#include "../support/t.h"

static bool ignore(void *ctx, const void *p, size_t bytes)
{
    (void)p;
    *(uint64_t *)ctx += bytes;
    return true;
}

static void test_reports(void **state)
{
    struct fixtures all;
    unsigned failed = 0, reported = 0;
    (void)state;
    fixtures_load(&all, fixtures_root(), NULL);
    for (size_t i = 0; i < all.count; i++) {
        const struct fixture *f = &all.items[i];
        numel_checkpoint *ck = NULL;
        if (numel_open_memory(&ck, f->bytes.p, f->bytes.n, NULL, NULL) != NUMEL_OK) continue;
        const char *why = check_reports(ck);
        ROW(failed, !why, "%s: %s", f->path, why);
        numel_free(ck);
        reported++;
    }
    fixtures_free(&all);
    assert_true(reported > 100);
    assert_int_equal(failed, 0);
}

/* Makes and writes one report with allocation k failing; true if allocation k was reached. *made: the
 * allocations of making it, if it was made. */
static bool starve(const numel_checkpoint *ck, struct check_memory *m, unsigned kind,
                   const numel_style *style, uint64_t k, uint64_t *made, const char **why)
{
    numel_report *r = NULL;
    numel_error e;
    uint64_t wrote = 0;
    int64_t before = m->outstanding;
    m->calls = 0;
    m->fail_at = k;
    memset(&e, 0xAA, sizeof e);
    numel_subject *model = NULL;
    numel_rc rc = numel_subject_of(&model, ck, NULL, NULL, &e);
    if (!rc) rc = report_make(kind, &r, model, NULL, &e);
    if (rc && r) *why = "leaves *out set on failure";
    if (!rc) *made = m->calls;
    if (!rc) rc = numel_report_write(r, style, ignore, &wrote, &e);
    numel_report_free(rc && !r ? NULL : r);
    numel_subject_close(model);
    bool reached = m->calls > k;
    m->fail_at = UINT64_MAX;
    if (m->outstanding != before) *why = "leaks";
    else if (reached != (rc == NUMEL_E_NOMEM) && (reached || kind != REPORT_FORMULA))
        *why = reached ? "is not NOMEM" : "fails";
    else if (rc && e.code != rc) *why = "code and result disagree";
    return reached;
}

static unsigned starve_all(const struct fixture *f)
{
    static const numel_style styles[] = { { sizeof *styles, .format = NUMEL_TEXT },
                                          { sizeof *styles, .format = NUMEL_JSON } };
    struct check_memory m;
    numel_options options = { .size = sizeof(numel_options), .allocator = &m.allocator };
    numel_checkpoint *ck = NULL;
    unsigned failed = 0;
    check_memory_init(&m, UINT64_MAX);
    if (numel_open_memory(&ck, f->bytes.p, f->bytes.n, &options, NULL) != NUMEL_OK) return 1;
    for (unsigned kind = 0; kind < REPORT_KINDS; kind++) {
        uint64_t made = 0; /* a report is made before a style matters: the second style begins there */
        for (size_t s = 0; s < (kind == REPORT_EXPLAIN ? 1 : ROWS_OF(styles)); s++) { /* explain is slow */
            const char *why = NULL;
            uint64_t first = made, k = 0;
            while (starve(ck, &m, kind, &styles[s], first + k, &made, &why) && !why)
                k += check_every() + (k > 100 ? k / (check_every() > 7 ? 3 : 12) : 0); /* a sample of them */
            ROW(failed, !why, "%s: report %u, style %zu, allocation %llu %s", f->path, kind, s,
                (unsigned long long)(first + k), why);
        }
    }
    numel_free(ck);
    ROW(failed, m.outstanding == 0, "%s: the checkpoint leaks", f->path);
    return failed;
}

static void test_allocations(void **state)
{
    struct fixtures all;
    unsigned failed = 0;
    (void)state;
    fixtures_load(&all, fixtures_root(), NULL);
    for (size_t i = 0; i < all.count; i++)
        if (!all.items[i].refused) failed += starve_all(&all.items[i]);
    fixtures_free(&all);
    assert_int_equal(failed, 0);
}

/* ---- verdicts ----------------------------------------------------------------------------- */

struct tensor {
    const char *name, *type;
    unsigned rows, columns; /* columns 0: a vector */
};

/* A one-layer Llama: V 6, E 4, F 8, H 2 of D 2. */
static const struct tensor llama[] = {
    { "model.embed_tokens.weight", "F16", 6, 4 },
    { "model.layers.0.input_layernorm.weight", "F16", 4, 0 },
    { "model.layers.0.self_attn.q_proj.weight", "F16", 4, 4 },
    { "model.layers.0.self_attn.k_proj.weight", "F16", 4, 4 },
    { "model.layers.0.self_attn.v_proj.weight", "F16", 4, 4 },
    { "model.layers.0.self_attn.o_proj.weight", "F16", 4, 4 },
    { "model.layers.0.post_attention_layernorm.weight", "F16", 4, 0 },
    { "model.layers.0.mlp.gate_proj.weight", "F16", 8, 4 },
    { "model.layers.0.mlp.up_proj.weight", "F16", 8, 4 },
    { "model.layers.0.mlp.down_proj.weight", "F16", 4, 8 },
    { "model.norm.weight", "F16", 4, 0 },
    { "lm_head.weight", "F16", 6, 4 },
};
/* clang-format off */
static const char *const sizes[] = {
    "hidden_size=4", "intermediate_size=8", "num_hidden_layers=1", "num_attention_heads=2",
    "num_key_value_heads=2", "head_dim=2", "vocab_size=6", "architectures=LlamaForCausalLM",
};
/* clang-format on */

static unsigned width(const char *type)
{
    size_t n = strlen(type);
    return type[n - 1] == '8' || strcmp(type, "BOOL") == 0 ? 1 : type[n - 1] == '6' ? 2 : 4;
}

/* One entry of the header; *at is the start of its data, then its end. */
static size_t put_tensor(char *p, size_t room, const struct tensor *t, unsigned *at)
{
    unsigned begin = *at, n = t->rows * (t->columns ? t->columns : 1);
    char dims[32];
    *at += n * width(t->type);
    snprintf(dims, sizeof dims, t->columns ? "%u,%u" : "%u", t->rows, t->columns);
    return (size_t)snprintf(p, room, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%u,%u]}",
                            begin ? "," : "", t->name, t->type, dims, begin, *at);
}

/* The Llama with one tensor changed, or added if it has no such tensor, as a file in memory. */
static size_t make_llama(char *p, size_t room, const struct tensor *other)
{
    unsigned at = 0;
    bool added = !other;
    size_t n = 8;
    p[n++] = '{';
    for (size_t i = 0; i < ROWS_OF(llama); i++) {
        bool this = other && strcmp(llama[i].name, other->name) == 0;
        n += put_tensor(p + n, room - n, this ? other : &llama[i], &at);
        added |= this;
    }
    if (!added) n += put_tensor(p + n, room - n, other, &at);
    p[n++] = '}';
    for (unsigned i = 0; i < 8; i++) p[i] = (char)((uint64_t)(n - 8) >> (8 * i));
    memset(p + n, 0, at);
    return n + at;
}

static int model_verdict(const numel_subject *model)
{
    numel_facts facts = NUMEL_INIT(numel_facts);
    assert_int_equal(numel_subject_about(model, &facts, NULL), NUMEL_OK);
    return (int)facts.verdict;
}

/* Its verdict; -1 - code on an error. */
static int verdict_of(const struct tensor *other, const numel_allocator *m)
{
    static char bytes[16384];
    numel_knowledge k = {
        .size = sizeof(numel_knowledge), .architecture = "llama", .sets = sizes, .set_count = ROWS_OF(sizes)
    };
    numel_options options = { .size = sizeof(numel_options), .allocator = m };
    numel_checkpoint *ck = NULL;
    numel_subject *model = NULL;
    numel_report *r = NULL;
    numel_error e = { 0 };
    uint64_t wrote = 0;
    size_t n = make_llama(bytes, sizeof bytes / 2, other);
    numel_rc rc = numel_open_memory(&ck, bytes, n, &options, &e);
    if (!rc) rc = numel_subject_of(&model, ck, &k, NULL, &e);
    if (!rc) rc = numel_subject_judge(model, NULL, &e);
    if (!rc) rc = numel_report_reconcile(&r, model, NULL, &e);
    if (!rc)
        rc = numel_report_write(r, &(numel_style){ .size = sizeof(numel_style), .format = NUMEL_JSON },
                                ignore, &wrote, &e);
    int verdict = rc ? -1 - (int)rc : (int)numel_report_verdict(r);
    if (!rc) assert_int_equal((numel_report_verdict(r) == NUMEL_AGREES), verdict == NUMEL_AGREES);
    if (!rc) assert_int_equal(model_verdict(model), verdict);
    numel_report_free(r);
    numel_subject_close(model);
    numel_free(ck);
    return verdict;
}

static void test_verdicts(void **state)
{
    static const struct {
        struct tensor t;
        numel_verdict verdict;
    } rows[] = {
        { { "lm_head.weight", "BF16", 6, 4 }, NUMEL_AGREES },
        { { "lm_head.weight", "F32", 6, 4 }, NUMEL_AGREES },
        { { "lm_head.weight", "I16", 6, 4 }, NUMEL_DISAGREES },
        { { "lm_head.weight", "BOOL", 6, 4 }, NUMEL_DISAGREES },
        { { "lm_head.weight", "F16", 4, 6 }, NUMEL_DISAGREES },
        { { "lm_head.weight", "F16", 24, 0 }, NUMEL_DISAGREES },
        { { "lm_head.weight", "F16", 7, 4 }, NUMEL_DISAGREES }, /* a vocabulary of 7 */
        { { "model.layers.0.self_attn.rotary_emb.inv_freq", "F32", 1, 0 }, NUMEL_AGREES },
        { { "model.layers.0.self_attn.rotary_emb.inv_freq", "F32", 2, 0 }, NUMEL_DISAGREES },
        { { "vision_tower.a.weight", "F16", 2, 2 }, NUMEL_IN_PART },
        { { "score.weight", "F16", 2, 4 }, NUMEL_IN_PART },
        { { "model.layers.0.mlp.up_proj.lora_A.weight", "F16", 2, 4 }, NUMEL_IN_PART },
        { { "model.layers.0.mlp.up_proj.scales", "F16", 2, 4 }, NUMEL_DISAGREES }, /* without packed
                                                                                    * tensors */
        { { "model.layers.1.mlp.up_proj.weight", "F16", 8, 4 }, NUMEL_DISAGREES },
        { { "what.is.this", "F16", 2, 4 }, NUMEL_DISAGREES },
    };
    unsigned failed = 0;
    (void)state;
    assert_int_equal(verdict_of(NULL, NULL), NUMEL_AGREES);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        int got = verdict_of(&rows[i].t, NULL);
        ROW(failed, got == (int)rows[i].verdict, "%s %s [%u, %u]: %d", rows[i].t.name, rows[i].t.type,
            rows[i].t.rows, rows[i].t.columns, got);
    }
    assert_int_equal(failed, 0);
}

/* Unchecked items are collected, or NOMEM; never left out. */
static void test_verdict_without_memory(void **state)
{
    static const struct tensor tower = { "vision_tower.a.weight", "F16", 2, 2 };
    struct check_memory m;
    (void)state;
    for (uint64_t k = 0;; k++) {
        check_memory_init(&m, k);
        int got = verdict_of(&tower, &m.allocator);
        assert_int_equal(m.outstanding, 0);
        if (m.calls <= k) {
            assert_int_equal(got, NUMEL_IN_PART);
            break;
        }
        assert_int_equal(got, -1 - (int)NUMEL_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_verdict_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
