/*
 * replay.c -- a main for a fuzz target without a fuzzer: runs it on files, so that the fixtures and past
 * crashes are an ordinary test with any compiler. A .hex file is assembled first; every prefix of an input
 * is tried too, up to a limit.
 */
#include "../../support/hexasm.h"
#include "fuzz.h"

#include <string.h>

enum { PREFIXES = 64 };

/* Only a fuzzer mutates inputs. */
size_t LLVMFuzzerMutate(uint8_t *p, size_t n, size_t most)
{
    (void)p, (void)most;
    return n;
}

/* A copy of exactly that size, so that AddressSanitizer detects a read past its end. */
static void run(const unsigned char *p, size_t n)
{
    unsigned char *copy = malloc(n ? n : 1);
    if (!copy) abort();
    if (n) memcpy(copy, p, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(argv[i]), n = 0;
        bool assemble = length > 4 && strcmp(argv[i] + length - 4, ".hex") == 0;
        struct hex h = { 0 };
        char *text = assemble ? NULL : hex_slurp(argv[i], &n);
        if (assemble ? !hex_load(&h, argv[i]) : !text)
            return fprintf(stderr, "%s: %s\n", argv[i], assemble ? h.error : "cannot be read"), 1;
        const unsigned char *p = assemble ? h.p : (const unsigned char *)text;
        if (assemble) n = h.n;
        for (size_t k = 0; k < n; k += n / PREFIXES + 1) run(p, k);
        run(p, n);
        hex_free(&h);
        free(text);
    }
    printf("replay: %d files\n", argc - 1);
    return argc > 1 ? 0 : 2;
}
