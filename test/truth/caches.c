/*
 * caches -- compares the cache lines of specifications with measured caches of transformers.
 *
 *   caches [-v] [-d DEBTS] FOLDER [WORD...]
 *
 * FOLDER is fixtures/memory; with words, only cases whose name holds one of them are judged. DEBTS names
 * model types that do not agree yet, one per line, with the reason; an entry whose cases all agree must be
 * removed. The last line counts model types.
 */
#include "../support/allocated.h"
#include "../support/debts.h"
#include "../support/draft.h"
#include "../support/kept.h"

#include "formula/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tool {
    struct kept_cases cases;
    struct library *library;
    char *debts;
    bool all;
    size_t agreed, owed, failed;
};

/* Returns NULL, or what is wrong. */
static const char *judge_case(const struct tool *t, const struct kept_case *c, char why[KEPT_WHY])
{
    numel_error e = { .code = NUMEL_OK };
    struct kept_told told;
    struct spec *spec = NULL;
    const char *wrong = why;
    kept_tell(&told, c);
    const struct library_entry *entry = library_match(t->library, told.config, told.side, &e);
    if (entry && library_parse(t->library, entry, told.config, &spec, &memory_malloc, NULL, &e))
        wrong = kept_judge_any(c, spec, &told, why);
    else snprintf(why, KEPT_WHY, "%s", e.what);
    spec_free(spec);
    kept_told_done(&told);
    return wrong;
}

static size_t type_length(const char *name) { return strcspn(name, "/"); }

static bool same_type(const char *a, const char *b)
{
    return type_length(a) == type_length(b) && !strncmp(a, b, type_length(a));
}

/* Result for a type or a model. */
static void tell(struct tool *t, const char *type, const char *where, const char *wrong)
{
    bool known = debts_name(t->debts, type);
    *(known && wrong ? &t->owed : known || wrong ? &t->failed : &t->agreed) += 1;
    if (known && !wrong) wrong = "agrees now: strike it out of the ledger";
    else if (!t->all && known) return;
    if (wrong) printf("%s %s: %s\n", known ? "owed" : "FAIL", where, wrong);
    else if (t->all) printf("ok   %s\n", type);
}

/* Judges the cases of one type, starting at `from`; reports the first failure. */
static size_t judge_type(struct tool *t, size_t from)
{
    const struct kept_case *first = &t->cases.items[from];
    const char *wrong = NULL, *where = first->name;
    char why[KEPT_WHY], type[KEPT_WHY];
    size_t to = from;
    for (; to < t->cases.count && same_type(t->cases.items[to].name, first->name); to++) {
        if (wrong) continue;
        wrong = judge_case(t, &t->cases.items[to], why);
        if (wrong) where = t->cases.items[to].name;
    }
    snprintf(type, sizeof type, "%.*s", (int)type_length(first->name), first->name);
    tell(t, type, where, wrong);
    return to;
}

static bool asked_for(const char *name, char **words)
{
    bool any = false;
    for (; *words; words++) {
        any = true;
        if (strstr(name, *words)) return true;
    }
    return !any;
}

int main(int argc, char **argv)
{
    struct tool t = { .failed = 0 };
    numel_error e = { .code = NUMEL_OK };
    const char *debts = NULL;
    for (int c; (c = getopt(argc, argv, "vd:")) != -1;) {
        if (c == 'v') t.all = true;
        else if (c == 'd') debts = optarg;
        else return 2;
    }
    if (optind == argc) die("caches [-v] [-d DEBTS] FOLDER [WORD...]");
    kept_cases_load_all(&t.cases, argv[optind++]);
    t.debts = debts_read(debts);
    if (!library_open(&t.library, &memory_malloc, &e)) die("%s", e.what);
    for (size_t i = 0; i < t.cases.count;) {
        if (asked_for(t.cases.items[i].name, argv + optind)) i = judge_type(&t, i);
        else i++;
    }
    printf("caches: %zu model types and contexts of llama.cpp agree, %zu failed, %zu owed\n", t.agreed,
           t.failed, t.owed);
    library_free(t.library);
    kept_cases_free(&t.cases);
    free(t.debts);
    return t.failed > 0 || t.agreed == 0;
}
