/*
 * mutants -- would a case of the truth detect an error in a line of a specification?
 *
 *   mutants [-v] [-u] [-j WORKERS] [-l LEDGER] [-x CANDIDATES] CASES [FILE...]
 *
 * Every small mistake (mutate.h) is made in memory, one at a time, in each specification and shared block
 * (or in the FILEs, by name: llama.spec). The cases of CASES for that specification, or for those that use
 * the block, judge it (judge.h); classes at default sizes are left to `make truth`, since they would take
 * hours. The first failing case kills the mutant. Mutants that no case kills but the parser or the lint
 * refuses are counted separately. The rest survive: nothing would detect that mistake. The ledger must
 * list survivors, each with a reason; an entry whose mutant no longer survives must be removed. -u
 * rewrites the ledger and keeps its reasons.
 *
 * -x judges survivors by further cases (made by own_candidates.py) and selects a small set that kills as
 * many as all of them: a line ROW for each, for own_rows.txt. Candidates that disagree with their
 * unchanged specification are reported and excluded.
 *
 * A kind of text is a row in families[]: the suffix of its files in the library, the first words of its
 * tensor lines, and the judge of its mutants. The layouts of packed checkpoints, with cases in
 * fixtures/packed, will be the second.
 *
 * Workers are processes: each inherits the cases, and takes mutants by a counter in shared memory, which
 * also holds the verdicts. A worker that dies leaves its mutant without a verdict, which is an error.
 */
#include "../support/judge.h"
#include "../support/ledger.h"
#include "../support/draft.h"
#include "../support/allocated.h"
#include "../support/mutate.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum verdict { UNKNOWN, KILLED, REFUSED, SURVIVED };
enum { WORKERS = 64, REACHED_HF = 1, REACHED_GGUF = 2 };

struct tool;
struct family {
    const char *suffix;
    const char *const *kinds;
    enum verdict (*judge)(struct tool *t, size_t mutant);
};

/* A file of the library: a specification, or a block that others use. */
struct text {
    const struct library_entry *entry;
    const struct family *family;
    unsigned char *reached; /* by line: the sides on which some case has its tensor */
    size_t lines;
    size_t witnesses;         /* cases for it, or for a specification that uses it */
    size_t lint;              /* complaints about the unchanged text */
    const char *const *files; /* for a specification: the files it consists of */
    size_t file_count;
    struct spec *spec;
};

/* After the verdicts: for each mutant one bit per candidate, set if it kills. */
struct shared {
    atomic_size_t next;
    unsigned char verdicts[];
};

struct tool {
    struct library *library;
    struct cases cases;
    struct witness *witnesses;               /* by case */
    size_t fixed;                            /* cases of the truth, followed by the candidates */
    size_t *order;                           /* small ones first */
    struct kept_cases kept;                  /* measured caches: they judge as well */
    const struct library_entry **kept_entry; /* by case; NULL if its specification does not match it */
    struct text *texts;
    size_t text_count;
    struct mutants mutants;
    size_t *text_of; /* by mutant */
    struct shared *shared;
    unsigned failures;
    bool all;
};

/* ---- specifications with one text changed ----------------------------------------------------- */

struct change {
    const struct library *library;
    const struct library_entry *entry; /* NULL if nothing is changed */
    numel_str text;
    struct config *config; /* the specification whose parts are linked; NULL if none */
};

static bool source(void *ctx, numel_str name, numel_str *text, const char **file)
{
    const struct change *c = ctx;
    const struct library_entry *entry = library_find(c->library, name);
    if (!entry) return false;
    *text = entry == c->entry ? c->text : entry->text;
    *file = entry->file;
    return true;
}

static bool link_part(void *ctx, const struct spec *s, numel_str path, struct spec_link *link, numel_error *e)
{
    const struct change *c = ctx;
    if (!link->type.p && !config_part_type(c->config, s, path, &link->type, e)) return false;
    const struct library_entry *entry = link->type.n ? library_type(c->library, link->type) : NULL;
    if (!entry) return true;
    link->text = entry == c->entry ? c->text : entry->text;
    link->file = entry->file;
    return true;
}

/* NULL if it does not parse. */
static struct spec *parse_changed(const struct library_entry *entry, const struct change *c)
{
    struct spec_input in = { entry == c->entry ? c->text : entry->text, entry->file, source,
                             (void *)(uintptr_t)c, link_part };
    numel_error e = { .code = NUMEL_OK };
    struct spec *spec;
    if (spec_parse(&spec, &in, &memory_malloc, NULL, &e)) return spec;
    if (e.code == NUMEL_E_NOMEM) die("%s", e.what);
    return NULL;
}

/* Like judge(), with the parts that the case's configuration selects. */
static const char *judge_parted(struct witness *w, const struct library_entry *entry,
                                const struct change *change, const struct spec *spec, char why[JUDGE_WHY],
                                judge_reach_fn *reach, void *ctx)
{
    struct change c = *change;
    struct spec *linked;
    const char *wrong = "it does not parse";
    if (!spec->parted) return judge(w, spec, why, reach, ctx);
    c.config = witness_config(w);
    if ((linked = parse_changed(entry, &c))) {
        inventory_spell(&w->held, linked);
        wrong = judge(w, linked, why, reach, ctx);
    }
    spec_free(linked);
    config_free(c.config);
    return wrong;
}

static bool uses(const struct text *t, const struct library_entry *entry)
{
    for (size_t i = 0; i < t->file_count; i++)
        if (!strcmp(t->files[i], entry->file)) return true;
    return false;
}

static size_t lint(const struct spec *spec)
{
    struct arena arena;
    struct complaints all = { .arena = &arena };
    arena_init(&arena, &memory_malloc);
    spec_lint(spec, text_of(""), &all);
    arena_done(&arena);
    return all.count;
}

/* ---- one mutant ------------------------------------------------------------------------------- */

static bool killed_by_cases(struct tool *t, const struct text *user, const struct change *c,
                            const struct spec *spec)
{
    char why[JUDGE_WHY];
    for (size_t i = 0; i < t->fixed; i++) {
        struct witness *w = &t->witnesses[t->order[i]];
        if (w->entry == user->entry && judge_parted(w, user->entry, c, spec, why, NULL, NULL)) return true;
    }
    return false;
}

static const char *judge_kept(const struct kept_case *k, const struct library_entry *entry,
                              const struct change *change, char why[KEPT_WHY])
{
    struct change c = *change;
    struct kept_told told;
    kept_tell(&told, k);
    c.config = told.config;
    struct spec *linked = parse_changed(entry, &c);
    const char *wrong = linked ? kept_judge_any(k, linked, &told, why) : "it does not parse";
    spec_free(linked);
    kept_told_done(&told);
    return wrong;
}

static bool killed_by_kept(const struct tool *t, const struct text *user, const struct change *c)
{
    char why[KEPT_WHY];
    for (size_t i = 0; i < t->kept.count; i++)
        if (t->kept_entry[i] == user->entry && judge_kept(&t->kept.items[i], user->entry, c, why))
            return true;
    return false;
}

static unsigned char *bits_of(const struct tool *t, size_t mutant)
{
    return t->shared->verdicts + t->mutants.count + mutant * ((t->cases.count - t->fixed) / 8 + 1);
}

/* Records which of the candidates kill the mutant. */
static void try_candidates(struct tool *t, const struct text *user, const struct change *c, size_t mutant)
{
    char why[JUDGE_WHY];
    struct spec *spec = parse_changed(user->entry, c);
    for (size_t i = t->fixed; spec && i < t->cases.count; i++) {
        struct witness *w = &t->witnesses[i];
        if (w->entry == user->entry && judge_parted(w, user->entry, c, spec, why, NULL, NULL))
            bits_of(t, mutant)[(i - t->fixed) / 8] |= (unsigned char)(1u << (i - t->fixed) % 8);
    }
    spec_free(spec);
}

static enum verdict judge_user(struct tool *t, const struct text *user, const struct change *c)
{
    struct spec *spec = parse_changed(user->entry, c);
    if (!spec) return REFUSED;
    enum verdict v = killed_by_cases(t, user, c, spec) || killed_by_kept(t, user, c) ? KILLED
                     : lint(spec) > user->lint                                       ? REFUSED
                                                                                     : SURVIVED;
    spec_free(spec);
    return v;
}

/* Killed by any case, otherwise refused for any specification. */
static enum verdict judge_mutant(struct tool *t, size_t i)
{
    const struct mutant *m = &t->mutants.items[i];
    const struct text *of = &t->texts[t->text_of[i]];
    struct change c = { .library = t->library, .entry = of->entry };
    char *text = mutant_text(m, of->entry->text, &c.text.n);
    enum verdict v = SURVIVED;
    c.text.p = text;
    for (size_t k = 0; k < t->text_count && v != KILLED; k++) {
        const struct text *user = &t->texts[k];
        if (!user->spec || !uses(user, of->entry)) continue;
        enum verdict one = judge_user(t, user, &c);
        if (one != SURVIVED) v = one;
        if (one == REFUSED && !of->spec) break; /* a block that does not parse fails for all users */
    }
    for (size_t k = 0; k < t->text_count && v == SURVIVED && t->fixed < t->cases.count; k++)
        if (t->texts[k].spec && uses(&t->texts[k], of->entry)) try_candidates(t, &t->texts[k], &c, i);
    free(text);
    return v;
}

static void work(struct tool *t)
{
    enum { FEW = 8 };
    for (;;) {
        size_t from = atomic_fetch_add(&t->shared->next, FEW);
        if (from >= t->mutants.count) return;
        for (size_t i = from; i < from + FEW && i < t->mutants.count; i++)
            t->shared->verdicts[i] = (unsigned char)t->texts[t->text_of[i]].family->judge(t, i);
    }
}

static void work_all(struct tool *t, unsigned workers)
{
    pid_t pids[WORKERS];
    size_t row = (t->cases.count - t->fixed) / 8 + 1;
    size_t bytes = sizeof *t->shared + t->mutants.count * (1 + row) + 1;
    FILE *f = tmpfile();
    if (!f || ftruncate(fileno(f), (off_t)bytes)) die("no shared memory");
    t->shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
    if (t->shared == MAP_FAILED) die("no shared memory");
    fclose(f);
    fflush(stdout);
    for (unsigned i = 0; i < workers; i++) {
        if ((pids[i] = fork()) < 0) die("no worker");
        if (!pids[i]) {
            work(t);
            _exit(0);
        }
    }
    for (unsigned i = 0; i < workers; i++) waitpid(pids[i], NULL, 0);
}

/* ---- preparation: texts, cases, coverage ------------------------------------------------------ */

static struct text *text_named(struct tool *t, const char *file)
{
    for (size_t i = 0; i < t->text_count; i++)
        if (!strcmp(t->texts[i].entry->file, file)) return &t->texts[i];
    return NULL;
}

static const struct family families[] = { { ".spec", mutate_spec_kinds, judge_mutant } };

static void load_text(struct tool *t, const struct library_entry *entry, const struct family *f)
{
    struct text *x = &t->texts[t->text_count++];
    numel_error e = { .code = NUMEL_OK };
    *x = (struct text){ .entry = entry, .family = f };
    for (size_t i = 0; i < entry->text.n; i++) x->lines += entry->text.p[i] == '\n';
    x->reached = must(calloc(x->lines + 2, 1));
    if (!entry->architecture) return;
    if (!library_parse(t->library, entry, NULL, &x->spec, &memory_malloc, NULL, &e))
        die("%s: %s", entry->file, e.what);
    x->files = (const char *const *)x->spec->files;
    x->file_count = x->spec->file_count;
    x->lint = lint(x->spec);
}

static void load_texts(struct tool *t)
{
    numel_error e = { .code = NUMEL_OK };
    if (!library_open(&t->library, &memory_malloc, &e)) die("%s", e.what);
    t->texts = must(calloc(library_count(t->library), sizeof *t->texts));
    for (size_t i = 0; i < library_count(t->library); i++)
        for (size_t f = 0; f < sizeof families / sizeof *families; f++)
            if (text_ends(text_of(library_at(t->library, i)->file), families[f].suffix))
                load_text(t, library_at(t->library, i), &families[f]);
}

struct reach {
    struct tool *tool;
    enum side side;
};

static void reached(void *ctx, const struct expansion *x, const struct site *site)
{
    struct reach *r = ctx;
    const struct line *line = &x->spec->lines[site->line];
    struct text *t = text_named(r->tool, x->spec->files[line->file]);
    if (t && line->number <= t->lines + 1)
        t->reached[line->number] |= r->side == SIDE_HF ? REACHED_HF : REACHED_GGUF;
}

/* Files in forms from a layout's file (writers.forms), which the judge does not support: `make truth`
 * covers them. */
static const char formed[] = "own/mixtral-split-again-saved";

/* An unchanged specification must pass; records what its case covers. */
static void load_witness(struct tool *t, size_t i)
{
    struct witness *w = &t->witnesses[i];
    char why[JUDGE_WHY];
    if (!strcmp(t->cases.items[i].name, formed)) return;
    witness_init(w, &t->cases.items[i], t->library);
    if (!w->entry) die("%s: no specification is for it", w->truth->name);
    struct text *own = text_named(t, w->entry->file);
    struct reach r = { t, w->side };
    struct change none = { .library = t->library };
    inventory_spell(&w->held, own->spec);
    if (judge_parted(w, own->entry, &none, own->spec, why, reached, &r)) {
        printf("FAIL %s: %s, unchanged: %s\n", w->truth->name, w->entry->file, why);
        t->failures++;
    }
    for (size_t k = 0; k < t->text_count; k++) t->texts[k].witnesses += uses(own, t->texts[k].entry);
}

static struct tool *sorted; /* qsort passes no context to the comparison */

static int by_size(const void *a, const void *b)
{
    size_t x = sorted->witnesses[*(const size_t *)a].held.count;
    size_t y = sorted->witnesses[*(const size_t *)b].held.count;
    return (x > y) - (x < y);
}

/* A candidate that disagrees with its specification, or has none, is excluded. */
static void load_candidate(struct tool *t, size_t i)
{
    struct witness *w = &t->witnesses[i];
    char why[JUDGE_WHY] = "no specification is for it";
    witness_init(w, &t->cases.items[i], t->library);
    struct text *own = w->entry ? text_named(t, w->entry->file) : NULL;
    struct change none = { .library = t->library };
    if (own) inventory_spell(&w->held, own->spec);
    if (own && !judge_parted(w, own->entry, &none, own->spec, why, NULL, NULL)) return;
    printf("DISAGREES %s: %s: %s\n", w->truth->name, own ? own->entry->file : "-", why);
    w->entry = NULL;
}

static void load_witnesses(struct tool *t, const char *folder, const char *candidates)
{
    cases_load_quick(&t->cases, folder);
    t->fixed = t->cases.count;
    if (candidates) cases_more(&t->cases, candidates);
    t->witnesses = must(calloc(t->cases.count, sizeof *t->witnesses));
    t->order = must(calloc(t->fixed, sizeof *t->order));
    for (size_t i = 0; i < t->fixed; i++) {
        load_witness(t, i);
        t->order[i] = i;
    }
    for (size_t i = t->fixed; i < t->cases.count; i++) load_candidate(t, i);
    sorted = t;
    qsort(t->order, t->fixed, sizeof *t->order, by_size);
}

static void load_kept(struct tool *t, const char *path)
{
    struct change none = { .library = t->library };
    numel_error e = { .code = NUMEL_OK };
    char why[KEPT_WHY];
    kept_cases_load_all(&t->kept, path);
    t->kept_entry = must(calloc(t->kept.count, sizeof *t->kept_entry));
    for (size_t i = 0; i < t->kept.count; i++) {
        struct kept_told told;
        kept_tell(&told, &t->kept.items[i]);
        const struct library_entry *entry = library_match(t->library, told.config, told.side, &e);
        if (entry && !judge_kept(&t->kept.items[i], entry, &none, why)) t->kept_entry[i] = entry;
        kept_told_done(&told);
    }
}

static bool is_kept(const struct tool *t, const struct text *of)
{
    for (size_t i = 0; i < t->kept.count; i++)
        for (size_t k = 0; t->kept_entry[i] && k < t->text_count; k++)
            if (t->texts[k].entry == t->kept_entry[i] && uses(&t->texts[k], of->entry)) return true;
    return false;
}

/* Without those of cache lines, starting at `from`: no caches of such models were measured. */
static void drop_cache(struct tool *t, size_t from)
{
    struct mutants *all = &t->mutants;
    size_t to = from;
    for (size_t i = from; i < all->count; i++)
        if (strncmp(all->items[i].line, "cache ", strlen("cache ")) != 0) all->items[to++] = all->items[i];
    all->count = to;
}

static void load_mutants(struct tool *t, char **files, int count)
{
    mutants_init(&t->mutants);
    size_t *before = must(calloc(t->text_count + 1, sizeof *before));
    for (size_t i = 0; i < t->text_count; i++) {
        const struct library_entry *entry = t->texts[i].entry;
        bool wanted = count == 0;
        for (int k = 0; k < count && !wanted; k++) wanted = !strcmp(files[k], entry->file);
        before[i] = t->mutants.count;
        if (wanted) mutants_of(&t->mutants, entry->file, entry->text, t->texts[i].family->kinds);
        if (wanted && !is_kept(t, &t->texts[i])) drop_cache(t, before[i]);
    }
    before[t->text_count] = t->mutants.count;
    t->text_of = must(calloc(t->mutants.count + 1, sizeof *t->text_of));
    for (size_t i = 0; i < t->text_count; i++)
        for (size_t k = before[i]; k < before[i + 1]; k++) t->text_of[k] = i;
    free(before);
}

/* ---- results ---------------------------------------------------------------------------------- */

/* The side that the line serves, by its names: "GGUF" if it has no Hugging Face name. */
static const char *only_side(const char *line)
{
    const char *hf = strchr(line, ' ');
    hf = hf ? strchr(hf + 1, ' ') : NULL;
    if (!hf) return "";
    if (!strncmp(hf, " - ", 3)) return ", GGUF only";
    const char *gguf = strchr(hf + 1, ' ');
    return gguf && !strncmp(gguf, " - ", 3) ? ", Hugging Face only" : "";
}

/* Why nothing detects it, as far as can be determined automatically. */
static const char *guess(struct tool *t, size_t i)
{
    const struct mutant *m = &t->mutants.items[i];
    const struct text *x = &t->texts[t->text_of[i]];
    unsigned reach = x->reached[m->number];
    bool branch = !strncmp(m->what, "condition", 9) || !strncmp(m->what, "alternative", 11);
    bool gguf_dims = !strncmp(m->what, "gguf", 4);
    const char *side = branch ? "" : gguf_dims ? ", GGUF only" : only_side(m->line);
    if (!x->witnesses) return "no case of the specification";
    const char *why = branch                                             ? "no case of the other branch"
                      : !reach || (gguf_dims && !(reach & REACHED_GGUF)) ? "no case has it"
                      : reach == REACHED_GGUF ? "only GGUF cases have it, and they do not detect it"
                                              : "cases have it, but do not detect it";
    return must(arena_format(&t->mutants.arena, "%s%s", why, side));
}

/* The candidate that kills the most mutants in `left`, and how many. */
static size_t best_candidate(const struct tool *t, const bool *left, size_t *kills)
{
    size_t best = 0, extra = t->cases.count - t->fixed;
    unsigned *tally = must(calloc(extra + 1, sizeof *tally));
    for (size_t i = 0; i < t->mutants.count; i++)
        for (size_t k = 0; left[i] && k < extra; k++) tally[k] += bits_of(t, i)[k / 8] >> k % 8 & 1;
    for (size_t k = 0; k < extra; k++)
        if (tally[k] > tally[best]) best = k;
    *kills = tally[best];
    free(tally);
    return best;
}

/* A small set of candidates that kills as many as all of them. */
static void choose_candidates(const struct tool *t)
{
    bool *left = must(calloc(t->mutants.count + 1, sizeof *left));
    size_t kills, best;
    for (size_t i = 0; i < t->mutants.count; i++) left[i] = t->shared->verdicts[i] == SURVIVED;
    while (best = best_candidate(t, left, &kills), kills) {
        char *row = json_print(json_get(t->cases.items[t->fixed + best].doc, "own"));
        printf("ROW %s\n", row ? row : "");
        json_print_free(row);
        for (size_t i = 0; i < t->mutants.count; i++)
            if (bits_of(t, i)[best / 8] >> best % 8 & 1) left[i] = false;
    }
    free(left);
}

static int finish(struct tool *t, struct ledger *l, bool update)
{
    size_t tally[SURVIVED + 1] = { 0 };
    for (size_t i = 0; i < t->mutants.count; i++) {
        const struct mutant *m = &t->mutants.items[i];
        unsigned v = t->shared->verdicts[i];
        tally[v]++;
        ledger_judged(l, m->file);
        if (v == UNKNOWN) printf("FAIL %s:%u: %s: a worker died\n", m->file, m->number, m->what);
        if (v != SURVIVED) continue;
        bool bare = !t->texts[t->text_of[i]].witnesses; /* one entry covers all its lines */
        bool known = ledger_meet(l, m->file, bare ? "all" : m->what, bare ? "its lines" : m->line,
                                 update ? guess(t, i) : NULL);
        if (known && !t->all) continue;
        printf("%s %s:%u: %s: %s  (%s)\n", known ? "known   " : "SURVIVED", m->file, m->number, m->what,
               m->line, guess(t, i));
        t->failures += !known;
    }
    t->failures += (unsigned)tally[UNKNOWN] + (update ? 0 : ledger_stale(l));
    double part = t->mutants.count ? 100.0 * (double)tally[SURVIVED] / (double)t->mutants.count : 0;
    printf("mutants: %zu, %zu killed by cases, %zu refused by parser or lint, %zu survived (%.2f %%); "
           "%u wrong\n",
           t->mutants.count, tally[KILLED], tally[REFUSED], tally[SURVIVED], part, t->failures);
    return t->failures > 0 || t->mutants.count == 0;
}

int main(int argc, char **argv)
{
    struct tool t = { 0 };
    struct ledger ledger;
    long workers = sysconf(_SC_NPROCESSORS_ONLN);
    const char *path = NULL, *candidates = NULL;
    bool update = false;
    for (int c; (c = getopt(argc, argv, "vuj:l:x:")) != -1;) {
        if (c == 'v') t.all = true;
        if (c == 'u') update = true;
        if (c == 'j') workers = strtol(optarg, NULL, 10);
        if (c == 'l') path = optarg;
        if (c == 'x') candidates = optarg;
        if (c == '?') return 2;
    }
    if (optind == argc) die("mutants [-v] [-u] [-j WORKERS] [-l LEDGER] [-x CANDIDATES] CASES [FILE...]");
    load_texts(&t);
    load_witnesses(&t, argv[optind], candidates);
    load_kept(&t, "fixtures/memory");
    load_mutants(&t, argv + optind + 1, argc - optind - 1);
    ledger_load(&ledger, path);
    work_all(&t, workers < 1 ? 1 : workers > WORKERS ? WORKERS : (unsigned)workers);
    if (candidates) choose_candidates(&t);
    int status = finish(&t, &ledger, update);
    if (update) ledger_write(&ledger, path);
    return status;
}
