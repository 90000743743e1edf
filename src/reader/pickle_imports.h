/*
 * pickle_imports.h -- the imports of a Python pickle.
 *
 * A pickle names functions of any module and calls them. The names are in plain text:
 *
 *     c os\nsystem\n               GLOBAL, and INST
 *     'os' 'system' STACK_GLOBAL   from protocol 4 on; either string may come out of the memo
 */
#ifndef NUMEL_READER_PICKLE_IMPORTS_H
#define NUMEL_READER_PICKLE_IMPORTS_H

#include "reader/pickle.h"

/* A name that the pickle imports; `hidden`: it is assembled so that it cannot be read. */
typedef void pickle_import_fn(void *ctx, numel_str module, numel_str name, bool hidden);

/* Scans one pickle at p; *used is the number of bytes read, including STOP. `memo` is scratch
 * memory, PICKLE_MEMO bytes, aligned. Time is linear. */
enum { PICKLE_MEMO = 2048 * 24 };
enum pickle_end pickle_scan(const uint8_t *p, uint64_t n, uint64_t *used, void *memo,
                            pickle_import_fn *import, void *ctx);

/* Judges a name. Known: used by checkpoints (torch, numpy, collections). Dangerous: runs code or
 * programs, or reaches files and the network. Other: unknown. */
enum pickle_import { PICKLE_KNOWN, PICKLE_OTHER, PICKLE_DANGEROUS };
enum pickle_import pickle_judge(numel_str module, numel_str name);

#endif
