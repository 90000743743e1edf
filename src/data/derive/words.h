/* words.h -- what the library needs from specs, blocks, layouts and templates before it parses one. */
#ifndef NUMEL_DATA_WORDS_H
#define NUMEL_DATA_WORDS_H

#include "derive.h"

#include <stdbool.h>

/* Reads a file that is not a table: puts its text and records what is needed. The text must stay in place. */
void words_read(const char *path, struct span text);
/* Call after all files are read: puts names, fields and vocabulary. */
void words_put(void);
/* Writes the tables; `text_bytes` is the length of the text. */
void words_write(uint32_t text_bytes);

#endif
