/*
 * test_gguf_shape.c -- comfy.gguf.orig_shape.NAME: a shape with the same number of elements is restored;
 * any other is ignored.
 */
#include "../support/t.h"

#include "base/text.h"
#include "reader/gguf_meta.h"

enum { MOST = 12, ELEMENTS = 2880 }; /* stored as 45 rows of 64 */

struct row {
    const char *what, *key;
    enum metadata_type type; /* type of the values; META_TYPES: not an array */
    unsigned count;
    int64_t values[MOST];
    bool mapped, restored;
};

#define KEY "comfy.gguf.orig_shape.w"
static const struct row rows[] = {
    { "as it was", KEY, META_I32, 4, { 32, 10, 3, 3 }, false, true },
    { "of 64 bits", KEY, META_I64, 4, { 32, 10, 3, 3 }, false, true },
    { "unsigned", KEY, META_U32, 2, { 320, 9 }, false, true },
    { "flat", KEY, META_I32, 1, { ELEMENTS }, false, true },
    { "eight axes", KEY, META_I32, 8, { 32, 10, 3, 3, 1, 1, 1, 1 }, false, true },
    { "nine axes", KEY, META_I32, 9, { 32, 10, 3, 3, 1, 1, 1, 1, 1 }, false, false },
    { "another product", KEY, META_I32, 4, { 32, 10, 3, 4 }, false, false },
    { "negative", KEY, META_I32, 4, { -32, -10, 3, 3 }, false, false },
    { "a zero", KEY, META_I32, 4, { 32, 10, 9, 0 }, false, false },
    { "empty", KEY, META_I32, 0, { 0 }, false, false },
    { "beyond 64 bits", KEY, META_I64, 3, { INT64_MAX, INT64_MAX, 4 }, false, false },
    { "a product that wraps to it", KEY, META_I64, 3, { INT64_C(1) << 62, 4, ELEMENTS }, false, false },
    { "floats", KEY, META_F32, 2, { 320, 9 }, false, false },
    { "left in the file", KEY, META_I32, 4, { 32, 10, 3, 3 }, true, false },
    { "no array", KEY, META_TYPES, 0, { ELEMENTS }, false, false },
    { "of another tensor", "comfy.gguf.orig_shape.v", META_I32, 4, { 32, 10, 3, 3 }, false, false },
    { "of no tensor", "comfy.gguf.orig_shape.", META_I32, 4, { 32, 10, 3, 3 }, false, false },
    { "another key", "comfy.gguf.orig_shapes.w", META_I32, 4, { 32, 10, 3, 3 }, false, false },
};

static struct metadata_entry entry_of(const struct row *row, uint8_t data[MOST * 8])
{
    struct metadata_entry e = { .key = text_of(row->key), .type = META_U32 };
    unsigned bytes = row->type == META_TYPES ? 0 : metadata_type_bytes(row->type);
    e.value = (struct metadata_value){ .type = META_U32, .u = ELEMENTS };
    if (!bytes) return e;
    for (unsigned i = 0; i < row->count; i++)
        for (unsigned k = 0; k < bytes; k++)
            data[i * bytes + k] = (uint8_t)((uint64_t)row->values[i] >> 8 * k);
    e.type = META_ARRAY;
    e.array = (struct metadata_array){ .type = row->type,
                                       .mapped = row->mapped,
                                       .length_bytes = 8,
                                       .count = row->count,
                                       .bytes = row->count * bytes,
                                       .data = data };
    return e;
}

/* True if the tensor then has the row's shape; fails if it has neither that nor its own. */
static bool restore(const struct row *row, struct arena *a, bool *kept)
{
    static uint64_t own[] = { 45, 64 };
    size_t first, second;
    uint8_t data[MOST * 8];
    numel_error e;
    struct registry registry;
    struct metadata metadata;
    struct metadata_entry entry = entry_of(row, data);
    numel_tensor t = { .name = text_of("w"), .dims = own, .ndim = 2, .elements = ELEMENTS };
    registry_init(&registry, a);
    metadata_init(&metadata, a->memory);
    assert_true(registry_add(&registry, &t, &e) && registry_commit(&registry, &first, &second, &e));
    assert_true(metadata_add(&metadata, &entry, &e));
    struct reading r = { .arena = a, .registry = &registry, .metadata = &metadata, .error = &e };
    struct gguf g = { .r = &r };
    assert_true(gguf_restore_shapes(&g));
    const numel_tensor *now = &registry.tensors[0];
    bool same = now->ndim == row->count;
    for (uint32_t i = 0; same && i < now->ndim; i++) same = now->dims[i] == (uint64_t)row->values[i];
    *kept = now->ndim == 2 && now->dims[0] == own[0] && now->dims[1] == own[1] && now->elements == ELEMENTS;
    metadata_done(&metadata);
    registry_done(&registry);
    return same;
}

static void test_shapes(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct arena a;
        bool kept;
        arena_init(&a, &memory_malloc);
        bool restored = restore(&rows[i], &a, &kept);
        ROW(failed, rows[i].restored ? restored : kept, "a shape that is %s", rows[i].what);
        arena_done(&a);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_shapes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
