/*
 * ledger.h -- the mutants that may survive, and why: test/truth/mutants.txt.
 *
 *    llama.spec: delete: lin head.bias - output.bias V opt
 *        the reason, indented; consecutive entries may share one
 *
 * `FILE: all: its lines` covers a file that no case uses. An entry identifies a line by its text, not its
 * number, so that it survives changes elsewhere in the file. Lines that begin with # are comments.
 */
#ifndef NUMEL_TEST_LEDGER_H
#define NUMEL_TEST_LEDGER_H

#include "base/memory.h"

struct ledger_entry {
    const char *key;    /* "llama.spec: delete: lin ..." */
    const char *reason; /* NULL until read */
    bool met;
};

struct ledger {
    struct arena arena;
    const char *comment; /* comments at the top of the file */
    struct ledger_entry *items;
    size_t count, cap;
    const char **judged; /* files that were mutated */
    size_t judged_count, judged_cap;
};

/* An empty ledger if path is NULL. Exits on an entry without a reason. */
void ledger_load(struct ledger *l, const char *path);
void ledger_free(struct ledger *l);
/* True if the entry exists. With a `reason`, adds a missing entry. */
bool ledger_meet(struct ledger *l, const char *file, const char *what, const char *line, const char *reason);
void ledger_judged(struct ledger *l, const char *file);
/* Reports and counts unused entries of judged files. */
unsigned ledger_stale(const struct ledger *l);
/* Writes entries that were used or whose files were not judged, sorted by key. */
void ledger_write(struct ledger *l, const char *path);

#endif
