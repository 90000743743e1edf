/*
 * test_public.c -- every function of numel.h that can fail runs out of memory: each allocation, failed in
 * turn, gives NOMEM, without a crash or a leak. test_report.c covers reports of a checkpoint,
 * test_starved.c those of paths, test_api.c a model as values. This test covers the rest: the levels of
 * verify and other code that options enable. test_public_names.c proves that no function of numel.h is
 * forgotten.
 *
 * All of it uses the library's own memory: the linker counts it (Makefile: --wrap).
 */
#include "../support/look.h"
#include "../support/t.h"
#include "tiny_model.h"

#include <numel.h>

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    uint64_t calls, fail_at;
    int64_t outstanding;
} heap = { 0, UINT64_MAX, 0 };

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    return heap.calls++ == heap.fail_at ? NULL : __real_realloc(old, bytes);
}

/* The library's allocator, with a count of live allocations. */
static void *count(void *ctx, void *old, size_t bytes)
{
    (void)ctx;
    if (bytes == 0) {
        heap.outstanding -= old != NULL;
        free(old);
        return NULL;
    }
    void *p = realloc(old, bytes);
    heap.outstanding += p && !old;
    return p;
}

static const numel_allocator allocator = { count, NULL };
static const numel_options own = { .size = sizeof own, .allocator = &allocator };
static const numel_work single = { .size = sizeof single, .threads = 1 };
static const char folder[] = "fixtures/gptq-tiny";
static char place[] = "/tmp/numel-public.XXXXXX"; /* for what is written */
static char written_to[64], list[64], journal[64], printed[64], loose[64], results[64], page_path[64],
    listed[64], pipeline[64], several[64];

/* ---- what is found, and copies ------------------------------------------------------------ */

struct opened {
    numel_found *found;
    numel_checkpoint *ck;
};

static numel_rc open_folder(struct opened *o, const char *path, numel_error *e)
{
    *o = (struct opened){ NULL, NULL };
    numel_rc rc = numel_find(&o->found, path, &own, e);
    return rc ? rc : numel_open(&o->ck, o->found, 0, &own, e);
}

static void done(struct opened *o)
{
    numel_free(o->ck);
    numel_found_free(o->found);
}

/* "o/m" is in the Hub cache that the environment names. */
static const char *environment(void *ctx, const char *name)
{
    (void)ctx;
    return strcmp(name, "HF_HUB_CACHE") == 0 ? place : NULL;
}

static numel_rc locate(numel_report **r, numel_error *e)
{
    numel_options named = own;
    char at[160];
    (void)r;
    named.environment = environment;
    numel_rc rc = numel_locate(at, sizeof at, "o/m", &named, e);
    return rc || strstr(at, "/models--o--m") ? rc : NUMEL_E_WIDTH;
}

static numel_list *table; /* report in progress */

/* A list in one thread: its rows are kept in little memory and sorted. */
static numel_rc keep_rows(numel_row_fn *row, void *ctx, numel_totals *totals, numel_error *e)
{
    const numel_listing how = {
        .size = sizeof how, .row = row, .row_ctx = ctx, .threads = 1, .sort = "bytes", .memory = 1
    };
    numel_rc rc = numel_list_open(&table, &how, &own, e);
    if (!rc) rc = numel_list_path(table, folder, e);
    if (!rc) rc = numel_list_from(table, listed, false, e);
    return rc ? rc : numel_list_end(table, totals, e);
}

static bool pass(void *ctx, const numel_row *row)
{
    size_t *n = ctx;
    *n += row->error == NULL;
    return true;
}

static numel_rc list_table(numel_report **r, numel_error *e)
{
    numel_totals totals = { .size = sizeof totals };
    size_t n = 0;
    numel_rc rc = keep_rows(pass, &n, &totals, e);
    if (!rc && (totals.checkpoints != 2 || totals.failed || n != 2)) rc = NUMEL_E_WIDTH;
    return rc ? rc : numel_report_rows(r, table, &totals, NULL, &own, e);
}

struct first {
    numel_report *report;
    numel_error error;
};

static bool report_first(void *ctx, const numel_row *row)
{
    struct first *f = ctx;
    bool made = numel_report_row(&f->report, row, NULL, &own, &f->error) == NUMEL_OK;
    return made && f->report == NULL; /* one is enough */
}

static numel_rc list_row(numel_report **r, numel_error *e)
{
    numel_totals totals = { .size = sizeof totals };
    struct first f = { NULL, { .code = NUMEL_OK } };
    numel_rc rc = keep_rows(report_first, &f, &totals, e);
    *r = f.report;
    if (rc == NUMEL_E_STOPPED) *e = f.error;
    return rc == NUMEL_E_STOPPED ? e->code : rc;
}

/* A configuration from a pipe is judged like any other. */
static numel_rc piped(numel_report **r, numel_error *e)
{
    static const char config[] = "{\"model_type\": \"llama\"}";
    numel_found *at = NULL;
    numel_subject *s = NULL;
    const numel_judgement *j = NULL;
    int ends[2];
    char path[40];
    (void)r;
    if (pipe(ends) != 0 || write(ends[1], config, sizeof config - 1) != (ssize_t)sizeof config - 1)
        return NUMEL_E_WIDTH;
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    numel_rc rc = numel_find(&at, path, &own, e);
    if (!rc) rc = numel_subject_at(&s, at, 0, NULL, &own, e);
    if (!rc) rc = numel_subject_judge(s, &j, e);
    if (!rc && j->kind != NUMEL_IS_CONFIGURATION) rc = NUMEL_E_WIDTH; /* a wrong answer */
    numel_subject_close(s);
    numel_found_free(at);
    close(ends[0]);
    return rc;
}

static numel_rc heads(numel_report **r, numel_error *e)
{
    struct opened o;
    numel_heads *all = NULL;
    (void)r;
    numel_rc rc = open_folder(&o, folder, e);
    if (!rc) rc = numel_heads_open(&all, written_to, true, &own, e);
    if (!rc) rc = numel_heads_add(all, o.ck, NULL, e);
    numel_heads_free(all);
    done(&o);
    return rc;
}

static numel_rc memory(numel_report **r, numel_error *e)
{
    static const char bytes[] =
        "\x40\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"
        "             1234";
    numel_checkpoint *ck = NULL;
    (void)r;
    numel_rc rc = numel_open_memory(&ck, bytes, sizeof bytes - 1, &own, e);
    numel_tensor t = NUMEL_INIT(numel_tensor);
    if (!rc) rc = numel_tensor_at(ck, numel_tensor_find(ck, "a", 1), &t, e);
    if (!rc && t.elements != 1) rc = NUMEL_E_WIDTH;
    numel_free(ck);
    return rc;
}

static numel_rc resolve(numel_report **r, numel_error *e)
{
    struct opened o;
    numel_subject *model = NULL;
    (void)r;
    numel_rc rc = open_folder(&o, folder, e);
    if (!rc) rc = numel_subject_of(&model, o.ck, NULL, &own, e);
    if (!rc) rc = numel_subject_judge(model, NULL, e);
    if (!rc && !look_facts(model).lines) rc = NUMEL_E_WIDTH;
    numel_subject_close(model);
    done(&o);
    return rc;
}

/* All parts of a model as values; each array must have the counted length. */
static numel_rc look(const numel_subject *m, numel_error *e)
{
    numel_symbol symbol = NUMEL_INIT(numel_symbol);
    numel_term term = NUMEL_INIT(numel_term);
    numel_expected expected = NUMEL_INIT(numel_expected);
    numel_tensor_facts facts = NUMEL_INIT(numel_tensor_facts);
    numel_difference difference = NUMEL_INIT(numel_difference);
    numel_rc rc = NUMEL_OK;
    size_t tensors = numel_tensor_count(look_checkpoint(m));
    const numel_facts n = look_facts(m);
    if (!n.symbols || !n.terms || !n.differences) return NUMEL_E_WIDTH;
    for (size_t i = 0; !rc && i < n.symbols; i++) rc = numel_symbol_at(m, i, &symbol, e);
    for (size_t i = 0; !rc && i < n.terms; i++) rc = numel_term_at(m, i, &term, e);
    for (size_t i = 0; !rc && i < n.expected; i++) rc = numel_expected_at(m, i, &expected, e);
    for (size_t i = 0; !rc && i < tensors; i++) rc = numel_tensor_about(m, i, &facts, e);
    for (size_t i = 0; !rc && i < n.differences; i++) rc = numel_difference_at(m, i, &difference, e);
    return rc;
}

static numel_rc parts(numel_report **r, numel_error *e)
{
    struct opened o;
    numel_subject *model = NULL;
    (void)r;
    numel_rc rc = open_folder(&o, loose, e); /* mostly absent */
    if (!rc) rc = look_judged(&model, o.ck, NULL, &own, e);
    if (!rc) rc = look(model, e);
    numel_subject_close(model);
    done(&o);
    return rc;
}

static numel_rc resume(numel_report **r, numel_error *e)
{
    const char *const paths[] = { folder };
    char out[300];
    (void)r;
    return numel_resume_place(out, sizeof out, place, paths, 1, &own, e);
}

/* ---- printouts ---------------------------------------------------------------------------- */

static const char text[] = "LlamaModel(\n  (embed_tokens): Embedding(16, 8)\n)\n";

static numel_rc load(numel_report **r, numel_error *e)
{
    numel_printout p = NUMEL_INIT(numel_printout);
    (void)r;
    numel_rc rc = numel_printout_load(&p, printed, &own, e);
    if (!rc && p.bytes != sizeof text - 1) rc = NUMEL_E_WIDTH;
    if (!rc) numel_printout_unload(&p, &own);
    return rc;
}

/* ---- reports, with options ---------------------------------------------------------------- */

static numel_subject *subject; /* report in progress */

static numel_rc verify(numel_report **r, const char *path, const numel_check *check, numel_error *e)
{
    numel_rc rc = numel_subject_open(&subject, path, NULL, &own, e);
    return rc ? rc : numel_report_verify(r, subject, check, e);
}

static const char *const expected[] = { "params=8.03B,arch=llama,bits=4,dtype=F32+BF16",
                                        "quant=none,layers=3,verdict=agrees" };

#define LEVEL(name, ...)                                                                               \
    static numel_rc verify_##name(numel_report **r, numel_error *e)                                    \
    {                                                                                                  \
        const numel_check check = { .size = sizeof check, .work = &single, .all = true, __VA_ARGS__ }; \
        return verify(r, loose, &check, e);                                                            \
    }
LEVEL(header, .level = NUMEL_LEVEL_HEADER)
LEVEL(size, .level = NUMEL_LEVEL_SIZE)
LEVEL(index, .level = NUMEL_LEVEL_INDEX)
LEVEL(config, .level = NUMEL_LEVEL_CONFIG)
LEVEL(hash, .level = NUMEL_LEVEL_HASH)
LEVEL(values, .values = true)
LEVEL(manifest, .manifest = list)
LEVEL(expected, .level = NUMEL_LEVEL_HEADER, .expects = expected, .expect_count = ROWS_OF(expected))

/* One component exists, one is missing. */
static numel_rc components(numel_report **r, numel_error *e)
{
    numel_rc rc = numel_subject_open(&subject, pipeline, NULL, &own, e);
    return rc ? rc : numel_report_reconcile(r, subject, NULL, e);
}

static numel_rc verify_components(numel_report **r, numel_error *e)
{
    const numel_check check = { .size = sizeof check, .work = &single, .all = true };
    return verify(r, pipeline, &check, e);
}

#include "several.h"

static numel_outcome *outcome; /* report in progress */

static bool ignore(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return true;
}

/* In its two other forms, one of them into a file; all reports cover the usual ones. */
static numel_rc write_results(const numel_report *r, numel_error *e)
{
    const numel_style junit = { .size = sizeof junit, .format = NUMEL_JUNIT };
    const numel_style sarif = { .size = sizeof sarif, .format = NUMEL_SARIF };
    numel_rc rc = numel_report_save(r, &junit, results, e);
    return rc ? rc : numel_report_write(r, &sarif, ignore, NULL, e);
}

static numel_rc add_failure(numel_error *e)
{
    const numel_error what = { .code = NUMEL_E_IO, .offset = NUMEL_NOWHERE, .what = "cannot open" };
    numel_report *r = NULL;
    numel_rc rc = numel_report_error(&r, "none", &what, &own, e);
    if (!rc) rc = numel_outcome_add(outcome, r, e);
    numel_report_free(r);
    return rc;
}

static numel_rc come_to(numel_report **r, numel_error *e)
{
    numel_report *one = NULL;
    *r = NULL;
    numel_rc rc = numel_outcome_open(&outcome, true, &own, e);
    if (!rc) rc = verify_hash(&one, e);
    if (!rc) rc = numel_outcome_add(outcome, one, e);
    numel_report_free(one);
    if (!rc) rc = add_failure(e);
    if (!rc) rc = numel_report_outcome(r, outcome, e);
    if (rc || !(rc = write_results(*r, e))) return rc;
    numel_report_free(*r);
    *r = NULL;
    return rc;
}

static numel_page *page; /* in work */

/* Its place looked at, a report on it, written and saved. */
static numel_rc page_of(numel_report **r, numel_error *e)
{
    const char *const inputs[] = { pipeline };
    *r = NULL;
    numel_rc rc = numel_page_open(&page, page_path, inputs, 1, &own, e);
    if (!rc) rc = verify_header(r, e);
    if (!rc) rc = numel_page_add(page, *r, false, e);
    if (!rc) rc = numel_page_write(page, ignore, NULL, e);
    if (!rc) rc = numel_page_save(page, e);
    if (!rc) return rc;
    numel_report_free(*r);
    *r = NULL;
    return rc;
}

static numel_rc hash_again(numel_report **r, numel_error *e)
{
    const char *const paths[] = { loose };
    const numel_work work = { .size = sizeof work, .threads = 1, .resume = journal };
    return numel_report_hash(r, paths, 1, NULL, &own, &work, e);
}

static numel_rc layouts(numel_report **r, numel_error *e) { return numel_report_layouts(r, NULL, &own, e); }

static numel_rc lint_all(numel_report **r, numel_error *e)
{
    const char *const files[] = { "src/data/layouts/writers.forms", "src/data/blocks/llama.print" };
    return numel_report_lint(r, files, ROWS_OF(files), &own, e);
}

static numel_rc leftovers(numel_report **r, numel_error *e)
{
    const char *const paths[] = { place };
    return numel_report_leftovers(r, paths, 1, false, &own, e);
}

static bool any_row(void *ctx, const numel_row *row)
{
    (void)ctx;
    (void)row;
    return true;
}

static numel_rc folders(numel_report **r, numel_error *e)
{
    const char *const paths[] = { loose, pipeline };
    const numel_listing how = { .size = sizeof how, .row = any_row, .threads = 1 };
    numel_totals totals = NUMEL_INIT(numel_totals);
    return numel_report_folders(r, paths, 2, 1, &how, &totals, &own, e);
}

static numel_rc duplicates(numel_report **r, numel_error *e)
{
    const char *const paths[] = { loose, pipeline };
    return numel_report_duplicates(r, paths, 2, true, &own, e);
}

/* ---- each in turn ------------------------------------------------------------------------- */

static const struct job {
    const char *name;
    numel_rc (*run)(numel_report **, numel_error *);
} jobs[] = {
    { "a pipe", piped },
    { "heads", heads },
    { "open memory", memory },
    { "resolve", resolve },
    { "parts of a model", parts },
    { "resume place", resume },
    { "a printout's file", load },
    { "verify header", verify_header },
    { "verify size", verify_size },
    { "verify index", verify_index },
    { "verify config", verify_config },
    { "verify hash", verify_hash },
    { "verify values", verify_values },
    { "verify a manifest", verify_manifest },
    { "verify what is expected", verify_expected },
    { "components", components },
    { "verify components", verify_components },
    SEVERAL_JOBS,
    { "an outcome", come_to },
    { "a page", page_of },
    { "hash, resumed", hash_again },
    { "a name", locate },
    { "a list", list_table },
    { "a line of a list", list_row },
    { "layouts", layouts },
    { "leftovers", leftovers },
    { "duplicates", duplicates },
    { "folders", folders },
    { "lint of forms and templates", lint_all },
};

struct said {
    uint64_t bytes, sum;
};

static bool sum_up(void *ctx, const void *p, size_t bytes)
{
    struct said *s = ctx;
    for (size_t i = 0; i < bytes; i++) s->sum = s->sum * 31 + ((const unsigned char *)p)[i];
    s->bytes += bytes;
    return true;
}

/* With allocation k failing; true if allocation k was reached. */
static bool starve(const struct job *j, numel_style_format format, uint64_t k, struct said *said,
                   const char **why)
{
    const numel_style style = { .size = sizeof style, .format = format };
    numel_report *r = NULL;
    numel_error e;
    int64_t before = heap.outstanding;
    POISON(e);
    *said = (struct said){ 0, 0 };
    heap.calls = 0;
    heap.fail_at = k;
    numel_rc rc = j->run(&r, &e);
    if (rc && r) *why = "leaves *out set on failure";
    if (!rc && r) rc = numel_report_write(r, &style, sum_up, said, &e);
    numel_report_free(r);
    numel_subject_close(subject);
    numel_outcome_close(outcome);
    numel_page_close(page);
    numel_list_free(table);
    table = NULL;
    subject = NULL;
    outcome = NULL;
    page = NULL;
    bool reached = heap.calls > k;
    heap.fail_at = UINT64_MAX;
    if (rc == NUMEL_E_WIDTH) *why = "is a wrong answer";
    if (!*why && reached != (rc == NUMEL_E_NOMEM)) *why = reached ? "is not NOMEM" : "fails";
    if (!*why && rc && e.code != rc) *why = "code and result disagree";
    if (!*why && heap.outstanding != before) *why = "leaks";
    return reached;
}

static void test_starved(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(jobs); i++)
        for (int json = 0; json < 2; json++) {
            numel_style_format format = json ? NUMEL_JSON : NUMEL_TEXT;
            const char *why = NULL;
            struct said whole, said, again;
            uint64_t k = 0;
            starve(&jobs[i], format, UINT64_MAX - 1, &whole, &why);
            ROW(failed, !why, "%s: with memory it %s", jobs[i].name, why);
            for (; !why && starve(&jobs[i], format, k, &said, &why);) k += 1 + (k > 150 ? k / 40 : 0);
            ROW(failed, !why, "%s: allocation %llu %s", jobs[i].name, (unsigned long long)k, why);
            ROW(failed, k > 0, "%s: nothing failed", jobs[i].name);
            starve(&jobs[i], format, UINT64_MAX - 1, &again, &why);
            ROW(failed, again.sum == whole.sum && again.bytes == whole.bytes,
                "%s: says something else afterwards", jobs[i].name);
        }
    assert_int_equal(failed, 0);
}

/* Needs no memory: facts about a number are right without any. */
static void test_without(void **state)
{
    uint64_t value = 0;
    (void)state;
    heap.calls = 0;
    heap.fail_at = 0;
    numel_rc rc = numel_claim("6.74 billion", &value, NULL, NULL, NULL);
    numel_rc read = numel_expect_check("params=6.74B,arch=llama,bits=4,dtype=BF16,verdict=agrees", NULL);
    numel_rc refused = numel_expect_check("parms=6.74B", NULL);
    uint64_t card = 0, here = 0;
    numel_rc known = numel_card_bytes("rtx4090", &card, NULL);
    numel_rc unknown = numel_card_bytes("rtx4091", &here, NULL);
    heap.fail_at = UINT64_MAX;
    assert_int_equal(rc, NUMEL_OK);
    assert_int_equal(read, NUMEL_OK);
    assert_int_equal(refused, NUMEL_E_USAGE);
    assert_int_equal(value, 6740000000);
    assert_int_equal(known, NUMEL_OK);
    assert_int_equal(unknown, NUMEL_E_USAGE);
    assert_int_equal(card, UINT64_C(24564) << 20);
    assert_int_equal(heap.calls, 0);
}

static bool collect(void *ctx, const void *p, size_t bytes) { return fwrite(p, 1, bytes, ctx) == bytes; }

/* A checkpoint with data, its manifest, a printout, and a pipeline. */
static int make_place(void **state)
{
    (void)state;
    if (!mkdtemp(place)) return -1;
    snprintf(written_to, sizeof written_to, "%s/heads", place);
    snprintf(loose, sizeof loose, "%s/model", place);
    snprintf(list, sizeof list, "%s/list.numel", place);
    snprintf(journal, sizeof journal, "%s/journal", place);
    snprintf(results, sizeof results, "%s/results.xml", place);
    snprintf(page_path, sizeof page_path, "%s/page.html", place);
    snprintf(printed, sizeof printed, "%s/printed.txt", place);
    char path[100];
    static const char *const hub[] = { "", "/snapshots", "/snapshots/1" };
    for (size_t i = 0; i < ROWS_OF(hub); i++) {
        snprintf(path, sizeof path, "%s/models--o--m%s", place, hub[i]);
        if (mkdir(path, 0700) != 0) return -1;
    }
    snprintf(pipeline, sizeof pipeline, "%s/pipeline", place);
    snprintf(path, sizeof path, "%s/text_encoder", pipeline);
    if (!make_model(loose) || mkdir(pipeline, 0700) != 0 || !make_model(path)) return -1;
    snprintf(path, sizeof path, "%s/model_index.json", pipeline);
    FILE *f = fopen(path, "w");
    fputs("{\"_class_name\":\"P\",\"text_encoder\":[\"transformers\",\"LlamaModel\"],"
          "\"vae\":[\"diffusers\",\"AutoencoderKL\"]}",
          f);
    fclose(f);
    snprintf(several, sizeof several, "%s/several.safetensors", place);
    if (!make_several(several)) return -1;
    snprintf(listed, sizeof listed, "%s/paths", place);
    f = fopen(listed, "w");
    fprintf(f, "%s\n", loose);
    fclose(f);
    f = fopen(printed, "w");
    fputs(text, f);
    fclose(f);
    const char *const paths[] = { loose };
    numel_report *r = NULL;
    if (numel_report_hash(&r, paths, 1, NULL, &own, &single, NULL)) return -1;
    f = fopen(list, "w");
    int bad = numel_report_write(r, NULL, collect, f, NULL) != NUMEL_OK;
    fclose(f);
    numel_report_free(r);
    return bad;
}

static int remove_place(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", place);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_without), cmocka_unit_test(test_starved) };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
