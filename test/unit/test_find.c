/*
 * test_find.c -- what a path stands for: parsed names, and directories built for the test.
 *
 * A directory is a list of lines: "NAME", "NAME=content", "NAME>target" (a symbolic link), "NAME/". The
 * result is written as
 *
 *     KIND heading in dir
 *       name: where it is, "-" if missing
 *
 * with the directory itself written "@".
 */
#include "../support/check.h"
#include "../support/folder.h"
#include "../support/t.h"

#include "base/text.h"
#include "reader/find.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names -------------------------------------------------------------------------------- */

static void test_shard_names(void **state)
{
    static const struct {
        const char *name, *prefix, *suffix;
        uint64_t number, total;
        size_t digits[2];
    } rows[] = {
        { "model-00003-of-00012.safetensors", "model-", ".safetensors", 3, 12, { 5, 5 } },
        { "model-00001-of-000163.safetensors", "model-", ".safetensors", 1, 163, { 5, 6 } },
        { "m-000001-of-000163.gguf", "m-", ".gguf", 1, 163, { 6, 6 } },
        { "00001-of-00002.gguf", "", ".gguf", 1, 2, { 5, 5 } },
        { "a.b-Q4_K-00002-of-00002.gguf", "a.b-Q4_K-", ".gguf", 2, 2, { 5, 5 } },
        { "x-00001-of-00002-00003-of-00004.x", "x-00001-of-00002-", ".x", 3, 4, { 5, 5 } },
        { "m-00001-of-00002.fp16.safetensors", "m-", ".fp16.safetensors", 1, 2, { 5, 5 } },
        { "m.fp16-00001-of-00002.safetensors", "m.fp16-", ".safetensors", 1, 2, { 5, 5 } },
        { "m-00001-of-00002.a.b.safetensors", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-999999-of-999999.gguf", "m-", ".gguf", 999999, 999999, { 6, 6 } },
        { "m-00001-of-00001.gguf", "m-", ".gguf", 1, 1, { 5, 5 } },
        { "model.safetensors", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-0001-of-0002.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-0000001-of-0000002.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-00001-of-18446744073709551617.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-00001_of_00002.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-00001-of-00002", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-00001-of-00002x.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-00001-of-.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { "-of-00002.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { "of-00002.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-00001-of-00000.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { "m-00000-of-00002.gguf", NULL, NULL, 0, 0, { 0, 0 } }, /* sets count from 1 */
        { "m-00003-of-00002.gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { ".gguf", NULL, NULL, 0, 0, { 0, 0 } },
        { ".", NULL, NULL, 0, 0, { 0, 0 } },
        { "", NULL, NULL, 0, 0, { 0, 0 } },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct shard_name n;
        POISON(n);
        bool is = shard_name_parse(text_of(rows[i].name), &n);
        ROW(failed, is == (rows[i].prefix != NULL), "%s: %d", rows[i].name, is);
        if (!is || !rows[i].prefix) continue;
        ROW(failed,
            text_equal(n.prefix, rows[i].prefix) && text_equal(n.suffix, rows[i].suffix) &&
                n.number == rows[i].number && n.total == rows[i].total &&
                n.number_digits == rows[i].digits[0] && n.total_digits == rows[i].digits[1],
            "%s: '%.*s' %llu of %llu '%.*s'", rows[i].name, (int)n.prefix.n, n.prefix.p,
            (unsigned long long)n.number, (unsigned long long)n.total, (int)n.suffix.n, n.suffix.p);
    }
    assert_int_equal(failed, 0);
}

static void test_plain_names(void **state)
{
    static const char *const rows[][2] = {
        { "a.gguf", "a.gguf" },
        { "a.gguf.zst", "a.gguf" },
        { "a.gguf.head.zst", "a.gguf" },
        { "a.head.zst.zst", "a.head.zst" },
        { "a.head", "a.head" },
        { ".zst", "" },
        { ".head.zst", "" },
        { "zst", "zst" },
        { "a.ZST", "a.ZST" },
        { "", "" },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        numel_str is = plain_name(text_of(rows[i][0]));
        ROW(failed, text_equal(is, rows[i][1]), "%s: '%.*s'", rows[i][0], (int)is.n, is.p);
    }
    assert_int_equal(failed, 0);
}

/* ---- directories -------------------------------------------------------------------------- */

enum { FILES = 12 };

/* clang-format off */
static const struct row {
    const char *about, *files[FILES], *path, *found; /* NULL if refused */
} rows[] = {
    { "a file by itself", { "a.gguf", "b.gguf" }, "/a.gguf", "FILE @/a.gguf in @\n  a.gguf: @/a.gguf\n" },
    { "what is not there is for opening to say", { NULL }, "/x.gguf",
      "FILE @/x.gguf in .\n  x.gguf: @/x.gguf\n" },
    { "nothing", { NULL }, "", NULL },
    { "nothing that we read", { "flax_model.msgpack", "generation_config.json", "README.md" }, "", NULL },
    { "a configuration alone", { "flax_model.msgpack", "config.json", "README.md" }, "", "FILE @ in @\n" },
    { "two folders down", { "a/", "a/vae/", "a/vae/x.safetensors", "a/y.txt" }, "",
      "FILE @/a/vae/x.safetensors in @/a/vae\n  x.safetensors: @/a/vae/x.safetensors\n" },
    { "three folders down", { "a/", "a/b/", "a/b/c/", "a/b/c/x.safetensors" }, "", NULL },
    { "all files of a directory", { "b.gguf", "a10.safetensors", "a2.safetensors", "x.txt" }, "",
      "FILE @/a2.safetensors in @\n  a2.safetensors: @/a2.safetensors\n"
      "FILE @/a10.safetensors in @\n  a10.safetensors: @/a10.safetensors\n"
      "FILE @/b.gguf in @\n  b.gguf: @/b.gguf\n" },
    { "a pattern", { "m-00001-of-00002.gguf", "m-00002-of-00002.gguf" }, "",
      "PATTERN @ in @\n  m-00001-of-00002.gguf: @/m-00001-of-00002.gguf\n"
      "  m-00002-of-00002.gguf: @/m-00002-of-00002.gguf\n" },
    { "a pattern by one of its shards", { "m-00001-of-00002.gguf", "m-00002-of-00002.gguf" },
      "/m-00002-of-00002.gguf",
      "PATTERN @/m-00002-of-00002.gguf in @\n  m-00001-of-00002.gguf: @/m-00001-of-00002.gguf\n"
      "  m-00002-of-00002.gguf: @/m-00002-of-00002.gguf\n" },
    { "a shard is missing", { "m-00002-of-00003.gguf", "m-00003-of-00003.gguf" }, "",
      "PATTERN @ in @\n  m-00001-of-00003.gguf: -\n"
      "  m-00002-of-00003.gguf: @/m-00002-of-00003.gguf\n"
      "  m-00003-of-00003.gguf: @/m-00003-of-00003.gguf\n" },
    { "two sets and a file",
      { "m-00001-of-00001.gguf", "n-00001-of-00001.gguf", "mmproj.gguf" }, "/",
      "PATTERN @/m-00001-of-00001.gguf in @/\n  m-00001-of-00001.gguf: @/m-00001-of-00001.gguf\n"
      "PATTERN @/n-00001-of-00001.gguf in @/\n  n-00001-of-00001.gguf: @/n-00001-of-00001.gguf\n"
      "FILE @/mmproj.gguf in @/\n  mmproj.gguf: @/mmproj.gguf\n" },
    { "counted from 0: no set, but the file asked for", { "m-00000-of-00002.gguf" },
      "/m-00000-of-00002.gguf",
      "FILE @/m-00000-of-00002.gguf in @\n  m-00000-of-00002.gguf: @/m-00000-of-00002.gguf\n" },
    { "an index",
      { "model.safetensors.index.json={\"weight_map\":{\"a\":\"s10\",\"b\":\"s2\",\"c\":\"s10\"}}",
        "s10", "s2" }, "",
      "INDEX @ in @\n  s2: @/s2\n  s10: @/s10\n" },
    { "an index by itself, a shard missing",
      { "x.index.json={\"weight_map\":{\"a\":\"s.gguf\",\"b\":\"t.gguf\"}}", "s.gguf" },
      "/x.index.json", "INDEX @/x.index.json in @\n  s.gguf: @/s.gguf\n  t.gguf: -\n" },
    { "an index by its shard, not by another file",
      { "x.index.json={\"weight_map\":{\"a\":\"s.gguf\"}}", "s.gguf", "t.gguf" }, "/s.gguf",
      "INDEX @/x.index.json in @\n  s.gguf: @/s.gguf\n" },
    { "a file that the index does not name",
      { "x.index.json={\"weight_map\":{\"a\":\"s.gguf\"}}", "s.gguf", "t.gguf" }, "/t.gguf",
      "FILE @/t.gguf in @\n  t.gguf: @/t.gguf\n" },
    { "an index goes before the pattern",
      { "x.index.json={\"weight_map\":{\"a\":\"m-00001-of-00002.gguf\"}}", "m-00001-of-00002.gguf",
        "m-00002-of-00002.gguf" }, "/m-00001-of-00002.gguf",
      "INDEX @/x.index.json in @\n  m-00001-of-00002.gguf: @/m-00001-of-00002.gguf\n" },
    { "an index of pickles", { "pytorch_model.bin.index.json={\"weight_map\":{\"a\":\"p.bin\"}}",
                               "p.bin", "m.safetensors" }, "",
      "FILE @/m.safetensors in @\n  m.safetensors: @/m.safetensors\n" },
    { "an index that is none says so when opened", { "x.index.json={}" }, "",
      "FILE @/x.index.json in @\n  x.index.json: @/x.index.json\n" },
    { "names that leave the directory",
      { "d/", "d/x.index.json={\"weight_map\":{\"a\":\"../s\",\"b\":\"/etc/passwd\",\"c\":\"\","
        "\"e\":\"k/../../s\"}}", "s" }, "/d",
      "INDEX @/d in @/d\n  : -\n  ../s: -\n  /etc/passwd: -\n  k/../../s: -\n" },
    { "shards in folders", { "x.index.json={\"weight_map\":{\"a\":\"k/s\",\"b\":\"k/t\"}}", "k/", "k/s" },
      "", "INDEX @ in @\n  k/s: @/k/s\n  k/t: -\n" },
    { "head copies", { "m-00001-of-00002.gguf.head.zst", "m-00002-of-00002.gguf.zst" }, "",
      "PATTERN @ in @\n  m-00001-of-00002.gguf: @/m-00001-of-00002.gguf.head.zst\n"
      "  m-00002-of-00002.gguf: @/m-00002-of-00002.gguf.zst\n" },
    { "a copy beside its file", { "a.gguf", "a.gguf.head.zst", "b.gguf.head.zst" }, "",
      "FILE @/a.gguf in @\n  a.gguf: @/a.gguf\n"
      "FILE @/b.gguf.head.zst in @\n  b.gguf.head.zst: @/b.gguf.head.zst\n" },
    { "the file itself goes before its copies",
      { "m-00001-of-00001.gguf", "m-00001-of-00001.gguf.head.zst", "m-00001-of-00001.gguf.zst" }, "",
      "PATTERN @ in @\n  m-00001-of-00001.gguf: @/m-00001-of-00001.gguf\n" },
    { "a cache, refs/main names the snapshot",
      { "blobs/", "blobs/x", "refs/", "refs/main=c1\n", "snapshots/", "snapshots/c1/",
        "snapshots/c2/", "snapshots/c1/m.gguf>../../blobs/x", "snapshots/c2/n.gguf" }, "",
      "FILE @/snapshots/c1/m.gguf in @/snapshots/c1\n  m.gguf: @/snapshots/c1/m.gguf\n" },
    { "a cache without refs", { "snapshots/", "snapshots/c2/", "snapshots/c2/n.gguf" }, "",
      "FILE @/snapshots/c2/n.gguf in @/snapshots/c2\n  n.gguf: @/snapshots/c2/n.gguf\n" },
    { "refs that lead elsewhere", { "refs/", "refs/main=../up", "snapshots/", "up/", "up/x.gguf",
                                    "snapshots/c2/", "snapshots/c2/n.gguf" }, "",
      "FILE @/snapshots/c2/n.gguf in @/snapshots/c2\n  n.gguf: @/snapshots/c2/n.gguf\n" },
    { "diffusers", { "model_index.json={}", "unet/", "unet/u.safetensors", "vae/",
                     "vae/v.safetensors", ".git/", ".git/g.safetensors", "text/", "text/config.json" },
      "", "FILE @/unet/u.safetensors in @/unet\n  u.safetensors: @/unet/u.safetensors\n"
      "FILE @/vae/v.safetensors in @/vae\n  v.safetensors: @/vae/v.safetensors\n" },
    { "one level down, when nothing is here", { "k/", "k/a.gguf", "k/l/", "k/l/b.gguf" }, "",
      "FILE @/k/a.gguf in @/k\n  a.gguf: @/k/a.gguf\n" },
    { "not down, when something is here", { "a.gguf", "k/", "k/b.gguf" }, "",
      "FILE @/a.gguf in @\n  a.gguf: @/a.gguf\n" },
    { "a directory named like a file", { "a.gguf/", "a.gguf/b.gguf", "c.gguf" }, "",
      "FILE @/c.gguf in @\n  c.gguf: @/c.gguf\n" },
};
/* clang-format on */

static char root[64];

static void make_one(const char *line)
{
    char path[600], text[512];
    snprintf(text, sizeof text, "%s", line);
    size_t n = strcspn(text, "=>");
    char how = text[n];
    text[n] = 0;
    snprintf(path, sizeof path, "%s/%s", root, text);
    if (n && text[n - 1] == '/') {
        assert_int_equal(mkdir(path, 0700), 0);
    } else if (how == '>') {
        assert_int_equal(symlink(text + n + 1, path), 0);
    } else {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        if (how) fputs(text + n + 1, f);
        fclose(f);
    }
}

static void build(const struct row *r)
{
    snprintf(root, sizeof root, "/tmp/numel-find-XXXXXX");
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < FILES && r->files[i]; i++) make_one(r->files[i]);
}

/* A path with the directory's own name replaced by @. */
static void tell_path(struct buffer *b, const char *path)
{
    size_t n = strlen(root);
    bool here = path && strncmp(path, root, n) == 0;
    buffer_text(b, !path ? "-" : here ? "@" : path);
    if (here) buffer_text(b, path + n);
}

static void tell(struct buffer *b, const struct numel_found *f)
{
    static const char *const kinds[] = { "FILE ", "INDEX ", "PATTERN " };
    for (size_t i = 0; i < numel_found_count(f); i++) {
        const struct found_set *s = &f->sets[i];
        buffer_text(b, kinds[s->kind]);
        tell_path(b, numel_found_path(f, i));
        buffer_text(b, " in ");
        tell_path(b, s->dir);
        buffer_char(b, '\n');
        for (size_t k = 0; k < s->count; k++) {
            buffer_text(b, "  ");
            buffer_add(b, s->files[k].name.p, s->files[k].name.n);
            buffer_text(b, ": ");
            tell_path(b, s->files[k].path);
            buffer_char(b, '\n');
        }
    }
}

static numel_rc find_it(const struct row *r, const numel_options *options, struct buffer *told,
                        numel_error *e)
{
    char path[256];
    numel_found *found;
    POISON(found);
    POISON(*e);
    snprintf(path, sizeof path, "%s%s", root, r->path);
    numel_rc rc = numel_find(&found, path, options, e);
    assert_int_equal(rc, e->code);
    buffer_init(told, &memory_malloc);
    if (rc) assert_null(found);
    else tell(told, found);
    buffer_char(told, '\0');
    numel_found_free(found);
    return rc;
}

static void test_directories(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct buffer told;
        numel_error e;
        build(&rows[i]);
        numel_rc rc = find_it(&rows[i], NULL, &told, &e);
        ROW(failed, rc == (rows[i].found ? NUMEL_OK : NUMEL_E_FORMAT), "%s: %s", rows[i].about, e.what);
        ROW(failed, strcmp(told.p, rows[i].found ? rows[i].found : "") == 0, "%s:\n%sand not\n%s",
            rows[i].about, told.p, rows[i].found);
        buffer_done(&told);
        folder_remove(root);
    }
    assert_int_equal(failed, 0);
}

/* Each allocation fails in turn: NOMEM without leaks, never another result. */
static void test_no_memory(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        build(&rows[i]);
        bool reached = true;
        for (uint64_t k = 0; reached && k < 1000; k++) {
            struct check_memory m;
            numel_options options = { .size = sizeof(numel_options), .allocator = &m.allocator };
            struct buffer told;
            numel_error e;
            check_memory_init(&m, k);
            numel_rc rc = find_it(&rows[i], &options, &told, &e);
            reached = m.calls > k;
            ROW(failed, !reached || rc == NUMEL_E_NOMEM, "%s: allocation %llu: %s", rows[i].about,
                (unsigned long long)k, numel_rc_name(rc));
            ROW(failed, m.outstanding == 0, "%s: allocation %llu leaks", rows[i].about,
                (unsigned long long)k);
            buffer_done(&told);
        }
        folder_remove(root);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shard_names),
        cmocka_unit_test(test_plain_names),
        cmocka_unit_test(test_directories),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
