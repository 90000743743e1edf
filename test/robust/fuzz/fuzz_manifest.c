/*
 * fuzz_manifest.c -- lists of digests and Git LFS pointers: an accepted list can be written as our own
 * list and reads the same from it; no stored name contains a byte that may not be shown.
 */
#include "../../support/check.h"
#include "../../support/hostile.h"
#include "common/mutators.h"

#include "content/manifest.h"

#include <string.h>

static const numel_str list = { "model.safetensors.sha256", 24 };

static bool same(numel_str a, numel_str b) { return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0); }

/* As in manifest_put_*(); the names are already escaped, and must not be escaped again. */
static void put_line(struct buffer *b, const struct manifest_line *l)
{
    char hex[DIGEST_HEX];
    digest_hex(hex, &l->value);
    if (l->kind == MANIFEST_FILE && l->sized)
        buffer_format(b, "# bytes %llu  %s\n", (unsigned long long)l->bytes, l->file.p);
    if (l->kind == MANIFEST_FILE) buffer_format(b, "\\%s  %s\n", hex, l->file.p);
    else if (l->kind == MANIFEST_TENSOR)
        buffer_format(b, "sha256    %s  %s:%s\n", hex, l->file.p, l->tensor.p);
    else buffer_format(b, "%s  %s  %s\n", l->kind == MANIFEST_MODEL ? "model" : "content", hex, l->file.p);
}

static bool is_plain(numel_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] <= ' ' || s.p[i] == ':' || s.p[i] == '*' || s.p[i] == 0x7F) return false;
    return s.n && s.p[0] != '.';
}

static void check_again(const struct manifest_line *l, struct arena *a)
{
    struct buffer b;
    struct manifest m;
    numel_error e = { .offset = NUMEL_NOWHERE };
    if (!is_plain(l->file) || (l->kind == MANIFEST_TENSOR && !is_plain(l->tensor))) return;
    buffer_init(&b, &memory_malloc);
    put_line(&b, l);
    FUZZ_ASSERT(manifest_parse(&m, b.p, b.n, list, a, &e) && m.count == 1, "our own line is not read");
    FUZZ_ASSERT(m.lines[0].kind == l->kind && digest_equal(&m.lines[0].value, &l->value), "another digest");
    FUZZ_ASSERT(same(m.lines[0].file, l->file), "another file");
    FUZZ_ASSERT(l->kind != MANIFEST_TENSOR || same(m.lines[0].tensor, l->tensor), "another tensor");
    FUZZ_ASSERT(m.lines[0].sized == l->sized && m.lines[0].bytes == l->bytes, "another size");
    manifest_done(&m);
    buffer_done(&b);
}

static void check_line(const struct manifest_line *l, struct arena *a)
{
    struct digest_value again;
    char hex[DIGEST_HEX];
    FUZZ_ASSERT(l->value.kind == DIGEST_SHA256, "a digest of another kind");
    digest_hex(hex, &l->value);
    FUZZ_ASSERT(digest_parse(&again, hex, strlen(hex)) && digest_equal(&again, &l->value),
                "digits change when read again");
    FUZZ_ASSERT(l->file.p && !l->file.p[l->file.n], "a name without an end");
    FUZZ_ASSERT(l->sized || !l->bytes, "bytes of a file without a size");
    check_again(l, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    struct arena a;
    struct manifest x;
    numel_error e = { .offset = NUMEL_NOWHERE };
    check_memory_init(&m, UINT64_MAX);
    arena_init(&a, &m.allocator);
    bool ok = manifest_parse(&x, (const char *)data, size, list, &a, &e);
    FUZZ_ASSERT(ok == (e.code == NUMEL_OK), "result and error disagree");
    FUZZ_ASSERT(ok == (x.count > 0), "an empty list");
    if (!ok) FUZZ_CHECK(check_error(e.code, &e, size));
    uint64_t lines = x.count, peak = m.peak;
    for (size_t i = 0; ok && i < x.count && i < 64; i++) check_line(&x.lines[i], &a);
    m.peak = peak;
    manifest_done(&x);
    arena_done(&a);
    FUZZ_CHECK(check_memory_done(&m, size, lines));
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t most, unsigned seed)
{
    struct dice d;
    dice_init(&d, seed);
    return mutate_lines(p, n, most, &d);
}
