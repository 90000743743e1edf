/*
 * test_stream.c -- files read by offset that change during use, their holes, and journals that are
 * incomplete, belong to another program, or lose their disk.
 */
#include "../support/t.h"

#include "source/journal.h"
#include "source/stream.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char first[] = "# journal 1\n";
static char path[64];

static void put(const char *name, const void *p, size_t n)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static int make_file(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/numel-test-XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void reads_what_is_there(void **state)
{
    struct stream s;
    numel_error e = { 0 };
    char p[4] = "";
    (void)state;
    put(path, "0123456789", 10);
    assert_true(stream_open(&s, path, &e));
    assert_true(stream_read(&s, 7, p, 3, &e));
    assert_string_equal(p, "789");
    assert_false(stream_read(&s, 8, p, 3, &e));
    assert_int_equal(e.code, NUMEL_E_CHANGED);
    assert_int_equal(e.offset, 10);
    assert_false(stream_close(&s, &e)); /* the first error stays */
    assert_int_equal(e.offset, 10);
}

static void is_no_directory(void **state)
{
    struct stream s;
    numel_error e = { 0 };
    (void)state;
    assert_false(stream_open(&s, "/", &e));
    assert_int_equal(e.code, NUMEL_E_IO);
    assert_int_equal(s.descriptor, -1);
}

/* Another file with the same size and bytes under the same name is a different file. */
static void notices_a_replacement(void **state)
{
    struct stream s;
    numel_error e = { 0 };
    char other[80];
    (void)state;
    put(path, "same", 4);
    snprintf(other, sizeof other, "%s.other", path);
    put(other, "same", 4);
    assert_true(stream_open(&s, path, &e));
    assert_int_equal(rename(other, path), 0);
    assert_false(stream_close(&s, &e));
    assert_int_equal(e.code, NUMEL_E_CHANGED);
    assert_non_null(strstr(e.what, "another file took its name"));
}

/* A file system without holes reports none. */
static void finds_holes(void **state)
{
    struct stream s;
    numel_error e = { 0 };
    uint64_t begin = 0, end = 0;
    enum { MIB = 1 << 20 };
    (void)state;
    put(path, "x", 1);
    assert_int_equal(truncate(path, 4 * MIB), 0);
    assert_true(stream_open(&s, path, &e));
    if (stream_hole(&s, 0, 4 * MIB, &begin, &end)) {
        assert_in_range(begin, 1, MIB);
        assert_int_equal(end, 4 * MIB);
    }
    assert_false(stream_hole(&s, 0, 1, &begin, &end)); /* its first page holds data */
    assert_true(stream_close(&s, &e));
}

static void keeps_records(void **state)
{
    struct journal j;
    numel_error e = { 0 };
    (void)state;
    put(path, "", 0);
    assert_true(journal_open(&j, path, first, &memory_malloc, &e));
    assert_null(j.text);
    assert_true(journal_append(&j, "one\n", 4));
    journal_close(&j);
    assert_true(journal_open(&j, path, first, &memory_malloc, &e));
    assert_int_equal(j.size, sizeof first - 1 + 4);
    assert_memory_equal(j.text, "# journal 1\none\n", j.size);
    assert_true(journal_append(&j, "two\n", 4));
    journal_close(&j);
    assert_true(journal_open(&j, path, first, &memory_malloc, &e));
    assert_memory_equal(j.text, "# journal 1\none\ntwo\n", j.size);
    journal_close(&j);
    assert_false(journal_append(&j, "three\n", 6));
}

static void leaves_others_alone(void **state)
{
    static const char theirs[] = "a thesis, and the only copy of it";
    struct journal j;
    numel_error e = { 0 };
    char kept[sizeof theirs] = "";
    (void)state;
    put(path, theirs, sizeof theirs - 1);
    assert_false(journal_open(&j, path, first, &memory_malloc, &e));
    assert_int_equal(e.code, NUMEL_E_FORMAT);
    assert_false(journal_keeps(&j));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(kept, 1, sizeof kept, f), sizeof theirs - 1);
    fclose(f);
    assert_string_equal(kept, theirs);
}

static void keeps_nothing(void **state)
{
    struct journal j;
    numel_error e = { 0 };
    (void)state;
    assert_true(journal_open(&j, NULL, first, &memory_malloc, &e));
    assert_false(journal_keeps(&j));
    assert_false(journal_append(&j, "x", 1));
    journal_close(&j);
    assert_false(journal_open(&j, "/", first, &memory_malloc, &e));
    assert_int_equal(e.code, NUMEL_E_IO);
}

/* A failed write ends the journal, and nothing else. */
static void gives_up_on_a_full_disk(void **state)
{
    struct journal j = { .memory = &memory_malloc };
    (void)state;
    j.descriptor = open("/dev/full", O_WRONLY);
    if (j.descriptor < 0) skip();
    assert_false(journal_append(&j, "x", 1));
    assert_false(journal_keeps(&j));
    journal_close(&j);
}

/* ---- paths that programs ask for ------------------------------------------------------------ */

static void says_what_a_path_is(void **state)
{
    char none[80];
    (void)state;
    snprintf(none, sizeof none, "%s.none", path);
    assert_int_equal(numel_path_kind(path), NUMEL_KIND_FILE);
    assert_int_equal(numel_path_kind("/"), NUMEL_KIND_FOLDER);
    assert_int_equal(numel_path_kind("/dev/null"), NUMEL_KIND_OTHER);
    assert_int_equal(numel_path_kind(none), NUMEL_KIND_ABSENT);
}

/* The same place for the same file under any name; a different one for another file. */
static void places_a_journal(void **state)
{
    char folder[80], deep[96], one[160], two[160], roundabout[80];
    const char *paths[] = { path }, *same[] = { roundabout }, *other[] = { "/" };
    numel_error e;
    (void)state;
    snprintf(folder, sizeof folder, "%s.d", path);
    snprintf(deep, sizeof deep, "%s/deep", folder);
    snprintf(roundabout, sizeof roundabout, "/tmp/../tmp/%s", path + 5);
    assert_int_equal(numel_resume_place(one, sizeof one, deep, paths, 1, NULL, &e), NUMEL_OK);
    assert_int_equal(numel_path_kind(deep), NUMEL_KIND_FOLDER);
    assert_int_equal(numel_path_kind(one), NUMEL_KIND_ABSENT);
    assert_int_equal(numel_resume_place(two, sizeof two, deep, same, 1, NULL, &e), NUMEL_OK);
    assert_string_equal(one, two);
    assert_int_equal(numel_resume_place(two, sizeof two, deep, other, 1, NULL, &e), NUMEL_OK);
    assert_string_not_equal(one, two);
    assert_int_equal(numel_resume_place(two, 20, deep, other, 1, NULL, &e), NUMEL_E_USAGE);
    put(one, "x", 1);
    numel_resume_remove(one);
    assert_int_equal(numel_path_kind(one), NUMEL_KIND_ABSENT);
    assert_int_equal(rmdir(deep), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(numel_resume_place(two, sizeof two, path, other, 1, NULL, &e), NUMEL_E_IO); /* a file */
}

static void loads_a_text(void **state)
{
    numel_printout p = NUMEL_INIT(numel_printout);
    numel_error e;
    (void)state;
    static const char text[] = "Net(\n  (a): Linear(in_features=1, out_features=2, bias=False)\n)\n";
    put(path, text, sizeof text - 1);
    assert_int_equal(numel_printout_load(&p, path, NULL, &e), NUMEL_OK);
    assert_int_equal(p.bytes, sizeof text - 1);
    assert_memory_equal(p.text, text, sizeof text - 1);
    numel_printout_unload(&p, NULL);
    put(path, "Linear is a word\n", 17);
    assert_int_equal(numel_printout_load(&p, path, NULL, &e), NUMEL_E_FORMAT); /* nothing is printed in it */
    put(path, "a\0b", 3);
    assert_int_equal(numel_printout_load(&p, path, NULL, &e), NUMEL_E_FORMAT);
    put(path, "", 0);
    assert_int_equal(numel_printout_load(&p, path, NULL, &e), NUMEL_E_FORMAT);
    assert_int_equal(numel_printout_load(&p, "/", NULL, NULL), NUMEL_E_IO);
    assert_null(p.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_what_is_there, make_file, remove_file),
        cmocka_unit_test(is_no_directory),
        cmocka_unit_test_setup_teardown(notices_a_replacement, make_file, remove_file),
        cmocka_unit_test_setup_teardown(finds_holes, make_file, remove_file),
        cmocka_unit_test_setup_teardown(keeps_records, make_file, remove_file),
        cmocka_unit_test_setup_teardown(leaves_others_alone, make_file, remove_file),
        cmocka_unit_test(keeps_nothing),
        cmocka_unit_test(gives_up_on_a_full_disk),
        cmocka_unit_test_setup_teardown(says_what_a_path_is, make_file, remove_file),
        cmocka_unit_test_setup_teardown(places_a_journal, make_file, remove_file),
        cmocka_unit_test_setup_teardown(loads_a_text, make_file, remove_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
