/*
 * fuzz_pytorch.c -- a PyTorch file, with the reader only. A zip is accepted only with a directory that fits, so half of the
 * inputs are read as a pickle, around which a zip with two storages is made.
 */
#include "common/opened.h"

#include "base/buffer.h"

static void put(struct buffer *b, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) buffer_char(b, (char)(i < 8 ? v >> (8 * i) : 0));
}

struct entry {
    const char *name;
    const void *data;
    size_t n;
    uint64_t at;
};

static void put_entry(struct buffer *b, const struct entry *x, bool directory)
{
    put(b, directory ? 0x02014b50 : 0x04034b50, 4);
    put(b, 0, directory ? 16 : 14);
    put(b, x->n, 4), put(b, x->n, 4);
    put(b, strlen(x->name), 2);
    put(b, 0, directory ? 12 : 2);
    if (directory) put(b, x->at, 4);
    buffer_add(b, x->name, strlen(x->name));
    if (!directory) buffer_add(b, x->data, x->n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char storage[24] = "";
    struct entry all[] = { { "a/data.pkl", data, size, 0 },
                           { "a/data/0", storage, 24, 0 },
                           { "a/data/1", storage, 8, 0 } };
    struct buffer b;
    fuzz_open(data, size);
    buffer_init(&b, &memory_malloc);
    for (size_t i = 0; i < 3; i++) all[i].at = b.n, put_entry(&b, &all[i], false);
    size_t at = b.n;
    for (size_t i = 0; i < 3; i++) put_entry(&b, &all[i], true);
    size_t n = b.n - at;
    put(&b, 0x06054b50, 4), put(&b, 0, 4), put(&b, 3, 2), put(&b, 3, 2), put(&b, n, 4), put(&b, at, 4),
        put(&b, 0, 2);
    if (!b.failed) fuzz_open((const uint8_t *)b.p, b.n);
    buffer_done(&b);
    return 0;
}
