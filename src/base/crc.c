/*
 * crc.c -- eight bytes a step: table k has the CRC of a byte that k zero bytes follow.
 */
#include "base/crc.h"

#include "base/num.h"

void crc_prepare(struct crc_table *t)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
        t->of[0][i] = c;
    }
    for (int k = 1; k < 8; k++)
        for (uint32_t i = 0; i < 256; i++)
            t->of[k][i] = t->of[k - 1][i] >> 8 ^ t->of[0][t->of[k - 1][i] & 0xFF];
}

uint32_t crc_add(const struct crc_table *t, uint32_t crc, const uint8_t *p, size_t n)
{
    uint32_t c = ~crc;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t v = num_load64(p, false) ^ c;
        c = 0;
        for (unsigned k = 0; k < 8; k++) c ^= t->of[7 - k][v >> (8 * k) & 0xFF];
    }
    for (; n; p++, n--) c = c >> 8 ^ t->of[0][(c ^ *p) & 0xFF];
    return ~c;
}
