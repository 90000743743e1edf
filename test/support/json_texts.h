/*
 * json_texts.h -- JSON texts generated from a grammar, some with up to three small errors.
 *
 * The same number gives the same text on every machine. The texts cover the whole grammar: escapes,
 * surrogate pairs, numbers of every form and size, white space, nesting (sometimes 126 to 130 levels).
 */
#ifndef NUMEL_TEST_JSON_TEXTS_H
#define NUMEL_TEST_JSON_TEXTS_H

#include "base/buffer.h"

/* Appends text `number`. */
void json_text_make(struct buffer *b, uint64_t number);

#endif
