/*
 * test_verify.c -- what test/robust/faults cannot observe from outside: byte-exact zeros, files that
 * change during verification, memory that runs out, and that no file crashes verify.
 */
#include "../support/check.h"
#include "../support/fixture.h"
#include "../support/reports.h"
#include "../support/t.h"

#include "base/buffer.h"
#include "content/zeros.h"
#include "registry/finding.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/numel-verify-XXXXXX";
static char path[600];

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static const char *in_root(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static void write_file(const char *name, const void *p, size_t n)
{
    FILE *f = fopen(in_root(name), "wb");
    assert_non_null(f);
    if (n) assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void remove_files(void)
{
    static const char *const names[] = {
        "a",           "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
        "config.json", "model.safetensors.index.json",     "tokenizer.json"
    };
    for (size_t i = 0; i < ROWS_OF(names); i++) unlink(in_root(names[i]));
}

static int remove_root(void **state)
{
    (void)state;
    remove_files();
    return rmdir(root);
}

/* ---- zeros -------------------------------------------------------------------------------- */

struct zero_row {
    uint64_t size, from;
    struct {
        uint64_t begin, end;
    } zeros[3], found[3]; /* zeroed range, expected report */
};

static void run_zero_row(const struct zero_row *r, unsigned *failed)
{
    struct stream s;
    struct zero_runs runs;
    numel_error e = { 0 };
    uint8_t *bytes = malloc(r->size);
    memset(bytes, 0x21, r->size);
    for (size_t i = 0; i < 3; i++) memset(bytes + r->zeros[i].begin, 0, r->zeros[i].end - r->zeros[i].begin);
    write_file("a", bytes, r->size);
    free(bytes);
    assert_true(stream_open(&s, in_root("a"), &e));
    bool ok = zeros_find(&s, r->from, r->size, &runs, &e);
    size_t want = 0;
    for (size_t i = 0; i < 3 && r->found[i].end; i++) {
        want++;
        ROW(*failed,
            i < runs.count && runs.items[i].begin == r->found[i].begin &&
                runs.items[i].end == r->found[i].end,
            "%llu bytes: run %zu is not %llu to %llu", (unsigned long long)r->size, i,
            (unsigned long long)r->found[i].begin, (unsigned long long)r->found[i].end);
    }
    ROW(*failed, ok && runs.count == want, "%llu bytes: %zu runs, wanted %zu", (unsigned long long)r->size,
        runs.count, want);
    ROW(*failed, runs.looked_at <= (4u << 20), "%llu bytes read", (unsigned long long)runs.looked_at);
    assert_true(stream_close(&s, &e));
}

static void test_zeros(void **state)
{
    static const struct zero_row rows[] = {
        { 100000, 100, { { 0 } }, { { 0 } } },
        { 100000, 100, { { 50001, 100000 } }, { { 50001, 100000 } } }, /* to the end, to the byte */
        { 100000, 100, { { 20000, 20000 + 4095 } }, { { 0 } } },       /* less than a page */
        { 100000, 100, { { 12289, 12289 + 9000 } }, { { 12289, 21289 } } },
        { 100000,
          100,
          { { 8000, 30000 }, { 40000, 70001 }, { 90000, 100000 } },
          { { 8000, 30000 }, { 40000, 70001 }, { 90000, 100000 } } },
        { 100000, 100, { { 100, 100000 } }, { { 100, 100000 } } }, /* all of it */
        { 100000, 100, { { 0, 9000 } }, { { 100, 9000 } } },       /* bytes before it belong to others */
        { 9000, 0, { { 904, 9000 } }, { { 904, 9000 } } },
        { 4096, 0, { { 0, 4096 } }, { { 0, 4096 } } },
        { 1, 0, { { 0, 1 } }, { { 0 } } },
        /* large: pages are sampled, a run that contains a sample is found to the byte, and the end is
         * always checked */
        { 64u << 20, 1000, { { 33333333, 40000001 } }, { { 33333333, 40000001 } } },
        { 64u << 20, 1000, { { (64u << 20) - 5000, 64u << 20 } }, { { (64u << 20) - 5000, 64u << 20 } } },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) run_zero_row(&rows[i], &failed);
    assert_int_equal(failed, 0);
}

/* ---- a set -------------------------------------------------------------------------------- */

static void write_shard(const char *name, const char *header, size_t data)
{
    uint8_t bytes[40000];
    size_t n = strlen(header);
    assert_true(8 + n + data <= sizeof bytes);
    memset(bytes, 0x21, sizeof bytes);
    num_store_le64(bytes, n);
    memcpy(bytes + 8, header, n);
    write_file(name, bytes, 8 + n + data);
}

/* Two shards with a fault for each level: a bad entry, truncated data, a wrong total, ids beyond the
 * vocabulary. */
static void make_set(void)
{
    static const char index[] = "{\"metadata\":{\"total_size\":\"99\"},\"weight_map\":{"
                                "\"model.embed_tokens.weight\":\"model-00002-of-00002.safetensors\","
                                "\"lm_head.weight\":\"model-00002-of-00002.safetensors\","
                                "\"bad\":\"model-00001-of-00002.safetensors\"}}";
    static const char config[] =
        "{\"model_type\":\"llama\",\"vocab_size\":64,\"hidden_size\":32,\"num_hidden_layers\":1,"
        "\"num_attention_heads\":2,\"intermediate_size\":16,\"eos_token_id\":64}";
    static const char tokens[] = "{\"model\":{\"vocab\":{\"a\":0,\"b\":99}}}";
    write_shard("model-00001-of-00002.safetensors",
                "{\"model.embed_tokens.weight\":{\"dtype\":\"BF16\",\"shape\":[64,32],"
                "\"data_offsets\":[0,4096]},\"bad\":{\"dtype\":7}}",
                4096);
    write_shard("model-00002-of-00002.safetensors",
                "{\"lm_head.weight\":{\"dtype\":\"BF16\",\"shape\":[64,32],\"data_offsets\":[0,4096]},"
                "\"model.norm.weight\":{\"dtype\":\"BF16\",\"shape\":[32],\"data_offsets\":[4096,4160]}}",
                4000);
    write_file("model.safetensors.index.json", index, sizeof index - 1);
    write_file("config.json", config, sizeof config - 1);
    write_file("tokenizer.json", tokens, sizeof tokens - 1);
}

static bool collect(void *ctx, const void *p, size_t n)
{
    buffer_add(ctx, p, n);
    return true;
}

/* The report on the first checkpoint at `where`, as JSON. */
static numel_rc verify_into(struct buffer *json, const char *where, const numel_options *options,
                            numel_level level, numel_error *e)
{
    numel_check check = { .size = sizeof(numel_check), .level = level };
    numel_found *found = NULL;
    numel_style style = { .size = sizeof(numel_style), .format = NUMEL_JSON };
    numel_report *r = NULL;
    numel_rc rc = numel_find(&found, where, options, e);
    numel_subject *s = NULL;
    if (rc == NUMEL_OK) rc = numel_subject_at(&s, found, 0, NULL, options, e);
    if (rc == NUMEL_OK) rc = numel_report_verify(&r, s, &check, e);
    if (rc == NUMEL_OK) rc = numel_report_write(r, &style, collect, json, e);
    numel_report_free(r);
    numel_subject_close(s);
    numel_found_free(found);
    return rc;
}

static bool holds(const struct buffer *json, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i + n <= json->n; i++)
        if (memcmp(json->p + i, text, n) == 0) return true;
    return false;
}

static bool has(const struct buffer *json, const char *code)
{
    char wanted[80];
    snprintf(wanted, sizeof wanted, "\"code\":\"%s\"", code);
    return holds(json, wanted);
}

static void test_every_level(void **state)
{
    static const char *const codes[] = { "entry-malformed", "data-missing",     "total-size",
                                         "total-odd",       "tensor-unindexed", "tensor-misplaced",
                                         "token-id",        "vocabulary-short", "model-tensor-missing" };
    struct buffer json;
    numel_error e;
    unsigned failed = 0;
    (void)state;
    make_set();
    buffer_init(&json, &memory_malloc);
    assert_int_equal(verify_into(&json, root, NULL, NUMEL_LEVEL_DEFAULT, &e), NUMEL_OK);
    for (size_t i = 0; i < ROWS_OF(codes); i++)
        ROW(failed, has(&json, codes[i]), "%s is not found", codes[i]);
    assert_null(check_json(json.p, json.n));
    buffer_done(&json);
    assert_int_equal(failed, 0);
}

/* Each allocation fails in turn: NOMEM without leaks, or the same report. */
static void test_no_memory(void **state)
{
    unsigned failed = 0;
    bool reached = true;
    (void)state;
    make_set();
    for (uint64_t k = 0; reached; k += k < 300 ? 1 : 23) {
        struct check_memory m;
        struct buffer json;
        numel_error e;
        check_memory_init(&m, k);
        numel_options options = { .size = sizeof(numel_options), .allocator = &m.allocator };
        buffer_init(&json, &memory_malloc);
        numel_rc rc = verify_into(&json, root, &options, NUMEL_LEVEL_DEFAULT, &e);
        reached = m.calls > k;
        ROW(failed, rc == NUMEL_OK || rc == NUMEL_E_NOMEM, "allocation %llu: %s", (unsigned long long)k,
            numel_rc_name(rc));
        ROW(failed, rc != NUMEL_OK || has(&json, "total-size"), "allocation %llu: another report",
            (unsigned long long)k);
        ROW(failed, m.outstanding == 0, "allocation %llu leaks", (unsigned long long)k);
        buffer_done(&json);
    }
    assert_int_equal(failed, 0);
}

/* ---- files that change -------------------------------------------------------------------- */

/* After the headers have been read, another process truncates a file. */
static void cut_file(void *ctx, uint64_t done, uint64_t total, const char *what)
{
    (void)what;
    if (done == total) assert_int_equal(truncate(ctx, 2000), 0);
}

static void test_changed(void **state)
{
    struct buffer json;
    numel_report *r;
    numel_error e;
    char file[600];
    numel_found *found;
    size_t unreadable, unknown;
    (void)state;
    make_set();
    snprintf(file, sizeof file, "%s", in_root("model-00001-of-00002.safetensors"));
    numel_options options = { .size = sizeof(numel_options), .progress = cut_file, .progress_ctx = file };
    buffer_init(&json, &memory_malloc);
    assert_int_equal(verify_into(&json, root, &options, NUMEL_LEVEL_DEFAULT, &e), NUMEL_OK);
    assert_true(has(&json, "file-changed"));
    assert_true(has(&json, "data-missing")); /* the others are reported as usual */
    buffer_done(&json);
    make_set();
    assert_int_equal(numel_find(&found, root, NULL, &e), NUMEL_OK);
    numel_subject *s;
    assert_int_equal(numel_subject_at(&s, found, 0, NULL, &options, &e), NUMEL_OK);
    assert_int_equal(numel_report_verify(&r, s, NULL, &e), NUMEL_OK);
    numel_report_trouble(r, &unreadable, &unknown);
    assert_true(unreadable > 0); /* no verdict */
    numel_report_free(r);
    numel_subject_close(s);
    numel_found_free(found);
}

/* ---- any file ----------------------------------------------------------------------------- */

static const char *verify_fixture(const struct fixture *f)
{
    struct buffer json;
    numel_error e;
    write_file("a", f->bytes.p, f->bytes.n);
    buffer_init(&json, &memory_malloc);
    bool bad = strcmp(f->kind, "bad") == 0;
    numel_level level = bad                           ? NUMEL_LEVEL_CONFIG
                        : strcmp(f->kind, "odd") == 0 ? NUMEL_LEVEL_SIZE
                                                      : NUMEL_LEVEL_HEADER; /* valid by their format */
    numel_rc rc = verify_into(&json, in_root("a"), NULL, level, &e);
    const char *why = rc ? numel_rc_name(rc) : check_json(json.p, json.n);
    bool error = holds(&json, "\"severity\":\"error\"");
    if (!why && error != bad) why = error ? "an error" : "no error";
    if (!why && !f->refused && f->verdict[0] && !has(&json, f->verdict)) why = "not that finding";
    buffer_done(&json);
    return why;
}

/* Good and odd files have no error, bad ones have, whether or not another command refuses them. */
static void test_fixtures(void **state)
{
    struct fixtures all;
    unsigned failed = 0;
    (void)state;
    remove_files(); /* no configuration next to them */
    fixtures_load(&all, fixtures_root(), NULL);
    assert_true(all.count > 100);
    for (size_t i = 0; i < all.count; i++) {
        const char *why = verify_fixture(&all.items[i]);
        ROW(failed, !why, "%s: %s", all.items[i].path, why);
    }
    fixtures_free(&all);
    assert_int_equal(failed, 0);
}

/* Each code that a user can see is in the manual, and belongs to one kind only. */
static void test_manual(void **state)
{
    static const char *const codes[] = {
#define X(name, code, severity, level, remedy) code,
        FINDINGS(X)
#undef X
    };
    struct buffer manual;
    char block[4096];
    unsigned failed = 0;
    (void)state;
    FILE *f = fopen("docs/numel.5", "rb");
    assert_non_null(f);
    buffer_init(&manual, &memory_malloc);
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;) buffer_add(&manual, block, n);
    fclose(f);
    for (size_t i = 0; i < ROWS_OF(codes); i++) {
        ROW(failed, holds(&manual, codes[i]), "%s is not in docs/numel.5", codes[i]);
        for (size_t k = 0; k < i; k++)
            ROW(failed, strcmp(codes[i], codes[k]) != 0, "%s stands twice", codes[i]);
    }
    buffer_done(&manual);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeros),   cmocka_unit_test(test_every_level), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_changed), cmocka_unit_test(test_fixtures),    cmocka_unit_test(test_manual),
    };
    return cmocka_run_group_tests_name("verify", tests, make_root, remove_root);
}
