/*
 * digest.c -- libcrypto's SHA-256 and SHA-1, and digests as hexadecimal text. The only user of
 * <openssl/evp.h>.
 *
 * Most commands make no digest, and linking libcrypto takes longer than they do: it is loaded when the first
 * digest is begun, and stays. A build with LINK_CRYPTO=1 links it instead. A static program links the two hash
 * functions alone: EVP would bring providers, 4 MB that call dlopen().
 */
#ifdef NUMEL_STATIC_CRYPTO
#define OPENSSL_API_COMPAT 0x10100000L /* SHA256_Init() and its kin are deprecated in 3 */
#endif

#include "content/digest.h"

#include "base/fixed.h"
#include "base/number.h"
#include "base/text.h"

#include <openssl/evp.h>
#include <string.h>

#ifdef NUMEL_STATIC_CRYPTO
#include <openssl/sha.h>
#include <stdlib.h>
#elif !defined NUMEL_LINK_CRYPTO
#include <dlfcn.h>
#include <pthread.h>
#endif

/* ---- libcrypto ---------------------------------------------------------------------------- */

/* The functions used, the same in 1.1 and in 3. */
struct libcrypto {
    EVP_MD_CTX *(*make)(void);
    void (*drop)(EVP_MD_CTX *);
    int (*begin)(EVP_MD_CTX *, const EVP_MD *, ENGINE *);
    int (*add)(EVP_MD_CTX *, const void *, size_t);
    int (*end)(EVP_MD_CTX *, unsigned char *, unsigned *);
    const EVP_MD *(*sha256)(void);
    const EVP_MD *(*sha1)(void);
};

#if defined NUMEL_STATIC_CRYPTO

/* Used as an EVP_MD_CTX. */
struct hash {
    bool is_sha1;
    union {
        SHA256_CTX sha256;
        SHA_CTX sha1;
    } of;
};

/* Their addresses are used as EVP_MDs. */
static const char sha1_mark, sha256_mark;

static const EVP_MD *sha256_kind(void) { return (const void *)&sha256_mark; }
static const EVP_MD *sha1_kind(void) { return (const void *)&sha1_mark; }

static EVP_MD_CTX *hash_make(void)
{
    struct hash *h = calloc(1, sizeof *h);
    return (void *)h;
}

static void hash_drop(EVP_MD_CTX *context) { free(context); }

NUMEL_MUST static int hash_begin(EVP_MD_CTX *context, const EVP_MD *kind, ENGINE *none)
{
    struct hash *h = (void *)context;
    (void)none;
    h->is_sha1 = kind == sha1_kind();
    return h->is_sha1 ? SHA1_Init(&h->of.sha1) : SHA256_Init(&h->of.sha256);
}

NUMEL_MUST static int hash_add(EVP_MD_CTX *context, const void *p, size_t n)
{
    struct hash *h = (void *)context;
    return h->is_sha1 ? SHA1_Update(&h->of.sha1, p, n) : SHA256_Update(&h->of.sha256, p, n);
}

NUMEL_MUST static int hash_end(EVP_MD_CTX *context, unsigned char *out, unsigned *none)
{
    struct hash *h = (void *)context;
    (void)none;
    return h->is_sha1 ? SHA1_Final(out, &h->of.sha1) : SHA256_Final(out, &h->of.sha256);
}

static const struct libcrypto linked = { hash_make, hash_drop,   hash_begin, hash_add,
                                         hash_end,  sha256_kind, sha1_kind };

#elif defined NUMEL_LINK_CRYPTO

static const struct libcrypto linked = { EVP_MD_CTX_new,   EVP_MD_CTX_free,    EVP_DigestInit_ex,
                                         EVP_DigestUpdate, EVP_DigestFinal_ex, EVP_sha256,
                                         EVP_sha1 };

#endif

#ifdef NUMEL_LINK_CRYPTO

NUMEL_MUST static const struct libcrypto *libcrypto(numel_error *e)
{
    (void)e;
    return &linked;
}

#else

/* A library is loaded for the whole process, and never changed once complete. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct libcrypto loaded;
static bool is_loaded;

/* `function` points to a function pointer: C has no other way to convert what dlsym() returns. */
NUMEL_MUST static bool find_function(void *library, const char *name, void *function)
{
    void *is = dlsym(library, name);
    memcpy(function, &is, sizeof is);
    return is != NULL;
}

NUMEL_MUST static bool find_functions(void *library, struct libcrypto *x)
{
    return find_function(library, "EVP_MD_CTX_new", &x->make) &&
           find_function(library, "EVP_MD_CTX_free", &x->drop) &&
           find_function(library, "EVP_DigestInit_ex", &x->begin) &&
           find_function(library, "EVP_DigestUpdate", &x->add) &&
           find_function(library, "EVP_DigestFinal_ex", &x->end) &&
           find_function(library, "EVP_sha256", &x->sha256) && find_function(library, "EVP_sha1", &x->sha1);
}

/* Under the lock. A library lacking a function does not count. `why`: the loader's error for the first. */
NUMEL_MUST static bool load(char why[TEXT_QUOTE])
{
    static const char *const names[] = { "libcrypto.so.3", "libcrypto.so.1.1" };
    for (size_t i = 0; i < sizeof names / sizeof *names && !is_loaded; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        is_loaded = library && find_functions(library, &loaded);
        const char *said = is_loaded ? NULL : dlerror();
        if (i == 0) text_bare(why, text_of(said ? said : names[i]));
        if (library && !is_loaded) dlclose(library);
    }
    return is_loaded;
}

/* NULL if it cannot be loaded. The next call tries again: it may have been installed since. */
NUMEL_MUST static const struct libcrypto *libcrypto(numel_error *e)
{
    char why[TEXT_QUOTE];
    pthread_mutex_lock(&lock);
    bool ok = load(why);
    pthread_mutex_unlock(&lock);
    if (!ok)
        error_set(e, NUMEL_E_IO, NUMEL_NOWHERE,
                  "digests need OpenSSL's libcrypto, but neither libcrypto.so.3 nor libcrypto.so.1.1 can be "
                  "loaded (%s): install it (Debian: libssl3; Fedora: openssl-libs; Alpine: libcrypto3)",
                  why);
    return ok ? &loaded : NULL;
}

#endif

/* ---- digests ------------------------------------------------------------------------------ */

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
    return error_set(e, NUMEL_E_NOMEM, NUMEL_NOWHERE, "libcrypto cannot compute a digest");
}

bool digest_ready(numel_error *e) { return libcrypto(e) != NULL; }

bool digest_begin(struct digest *d, enum digest_kind kind, uint64_t bytes, numel_error *e)
{
    const struct libcrypto *x = libcrypto(e);
    *d = (struct digest){ .kind = kind, .by = x };
    if (!x) return false;
    d->state = x->make();
    if (!d->state || !x->begin(d->state, kind == DIGEST_SHA256 ? x->sha256() : x->sha1(), NULL)) {
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
    return d->by->add(d->state, p, n) || refused(e);
}

bool digest_end(struct digest *d, struct digest_value *out, numel_error *e)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    *out = (struct digest_value){ .kind = d->kind };
    bool ok = d->by->end(d->state, bytes, NULL) || refused(e);
    for (size_t i = 0; ok && i < bytes_of(d->kind) && i < sizeof out->bytes; i++) out->bytes[i] = bytes[i];
    if (!ok) out->kind = DIGEST_NONE;
    digest_drop(d);
    return ok;
}

void digest_drop(struct digest *d)
{
    if (d->state) d->by->drop(d->state);
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

bool digest_parse(struct digest_value *out, const char *p, size_t n)
{
    *out = (struct digest_value){ n == 64 ? DIGEST_SHA256 : n == 40 ? DIGEST_GIT : DIGEST_NONE, { 0 } };
    if (out->kind == DIGEST_NONE) return false;
    for (size_t i = 0; i < n; i++) {
        int v = number_hex(p[i]);
        if (v < 0) return false;
        out->bytes[i / 2] = (uint8_t)(out->bytes[i / 2] << 4 | v);
    }
    return true;
}
