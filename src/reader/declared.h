/*
 * declared.h -- totals that somebody wrote down beside the tensors.
 *
 * total_size and total_parameters stand in the metadata of a shard index, total_parameters also in the
 * __metadata__ of a header. They should be integers; floats and texts are found, and readers differ in
 * what they make of them.
 */
#ifndef NUMEL_READER_DECLARED_H
#define NUMEL_READER_DECLARED_H

#include "reader/checkpoint.h"

struct declared {
    bool there, readable; /* readable: an integer, however it is written */
    uint64_t value;
    numel_str odd; /* as it stands, when it is not a plain integer */
    bool is_text;  /* a string: the Hub reads the digits that it begins with, be they 0 */
};

struct declared declared_total_size(const numel_checkpoint *ck);
/* Of the index; without one, of the header. */
struct declared declared_total_parameters(const numel_checkpoint *ck);

/* A number as JavaScript takes it for an integer: "7615616512", 7615616512.0, 7.615616512e9. False
 * when it is none, or has a fraction. */
bool declared_number(numel_str s, uint64_t *v);
/* The integer that a text begins with, as parseInt() has it; false when it begins with none. */
bool declared_leading(numel_str s, uint64_t *v);

#endif
