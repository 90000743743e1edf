/* test_template.c -- verify/template.h: finds code that reaches outside the conversation, and accepts
 * healthy templates. */
#include "../support/t.h"

#include "base/text.h"
#include "verify/template.h"

static const struct {
    const char *text, *words; /* "": requests nothing */
} rows[] = {
    /* attributes of Python's own */
    { "{{ ''.__class__.__mro__[1].__subclasses__() }}", "__class__, __mro__, __subclasses__" },
    { "{{ x . __init__ }}", "__init__" },
    { "{{ x.y.__anything }}", "__anything" },
    { "{% set a = x.__class__ %}", "__class__" },
    { "{% if x.__class__ %}{% endif %}", "__class__" },
    { "{%- for a in x.__dict__ -%}{%- endfor -%}", "__dict__" },
    { "{{ g.gi_frame.f_back }}", "gi_frame, f_back" },
    { "{{ x['__class__'] }}", "__class__" },
    { "{{ x[\"__odd__\"] }}", "__odd__" },
    { "{{ 1.__class__ }}", "__class__" },
    { "{{ __import__('os') }}", "__import__" },
    { "{{ x.popen('id') }}", "popen" },
    /* the same by filters */
    { "{{ x|attr('a') }}", "|attr" },
    { "{{ x | attr ( 'a' ) }}", "|attr" },
    { "{{ x|map('attr', 'a')|list }}", "|attr" },
    { "{{ x|map(attribute='__class__') }}", "__class__" },
    /* names built by concatenation */
    { "{{ x['__cla' ~ 'ss__'] }}", "__class__" },
    { "{{ x['__cla' + 'ss__'] }}", "__class__" },
    { "{{ x['__cla' 'ss__'] }}", "__class__" },
    { "{{ x[['__', 'class', '__']|join] }}", "__class__" },
    { "{% set a = '__cl' %}{% set b = 'ass__' %}{{ x[a ~ b] }}", "__class__" },
    { "{{ x['\\x5f\\x5fclass\\x5f\\x5f'] }}", "__class__" },
    { "{{ x['\\u005f_class__'] }}", "__class__" },
    { "{{ x['\\137_class__'] }}", "__class__" },
    { "{{ x['__CLASS__'|lower] }}", "__class__, __CLASS__" },
    { "{{ ('__ssalc__'|reverse) }}", "__class__" },
    { "{{ dict(__cla=1, ss__=2)|join }}", "__class__" },
    { "{{ '_' * 2 ~ 'class' }}", "'_' * n" },
    { "{{ '%c%c'|format(95, 95) }}", "%c" },
    { "{{ '%c' % 95 }}", "%c" },
    /* Jinja's own names besides the messages */
    { "{{ lipsum.x }}", "lipsum" },
    { "{{ lipsum() }}", "lipsum" },
    { "{{ cycler['x'] }}", "cycler" },
    { "{{ self.x }}", "self" },
    { "{{ self|x }}", "self" },
    { "{% include 'a' %}", "include" },
    { "{%+ import 'a' as b %}", "import" },
    { "{%- from 'a' import b -%}", "from" },
    { "{% extends 'a' %}", "extends" },
    /* a tag ends at its end, not before */
    { "{{ {'a': {'b': 1}}.__class__ }}", "__class__" },
    { "{{ '}}' ~ x.__class__ }}", "__class__" },
    { "{{ '\\'}}' ~ x.__class__ }}", "__class__" },
    { "{% if '%}' ~ x.__class__ %}", "__class__" },
    { "{# }} #}{{ x.__class__ }}", "__class__" },
    { "{{ a }}{{{'a':1}.__class__}}", "__class__" },
    { "{% raw %}{% endraw %}{{ x.__class__ }}", "__class__" },
    { "{% raw %}a{%- endraw -%}{{ x.__class__ }}", "__class__" },
    { "{{ x.__class__", "__class__" }, /* Jinja refuses it; other programs may not */

    /* code that is not evaluated */
    { "a __class__ |attr('x') {% a", "" },
    { "__class__ lipsum.x {% include", "include" },
    { "{# x.__class__ #}", "" },
    { "{# x.__class__", "" },
    { "{% raw %}{{ x.__class__ }}{% endraw %}", "" },
    { "{ { x.__class__ } }", "" },
    { "", "" },
    { "{", "" },
    { "{{", "" },
    { "{{ '", "" },
    { "{{ '\\", "" },
    { "{{ '\\x", "" },
    /* constructs in healthy templates */
    { "{%- set ns = namespace(found=false, is_first=true) -%}{% set ns.found = true %}", "" },
    { "{% macro m(x, self_name) %}{{ x }}{% endmacro %}{{ m('a', 'b') }}", "" },
    { "{% for message in messages[1:] %}{{ loop.index0 ~ message['role'] }}{% endfor %}", "" },
    { "{{ raise_exception('roles must alternate: import from') }}{{ strftime_now('%d %b %Y') }}", "" },
    { "{{ '__' ~ x ~ '__' }}{{ '<|__start__|>' }}{{ x['_'] }}{{ x['__'] }}", "" },
    { "{{ 'def __init__(self): if __name__ == \"__main__\"' }}", "" },
    { "{{ message['class'] }}{{ message.base }}{{ x.attr }}{{ attr }}{{ x['mro'] }}{{ x|selectattr('a') }}",
      "" },
    { "{{ tools|map(attribute='name')|join('__') }}", "" },
    { "{{ message.content.split('</think>')[-1].lstrip('\\n') }}", "" },
    { "{{ '{:%c}' }}{{ '%content' }}{{ '%c' }}", "" },
    { "{{ cycler }}{{ x.lipsum }}{{ f(self=1) }}{{ x.self.y }}", "" },
    { "{% set include = 1 %}{% if import %}{% endif %}{{ include }}{{ x.from }}", "" },
    { "{{ bos_token }}{{ '_' }}{{ '_'|trim }}{{ 2 * '-' }}{{ x_ }}{{ _x }}", "" },
};

static void finds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reaches r;
        char words[REACH_WORDS * (REACH_LENGTH + 2)];
        template_scan(&r, text_of(rows[i].text));
        template_words(&r, words);
        if (strcmp(words, rows[i].words) != 0)
            fail_msg("%s: found '%s', expected '%s'", rows[i].text, words, rows[i].words);
    }
}

/* Where the first one is, each word once, and no more than there is room for. */
static void places(void **state)
{
    static const char text[] =
        "a\n{# __class__\n #}\n{{ x.__b__ ~ x.__b__ }}\n{{ x.__c__.__d__.__e__.__f__.__g__.__h__.__i__ }}";
    struct reaches r;
    char words[REACH_WORDS * (REACH_LENGTH + 2)];
    (void)state;
    template_scan(&r, text_of(text));
    template_words(&r, words);
    assert_int_equal(r.offset, strstr(text, "__b__") - text);
    assert_int_equal(r.line, 4);
    assert_int_equal(r.count, REACH_WORDS);
    assert_string_equal(words, "__b__, __c__, __d__, __e__, __f__, __g__");
}

/* A name is escaped and truncated for display. */
static void shown(void **state)
{
    struct reaches r;
    char words[REACH_WORDS * (REACH_LENGTH + 2)];
    (void)state;
    template_scan(&r, text_of("{{ x.__\xff_abcdefghijklmnopqrstuvwxyz0123456789 }}"));
    template_words(&r, words);
    assert_int_equal(r.count, 1);
    assert_true(strlen(words) < REACH_LENGTH);
    assert_int_equal(memcmp(words, "__\\xff_abc", 10), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(finds), cmocka_unit_test(places),
                                        cmocka_unit_test(shown) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
