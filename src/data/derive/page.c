/*
 * page.c -- the style and the script of a page (src/page/page*.css, page*.js) as C strings, each with the
 * SHA-256 by which the page's content security policy names it. page/files.h declares the output.
 */
#include "derive.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        if (!n || memchr(text, '\0', n)) fail(*paths, "is not a text");
        memcpy(room + all.n, text, n);
        all = (struct span){ room, all.n + n };
    }
    return all;
}

void page_files(char **paths, const char *end, const char *name)
{
    unsigned char sum[SHA256_DIGEST_LENGTH], base64[4 * ((sizeof sum + 2) / 3) + 1];
    struct span text = joined(paths, end);
    if (!text.n) return;
    SHA256((const unsigned char *)text.p, text.n, sum);
    EVP_EncodeBlock(base64, sum, sizeof sum);
    printf("const char page_%s[] =\n    ", name);
    write_text(text);
    printf(";\nconst char page_%s_sha256[] = \"%s\";\n", name, (const char *)base64);
}
