/*
 * splice.h -- mutators that know what people write: lines and the words in them, and JSON's values.
 *
 * Bytes that are changed anywhere hardly ever make another configuration or another specification. These take
 * lines out of real ones, keys that real ones are asked for, and the numbers at which counts break. Now and then
 * libFuzzer changes bytes all the same.
 */
#ifndef NUMEL_TEST_FUZZ_SPLICE_H
#define NUMEL_TEST_FUZZ_SPLICE_H

#include "../fuzz.h"

#include "base/text.h"

/* What is taken from real files. */
struct splice_pool {
    numel_str *items;
    size_t count, cap;
};

/* Lines of what is built in: specs and blocks, their print sections, layouts, forms. */
enum splice_kind { SPLICE_SPECS, SPLICE_PRINTS, SPLICE_LAYOUTS, SPLICE_FORMS };
void splice_built_in(struct splice_pool *p, enum splice_kind kind);
/* What stands there behind `before`, up to the next quote: the paths of cfg("..."). */
void splice_built_in_words(struct splice_pool *p, const char *before);
/* The words of its match lines. */
void splice_built_in_models(struct splice_pool *p);
void splice_keep(struct splice_pool *p, numel_str text);

/* Lines of the pool put between those of the text or in their place; words in them changed. */
size_t splice_lines(uint8_t *data, size_t size, size_t most, unsigned seed, const struct splice_pool *lines);
/* Values of JSON become others, numbers at borders, or texts of the pool; keys are added, "a.b" as an object in one. */
size_t splice_json(uint8_t *data, size_t size, size_t most, unsigned seed, const struct splice_pool *keys,
                   const struct splice_pool *texts);

#endif
