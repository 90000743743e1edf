/*
 * test_pieces.c -- lengths are compared before they are subtracted, and arrays never overflow.
 */
#include "../support/t.h"

#include "base/fixed.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A piece is limited to the bytes that exist, whatever is requested. */
static void test_pieces(void **state)
{
    const numel_str s = { "a.bc", 4 }, none = { NULL, 0 };
    static const size_t lengths[] = { 5, SIZE_MAX - 1, SIZE_MAX };
    (void)state;
    assert_true(text_equal(text_from(s, 2), "bc") && text_equal(text_upto(s, 2), "a."));
    assert_true(text_equal(text_less(s, 3), "a") && text_equal(text_tail(s, 3), ".bc"));
    assert_true(text_equal(text_slice(s, 1, 3), ".b") && text_equal(text_inner(s), ".b"));
    assert_true(text_equal(text_span(s.p, s.p + 1), "a") && text_span(s.p + 1, s.p).n == 0);
    assert_true(text_equal(text_behind(s, s.p + 3), "c") && text_behind(s, s.p + 4).n == 0);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(text_from(s, lengths[i]).n, 0);
        assert_int_equal(text_less(s, lengths[i]).n, 0);
        assert_int_equal(text_slice(s, lengths[i], lengths[i]).n, 0);
        assert_int_equal(text_slice(s, 3, 1).n, 0);
        assert_true(text_same(text_upto(s, lengths[i]), s) && text_same(text_tail(s, lengths[i]), s));
        assert_null(text_from(none, lengths[i]).p);
        assert_int_equal(text_less(none, lengths[i]).n + text_tail(none, lengths[i]).n, 0);
        assert_int_equal(text_find(s, lengths[i], 'a'), 4);
    }
    assert_int_equal(text_inner(text_of("a")).n + text_inner(none).n, 0);
    assert_int_equal(text_find(s, 0, '.'), 1);
    assert_int_equal(text_find(s, 2, '.'), 4);
    assert_int_equal(text_find(none, 0, '.'), 0);
    assert_true(text_first(s) == 'a' && text_last(s) == 'c' && !text_first(none) && !text_last(none));
    assert_true(text_equal(text_head(s, '.'), "a.") && text_head(s, 'x').n == 0 &&
                text_head(none, '.').n == 0);
}

static void test_taking(void **state)
{
    numel_str s = text_of("x.bias.weight");
    char out[4];
    (void)state;
    assert_false(text_take_end(&s, ".bias"));
    assert_true(text_take_end(&s, ".weight") && text_take_end(&s, ".bias") && text_equal(s, "x"));
    assert_false(text_take_start(&s, "x."));
    assert_true(text_take_start(&s, "x") && s.n == 0);
    assert_false(text_take_end(&s, "x") || text_take_start(&s, "x"));
    assert_true(text_equal(text_lower(out, 4, text_of("A\xc4[zZ")), "a\xc4[z"));
}

/* An array is never written past its end, is always terminated, and records truncation. */
static void test_fixed(void **state)
{
    char room[8], none[1] = { 'x' };
    struct fixed f = FIXED(room), g = fixed_of(none, 0);
    (void)state;
    memset(room + 1, 'x', sizeof room - 1);
    fixed_text(&f, "ab");
    fixed_char(&f, 'c');
    fixed_format(&f, "%d", 1234);
    assert_true(text_equal(fixed_str(&f), "abc1234") && !f.cut);
    fixed_add(&f, (numel_str){ NULL, 0 });
    assert_false(f.cut);
    fixed_format(&f, "%s", "");
    assert_false(f.cut);
    fixed_char(&f, 'd');
    assert_true(f.cut && !fixed_str(&f).p && strcmp(room, "abc1234") == 0);
    f = FIXED(room);
    fixed_format(&f, "%s", "123456789");
    assert_true(f.cut && f.n == 7 && strcmp(room, "1234567") == 0);
    f = FIXED(room);
    fixed_add(&f, text_of("abcdefghij"));
    assert_true(f.cut && strcmp(room, "abcdefg") == 0);
    fixed_add(&g, text_of("a"));
    fixed_format(&g, "%d", 1);
    assert_true(g.cut && g.n == 0 && none[0] == 'x');
    assert_int_equal(text_format(room, sizeof room, "%d-%d", 12, 34), 5);
    assert_int_equal(text_format(room, sizeof room, "%s", "12345678"), 7);
    assert_string_equal(room, "1234567");
    assert_int_equal(text_format(none, 0, "%d", 1), 0);
}

static void test_buffer_pieces(void **state)
{
    struct buffer b;
    (void)state;
    buffer_init(&b, &memory_malloc);
    assert_int_equal(buffer_last(&b), 0);
    buffer_drop(&b, 1);
    buffer_drop_start(&b, 1);
    buffer_str(&b, text_of("abcd"));
    buffer_drop(&b, 1);
    buffer_drop_start(&b, 1);
    assert_true(text_equal(buffer_view(&b), "bc") && buffer_last(&b) == 'c');
    buffer_drop_start(&b, SIZE_MAX);
    assert_int_equal(b.n, 0);
    buffer_text(&b, "ab");
    buffer_drop(&b, SIZE_MAX);
    assert_int_equal(b.n, 0);
    buffer_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_taking),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_buffer_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
