/*
 * words.h -- shared by the targets for texts that people write: bounded memory, checks that errors and
 * reports may be shown, a library of specifications opened once, and invariants of the expected tensors.
 */
#ifndef NUMEL_TEST_FUZZ_WORDS_H
#define NUMEL_TEST_FUZZ_WORDS_H

#include "../../../support/check.h"
#include "../fuzz.h"

#include "formula/library.h"
#include "formula/terms.h"

/* Limit on individually expanded tensors: see docs/numel.5. */
enum { FUZZ_TENSORS = 200000 };
/* Limit for a fast target: some thousand tensors. The whole-file targets check the promised limit. */
enum { FUZZ_LITTLE = 2 << 20 };

/* Refuses memory beyond what is promised for that much input and that many tensors, so that hostile text
 * fails early instead of exhausting the machine. */
void fuzz_memory(struct check_memory *m, size_t input, uint64_t tensors);
void fuzz_memory_done(const struct check_memory *m);

/* Checks a failure: it has a message that may be shown, and an offset inside the text. */
void fuzz_error(bool ok, const numel_error *e, size_t size);
/* Checks and frees a report, or checks the error if there is none. Text and JSON may be shown, and the
 * JSON is valid. */
void fuzz_report(numel_rc rc, numel_report *r, const numel_error *e, size_t size);
/* Checks all complaints about a text: each has a sentence and a position in it. */
void fuzz_complaints(const struct complaints *all, const char *file, numel_str text);

/* The embedded files do not change, so their parsed form is kept. */
struct library *fuzz_library(void);
/* A user's file that does not exist on disk. */
struct library_entry fuzz_entry(const char *name, const char *file, const uint8_t *data, size_t size);
/* A one-layer configuration with every key that common specifications read. */
extern const char fuzz_config[];
struct config *fuzz_config_new(const char *json, const numel_allocator *m);

/* Checks that sites match their rows, and that the counts add up to the totals. */
void fuzz_expansion(const struct expansion *x);
/* Checks that each term times its count adds up to the total. */
void fuzz_terms(struct expansion *x);

#endif
