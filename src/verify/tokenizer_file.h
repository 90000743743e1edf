/*
 * tokenizer_file.h -- the number of a tokenizer's tokens, from its files.
 *
 *     tokenizer.json       { "model": { "vocab": { "TOKEN": ID, ... } | [["TOKEN", SCORE], ...] },
 *                            "added_tokens": [{ "id": ID, ... }, ...] }
 *     vocab.json, added_tokens.json      { "TOKEN": ID, ... }
 *
 * Streamed through the strict scanner: Gemma's is 33 MB. Ids may have gaps and repeat; a model needs a row
 * for the largest.
 */
#ifndef NUMEL_VERIFY_TOKENIZER_FILE_H
#define NUMEL_VERIFY_TOKENIZER_FILE_H

#include "base/memory.h"

struct tokenizer {
    const char *path; /* of the file with the ids; NULL: none */
    uint64_t rows;    /* the largest id, + 1 */
};

/* Searches `dir`. SYNTAX, UTF8, LIMIT, IO, NOMEM; e->file names the file. */
NUMEL_MUST bool tokenizer_read(struct tokenizer *t, const char *dir, struct arena *a, numel_error *e);

#endif
