/*
 * hostile.h -- hostile texts, and what no output may contain.
 *
 * A name, key or value in a file can be any bytes of any length. These are samples of each kind: bytes
 * that end a C string, that a terminal acts on, that reorder or hide the text around them, that are not
 * UTF-8, that start a new line, that exceed any buffer. check_clean() has its own definition of what is
 * safe to show: a test that used the product's escaper could not notice an error in it.
 */
#ifndef NUMEL_TEST_HOSTILE_H
#define NUMEL_TEST_HOSTILE_H

#include "base/buffer.h"

enum { HOSTILE_TEXTS = 33 };
/* The i-th text, valid until the program ends. `what` describes it. */
numel_str hostile_text(unsigned i, const char **what);

/* A line that hostile texts try to inject into an output. */
#define HOSTILE_LINE "numel: fake: all is well"

/* Returns NULL, or the first forbidden thing in an output: a control character other than a line end, a
 * character that reorders or hides text, bytes that are not UTF-8, a forged line. */
const char *check_clean(const void *p, size_t n);

/* The bytes of a checkpoint file with the text wherever a file may have one: with `gguf`, its
 * architecture, keys, values, arrays and tensor names; else names and __metadata__. An adapter has
 * low-rank pairs. */
void hostile_gguf(struct buffer *out, numel_str text, bool adapter);
void hostile_safetensors(struct buffer *out, numel_str text, bool adapter);

#endif
