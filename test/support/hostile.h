/*
 * hostile.h -- texts that nobody means well with, and what no output may hold.
 *
 * A name, a key or a value in a file is any bytes of any length. Here are some of each kind: bytes that
 * end a C string, that a terminal acts on, that reorder or hide what stands beside them, that are no
 * UTF-8, that begin a line of their own, that are longer than any buffer. check_clean() knows by itself
 * what is safe to show: a test that asked the product's own escaper could not notice that it has it wrong.
 */
#ifndef NUMEL_TEST_HOSTILE_H
#define NUMEL_TEST_HOSTILE_H

#include "base/buffer.h"

enum { HOSTILE_TEXTS = 33 };
/* The i-th; lives until the program ends. `what` says what is wrong with it. */
numel_str hostile_text(unsigned i, const char **what);

/* A line that a hostile text tries to put into an output. */
#define HOSTILE_LINE "numel: fake: all is well"

/* NULL, or the first thing in an output that may not be there: a control character other than a line's
 * end, a character that reorders or hides, bytes that are no UTF-8, a forged line. */
const char *check_clean(const void *p, size_t n);

/* A checkpoint, as the bytes of its file, with the text wherever a file may have one: `gguf` its
 * architecture, in keys, values, arrays and tensor names; else names and __metadata__. An adapter has
 * pairs of low rank. */
void hostile_gguf(struct buffer *out, numel_str text, bool adapter);
void hostile_safetensors(struct buffer *out, numel_str text, bool adapter);

#endif
