/*
 * fixture.h -- the files of fixtures/, assembled, with the verdicts stated in their names.
 * fixtures/README.md defines the names.
 */
#ifndef NUMEL_TEST_FIXTURE_H
#define NUMEL_TEST_FIXTURE_H

#include "hexasm.h"

#include <numel.h>

struct fixture {
    char path[512];   /* fixtures/bad/gguf/RANGE@4--what.hex */
    char kind[8];     /* "good", "odd", "bad" */
    char format[16];  /* "safetensors", "gguf", "other" */
    char verdict[64]; /* "RANGE", "offset-hole"; "" for good */
    bool refused;     /* true if the verdict is an error rather than a finding */
    uint64_t offset;  /* NUMEL_NOWHERE if not stated */
    struct hex bytes;
};

struct fixtures {
    struct fixture *items;
    size_t count, cap;
    unsigned unknown; /* files and folders with invalid names; reported on stderr */
};

/* All fixtures of `kind` under `root`, of every kind if NULL, sorted by path. */
void fixtures_load(struct fixtures *all, const char *root, const char *kind);
void fixtures_free(struct fixtures *all);

/* The fixtures folder: $NUMEL_FIXTURES or "fixtures". */
const char *fixtures_root(void);

#endif
