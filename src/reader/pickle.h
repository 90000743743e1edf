/*
 * pickle.h -- the opcodes of a Python pickle, protocols 0 to 5. Nothing is run.
 *
 * A pickle is a program for a small stack machine. This reader takes it apart, one instruction at a time;
 * pickle_imports.h lists what it would import, pickle_machine.h builds the values that need no code.
 */
#ifndef NUMEL_READER_PICKLE_H
#define NUMEL_READER_PICKLE_H

#include "base/memory.h"

enum pickle_end {
    PICKLE_STOP,  /* ends properly */
    PICKLE_CUT,   /* the bytes end before the pickle does */
    PICKLE_BROKEN /* unknown opcode or protocol */
};

/* An instruction. */
struct pickle_op {
    uint8_t code;
    bool text;           /* it pushes a string */
    numel_str arg, arg2; /* its argument, or its two lines */
    uint64_t number;     /* the argument as an unsigned number, if it is one */
};

struct pickle_code {
    const uint8_t *p;
    uint64_t n, at;
};

/* Reads the next instruction. False at the end of the bytes (*end is CUT), or if it is unknown (BROKEN). */
bool pickle_next(struct pickle_code *c, struct pickle_op *op, enum pickle_end *end);
/* The text that an instruction pushes: 'os' in protocol 0 has its quotes. */
numel_str pickle_string(const struct pickle_op *op);

/* Does a pickle begin here: protocol 2 or later, then a known opcode? */
bool pickle_begins(const uint8_t *p, uint64_t n);

#endif
