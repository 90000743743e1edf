/*
 * recognise.h -- recognises files that are not checkpoints, and suggests what to do.
 *
 * Most files that fail to load are something else under a checkpoint's name: a Git LFS pointer, a
 * web page, a pickle. Each kind is a row: its first bytes, its name, and the remedy.
 */
#ifndef NUMEL_READER_RECOGNISE_H
#define NUMEL_READER_RECOGNISE_H

#include "registry/finding.h"

struct recognised {
    enum finding_rule rule; /* verify's rule for it */
    uint64_t promised;      /* bytes promised by a Git LFS pointer; else 0 */
};

/* A sentence without subject ("is a Git LFS pointer to 9,976,576,152 bytes, not the file itself:
 * ...") in text[size]; false if the bytes are not recognised. `n` may be a prefix of `total`. */
bool recognise(const uint8_t *p, uint64_t n, uint64_t total, char *text, size_t size, struct recognised *as);
/* The name of the magic at the start ("a PNG image"), and its kind (identify.h); NULL if there is none. */
const char *recognise_magic(const uint8_t *p, uint64_t n, const char **kind);
/* .incomplete, .part, .crdownload, ...: the suffix, or NULL. */
const char *recognise_unfinished(const char *path);
/* These suffixes, from 0 on; NULL after the last. */
const char *recognise_unfinished_end(size_t i);

#endif
