/*
 * fuzz_fetch.c -- what numel-fetch writes: any bytes, line by line. An accepted answer has an id, sizes and a length
 * within the protocol's limits, and reads the same when it is written again; a listed path and a digest are what
 * they promise.
 */
#include "../../support/hostile.h"
#include "common/mutators.h"

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_answer(const char *line, size_t n)
{
    struct fetch_answer a, again;
    char own[FETCH_LINE], size[32] = "-";
    static const char *const kinds[] = { "absent",  "gated",   "denied",  "changed", "limited",
                                         "offline", "timeout", "refused", "broken" };
    if (!fetch_answer_read(&a, line, n)) return;
    FUZZ_ASSERT(a.length <= (a.ok ? (uint64_t)FETCH_READ_MAX : FETCH_SENTENCE), "a length above the limit");
    FUZZ_ASSERT(strlen(a.etag) <= FETCH_ETAG && !strpbrk(a.etag, " \n\t"), "an etag that is none");
    FUZZ_ASSERT(a.ok || (unsigned)a.kind < sizeof kinds / sizeof *kinds, "a kind that is none");
    if (a.size != NUMEL_NOT_KNOWN) snprintf(size, sizeof size, "%llu", (unsigned long long)a.size);
    int m = a.ok ? snprintf(own, sizeof own, "%lu %s %s %s %llu %llu", (unsigned long)a.id,
                            a.kept ? "kept" : "ok", size, a.etag[0] ? a.etag : "-",
                            (unsigned long long)a.came, (unsigned long long)a.length)
                 : snprintf(own, sizeof own, "%lu error %s %llu", (unsigned long)a.id, kinds[a.kind],
                            (unsigned long long)a.length);
    FUZZ_ASSERT(m > 0 && (size_t)m == n && memcmp(own, line, n) == 0, "another line than was read");
    FUZZ_ASSERT(fetch_answer_read(&again, own, (size_t)m), "our own line is not read");
}

static void check_listed(const char *line, size_t n)
{
    struct fetch_listed x;
    char *own = malloc(n + 1);
    FUZZ_ASSERT(own, "no memory");
    memcpy(own, line, n);
    own[n] = 0;
    if (fetch_listed_read(&x, own, n)) {
        FUZZ_ASSERT(!x.commit != !x.path, "neither a revision nor a file, or both");
        FUZZ_ASSERT(!x.path || x.path[0], "a file without a path");
        FUZZ_ASSERT(!x.path || x.path + strlen(x.path) <= own + n, "a path past its line");
        FUZZ_ASSERT(!x.sha256 || strspn(x.sha256, "0123456789abcdef") == 64, "a digest that is none");
        FUZZ_ASSERT(!x.etag || (x.etag[0] && !strpbrk(x.etag, " \n")), "an etag that is none");
        FUZZ_ASSERT(!x.commit || strlen(x.commit) <= 64, "a long commit");
    }
    free(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *p = (const char *)data, *end = p + size;
    while (p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((stop ? stop : end) - p);
        check_answer(p, n);
        check_listed(p, n);
        p += n + 1;
    }
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t most, unsigned seed)
{
    struct dice d;
    dice_init(&d, seed);
    return mutate_lines(p, n, most, &d);
}
