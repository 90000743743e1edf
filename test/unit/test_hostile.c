/*
 * test_hostile.c -- hostile texts (hostile.h) wherever a file may have one: each file is read, or refused
 * with an error that can be shown; what is read can be reported in every way.
 */
#include "../support/check.h"
#include "../support/hostile.h"
#include "../support/reports.h"
#include "../support/t.h"

typedef void make_fn(struct buffer *, numel_str, bool adapter);

static unsigned check_one(make_fn *make, numel_str text, bool adapter, unsigned *opened, const char *what)
{
    struct buffer b;
    numel_checkpoint *ck = NULL;
    numel_error e;
    unsigned failed = 0;
    const char *format = make == hostile_gguf ? "GGUF" : "safetensors";
    buffer_init(&b, &memory_malloc);
    make(&b, text, adapter);
    numel_rc rc = numel_open_memory(&ck, b.p, b.n, NULL, &e);
    const char *why = rc ? check_clean(e.what, strlen(e.what)) : check_reports(ck);
    *opened += rc == NUMEL_OK;
    for (size_t i = 0; !rc && !why && i < numel_finding_count(ck); i++) {
        const numel_finding *f = numel_finding_at(ck, i);
        why = check_clean(f->message, strlen(f->message));
        if (!why) why = check_clean(f->tensor, strlen(f->tensor));
    }
    ROW(failed, !why, "%s, %s%s: %s", format, what, adapter ? ", adapter" : "", why);
    numel_free(ck);
    buffer_done(&b);
    return failed;
}

static void test_texts(void **state)
{
    unsigned failed = 0, gguf = 0, safetensors = 0;
    (void)state;
    for (unsigned i = 0; i < HOSTILE_TEXTS; i++) {
        const char *what;
        numel_str text = hostile_text(i, &what);
        for (int adapter = 0; adapter < 2; adapter++) {
            failed += check_one(hostile_gguf, text, adapter, &gguf, what);
            failed += check_one(hostile_safetensors, text, adapter, &safetensors, what);
        }
    }
    assert_int_equal(failed, 0);
    assert_true(gguf >= HOSTILE_TEXTS); /* most of them are valid */
    assert_true(safetensors >= HOSTILE_TEXTS / 2);
}

/* An architecture with an early NUL that is longer than any block of an arena: adding its length to a
 * shorter text once read as far out of bounds as the file chose. */
static void test_architecture(void **state)
{
    enum { LONG = 3 << 20 };
    static const char head[] = "GGUF\3\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
                               "\24\0\0\0\0\0\0\0general.architecture\10\0\0\0";
    static const char tail[] = "\1\0\0\0\0\0\0\0t\1\0\0\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    numel_checkpoint *ck = NULL;
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    buffer_add(&b, head, sizeof head - 1);
    for (unsigned i = 0; i < 8; i++) buffer_char(&b, (char)(uint8_t)((uint64_t)LONG >> 8 * i));
    buffer_add(&b, "a", 2);
    buffer_fill(&b, 'x', LONG - 2);
    buffer_add(&b, tail, sizeof tail - 1);
    while (b.n % 32) buffer_char(&b, 0);
    buffer_fill(&b, 1, 128);
    assert_int_equal(numel_open_memory(&ck, b.p, b.n, NULL, NULL), NUMEL_OK);
    assert_int_equal(numel_tensor_count(ck), 1);
    assert_null(check_reports(ck));
    numel_free(ck);
    buffer_done(&b);
}

/* The checker itself: what it must detect, and what it must accept. */
static void test_checker(void **state)
{
    static const char *const fine[] = { "",
                                        "a\nb\n",
                                        "m\xc3\xb6"
                                        "del \xe6\xa8\xa1 \xf0\x9f\x98\x80",
                                        "\\x1b[31m",
                                        "x numel: fake: all is well",
                                        "\xef\xbf\xbd" };
    unsigned failed = 0, seen = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(fine); i++)
        ROW(failed, !check_clean(fine[i], strlen(fine[i])), "clean text %zu is refused", i);
    for (unsigned i = 0; i < HOSTILE_TEXTS; i++) {
        const char *what;
        numel_str text = hostile_text(i, &what);
        seen += check_clean(text.p, text.n) != NULL;
    }
    assert_int_equal(failed, 0);
    assert_int_equal(seen, 5 + 17); /* with a NUL; from "colours" to "past Unicode" */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_checker), cmocka_unit_test(test_texts),
                                        cmocka_unit_test(test_architecture) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
