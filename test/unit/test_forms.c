/* test_forms.c -- formula/forms.h: forms are parsed, and an expansion is adapted to the tensors of a file. */
#include "formula.h"

#include "formula/forms.h"
#include "formula/terms.h"

static bool read_forms(struct forms **f, const char *text, numel_error *e)
{
    struct library_entry entry = {
        .name = "test.forms", .name_bytes = 10, .file = "test.forms", .text = text_of(text)
    };
    POISON(*f);
    *e = (numel_error){ 0 };
    return forms_parse(f, &entry, &memory_malloc, NULL, e);
}

static void refused(const char *text, const char *why)
{
    struct forms *f;
    numel_error e;
    assert_false(read_forms(&f, text, &e));
    assert_null(f);
    assert_int_equal(e.code, NUMEL_E_SPEC);
    if (!strstr(e.what, why)) fail_msg("%s, and not %s", e.what, why);
}

static void test_refused(void **state)
{
    (void)state;
    refused("old {P}.a A\n", "no 'form NAME' line before this one");
    refused("form x\n new {P}.b A\n", "new lines come after old ones");
    refused("form x\n old {P}.a A\n", "form x has no new line");
    refused("form x\n old a A\n", "a name begins with {P}.");
    refused("form x\n old {P}.{q} A\n", "expected {e} or {m}");
    refused("form x\n old {P}.{m}{e} A\n", "a mark needs a dot before it");
    refused("form x\n old {P}.a A B C D E F\n", "more than 5 dims");
    refused("form x\n old {P}.a A\n new {P}.b Z\n", "unknown symbol 'Z'");
    refused("form x\n old {P}.a A\n new {P}.b A\n old {P}.c A\n", "old lines come first");
    refused("form x\n what\n", "unknown keyword 'what'");
}

/* The tensors of a file: names, with dims where the shape matters. */
struct seen {
    const char *const *names;
    const uint64_t *dims; /* of all of them */
    uint32_t ndim;
};

static bool occurs(void *ctx, numel_str text)
{
    const struct seen *s = ctx;
    for (size_t i = 0; s->names[i]; i++)
        if (text_holds(text_of(s->names[i]), text)) return true;
    return false;
}

static bool holds(void *ctx, numel_str name, bool *yes, numel_error *e)
{
    const struct seen *s = ctx;
    (void)e;
    *yes = false;
    for (size_t i = 0; s->names[i]; i++) *yes |= text_equal(name, s->names[i]);
    return true;
}

static bool dims(void *ctx, numel_str name, const uint64_t **d, uint32_t *n)
{
    const struct seen *s = ctx;
    bool yes;
    *d = s->dims;
    *n = s->ndim;
    return holds(ctx, name, &yes, NULL) && yes && s->dims;
}

static const char spec_text[] = "arch test\n"
                                "let E = 6\n"
                                "let F = 4\n"
                                "let N = 3\n"
                                "for i in 0 .. 2\n"
                                " prefix l.{i}. -\n"
                                "  oneof\n"
                                "   lin expert.gate m.experts.{e}.gate - F E stack=N\n"
                                "   lin expert.up m.experts.{e}.up - F E stack=N\n"
                                "  or\n"
                                "   raw expert.gate_up m.experts.gate_up - 2*F E stack=N\n"
                                "  end\n"
                                "  raw conv conv.weight - E 1 F\n"
                                " end\n"
                                "end\n";

static const char forms_text[] = "form switch\n"
                                 " old {P}.experts.{e}.{m}.weight A B\n"
                                 " new {P}.switch.{m}.weight N A B\n"
                                 "form apart\n"
                                 " old {P}.experts.gate_up N 2*F E\n"
                                 " new {P}.gates.weight N F E role=expert.gate\n"
                                 " new {P}.ups.weight N F E role=expert.up\n"
                                 "form last\n"
                                 " writer x\n"
                                 " old {P}.conv.weight C 1 K\n"
                                 " new {P}.conv.weight C K 1\n"
                                 "form twice\n"
                                 " old {P}.experts.{e}.gate.weight F E\n"
                                 " old {P}.experts.{e}.gate.weight F E\n"
                                 " new {P}.once.weight N F E\n"
                                 " new {P}.again.weight N F E\n"
                                 "form uneven\n"
                                 " old {P}.experts.gate_up N 2*F E\n"
                                 " new {P}.half.weight N F E\n";

struct world {
    struct spec *s;
    struct config *c;
    struct forms *f;
    struct expansion *x;
};

static struct world world_of(const char *const *names, const uint64_t *shape, uint32_t ndim,
                             const char *writer)
{
    struct world w = { parsed(spec_text), configured(NULL), NULL, NULL };
    struct seen seen = { names, shape, ndim };
    struct form_file file = { occurs, holds, dims, writer, &seen };
    numel_error e;
    assert_true(expanded(&w.x, w.s, w.c, SIDE_HF, NULL, &e));
    if (!read_forms(&w.f, forms_text, &e)) fail_msg("%s", e.what);
    uint64_t before = w.x->totals.parameters;
    if (!forms_apply(w.x, w.f, &file, &e)) fail_msg("%s", e.what);
    assert_int_equal(w.x->totals.parameters, before);
    return w;
}

static void done(struct world *w)
{
    expansion_free(w->x);
    forms_free(w->f);
    config_free(w->c);
    spec_free(w->s);
}

static const struct site *site_of(const struct world *w, const char *name)
{
    for (size_t i = 0; i < w->x->row_count; i++)
        if (text_equal(w->x->rows[i].name, name)) return &w->x->sites[w->x->rows[i].site];
    return NULL;
}

/* 2 layers: 2 * 3 experts of [4, 6] in 2 tensors each, and a convolution: as in the spec. */
static void test_nothing(void **state)
{
    static const char *const names[] = { "l.0.m.experts.0.gate.weight", NULL };
    struct world w = world_of(names, NULL, 0, NULL);
    (void)state;
    assert_int_equal(w.x->totals.parameters, 2 * (2 * 3 * 4 * 6 + 6 * 4));
    assert_int_equal(w.x->totals.parameter_tensors, 2 * (2 * 3 + 1));
    assert_non_null(site_of(&w, "l.0.m.experts.2.up.weight"));
    done(&w);
}

/* One tensor of the form is enough where the file has no other evidence: up, and the second layer, are
 * expected under the form's names. */
static void test_switch(void **state)
{
    static const char *const names[] = { "l.0.m.switch.gate.weight", NULL };
    struct world w = world_of(names, NULL, 0, NULL);
    const struct site *s = site_of(&w, "l.1.m.switch.up.weight");
    (void)state;
    assert_int_equal(w.x->totals.parameter_tensors, 2 * (2 + 1));
    assert_non_null(s);
    assert_true(s->stacked && s->rows == 1 && s->stack == 3 && s->counted);
    assert_int_equal(s->ndim, 3);
    assert_int_equal(s->dims[0] * 100 + s->dims[1] * 10 + s->dims[2], 346);
    assert_true(text_equal(s->role, "expert.up"));
    assert_null(site_of(&w, "l.0.m.experts.0.gate.weight"));
    assert_int_equal(w.x->groups[0].chosen, 0);
    done(&w);
}

/* A tensor listed in two old lines would be counted twice: no form applies. */
static void test_twice(void **state)
{
    static const char *const names[] = { "l.0.m.once.weight", "l.0.m.again.weight", NULL };
    struct world w = world_of(names, NULL, 0, NULL);
    (void)state;
    assert_null(site_of(&w, "l.0.m.again.weight"));
    assert_non_null(site_of(&w, "l.0.m.experts.0.gate.weight"));
    done(&w);
}

/* A layer with any old tensor in the file stays unchanged. */
static void test_both(void **state)
{
    static const char *const names[] = { "l.0.m.switch.gate.weight", "l.1.m.experts.2.gate.weight", NULL };
    struct world w = world_of(names, NULL, 0, NULL);
    (void)state;
    assert_non_null(site_of(&w, "l.0.m.switch.gate.weight"));
    assert_non_null(site_of(&w, "l.1.m.experts.0.gate.weight"));
    assert_null(site_of(&w, "l.1.m.switch.gate.weight"));
    done(&w);
}

/* The file has the second alternative, cut in two: that one counts. A form that would lose elements does
 * not fit. */
static void test_apart(void **state)
{
    static const char *const names[] = { "l.0.m.gates.weight", "l.0.m.half.weight", NULL };
    struct world w = world_of(names, NULL, 0, NULL);
    const struct site *s = site_of(&w, "l.1.m.ups.weight");
    struct terms t;
    numel_error e = { 0 };
    (void)state;
    assert_non_null(s);
    assert_int_equal(s->dims[0] * 100 + s->dims[1] * 10 + s->dims[2], 346);
    assert_int_equal(w.x->groups[0].chosen, 1);
    assert_null(site_of(&w, "l.0.m.half.weight"));
    assert_true(terms_of(&t, w.x, &e));
    bool up = false;
    for (size_t i = 0; i < t.count; i++) /* half of 2*F*E, of 3 experts in 2 layers */
        if (text_equal(t.items[i].role, "expert.up")) {
            up = true;
            assert_string_equal(t.items[i].expr, "F*E");
            assert_int_equal(t.items[i].total, 2 * 3 * 4 * 6);
        }
    assert_true(up);
    terms_done(&t);
    done(&w);
}

/* If only the shape differs, the writer must be named; one tensor with that shape decides for all. */
static void test_shape(void **state)
{
    static const char *const names[] = { "l.0.conv.weight", NULL };
    static const uint64_t turned[] = { 6, 4, 1 }, published[] = { 6, 1, 4 };
    struct world w = world_of(names, turned, 3, "x");
    (void)state;
    assert_int_equal(site_of(&w, "l.1.conv.weight")->dims[1], 4);
    done(&w);
    w = world_of(names, turned, 3, "y");
    assert_int_equal(site_of(&w, "l.0.conv.weight")->dims[1], 1);
    done(&w);
    w = world_of(names, published, 3, "x");
    assert_int_equal(site_of(&w, "l.0.conv.weight")->dims[1], 1);
    done(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused), cmocka_unit_test(test_nothing), cmocka_unit_test(test_switch),
        cmocka_unit_test(test_twice),   cmocka_unit_test(test_both),    cmocka_unit_test(test_apart),
        cmocka_unit_test(test_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
