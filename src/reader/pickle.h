/*
 * pickle.h -- what a Python pickle imports, read off its opcodes. Nothing of it is run.
 *
 * A pickle is a program for a small stack machine: it names functions of any module and calls them. Which it
 * names stands in it in plain text, protocols 0 to 5:
 *
 *     c os\nsystem\n               GLOBAL, and INST
 *     'os' 'system' STACK_GLOBAL   from protocol 4 on; either string may come out of the memo
 */
#ifndef NUMEL_READER_PICKLE_H
#define NUMEL_READER_PICKLE_H

#include "base/memory.h"

enum pickle_end {
    PICKLE_STOP,  /* it ends as it should */
    PICKLE_CUT,   /* the bytes end before it does */
    PICKLE_BROKEN /* no opcode, or no protocol, that there is */
};

/* A name that the pickle imports; `hidden`: it is put together so that nobody can read it off. */
typedef void pickle_import_fn(void *ctx, numel_str module, numel_str name, bool hidden);

/* One pickle at p; *used is how many bytes were looked at, with STOP. `memo` is memory for the scan,
 * PICKLE_MEMO bytes of it, aligned. Time is linear. */
enum { PICKLE_MEMO = 2048 * 24 };
enum pickle_end pickle_scan(const uint8_t *p, uint64_t n, uint64_t *used, void *memo,
                            pickle_import_fn *import, void *ctx);

/* Is this how a pickle begins: protocol 2 or later, and a known opcode behind it? */
bool pickle_begins(const uint8_t *p, uint64_t n);

/* What a name is good for. Known: what checkpoints are made of (torch, numpy, collections). Dangerous: it
 * runs code, programs, or reaches files and the network. Other: nothing is known of it. */
enum pickle_import { PICKLE_KNOWN, PICKLE_OTHER, PICKLE_DANGEROUS };
enum pickle_import pickle_judge(numel_str module, numel_str name);

#endif
