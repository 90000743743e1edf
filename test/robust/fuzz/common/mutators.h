/*
 * mutators.h -- changes that keep the structure of an input, so that a fuzzer comes past the first check.
 *
 * Each changes p[n], which has room for `most` bytes, and returns the new size; each now and then leaves the
 * structure alone and lets libFuzzer do as it likes. Random numbers come from the dice alone: the same seed
 * makes the same change.
 */
#ifndef NUMEL_TEST_FUZZ_MUTATORS_H
#define NUMEL_TEST_FUZZ_MUTATORS_H

#include "../fuzz.h"

struct dice {
    uint64_t state;
};
void dice_init(struct dice *d, unsigned seed);
size_t dice_roll(struct dice *d, size_t sides); /* below `sides`, which is not 0 */

/* p[at, at+cut) becomes with[n_with), which may lie in p; n as it was when there is no room. */
size_t mutate_splice(uint8_t *p, size_t n, size_t most, size_t at, size_t cut, const uint8_t *with,
                     size_t n_with);

/* JSON: items of objects and lists are doubled, taken out, put in each other's places; numbers and strings
 * become those of other places, numbers also ends of ranges. */
size_t mutate_json(uint8_t *p, size_t n, size_t most, struct dice *d);
/* Safetensors: the header as JSON, with its length put right; or the data cut and grown. */
size_t mutate_safetensors(uint8_t *p, size_t n, size_t most, struct dice *d);
/* GGUF: fields become ends of ranges; pairs and infos are doubled and taken out, with the counts put right;
 * strings change, with their length. */
size_t mutate_gguf(uint8_t *p, size_t n, size_t most, struct dice *d);
/* Lines of text: doubled, taken out, exchanged. */
size_t mutate_lines(uint8_t *p, size_t n, size_t most, struct dice *d);

#endif
