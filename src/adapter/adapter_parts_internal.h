/*
 * adapter_parts_internal.h -- the parts that the code refers to, for names (adapter_parts.c) and shapes
 * (adapter_forms.c).
 */
#ifndef NUMEL_ADAPTER_ADAPTER_PARTS_INTERNAL_H
#define NUMEL_ADAPTER_ADAPTER_PARTS_INTERNAL_H

#include "adapter/adapter_internal.h"
#include "formula/embedded.h"
#include "formula/method_parts.h"

#define PART_NUMBER(NAME, TEXT) PART_##NAME,
enum part { METHOD_PARTS(PART_NUMBER) };
#undef PART_NUMBER

#endif
