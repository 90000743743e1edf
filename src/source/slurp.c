/* slurp.c -- reading a small file to its end, in blocks; slurp.h has the contract. */
#include "source/slurp.h"

#include "source/descriptor.h"

#include <unistd.h>

NUMEL_MUST static bool read_all(struct buffer *out, int fd, bool pipe, size_t most, numel_error *e)
{
    char block[16384];
    size_t total = 0;
    for (;;) {
        ssize_t n = descriptor_read(fd, block, sizeof block, e);
        if (n < 0) return false;
        if (n == 0 && pipe && total == 0) return descriptor_silent(e);
        if (n == 0) return !out->failed || error_nomem(e);
        total += (size_t)n;
        if (total > most)
            return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "larger than %llu bytes",
                             (unsigned long long)most);
        buffer_add(out, block, (size_t)n);
    }
}

bool slurp(struct buffer *out, const char *path, size_t most, numel_error *e)
{
    struct stat st;
    int fd = descriptor_open(path, true, &st, e);
    bool ok = fd >= 0 && read_all(out, fd, S_ISFIFO(st.st_mode), most, e);
    if (fd >= 0) close(fd);
    error_file(e, path);
    return ok;
}

json_value *slurp_json(const char *path, size_t most, const numel_allocator *m, numel_error *e)
{
    struct buffer text;
    buffer_init(&text, m);
    json_value *doc = slurp(&text, path, most, e) ? json_doc_parse(text.p, text.n, e) : NULL;
    buffer_done(&text);
    return doc;
}
