/*
 * digest.h -- SHA-256 and SHA-1 of bytes that arrive piece by piece. The only user of libcrypto.
 *
 * A digest is begun, fed, and ended; ending gives its value and frees it. Its memory is libcrypto's own, not
 * the caller's allocator's. SHA-1 is here because git names small files by it: it is never trusted where a
 * SHA-256 is available.
 */
#ifndef NUMEL_CONTENT_DIGEST_H
#define NUMEL_CONTENT_DIGEST_H

#include "base/error.h"
#include "base/num.h"

enum digest_kind {
    DIGEST_NONE, /* no value: not computed, or no data */
    DIGEST_SHA256,
    DIGEST_GIT /* SHA-1 over "blob N\0" and the N bytes: git's name for a file */
};

enum { DIGEST_BYTES = 32, DIGEST_HEX = 65 };

/* A value: 32 bytes of SHA-256, 20 of SHA-1, the rest zero. Plain; compare with digest_equal(). */
struct digest_value {
    enum digest_kind kind;
    uint8_t bytes[DIGEST_BYTES];
};

struct digest {
    enum digest_kind kind;
    void *state; /* NULL if none is begun */
    const struct libcrypto *by;
};

/* True if digests can be made. IO if libcrypto cannot be loaded. */
NUMEL_MUST bool digest_ready(numel_error *e);
/* `bytes`: the number that will follow, which git's digest begins with. NOMEM; IO as above. */
NUMEL_MUST bool digest_begin(struct digest *d, enum digest_kind kind, uint64_t bytes, numel_error *e);
NUMEL_MUST bool digest_add(struct digest *d, const void *p, size_t n, numel_error *e);
NUMEL_MUST bool digest_end(struct digest *d, struct digest_value *out, numel_error *e);
void digest_drop(struct digest *d); /* one that will not be ended; no effect if none is begun */

bool digest_equal(const struct digest_value *a, const struct digest_value *b);
/* Lower-case digits, "" for DIGEST_NONE. Returns out. */
char *digest_hex(char out[DIGEST_HEX], const struct digest_value *v);
/* 64 digits are a SHA-256, 40 a git name, in either case; other text is not a digest. */
bool digest_parse(struct digest_value *out, const char *p, size_t n);
const char *digest_name(enum digest_kind kind); /* "sha256", "git-sha1" */

#endif
