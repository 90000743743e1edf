/* slurp.c -- reading a small file to its end, in blocks; slurp.h has the contract. */
#include "source/slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

NUMEL_MUST static bool read_all(struct buffer *out, int fd, size_t most, numel_error *e)
{
    char block[16384];
    size_t total = 0;
    for (;;) {
        ssize_t n = read(fd, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return error_errno(e, "cannot read", errno);
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
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 ? read_all(out, fd, most, e) : error_errno(e, "cannot open", errno);
    if (fd >= 0) close(fd);
    error_file(e, path);
    return ok;
}
