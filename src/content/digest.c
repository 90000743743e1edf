/*
 * digest.c -- SHA-256 and SHA-1 of libcrypto, and digests as hexadecimal text. The only user of
 * <openssl/evp.h>.
 */
#include "content/digest.h"

#include "base/fixed.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

static size_t bytes_of(enum digest_kind kind)
{
    return kind == DIGEST_SHA256 ? 32 : kind == DIGEST_GIT ? 20 : 0;
}

const char *digest_name(enum digest_kind kind)
{
    return kind == DIGEST_SHA256 ? "sha256" : kind == DIGEST_GIT ? "git-sha1" : "";
}

NUMEL_MUST static bool refused(numel_error *e)
{
    return error_set(e, NUMEL_E_NOMEM, NUMEL_NOWHERE, "libcrypto cannot make a digest");
}

bool digest_begin(struct digest *d, enum digest_kind kind, uint64_t bytes, numel_error *e)
{
    const EVP_MD *how = kind == DIGEST_SHA256 ? EVP_sha256() : EVP_sha1();
    *d = (struct digest){ kind, EVP_MD_CTX_new() };
    if (!d->state || !EVP_DigestInit_ex(d->state, how, NULL)) {
        digest_drop(d);
        return refused(e);
    }
    if (kind != DIGEST_GIT) return true;
    char head[32];
    size_t n = text_format(head, sizeof head, "blob %" PRIu64, bytes);
    return digest_add(d, head, n + 1, e); /* with its NUL */
}

bool digest_add(struct digest *d, const void *p, size_t n, numel_error *e)
{
    return EVP_DigestUpdate(d->state, p, n) || refused(e);
}

bool digest_end(struct digest *d, struct digest_value *out, numel_error *e)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    *out = (struct digest_value){ .kind = d->kind };
    bool ok = EVP_DigestFinal_ex(d->state, bytes, NULL) || refused(e);
    for (size_t i = 0; ok && i < bytes_of(d->kind) && i < sizeof out->bytes; i++) out->bytes[i] = bytes[i];
    if (!ok) out->kind = DIGEST_NONE;
    digest_drop(d);
    return ok;
}

void digest_drop(struct digest *d)
{
    EVP_MD_CTX_free(d->state);
    d->state = NULL;
}

bool digest_equal(const struct digest_value *a, const struct digest_value *b)
{
    return a->kind == b->kind && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

char *digest_hex(char out[DIGEST_HEX], const struct digest_value *v)
{
    static const char digits[] = "0123456789abcdef";
    size_t n = bytes_of(v->kind);
    for (size_t i = 0; i < n && 2 * i + 2 < DIGEST_HEX; i++) {
        out[2 * i] = digits[v->bytes[i] >> 4];
        out[2 * i + 1] = digits[v->bytes[i] & 15];
    }
    out[2 * n] = '\0';
    return out;
}

static int nibble(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool digest_parse(struct digest_value *out, const char *p, size_t n)
{
    *out = (struct digest_value){ n == 64 ? DIGEST_SHA256 : n == 40 ? DIGEST_GIT : DIGEST_NONE, { 0 } };
    if (out->kind == DIGEST_NONE) return false;
    for (size_t i = 0; i < n; i++) {
        int v = nibble(p[i]);
        if (v < 0) return false;
        out->bytes[i / 2] = (uint8_t)(out->bytes[i / 2] << 4 | v);
    }
    return true;
}
