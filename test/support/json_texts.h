/*
 * json_texts.h -- texts that are JSON, or nearly: from a grammar, and with up to three small things wrong.
 *
 * The text of a number is the same everywhere. Where it is JSON it holds all that the grammar has: escapes, pairs
 * of surrogates, numbers of every form and size, white space, nesting (now and then to 126 to 130 levels).
 */
#ifndef NUMEL_TEST_JSON_TEXTS_H
#define NUMEL_TEST_JSON_TEXTS_H

#include "base/buffer.h"

/* Appends the text of that number. */
void json_text_make(struct buffer *b, uint64_t number);

#endif
