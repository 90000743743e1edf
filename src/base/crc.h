/* crc.h -- CRC-32 as in zip archives: polynomial 0xEDB88320, reflected, inverted at both ends. */
#ifndef NUMEL_BASE_CRC_H
#define NUMEL_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

struct crc_table {
    uint32_t of[8][256];
};
void crc_prepare(struct crc_table *t);
/* Continues a CRC, which is 0 before the first byte. */
uint32_t crc_add(const struct crc_table *t, uint32_t crc, const uint8_t *p, size_t n);

#endif
