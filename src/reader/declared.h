/*
 * declared.h -- totals stated next to the tensors.
 *
 * total_size and total_parameters are in the metadata of a shard index, total_parameters also in the
 * __metadata__ of a header. They should be integers; floats and texts occur, and readers differ in how
 * they read them.
 */
#ifndef NUMEL_READER_DECLARED_H
#define NUMEL_READER_DECLARED_H

#include "reader/checkpoint.h"

struct declared {
    bool there, readable; /* readable: an integer, in any notation */
    uint64_t value;
    numel_str odd; /* its text, if it is not a plain integer */
    bool is_text;  /* a string: the Hub reads its leading digits, even 0 */
};

struct declared declared_total_size(const numel_checkpoint *ck);
/* From the index; without one, from the header. */
struct declared declared_total_parameters(const numel_checkpoint *ck);

/* A number that JavaScript treats as an integer: "7615616512", 7615616512.0, 7.615616512e9.
 * False if it is not one, or has a fraction. */
bool declared_number(numel_str s, uint64_t *v);
/* The leading integer of a text, as in parseInt(); false if there is none. */
bool declared_leading(numel_str s, uint64_t *v);

#endif
