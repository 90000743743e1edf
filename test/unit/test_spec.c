/* test_spec.c -- the parser of specs: what it accepts, what it refuses and where. */
#include "formula.h"

#include "formula/library.h"

#include <stdio.h>

static const char good[] = "# a comment\n"
                           "arch tiny\n"
                           "match hf model_type in tiny tinier   # two words\n"
                           "default rows 7\n"
                           "let E = cfg(\"hidden_size\") |gguf| cfg(\"embedding_length\")\n"
                           "let L = cfg(\"layers\") ?? 2\n"
                           "emb embed.tok model.embed token_embd cfg(\"rows\") E\n"
                           "for i in 0 .. L\n"
                           " prefix model.layers.{i}. blk.{i}.\n"
                           "  if i == 0\n"
                           "   lin a wq attn_q E E bias=true\n"
                           "  else if (i + 1) % 2 == 0\n"
                           "   lin a wq attn_q 2*E E T\n"
                           "  else\n"
                           "   raw a.w w - E\n"
                           "  end\n"
                           "  oneof\n"
                           "   lin b.g gate.{e} - E E stack=3\n"
                           "  or\n"
                           "   raw b.g gates g.weight E E stack=3\n"
                           "  end\n"
                           " end\n"
                           "end\n"
                           "spelling old model.* *\n";

static void takes_every_kind_of_line(void **state)
{
    (void)state;
    struct spec *s = parsed(good);
    assert_string_equal(s->name, "tiny");
    assert_int_equal(s->rule_count, 1);
    assert_int_equal(s->default_count, 1);
    assert_int_equal(s->spelling_count, 1);
    for (size_t i = 0; i < s->line_count; i++) /* blocks are linked */
        if (s->lines[i].kind < LINE_END && s->lines[i].kind != LINE_LET)
            assert_true(s->lines[i].close < s->line_count && s->lines[i].close > i);
    struct arena a;
    struct complaints all = { .arena = &a };
    arena_init(&a, &memory_malloc);
    spec_lint(s, text_of(""), &all);
    assert_int_equal(all.count, 0);
    arena_done(&a);
    spec_free(s);
}

static void refuses_with_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
    } rows[] = {
        { "let X = \n", "line 1, column 9: the expression ends too early" },
        { "let X = 1 +\n", "line 1, column 12: the expression ends too early" },
        { "let X = Y\n", "line 1, column 9: unknown symbol 'Y'" },
        { "\n\nlet X = foo(1)\n", "line 3, column 9: unknown function 'foo'" },
        { "let X = len(1, 2)\n", "line 1, column 9: len() takes 1 to 1 arguments, but got 2" },
        { "let X = (1\n", "line 1, column 11: expected ')'" },
        { "let X = \"abc\n", "line 1, column 9: string without a closing quote" },
        { "let X = 99999999999999999999\n", "line 1, column 9: integer does not fit in 64 bits" },
        { "let X = 1 $ 2\n", "line 1, column 11: '$' has no meaning here" },
        { "let T = 1\n", "line 1, column 5: 'T' cannot be a symbol" },
        { "let empty = 1\n", "line 1, column 5: 'empty' cannot be a symbol" },
        { "let gguf = 1\n", "line 1, column 5: 'gguf' is built in" },
        { "wat\n", "line 1, column 1: unknown keyword 'wat'" },
        { "end\n", "line 1, column 1: end without a block" },
        { "else\n", "line 1, column 1: else without an if" },
        { "or\n", "line 1, column 1: or without a oneof" },
        { "if true\n", "line 1, column 1: the branch in line 1 has no end" },
        { "lin a b c 1\n", "line 1, column 12: 1 dims, but this kind of tensor has 2" },
        { "lin a - - 1 1\n", "line 1, column 14: the tensor exists on neither side" },
        { "lin a b c 1 + 1\n", "line 1, column 13: expected a value" },
        { "bn a b - 1 2\n", "line 1, column 13: 2 dims, but this kind of tensor has 1" },
        { "emb a b - 1 1 bias=true\n", "line 1, column 24: bias= belongs to lin, conv, norm and bn only" },
        { "norm a b - 1 affine=true\n", "line 1, column 25: affine= belongs to bn only" },
        { "let X = labels(1)\nraw r a b X\n", "line 1, column 16: expected ')'" },
        { "raw a b c 1 bias=true\n", "line 1, column 22: bias= belongs to lin, conv, norm and bn only" },
        { "raw a b{1 c 1\n", "line 1, column 8: '{' without '}'" },
        { "raw a b c 1 2 3 4 5 6 7 8 9\n", "line 1, column 27: more than 8 dims" },
        { "use nothing\n", "line 1, column 5: unknown spec 'nothing'" },
        { "match hf model_type\n", "line 1, column 20: expected 'in'" },
        { "default x {\n", "line 1, column 11: not a JSON value" },
        { "spelling a b.* c\n", "line 1, column 16: both names must have the same number" },
        { "tower visual\n", "line 1, column 7: a prefix ends in '.'" },
        { "tower a.\ntower b.\ntower c.\ntower d.\ntower e.\n", "line 5, column 7: more than 4 towers" },
        { "oneof\noneof\nend\nend\n", "line 2, column 1: a oneof cannot be inside a oneof" },
        { "arch a\narch b\n", "line 2, column 6: a second arch" },
        { "arch a\nprint\n. A\nlet\n", "line 4, column 1: the print section in line 2 has no 'end print'" },
        { "if true\n print\n end print\nend\n",
          "line 2, column 1: a print section cannot be inside a block" },
        { "print\nend print\n\n# so\n let X = 1\n",
          "line 5, column 2: only print sections may follow a print section" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spec *s;
        numel_error e;
        if (parse(&s, rows[i].text, NULL, &e)) fail_msg("accepted: %s", rows[i].text);
        if (strncmp(e.what, rows[i].what, strlen(rows[i].what)) != 0)
            fail_msg("%s: '%s', expected '%s'", rows[i].text, e.what, rows[i].what);
        assert_int_equal(e.code, NUMEL_E_SPEC);
        assert_string_equal(e.file, "test.spec");
        assert_null(s);
    }
}

static void tells_every_mistake_once(void **state)
{
    (void)state;
    struct arena a;
    struct complaints all = { .arena = &a };
    struct spec *s;
    numel_error e;
    arena_init(&a, &memory_malloc);
    /* X's value is wrong, not missing; the `for` still opens despite its error. */
    assert_false(parse(&s, "let X = 1 +\nlet Y = X\nfor i in 0 ..\n raw r b c i\nend\nwat\n", &all, &e));
    assert_int_equal(all.count, 3);
    assert_int_equal(all.items[0].line, 1);
    assert_int_equal(all.items[1].line, 3);
    assert_int_equal(all.items[2].line, 6);
    arena_done(&a);
}

static void lints(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
    } rows[] = {
        { "arch a\nlet X = 1\nraw r b c\n", "symbol 'X' is never used" },
        { "arch a\nraw r b c\nraw r d e\n", "role 'r' is already in line 2" },
        { "arch a\nraw r b c\nraw s b e\n", "role 's' has the name of line 2" },
        { "arch a\n", "no tensors" },
        { "match hf model_type in a\nraw r b c\n", "match without arch" },
        { "arch a\nmatch hf model_type in m\nraw r b c\nprint m\nend print\nprint n\nend print\n",
          "no match line names the model type 'n'" },
        { "arch a\nraw r b c\nprint\n. A\nend print\nprint # too\nend print\n",
          "a second print section for all model types" },
        { "arch a\nmatch hf model_type in m n\nraw r b c\nprint m\nend print\nprint\nend print\nprint n "
          "m\nend print\n",
          "a second print section for 'm'" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a;
        struct complaints all = { .arena = &a };
        arena_init(&a, &memory_malloc);
        struct spec *s = parsed(rows[i].text);
        spec_lint(s, text_of(rows[i].text), &all);
        assert_int_equal(all.count, 1);
        assert_string_equal(all.items[0].message, rows[i].what);
        spec_free(s);
        arena_done(&a);
    }
}

static void limits_hold(void **state)
{
    (void)state;
    struct spec *s;
    numel_error e;
    char text[2048] = "let X = ";
    for (int i = 0; i < 70; i++) strcat(text, "(");
    assert_false(parse(&s, text, NULL, &e));
    assert_non_null(strstr(e.what, "nested deeper than 64"));
    strcpy(text, "let X = 1");
    for (int i = 0; i < 70; i++) strcat(text, "+1");
    assert_false(parse(&s, text, NULL, &e));
    assert_non_null(strstr(e.what, "nested deeper than 64"));
    text[0] = 0;
    for (int i = 0; i < 70; i++) strcat(text, "if true\n");
    assert_false(parse(&s, text, NULL, &e));
    assert_int_equal(e.code, NUMEL_E_LIMIT);
    char *big = malloc(SPEC_BYTES + 2);
    memset(big, '\n', SPEC_BYTES + 1);
    big[SPEC_BYTES + 1] = 0;
    assert_false(parse(&s, big, NULL, &e));
    assert_int_equal(e.code, NUMEL_E_LIMIT);
    free(big);
}

/* Every prefix of a good spec, and every byte of it changed: parsed or refused, never worse. */
static void survives_damage(void **state)
{
    (void)state;
    char text[sizeof good];
    struct spec *s;
    numel_error e;
    for (size_t n = 0; n < sizeof good; n++) {
        memcpy(text, good, n);
        text[n] = 0;
        if (parse(&s, text, NULL, &e)) spec_free(s);
        for (const char *c = "\"({[|.\1\xff"; n < sizeof good - 1 && *c; c++) {
            memcpy(text, good, sizeof good);
            text[n] = *c;
            if (parse(&s, text, NULL, &e)) spec_free(s);
            else assert_true(e.code == NUMEL_E_SPEC);
        }
    }
}

static void renames(void **state)
{
    (void)state;
    static const struct {
        const char *name, *canonical;
    } rows[] = {
        { "layers.12.attention.wq.weight", "model.layers.12.self_attn.q_proj.weight" },
        { "layers.1.2.attention.wq.weight", NULL }, /* `*` inside has no dots */
        { "h.0.x", "transformer.h.0.x" },
        { "a.LN.gamma", "a.LN.weight" },
        { "other", NULL },
    };
    struct spec *s = parsed("spelling m model.layers.*.self_attn.q_proj.weight "
                            "layers.*.attention.wq.weight\n"
                            "spelling b transformer.h.* h.*\n"
                            "spelling o *.weight *.gamma\n");
    struct arena a;
    arena_init(&a, &memory_malloc);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t at = 0;
        numel_str other = spec_rename(s, text_of(rows[i].name), SPELLED_ANYWHERE, &at, &a);
        if (!rows[i].canonical) assert_null(other.p);
        else assert_string_equal(other.p, rows[i].canonical);
    }
    arena_done(&a);
    spec_free(s);
}

static void runs_out_of_memory_politely(void **state)
{
    (void)state;
    for (size_t n = 0;; n++) {
        struct scarce scarce = { .left = n };
        numel_allocator m = { scarce_resize, &scarce };
        struct spec_input in = { .text = text_of(good), .file = "test.spec" };
        struct spec *s;
        numel_error e = { 0 };
        POISON(s);
        bool ok = spec_parse(&s, &in, &m, NULL, &e);
        spec_free(s);
        assert_int_equal(scarce.live, 0);
        if (ok) break;
        assert_int_equal(e.code, NUMEL_E_NOMEM);
    }
}

static void embedded_specs_are_clean(void **state)
{
    (void)state;
    struct library *l;
    numel_error e = { 0 };
    POISON(l);
    assert_true(library_open(&l, &memory_malloc, &e));
    assert_true(library_count(l) >= 15);
    for (size_t i = 0; i < library_count(l); i++) {
        struct arena a;
        struct complaints all = { .arena = &a };
        struct spec *s;
        if (!library_at(l, i)->architecture) continue;
        arena_init(&a, &memory_malloc);
        if (!library_parse(l, library_at(l, i), NULL, &s, &memory_malloc, &all, &e))
            fail_msg("%s: %s", e.file, e.what);
        spec_lint(s, library_at(l, i)->whole, &all);
        if (all.count) fail_msg("%s:%u: %s", all.items[0].file, all.items[0].line, all.items[0].message);
        spec_free(s);
        arena_done(&a);
    }
    library_free(l);
}

/* All words of all `match` lines: no two built-in specs may claim the same configuration. */
static void embedded_specs_match_apart(void **state)
{
    (void)state;
    struct library *l;
    numel_error e = { 0 };
    struct arena a;
    struct word {
        enum side side;
        const char *field, *file;
        numel_str word;
    } *seen = NULL;
    size_t count = 0, cap = 0, architectures = 0;
    POISON(l);
    arena_init(&a, &memory_malloc);
    assert_true(library_open(&l, &memory_malloc, &e));
    for (size_t i = 0; i < library_count(l); i++) {
        struct spec *s;
        if (!library_at(l, i)->architecture) continue;
        architectures++;
        if (!library_parse(l, library_at(l, i), NULL, &s, &memory_malloc, NULL, &e))
            fail_msg("%s: %s", e.file, e.what);
        for (size_t r = 0; r < s->rule_count; r++) {
            const struct rule *rule = &s->rules[r];
            if (rule->scope || strcmp(rule->field, "tensors") == 0 || strcmp(rule->field, "adapter") == 0)
                continue; /* all of a line's names together */
            const char *p = rule->words.p, *end = p + rule->words.n;
            while (p < end) {
                const char *start = p;
                while (p < end && *p != ' ' && *p != '\t') p++;
                numel_str word = { arena_text(&a, start, (size_t)(p - start)), (size_t)(p - start) };
                while (p < end && (*p == ' ' || *p == '\t')) p++;
                if (!word.n) continue;
                for (size_t k = 0; k < count; k++)
                    if (seen[k].side == rule->side && text_same(seen[k].word, word) &&
                        strcmp(seen[k].field, rule->field) == 0)
                        fail_msg("%s and %s both match %s %s", seen[k].file, library_at(l, i)->file,
                                 rule->field, word.p);
                if (count == cap) {
                    cap = cap ? 2 * cap : 256;
                    assert_non_null(seen = realloc(seen, cap * sizeof *seen));
                }
                seen[count++] = (struct word){ rule->side, arena_text(&a, rule->field, strlen(rule->field)),
                                               library_at(l, i)->file, word };
            }
        }
        spec_free(s);
    }
    assert_true(count > architectures);
    free(seen);
    arena_done(&a);
    library_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_every_kind_of_line),
        cmocka_unit_test(refuses_with_line_and_column),
        cmocka_unit_test(tells_every_mistake_once),
        cmocka_unit_test(lints),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(renames),
        cmocka_unit_test(runs_out_of_memory_politely),
        cmocka_unit_test(embedded_specs_are_clean),
        cmocka_unit_test(embedded_specs_match_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
