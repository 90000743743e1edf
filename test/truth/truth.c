/*
 * truth -- compares reconcile and formula with transformers and llama.cpp.
 *
 *   truth [-v] [-j THREADS] [-w FOLDER] [-l LEDGER] [-d DEBTS] CASES [WORD...]
 *   truth [-v] [-j THREADS] [-w FOLDER] -x CANDIDATES [WORD...]
 *
 * CASES is fixtures/oracle; with WORDs, only cases whose name contains one run. Each case of transformers
 * becomes a header-only checkpoint: params (a tied name once) and persistent buffers, with each form of
 * its configuration as config.json: whole; as in a published file, without the keys that equal their class
 * default; and each without `architectures` if the file then shows the class. reconcile must agree, and
 * count the same parameters, with and without embeddings, as the class; formula must give the same total
 * from the configuration alone. For a case of llama.cpp reconcile must agree.
 *
 * Everything uses the public interface, on files, in the given number of threads. A failing case is
 * printed with its first error; so is a specification that no case covers, as a whole or as a part. DEBTS
 * names known failures, one per line, with the reason; one that passes must be removed. The last line
 * counts. CANDIDATES are lines of such cases that are not in a fixture yet (size_cases.py).
 */
#include "subject/subject.h"
#include "../support/cases.h"
#include "../support/debts.h"
#include "../support/draft.h"

#include "formula/library.h"
#include "statement/handle.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WHY = 400, THREADS = 64, PATH = 4096, NAME = 64, PARTS = 8 };

/* The specifications used for a case: its own, then those of its parts; terminated by "". */
typedef char judged[1 + PARTS][NAME];

struct tool {
    struct cases cases;
    char **words;
    int word_count;
    const char *work, *ledger, *debts, *candidates;
    char (*why)[WHY]; /* by case; "" if it passed */
    judged *specs;    /* by case */
    pthread_mutex_t lock;
    size_t next;
};

/* The case in progress: its folder, and its error. */
struct job {
    const struct truth *t;
    const char *folder;
    char *why;
    judged *specs;
};

static bool wrong(struct job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Always returns false; keeps the first message. */
static bool wrong(struct job *j, const char *format, ...)
{
    va_list args;
    if (*j->why) return false;
    va_start(args, format);
    vsnprintf(j->why, WHY, format, args);
    va_end(args);
    return false;
}

/* ---- results of the library ------------------------------------------------------------------- */

static bool collect(void *ctx, const void *p, size_t n)
{
    buffer_add(ctx, p, n);
    return !((struct buffer *)ctx)->failed;
}

/* The report's JSON; NULL after recording the reason. */
static json_value *answer(struct job *j, const numel_report *r, const char *label)
{
    numel_error e = { .code = NUMEL_OK };
    struct buffer b;
    json_value *doc = NULL;
    buffer_init(&b, &memory_malloc);
    if (numel_report_write(r, &(numel_style){ .size = sizeof(numel_style), .format = NUMEL_JSON }, collect,
                           &b, &e) ||
        !(doc = json_doc_parse(b.p, b.n, &e)))
        wrong(j, "%s: %s", label, e.what);
    buffer_done(&b);
    return doc;
}

static const char *first_name(const json_value *report, const char *list)
{
    const char *name = json_text_of(json_get(json_first(json_get(report, list)), "name"));
    return name ? name : "";
}

static bool check_count(struct job *j, const char *label, const char *key, const json_value *is)
{
    int64_t wanted, found = -1;
    if (!json_integer(json_get(j->t->doc, key), &wanted)) return wrong(j, "no %s", key);
    if (json_integer(is, &found) && found == wanted) return true;
    return wrong(j, "%s: %s %" PRId64 ", expected %" PRId64, label, key, found, wanted);
}

static bool check_reconcile(struct job *j, const char *label, const numel_report *r, const json_value *doc)
{
    const char *spec = json_text_of(json_get(doc, "architecture"));
    snprintf((*j->specs)[0], NAME, "%s", spec ? spec : "");
    if (!(numel_report_verdict(r) == NUMEL_AGREES) || !json_true(json_get(doc, "agrees"))) {
        const char *verdict = json_text_of(json_get(doc, "verdict"));
        return wrong(j, "%s: %s %s %s %s", label, verdict ? verdict : "", first_name(doc, "missing"),
                     first_name(doc, "unexpected"), first_name(doc, "mismatched"));
    }
    if (!j->t->doc) return true;
    const json_value *counts = json_get(doc, "counts");
    return check_count(j, label, "num_parameters", json_get(counts, "parameters")) &&
           check_count(j, label, "non_embedding", json_get(counts, "non_embedding"));
}

/* The library entry for a spec's file; NULL if the file is a block. */
static const char *entry_of(const struct library *l, const char *file)
{
    for (size_t i = 0; i < library_count(l); i++) {
        const struct library_entry *entry = library_at(l, i);
        if (entry->architecture && !strcmp(entry->file, file)) return entry->name;
    }
    return NULL;
}

/* Marks the specs that are parts of the model's own. */
static void note_parts(struct job *j, const struct model *m)
{
    for (size_t i = 1, n = 1; m->spec && m->spec->parted && i < m->spec->file_count && n <= PARTS; i++) {
        const char *name = entry_of(m->library, m->spec->files[i]);
        if (name) snprintf((*j->specs)[n++], NAME, "%s", name);
    }
}

static bool reconcile_opened(struct job *j, const numel_checkpoint *ck, const char *label)
{
    numel_error e = { .code = NUMEL_OK };
    numel_subject *model = NULL;
    numel_report *r = NULL;
    if (numel_subject_of(&model, ck, NULL, NULL, &e) || numel_report_reconcile(&r, model, NULL, &e)) {
        numel_subject_close(model);
        return wrong(j, "%s: %s", label, e.what);
    }
    json_value *doc = answer(j, r, label);
    bool ok = doc && check_reconcile(j, label, r, doc);
    if (ok) note_parts(j, model->handle->model);
    json_doc_free(doc);
    numel_report_free(r);
    numel_subject_close(model);
    return ok;
}

static bool reconcile(struct job *j, const char *path, const char *label)
{
    numel_error e = { .code = NUMEL_OK };
    numel_found *found = NULL;
    numel_checkpoint *ck = NULL;
    bool ok = !numel_find(&found, path, NULL, &e) && !numel_open(&ck, found, 0, NULL, &e);
    ok = ok ? reconcile_opened(j, ck, label) : wrong(j, "%s: %s", label, e.what);
    numel_free(ck);
    numel_found_free(found);
    return ok;
}

static bool formula(struct job *j, const char *path, const char *label)
{
    numel_error e = { .code = NUMEL_OK };
    numel_subject *model = NULL;
    numel_report *r = NULL;
    char text[128];
    if (numel_subject_open(&model, path, NULL, NULL, &e) || numel_report_formula(&r, model, &e)) {
        numel_subject_close(model);
        return wrong(j, "%s: formula: %s", label, e.what);
    }
    json_value *doc = answer(j, r, label);
    snprintf(text, sizeof text, "%s: formula", label);
    bool ok = doc && check_count(j, text, "num_parameters", json_get(doc, "total"));
    json_doc_free(doc);
    numel_report_free(r);
    numel_subject_close(model);
    return ok;
}

/* ---- one case --------------------------------------------------------------------------------- */

static void put_model(const struct job *j)
{
    struct draft m;
    struct buffer head;
    uint64_t data;
    draft_init(&m);
    buffer_init(&head, &memory_malloc);
    draft_of_oracle(&m, j->t->doc, kind_find("F32", false));
    encode_safetensors(&m, 0, &head, &data);
    put_head(j->folder, "model.safetensors", PUT_ZSTD, 1, &head, head.n + data);
    buffer_done(&head);
    draft_done(&m);
}

static bool check_form(struct job *j, const char *form, bool classed)
{
    char label[64], path[PATH];
    char *config = truth_config(j->t, form, classed);
    if (!config) return true;
    snprintf(label, sizeof label, "%s%s", form, classed ? "" : " without its class");
    snprintf(path, sizeof path, "%s/config.json", j->folder);
    put_text(j->folder, "config.json", config, strlen(config));
    free(config);
    return reconcile(j, j->folder, label) && (!classed || formula(j, path, label));
}

/* A case without a configuration is judged by its file alone, and by its identification. */
static void check_bare(struct job *j)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/config.json", j->folder);
    unlink(path);
    const char *wanted = json_text_of(json_get(j->t->doc, "architecture"));
    if (!reconcile(j, j->folder, "alone")) return;
    if (!wanted || strcmp((*j->specs)[0], wanted)) wrong(j, "alone: is taken for %s", (*j->specs)[0]);
}

static void check_hf(struct job *j)
{
    static const char *const forms[] = { "whole", "diff", "dropped" };
    bool known = json_text_of(json_get(j->t->doc, "class")) != NULL;
    put_model(j);
    if (truth_is_bare(j->t)) {
        check_bare(j);
        return;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        bool stated = truth_states_class(j->t, forms[i]);
        if ((known || stated) && !check_form(j, forms[i], true)) return;
        if (!stated && !check_form(j, forms[i], false)) return;
    }
}

static void check_gguf(struct job *j)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/model.gguf", j->folder);
    put_text(j->folder, "model.gguf", j->t->bytes, j->t->size);
    reconcile(j, path, "file");
}

static void check_case(struct tool *t, size_t i, unsigned thread)
{
    const struct truth *truth = &t->cases.items[i];
    char folder[PATH - 64];
    snprintf(folder, sizeof folder, "%s/%s.%u", t->work, truth->doc ? "hf" : "gguf", thread);
    struct job j = { truth, folder, t->why[i], &t->specs[i] };
    if (truth->doc) check_hf(&j);
    else check_gguf(&j);
}

/* ---- all of them ------------------------------------------------------------------------------ */

static bool asked_for(const struct tool *t, const char *name)
{
    for (int i = 0; i < t->word_count; i++)
        if (strstr(name, t->words[i])) return true;
    return t->word_count == 0;
}

/* The number of the next matching case, or count. */
static size_t take(struct tool *t)
{
    pthread_mutex_lock(&t->lock);
    while (t->next < t->cases.count && !asked_for(t, t->cases.items[t->next].name)) t->next++;
    size_t i = t->next;
    if (i < t->cases.count) t->next++;
    pthread_mutex_unlock(&t->lock);
    return i;
}

struct worker {
    struct tool *tool;
    unsigned number;
    pthread_t thread;
};

static void *work(void *ctx)
{
    struct worker *w = ctx;
    for (size_t i; (i = take(w->tool)) < w->tool->cases.count;) check_case(w->tool, i, w->number);
    return NULL;
}

static void work_all(struct tool *t, unsigned threads)
{
    struct worker workers[THREADS];
    for (unsigned i = 0; i < threads; i++) {
        workers[i] = (struct worker){ .tool = t, .number = i };
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) die("no thread");
    }
    for (unsigned i = 0; i < threads; i++) pthread_join(workers[i].thread, NULL);
}

static bool judges(const struct tool *t, const char *spec)
{
    for (size_t i = 0; i < t->cases.count; i++)
        for (size_t k = 0; k <= PARTS; k++)
            if (!strcmp(t->specs[i][k], spec)) return true;
    return false;
}

/* Specifications that no case covers: nothing would notice if they broke. The ledger lists known ones, one
 * per line, or a whole folder; one that now has a case must be removed. */
static size_t tell_bare(const struct tool *t)
{
    struct library *library;
    numel_error e = { .code = NUMEL_OK };
    size_t wrong = 0;
    char *known = debts_read(t->ledger);
    if (!library_open(&library, &memory_malloc, &e)) die("%s", e.what);
    for (size_t i = 0; i < library_count(library); i++) {
        const struct library_entry *entry = library_at(library, i);
        bool listed = debts_name(known, entry->name), met = judges(t, entry->name);
        bool elsewhere = entry->family && debts_name(known, entry->family); /* its whole folder */
        if (!entry->architecture || listed != met || elsewhere) continue;
        printf("FAIL %s: %s\n", entry->file,
               met ? "has a case now; the ledger names it" : "no case is judged by it");
        wrong++;
    }
    library_free(library);
    free(known);
    return wrong;
}

static int tell(const struct tool *t, bool all)
{
    size_t passed = 0, owed = 0, failed = t->word_count || t->candidates ? 0 : tell_bare(t);
    char *debts = debts_read(t->debts);
    for (size_t i = 0; i < t->cases.count; i++) {
        const char *name = t->cases.items[i].name, *why = t->why[i];
        if (!asked_for(t, name)) continue;
        bool known = debts_name(debts, name), good = !*why;
        if (known && good) why = "passes now; the ledger of debts names it";
        *(known != good ? good ? &passed : &owed : &failed) += 1;
        const char *word = known == good ? "FAIL" : good ? "ok  " : "owed";
        if (known == good || all) printf("%s %s%s%s\n", word, name, *why ? "  " : "", why);
    }
    free(debts);
    printf("truth: %zu passed, %zu failed, %zu owed\n", passed, failed, owed);
    return failed > 0 || passed == 0;
}

/* The requested number of threads; 0 if an option is unknown. */
static long read_options(struct tool *t, bool *all, int argc, char **argv)
{
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    for (int c; (c = getopt(argc, argv, "vj:w:l:d:x:")) != -1;) {
        if (c == 'v') *all = true;
        if (c == 'j') threads = strtol(optarg, NULL, 10);
        if (c == 'w') t->work = optarg;
        if (c == 'l') t->ledger = optarg;
        if (c == 'd') t->debts = optarg;
        if (c == 'x') t->candidates = optarg;
        if (c == '?') return 0;
    }
    if (optind == argc && !t->candidates)
        die("truth [-v] [-j THREADS] [-w FOLDER] [-l LEDGER] [-d DEBTS] CASES|-x CANDIDATES [WORD...]");
    return threads < 1 ? 1 : threads > THREADS ? THREADS : threads;
}

int main(int argc, char **argv)
{
    struct tool t = { .work = "build/truth", .lock = PTHREAD_MUTEX_INITIALIZER };
    bool all = false;
    long threads = read_options(&t, &all, argc, argv);
    if (!threads) return 2;
    if (t.candidates) cases_alone(&t.cases, t.candidates);
    else cases_load(&t.cases, argv[optind++]);
    t.words = argv + optind;
    t.word_count = argc - optind;
    t.why = must(calloc(t.cases.count, sizeof *t.why));
    t.specs = must(calloc(t.cases.count, sizeof *t.specs));
    work_all(&t, (unsigned)threads);
    int status = tell(&t, all);
    free(t.why);
    free(t.specs);
    cases_free(&t.cases);
    return status;
}
