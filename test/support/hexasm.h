/*
 * hexasm.h -- assembles annotated hex into bytes, so that a fixture can be read and reviewed.
 *
 *    47 47 55 46             # raw bytes; a comment runs to the end of its line
 *    00*24                   # a byte, 24 times
 *    u8 u16 u32 u64 i8 i16 i32 i64 N    integers, little-endian; N is decimal or 0x..
 *    f32 f64 X               IEEE floats
 *    big, little             byte order from here on
 *    str "text"              u64 length and bytes (GGUF); str32 has a u32 length (GGUF v1)
 *    text "..."              bytes without a length; escapes: \" \\ \n \t \r \0 \xhh
 *    align N [byte]          pads with a byte to a multiple of N, counted from the start
 *    fill N byte             N times that byte (two hex digits)
 *    header [N] ... end      a safetensors header; its u64 length is computed, or is N if given
 *    json REST OF LINE       those bytes; outside header...end, lines of json are a header
 *    here                    the next byte is the one at fault: the OFFSET in the file's name
 *    at N                    checks that the current offset is N
 *
 * Several items may share a line, but json takes the rest of it.
 */
#ifndef NUMEL_TEST_HEXASM_H
#define NUMEL_TEST_HEXASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEX_NO_HERE UINT64_MAX

struct hex {
    unsigned char *p;
    size_t n, cap;
    uint64_t here;   /* HEX_NO_HERE if the text has no `here` */
    unsigned line;   /* line of the failure, from 1 */
    char error[160]; /* "" on success */
};

/* Both fill *out, also on failure; release it with hex_free(). */
bool hex_assemble(struct hex *out, const char *text, size_t n);
bool hex_load(struct hex *out, const char *path);
void hex_free(struct hex *out);

/* The whole file, NUL-terminated; NULL if it cannot be read. */
char *hex_slurp(const char *path, size_t *n);

#endif
