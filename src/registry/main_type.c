/* main_type.c -- finds types by linear search, since there are few. */
#include "registry/main_type.h"

const numel_dtype *dtype_of_most(const struct registry *r, struct buffer *all)
{
    enum { TYPES = 64 };
    const numel_dtype *types[TYPES];
    uint64_t sums[TYPES] = { 0 };
    size_t n = 0, best = 0;
    for (size_t i = 0; i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i];
        size_t k = 0;
        while (k < n && types[k] != t->dtype) k++;
        if (k == TYPES) continue;
        if (k == n) {
            types[n++] = t->dtype;
            if (all) buffer_format(all, "%s%s", n > 1 ? "+" : "", t->dtype->name);
        }
        sums[k] += t->elements; /* checked to fit when the checkpoint was opened */
    }
    for (size_t k = 1; k < n; k++)
        if (sums[k] > sums[best]) best = k;
    return n ? types[best] : NULL;
}
