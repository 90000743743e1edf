/*
 * dtype.h -- element types: one table for all formats.
 *
 * bytes of a tensor = rows * (row_bytes + row_elements / block_elements * block_bytes), where a row is the
 * innermost dimension. safetensors has no rows; its whole tensor counts as one.
 */
#ifndef NUMEL_REGISTRY_DTYPE_H
#define NUMEL_REGISTRY_DTYPE_H

#include "base/memory.h"

/* NULL if the format has no such type. */
const numel_dtype *dtype_safetensors(numel_str name);
const numel_dtype *dtype_gguf(uint32_t id);
const numel_dtype *dtype_pytorch(numel_str name);
/* "safetensors", "gguf", "pytorch"; as people write it. */
const char *format_name(numel_format);
const char *format_title(numel_format);
/* Finds a type by torch's name, "torch.bfloat16" or "bfloat16"; NULL if safetensors does not have it. */
const numel_dtype *dtype_torch(numel_str name);
/* Makes an unknown type of unknown size, in the arena. NULL: out of memory. */
const numel_dtype *dtype_unknown(struct arena *a, const char *name, numel_format, int32_t gguf_id);

/* The kind of values: fractional numbers (even in blocks), integers or bytes, booleans or complex numbers,
 * or unknown. */
enum dtype_kind { DTYPE_FLOAT, DTYPE_INTEGER, DTYPE_OTHER, DTYPE_UNKNOWN };
enum dtype_kind dtype_kind(const numel_dtype *d);

/* True for types that fractional numbers are cast to. Types of exponents only, or smaller than a byte, are
 * made only by quantizers. GGUF blocks contain a scale. */
bool dtype_is_number(const numel_dtype *d);

size_t dtype_count(void);
const numel_dtype *dtype_at(size_t i);

#endif
