/*
 * test_canonical.c -- the shortcut through safetensors headers against the full reader: for any header,
 * valid or not, both give the same result, to the last byte of every message.
 *
 * Each file is read twice. The second time the linker's wrappers below (Makefile: --wrap) declare every
 * entry non-canonical and every tensor out of order, so that only the productions of RFC 8259 and the
 * individual checks remain. The test compares everything a checkpoint holds, or its error. Mutants are
 * numbered; the same number gives the same file on every machine. NUMEL_MUTANTS sets how many.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/buffer.h"
#include "reader/canonical.h"
#include "reader/checkpoint.h"
#include "reader/safetensors_internal.h"

#include <stdlib.h>

/* ---- both ways ---------------------------------------------------------------------------- */

static bool shortcut;   /* the library's own choice */
static uint64_t taken;  /* entries read by the shortcut */
static uint64_t passed; /* tensors accepted in order */

size_t __real_canonical_entry(const uint8_t *p, uint64_t n, struct canonical *out);
size_t __wrap_canonical_entry(const uint8_t *p, uint64_t n, struct canonical *out);
size_t __wrap_canonical_entry(const uint8_t *p, uint64_t n, struct canonical *out)
{
    size_t bytes = shortcut ? __real_canonical_entry(p, n, out) : 0;
    taken += bytes != 0;
    return bytes;
}

bool __real_safetensors_in_order(const struct reading *r, numel_tensor *t, const struct reading_entry *e,
                                 uint64_t *expected);
bool __wrap_safetensors_in_order(const struct reading *r, numel_tensor *t, const struct reading_entry *e,
                                 uint64_t *expected);
bool __wrap_safetensors_in_order(const struct reading *r, numel_tensor *t, const struct reading_entry *e,
                                 uint64_t *expected)
{
    bool ok = shortcut && __real_safetensors_in_order(r, t, e, expected);
    passed += ok;
    return ok;
}

static void put_tensors(struct buffer *b, const numel_checkpoint *ck)
{
    for (size_t i = 0; i < ck->registry.count; i++) {
        const numel_tensor *t = &ck->registry.tensors[i];
        buffer_str(b, t->name);
        buffer_format(b, "\n%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %" PRIx64, t->dtype->name, t->elements,
                      t->bytes, t->offset, t->file, t->flags);
        for (uint32_t k = 0; k < t->ndim; k++) buffer_format(b, " [%" PRIu64 "]", t->dims[k]);
        buffer_format(b, " %zu\n", numel_tensor_find(ck, t->name.p, t->name.n));
    }
}

static void put_checkpoint(struct buffer *b, const numel_checkpoint *ck)
{
    put_tensors(b, ck);
    for (size_t i = 0; i < ck->metadata.count; i++) {
        const struct metadata_entry *m = &ck->metadata.entries[i];
        buffer_str(b, m->key);
        buffer_char(b, '=');
        buffer_str(b, m->value.s);
        buffer_format(b, " %" PRIu64 "\n", m->offset);
    }
    for (size_t i = 0; i < ck->findings.count; i++) {
        const numel_finding *f = &ck->findings.items[i];
        buffer_format(b, "%s %d %" PRIu64 " %s: %s\n", f->code, f->severity, f->offset, f->tensor,
                      f->message);
    }
    for (size_t i = 0; i < ck->file_count; i++) {
        const numel_file *f = &ck->files[i];
        const uint64_t all[] = { f->bytes,   f->header_bytes, f->data_start, f->data_bytes,
                                 f->padding, f->gaps,         f->overlap,    f->trailing,
                                 f->missing, f->first_tensor, f->tensors,    f->data };
        for (size_t k = 0; k < ROWS_OF(all); k++) buffer_format(b, "%" PRIu64 " ", all[k]);
    }
}

struct asked { /* facts checked besides the file's bytes */
    bool lenient;
    uint64_t compressed; /* its size on disk if it was compressed: texts may then not be much longer */
};

static void put_verdict(struct buffer *b, const void *p, size_t n, struct asked how)
{
    numel_checkpoint ck;
    numel_options options = { .size = sizeof options };
    struct opening o;
    struct source s;
    numel_error e;
    error_clear(&e);
    checkpoint_init(&ck, &memory_malloc);
    ck.path = ck.place = "";
    ck.lenient = how.lenient;
    source_memory(&s, p, n, &memory_malloc);
    s.compressed = how.compressed != 0;
    s.compressed_size = how.compressed;
    opening_init(&o, &ck, &options, &e);
    bool ok = opening_file(&o, &s, "") && checkpoint_close(&ck, &e);
    opening_done(&o);
    buffer_format(b, "%d %d %" PRIu64 " %s\n", ok, e.code, e.offset, e.what);
    put_checkpoint(b, &ck);
    checkpoint_done(&ck);
}

/* True if both ways give the same result. The bytes are copied, so that a checker detects a read beyond
 * them. */
static bool agree(const void *file, size_t n, struct asked how)
{
    struct buffer ways[2];
    void *p = malloc(n ? n : 1);
    assert_non_null(p);
    memcpy(p, file, n);
    for (unsigned i = 0; i < 2; i++) {
        buffer_init(&ways[i], &memory_malloc);
        shortcut = i == 0;
        put_verdict(&ways[i], p, n, how);
    }
    bool same = ways[0].n == ways[1].n && memcmp(ways[0].p, ways[1].p, ways[0].n) == 0;
    if (!same)
        fprintf(stderr, "by the shortcut:\n%.*s\naround it:\n%.*s\n", (int)ways[0].n, ways[0].p,
                (int)ways[1].n, ways[1].p);
    buffer_done(&ways[0]);
    buffer_done(&ways[1]);
    free(p);
    return same;
}

/* ---- files -------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *seed) /* xorshift64*: the same numbers on every machine */
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * 0x2545F4914F6CDD1Du;
}

static size_t below(uint64_t *seed, size_t n) { return (size_t)((next(seed) >> 33) % n); }
static bool once_in(uint64_t *seed, unsigned n) { return below(seed, n) == 0; }
#define ONE_OF(seed, table) ((table)[below(seed, ROWS_OF(table))])

/* A file around a header, with `bytes` bytes of data. */
static void wrap(struct buffer *file, const struct buffer *header, uint64_t length, size_t bytes)
{
    file->n = 0;
    for (unsigned i = 0; i < 8; i++) buffer_char(file, (char)(uint8_t)(length >> 8 * i));
    buffer_str(file, buffer_view(header));
    buffer_fill(file, 0, bytes);
}

static const char *const odd_names[] = {
    "",        "__metadata__", "__metadata__x",
    "\\u0061", "quote\\\"d",   "back\\\\slash",
    "\x7f",    "\x01",         "\xc3\xbc",
    "\xff",    "nul\\u0000",   "t.0",
    "0123456", "01234567",     "a name that is a good deal longer than one that any model has, with blanks"
};
static const char *const odd_types[] = { "F4",
                                         "F6_E2M3",
                                         "C64",
                                         "F8_E4M3FNUZ",
                                         "BF17",
                                         "bf16",
                                         "BF1\\u0036",
                                         "",
                                         "F32 ",
                                         "F",
                                         "BF16BF16BF16BF16BF16BF16BF16",
                                         "\"",
                                         "F8_E5M2FNU" };
static const char *const odd_numbers[] = { "0",
                                           "00",
                                           "01",
                                           "1",
                                           "-1",
                                           "1.0",
                                           "1e3",
                                           "",
                                           "\"1\"",
                                           "9999999999999999999",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "10000000000000000000",
                                           "12345678901234567890123",
                                           "99999999999999999999999999",
                                           "null",
                                           "[]" };
static const char *const odd_shapes[] = { "",
                                          "1",
                                          "1,",
                                          ",1",
                                          "1,,1",
                                          " 1",
                                          "1 ,1",
                                          "1,1,1,1,1,1,1,1",
                                          "1,1,1,1,1,1,1,1,1",
                                          "4294967296,4294967296",
                                          "4294967296,4294967296,0",
                                          "0,18446744073709551615,18446744073709551615",
                                          "18446744073709551615",
                                          "1152921504606846976,2" };

/* An entry preceded by a comma. Its data begins at *at; *at then moves to its end. */
static void put_entry(struct buffer *b, uint64_t *seed, unsigned number, uint64_t *at)
{
    static const struct {
        const char *name, *shape;
        unsigned bytes;
    } kinds[] = { { "BF16", "4,2", 16 },  { "F32", "2", 8 },       { "F8_E4M3", "16,1,1,1", 16 },
                  { "I64", "", 8 },       { "F4", "4,4", 8 },      { "U8", "0,7", 0 },
                  { "BF16", "2,4", 16 },  { "F32", "12,10", 480 }, { "F16", "1,1,2,3,1", 12 },
                  { "U8", "1024", 1024 }, { "F6_E3M2", "8", 6 } };
    if (once_in(seed, 80)) *at += 8;
    if (once_in(seed, 80) && *at >= 8) *at -= 8;
    size_t kind = once_in(seed, 3) ? below(seed, ROWS_OF(kinds)) : 0;
    const char *type = once_in(seed, 40) ? ONE_OF(seed, odd_types) : kinds[kind].name;
    const char *shape = once_in(seed, 40) ? ONE_OF(seed, odd_shapes) : kinds[kind].shape;
    char name[32], begin[32], end[32];
    snprintf(name, sizeof name, "t.%u.weight", number);
    snprintf(begin, sizeof begin, "%" PRIu64, *at);
    snprintf(end, sizeof end, "%" PRIu64, *at + kinds[kind].bytes);
    *at += kinds[kind].bytes;
    buffer_format(b, "%s\"%s\":{", number ? "," : "", once_in(seed, 25) ? ONE_OF(seed, odd_names) : name);
    unsigned order = once_in(seed, 60) ? (unsigned)below(seed, 3) : 0, fields = once_in(seed, 60)   ? 2
                                                                                : once_in(seed, 60) ? 4
                                                                                                    : 3;
    for (unsigned i = 0; i < fields; i++) {
        unsigned field = (i + order) % 3;
        if (i) buffer_char(b, ',');
        if (field == 0) buffer_format(b, "\"dtype\":\"%s\"", type);
        if (field == 1) buffer_format(b, "\"shape\":[%s]", shape);
        if (field == 2)
            buffer_format(b, "\"data_offsets\":[%s,%s]",
                          once_in(seed, 60) ? ONE_OF(seed, odd_numbers) : begin,
                          once_in(seed, 60) ? ONE_OF(seed, odd_numbers) : end);
    }
    buffer_char(b, '}');
}

static void put_header(struct buffer *b, uint64_t *seed, uint64_t *bytes)
{
    static const char *const others[] = { "\"__metadata__\":{\"format\":\"pt\"}",
                                          "\"__metadata__\":null",
                                          "\"__metadata__\":{\"a\":\"b\",\"a\":\"c\"}",
                                          "\"__metadata__\":1",
                                          "\"x\":1",
                                          "\"short\":[\"U8\",[0],[0,0]]" };
    unsigned count = (unsigned)below(seed, once_in(seed, 4) ? 30 : 12), other = (unsigned)below(seed, 40);
    b->n = 0;
    *bytes = 0;
    buffer_char(b, '{');
    for (unsigned i = 0; i < count; i++) {
        if (i == other) buffer_format(b, "%s%s", i ? "," : "", ONE_OF(seed, others));
        put_entry(b, seed, i + (i == other), bytes);
    }
    buffer_char(b, '}');
    buffer_fill(b, ' ', below(seed, 2) * 400); /* otherwise the last entries are too close to the end */
}

/* Changes one or a few bytes: replaced, inserted, removed, or copied from elsewhere. */
static void change(struct buffer *b, uint64_t *seed)
{
    static const char bytes[] = "\"\\{}[]:,0123456789 \n\taBu\x01\x1f\x7f\x80\xc3\xff";
    size_t at = below(seed, b->n), from = below(seed, b->n),
           n = below(seed, b->n - num_min(b->n - 1, from)) % 40 + 1;
    char some[40], c = bytes[below(seed, sizeof bytes)];
    memcpy(some, b->p + from, num_min(n, b->n - from));
    n = num_min(n, b->n - from);
    switch (below(seed, 6)) {
    case 0: b->p[at] = c; break;
    case 1: b->p[at] = (char)(b->p[at] ^ 1 << below(seed, 8)); break;
    case 2: /* one inserted */
        buffer_char(b, 0);
        memmove(b->p + at + 1, b->p + at, b->n - at - 1);
        b->p[at] = c;
        break;
    case 3: /* removed */
        memmove(b->p + at, b->p + at + 1, b->n - at - 1);
        b->n--;
        break;
    case 4: memcpy(b->p + num_min(at, b->n - n), some, n); break;
    default: b->n = at + 1;
    }
}

/* ---- the tests ---------------------------------------------------------------------------- */

static uint64_t mutants(void)
{
    const char *said = getenv("NUMEL_MUTANTS");
    return said ? strtoull(said, NULL, 10) : 100000 / check_every();
}

static void test_mutants(void **state)
{
    struct buffer header, file;
    unsigned failed = 0;
    (void)state;
    buffer_init(&header, &memory_malloc);
    buffer_init(&file, &memory_malloc);
    taken = passed = 0;
    for (uint64_t k = 1; k <= mutants() && failed < 5; k++) {
        uint64_t seed = k * 0x9E3779B97F4A7C15u, bytes;
        put_header(&header, &seed, &bytes);
        for (size_t i = once_in(&seed, 3) ? below(&seed, 3) : 0; i > 0; i--) change(&header, &seed);
        uint64_t length = header.n + (once_in(&seed, 50) ? below(&seed, 3) * 8 - 8 : 0);
        size_t data = once_in(&seed, 4) ? 0 : (size_t)bytes + (once_in(&seed, 20) ? below(&seed, 9) : 0);
        wrap(&file, &header, length, data);
        ROW(failed, agree(file.p, file.n, (struct asked){ .lenient = once_in(&seed, 2) }), "mutant %" PRIu64,
            k);
    }
    print_message("%" PRIu64 " mutants: %" PRIu64 " entries were canonical, %" PRIu64 " tensors in order\n",
                  mutants(), taken, passed);
    assert_true(taken > mutants() && passed > mutants()); /* the shortcut was exercised */
    buffer_done(&header);
    buffer_done(&file);
    assert_int_equal(failed, 0);
}

static void put_good(struct buffer *header, unsigned count)
{
    header->n = 0;
    buffer_text(header, "{\"__metadata__\":{\"format\":\"pt\"}");
    for (unsigned i = 0; i < count; i++)
        buffer_format(header,
                      ",\"model.layers.%u.up\":{\"dtype\":\"%s\",\"shape\":[%u,2],\"data_offsets\":[%u,%u]}",
                      i, i % 5 ? "BF16" : "I16", i % 3 + 1, i / 3 * 24 + (unsigned[]){ 0, 4, 12 }[i % 3],
                      i / 3 * 24 + (unsigned[]){ 4, 12, 24 }[i % 3]);
    buffer_char(header, '}');
}

/* Every prefix of a good header, in a file that ends there, and in one that continues. */
static void test_prefixes(void **state)
{
    struct buffer header, file;
    unsigned failed = 0;
    (void)state;
    buffer_init(&header, &memory_malloc);
    buffer_init(&file, &memory_malloc);
    put_good(&header, 12);
    for (size_t whole = header.n; header.n > 0; header.n--)
        for (unsigned k = 0; k < 4; k++) {
            wrap(&file, &header, k & 1 ? header.n : whole, k & 1 ? 96 : 0);
            ROW(failed, agree(file.p, file.n, (struct asked){ .lenient = k & 2 }), "prefix %zu, %u", header.n,
                k);
        }
    buffer_done(&header);
    buffer_done(&file);
    assert_int_equal(failed, 0);
}

/* Replaces each byte of entries far from the end by every significant byte, and by some others. */
static void test_bytes(void **state)
{
    static const char bytes[] = "\"\\{}[]:,0129 xB\x01\x7f\x80\xff";
    struct buffer header, file;
    unsigned failed = 0;
    (void)state;
    buffer_init(&header, &memory_malloc);
    buffer_init(&file, &memory_malloc);
    put_good(&header, 12);
    wrap(&file, &header, header.n, 96);
    for (size_t at = 0; at < 8 + header.n / 2; at += check_every())
        for (size_t k = 0; k < sizeof bytes; k++) {
            char was = file.p[at];
            file.p[at] = bytes[k];
            ROW(failed, agree(file.p, file.n, (struct asked){ .lenient = k & 1 }), "byte %zu is 0x%02x", at,
                (unsigned char)bytes[k]);
            file.p[at] = was;
        }
    buffer_done(&header);
    buffer_done(&file);
    assert_int_equal(failed, 0);
}

/* The shortcut reads all of a good header except entries too close to its end; also from zstd, unless a
 * name exceeds the limit for such a file. */
static void test_taken(void **state)
{
    struct buffer header, file;
    (void)state;
    buffer_init(&header, &memory_malloc);
    buffer_init(&file, &memory_malloc);
    put_good(&header, 300);
    wrap(&file, &header, header.n, 2400);
    taken = passed = 0;
    assert_true(agree(file.p, file.n, (struct asked){ .lenient = false }));
    assert_in_range(taken, 295, 300);
    assert_int_equal(passed, 300);
    assert_true(agree(file.p, file.n, (struct asked){ .compressed = 1000 }));
    header.n = 0;
    buffer_text(&header, "{\"");
    buffer_fill(&header, 'x', SOURCE_TEXT + 6001);
    buffer_text(&header, "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}");
    buffer_fill(&header, ' ', 400);
    for (uint64_t compressed = 1000; compressed <= 1001; compressed++) {
        wrap(&file, &header, header.n, 1);
        taken = passed = 0;
        assert_true(agree(file.p, file.n, (struct asked){ .compressed = compressed }));
        assert_int_equal(passed, compressed > 1000);
    }
    buffer_done(&header);
    buffer_done(&file);
}

/* Tensors in order, of 2^61 - 1 bytes each: the eighth ends beyond any file. */
static void test_far(void **state)
{
    const uint64_t each = (UINT64_C(1) << 61) - 1;
    struct buffer header, file;
    (void)state;
    buffer_init(&header, &memory_malloc);
    buffer_init(&file, &memory_malloc);
    for (unsigned count = 7; count <= 8; count++) {
        header.n = 0;
        for (unsigned i = 0; i < count; i++)
            buffer_format(&header,
                          "%s\"far.%u\":{\"dtype\":\"U8\",\"shape\":[%" PRIu64 "],\"data_offsets\":[%" PRIu64
                          ",%" PRIu64 "]}",
                          i ? "," : "{", i, each, i * each, (i + 1) * each);
        buffer_char(&header, '}');
        buffer_fill(&header, ' ', 400);
        wrap(&file, &header, header.n, 0);
        for (unsigned lenient = 0; lenient < 2; lenient++)
            assert_true(agree(file.p, file.n, (struct asked){ .lenient = lenient }));
    }
    buffer_done(&header);
    buffer_done(&file);
}

/* Each allocation fails in turn, for a file in order and for one that is read a second time. */
static void test_starved(void **state)
{
    struct buffer header, file;
    (void)state;
    buffer_init(&header, &memory_malloc);
    buffer_init(&file, &memory_malloc);
    put_good(&header, 300);
    shortcut = true;
    for (unsigned odd = 0; odd < 2; odd++) {
        wrap(&file, &header, header.n, 2400 + odd);
        if (odd) file.p[8 + header.n - 4] ^= 1; /* the last digit of the last offset */
        for (uint64_t k = 0;; k++) {
            struct check_memory m;
            numel_checkpoint *ck = NULL;
            check_memory_init(&m, k);
            numel_options options = { .size = sizeof options, .allocator = &m.allocator };
            numel_rc rc = numel_open_memory(&ck, file.p, file.n, &options, NULL);
            numel_free(ck);
            assert_null(check_memory_done(&m, file.n, 300));
            if (m.calls <= k) break;
            assert_int_equal(rc, NUMEL_E_NOMEM);
        }
    }
    buffer_done(&header);
    buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_taken), cmocka_unit_test(test_prefixes),
                                        cmocka_unit_test(test_bytes), cmocka_unit_test(test_mutants),
                                        cmocka_unit_test(test_far),   cmocka_unit_test(test_starved) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
