/*
 * prefixes.c -- writes prefixes.table as rows of C: what follows the first three words of a line are fields
 * of the row.
 */
#include "derive.h"

#include <stdio.h>
#include <string.h>

void prefixes_line(struct span line)
{
    struct span text = word_of(&line), kind = word_of(&line), name = word_of(&line), word;
    if (!text.n || *text.p == '#') return;
    if (name.n == 1 && *name.p == '-') name.n = 0;
    printf("    { .text = \"%.*s\", .bytes = %zu, .name = \"%.*s\", .kind = SINGLE_", (int)text.n, text.p,
           text.n, (int)name.n, name.p);
    for (size_t i = 0; i < kind.n; i++) putchar(kind.p[i] & ~32);
    while ((word = word_of(&line)).n) {
        const char *sign = memchr(word.p, '=', word.n), *value = sign ? sign + 1 : "true";
        size_t n = sign ? (size_t)(sign - word.p) : word.n, bytes = sign ? word.n - n - 1 : strlen(value);
        const char *quote = sign ? "\"" : "";
        printf(", .%.*s = %s%.*s%s", (int)n, word.p, quote, (int)bytes, value, quote);
    }
    puts(" },");
}
