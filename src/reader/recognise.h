/*
 * recognise.h -- what a file is when it is not a checkpoint, and what to do about it.
 *
 * Most files that fail to load are something else under a checkpoint's name: a Git LFS pointer, a
 * web page, a pickle. Each kind is a row: how it begins, what it is called, what helps.
 */
#ifndef NUMEL_READER_RECOGNISE_H
#define NUMEL_READER_RECOGNISE_H

#include "registry/finding.h"

struct recognised {
    enum finding_rule rule; /* what verify calls it */
    uint64_t promised;      /* bytes that a Git LFS pointer stands for; else 0 */
};

/* A sentence without subject ("is a Git LFS pointer to 9,976,576,152 bytes, not the file itself:
 * ..."), into text[size]; false when the bytes are nothing known. `n` may be a prefix of `total`. */
bool recognise(const uint8_t *p, uint64_t n, uint64_t total, char *text, size_t size, struct recognised *as);
/* What the magic at its front says it is ("a PNG image"), and of which kind (identify.h); NULL: it has none. */
const char *recognise_magic(const uint8_t *p, uint64_t n, const char **kind);
/* .incomplete, .part, .crdownload, ...: the suffix, or NULL. */
const char *recognise_unfinished(const char *path);
/* These endings, from 0 on; NULL behind the last. */
const char *recognise_unfinished_end(size_t i);

#endif
