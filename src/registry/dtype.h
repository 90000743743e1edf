/*
 * dtype.h -- element types: one table for both formats.
 *
 * bytes of a tensor = rows * (row_bytes + row_elements / block_elements * block_bytes), where a
 * row is the innermost dimension. safetensors knows no rows: there the whole tensor is one.
 */
#ifndef NUMEL_REGISTRY_DTYPE_H
#define NUMEL_REGISTRY_DTYPE_H

#include "base/memory.h"

/* NULL when the format has no such type. */
const numel_dtype *dtype_safetensors(numel_str name);
const numel_dtype *dtype_gguf(uint32_t id);
/* As torch calls it, "torch.bfloat16" or "bfloat16"; NULL: it is none of safetensors. */
const numel_dtype *dtype_torch(numel_str name);
/* A type nobody knows, in the arena; its size is unknown. NULL when out of memory. */
const numel_dtype *dtype_unknown(struct arena *a, const char *name, numel_format, int32_t gguf_id);

/* What its values are: numbers with a fraction (blocks that stand for them too), whole numbers or
 * bytes, truth values or complex numbers, or nobody knows. */
enum dtype_kind { DTYPE_FLOAT, DTYPE_INTEGER, DTYPE_OTHER, DTYPE_UNKNOWN };
enum dtype_kind dtype_kind(const numel_dtype *d);

/* A type that numbers with a fraction are cast to: neither exponents alone nor less than a byte, which are what quantizers make.
 * GGUF's blocks have a scale inside. */
bool dtype_is_number(const numel_dtype *d);

size_t dtype_count(void);
const numel_dtype *dtype_at(size_t i);

#endif
