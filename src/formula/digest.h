/*
 * digest.h -- a tensor's name as 30 bits, ignoring numbers between dots: "model.layers.3.mlp.up_proj" counts
 * as "model.layers.#.mlp.up_proj". The build uses it to make the index of known names (data/derive), and
 * skeleton.c to look names up.
 */
#ifndef NUMEL_FORMULA_DIGEST_H
#define NUMEL_FORMULA_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SKELETON_NAMES = 400 }; /* a class with more names is represented by the lowest digests */

/* 32-bit FNV-1a, folded to 30 bits. */
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
