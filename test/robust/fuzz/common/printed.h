/* printed.h -- invariants of text read as printouts and tables. */
#ifndef NUMEL_TEST_FUZZ_PRINTED_H
#define NUMEL_TEST_FUZZ_PRINTED_H

#include "printout/printout.h"

/* Reads the text with bounded memory and checks: subtrees nest, names point into the text, sums are those
 * of the modules and rows, lines are lines of the text, and the quick check of its beginning agrees. */
void fuzz_printed(const uint8_t *data, size_t size);
/* One printed model of the text. */
void fuzz_print(const struct printout *p, const struct printed *x);

#endif
