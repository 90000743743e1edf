/* values.h -- what numel verify --values counted, tensor by tensor. */
#ifndef NUMEL_VERIFY_VALUES_H
#define NUMEL_VERIFY_VALUES_H

#include "content/values.h"
#include "verify/verify.h"

struct value_report {
    const struct verify *v;
    struct values values;
    uint64_t tensors, elements, bytes; /* scanned */
    struct scan_counts sum;
    const char *text;
};

#endif
