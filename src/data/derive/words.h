/* words.h -- what is known of specs, blocks, layouts and templates before one is parsed. */
#ifndef NUMEL_DATA_WORDS_H
#define NUMEL_DATA_WORDS_H

#include "derive.h"

#include <stdbool.h>

/* A file that is no table: its text is put, and what must be known of it is kept. The text stays where it is. */
void words_read(const char *path, struct span text);
/* When all were read: names, fields, vocabulary into the text. */
void words_put(void);
/* The tables; `text_bytes` where the text ends. */
void words_write(uint32_t text_bytes);

#endif
