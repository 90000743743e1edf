/*
 * hex.c -- hex [-p] [FILE [OUT]]: assembles annotated hex (see test/support/hexasm.h) from FILE or
 * standard input to OUT or standard output. -p prints the offset marked by `here` instead, or `-`.
 */
#include "../hexasm.h"

#include <stdio.h>
#include <string.h>

static int write_all(const struct hex *h, const char *path)
{
    FILE *f = path ? fopen(path, "wb") : stdout;
    if (!f) return perror(path), 1;
    size_t wrote = h->n ? fwrite(h->p, 1, h->n, f) : 0;
    int closed = path ? fclose(f) : fflush(f);
    if (wrote != h->n || closed != 0) return perror(path ? path : "hex"), 1;
    return 0;
}

int main(int argc, char **argv)
{
    bool print = argc > 1 && strcmp(argv[1], "-p") == 0;
    const char **args = (const char **)argv + 1 + print;
    int n = argc - 1 - print, rc = 1;
    const char *path = n > 0 ? args[0] : "/dev/stdin";
    struct hex h;
    if (n > 2) return fputs("usage: hex [-p] [FILE [OUT]]\n", stderr), 2;
    if (!hex_load(&h, path)) fprintf(stderr, "%s:%u: %s\n", path, h.line, h.error);
    else if (!print) rc = write_all(&h, n > 1 ? args[1] : NULL);
    else rc = (h.here == HEX_NO_HERE ? puts("-") : printf("%llu\n", (unsigned long long)h.here)) < 0;
    hex_free(&h);
    return rc;
}
