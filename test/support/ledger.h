/*
 * ledger.h -- the mutants that may survive, and why: test/truth/mutants.txt.
 *
 *     llama.spec: delete: lin head.bias - output.bias V opt
 *         the reason, indented; one reason may stand below several entries
 *
 * `FILE: all: its lines` stands for a file that no case uses. An entry names a line by its text, not its number, so that it outlives what happens above it. Lines
 * that begin with # are comments.
 */
#ifndef NUMEL_TEST_LEDGER_H
#define NUMEL_TEST_LEDGER_H

#include "base/memory.h"

struct ledger_entry {
    const char *key;    /* "llama.spec: delete: lin ..." */
    const char *reason; /* NULL until it is read */
    bool met;
};

struct ledger {
    struct arena arena;
    const char *comment; /* that the file begins with */
    struct ledger_entry *items;
    size_t count, cap;
    const char **judged; /* files of which mutants were made */
    size_t judged_count, judged_cap;
};

/* An empty one when path is NULL. Dies of an entry without a reason. */
void ledger_load(struct ledger *l, const char *path);
void ledger_free(struct ledger *l);
/* Is there such an entry? With a `reason`, one is made where there is none. */
bool ledger_meet(struct ledger *l, const char *file, const char *what, const char *line, const char *reason);
void ledger_judged(struct ledger *l, const char *file);
/* Tells the entries of judged files that nothing met, and counts them. */
unsigned ledger_stale(const struct ledger *l);
/* Those that were met, or whose files were not judged; in the order of their keys. */
void ledger_write(struct ledger *l, const char *path);

#endif
