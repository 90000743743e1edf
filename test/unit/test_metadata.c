/*
 * test_metadata.c -- values of every type in either byte order, truncated arrays, and what counts as an
 * integer.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/text.h"
#include "registry/metadata.h"

/* A value as its bits; the result is .u, .i or .f by `kind`. Floats are exactly representable. */
struct scalar {
    enum metadata_type type;
    unsigned bytes;
    uint64_t bits;
    char kind;
    uint64_t u;
    int64_t i;
    double f;
};

static const struct scalar scalars[] = {
    { META_U8, 1, 0x00, 'u', 0, 0, 0 },
    { META_U8, 1, 0xFF, 'u', 255, 0, 0 },
    { META_I8, 1, 0x7F, 'i', 0, 127, 0 },
    { META_I8, 1, 0x80, 'i', 0, -128, 0 },
    { META_I8, 1, 0xFF, 'i', 0, -1, 0 },
    { META_U16, 2, 0x0102, 'u', 258, 0, 0 },
    { META_U16, 2, 0xFFFF, 'u', 65535, 0, 0 },
    { META_I16, 2, 0x8000, 'i', 0, -32768, 0 },
    { META_I16, 2, 0xFFFE, 'i', 0, -2, 0 },
    { META_U32, 4, 0x01020304, 'u', 16909060, 0, 0 },
    { META_U32, 4, 0xFFFFFFFF, 'u', UINT32_MAX, 0, 0 },
    { META_I32, 4, 0x80000000, 'i', 0, INT32_MIN, 0 },
    { META_I32, 4, 0x7FFFFFFF, 'i', 0, INT32_MAX, 0 },
    { META_U64, 8, 0x0102030405060708, 'u', 0x0102030405060708, 0, 0 },
    { META_U64, 8, UINT64_MAX, 'u', UINT64_MAX, 0, 0 },
    { META_I64, 8, 0x8000000000000000, 'i', 0, INT64_MIN, 0 },
    { META_I64, 8, UINT64_MAX, 'i', 0, -1, 0 },
    { META_F32, 4, 0x3F800000, 'f', 0, 0, 1.0 },
    { META_F32, 4, 0xC0200000, 'f', 0, 0, -2.5 },
    { META_F32, 4, 0x00000001, 'f', 0, 0, 0x1p-149 }, /* the smallest one */
    { META_F64, 8, 0x3FF0000000000000, 'f', 0, 0, 1.0 },
    { META_F64, 8, 0x4340000000000001, 'f', 0, 0, 9007199254740994.0 }, /* 2^53 + 2 */
    { META_BOOL, 1, 0, 'u', 0, 0, 0 },
    { META_BOOL, 1, 1, 'u', 1, 0, 0 },
    { META_BOOL, 1, 2, 'u', 2, 0, 0 }, /* as stored */
};

static void store(uint8_t *p, uint64_t bits, unsigned bytes, bool big)
{
    for (unsigned i = 0; i < bytes; i++) p[big ? bytes - 1 - i : i] = (uint8_t)(bits >> 8 * i);
}

static bool is(const struct scalar *s, const struct metadata_value *v)
{
    if (v->type != s->type) return false;
    return s->kind == 'u' ? v->u == s->u : s->kind == 'i' ? v->i == s->i : v->f == s->f;
}

/* Each value between two of all ones, at each cut: whole elements only. */
static void test_scalars(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t r = 0; r < ROWS_OF(scalars); r++)
        for (int big = 0; big < 2; big++) {
            const struct scalar *s = &scalars[r];
            uint8_t data[24];
            memset(data, 0xFF, sizeof data);
            store(data + s->bytes, s->bits, s->bytes, big);
            for (uint64_t cut = 0; cut <= 3 * s->bytes; cut++) {
                struct metadata_array a = { .type = s->type,
                                            .big_endian = big,
                                            .mapped = false,
                                            .length_bytes = 8,
                                            .count = 3,
                                            .bytes = cut,
                                            .data = data };
                struct metadata_value v;
                uint64_t at = 0, n = 0;
                bool right = true;
                for (POISON(v); metadata_next(&a, &at, &v); n++) {
                    right = right && (n != 1 || is(s, &v));
                    POISON(v);
                }
                ROW(failed, n == cut / s->bytes && at == n * s->bytes && right,
                    "%s %llx, %s, %llu bytes: %llu values", metadata_type_name(s->type),
                    (unsigned long long)s->bits, big ? "big" : "little", (unsigned long long)cut,
                    (unsigned long long)n);
            }
        }
    assert_int_equal(failed, 0);
}

/* "ab", "", "c\0d" with lengths of 4 or 8 bytes, either byte order, cut at every byte. */
static void test_strings(void **state)
{
    static const numel_str want[] = { { "ab", 2 }, { "", 0 }, { "c\0d", 3 } };
    static const uint8_t lengths[] = { 4, 8 };
    unsigned failed = 0;
    (void)state;
    for (size_t l = 0; l < 2; l++)
        for (int big = 0; big < 2; big++) {
            uint8_t data[64];
            uint64_t bytes = 0, ends[4] = { 0 };
            for (size_t i = 0; i < 3; i++) {
                store(data + bytes, want[i].n, lengths[l], big);
                memcpy(data + bytes + lengths[l], want[i].p, want[i].n);
                ends[i + 1] = bytes += lengths[l] + want[i].n;
            }
            for (uint64_t cut = 0; cut <= bytes; cut++) {
                struct metadata_array a = { .type = META_STRING,
                                            .big_endian = big,
                                            .mapped = false,
                                            .length_bytes = lengths[l],
                                            .count = 3,
                                            .bytes = cut,
                                            .data = data };
                struct metadata_value v;
                uint64_t at = 0, n = 0;
                for (; metadata_next(&a, &at, &v) && n < 3; n++)
                    ROW(failed, v.type == META_STRING && text_same(v.s, want[n]), "string %llu",
                        (unsigned long long)n);
                ROW(failed, at == ends[n] && (n == 3 || cut < ends[n + 1]),
                    "cut at %llu of %llu: %llu strings, at %llu", (unsigned long long)cut,
                    (unsigned long long)bytes, (unsigned long long)n, (unsigned long long)at);
            }
        }
    assert_int_equal(failed, 0);
}

/* Impossible lengths: neither wrapped nor trusted. */
static void test_long_strings(void **state)
{
    static const uint64_t lengths[] = { 1, 2, 8, INT64_MAX, UINT64_MAX - 8, UINT64_MAX - 7, UINT64_MAX };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(lengths); i++) {
        uint8_t data[9];
        struct metadata_array a = { .type = META_STRING,
                                    .big_endian = false,
                                    .mapped = false,
                                    .length_bytes = 8,
                                    .count = 1,
                                    .bytes = sizeof data,
                                    .data = data };
        struct metadata_value v;
        uint64_t at = 0;
        memset(data, 'x', sizeof data);
        store(data, lengths[i], 8, false);
        bool got = metadata_next(&a, &at, &v);
        ROW(failed, got == (lengths[i] == 1) && at == (got ? 9u : 0u), "length %llu",
            (unsigned long long)lengths[i]);
    }
    assert_int_equal(failed, 0);
}

static void test_no_elements(void **state)
{
    static const uint8_t data[32] = { 0 };
    static const enum metadata_type types[] = { META_ARRAY, META_TYPES };
    (void)state;
    for (size_t i = 0; i < ROWS_OF(types); i++) {
        struct metadata_array a = { .type = types[i],
                                    .big_endian = false,
                                    .mapped = false,
                                    .length_bytes = 8,
                                    .count = 2,
                                    .bytes = sizeof data,
                                    .data = data };
        struct metadata_value v;
        uint64_t at = 0;
        assert_false(metadata_next(&a, &at, &v));
        assert_true(at == 0);
    }
    assert_string_equal(metadata_type_name(META_TYPES), "?");
    assert_int_equal(metadata_type_bytes(META_TYPES), 0);
}

/* GGUF's type numbers, names and sizes: gguf.md. */
static void test_types(void **state)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } rows[META_TYPES] = { { "u8", 1 },  { "i8", 1 },  { "u16", 2 },  { "i16", 2 },    { "u32", 4 },
                           { "i32", 4 }, { "f32", 4 }, { "bool", 1 }, { "string", 0 }, { "array", 0 },
                           { "u64", 8 }, { "i64", 8 }, { "f64", 8 } };
    unsigned failed = 0;
    (void)state;
    for (unsigned t = 0; t < META_TYPES; t++) {
        enum metadata_type type = (enum metadata_type)t;
        ROW(failed, strcmp(metadata_type_name(type), rows[t].name) == 0, "name of %u", t);
        ROW(failed, metadata_type_bytes(type) == rows[t].bytes, "bytes of %u", t);
    }
    assert_int_equal(failed, 0);
}

static void test_integers(void **state)
{
    static const struct {
        struct metadata_value v;
        bool is;
        int64_t want;
    } rows[] = {
        { { META_U8, { .u = 200 } }, true, 200 },
        { { META_U16, { .u = 65535 } }, true, 65535 },
        { { META_U32, { .u = UINT32_MAX } }, true, UINT32_MAX },
        { { META_U64, { .u = INT64_MAX } }, true, INT64_MAX },
        { { META_U64, { .u = (uint64_t)INT64_MAX + 1 } }, false, 0 },
        { { META_U64, { .u = UINT64_MAX } }, false, 0 },
        { { META_I8, { .i = -128 } }, true, -128 },
        { { META_I16, { .i = -1 } }, true, -1 },
        { { META_I32, { .i = INT32_MIN } }, true, INT32_MIN },
        { { META_I64, { .i = INT64_MIN } }, true, INT64_MIN },
        { { META_BOOL, { .u = 1 } }, false, 0 },
        { { META_F32, { .f = 2 } }, false, 0 },
        { { META_F64, { .f = 2 } }, false, 0 },
        { { META_STRING, { .s = { "2", 1 } } }, false, 0 },
        { { META_ARRAY, { .u = 2 } }, false, 0 },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        int64_t got;
        POISON(got);
        bool is = metadata_integer(&rows[i].v, &got);
        ROW(failed, is == rows[i].is && (!is || got == rows[i].want), "row %zu: %d, %lld", i, is,
            (long long)got);
    }
    assert_int_equal(failed, 0);
}

static void test_finding(void **state)
{
    static const numel_str keys[] = { { "a", 1 }, { "a\0", 2 }, { "b", 1 }, { "a", 1 }, { "", 0 } };
    struct check_memory m;
    struct metadata meta;
    numel_error e;
    (void)state;
    error_clear(&e);
    check_memory_init(&m, UINT64_MAX);
    POISON(meta);
    metadata_init(&meta, &m.allocator);
    assert_null(metadata_find(&meta, "a"));
    for (uint32_t i = 0; i < ROWS_OF(keys); i++)
        assert_true(metadata_add(&meta, &(struct metadata_entry){ .key = keys[i], .file = i }, &e));
    assert_int_equal(metadata_find(&meta, "a")->file, 0); /* the first */
    assert_int_equal(metadata_find(&meta, "b")->file, 2);
    assert_int_equal(metadata_find(&meta, "")->file, 4);
    assert_null(metadata_find(&meta, "c"));
    m.fail_at = m.calls;
    while (meta.count < meta.cap)
        assert_true(metadata_add(&meta, &(struct metadata_entry){ .key = keys[2] }, &e));
    size_t count = meta.count;
    assert_false(metadata_add(&meta, &(struct metadata_entry){ .key = keys[2] }, &e));
    assert_int_equal(e.code, NUMEL_E_NOMEM);
    assert_int_equal(meta.count, count); /* unchanged */
    assert_int_equal(metadata_find(&meta, "")->file, 4);
    metadata_done(&meta);
    assert_int_equal(m.outstanding, 0);
}

/* "SECTION.KEY", of any bytes: a NUL does not end it, and only a real dot separates. */
static void test_finding_in(void **state)
{
    static const numel_str keys[] = { { "a.b", 3 }, { "a\0.b", 4 }, { "a\0x.b", 5 }, { "a.b.c", 5 },
                                      { ".b", 2 },  { "a.", 2 },    { "", 0 },       { "a.b\0", 4 } };
    static const struct {
        numel_str section, key;
        int at;
    } rows[] = {
        { { "a", 1 }, { "b", 1 }, 0 },     { { "a\0", 2 }, { "b", 1 }, 1 },
        { { "a\0x", 3 }, { "b", 1 }, 2 },  { { "a.b", 3 }, { "c", 1 }, 3 },
        { { "a", 1 }, { "b.c", 3 }, 3 },   { { "", 0 }, { "b", 1 }, 4 },
        { { NULL, 0 }, { "b", 1 }, 4 },    { { "a", 1 }, { "", 0 }, 5 },
        { { "a", 1 }, { "b\0", 2 }, 7 },   { { "", 0 }, { "", 0 }, -1 },
        { { "a\0y", 3 }, { "b", 1 }, -1 }, { { "a", 1 }, { "c", 1 }, -1 },
        { { "a.b.c", 5 }, { "", 0 }, -1 }, { { "a.b.c.d", 7 }, { "e", 1 }, -1 },
    };
    struct metadata meta;
    numel_error e;
    unsigned failed = 0;
    (void)state;
    error_clear(&e);
    metadata_init(&meta, &memory_malloc);
    for (uint32_t i = 0; i < ROWS_OF(keys); i++)
        assert_true(metadata_add(&meta, &(struct metadata_entry){ .key = keys[i], .file = i }, &e));
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        const struct metadata_entry *m = metadata_find_in(&meta, rows[i].section, rows[i].key);
        ROW(failed, (m ? (int)m->file : -1) == rows[i].at, "row %zu: %d", i, m ? (int)m->file : -1);
    }
    metadata_done(&meta);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),      cmocka_unit_test(test_strings),
        cmocka_unit_test(test_long_strings), cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_types),        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_finding),      cmocka_unit_test(test_finding_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
