/*
 * test_extents.c -- every byte of a file explained: hand-made files with known extents, opened from
 * memory.
 *
 * safetensors: | length 8 | JSON | data |; GGUF: | head 24 | pairs | infos | 0 ... | data |.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/buffer.h"

#include <stdlib.h>

struct single_parts {
    uint64_t data, padding, gaps, overlap, trailing, missing;
    numel_data is;
};

/* Tensors of bytes: start of each after the data start, and its length. */
struct placed {
    uint64_t offset, bytes;
};

struct row {
    const char *about;
    unsigned count;
    struct placed at[4];
    uint64_t body; /* bytes after the header */
    struct single_parts want;
};

static void put(struct buffer *b, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) buffer_char(b, (char)(v >> 8 * i));
}

static void put_string(struct buffer *b, const char *text)
{
    put(b, strlen(text), 8);
    buffer_text(b, text);
}

/* Returns NULL, or the first wrong extent. */
static const char *check_parts(const numel_file *f, const struct single_parts *w)
{
    return f->data_bytes != w->data     ? "data"
           : f->padding != w->padding   ? "padding"
           : f->gaps != w->gaps         ? "gaps"
           : f->overlap != w->overlap   ? "overlap"
           : f->trailing != w->trailing ? "trailing"
           : f->missing != w->missing   ? "missing"
           : f->data != w->is           ? "presence"
                                        : NULL;
}

/* Opens the bytes; checks the extents, their sum, and the invariants of every checkpoint. */
static unsigned check_bytes(const struct buffer *b, uint64_t header, uint64_t start, const struct row *r)
{
    numel_checkpoint *ck = NULL;
    numel_error e;
    unsigned failed = 0;
    POISON(e);
    numel_rc rc = numel_open_memory(&ck, b->p, b->n, NULL, &e);
    ROW(failed, rc == NUMEL_OK, "%s: %s", r->about, e.what);
    if (rc) return failed;
    const numel_file *f = numel_file_at(ck, 0);
    const char *why = check_parts(f, &r->want);
    ROW(failed, !why,
        "%s: %s: data %llu, padding %llu, gaps %llu, overlap %llu, trailing %llu, "
        "missing %llu, %d",
        r->about, why, (unsigned long long)f->data_bytes, (unsigned long long)f->padding,
        (unsigned long long)f->gaps, (unsigned long long)f->overlap, (unsigned long long)f->trailing,
        (unsigned long long)f->missing, (int)f->data);
    ROW(failed, f->header_bytes == header && f->data_start == start, "%s: header %llu, data at %llu",
        r->about, (unsigned long long)f->header_bytes, (unsigned long long)f->data_start);
    uint64_t sum = f->header_bytes + f->data_bytes + f->padding + f->gaps + f->trailing;
    ROW(failed, f->bytes == b->n && (f->missing || sum == b->n), "%s: %llu of %zu bytes explained", r->about,
        (unsigned long long)sum, b->n);
    why = check_checkpoint(ck, b->n);
    ROW(failed, !why, "%s: %s", r->about, why);
    numel_free(ck);
    return failed;
}

#define PRESENT NUMEL_DATA_PRESENT
#define PARTIAL NUMEL_DATA_PARTIAL
#define ABSENT NUMEL_DATA_ABSENT

/* ---- safetensors -------------------------------------------------------------------------- */

/* clang-format off */
static const struct row plain[] = {
    { "no tensors", 0, { { 0 } }, 0, { .is = PRESENT } },
    { "no tensors, 3 bytes", 0, { { 0 } }, 3, { .trailing = 3, .is = PRESENT } },
    { "one", 1, { { 0, 5 } }, 5, { .data = 5, .is = PRESENT } },
    { "neighbours", 3, { { 0, 5 }, { 5, 1 }, { 6, 2 } }, 8, { .data = 8, .is = PRESENT } },
    { "the other way round", 2, { { 5, 3 }, { 0, 5 } }, 8, { .data = 8, .is = PRESENT } },
    { "trailing", 2, { { 0, 5 }, { 5, 3 } }, 12, { .data = 8, .trailing = 4, .is = PRESENT } },
    { "a hole", 2, { { 0, 4 }, { 7, 1 } }, 8, { .data = 5, .gaps = 3, .is = PRESENT } },
    { "a hole first", 1, { { 6, 2 } }, 8, { .data = 2, .gaps = 6, .is = PRESENT } },
    { "the same bytes", 2, { { 0, 8 }, { 0, 8 } }, 8,
      { .data = 8, .overlap = 8, .is = PRESENT } },
    { "partly the same", 2, { { 0, 5 }, { 3, 5 } }, 8, { .data = 8, .overlap = 2, .is = PRESENT } },
    { "one inside", 2, { { 0, 8 }, { 2, 3 } }, 8, { .data = 8, .overlap = 3, .is = PRESENT } },
    { "two inside", 3, { { 0, 8 }, { 1, 2 }, { 5, 3 } }, 9,
      { .data = 8, .overlap = 5, .trailing = 1, .is = PRESENT } },
    { "empty ones", 3, { { 0, 0 }, { 0, 4 }, { 4, 0 } }, 4, { .data = 4, .is = PRESENT } },
    { "the last byte is not there", 2, { { 0, 4 }, { 4, 4 } }, 7,
      { .data = 7, .missing = 1, .is = PARTIAL } },
    { "the last tensor is not there", 2, { { 0, 4 }, { 4, 4 } }, 4,
      { .data = 4, .missing = 4, .is = PARTIAL } },
    { "nothing is there", 2, { { 0, 4 }, { 4, 4 } }, 0, { .missing = 8, .is = ABSENT } },
    { "a hole past the end is ignored", 2, { { 0, 4 }, { 9, 4 } }, 6,
      { .data = 4, .gaps = 2, .missing = 4, .is = PARTIAL } },
    { "both past the end count once", 2, { { 0, 8 }, { 4, 4 } }, 6,
      { .data = 6, .overlap = 4, .missing = 2, .is = PARTIAL } },
};
/* clang-format on */

static uint64_t make_safetensors(struct buffer *b, const struct row *r)
{
    struct buffer json;
    buffer_init(&json, &memory_malloc);
    buffer_char(&json, '{');
    for (unsigned i = 0; i < r->count; i++)
        buffer_format(&json, "%s\"t%u\":{\"dtype\":\"U8\",\"shape\":[%llu],\"data_offsets\":[%llu,%llu]}",
                      i ? "," : "", i, (unsigned long long)r->at[i].bytes,
                      (unsigned long long)r->at[i].offset,
                      (unsigned long long)(r->at[i].offset + r->at[i].bytes));
    buffer_char(&json, '}');
    put(b, json.n, 8);
    buffer_add(b, json.p, json.n);
    buffer_done(&json);
    uint64_t header = b->n;
    buffer_fill(b, 'x', r->body);
    return header;
}

static void test_safetensors(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(plain); i++) {
        struct buffer b;
        buffer_init(&b, &memory_malloc);
        uint64_t header = make_safetensors(&b, &plain[i]);
        failed += check_bytes(&b, header, header, &plain[i]);
        buffer_done(&b);
    }
    assert_int_equal(failed, 0);
}

/* ---- GGUF --------------------------------------------------------------------------------- */

struct aligned_row {
    uint64_t alignment; /* 0: not stated, so 32 */
    struct row row;
    uint64_t between; /* padding other than that after the header */
};

/* clang-format off */
static const struct aligned_row aligned[] = {
    { 0, { "one of 32", 1, { { 0, 32 } }, 32, { .data = 32, .is = PRESENT } }, 0 },
    { 0, { "padded to 32", 2, { { 0, 5 }, { 32, 3 } }, 64, { .data = 8, .is = PRESENT } }, 27 + 29 },
    { 0, { "the last not padded", 2, { { 0, 5 }, { 32, 3 } }, 35, { .data = 8, .is = PRESENT } }, 27 },
    { 0, { "padded in part", 1, { { 0, 5 } }, 20, { .data = 5, .is = PRESENT } }, 15 },
    { 0, { "more than padding", 1, { { 0, 5 } }, 40,
           { .data = 5, .trailing = 8, .is = PRESENT } }, 27 },
    { 0, { "a gap", 2, { { 0, 5 }, { 96, 32 } }, 128,
           { .data = 37, .gaps = 64, .is = PRESENT } }, 27 },
    { 0, { "a gap first", 1, { { 32, 32 } }, 64, { .data = 32, .gaps = 32, .is = PRESENT } }, 0 },
    { 0, { "overlap", 2, { { 0, 40 }, { 32, 32 } }, 64,
           { .data = 64, .overlap = 8, .is = PRESENT } }, 0 },
    { 0, { "half of the second is missing", 2, { { 0, 5 }, { 32, 32 } }, 48,
           { .data = 21, .missing = 16, .is = PARTIAL } }, 27 },
    { 0, { "nothing is there", 2, { { 0, 5 }, { 32, 32 } }, 0,
           { .missing = 37, .is = ABSENT } }, 0 },
    { 8, { "by 8", 2, { { 0, 5 }, { 8, 3 } }, 16, { .data = 8, .is = PRESENT } }, 3 + 5 },
    { 8, { "by 8, 32 apart", 2, { { 0, 5 }, { 32, 8 } }, 40,
           { .data = 13, .gaps = 24, .is = PRESENT } }, 3 },
    { 64, { "by 64", 2, { { 0, 1 }, { 64, 64 } }, 128, { .data = 65, .is = PRESENT } }, 63 },
    { 4096, { "by 4096", 1, { { 0, 1 } }, 4096, { .data = 1, .is = PRESENT } }, 4095 },
    { 1, { "by 1", 2, { { 0, 1 }, { 1, 2 } }, 4,
           { .data = 3, .trailing = 1, .is = PRESENT } }, 0 },
};
/* clang-format on */

/* I8 is type 24; u32 is value type 4. Leaves b at the end of the infos. */
static void make_infos(struct buffer *b, const struct row *r, uint64_t alignment)
{
    buffer_text(b, "GGUF");
    put(b, 3, 4);
    put(b, r->count, 8);
    put(b, alignment ? 1 : 0, 8);
    if (alignment) {
        put_string(b, "general.alignment");
        put(b, 4, 4);
        put(b, alignment, 4);
    }
    for (unsigned i = 0; i < r->count; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%u", i);
        put_string(b, name);
        put(b, 1, 4);
        put(b, r->at[i].bytes, 8);
        put(b, 24, 4);
        put(b, r->at[i].offset, 8);
    }
}

static void test_gguf(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(aligned); i++) {
        struct row r = aligned[i].row;
        struct buffer b;
        uint64_t a = aligned[i].alignment ? aligned[i].alignment : 32;
        buffer_init(&b, &memory_malloc);
        make_infos(&b, &r, aligned[i].alignment);
        uint64_t header = b.n, start = (header + a - 1) / a * a;
        buffer_fill(&b, '\0', (size_t)(start - header + r.body));
        r.want.padding = start - header + aligned[i].between;
        failed += check_bytes(&b, header, start, &r);
        buffer_done(&b);
    }
    assert_int_equal(failed, 0);
}

/* The file ends in the padding after the header: missing bytes count from there. */
static void test_cut_padding(void **state)
{
    static const struct placed at = { 0, 32 };
    unsigned failed = 0;
    (void)state;
    for (uint64_t kept = 0;; kept++) {
        struct row r = { "cut in the padding", 1, { at }, 0, { .is = ABSENT } };
        struct buffer b;
        buffer_init(&b, &memory_malloc);
        make_infos(&b, &r, 64);
        uint64_t header = b.n, start = (header + 63) / 64 * 64;
        bool done = header + kept >= start;
        buffer_fill(&b, '\0', (size_t)kept);
        r.want.padding = kept;
        r.want.missing = start - header - kept + 32;
        failed += check_bytes(&b, header, start, &r);
        buffer_done(&b);
        if (done) break;
    }
    assert_int_equal(failed, 0);
}

/* A good file cut at each byte of its data: present and missing bytes add up to the declared ones. */
static void test_cuts(void **state)
{
    const struct row *r = &plain[3]; /* neighbours, 8 bytes */
    struct buffer b;
    unsigned failed = 0;
    (void)state;
    buffer_init(&b, &memory_malloc);
    uint64_t header = make_safetensors(&b, r);
    for (uint64_t n = header; n <= header + 8; n++) {
        struct row cut = *r;
        struct buffer part = b;
        part.n = n;
        cut.want = (struct single_parts){ .data = n - header,
                                          .missing = header + 8 - n,
                                          .is = n == header + 8 ? PRESENT
                                                : n == header   ? ABSENT
                                                                : PARTIAL };
        failed += check_bytes(&part, header, header, &cut);
    }
    buffer_done(&b);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_safetensors),
        cmocka_unit_test(test_gguf),
        cmocka_unit_test(test_cut_padding),
        cmocka_unit_test(test_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
