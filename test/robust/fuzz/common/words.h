/*
 * words.h -- what the targets for texts that people write share: memory that is bounded, errors and reports that may
 * be shown, a library of specifications that is opened once, and what must hold of what is expected.
 */
#ifndef NUMEL_TEST_FUZZ_WORDS_H
#define NUMEL_TEST_FUZZ_WORDS_H

#include "../../../support/check.h"
#include "../fuzz.h"

#include "formula/library.h"
#include "formula/terms.h"

/* Most expected tensors that are made one by one: docs/numel.5. */
enum { FUZZ_TENSORS = 200000 };
/* What a fast target gives an expansion: some thousand tensors. Whether the promise is kept is the whole ones' to say. */
enum { FUZZ_LITTLE = 2 << 20 };

/* What would be more than is promised for that much input and so many tensors is refused: a hostile text ends there,
 * soon, instead of in the machine's memory. */
void fuzz_memory(struct check_memory *m, size_t input, uint64_t tensors);
void fuzz_memory_done(const struct check_memory *m);

/* Of a failure: it has words, which may be shown, and an offset inside of the text. */
void fuzz_error(bool ok, const numel_error *e, size_t size);
/* The report that was made, which is freed, or why there is none. Text and JSON may be shown; JSON is JSON. */
void fuzz_report(numel_rc rc, numel_report *r, const numel_error *e, size_t size);
/* All complaints about a text: a sentence and a place in it each. */
void fuzz_complaints(const struct complaints *all, const char *file, numel_str text);

/* What is built in does not change, and what is parsed of it is kept. */
struct library *fuzz_library(void);
/* A file of the user's that nobody has written. */
struct library_entry fuzz_entry(const char *name, const char *file, const uint8_t *data, size_t size);
/* A configuration of one layer with all that the usual specifications ask for. */
extern const char fuzz_config[];
struct config *fuzz_config_new(const char *json, const numel_allocator *m);

/* Sites are their rows, and what is counted comes to the totals. */
void fuzz_expansion(const struct expansion *x);
/* Each term times its number, all together the total. */
void fuzz_terms(struct expansion *x);

#endif
