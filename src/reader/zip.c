/*
 * zip.c -- an archive from its end:
 *
 *     local header, data; ...          one per entry
 *     directory: 46 bytes and names    one record per entry
 *     [ZIP64 end, 56 bytes; its locator, 20 bytes]
 *     end: PK 5 6, 22 bytes and a comment of at most 65,535
 */
#include "reader/zip.h"

#include "base/num.h"

#include <string.h>

enum { END = 22, COMMENT = 65535, LOCATOR = 20, END64 = 56, RECORD = 46, LOCAL = 30, MOST = 16 << 20 };

struct directory {
    uint64_t at, bytes, entries;
};

static uint64_t le(const uint8_t *p, size_t at, unsigned n) { return num_load(p + at, n, false); }

/* The last end record whose comment ends with the bytes; false if there is none. */
static bool find_end(const uint8_t *p, size_t n, size_t *at)
{
    for (size_t i = n >= END ? n - END + 1 : 0; i-- > 0;)
        if (memcmp(p + i, "PK\5\6", 4) == 0 && le(p, i + 20, 2) == n - i - END) {
            *at = i;
            return true;
        }
    return false;
}

NUMEL_MUST static const uint8_t *read_stream(void *ctx, uint64_t at, size_t n, struct arena *a,
                                             numel_error *e)
{
    uint8_t *p = arena_alloc(a, n + 1);
    if (!p) error_nomem(e);
    return p && stream_read(ctx, at, p, n, e) ? p : NULL;
}

struct zip_bytes zip_stream(struct stream *s) { return (struct zip_bytes){ s->was.bytes, read_stream, s }; }

NUMEL_MUST static const uint8_t *get(const struct zip_bytes *b, uint64_t at, uint64_t n, struct arena *a,
                                     numel_error *e)
{
    return b->read(b->ctx, at, (size_t)n, a, e);
}

/* For values above 32 bits. `end` is the offset of the end record. */
NUMEL_MUST static bool read_end64(struct directory *d, const struct zip_bytes *b, uint64_t end,
                                  struct arena *a, numel_error *e)
{
    if (end < LOCATOR) return error_set(e, NUMEL_E_SYNTAX, end, "the zip's ZIP64 record is missing");
    const uint8_t *locator = get(b, end - LOCATOR, LOCATOR, a, e), *p;
    if (!locator) return false;
    uint64_t at = le(locator, 8, 8);
    if (memcmp(locator, "PK\6\7", 4) != 0 || !num_inside(at, END64, end))
        return error_set(e, NUMEL_E_SYNTAX, end - LOCATOR, "the zip's ZIP64 record is missing");
    if (!(p = get(b, at, END64, a, e))) return false;
    if (memcmp(p, "PK\6\6", 4) != 0)
        return error_set(e, NUMEL_E_SYNTAX, at, "the zip's ZIP64 record is missing");
    *d = (struct directory){ le(p, 48, 8), le(p, 40, 8), le(p, 32, 8) };
    return true;
}

NUMEL_MUST static bool read_end(struct directory *d, const struct zip_bytes *b, struct arena *a,
                                numel_error *e)
{
    uint64_t total = b->total, n = num_min(total, END + COMMENT);
    size_t at;
    struct arena_mark mark = arena_mark(a);
    const uint8_t *p = get(b, total - n, n, a, e);
    if (!p) return false;
    bool found = find_end(p, (size_t)n, &at);
    if (found) *d = (struct directory){ le(p, at + 16, 4), le(p, at + 12, 4), le(p, at + 10, 2) };
    arena_rewind(a, mark);
    if (!found)
        return error_set(e, NUMEL_E_TRUNCATED, total,
                         "the zip archive is truncated: its directory is missing");
    uint64_t end = total - n + at;
    if ((d->at == UINT32_MAX || d->bytes == UINT32_MAX || d->entries == UINT16_MAX) &&
        !read_end64(d, b, end, a, e))
        return false;
    if (!num_inside(d->at, d->bytes, end))
        return error_set(e, NUMEL_E_SYNTAX, end, "the zip's directory is outside the file");
    return d->bytes <= MOST ||
           error_set(e, NUMEL_E_LIMIT, d->at, "the zip's directory has more than %d bytes", MOST);
}

/* Takes values from the ZIP64 extra field for 32-bit fields that are all ones. */
static void read_extra(struct zip_entry *x, const uint8_t *p, uint64_t n, bool raw)
{
    uint64_t at = 0;
    while (num_inside(at, 4, n)) {
        uint64_t id = le(p, at, 2), length = le(p, at + 2, 2), from = at + 4;
        if (!num_inside(from, length, n)) return;
        if (id == 1) {
            uint64_t k = raw ? 8 : 0; /* the uncompressed size comes first */
            if (x->bytes == UINT32_MAX && k + 8 <= length) x->bytes = le(p, from + k, 8), k += 8;
            if (x->at == UINT32_MAX && k + 8 <= length) x->at = le(p, from + k, 8);
        }
        at = from + length;
    }
}

/* Reads one record; returns its length, 0 if it is not one. */
static uint64_t read_record(struct zip_entry *x, const uint8_t *p, uint64_t n)
{
    if (n < RECORD || memcmp(p, "PK\1\2", 4) != 0) return 0;
    uint64_t name = le(p, 28, 2), extra = le(p, 30, 2), all = RECORD + name + extra + le(p, 32, 2);
    if (all > n) return 0;
    *x = (struct zip_entry){ .name = { (const char *)p + RECORD, (size_t)name },
                             .at = le(p, 42, 4),
                             .bytes = le(p, 20, 4),
                             .crc = (uint32_t)le(p, 16, 4),
                             .stored = le(p, 10, 2) == 0 && !(le(p, 8, 2) & 1) };
    read_extra(x, p + RECORD + name, extra, le(p, 24, 4) == UINT32_MAX);
    return all;
}

bool zip_read(struct zip *z, const struct zip_bytes *b, struct arena *a, numel_error *e)
{
    struct directory d = { 0 };
    *z = (struct zip){ 0 };
    if (!read_end(&d, b, a, e)) return false;
    const uint8_t *p = get(b, d.at, d.bytes, a, e);
    uint64_t most = d.bytes / RECORD;
    z->entries = p ? arena_alloc(a, (size_t)(most + 1) * sizeof *z->entries) : NULL;
    if (!z->entries) return p ? error_nomem(e) : false;
    z->at = d.at;
    for (uint64_t at = 0; at < d.bytes;) {
        uint64_t n = z->count < most ? read_record(&z->entries[z->count], p + at, d.bytes - at) : 0;
        if (!n) return error_set(e, NUMEL_E_SYNTAX, d.at + at, "the zip's directory is broken");
        z->count++;
        at += n;
    }
    return true;
}

/* Are the name and the method in the local header those of the directory? */
static bool is_local(const struct zip_entry *x, const uint8_t *p, uint64_t n)
{
    return n >= LOCAL && memcmp(p, "PK\3\4", 4) == 0 && le(p, 26, 2) == x->name.n && n - LOCAL >= x->name.n &&
           memcmp(p + LOCAL, x->name.p, x->name.n) == 0 && (le(p, 8, 2) == 0) == x->stored;
}

bool zip_place(const struct zip *z, const struct zip_entry *x, const struct zip_bytes *b, struct arena *a,
               uint64_t *at, numel_error *e)
{
    struct arena_mark mark = arena_mark(a);
    if (!num_inside(x->at, LOCAL, z->at))
        return error_set(e, NUMEL_E_TRUNCATED, z->at,
                         "the zip ends before an entry that its directory names");
    uint64_t n = num_min(LOCAL + x->name.n, z->at - x->at);
    const uint8_t *p = get(b, x->at, n, a, e);
    if (!p) return false;
    bool local = is_local(x, p, n);
    *at = local ? x->at + LOCAL + x->name.n + le(p, 28, 2) : x->at;
    arena_rewind(a, mark);
    if (!local) return error_set(e, NUMEL_E_SYNTAX, x->at, "the zip has no entry where its directory says");
    return num_inside(*at, x->bytes, z->at) ||
           error_set(e, NUMEL_E_TRUNCATED, z->at, "the zip ends before an entry that its directory names");
}

bool zip_aligned(const struct zip *z, const struct zip_entry *x, uint64_t alignment, uint64_t *at,
                 numel_error *e)
{
    enum { EXTRA = 4 }; /* of the header in front of the padding */
    uint64_t least = x->name.n + LOCAL;
    if (num_inside(x->at, least + EXTRA, z->at) && num_align(at, x->at + least + EXTRA, alignment) &&
        num_inside(*at, x->bytes, z->at))
        return true;
    if (num_inside(x->at, least, z->at) && num_inside(*at = x->at + least, x->bytes, z->at)) return true;
    return error_set(e, NUMEL_E_TRUNCATED, z->at, "the zip ends before an entry that its directory names");
}

bool zip_content(const struct zip *z, const struct zip_entry *x, const struct zip_bytes *b, uint64_t most,
                 struct arena *a, numel_str *out, numel_error *e)
{
    uint64_t n = num_min(x->bytes, most), at = 0;
    *out = (numel_str){ "", 0 };
    if (!zip_place(z, x, b, a, &at, e)) return false;
    const uint8_t *p = get(b, at, n, a, e);
    if (p) *out = (numel_str){ (const char *)p, (size_t)n };
    return p != NULL;
}
