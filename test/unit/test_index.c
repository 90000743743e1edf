/*
 * test_index.c -- model.safetensors.index.json: its map, its statements about itself, duplicates, trailing
 * bytes, and files that are not an index.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/text.h"
#include "reader/shard_index.h"

#include <stdlib.h>

#define MAP(lines) "{\"weight_map\":{" lines "}}"
#define META(members) "{\"metadata\":{" members "},\"weight_map\":{\"a\":\"s\"}}"

/* clang-format off */
static const struct row {
    const char *text;
    size_t tensors, shards;
    uint64_t repeated;
    enum index_number has_size;
    uint64_t size;
    enum index_number has_parameters;
    uint64_t parameters;
} rows[] = {
    { MAP(""), 0, 0, 0, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { MAP("\"a\":\"s\""), 1, 1, 0, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { MAP("\"a\":\"s\",\"b\":\"t\",\"c\":\"s\""), 3, 2, 0, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { MAP("\"a\":\"s\",\"a\":\"t\""), 1, 2, 1, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { MAP("\"a\":\"s\",\"\\u0061\":\"\\u0073\""), 1, 1, 1, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { MAP("\"\":\"\""), 1, 1, 0, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { META(""), 1, 1, 0, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { META("\"total_size\":0"), 1, 1, 0, INDEX_EXACT, 0, INDEX_ABSENT, 0 },
    { META("\"total_size\":13476839424,\"total_parameters\":6738415616"), 1, 1, 0, INDEX_EXACT,
      13476839424, INDEX_EXACT, 6738415616 },
    { META("\"total_size\": \n 7 "), 1, 1, 0, INDEX_EXACT, 7, INDEX_ABSENT, 0 },
    { META("\"total_size\":18446744073709551615"), 1, 1, 0, INDEX_EXACT, UINT64_MAX, INDEX_ABSENT,
      0 },
    { META("\"total_size\":18446744073709551616"), 1, 1, 0, INDEX_ODD, 0, INDEX_ABSENT, 0 },
    { META("\"total_size\":13476839424.0"), 1, 1, 0, INDEX_ODD, 0, INDEX_ABSENT, 0 },
    { META("\"total_size\":1e3"), 1, 1, 0, INDEX_ODD, 0, INDEX_ABSENT, 0 },
    { META("\"total_size\":-1"), 1, 1, 0, INDEX_ODD, 0, INDEX_ABSENT, 0 },
    { META("\"total_size\":\"7\""), 1, 1, 0, INDEX_ODD, 0, INDEX_ABSENT, 0 },
    { META("\"total_size\":null"), 1, 1, 0, INDEX_ODD, 0, INDEX_ABSENT, 0 },
    { META("\"total_size\":[7]"), 1, 1, 0, INDEX_ODD, 0, INDEX_ABSENT, 0 },
    { META("\"total_size\":1.5,\"total_size\":7"), 1, 1, 0, INDEX_EXACT, 7, INDEX_ABSENT, 0 },
    { META("\"other\":{\"total_size\":7}"), 1, 1, 0, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { "{\"metadata\":null,\"weight_map\":{\"a\":\"s\"}}", 1, 1, 0, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { "{\"metadata\":[7],\"weight_map\":{\"a\":\"s\"}}", 1, 1, 0, INDEX_ABSENT, 0, INDEX_ABSENT, 0 },
    { " {\"total_size\":7,\"x\":[{}],\"weight_map\" : { \"a\" : \"s\" } }", 1, 1, 0, INDEX_ABSENT,
      0, INDEX_ABSENT, 0 },
    { "{\"weight_map\":{\"a\":\"s\"},\"metadata\":{\"total_size\":9}}", 1, 1, 0, INDEX_EXACT, 9,
      INDEX_ABSENT, 0 },
};
/* clang-format on */

static bool read_text(struct shard_index *x, numel_str text, struct arena *a, numel_error *e)
{
    void *copy = malloc(text.n ? text.n : 1); /* exact size: a sanitizer detects one byte more */
    memcpy(copy, text.p, text.n);
    POISON(*x);
    error_clear(e);
    bool ok = shard_index_read(x, copy, text.n, a, e);
    free(copy); /* names are copied */
    return ok;
}

/* Invariants of every index that was read. */
static const char *check_index(const struct shard_index *x)
{
    uint64_t of_shards = 0;
    for (size_t i = 0; i < x->tensor_count; i++) {
        const struct index_tensor *t = &x->tensors[i];
        uint32_t found = names_find(&x->by_tensor, x->tensors, t->name);
        if (t->shard >= x->shard_count) return "a tensor of no shard";
        if (found != i) return "another tensor is found by that name";
    }
    for (size_t i = 0; i < x->shard_count; i++) {
        of_shards += x->shards[i].tensors;
        if (names_find(&x->by_shard, x->shards, x->shards[i].name) != i) return "a shard is lost";
    }
    return of_shards == x->tensor_count ? NULL : "the shards do not hold all tensors";
}

static void test_rows(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        const struct row *r = &rows[i];
        struct shard_index x;
        struct arena a;
        numel_error e;
        arena_init(&a, &memory_malloc);
        bool ok = read_text(&x, text_of(r->text), &a, &e);
        ROW(failed, ok, "%s: %s", r->text, e.what);
        ROW(failed, x.tensor_count == r->tensors && x.shard_count == r->shards && x.repeated == r->repeated,
            "%s: %zu tensors, %zu shards", r->text, x.tensor_count, x.shard_count);
        ROW(failed,
            x.has_total_size == r->has_size && (r->has_size != INDEX_EXACT || x.total_size == r->size),
            "%s: total_size", r->text);
        ROW(failed,
            x.has_total_parameters == r->has_parameters &&
                (r->has_parameters != INDEX_EXACT || x.total_parameters == r->parameters),
            "%s: total_parameters", r->text);
        ROW(failed, x.end == x.bytes && x.bytes == strlen(r->text), "%s: its end", r->text);
        const char *why = ok ? check_index(&x) : NULL;
        ROW(failed, !why, "%s: %s", r->text, why);
        shard_index_done(&x);
        shard_index_done(&x); /* calling it twice is allowed */
        arena_done(&a);
    }
    assert_int_equal(failed, 0);
}

/* For repeated names the last line counts, with the number of the first. */
static void test_repeated(void **state)
{
    static const char text[] = MAP("\"a\":\"s\",\"b\":\"s\",\"a\":\"t\",\"c\":\"s\",\"a\":\"u\",\"b\":\"s\"");
    struct shard_index x;
    struct arena a;
    numel_error e;
    (void)state;
    arena_init(&a, &memory_malloc);
    assert_true(read_text(&x, text_of(text), &a, &e));
    assert_int_equal(x.tensor_count, 3); /* of six lines */
    assert_true(x.repeated == 3);
    assert_true(text_equal(x.shards[x.tensors[0].shard].name, "u"));
    static const uint64_t tensors[] = { 2, 0, 1 }; /* s: b and c; t: none; u: a */
    for (size_t i = 0; i < 3; i++) assert_true(x.shards[i].tensors == tensors[i]);
    shard_index_done(&x);
    arena_done(&a);
}

static void test_refused(void **state)
{
    static const struct {
        numel_str text;
        numel_rc code;
        uint64_t offset; /* NUMEL_NOWHERE: not stated here */
    } bad[] = {
        { { "", 0 }, NUMEL_E_SYNTAX, 0 },
        { { "{}", 2 }, NUMEL_E_FORMAT, 0 },
        { { "{\"metadata\":{}}", 15 }, NUMEL_E_FORMAT, 0 },
        { { "[]", 2 }, NUMEL_E_SYNTAX, 0 },
        { { "null", 4 }, NUMEL_E_SYNTAX, 0 },
        { { "{\"weight_map\":null}", 19 }, NUMEL_E_SYNTAX, 14 },
        { { "{\"weight_map\":[\"a\"]}", 20 }, NUMEL_E_SYNTAX, 14 },
        { { "{\"weight_map\":{\"a\":1}}", 22 }, NUMEL_E_SYNTAX, 19 },
        { { "{\"weight_map\":{\"a\":[\"s\"]}}", 26 }, NUMEL_E_SYNTAX, 19 },
        { { "{\"weight_map\":{\"a\":\"s\",}}", 25 }, NUMEL_E_SYNTAX, NUMEL_NOWHERE },
        { { "{\"weight_map\":{\"a\":\"s\xFF\"}}", 25 }, NUMEL_E_UTF8, 21 },
        { { "{\"weight_map\":{\"a\":\"\\ud800\"}}", 29 }, NUMEL_E_SYNTAX, NUMEL_NOWHERE },
        { { "{\"metadata\":{\"total_size\":07},\"weight_map\":{}}", 47 }, NUMEL_E_SYNTAX, NUMEL_NOWHERE },
        { { "\xEF\xBB\xBF{\"weight_map\":{}}", 20 }, NUMEL_E_SYNTAX, 0 },
        { { "{\"weight_map\":{\"a\":\"s\0\"}}", 25 }, NUMEL_E_SYNTAX, 21 },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(bad); i++) {
        struct shard_index x;
        struct arena a;
        numel_error e;
        arena_init(&a, &memory_malloc);
        bool ok = read_text(&x, bad[i].text, &a, &e);
        ROW(failed, !ok && e.code == bad[i].code, "%s: %s: %s", bad[i].text.p, numel_rc_name(e.code), e.what);
        ROW(failed, bad[i].offset == NUMEL_NOWHERE || e.offset == bad[i].offset, "%s: at %llu, not %llu",
            bad[i].text.p, (unsigned long long)e.offset, (unsigned long long)bad[i].offset);
        shard_index_done(&x);
        arena_done(&a);
    }
    assert_int_equal(failed, 0);
}

/* Bytes after the document are reported but not read; white space is ignored. */
static void test_trailing(void **state)
{
    static const struct {
        const char *behind;
        uint64_t end; /* position after the document; NUMEL_NOWHERE: nothing follows */
    } ends[] = { { "", NUMEL_NOWHERE },
                 { " \n\t\r\n", NUMEL_NOWHERE },
                 { "{}", 0 },
                 { "\n{\"weight_map\":{\"b\":\"t\"}}", 1 },
                 { "x", 0 },
                 { "  }", 2 },
                 { "\xFF\xFF", 0 } };
    static const char text[] = MAP("\"a\":\"s\"");
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(ends); i++) {
        struct shard_index x;
        struct arena a;
        numel_error e;
        char both[128];
        uint64_t n = (uint64_t)snprintf(both, sizeof both, "%s%s", text, ends[i].behind);
        uint64_t end = ends[i].end == NUMEL_NOWHERE ? n : strlen(text) + ends[i].end;
        arena_init(&a, &memory_malloc);
        bool ok = read_text(&x, text_of(both), &a, &e);
        ROW(failed, ok && x.tensor_count == 1, "%s: %s", both, e.what);
        ROW(failed, x.end == end && x.bytes == n, "%s: ends at %llu of %llu", both, (unsigned long long)x.end,
            (unsigned long long)x.bytes);
        shard_index_done(&x);
        arena_done(&a);
    }
    assert_int_equal(failed, 0);
}

static const char whole[] =
    "{\"metadata\": {\"total_size\": 12, \"total_parameters\": 6, \"n\\u006f\": [1.5e3, \"\xC3\xA9\"]},\n"
    " \"weight_map\": {\"a\\n\": \"model-00001-of-00002.safetensors\", \"a\\n\": \"x\",\n"
    "  \"\\ud83d\\ude00\": \"model-00002-of-00002.safetensors\"}}";

/* Each prefix of an index is refused; with any byte changed it is read or refused. */
static void test_prefixes(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t n = 0; n <= strlen(whole); n++) {
        struct shard_index x;
        struct arena a;
        numel_error e;
        arena_init(&a, &memory_malloc);
        bool ok = read_text(&x, (numel_str){ whole, n }, &a, &e);
        const char *why = ok ? check_index(&x) : check_error(e.code, &e, n);
        ROW(failed, ok == (n == strlen(whole)) && !why, "of %zu bytes: %d, %s", n, ok, why);
        shard_index_done(&x);
        arena_done(&a);
    }
    assert_int_equal(failed, 0);
}

static void test_changed_bytes(void **state)
{
    static const char to[] = { '\0', '"', '\\', '{', '}', ',', '9', ' ', '\x80', '\xFF' };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < strlen(whole) * sizeof to; i++) {
        struct shard_index x;
        struct arena a;
        numel_error e;
        char changed[sizeof whole];
        memcpy(changed, whole, sizeof whole);
        changed[i / sizeof to] = to[i % sizeof to];
        arena_init(&a, &memory_malloc);
        bool ok = read_text(&x, (numel_str){ changed, sizeof whole - 1 }, &a, &e);
        const char *why = ok ? check_index(&x) : check_error(e.code, &e, sizeof whole - 1);
        ROW(failed, !why, "byte %zu: %s", i / sizeof to, why);
        shard_index_done(&x);
        arena_done(&a);
    }
    assert_int_equal(failed, 0);
}

static void test_no_memory(void **state)
{
    bool reached = true;
    (void)state;
    for (uint64_t k = 0; reached; k++) {
        struct check_memory m;
        struct shard_index x;
        struct arena a;
        numel_error e;
        check_memory_init(&m, k);
        arena_init(&a, &m.allocator);
        bool ok = read_text(&x, text_of(whole), &a, &e);
        reached = m.calls > k;
        assert_true(ok == !reached);
        assert_int_equal(e.code, ok ? NUMEL_OK : NUMEL_E_NOMEM);
        shard_index_done(&x);
        arena_done(&a);
        assert_int_equal(m.outstanding, 0);
    }
}

/* 100,000 tensors in as many shards: quadratic code would need minutes. */
static void test_many(void **state)
{
    enum { MANY = 100000 };
    struct buffer b;
    struct shard_index x;
    struct arena a;
    numel_error e;
    (void)state;
    buffer_init(&b, &memory_malloc);
    arena_init(&a, &memory_malloc);
    buffer_text(&b, "{\"weight_map\":{");
    for (unsigned i = 0; i < MANY; i++) buffer_format(&b, "%s\"t.%u\":\"s-%u\"", i ? "," : "", i, i);
    buffer_text(&b, "}}");
    assert_true(read_text(&x, (numel_str){ b.p, b.n }, &a, &e));
    assert_int_equal(x.tensor_count, MANY);
    assert_int_equal(x.shard_count, MANY);
    assert_null(check_index(&x));
    shard_index_done(&x);
    arena_done(&a);
    buffer_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),      cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_trailing),
        cmocka_unit_test(test_prefixes),  cmocka_unit_test(test_changed_bytes),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
