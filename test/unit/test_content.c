/*
 * test_content.c -- the content room: digests against the vectors of their standards, passes over files at
 * the edges of blocks, and files that change while they are read.
 *
 * The progress callback, which runs between two blocks, makes the change: so each race happens every time,
 * at a place that the test chooses.
 */
#include "../support/check.h"
#include "../support/t.h"

#include "base/num.h"
#include "content/threads.h"
#include "content/digest.h"
#include "content/hashes.h"
#include "content/manifest.h"
#include "content/model_digest.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- digests ------------------------------------------------------------------------------ */

static const struct {
    enum digest_kind kind;
    const char *text, *hex;
} vectors[] = {
    /* FIPS 180-2, appendix B; the digest of the empty input */
    { DIGEST_SHA256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { DIGEST_SHA256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { DIGEST_SHA256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    /* output of `git hash-object --stdin` for the empty blob and "hello\n" */
    { DIGEST_GIT, "", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" },
    { DIGEST_GIT, "hello\n", "ce013625030ba8dba906f756967f9e9ca394464a" },
};

static void test_vectors(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < ROWS_OF(vectors); i++) {
        struct digest d;
        struct digest_value v, parsed;
        char hex[DIGEST_HEX];
        numel_error e = { 0 };
        size_t n = strlen(vectors[i].text), half = n / 2;
        assert_true(digest_begin(&d, vectors[i].kind, n, &e));
        assert_true(digest_add(&d, vectors[i].text, half, &e));
        assert_true(digest_add(&d, vectors[i].text + half, n - half, &e));
        assert_true(digest_end(&d, &v, &e));
        ROW(failed, strcmp(digest_hex(hex, &v), vectors[i].hex) == 0, "%s: %s", vectors[i].text, hex);
        ROW(failed, digest_parse(&parsed, hex, strlen(hex)) && digest_equal(&parsed, &v), "%s: not read back",
            hex);
    }
    assert_int_equal(failed, 0);
}

static void test_parse_refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "ba78",
        "sha256",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a",   /* 63 */
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015adf", /* 65 */
        "ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c539 ",
    };
    struct digest_value v, upper;
    for (size_t i = 0; i < ROWS_OF(bad); i++) assert_false(digest_parse(&v, bad[i], strlen(bad[i])));
    assert_true(digest_parse(&v, vectors[3].hex, 40));
    assert_true(digest_parse(&upper, "E69DE29BB2D1D6434B8B29AE775AD8C2E48C5391", 40));
    assert_true(digest_equal(&v, &upper));
}

/* ---- files -------------------------------------------------------------------------------- */

enum { BLOCKS = 8, FILE_BYTES = BLOCKS * STREAM_BLOCK + 77 };

static char path[64];
static int file;
static uint8_t *content;

static int make_file(void **state)
{
    (void)state;
    content = malloc(FILE_BYTES);
    if (!content) return -1;
    for (size_t i = 0; i < FILE_BYTES; i++) content[i] = (uint8_t)(i * 2654435761u >> 13);
    snprintf(path, sizeof path, "/tmp/numel-test-XXXXXX");
    file = mkstemp(path);
    return file >= 0 && write(file, content, FILE_BYTES) == FILE_BYTES ? 0 : -1;
}

static int remove_file(void **state)
{
    (void)state;
    free(content);
    close(file);
    unlink(path);
    return 0;
}

static struct digest_value digest_of(const uint8_t *p, size_t n)
{
    struct digest d;
    struct digest_value v = { 0 };
    numel_error e = { 0 };
    assert_true(digest_begin(&d, DIGEST_SHA256, n, &e) && digest_add(&d, p, n, &e) && digest_end(&d, &v, &e));
    return v;
}

/* Ranges that begin, end, touch and overlap at the edges of blocks, in one pass and in two. */
static void test_ranges(void **state)
{
    (void)state;
    enum { B = STREAM_BLOCK };
    static const struct {
        uint64_t offset, bytes;
    } wanted[] = {
        { 0, 0 },
        { 0, 1 },
        { 1, B - 1 },
        { B, B },
        { 2 * B, 1 },
        { 2 * B + 1, 2 * B },
        { 2 * B + 5, 10 },    /* inside the previous one */
        { 2 * B + 5, 3 * B }, /* across its end */
        { 4 * B + 9, 0 },
        { 5 * B + 6, FILE_BYTES - 5 * B - 6 },
        { FILE_BYTES, 0 },
    };
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct hash_range ranges[ROWS_OF(wanted)];
        struct hash_job job = {
            .path = path, .sha256 = true, .git = true, .ranges = ranges, .range_count = ROWS_OF(wanted)
        };
        numel_work work = { .size = sizeof(numel_work), .threads = threads };
        numel_error e = { 0 };
        for (size_t i = 0; i < ROWS_OF(wanted); i++)
            ranges[i] = (struct hash_range){ .offset = wanted[i].offset, .bytes = wanted[i].bytes };
        assert_true(hashes_run(&job, 1, &work, &memory_malloc, &e));
        assert_int_equal(job.error.code, NUMEL_OK);
        struct digest_value whole = digest_of(content, FILE_BYTES);
        assert_true(digest_equal(&job.whole, &whole));
        assert_int_equal(job.named.kind, DIGEST_GIT);
        assert_true(job.identity.bytes == FILE_BYTES);
        for (size_t i = 0; i < ROWS_OF(wanted); i++) {
            struct digest_value v = digest_of(content + wanted[i].offset, wanted[i].bytes);
            if (!digest_equal(&ranges[i].value, &v)) fail_msg("range %zu, %u threads", i, threads);
        }
    }
}

/* ---- changes ------------------------------------------------------------------------------ */

enum change_kind { SHRINK, GROW, WRITE, REPLACE, REMOVE };

struct change {
    enum change_kind how;
    uint64_t at; /* after this many bytes */
    bool made;
};

static void make_change(void *ctx, uint64_t done, uint64_t total, const char *what)
{
    struct change *c = ctx;
    char other[80];
    (void)total, (void)what;
    if (c->made || done < c->at) return;
    c->made = true;
    snprintf(other, sizeof other, "%s.other", path);
    switch (c->how) {
    case SHRINK: assert_int_equal(ftruncate(file, STREAM_BLOCK * 5), 0); break;
    case GROW: assert_int_equal(pwrite(file, "x", 1, FILE_BYTES), 1); break;
    case WRITE: assert_int_equal(pwrite(file, "x", 1, 0), 1); break;
    case REPLACE: {
        FILE *f = fopen(other, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(content, 1, FILE_BYTES, f), FILE_BYTES);
        fclose(f);
        assert_int_equal(rename(other, path), 0);
        break;
    }
    case REMOVE: assert_int_equal(unlink(path), 0); break;
    }
}

static void change_and_hash(enum change_kind how, const char *said)
{
    struct change c = { how, FILE_BYTES / 2, false };
    numel_work work = {
        .size = sizeof(numel_work), .threads = 1, .progress = make_change, .progress_ctx = &c
    };
    struct hash_job job = { .path = path, .sha256 = true };
    numel_error e = { 0 };
    assert_true(hashes_run(&job, 1, &work, &memory_malloc, &e));
    assert_true(c.made);
    assert_int_equal(job.error.code, NUMEL_E_CHANGED);
    assert_string_equal(job.error.file, path);
    if (!strstr(job.error.what, said)) fail_msg("%s: not said: %s", job.error.what, said);
}

/* Half of 8 blocks and 77 bytes is done: the next block is the fifth, and the sixth no longer exists. */
static void test_shrinks(void **state)
{
    (void)state;
    change_and_hash(SHRINK, "it ends at 1310720, it had 2097229 bytes");
}
static void test_grows(void **state)
{
    (void)state;
    change_and_hash(GROW, "its size changed");
}
static void test_written(void **state)
{
    (void)state;
    change_and_hash(WRITE, "it was written to");
}
static void test_replaced(void **state)
{
    (void)state;
    change_and_hash(REPLACE, "another file took its name");
}
static void test_removed(void **state)
{
    (void)state;
    change_and_hash(REMOVE, "was removed");
}

/* One of two files shrinks: the other still gets its digest. */
static void test_others_finish(void **state)
{
    (void)state;
    char other[80];
    struct change c = { SHRINK, STREAM_BLOCK, false };
    numel_work work = {
        .size = sizeof(numel_work), .threads = 2, .progress = make_change, .progress_ctx = &c
    };
    numel_error e = { 0 };
    snprintf(other, sizeof other, "%s.2", path);
    FILE *f = fopen(other, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(content, 1, FILE_BYTES, f), FILE_BYTES);
    fclose(f);
    struct hash_job jobs[] = { { .path = path, .sha256 = true }, { .path = other, .sha256 = true } };
    assert_true(hashes_run(jobs, 2, &work, &memory_malloc, &e));
    unlink(other);
    struct digest_value whole = digest_of(content, FILE_BYTES);
    assert_int_equal(jobs[0].error.code, NUMEL_E_CHANGED);
    assert_int_equal(jobs[0].whole.kind, DIGEST_NONE);
    assert_int_equal(jobs[1].error.code, NUMEL_OK);
    assert_true(digest_equal(&jobs[1].whole, &whole));
}

static bool stop_at(void *ctx) { return ++*(unsigned *)ctx > 3; }

/* Progress runs once when a task begins and once per block: the first file has nine blocks. */
static bool stop_after_a_file(void *ctx) { return ++*(unsigned *)ctx > 1 + 9 + 1 + 2; }

static void test_stops(void **state)
{
    (void)state;
    unsigned asked = 0;
    numel_work work = { .size = sizeof(numel_work), .threads = 1, .stop = stop_at, .stop_ctx = &asked };
    struct hash_job job = { .path = path, .sha256 = true };
    numel_error e = { 0 };
    assert_true(hashes_run(&job, 1, &work, &memory_malloc, &e));
    assert_int_equal(job.error.code, NUMEL_E_STOPPED);
    assert_int_equal(job.whole.kind, DIGEST_NONE);
    assert_int_equal(asked, 4);
}

/* ---- going on ----------------------------------------------------------------------------- */

/* One thread, two files: the second is interrupted in the middle, and only that one is read again. */
static void test_resumes(void **state)
{
    (void)state;
    char other[80], kept[80];
    unsigned asked = 0;
    numel_error e = { 0 };
    snprintf(other, sizeof other, "%s.2", path);
    snprintf(kept, sizeof kept, "%s.kept", path);
    FILE *f = fopen(other, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(content, 1, FILE_BYTES - 1, f), FILE_BYTES - 1);
    fclose(f);
    struct hash_range range = { .offset = 1, .bytes = 2 };
    struct hash_job jobs[] = { { .path = path, .sha256 = true, .ranges = &range, .range_count = 1 },
                               { .path = other, .sha256 = true } };
    struct hash_job again[] = { jobs[0], jobs[1] };
    numel_work work = { .size = sizeof(numel_work),
                        .threads = 1,
                        .stop = stop_after_a_file,
                        .stop_ctx = &asked,
                        .resume = kept };
    assert_true(hashes_run(jobs, 2, &work, &memory_malloc, &e));
    assert_int_equal(jobs[0].error.code, NUMEL_OK); /* the larger one goes first */
    assert_int_equal(jobs[1].error.code, NUMEL_E_STOPPED);
    struct digest_value tensor = range.value;
    range.value.kind = DIGEST_NONE;
    work.stop = NULL;
    assert_true(hashes_run(again, 2, &work, &memory_malloc, &e));
    assert_true(again[0].resumed && !again[1].resumed);
    assert_true(digest_equal(&again[0].whole, &jobs[0].whole));
    assert_true(digest_equal(&range.value, &tensor));
    struct digest_value whole = digest_of(content, FILE_BYTES - 1);
    assert_true(digest_equal(&again[1].whole, &whole));
    /* file modified in the meantime, or other ranges requested: read again */
    assert_int_equal(pwrite(file, content, 1, 0), 1);
    struct hash_range ranges[] = { { .offset = 0, .bytes = 2 } };
    struct hash_job changed[] = { { .path = path, .sha256 = true },
                                  { .path = other, .sha256 = true, .ranges = ranges, .range_count = 1 } };
    assert_true(hashes_run(changed, 2, &work, &memory_malloc, &e));
    assert_false(changed[0].resumed || changed[1].resumed);
    assert_int_equal(ranges[0].value.kind, DIGEST_SHA256);
    /* an incomplete record is skipped */
    struct hash_job third = { .path = other, .sha256 = true, .ranges = ranges, .range_count = 1 };
    f = fopen(kept, "ab");
    assert_non_null(f);
    fprintf(f, "H 1 2 3 4 5 6 7 99\nabc");
    fclose(f);
    assert_true(hashes_run(&third, 1, &work, &memory_malloc, &e));
    assert_true(third.resumed);
    unlink(other);
    unlink(kept);
}

/* A file that is not ours is neither written nor trusted. */
static void test_foreign_state(void **state)
{
    (void)state;
    struct hash_job job = { .path = path, .sha256 = true };
    numel_work work = { .size = sizeof(numel_work), .threads = 1, .resume = path };
    numel_error e = { 0 };
    assert_false(hashes_run(&job, 1, &work, &memory_malloc, &e));
    assert_int_equal(e.code, NUMEL_E_FORMAT);
    assert_int_equal(lseek(file, 0, SEEK_END), FILE_BYTES);
}

/* ---- the report --------------------------------------------------------------------------- */

static bool forget(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return true;
}

/* The same for verify, with a manifest that has a wrong digest for one tensor of two, and with values. */
static void test_verify_allocations(void **state)
{
    (void)state;
    static const char header[] = "{\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]},"
                                 "\"b\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[4,8]}}";
    char manifest[80];
    uint8_t size[8];
    num_store_le64(size, sizeof header - 1);
    assert_int_equal(ftruncate(file, 0), 0);
    assert_int_equal(pwrite(file, size, 8, 0), 8);
    assert_int_equal(pwrite(file, header, sizeof header - 1, 8), sizeof header - 1);
    assert_int_equal(pwrite(file, "\x00\x7e\x00\x3c\x00\x3c\x00\x3c", 8, 8 + sizeof header - 1), 8);
    snprintf(manifest, sizeof manifest, "%s.numel", path);
    FILE *f = fopen(manifest, "wb");
    assert_non_null(f);
    fprintf(f, MANIFEST_FIRST "\n%064d  %s\nsha256    %064d  %s:a\n", 1, path, 1, path);
    fclose(f);
    numel_found *found;
    assert_int_equal(numel_find(&found, path, NULL, NULL), NUMEL_OK);
    bool done = false;
    for (uint64_t at = 0; !done; at += check_every()) {
        struct check_memory m;
        numel_report *r;
        numel_error e;
        numel_work work = { .size = sizeof(numel_work), .threads = 1 };
        numel_check check = { .size = sizeof(numel_check),
                              .level = NUMEL_LEVEL_HASH,
                              .manifest = manifest,
                              .values = true,
                              .work = &work };
        check_memory_init(&m, at);
        numel_options o = { .size = sizeof(numel_options), .allocator = &m.allocator };
        numel_subject *s = NULL;
        r = NULL;
        numel_rc rc = numel_subject_at(&s, found, 0, NULL, &o, &e);
        if (!rc) rc = numel_report_verify(&r, s, &check, &e);
        done = m.calls <= at;
        if (rc != NUMEL_OK && rc != NUMEL_E_NOMEM) fail_msg("at %d: %s", (int)at, e.what);
        if (done) assert_int_equal(rc, NUMEL_OK);
        if (done) assert_false((numel_report_verdict(r) == NUMEL_AGREES));
        numel_report_free(r);
        numel_subject_close(s);
        assert_true(m.outstanding == 0);
        assert_true(m.calls < 5000);
    }
    numel_found_free(found);
    unlink(manifest);
}

/* Each allocation fails in turn: an error without leaks, or a report. */
static void test_allocations(void **state)
{
    (void)state;
    const char *paths[] = { path, "/nowhere" };
    numel_style style = { .size = sizeof(numel_style), .format = NUMEL_JSON };
    bool done = false;
    for (uint64_t at = 0; !done; at += check_every()) {
        struct check_memory m;
        numel_report *r;
        numel_error e;
        numel_work work = { .size = sizeof(numel_work), .threads = 1 };
        check_memory_init(&m, at);
        numel_options o = { .size = sizeof(numel_options), .allocator = &m.allocator };
        numel_rc rc = numel_report_hash(&r, paths, 2, NULL, &o, &work, &e);
        done = m.calls <= at;
        if (rc == NUMEL_OK) {
            rc = numel_report_write(r, &style, forget, NULL, &e);
            assert_true(rc == NUMEL_OK || rc == NUMEL_E_NOMEM);
        } else {
            assert_int_equal(rc, NUMEL_E_NOMEM);
            assert_null(r);
        }
        numel_report_free(r);
        assert_true(m.outstanding == 0);
        assert_true(m.calls < 1000);
    }
}

/* ---- lists of digests --------------------------------------------------------------------- */

#define HEX64 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

/* clang-format off */
static const struct {
    const char *text;
    enum manifest_kind kind;
    const char *file, *tensor; /* of the last line; NULL if refused */
    int64_t bytes;             /* -1 if unknown */
} lists[] = {
    { HEX64 "  a b.safetensors\n", MANIFEST_FILE, "a b.safetensors", "", -1 },
    { HEX64 " *dir/a\r\n", MANIFEST_FILE, "dir/a", "", -1 },
    { "\\" HEX64 "  a\\nb\n", MANIFEST_FILE, "a\\nb", "", -1 },
    { HEX64, MANIFEST_FILE, "list", "", -1 },
    { "SHA256 (./x) = " HEX64 "\n", MANIFEST_FILE, "x", "", -1 },
    { "# bytes 12  x\n" HEX64 "  x\n", MANIFEST_FILE, "x", "", 12 },
    { "# bytes 99999999999999999999  x\n" HEX64 "  x\n", MANIFEST_FILE, "x", "", -1 },
    { "# bytes 12  y\n" HEX64 "  x\n", MANIFEST_FILE, "x", "", -1 },
    { "sha256    " HEX64 "  m.gguf:blk.0:x\n", MANIFEST_TENSOR, "m.gguf", "blk.0:x", -1 },
    { HEX64 "  a:b\nsha256    " HEX64 "  a:b:c/d\n", MANIFEST_TENSOR, "a:b", "c/d", -1 },
    { "model     " HEX64 "  m\n", MANIFEST_MODEL, "m", "", -1 },
    { "version https://git-lfs.github.com/spec/v1\noid sha256:" HEX64 "\nsize 7\n", MANIFEST_FILE,
      "list", "", 7 },
    { "", MANIFEST_FILE, NULL, NULL, -1 },
    { "\n\n#\n# bytes\n\\\n", MANIFEST_FILE, NULL, NULL, -1 },
    { "SHA256 () = \n", MANIFEST_FILE, NULL, NULL, -1 },
    { "da39a3ee5e6b4b0d3255bfef95601890afd80709  sha1\n", MANIFEST_FILE, NULL, NULL, -1 },
    { "sha256    " HEX64 "\n", MANIFEST_FILE, NULL, NULL, -1 },
    { "xxh64     f66e9cd66a4396a0  test.gguf:tensor_0\n", MANIFEST_FILE, NULL, NULL, -1 },
    { "# numel-manifest 2\n" HEX64 "  x\n", MANIFEST_FILE, NULL, NULL, -1 },
};
/* clang-format on */

static bool is(numel_str s, const char *text)
{
    return s.n == strlen(text) && (s.n == 0 || memcmp(s.p, text, s.n) == 0);
}

static void test_lists(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < ROWS_OF(lists); i++) {
        struct manifest m;
        struct arena a;
        numel_error e = { 0 };
        arena_init(&a, &memory_malloc);
        bool ok =
            manifest_parse(&m, lists[i].text, strlen(lists[i].text), (numel_str){ "list.lfs", 8 }, &a, &e);
        ROW(failed, ok == (lists[i].file != NULL) && ok == (e.code == NUMEL_OK), "%s", lists[i].text);
        const struct manifest_line *l = ok ? &m.lines[m.count - 1] : NULL;
        if (l)
            ROW(failed,
                l->kind == lists[i].kind && is(l->file, lists[i].file) && is(l->tensor, lists[i].tensor) &&
                    l->sized == (lists[i].bytes >= 0) && (!l->sized || l->bytes == (uint64_t)lists[i].bytes),
                "%s: %.*s, %.*s", lists[i].text, (int)l->file.n, l->file.p, (int)l->tensor.n, l->tensor.p);
        manifest_done(&m);
        arena_done(&a);
    }
    assert_int_equal(failed, 0);
}

/* Reads back what it writes: names may hold every byte. */
static void test_names(void **state)
{
    (void)state;
    char name[256];
    struct arena a;
    struct buffer b;
    struct manifest m;
    numel_error e = { 0 };
    struct digest_value v = digest_of(content, 3);
    for (int i = 1; i < 256; i++) name[i - 1] = (char)i;
    name[255] = '\0';
    arena_init(&a, &memory_malloc);
    buffer_init(&b, &memory_malloc);
    manifest_put_bytes(&b, 3, name);
    buffer_char(&b, '\n');
    manifest_put_file(&b, &v, name);
    buffer_char(&b, '\n');
    manifest_put_tensor(&b, &v, name, (numel_str){ name, 255 });
    assert_true(manifest_parse(&m, b.p, b.n, (numel_str){ "l", 1 }, &a, &e));
    assert_int_equal(m.count, 2);
    assert_true(m.lines[0].sized && m.lines[0].bytes == 3);
    assert_true(digest_equal(&m.lines[1].value, &v));
    assert_int_equal(m.lines[0].file.n, m.lines[1].file.n);
    assert_int_equal(m.lines[1].file.n, m.lines[1].tensor.n);
    assert_memory_equal(m.lines[0].file.p, m.lines[1].tensor.p, m.lines[0].file.n);
    manifest_done(&m);
    buffer_done(&b);
    arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_parse_refuses),
        cmocka_unit_test(test_lists),
        cmocka_unit_test_setup_teardown(test_names, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_verify_allocations, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_ranges, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_shrinks, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_grows, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_written, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_replaced, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_removed, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_others_finish, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_stops, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_resumes, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_foreign_state, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_allocations, make_file, remove_file),
    };
    return cmocka_run_group_tests_name("content", tests, NULL, NULL);
}
