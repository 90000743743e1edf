/* test_section.c -- print sections found in the text of a spec, which may be any text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formula/section.h"

static void is(numel_str s, const char *wanted)
{
    if (!text_equal(s, wanted)) fail_msg("'%.*s', expected '%s'", (int)s.n, s.p, wanted);
}

static void test_before(void **state)
{
    static const struct {
        const char *text, *before;
    } rows[] = {
        { "", "" },
        { "arch a", "arch a" },
        { "arch a\nprint\n", "arch a\n" },
        { "arch a\n \tprint b # c\nlet\n", "arch a\n" },
        { "print", "" },
        { "printer\n#print\nlet print = 1\n", "printer\n#print\nlet print = 1\n" },
        { "arch a\r\nprint\r\n. B\r\n", "arch a\r\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is(section_before(text_of(rows[i].text)), rows[i].before);
}

static void test_next(void **state)
{
    const numel_str text = text_of("arch a\n"
                                   "print\n"
                                   ". A\n"
                                   " end B\n"
                                   "end print\n"
                                   "\n"
                                   "print b  c # d\n"
                                   "end print\n"
                                   " print\te\r\n"
                                   ". C\r\n"
                                   "  end  print # so\r\n"
                                   "print f\n"
                                   ". D");
    static const struct {
        const char *types, *text;
        uint32_t line;
    } rows[] = {
        { "", ". A\n end B\n", 2 },
        { "b  c", "", 7 },
        { "e", ". C\r\n", 9 },
        { "f", ". D", 12 },
    };
    struct print_section s;
    size_t at = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(section_next(text, &at, &s));
        is(s.types, rows[i].types);
        is(s.text, rows[i].text);
        assert_int_equal(s.line, rows[i].line);
    }
    assert_false(section_next(text, &at, &s));
    assert_false(section_next(text, &at, &s));
}

static void test_for(void **state)
{
    const numel_str text = text_of("print b\n1\nend print\nprint c d\n2\nend print\nprint\n3\nend print\n");
    struct print_section s;
    (void)state;
    assert_true(section_for(text, text_of("d"), &s));
    is(s.text, "2\n");
    assert_true(section_for(text, text_of("e"), &s));
    is(s.text, "3\n");
    assert_true(section_for(text, text_of(""), &s));
    is(s.text, "3\n");
    assert_false(section_named(text, text_of("e"), &s));
    assert_false(section_named(text, text_of(""), &s));
    assert_false(section_for(text_of("print b\n1\nend print\n"), text_of("c"), &s));
    assert_false(section_for(text_of("arch b\n"), text_of("b"), &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before),
        cmocka_unit_test(test_next),
        cmocka_unit_test(test_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
