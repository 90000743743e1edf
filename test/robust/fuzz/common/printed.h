/* printed.h -- what must hold of a text that was read for printouts and tables. */
#ifndef NUMEL_TEST_FUZZ_PRINTED_H
#define NUMEL_TEST_FUZZ_PRINTED_H

#include "printout/printout.h"

/* Read, in counted memory: subtrees nest, names lie in the text, sums are those of the modules and of the rows, lines
 * are lines of the text, and what is asked of its front alone (does it hold one?) is the same. */
void fuzz_printed(const uint8_t *data, size_t size);
/* One printed model of it. */
void fuzz_print(const struct printout *p, const struct printed *x);

#endif
