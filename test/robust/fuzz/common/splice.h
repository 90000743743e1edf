/*
 * splice.h -- mutators that know what people write: lines and words, and JSON values.
 *
 * Random byte changes hardly ever produce another configuration or specification. These use lines of real
 * ones, keys that real ones read, and numbers at which counts break. Occasionally libFuzzer changes bytes
 * instead.
 */
#ifndef NUMEL_TEST_FUZZ_SPLICE_H
#define NUMEL_TEST_FUZZ_SPLICE_H

#include "../fuzz.h"

#include "base/text.h"

/* Pools of text taken from real files. */
struct splice_pool {
    numel_str *items;
    size_t count, cap;
};

/* Lines of the embedded files: specs and blocks, their print sections, layouts, forms. */
enum splice_kind { SPLICE_SPECS, SPLICE_PRINTS, SPLICE_LAYOUTS, SPLICE_FORMS };
void splice_built_in(struct splice_pool *p, enum splice_kind kind);
/* The texts that follow `before`, up to the next quote: the paths of cfg("..."). */
void splice_built_in_words(struct splice_pool *p, const char *before);
/* The words of match lines. */
void splice_built_in_models(struct splice_pool *p);
void splice_keep(struct splice_pool *p, numel_str text);

/* Inserts lines of the pool, or replaces lines by them; changes words. */
size_t splice_lines(uint8_t *data, size_t size, size_t most, unsigned seed, const struct splice_pool *lines);
/* Replaces JSON values by others, by numbers at limits, or by texts of the pool; adds keys, "a.b" as a
 * nested object. */
size_t splice_json(uint8_t *data, size_t size, size_t most, unsigned seed, const struct splice_pool *keys,
                   const struct splice_pool *texts);

#endif
