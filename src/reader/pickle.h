/*
 * pickle.h -- the imports of a Python pickle, from its opcodes. Nothing is run.
 *
 * A pickle is a program for a small stack machine: it names functions of any module and calls them. The
 * names are in plain text, protocols 0 to 5:
 *
 *     c os\nsystem\n               GLOBAL, and INST
 *     'os' 'system' STACK_GLOBAL   from protocol 4 on; either string may come out of the memo
 */
#ifndef NUMEL_READER_PICKLE_H
#define NUMEL_READER_PICKLE_H

#include "base/memory.h"

enum pickle_end {
    PICKLE_STOP,  /* ends properly */
    PICKLE_CUT,   /* the bytes end before the pickle does */
    PICKLE_BROKEN /* unknown opcode or protocol */
};

/* A name that the pickle imports; `hidden`: it is assembled so that it cannot be read. */
typedef void pickle_import_fn(void *ctx, numel_str module, numel_str name, bool hidden);

/* Scans one pickle at p; *used is the number of bytes read, including STOP. `memo` is scratch
 * memory, PICKLE_MEMO bytes, aligned. Time is linear. */
enum { PICKLE_MEMO = 2048 * 24 };
enum pickle_end pickle_scan(const uint8_t *p, uint64_t n, uint64_t *used, void *memo,
                            pickle_import_fn *import, void *ctx);

/* Does a pickle begin here: protocol 2 or later, then a known opcode? */
bool pickle_begins(const uint8_t *p, uint64_t n);

/* Judges a name. Known: used by checkpoints (torch, numpy, collections). Dangerous: runs code or
 * programs, or reaches files and the network. Other: unknown. */
enum pickle_import { PICKLE_KNOWN, PICKLE_OTHER, PICKLE_DANGEROUS };
enum pickle_import pickle_judge(numel_str module, numel_str name);

#endif
