/*
 * test_api.c -- a model and its metadata as values, for every fixture that opens: facts about parts add up
 * to the whole; and each failed allocation gives NOMEM and leaks nothing.
 */
#include "../support/look.h"
#include "../support/check.h"
#include "../support/fixture.h"
#include "../support/t.h"

static const numel_knowledge declared = { .size = sizeof declared, .declared_only = true };

static const char *check_values(const numel_checkpoint *ck)
{
    numel_meta m = NUMEL_INIT(numel_meta);
    for (size_t i = 0; i < numel_meta_count(ck); i++) {
        numel_values *values = NULL;
        if (numel_meta_at(ck, i, &m, NULL)) return "an entry cannot be had";
        bool array = m.value.type == NUMEL_ARRAY && m.element != NUMEL_ARRAY;
        numel_rc rc = numel_values_open(&values, ck, i, NULL, NULL);
        if (!array && rc != NUMEL_E_TYPE) return "values of what is not an array";
        if (array && rc) return "an array cannot be opened";
        for (size_t k = 0; array && k < m.count; k++) {
            numel_value v;
            if (numel_values_at(values, k, &v, NULL) || v.type != m.element) return "an element is lost";
        }
        numel_values_close(values);
    }
    return NULL;
}

/* Invariants of every model: groups, grounds and lines add up. */
static const char *check_model(const numel_subject *model)
{
    const numel_checkpoint *ck = look_checkpoint(model);
    numel_facts facts = NUMEL_INIT(numel_facts);
    numel_counts counts = NUMEL_INIT(numel_counts);
    numel_group group = NUMEL_INIT(numel_group);
    numel_line line = NUMEL_INIT(numel_line);
    uint64_t elements = 0;
    if (numel_subject_about(model, &facts, NULL) || numel_subject_counts(model, &counts, NULL))
        return "no facts";
    int64_t sum = 0;
    for (size_t i = 0; i < facts.groups; i++) {
        if (numel_group_at(model, i, &group, NULL)) return "a group cannot be had";
        if (group.level == 0) elements += group.elements;
        if ((group.tensor != NUMEL_NONE) && group.tensor >= numel_tensor_count(ck))
            return "a leaf of no tensor";
    }
    for (size_t i = 0; i < facts.lines; i++) {
        if (numel_line_at(model, i, &line, NULL)) return "a line cannot be had";
        sum += line.elements;
    }
    if (elements != counts.stored) return "the groups do not add up";
    if (facts.formula != NUMEL_NOT_KNOWN && sum != (int64_t)counts.stored) return "the lines do not add up";
    if (facts.on_shape + facts.on_name + facts.on_nothing != counts.tensors)
        return "the grounds do not add up";
    return (facts.why == NUMEL_OK) == (facts.formula != NUMEL_NOT_KNOWN) ? NULL : "no reason for no formula";
}

static const char *check_fixture(const struct fixture *f)
{
    numel_checkpoint *ck = NULL;
    numel_subject *model = NULL;
    const char *why = NULL;
    if (numel_open_memory(&ck, f->bytes.p, f->bytes.n, NULL, NULL) != NUMEL_OK) return NULL;
    if (look_judged(&model, ck, &declared, NULL, NULL) == NUMEL_OK) why = check_model(model);
    if (!why) why = check_values(ck);
    numel_subject_close(model);
    numel_free(ck);
    return why;
}

static void test_fixtures(void **state)
{
    struct fixtures all;
    unsigned failed = 0;
    (void)state;
    fixtures_load(&all, fixtures_root(), NULL);
    for (size_t i = 0; i < all.count; i++) {
        const char *why = check_fixture(&all.items[i]);
        ROW(failed, !why, "%s: %s", all.items[i].path, why);
    }
    fixtures_free(&all);
    assert_int_equal(failed, 0);
}

/* Makes a model and all arrays with allocation k failing; true if allocation k was reached. */
static bool starve(const numel_checkpoint *ck, struct check_memory *m, uint64_t k, const char **why)
{
    const numel_options options = { .size = sizeof options, .allocator = &m->allocator };
    numel_subject *model;
    numel_error e;
    POISON(model);
    POISON(e);
    m->calls = 0;
    m->fail_at = k;
    numel_rc rc = look_judged(&model, ck, &declared, &options, &e);
    if (rc && model) *why = "leaves *out set on failure";
    numel_subject_close(rc ? NULL : model);
    for (size_t i = 0; !rc && i < numel_meta_count(ck); i++) {
        numel_values *values;
        POISON(values);
        rc = numel_values_open(&values, ck, i, &options, &e);
        if (rc && values) *why = "leaves *out set on failure";
        numel_values_close(rc ? NULL : values);
        if (rc == NUMEL_E_TYPE) rc = NUMEL_OK;
    }
    bool reached = m->calls > k;
    if (m->outstanding) *why = "leaks";
    else if (reached != (rc == NUMEL_E_NOMEM)) *why = reached ? "is not NOMEM" : "fails";
    else if (rc && e.code != rc) *why = "code and result disagree";
    return reached;
}

static void test_allocations(void **state)
{
    struct fixtures all;
    unsigned failed = 0, starved = 0;
    (void)state;
    fixtures_load(&all, fixtures_root(), "good");
    for (size_t i = 0; i < all.count; i++) {
        const struct fixture *f = &all.items[i];
        numel_checkpoint *ck = NULL;
        struct check_memory m;
        const char *why = NULL;
        if (!strstr(f->path, "llama-tiny") && !strstr(f->path, "metadata-every-array")) continue;
        if (numel_open_memory(&ck, f->bytes.p, f->bytes.n, NULL, NULL) != NUMEL_OK) continue;
        check_memory_init(&m, UINT64_MAX);
        for (uint64_t k = 0; !why && starve(ck, &m, k, &why); k++) continue;
        ROW(failed, !why, "%s: %s", f->path, why);
        numel_free(ck);
        starved++;
    }
    fixtures_free(&all);
    assert_true(starved >= 3);
    assert_int_equal(failed, 0);
}

/* A machine of which nothing is known; its cards are in test/cli/fit.t. */
static void test_card_here(void **state)
{
    uint64_t here = 0;
    bool ram = false;
    char what[80];
    (void)state;
    assert_int_equal(numel_card_here("/nonexistent", &here, &ram, what, sizeof what, NULL), NUMEL_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fixtures), cmocka_unit_test(test_allocations),
                                        cmocka_unit_test(test_card_here) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
