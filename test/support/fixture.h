/*
 * fixture.h -- the files of fixtures/, assembled, with the verdict that their names state.
 * fixtures/README.md has the grammar of the names.
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
    bool refused;     /* the verdict is an error, not a finding */
    uint64_t offset;  /* NUMEL_NOWHERE when none is stated */
    struct hex bytes;
};

struct fixtures {
    struct fixture *items;
    size_t count, cap;
    unsigned unknown; /* files and folders whose names nobody understands; told on stderr */
};

/* All fixtures of `kind` below `root`, or of every kind when NULL, in the order of their paths. */
void fixtures_load(struct fixtures *all, const char *root, const char *kind);
void fixtures_free(struct fixtures *all);

/* Where the fixtures are: $NUMEL_FIXTURES or "fixtures". */
const char *fixtures_root(void);

#endif
