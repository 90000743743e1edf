/*
 * test_list.c -- the foundations of `numel list`: records sorted in little memory, repeated files, jobs
 * that keep their order, line-by-line output, and the arguments of the list itself.
 */
#define _XOPEN_SOURCE 700 /* mkstemp() */
#include "../support/t.h"

#include "base/text.h"
#include "content/ordered.h"
#include "reader/seen.h"
#include "reporter/variants.h"
#include "source/lines.h"
#include "source/sorter.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- records ------------------------------------------------------------------------------ */

/* By the first byte alone, so that many are equal and must keep their order. */
static int by_first(const void *ctx, numel_str a, numel_str b)
{
    (void)ctx;
    return (a.n ? (unsigned char)a.p[0] : -1) - (b.n ? (unsigned char)b.p[0] : -1);
}

static unsigned next_number(unsigned *state) { return (*state = *state * 1103515245u + 12345u) >> 16; }

/* Record i of a stream: a letter, the number i, and padding; the 7th of every 50 is empty. */
static size_t make_record(char *out, unsigned i, unsigned *state)
{
    unsigned letter = next_number(state) % 26, more = next_number(state) % 200;
    if (i % 50 == 7) return 0;
    int n = sprintf(out, "%c%06u", 'a' + (int)letter, i);
    memset(out + n, '.', more);
    return (size_t)n + more;
}

/* No record precedes its predecessor, and equal ones keep their order of arrival. */
static int count_sorted(struct sorter *s, unsigned records, bool sorted)
{
    numel_error e = { .code = NUMEL_OK };
    numel_str r;
    char last[300] = "";
    unsigned seen = 0, wrong = 0;
    assert_true(sorter_rewind(s, &e));
    while (sorter_next(s, &r, &e) && r.p) {
        char now[300];
        memcpy(now, r.p, r.n);
        now[r.n] = 0;
        int order = sorted && seen ? (unsigned char)now[0] - (unsigned char)last[0] : 0;
        bool fine = order > 0 || (order == 0 && (!now[0] || strcmp(now + 1, last[0] ? last + 1 : "") > 0));
        if (!sorted) fine = !now[0] || !last[0] || strcmp(now + 1, last + 1) > 0;
        if (seen && !fine && now[0] && last[0]) wrong++;
        strcpy(last, now);
        seen++;
    }
    assert_int_equal(e.code, NUMEL_OK);
    assert_int_equal(seen, records);
    return (int)wrong;
}

static void test_sorter(void **state)
{
    static const struct {
        const char *name;
        unsigned records;
        size_t budget;
        bool files; /* it must have spilled */
    } rows[] = {
        { "none", 0, 4096, false },
        { "one", 1, 0, false },
        { "in memory", 5000, 64 << 20, false },
        { "some runs", 5000, 64 << 10, true },
        { "more runs than are merged at once", 5000, 0, true },
        { "a run and a rest", 45, 0, true },
    };
    int failed = 0;
    (void)state;
    for (size_t k = 0; k < 2 * ROWS_OF(rows); k++) {
        bool sorted = k < ROWS_OF(rows);
        size_t i = k % ROWS_OF(rows);
        struct sorter s;
        unsigned random = 1;
        numel_error e = { .code = NUMEL_OK };
        sorter_init(&s, rows[i].budget, "/tmp", sorted ? by_first : NULL, NULL, &memory_malloc);
        for (unsigned n = 0; n < rows[i].records; n++) {
            char text[300];
            size_t bytes = make_record(text, n, &random);
            assert_true(sorter_add(&s, (numel_str){ text, bytes }, &e));
        }
        bool files = s.run_count > 0;
        ROW(failed, files == rows[i].files, "%s: %zu runs", rows[i].name, s.run_count);
        for (int pass = 0; pass < 2; pass++)
            ROW(failed, count_sorted(&s, rows[i].records, sorted) == 0, "%s: out of order", rows[i].name);
        sorter_done(&s);
    }
    assert_int_equal(failed, 0);
}

static void test_sorter_fails(void **state)
{
    struct sorter s;
    numel_error e = { .code = NUMEL_OK };
    char text[3000] = "x";
    bool ok = true;
    (void)state;
    sorter_init(&s, 0, "/tmp/no/such/folder", by_first, NULL, &memory_malloc);
    for (int i = 0; ok && i < 9; i++) ok = sorter_add(&s, (numel_str){ text, sizeof text }, &e);
    assert_false(ok);
    assert_int_equal(e.code, NUMEL_E_IO);
    assert_string_equal(e.file, "/tmp/no/such/folder");
    sorter_done(&s);
}

/* ---- repeats -------------------------------------------------------------------------------- */

static void test_seen(void **state)
{
    struct seen s;
    numel_error e = { .code = NUMEL_OK };
    bool again;
    unsigned wrong = 0;
    (void)state;
    seen_init(&s, &memory_malloc);
    for (int pass = 0; pass < 2; pass++) /* more devices than are numbered, inodes beyond 56 bits */
        for (uint64_t device = 0; device < 300; device++)
            for (uint64_t inode = 0; inode < 40; inode++) {
                uint64_t number = inode % 2 ? inode : UINT64_MAX - inode;
                assert_true(seen_add(&s, device * 7919, number, &again, &e));
                wrong += again != (pass == 1);
            }
    assert_int_equal(wrong, 0);
    assert_int_equal(s.count, 300 * 40);
    uint64_t one = seen_mix(&s, seen_mix(&s, 0, 1, 2), 1, 3),
             other = seen_mix(&s, seen_mix(&s, 0, 1, 3), 1, 2);
    assert_true(one != other);
    assert_true(seen_add_set(&s, one, &again, &e) && !again);
    assert_true(seen_add_set(&s, one, &again, &e) && again);
    seen_done(&s);
}

/* ---- jobs --------------------------------------------------------------------------------- */

struct numbered {
    unsigned number, made;
};
struct taking {
    unsigned next, wrong, most;
};

static void make_job(void *ctx, void *job)
{
    struct numbered *j = job;
    (void)ctx;
    unsigned work = j->number * 2654435761u, spin = work % 3000;
    for (volatile unsigned i = 0; i < spin; i++) continue;
    j->made = j->number + 1;
}

static bool take_job(void *ctx, void *job)
{
    struct taking *t = ctx;
    const struct numbered *j = job;
    t->wrong += j->number != t->next || j->made != j->number + 1;
    return ++t->next < t->most;
}

static void done_job(void *ctx, void *job) { (void)ctx, (void)job; }

static void test_ordered(void **state)
{
    static const unsigned threads[] = { 1, 2, 3, 8, 200 };
    (void)state;
    for (size_t i = 0; i < ROWS_OF(threads); i++)
        for (unsigned most = 40; most <= 4000; most += 3960) { /* ended by the consumer; by the producer */
            struct taking t = { .most = most };
            struct ordered *o;
            numel_error e = { .code = NUMEL_OK };
            unsigned given = 0;
            assert_true(ordered_open(&o, threads[i], sizeof(struct numbered), make_job, take_job, done_job,
                                     &t, &memory_malloc, &e));
            for (struct numbered *j; given < 2000 && (j = ordered_slot(o)); given++) {
                *j = (struct numbered){ given, 0 };
                ordered_give(o);
            }
            ordered_wait(o);
            ordered_close(o);
            assert_int_equal(t.wrong, 0);
            assert_int_equal(t.next, most < 2000 ? most : 2000);
        }
}

/* ---- lines -------------------------------------------------------------------------------- */

static void test_lines(void **state)
{
    static const struct {
        const char *text, *last;
        size_t bytes;
        bool zero, whole;
        unsigned lines;
    } rows[] = {
        { "", "", 0, false, false, 0 },         { "a\nb\n", "b", 4, false, true, 2 },
        { "a\nbc", "bc", 4, false, false, 2 },  { "\n\n", "", 2, false, true, 2 },
        { "a\nb\0c\0", "c", 6, true, true, 2 }, { "a", "a", 1, true, false, 1 },
    };
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        char path[] = "/tmp/numel-lines-XXXXXX", last[16] = "";
        int fd = mkstemp(path);
        struct lines l;
        numel_error e = { .code = NUMEL_OK };
        const char *line;
        unsigned n = 0;
        assert_true(fd >= 0 && write(fd, rows[i].text, rows[i].bytes) == (ssize_t)rows[i].bytes);
        close(fd);
        assert_true(lines_open(&l, path, rows[i].zero, &memory_malloc, &e));
        for (; lines_next(&l, &line, &e) && line; n++) snprintf(last, sizeof last, "%s", line);
        ROW(failed, n == rows[i].lines && strcmp(last, rows[i].last) == 0, "row %zu: %u, '%s'", i, n, last);
        ROW(failed, l.whole == rows[i].whole, "row %zu: whole", i);
        lines_close(&l);
        unlink(path);
    }
    assert_int_equal(failed, 0);
}

/* ---- the list ----------------------------------------------------------------------------- */

static bool stop_at_once(void *ctx, const numel_row *row)
{
    (*(unsigned *)ctx)++;
    assert_non_null(row->path);
    return false;
}

static void test_arguments(void **state)
{
    static const struct {
        uint32_t shard, shards;
        bool ok;
    } rows[] = { { 0, 0, true },  { 1, 1, true },  { 3, 3, true },
                 { 0, 3, false }, { 4, 3, false }, { 1, 0, false } };
    unsigned called = 0;
    numel_list *list;
    numel_error e;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        numel_listing how = NUMEL_INIT(numel_listing);
        how.row = stop_at_once;
        how.row_ctx = &called;
        how.threads = 1;
        how.shard = rows[i].shard, how.shards = rows[i].shards;
        assert_int_equal(numel_list_open(&list, &how, NULL, &e), rows[i].ok ? NUMEL_OK : NUMEL_E_USAGE);
        numel_list_free(list);
    }
    numel_listing how = NUMEL_INIT(numel_listing);
    assert_int_equal(numel_list_open(&list, &how, NULL, &e), NUMEL_E_USAGE);
    how.row = stop_at_once;
    how.row_ctx = &called;
    how.threads = 1;
    assert_int_equal(numel_list_open(&list, &how, NULL, &e), NUMEL_OK);
    assert_int_equal(numel_list_path(list, "fixtures/none", &e), NUMEL_OK); /* an error is a row */
    assert_int_equal(numel_list_path(list, "fixtures/gpt2", &e), NUMEL_E_STOPPED);
    assert_int_equal(called, 1);
    numel_list_free(list);
}

/* ---- names of variants -------------------------------------------------------------------- */

/* Words about storage are left out; those about the model, its version and its size stay. */
static void test_variant_names(void **state)
{
    static const char *const rows[][2] = {
        { "meta-llama/Meta-Llama-3.1-8B", "llama-3.1-8b" },
        { "llama-3.1-8b-q4_k_m.gguf.head.zst", "llama-3.1-8b" },
        { "Llama-3.1-8B-Q4_K_M-00001-of-00003.gguf", "llama-3.1-8b" },
        { "llama3.1:8b", "llama3.1-8b" },
        { "llama3.1:8b-q8_0", "llama3.1-8b" },
        { "mistral:latest", "mistral" },
        { "a/Qwen2.5-0.5B-Instruct-AWQ", "qwen2.5-0.5b-instruct" },
        { "Qwen2.5-0.5B-Instruct-GPTQ-Int4", "qwen2.5-0.5b-instruct" },
        { "gemma-2-2b-it-bnb-4bit", "gemma-2-2b-it" },
        { "Phi-3.5-mini-instruct.IQ3_XXS.gguf", "phi-3.5-mini-instruct" },
        { "model-w4a16-FP8", "" },
        { "Llama-2-7b-chat-hf", "llama-2-7b-chat" },
        { "Llama-2-7b", "llama-2-7b" }, /* neither a chat model nor 7 bits */
        { "stable-diffusion-2-1", "stable-diffusion-2-1" },
        { "sd-v1", "sd-v1" },
        { "yolo-s", "yolo-s" },
        { "model.safetensors", "" },
        { "pytorch_model-00001-of-00002.bin", "" },
        { "1234567", "" },
        { "", "" },
    };
    (void)state;
    static char endless[1 << 20]; /* cutting words off it would take forever */
    int failed = 0;
    struct arena a;
    arena_init(&a, &memory_malloc);
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        numel_error e = { .code = NUMEL_OK };
        numel_str name;
        assert_true(variant_name(text_of(rows[i][0]), &a, &name, &e));
        if (name.n == strlen(rows[i][1]) && memcmp(name.p, rows[i][1], name.n) == 0) continue;
        print_error("%s: '%.*s', not '%s'\n", rows[i][0], (int)name.n, name.p, rows[i][1]);
        failed++;
    }
    numel_error e = { .code = NUMEL_OK };
    numel_str name;
    for (size_t i = 0; i + 3 < sizeof endless; i += 3) memcpy(endless + i, "-q4", 3);
    assert_true(variant_name(text_of(endless), &a, &name, &e));
    assert_int_equal(name.n, 0);
    arena_done(&a);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorter),       cmocka_unit_test(test_variant_names),
        cmocka_unit_test(test_sorter_fails), cmocka_unit_test(test_seen),
        cmocka_unit_test(test_ordered),      cmocka_unit_test(test_lines),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
