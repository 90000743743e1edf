/*
 * digest.h -- a tensor's name as 30 bits, numbers between dots left out: "model.layers.3.mlp.up_proj" as
 * "model.layers.#.mlp.up_proj". The build makes the index of known names with it (data/derive), skeleton.c asks it.
 */
#ifndef NUMEL_FORMULA_DIGEST_H
#define NUMEL_FORMULA_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SKELETON_NAMES = 400 }; /* of a class with more names, the lowest digests stand for all */

/* FNV-1a of 32 bits, folded to 30. */
static inline uint32_t name_digest(const char *p, size_t n)
{
    uint32_t h = 0x811C9DC5u;
    for (size_t i = 0; i < n;) {
        size_t end = i;
        bool starts = i == 0 || p[i - 1] == '.';
        while (starts && end < n && p[end] >= '0' && p[end] <= '9') end++;
        bool number = end > i && (end == n || p[end] == '.');
        h = (h ^ (unsigned char)(number ? '#' : p[i])) * 0x01000193u;
        i = number ? end : i + 1;
    }
    return (h ^ h >> 30) & 0x3FFFFFFFu;
}

#endif
