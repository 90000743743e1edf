/*
 * dtype.h -- element types: one table for both formats.
 *
 * bytes of a tensor = rows * (row_bytes + row_elements / block_elements * block_bytes), where a row is the
 * innermost dimension. safetensors has no rows: there the whole tensor is one.
 */
#ifndef NUMEL_REGISTRY_DTYPE_H
#define NUMEL_REGISTRY_DTYPE_H

#include "base/memory.h"

/* NULL if the format has no such type. */
const numel_dtype *dtype_safetensors(numel_str name);
const numel_dtype *dtype_gguf(uint32_t id);
/* By torch's name, "torch.bfloat16" or "bfloat16"; NULL: not a type of safetensors. */
const numel_dtype *dtype_torch(numel_str name);
/* An unknown type, in the arena; its size is unknown. NULL: out of memory. */
const numel_dtype *dtype_unknown(struct arena *a, const char *name, numel_format, int32_t gguf_id);

/* The kind of its values: fractional numbers (also as blocks), whole numbers or bytes, truth values or
 * complex numbers, or unknown. */
enum dtype_kind { DTYPE_FLOAT, DTYPE_INTEGER, DTYPE_OTHER, DTYPE_UNKNOWN };
enum dtype_kind dtype_kind(const numel_dtype *d);

/* A type that fractional numbers are cast to: not only exponents and not less than a byte, which only
 * quantizers make. GGUF's blocks contain a scale. */
bool dtype_is_number(const numel_dtype *d);

size_t dtype_count(void);
const numel_dtype *dtype_at(size_t i);

#endif
