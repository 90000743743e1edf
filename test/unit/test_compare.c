/*
 * test_compare.c -- comparing the values of two files in tasks and threads: the text is the same for any
 * number of threads and after an interruption at any point; big-endian equals little-endian; any flipped
 * bit is found.
 */
#include "../support/t.h"

#include "base/buffer.h"
#include "base/num.h"

#include <numel.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TENSORS = 6, ELEMENTS = 300001 };

static char folder[64], paths[2][96], noted[96];
static uint16_t *data[2];

/* Consecutive tensors of BF16. */
static void write_file(int side)
{
    char header[1024];
    size_t n = 0;
    for (int i = 0; i < TENSORS; i++)
        n += (size_t)snprintf(header + n, sizeof header - n,
                              "%s\"l.%d.w\":{\"dtype\":\"BF16\",\"shape\":[%d],\"data_offsets\":[%d,%d]}",
                              i ? "," : "{", i, ELEMENTS, i * ELEMENTS * 2, (i + 1) * ELEMENTS * 2);
    n += (size_t)snprintf(header + n, sizeof header - n, "}");
    uint8_t length[8];
    num_store_le64(length, n);
    FILE *f = fopen(paths[side], "wb");
    assert_non_null(f);
    assert_true(fwrite(length, 1, 8, f) == 8 && fwrite(header, 1, n, f) == n);
    for (size_t i = 0; i < (size_t)TENSORS * ELEMENTS; i++) {
        uint8_t two[2] = { (uint8_t)data[side][i], (uint8_t)(data[side][i] >> 8) };
        assert_true(fwrite(two, 1, 2, f) == 2);
    }
    assert_int_equal(fclose(f), 0);
}

static int set_up(void **state)
{
    (void)state;
    uint32_t seed = 12345;
    snprintf(folder, sizeof folder, "/tmp/numel-compare.XXXXXX");
    if (!mkdtemp(folder)) return -1;
    for (int w = 0; w < 2; w++) {
        snprintf(paths[w], sizeof paths[w], "%s/%c.safetensors", folder, 'a' + w);
        data[w] = malloc((size_t)TENSORS * ELEMENTS * sizeof *data[w]);
        if (!data[w]) return -1;
    }
    snprintf(noted, sizeof noted, "%s/noted", folder);
    for (size_t i = 0; i < (size_t)TENSORS * ELEMENTS; i++) {
        seed = seed * 1664525 + 1013904223;
        data[0][i] = data[1][i] = (uint16_t)(0x3F00 + (seed >> 24));
        if (i / ELEMENTS % 2) data[1][i] ^= seed >> 20 & 7; /* tensors 1, 3, 5 differ */
    }
    for (int w = 0; w < 2; w++) write_file(w);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove(noted);
    for (int w = 0; w < 2; w++) {
        remove(paths[w]);
        free(data[w]);
    }
    return rmdir(folder);
}

/* ---- a run -------------------------------------------------------------------------------- */

struct run {
    struct buffer text;
    bool stopped, agrees;
    uint64_t asked, stop_at; /* 0: never stops */
};

static bool stop_at(void *ctx)
{
    struct run *r = ctx;
    return ++r->asked >= r->stop_at && r->stop_at;
}

static bool put(void *ctx, const void *p, size_t n)
{
    buffer_add(ctx, p, n);
    return true;
}

static const numel_allocator *plain(void)
{
    static numel_allocator m;
    m = memory_malloc;
    return &m;
}

static void compare(struct run *r, unsigned threads, const char *resume)
{
    numel_found *found[2];
    numel_checkpoint *ck[2];
    numel_subject *model[2];
    numel_report *report;
    numel_work work = {
        .size = sizeof work, .threads = threads, .stop = stop_at, .stop_ctx = r, .resume = resume
    };
    numel_view view = { .size = sizeof view, .values = &work };
    numel_style style = { .size = sizeof style, .format = NUMEL_JSON };
    r->asked = 0;
    buffer_init(&r->text, plain());
    for (int w = 0; w < 2; w++) {
        assert_int_equal(numel_find(&found[w], paths[w], NULL, NULL), NUMEL_OK);
        assert_int_equal(numel_open(&ck[w], found[w], 0, NULL, NULL), NUMEL_OK);
        assert_int_equal(numel_subject_of(&model[w], ck[w], NULL, NULL, NULL), NUMEL_OK);
    }
    assert_int_equal(numel_report_diff(&report, model[0], model[1], &view, NULL), NUMEL_OK);
    assert_int_equal(numel_report_write(report, &style, put, &r->text, NULL), NUMEL_OK);
    r->stopped = numel_report_stopped(report);
    r->agrees = (numel_report_verdict(report) == NUMEL_AGREES);
    numel_report_free(report);
    for (int w = 0; w < 2; w++) {
        numel_subject_close(model[w]);
        numel_free(ck[w]);
        numel_found_free(found[w]);
    }
    buffer_char(&r->text, '\0');
    assert_false(r->text.failed);
}

static unsigned occurs(const struct run *r, const char *what)
{
    unsigned n = 0;
    for (const char *p = r->text.p; (p = strstr(p, what)); p++) n++;
    return n;
}

/* ---- tests -------------------------------------------------------------------------------- */

static void same_for_any_threads(void **state)
{
    (void)state;
    struct run one = { .stop_at = 0 }, more = { .stop_at = 0 };
    compare(&one, 1, NULL);
    assert_true(!one.stopped && !one.agrees);
    assert_int_equal(occurs(&one, "\"equal_bits\":true"), 3);
    for (unsigned threads = 2; threads < 10; threads += 3) {
        compare(&more, threads, NULL);
        assert_string_equal(one.text.p, more.text.p);
        buffer_done(&more.text);
    }
    buffer_done(&one.text);
}

/* Stops at the k-th progress call: facts about finished tensors are true, and a second run completes them. */
static void stopped_and_resumed(void **state)
{
    (void)state;
    struct run whole = { .stop_at = 0 };
    unsigned most = 0;
    compare(&whole, 1, NULL);
    for (uint64_t k = 1; k < whole.asked; k++) {
        struct run part = { .stop_at = k }, rest = { .stop_at = 0 };
        remove(noted);
        compare(&part, 1, noted);
        assert_true(part.stopped && occurs(&part, "interrupted before it was read") > 0);
        unsigned equal = occurs(&part, "\"equal_bits\":true"), differ = occurs(&part, "\"equal_bits\":false");
        assert_true(equal <= 3 && differ <= 3 && equal + differ < TENSORS);
        compare(&rest, 1, noted);
        assert_string_equal(rest.text.p, whole.text.p);
        assert_true(rest.asked <= whole.asked);
        if (rest.asked < whole.asked) most = equal + differ > most ? equal + differ : most;
        buffer_done(&part.text);
        buffer_done(&rest.text);
    }
    assert_true(most >= 4); /* not read again */
    buffer_done(&whole.text);
}

/* Notes about a file that has changed since are ignored. */
static void changed_since(void **state)
{
    (void)state;
    struct run first = { .stop_at = 0 }, second = { .stop_at = 0 };
    remove(noted);
    compare(&first, 1, noted);
    data[1][0] ^= 0x0040;
    write_file(1);
    compare(&second, 1, noted);
    assert_int_equal(occurs(&first, "\"equal_bits\":true"), 3);
    assert_int_equal(occurs(&second, "\"equal_bits\":true"), 2);
    data[1][0] ^= 0x0040;
    write_file(1);
    buffer_done(&first.text);
    buffer_done(&second.text);
}

/* Flips a bit: first, last and in between. One element of one tensor differs, wherever pieces and blocks
 * end. */
static void one_bit(void **state)
{
    (void)state;
    static const size_t places[] = { 0, 1, 1023, 1024, 131071, 131072, ELEMENTS - 1 };
    struct run r = { .stop_at = 0 };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t at = 2 * (size_t)ELEMENTS + places[i]; /* tensor 2 is identical */
        data[1][at] ^= 1;
        write_file(1);
        compare(&r, 2, NULL);
        assert_int_equal(occurs(&r, "\"equal_bits\":true"), 2);
        assert_int_equal(occurs(&r, "\"differing\":1,"), 1);
        data[1][at] ^= 1;
        buffer_done(&r.text);
    }
    write_file(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(stopped_and_resumed),
        cmocka_unit_test(changed_since),
        cmocka_unit_test(one_bit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
