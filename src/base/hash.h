/*
 * hash.h -- a seeded 64-bit hash for tables of names.
 *
 * Names come from files. With a fixed hash, a file could make every table take quadratic time, so the seed is
 * the address of a heap object, which a file cannot know. Hash values never reach any output.
 */
#ifndef NUMEL_BASE_HASH_H
#define NUMEL_BASE_HASH_H

#include "base/num.h"

static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide r = (wide)a * b;
    return (uint64_t)r ^ (uint64_t)(r >> 64);
}

/* Hashes sixteen bytes per multiplication. Some of the last bytes may be hashed twice, which is harmless
 * because the length is included. */
static inline uint64_t hash_bytes(const void *p, size_t n, uint64_t seed)
{
    const unsigned char *at = p;
    uint64_t h = seed ^ 0x9E3779B97F4A7C15u, odd = 0xD6E8FEB86659FD93u ^ seed, a = 0, b = 0;
    for (size_t left = n; left > 16; left -= 16, at += 16)
        h = hash_fold(h ^ num_word(at), odd ^ num_word(at + 8));
    at = (const unsigned char *)p + n;
    if (n >= 16) {
        a = num_word(at - 16);
        b = num_word(at - 8);
    } else if (n >= 8) {
        a = num_word(p);
        b = num_word(at - 8);
    } else if (n) {
        a = num_bytes(p, n);
    }
    h = hash_fold(h ^ a, odd ^ b ^ 0xA0761D6478BD642Fu);
    return hash_fold(h ^ n, 0xE7037ED1A0B428DBu ^ seed);
}

/* For numbers that this program made, starting with HASH_BEGIN: FNV-1a over whole words, equal in every
 * run. Not for tables of values that a file can choose. */
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)
static inline uint64_t hash_number(uint64_t hash, uint64_t v) { return (hash ^ v) * UINT64_C(0x100000001b3); }

static inline uint64_t hash_seed(const void *heap_object)
{
    return hash_fold((uint64_t)(uintptr_t)heap_object, 0x8EBC6AF09C88C6E3u);
}

#endif
