/*
 * test_starved.c -- reports of paths rather than a checkpoint: each failed allocation while making or
 * writing one gives NOMEM, without a crash or a leak.
 *
 * Some run without an allocator and use the library's own: the linker replaces its realloc() by the
 * function below (Makefile: --wrap).
 */
#include "../support/check.h"
#include "../support/t.h"

#include <numel.h>

#include <stdlib.h>

static struct {
    uint64_t calls, fail_at;
} heap = { 0, UINT64_MAX };

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    return heap.calls++ == heap.fail_at ? NULL : __real_realloc(old, bytes);
}

static numel_subject *model; /* report in progress */

static numel_rc open_model(const numel_checkpoint *ck, const char *path, const numel_knowledge *k,
                           numel_error *e)
{
    return ck ? numel_subject_of(&model, ck, k, NULL, e) : numel_subject_open(&model, path, k, NULL, e);
}

static void close_model(void)
{
    numel_subject_close(model);
    model = NULL;
}

static bool ignore(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return true;
}

/* Weights packed by a quantizer: the configuration agrees, disagrees, or is silent. */
static numel_rc packed_by(const char *path, const char *told, numel_report **r, numel_error *e)
{
    const numel_knowledge k = { .size = sizeof(numel_knowledge), .config = told };
    numel_found *found = NULL;
    numel_checkpoint *ck = NULL;
    numel_rc rc = numel_find(&found, path, NULL, e);
    if (!rc) rc = numel_open(&ck, found, 0, NULL, e);
    if (!rc) rc = open_model(ck, NULL, &k, e);
    if (!rc) rc = numel_report_reconcile(r, model, NULL, e);
    if (!rc) { /* it is written while the checkpoint is open */
        const numel_style style = { .size = sizeof(numel_style), .format = NUMEL_JSON };
        rc = numel_report_write(*r, &style, ignore, NULL, e);
        numel_report_free(*r);
        *r = NULL;
        if (!rc)
            rc =
                numel_report_error(r, path, &(numel_error){ .code = NUMEL_E_IO, .what = "written" }, NULL, e);
    }
    close_model();
    numel_free(ck);
    numel_found_free(found);
    return rc;
}

static numel_rc packed_as_told(numel_report **r, numel_error *e)
{
    return packed_by("fixtures/gptq-tiny", NULL, r, e);
}

static numel_rc packed_as_told_wrongly(numel_report **r, numel_error *e)
{
    return packed_by("fixtures/gptq-tiny", "test/gen/gptq-tiny.wrong.json", r, e);
}

static numel_rc packed_untold(numel_report **r, numel_error *e)
{
    return packed_by("fixtures/gptq-untold", NULL, r, e);
}

static const char folder[] = "fixtures/qwen3-0.6b", config[] = "fixtures/qwen3-0.6b/config.json";
static const char spec[] = "src/data/specs/qwen/qwen2.spec", layout[] = "src/data/layouts/gptq.layout";

/* Every memory option. */
static numel_rc memory(numel_report **r, numel_error *e)
{
    const numel_plan plan = { .size = sizeof plan,
                              .fit = 1 << 30,
                              .devices = "2x1GiB",
                              .offload = "1",
                              .train = "lora:4",
                              .kv = "q8_0,f16" };
    numel_rc rc = open_model(NULL, config, NULL, e);
    return rc ? rc : numel_report_memory(r, model, &plan, e);
}

static numel_rc formula(numel_report **r, numel_error *e)
{
    numel_rc rc = open_model(NULL, config, NULL, e);
    return rc ? rc : numel_report_formula(r, model, e);
}

/* Everything is shown, no data is read. */
static numel_rc formula_told(numel_report **r, numel_error *e)
{
    static const char *const sets[] = { "E=64", "L=2", "H=4", "F=128", "V=100" };
    const numel_knowledge k = {
        .size = sizeof(numel_knowledge), .architecture = "llama", .sets = sets, .set_count = ROWS_OF(sets)
    };
    numel_rc rc = open_model(NULL, NULL, &k, e);
    return rc ? rc : numel_report_formula(r, model, e);
}

static numel_rc print(numel_report **r, numel_error *e)
{
    numel_rc rc = open_model(NULL, config, NULL, e);
    return rc ? rc : numel_report_print(r, model, e);
}

static numel_rc explain(numel_report **r, numel_error *e)
{
    numel_rc rc = open_model(NULL, config, NULL, e);
    return rc ? rc : numel_report_explain(r, "0.6B", model, NULL, e);
}

static numel_rc printout(numel_report **r, numel_error *e)
{
    static const char text[] = "Qwen3ForCausalLM(\n  (lm_head): Linear(in_features=1024, "
                               "out_features=151936, bias=False)\n)\n";
    const numel_printout p = { sizeof(numel_printout), "a printout", text, sizeof text - 1 };
    numel_rc rc = open_model(NULL, config, NULL, e);
    return rc ? rc : numel_report_printout(r, model, &p, NULL, NULL, e);
}

static numel_rc printout_alone(numel_report **r, numel_error *e)
{
    static const char text[] = "Model(\n  (a): Linear(in_features=10, out_features=20, bias=True)\n)\n";
    const numel_printout p = { sizeof(numel_printout), "a printout", text, sizeof text - 1 };
    return numel_report_printout(r, NULL, &p, NULL, NULL, e);
}

static numel_rc identify(numel_report **r, numel_error *e)
{
    const char *const paths[] = { folder, config };
    return numel_report_identify(r, paths, 2, NULL, e);
}

static numel_rc hash(numel_report **r, numel_error *e)
{
    const char *const paths[] = { folder };
    const numel_work work = { .size = sizeof(numel_work), .threads = 1 };
    return numel_report_hash(r, paths, 1, NULL, NULL, &work, e);
}

static numel_rc specs(numel_report **r, numel_error *e) { return numel_report_specs(r, NULL, NULL, NULL, e); }

static numel_rc spec_show(numel_report **r, numel_error *e)
{
    return numel_report_specs(r, NULL, "llama", NULL, e);
}

static numel_rc lint(numel_report **r, numel_error *e)
{
    const char *const files[] = { spec, layout };
    return numel_report_lint(r, files, 2, NULL, e);
}

static numel_rc trouble(numel_report **r, numel_error *e)
{
    const numel_error what = { .code = NUMEL_E_IO, .offset = 5, .what = "gone" };
    return numel_report_error(r, "a/path", &what, NULL, e);
}

/* The program's steps: find, open, report. */
static numel_rc of_found(numel_report **r, numel_error *e,
                         numel_rc (*make)(numel_report **, const numel_found *, numel_checkpoint **,
                                          numel_error *),
                         numel_found **found, numel_checkpoint **ck)
{
    numel_rc rc = numel_find(found, folder, NULL, e);
    return rc ? rc : make(r, *found, ck, e);
}

static numel_rc verify_found(numel_report **r, const numel_found *found, numel_checkpoint **ck,
                             numel_error *e)
{
    const numel_work work = { .size = sizeof(numel_work), .threads = 1 };
    const numel_check check = { .size = sizeof(numel_check), .level = NUMEL_LEVEL_HASH, .work = &work };
    (void)ck;
    numel_rc rc = numel_subject_at(&model, found, 0, NULL, NULL, e);
    return rc ? rc : numel_report_verify(r, model, &check, e);
}

static numel_rc diff_found(numel_report **r, const numel_found *found, numel_checkpoint **ck, numel_error *e)
{
    numel_rc rc = numel_open(ck, found, 0, NULL, e);
    if (!rc) rc = open_model(*ck, NULL, NULL, e);
    return rc ? rc : numel_report_diff(r, model, model, NULL, e);
}

static numel_rc against_found(numel_report **r, const numel_found *found, numel_checkpoint **ck,
                              numel_error *e)
{
    numel_rc rc = numel_open(ck, found, 0, NULL, e);
    if (!rc) rc = open_model(*ck, NULL, NULL, e);
    const numel_work work = { .size = sizeof work, .threads = 1 };
    const numel_view view = { .size = sizeof view, .values = &work, .third = model };
    return rc ? rc : numel_report_diff(r, model, model, &view, e);
}

static numel_rc show_found(numel_report **r, const numel_found *found, numel_checkpoint **ck, numel_error *e)
{
    numel_rc rc = numel_open(ck, found, 0, NULL, e);
    if (!rc) rc = open_model(*ck, NULL, NULL, e);
    static const char *const expects[] = { "params=1M,quant=none,bits=16,dtype=F16,arch=llama,context=7" };
    const numel_view view = { .size = sizeof view, .expects = expects, .expect_count = 1 };
    return rc ? rc : numel_report_show(r, model, &view, e);
}

static const struct job {
    const char *name;
    numel_rc (*make)(numel_report **, numel_error *);
    numel_rc (*make_found)(numel_report **, const numel_found *, numel_checkpoint **, numel_error *);
} jobs[] = {
    { "formula", formula, NULL },
    { "formula of what is told", formula_told, NULL },
    { "memory", memory, NULL },
    { "print", print, NULL },
    { "explain", explain, NULL },
    { "a printout beside a configuration", printout, NULL },
    { "a printout alone", printout_alone, NULL },
    { "identify", identify, NULL },
    { "hash", hash, NULL },
    { "spec list", specs, NULL },
    { "spec show", spec_show, NULL },
    { "spec lint", lint, NULL },
    { "an error", trouble, NULL },
    { "packed weights", packed_as_told, NULL },
    { "packed weights, wrongly told", packed_as_told_wrongly, NULL },
    { "packed weights, untold", packed_untold, NULL },
    { "verify", NULL, verify_found },
    { "diff", NULL, diff_found },
    { "diff of three, with values", NULL, against_found },
    { "show", NULL, show_found },
};

/* With allocation k failing; true if allocation k was reached. */
static bool starve(const struct job *j, numel_style_format format, uint64_t k, const char **why)
{
    const numel_style style = { .size = sizeof(numel_style), .format = format };
    numel_report *r = NULL;
    numel_found *found = NULL;
    numel_checkpoint *ck = NULL;
    numel_error e;
    POISON(e);
    heap.calls = 0;
    heap.fail_at = k;
    numel_rc rc = j->make ? j->make(&r, &e) : of_found(&r, &e, j->make_found, &found, &ck);
    if (rc && r) *why = "leaves *out set on failure";
    if (!rc) rc = numel_report_write(r, &style, ignore, NULL, &e);
    numel_report_free(r);
    close_model();
    numel_free(ck);
    numel_found_free(found);
    bool reached = heap.calls > k;
    heap.fail_at = UINT64_MAX;
    if (!*why && reached != (rc == NUMEL_E_NOMEM)) *why = reached ? "is not NOMEM" : "fails";
    if (!*why && rc && e.code != rc) *why = "code and result disagree";
    return reached;
}

static void test_starved(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(jobs); i++)
        for (int json = 0; json < 2; json++) {
            const char *why = NULL;
            uint64_t k = 0, tried = 0;
            for (; starve(&jobs[i], json ? NUMEL_JSON : NUMEL_TEXT, k, &why) && !why; tried++)
                k += check_every() + (k > 150 ? k / 40 : 0); /* a sample of them */
            ROW(failed, !why, "%s: allocation %llu %s", jobs[i].name, (unsigned long long)k, why);
            ROW(failed, tried > (check_every() == 1), "%s: nothing failed", jobs[i].name);
        }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_starved) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
