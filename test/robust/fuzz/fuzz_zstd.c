/*
 * fuzz_zstd.c -- compressed files and header-only copies: reading the front and streaming give the same
 * bytes; the stated size is correct; stored tensors lie inside the unpacked file. Input that is not a zstd
 * frame is compressed and read again, and must be unchanged.
 */
#include "../../support/check.h"
#include "common/place.h"

#include "base/num.h"
#include "source/kept.h"
#include "source/source.h"
#include "source/zstd.h"

#include <string.h>

enum { MOST = 1 << 20 }; /* of content: a frame of 100 bytes may make gigabytes */

static const char copy[] = "x.safetensors.head.zst";

/* ---- two ways of reading ------------------------------------------------------------------ */

struct supply {
    const uint8_t *p;
    size_t n, step;
};

static bool give(void *ctx, void *p, size_t room, size_t *got, numel_error *e)
{
    struct supply *s = ctx;
    size_t n = s->n < s->step ? s->n : s->step;
    (void)e;
    *got = n < room ? n : room;
    if (*got) memcpy(p, s->p, *got);
    s->p += *got;
    s->n -= *got;
    return true;
}

/* The content up to MOST bytes; *ended if that is all. False if the frame is broken there. */
static bool flow(const uint8_t *data, size_t size, size_t step, uint8_t *out, size_t *n, bool *ended,
                 numel_error *e)
{
    uint8_t in[512];
    struct supply s = { data, size, step };
    struct zstd_flow f;
    size_t got = 1;
    *n = 0;
    bool ok = zstd_flow_open(&f, give, &s, in, sizeof in, e);
    while (ok && got && *n < MOST) {
        size_t room = MOST - *n < 4000 ? MOST - *n : 4000;
        ok = zstd_flow_read(&f, out + *n, room, &got, e);
        FUZZ_ASSERT(!ok || got <= room, "more than there is room for");
        if (ok) *n += got;
    }
    *ended = ok && !got;
    zstd_flow_close(&f);
    return ok;
}

static void check_reading(const uint8_t *data, size_t size)
{
    static uint8_t content[MOST];
    struct check_memory m;
    numel_error e = { .offset = NUMEL_NOWHERE }, why = { .offset = NUMEL_NOWHERE };
    const uint8_t *front = NULL;
    uint64_t there = 0, stated = 0;
    size_t n;
    bool ended = false, all;
    check_memory_init(&m, UINT64_MAX);
    struct zstd_reader *z = zstd_open(data, size, &m.allocator);
    bool ok = true;
    for (uint64_t want = 64; ok && !ended && want <= MOST; want *= 4)
        ok = zstd_need(z, want, &front, &there, &ended, &e);
    if (!ok) FUZZ_CHECK(check_error(e.code, &e, size));
    bool flows = flow(data, size, 1 + size % 37, content, &n, &all, &why);
    if (!flows) FUZZ_CHECK(check_error(why.code, &why, size));
    uint64_t both = ok ? num_min(there, n) : 0;
    FUZZ_ASSERT(!both || memcmp(front, content, (size_t)both) == 0, "two readers read other bytes");
    FUZZ_ASSERT(!ok || !flows || !ended || !all || there == n, "two readers read as many");
    FUZZ_ASSERT(!zstd_content_all(data, size, &stated) || !all || stated == n, "another size than is stated");
    zstd_close(z);
    FUZZ_CHECK(check_memory_done(&m, size, 0));
}

/* ---- copies ------------------------------------------------------------------------------- */

static void check_kept(const char *path, size_t size, const uint8_t *wanted, size_t wanted_n)
{
    struct check_memory m;
    struct arena a;
    struct kept k;
    numel_error e = { .offset = NUMEL_NOWHERE };
    check_memory_init(&m, UINT64_MAX);
    arena_init(&a, &m.allocator);
    FUZZ_ASSERT(kept_load(&k, path, &a, &e), "an unreadable file is not an error");
    FUZZ_ASSERT(!wanted || (k.n == wanted_n && memcmp(k.p, wanted, wanted_n) == 0),
                "the stored bytes differ");
    uint8_t byte[16];
    for (uint64_t offset = 0; k.n && offset < 64; offset++)
        for (size_t n = 0; n < sizeof byte; n += 5) (void)kept_find(&k, offset, n, byte);
    arena_done(&a);
    FUZZ_CHECK(check_memory_done(&m, size, 0));
}

static void check_file(const char *path, uint64_t size)
{
    struct check_memory m;
    struct source s;
    numel_options options = NUMEL_INIT(numel_options);
    numel_found *found = NULL;
    numel_checkpoint *ck = NULL;
    numel_error e = { .offset = NUMEL_NOWHERE };
    check_memory_init(&m, UINT64_MAX);
    if (source_open(&s, path, false, &m.allocator, &e)) {
        bool ok = source_grow(&s, 4096, MOST, &e);
        FUZZ_ASSERT(!ok || s.size <= s.total || !s.total_known || s.header_only, "more than the file has");
        FUZZ_ASSERT(!ok || s.complete || s.size >= 4096, "fewer bytes than requested");
    }
    source_close(&s);
    options.allocator = &m.allocator;
    options.max_header_bytes = MOST;
    numel_rc rc = numel_find(&found, path, &options, &e);
    if (!rc) rc = numel_open(&ck, found, 0, &options, &e);
    FUZZ_ASSERT((rc == NUMEL_OK) == (ck != NULL), "result and checkpoint disagree");
    if (rc) FUZZ_CHECK(check_error(rc, &e, UINT64_MAX));
    uint64_t tensors = ck ? numel_tensor_count(ck) : 0;
    FUZZ_ASSERT(!ck || numel_file_at(ck, 0)->compressed, "not compressed");
    numel_free(ck);
    numel_found_free(found);
    FUZZ_CHECK(check_memory_done(&m, size + MOST, tensors));
}

/* Bytes that are not a frame become the content of one, with the first of them stored as a tensor. */
static void check_written(const uint8_t *data, size_t size)
{
    struct buffer b, kept;
    numel_error e = { .offset = NUMEL_NOWHERE };
    uint64_t original = 0, wanted = size >= 8 ? num_load(data, 8, false) : 7, stated = 0, there = 0;
    const uint8_t *front = NULL;
    bool ended = false;
    buffer_init(&b, &memory_malloc);
    buffer_init(&kept, &memory_malloc);
    kept_add(&kept, wanted, data, (uint32_t)(size / 2));
    FUZZ_ASSERT(zstd_write_head(&b, data, size, wanted, kept.p, kept.n, &e), "no copy is written");
    FUZZ_ASSERT(zstd_mark((uint8_t *)b.p, b.n, &original) && original == wanted,
                "the mark states another size");
    FUZZ_ASSERT(zstd_content_all((uint8_t *)b.p, b.n, &stated) && stated == size, "it states another size");
    struct zstd_reader *z = zstd_open((uint8_t *)b.p, b.n, &memory_malloc);
    FUZZ_ASSERT(zstd_need(z, size + 1, &front, &there, &ended, &e) && there == size,
                "the content has another size");
    FUZZ_ASSERT(size == 0 || memcmp(front, data, size) == 0, "the content has other bytes");
    zstd_close(z);
    place_file(copy, b.p, b.n);
    check_kept(place_path(copy), b.n, (uint8_t *)kept.p, kept.n);
    check_file(place_path(copy), b.n);
    buffer_done(&kept);
    buffer_done(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (zstd_is(data, size)) {
        check_reading(data, size);
        place_file(copy, data, size);
        check_kept(place_path(copy), size, NULL, 0);
        check_file(place_path(copy), size);
    } else {
        check_written(data, size);
    }
    place_clear();
    return 0;
}

/* Frames are hard to guess: one is made from changed content, and put before, after, or instead of the
 * input. */
size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t most, unsigned seed)
{
    static uint8_t content[1 << 14];
    struct dice d;
    struct buffer b;
    numel_error e;
    const uint8_t *front;
    uint64_t there = 0;
    bool ended;
    dice_init(&d, seed);
    if (!zstd_is(p, n) || dice_roll(&d, 4)) return LLVMFuzzerMutate(p, n, most);
    struct zstd_reader *z = zstd_open(p, n, &memory_malloc);
    if (zstd_need(z, sizeof content, &front, &there, &ended, &e)) {
        there = num_min(there, sizeof content / 2);
        if (there) memcpy(content, front, (size_t)there);
    }
    zstd_close(z);
    size_t changed = mutate_safetensors(content, (size_t)there, sizeof content, &d);
    size_t kept = dice_roll(&d, 2) ? changed / 2 : 0, how = dice_roll(&d, 3),
           marked = dice_roll(&d, 2) ? 0 : 16;
    buffer_init(&b, &memory_malloc);
    if (zstd_write_head(&b, content, changed, dice_roll(&d, 1 << 20), content, kept, &e))
        n = mutate_splice(p, n, most, how == 1 ? n : 0, how == 2 ? n : 0, (uint8_t *)b.p + marked,
                          b.n - marked);
    buffer_done(&b);
    return n;
}
