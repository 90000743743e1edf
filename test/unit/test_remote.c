/*
 * test_remote.c -- remote paths: the grammar of URLs; and copies made of what a host in memory gives, honestly and
 * not.
 */
#include "../support/check.h"
#include "../support/fixture.h"
#include "../support/t.h"

#include "base/num.h"
#include "reader/find.h"
#include "reader/listing.h"
#include "reader/remote.h"
#include "source/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- URLs ----------------------------------------------------------------------------------- */

static const char *hub_host(void *ctx, const char *name)
{
    (void)ctx;
    return strcmp(name, "HF_ENDPOINT") == 0 ? "https://hub.example/" : NULL;
}

/* clang-format off */
static const struct {
    const char *url, *answer; /* name, path and request; or a part of the refusal */
} urls[] = {
    { "hf://org/m", "hf://org/m||hf://org/m" },
    { "hf://org/m/", "hf://org/m||hf://org/m" },
    { "hf://models/org/m", "hf://org/m||hf://org/m" },
    { "hf://org/m@main", "hf://org/m@main||hf://org/m@main" },
    { "hf://org/m@v1.0/a/b.gguf", "hf://org/m@v1.0|a/b.gguf|hf://org/m@v1.0" },
    { "hf://org/m/a%20b.gguf", "hf://org/m|a b.gguf|hf://org/m" },
    { "hf://org/m/x@y.gguf", "hf://org/m|x@y.gguf|hf://org/m" },
    { "hf://org/m@refs/pr/7", "hf://org/m@refs/pr/7||hf://org/m@refs/pr/7" },
    { "hf://org/m@refs/pr/7/config.json", "hf://org/m@refs/pr/7|config.json|hf://org/m@refs/pr/7" },
    { "hf://org/m@refs/convert/parquet/x", "hf://org/m@refs/convert/parquet|x|hf://org/m@refs/convert/parquet" },
    { "hf://org/m@feature%2Fone/x", "hf://org/m@feature%2Fone|x|hf://org/m@feature%2Fone" },
    { "https://huggingface.co/org/m", "hf://org/m||hf://org/m" },
    { "https://hf.co/org/m/tree/main", "hf://org/m@main||hf://org/m@main" },
    { "https://huggingface.co/org/m/tree/main/unet", "hf://org/m@main|unet|hf://org/m@main" },
    { "https://huggingface.co/org/m/blob/main/a.gguf?download=true#L1", "hf://org/m@main|a.gguf|hf://org/m@main" },
    { "https://huggingface.co/org/m/resolve/refs%2Fpr%2F1/a", "hf://org/m@refs%2Fpr%2F1|a|hf://org/m@refs%2Fpr%2F1" },
    { "https://huggingface.co/org/m/raw/v1/a", "hf://org/m@v1|a|hf://org/m@v1" },
    { "https://huggingface.co/org/m/blame/v1/a", "hf://org/m@v1|a|hf://org/m@v1" },
    { "https://hub.example/org/m/blob/v1/a", "hf://org/m@v1|a|hf://org/m@v1" },
    { "https://e.com/a/b%20c.gguf?sig=1#x", "https://e.com/a|b c.gguf|https://e.com/a/b%20c.gguf?sig=1" },
    { "https://e.com:8443/x.gguf", "https://e.com:8443|x.gguf|https://e.com:8443/x.gguf" },
    { "http://127.0.0.1:80/x.gguf", "http://127.0.0.1:80|x.gguf|http://127.0.0.1:80/x.gguf" },
    { "http://localhost/x.gguf", "http://localhost|x.gguf|http://localhost/x.gguf" },
    { "http://[::1]:9/x.gguf", "http://[::1]:9|x.gguf|http://[::1]:9/x.gguf" },
    /* refused */
    { "hf://", "USAGE not a repository" },
    { "hf://gpt2", "USAGE not a repository" },
    { "hf://org/../x", "USAGE not a repository" },
    { "hf://-org/x", "USAGE not a repository" },
    { "hf://org/m@", "USAGE empty revision" },
    { "hf://org/m@/x", "USAGE empty revision" },
    { "hf://org/m@../x", "USAGE leads nowhere" },
    { "hf://org/m@a%2F..%2Fb", "USAGE leads nowhere" },
    { "hf://org/m/../x", "USAGE leads nowhere" },
    { "hf://org/m/a%2F..%2Fb", "USAGE leads nowhere" },
    { "hf://org/m/a%00b", "USAGE %00" },
    { "hf://datasets/org/m", "USAGE not datasets" },
    { "hf://spaces/org/m", "USAGE not datasets" },
    { "https://huggingface.co/org/m/discussions/3", "USAGE no page" },
    { "https://huggingface.co/org", "USAGE not a repository" },
    { "https://e.com", "USAGE not the address" },
    { "https://e.com/", "USAGE not the address" },
    { "https://e.com/a/", "USAGE not the address" },
    { "https://e.com/../x", "USAGE not the address" },
    { "https:///x", "USAGE not the address" },
    { "https://me:secret@e.com/x", "USAGE password" },
    { "http://e.com/x", "USAGE another machine" },
    { "http://127.0.0.1.e.com/x", "USAGE another machine" },
    { "http://localhost.e.com/x", "USAGE another machine" },
};
/* clang-format on */

static void test_urls(void **state)
{
    unsigned failed = 0;
    numel_options o = { .size = sizeof o, .environment = hub_host };
    (void)state;
    for (size_t i = 0; i < ROWS_OF(urls); i++) {
        struct arena a;
        struct remote_url u;
        numel_error e = { .code = NUMEL_OK };
        char got[800];
        arena_init(&a, &memory_malloc);
        bool ok = remote_parse(&u, urls[i].url, &o, &a, &e);
        if (ok) snprintf(got, sizeof got, "%s|%s|%s", u.name.p, u.path.p, u.request.p);
        bool refused = strncmp(urls[i].answer, "USAGE ", 6) == 0;
        ROW(failed, ok == !refused, "%s: %s", urls[i].url, ok ? got : e.what);
        if (ok && !refused) ROW(failed, strcmp(got, urls[i].answer) == 0, "%s: %s", urls[i].url, got);
        if (!ok) ROW(failed, e.code == NUMEL_E_USAGE, "%s: %s", urls[i].url, numel_rc_name(e.code));
        if (!ok && refused) {
            const char *word = strrchr(urls[i].answer, ' ') + 1;
            ROW(failed, strstr(e.what, word) != NULL, "%s: %s", urls[i].url, e.what);
        }
        arena_done(&a);
    }
    assert_int_equal(failed, 0);
}

/* ---- a host in memory ----------------------------------------------------------------------- */

enum fault { HONEST, CHANGES, GROWS, SHORT, LONG, FAILS, CLIMBS, LIES };

struct host {
    enum fault fault;
    bool torch;                          /* lists the file of PyTorch, and nothing else */
    uint64_t bytes, ranges, calls, most; /* most: in one call */
    char error[64];
};

struct stored {
    const char *path;
    size_t bytes;
    char *content;
};

/* A safetensors file of one tensor a.weight, F32 [n]: 8 bytes of length, the header, 4 n bytes. */
static size_t safetensors(char **out, unsigned n, size_t padding)
{
    char head[256];
    int length =
        snprintf(head, sizeof head,
                 "{\"a.weight\":{\"dtype\":\"F32\",\"shape\":[%u],\"data_offsets\":[0,%u]}}", n, 4 * n);
    size_t whole = (size_t)length + padding, bytes = 8 + whole + 4 * (size_t)n;
    *out = calloc(1, bytes + 1);
    memset(*out + 8, ' ', whole);
    memcpy(*out + 8, head, (size_t)length);
    for (int i = 0; i < 4; i++) (*out)[i] = (char)(whole >> 8 * i & 0xFF);
    return bytes;
}

static struct stored files[8];
static size_t count;

static void store(const char *path, char *content, size_t bytes)
{
    files[count++] = (struct stored){ path, bytes, content };
}

static const struct stored *stored_at(const char *url)
{
    static const char base[] = "hf://org/m@0123456789012345678901234567890123456789/";
    if (strncmp(url, base, sizeof base - 1) != 0) return NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(files[i].path, url + sizeof base - 1) == 0) return &files[i];
    return NULL;
}

static numel_rc list(void *ctx, const char *url, numel_remote_file_fn *file, void *file_ctx, numel_error *e)
{
    const struct host *h = ctx;
    const char *commit = "0123456789012345678901234567890123456789";
    (void)e;
    assert_string_equal(url, "hf://org/m");
    if (!file(file_ctx, commit, NULL)) return NUMEL_E_STOPPED;
    for (size_t i = 0; i < count; i++) {
        numel_remote_file f = NUMEL_INIT(numel_remote_file);
        if (h->torch != (strstr(files[i].path, ".bin") != NULL)) continue;
        f.path = h->fault == CLIMBS && i == 1 ? "../../../../tmp/numel-climbed" : files[i].path;
        f.bytes = files[i].bytes + (h->fault == LIES);
        if (!file(file_ctx, commit, &f)) return NUMEL_E_STOPPED;
    }
    return NUMEL_OK;
}

static numel_rc read_ranges(void *ctx, numel_range *ranges, size_t n, numel_error *e)
{
    struct host *h = ctx;
    h->calls++;
    if (n > h->most) h->most = n;
    for (size_t i = 0; i < n; i++) {
        numel_range *r = &ranges[i];
        const struct stored *f = stored_at(r->url);
        assert_non_null(f);
        assert_true(r->offset <= f->bytes);
        if (h->fault == FAILS) {
            *e = (numel_error){ .code = NUMEL_E_IO, .offset = NUMEL_NOWHERE };
            snprintf(e->what, sizeof e->what, "its licence has to be accepted");
            snprintf(e->file, sizeof e->file, "%s", r->url);
            return NUMEL_E_IO;
        }
        uint64_t left = f->bytes - r->offset;
        r->got = r->length < left ? r->length : left;
        memcpy(r->bytes, f->content + r->offset, (size_t)r->got);
        if (h->fault == SHORT && r->got) r->got--;
        if (h->fault == LONG) r->got = r->length + 1;
        r->whole = f->bytes + (h->fault == GROWS && r->offset);
        snprintf(r->etag, sizeof r->etag, "e%zu%s", (size_t)(f - files),
                 h->fault == CHANGES && r->offset ? "x" : "");
        if (r->pin) assert_true(strncmp(r->pin, r->etag, 2) == 0);
        assert_int_equal(r->pin != NULL, r->offset != 0);
        h->bytes += r->got;
        h->ranges++;
    }
    return NUMEL_OK;
}

static numel_options options_of(struct host *h, const numel_allocator *m)
{
    numel_options o = NUMEL_INIT(numel_options);
    o.allocator = m;
    o.read = read_ranges;
    o.list = list;
    o.remote_ctx = h;
    return o;
}

/* Two shards, one with a header above 64 KiB: its rest is a second range. */
static int build(void **state)
{
    char *a, *b;
    (void)state;
    size_t n = safetensors(&a, 1000, 0), m = safetensors(&b, 5, 100000);
    b[9] = 'b'; /* "{"b.weight" would need its quote: the name is a.weight, of one byte more */
    b[9] = '"', b[10] = 'b';
    store("config.json", strdup("{\"model_type\": \"none\"}"), 22);
    store("model-00001-of-00002.safetensors", a, n);
    store("model-00002-of-00002.safetensors", b, m);
    store("README.md", strdup("# x"), 3);
    store("sub/x.onnx", strdup("01234"), 5);
    return 0;
}

/* fixtures/good/pytorch/zip.hex, with a gap between its records and its directory, larger than the first ranges. */
static int build_torch(void **state)
{
    enum { GAP = 200000, END = 22 };
    struct fixtures all;
    fixtures_load(&all, fixtures_root(), "good");
    for (size_t i = 0; i < all.count; i++) {
        const struct hex *x = &all.items[i].bytes;
        if (!strstr(all.items[i].path, "/pytorch/zip.hex")) continue;
        char *content = calloc(1, x->n + GAP), *end = content + x->n + GAP - END;
        size_t at = (size_t)num_load(x->p + x->n - END + 16, 4, false);
        memcpy(content, x->p, at);
        memcpy(content + at + GAP, x->p + at, x->n - at);
        num_store_le64((uint8_t *)end + 12, num_load((uint8_t *)end + 12, 4, false) | (uint64_t)(at + GAP)
                                                                                          << 32);
        store("pytorch_model.bin", content, x->n + GAP);
    }
    fixtures_free(&all);
    return build(state);
}

/* Of a zip: the front with the pickle, the end with the directory, and nothing between them. */
static void test_torch(void **state)
{
    struct host h = { .fault = HONEST, .torch = true };
    const numel_options o = options_of(&h, NULL);
    numel_found *found;
    numel_checkpoint *ck;
    numel_error e;
    (void)state;
    assert_int_equal(numel_find(&found, "hf://org/m", &o, &e), NUMEL_OK);
    assert_int_equal(h.ranges, 2);
    assert_int_equal(h.bytes, 65536 + 22 + 65535);
    assert_int_equal(numel_open(&ck, found, 0, &o, &e), NUMEL_OK);
    assert_int_equal(numel_tensor_count(ck), 2);
    assert_int_equal(numel_file_at(ck, 0)->bytes, files[0].bytes);
    assert_int_equal(numel_file_at(ck, 0)->data, NUMEL_DATA_ABSENT);
    numel_free(ck);
    numel_found_free(found);
    h.fault = CHANGES;
    assert_int_equal(numel_find(&found, "hf://org/m", &o, &e), NUMEL_E_CHANGED);
    h.fault = SHORT;
    assert_int_equal(numel_find(&found, "hf://org/m", &o, &e), NUMEL_E_CHANGED);
}

static int demolish(void **state)
{
    (void)state;
    for (size_t i = 0; i < count; i++) free(files[i].content);
    count = 0;
    return 0;
}

/* The header of a shard: 8 bytes and as many as they say. */
static uint64_t header_of(const struct stored *f)
{
    uint64_t n = 8;
    for (int i = 0; i < 4; i++) n += (uint64_t)(uint8_t)f->content[i] << 8 * i;
    return n;
}

static void test_headers_only(void **state)
{
    struct host h = { .fault = HONEST };
    const numel_options o = options_of(&h, NULL);
    numel_found *found;
    numel_checkpoint *ck;
    numel_error e;
    char path[PRIVATE_PATH + 64];
    (void)state;
    assert_int_equal(numel_find(&found, "hf://org/m", &o, &e), NUMEL_OK);
    assert_int_equal(numel_found_count(found), 1);
    assert_string_equal(numel_found_path(found, 0), "hf://org/m");
    /* the small file; the first 64 KiB of each shard, or all of it; and the rest of one header */
    uint64_t front = files[2].bytes < 65536 ? files[2].bytes : 65536;
    assert_int_equal(h.bytes, 22 + front + header_of(&files[3]));
    assert_int_equal(h.ranges, 4);
    assert_int_equal(h.calls, 3);
    assert_int_equal(h.most, 2);
    assert_int_equal(numel_open(&ck, found, 0, &o, &e), NUMEL_OK);
    assert_string_equal(numel_path(ck), "hf://org/m");
    assert_int_equal(numel_tensor_count(ck), 2);
    assert_int_equal(numel_file_at(ck, 0)->bytes, files[2].bytes);
    assert_int_equal(numel_file_at(ck, 1)->bytes, files[3].bytes);
    assert_int_equal(numel_file_at(ck, 0)->data, NUMEL_DATA_ABSENT);
    snprintf(path, sizeof path, "%s", found->remote->path);
    assert_int_equal(path_kind(path), PATH_DIRECTORY);
    snprintf(path + strlen(path), 64, "/sub/x.onnx");
    assert_int_equal(path_kind(path), PATH_ABSENT); /* it was not read */
    assert_int_equal(path_bytes(path), 5);
    snprintf(path, sizeof path, "%s", found->remote->folder.path);
    numel_free(ck);
    numel_found_free(found);
    assert_int_equal(path_kind(path), PATH_ABSENT);
}

static void test_faults(void **state)
{
    static const struct {
        enum fault fault;
        numel_rc rc;
        const char *says, *file;
    } rows[] = {
        { CHANGES, NUMEL_E_CHANGED, "changed while", "hf://org/m/model-00002-of-00002.safetensors" },
        { GROWS, NUMEL_E_CHANGED, "the listing says", "hf://org/m/model-00002-of-00002.safetensors" },
        { LIES, NUMEL_E_CHANGED, "the listing says 23", "hf://org/m/config.json" },
        { SHORT, NUMEL_E_CHANGED, "21 bytes came, 22 were asked for", "hf://org/m/config.json" },
        { LONG, NUMEL_E_CHANGED, "", "hf://org/m/config.json" },
        { FAILS, NUMEL_E_IO, "licence", "hf://org/m/config.json" },
        { CLIMBS, NUMEL_OK, "", "" },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct host h = { .fault = rows[i].fault };
        const numel_options o = options_of(&h, NULL);
        numel_found *found;
        numel_error e = { .code = NUMEL_OK };
        numel_rc rc = numel_find(&found, "hf://org/m", &o, &e);
        ROW(failed, rc == rows[i].rc, "%zu: %s, %s", i, numel_rc_name(rc), e.what);
        ROW(failed, strstr(e.what, rows[i].says) != NULL, "%zu: %s", i, e.what);
        ROW(failed, strcmp(e.file, rows[i].file) == 0, "%zu: %s", i, e.file);
        numel_found_free(found);
    }
    assert_int_equal(path_kind("/tmp/numel-climbed"), PATH_ABSENT);
    assert_int_equal(failed, 0);
}

/* Without a host that reads, and of what reads data. */
static void test_refused(void **state)
{
    struct host h = { .fault = HONEST };
    const numel_options o = options_of(&h, NULL);
    const char *path = "hf://org/m";
    numel_found *found;
    numel_report *r;
    numel_subject *s;
    numel_error e;
    numel_check check = NUMEL_INIT(numel_check);
    (void)state;
    assert_int_equal(numel_find(&found, path, NULL, &e), NUMEL_E_USAGE);
    assert_non_null(strstr(e.what, "numel_options.read"));
    assert_int_equal(numel_report_hash(&r, &path, 1, NULL, &o, NULL, &e), NUMEL_E_USAGE);
    assert_int_equal(h.calls, 0);
    assert_int_equal(numel_subject_open(&s, path, NULL, &o, &e), NUMEL_OK);
    check.level = NUMEL_LEVEL_HASH;
    assert_int_equal(numel_report_verify(&r, s, &check, &e), NUMEL_E_USAGE);
    check.level = NUMEL_LEVEL_CONFIG;
    assert_int_equal(numel_report_verify(&r, s, &check, &e), NUMEL_OK);
    numel_report_free(r);
    numel_subject_close(s);
}

/* Each allocation fails in turn: NOMEM without leaks, and nothing is left behind. */
static void starve(bool torch)
{
    unsigned failed = 0;
    bool reached = true;
    for (uint64_t k = 0; reached && k < 2000; k += check_every()) {
        struct host h = { .fault = HONEST, .torch = torch };
        struct check_memory m;
        numel_found *found;
        numel_error e = { .code = NUMEL_OK };
        check_memory_init(&m, k);
        const numel_options o = options_of(&h, &m.allocator);
        numel_rc rc = numel_find(&found, "hf://org/m", &o, &e);
        reached = m.calls > k;
        ROW(failed, !reached || rc == NUMEL_E_NOMEM, "allocation %llu: %s %s", (unsigned long long)k,
            numel_rc_name(rc), e.what);
        numel_found_free(found);
        ROW(failed, m.outstanding == 0, "allocation %llu leaks", (unsigned long long)k);
    }
    assert_int_equal(failed, 0);
}

static void test_no_memory(void **state)
{
    (void)state;
    starve(false);
    starve(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_urls),    cmocka_unit_test(test_headers_only), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_no_memory),    cmocka_unit_test(test_torch),
    };
    return cmocka_run_group_tests(tests, build_torch, demolish);
}
