/*
 * mutators.h -- mutations that preserve the structure of an input, so that a fuzzer gets past the first
 * check.
 *
 * Each changes p[n], which has room for `most` bytes, and returns the new size; occasionally it leaves the
 * work to libFuzzer. All randomness comes from the dice: the same seed makes the same change.
 */
#ifndef NUMEL_TEST_FUZZ_MUTATORS_H
#define NUMEL_TEST_FUZZ_MUTATORS_H

#include "../fuzz.h"

struct dice {
    uint64_t state;
};
void dice_init(struct dice *d, unsigned seed);
size_t dice_roll(struct dice *d, size_t sides); /* below `sides`, which must not be 0 */

/* p[at, at+cut) is replaced by with[n_with), which may point into p. Returns the new size, n if there is
 * no room. */
size_t mutate_splice(uint8_t *p, size_t n, size_t most, size_t at, size_t cut, const uint8_t *with,
                     size_t n_with);

/* JSON: duplicates, removes and swaps items of objects and lists; replaces numbers and strings by others
 * of the text, numbers also by limits of their ranges. */
size_t mutate_json(uint8_t *p, size_t n, size_t most, struct dice *d);
/* Safetensors: mutates the header as JSON and corrects its length; or cuts or extends the data. */
size_t mutate_safetensors(uint8_t *p, size_t n, size_t most, struct dice *d);
/* GGUF: sets fields to limits of their ranges; duplicates and removes pairs and infos, and corrects the
 * counts; changes strings with their length. */
size_t mutate_gguf(uint8_t *p, size_t n, size_t most, struct dice *d);
/* Lines of text: duplicated, removed, swapped. */
size_t mutate_lines(uint8_t *p, size_t n, size_t most, struct dice *d);

#endif
