/*
 * page.c -- the style and the script of a page (src/page/page*.css, page*.js) as texts of C, each with the SHA-256 that
 * the page's content security policy names it by. page/files.h declares what is written here.
 */
#include "derive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- SHA-256, FIPS 180-4 ---------------------------------------------------------------------- */

enum { BLOCK = 64, DIGEST = 32 };

static const uint32_t round_constants[BLOCK] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t turned(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static void add_block(uint32_t state[8], const uint8_t *p)
{
    uint32_t w[BLOCK], s[8];
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 |
               p[4 * i + 3];
    for (int i = 16; i < BLOCK; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] +
               (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    for (int i = 0; i < BLOCK; i++) {
        uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[i] + w[i];
        uint32_t two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

static void digest(struct span text, uint8_t out[DIGEST])
{
    uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    uint8_t last[2 * BLOCK] = { 0 };
    size_t whole = text.n / BLOCK * BLOCK, rest = text.n % BLOCK, end = rest < 56 ? BLOCK : 2 * BLOCK;
    for (size_t i = 0; i < whole; i += BLOCK) add_block(state, (const uint8_t *)text.p + i);
    memcpy(last, text.p + whole, rest);
    last[rest] = 0x80;
    for (unsigned i = 0; i < 8; i++) last[end - 1 - i] = (uint8_t)((uint64_t)text.n * 8 >> (8 * i));
    for (size_t i = 0; i < end; i += BLOCK) add_block(state, last + i);
    for (unsigned i = 0; i < DIGEST; i++) out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

/* ---- as C ------------------------------------------------------------------------------------- */

static void write_base64(const uint8_t in[DIGEST])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (unsigned i = 0; i < DIGEST; i += 3) {
        uint32_t v = (uint32_t)in[i] << 16 | (i + 1 < DIGEST ? (uint32_t)in[i + 1] << 8 : 0) |
                     (i + 2 < DIGEST ? in[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++) putchar(i + k > DIGEST ? '=' : letters[v >> (18 - 6 * k) & 63]);
    }
}

static void write_text(struct span text)
{
    putchar('"');
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\n') fputs("\\n\"\n    \"", stdout);
        else if (c == '"' || c == '\\') printf("\\%c", c);
        else putchar(c);
    }
    putchar('"');
}

static struct span joined(char **paths, const char *end)
{
    struct span all = { NULL, 0 };
    for (; *paths; paths++) {
        size_t n, length = strlen(*paths), tail = strlen(end);
        if (length < tail || strcmp(*paths + length - tail, end) != 0) continue;
        char *text = read_whole(*paths, &n), *room = realloc((char *)(uintptr_t)all.p, all.n + n + 1);
        if (!room) fail("memory", "there is not enough");
        if (!n || memchr(text, '\0', n)) fail(*paths, "is no text");
        memcpy(room + all.n, text, n);
        all = (struct span){ room, all.n + n };
    }
    return all;
}

void page_files(char **paths, const char *end, const char *name)
{
    uint8_t sum[DIGEST];
    struct span text = joined(paths, end);
    if (!text.n) return;
    digest(text, sum);
    printf("const char page_%s[] =\n    ", name);
    write_text(text);
    printf(";\nconst char page_%s_sha256[] = \"", name);
    write_base64(sum);
    puts("\";");
}
