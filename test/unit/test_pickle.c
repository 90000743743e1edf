/* test_pickle.c -- reader/pickle_imports.h: what pickles import, and which imports weights do not need. The bytes
 * are pickletools' opcodes, written out. */
#include "../support/t.h"

#include "base/text.h"
#include "reader/pickle_imports.h"

#include <stdio.h>
#include <stdlib.h>

struct told {
    char text[400];
};

static void tell(void *ctx, numel_str module, numel_str name, bool hidden)
{
    struct told *t = ctx;
    size_t n = strlen(t->text);
    if (hidden) {
        snprintf(t->text + n, sizeof t->text - n, "? ");
        return;
    }
    char room[100];
    numel_str all = text_join(room, sizeof room - 1, module, text_of("."), name);
    assert_non_null(all.p);
    room[all.n] = 0;
    snprintf(t->text + n, sizeof t->text - n, "%s ", room);
}

enum { WHOLE = UINT16_MAX }; /* up to the last byte */
#define BYTES(s) s, sizeof(s) - 1
static const struct {
    const char *p;
    size_t n;
    enum pickle_end end;
    uint64_t used;
    const char *imports;
} rows[] = {
    { BYTES("N."), PICKLE_STOP, WHOLE, "" },
    { BYTES("cos\nsystem\n(S'id'\ntR."), PICKLE_STOP, WHOLE, "os.system " },
    { BYTES("(S'id'\nios\nsystem\n."), PICKLE_STOP, WHOLE, "os.system " },
    { BYTES("\x80\2cos\nsystem\nq\0."), PICKLE_STOP, WHOLE, "os.system " },
    { BYTES("\x80\4\x8c\2os\x8c\6system\x93."), PICKLE_STOP, WHOLE, "os.system " },
    { BYTES("\x80\4\x95\x0e\0\0\0\0\0\0\0\x8c\2os\x94\x8c\6system\x94\x93\x94."), PICKLE_STOP, WHOLE,
      "os.system " },
    /* out of the memo, in either order */
    { BYTES("\x80\4\x8c\6system\x94\x8c\2os\x94h\1h\0\x93."), PICKLE_STOP, WHOLE, "os.system " },
    { BYTES("\x80\4X\2\0\0\0osq\7X\6\0\0\0systemq\x08"
            "0"
            "0j\7\0\0\0j\x08\0\0\0\x93."),
      PICKLE_STOP, WHOLE, "os.system " },
    { BYTES("S'os'\np5\nS'system'\np6\ng5\ng6\n\x93."), PICKLE_STOP, WHOLE, "os.system " },
    { BYTES("\x8d\2\0\0\0\0\0\0\0osU\6system\x93."), PICKLE_STOP, WHOLE, "os.system " },
    /* composed so that the name cannot be read */
    { BYTES("\x80\4\x8c\2os\x8c\6system\x8c\1a\x8c\1b00\x93."), PICKLE_STOP, WHOLE, "? " },
    { BYTES("\x80\4\x93."), PICKLE_STOP, WHOLE, "? " },
    { BYTES("\x80\4h\0h\1\x93."), PICKLE_STOP, WHOLE, "? " },
    { BYTES("\x80\4\x8c\2osN0\x8c\6system\x93."), PICKLE_STOP, WHOLE, "? " },
    { BYTES("\x80\2\x82\1."), PICKLE_STOP, WHOLE, "? " },
    /* data may contain opcodes' bytes */
    { BYTES("\x80\2X\x0b\0\0\0cos\nsystem\n."), PICKLE_STOP, WHOLE, "" },
    { BYTES("\x80\3C\x0b"
            "cos\nsystem\n."),
      PICKLE_STOP, WHOLE, "" },
    { BYTES("\x80\2\x8a\2\1\2."), PICKLE_STOP, WHOLE, "" },
    /* truncated, damaged, with wrong lengths */
    { BYTES(""), PICKLE_CUT, 0, "" },
    { BYTES("\x80"), PICKLE_CUT, 1, "" },
    { BYTES("\x80\2"), PICKLE_CUT, 2, "" },
    { BYTES("cos\nsys"), PICKLE_CUT, 4, "" },
    { BYTES("\x80\2cos\nsystem\nX\xff\xff\xff\xff"), PICKLE_CUT, 18, "os.system " },
    { BYTES("\x80\4\x8e\xff\xff\xff\xff\xff\xff\xff\xff"
            "a"),
      PICKLE_CUT, 11, "" },
    { BYTES("\x80\2cos\nsystem\n\xff."), PICKLE_BROKEN, 14, "os.system " },
    { BYTES("\x80\6N."), PICKLE_BROKEN, 2, "" },
    { BYTES("hello\n"), PICKLE_BROKEN, 6, "" },
    { BYTES("{\"a\": 1}"), PICKLE_BROKEN, 1, "" },
};

static void scans(void **state)
{
    void *memo = malloc(PICKLE_MEMO);
    (void)state;
    assert_non_null(memo);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct told t = { "" };
        uint64_t used;
        uint8_t *own = malloc(rows[i].n + 1); /* so that a read beyond it is detected */
        assert_non_null(own);
        memcpy(own, rows[i].p, rows[i].n);
        enum pickle_end end = pickle_scan(own, rows[i].n, &used, memo, tell, &t);
        free(own);
        uint64_t expected = rows[i].used == WHOLE ? rows[i].n : rows[i].used;
        if (end != rows[i].end || used != expected || strcmp(t.text, rows[i].imports) != 0)
            fail_msg("row %zu: end %d at %d, '%s'", i, (int)end, (int)used, t.text);
    }
    free(memo);
}

static const struct {
    const char *module, *name;
    enum pickle_import is;
} names[] = {
    { "os", "system", PICKLE_DANGEROUS },
    { "posix", "system", PICKLE_DANGEROUS },
    { "os.path", "join", PICKLE_DANGEROUS },
    { "osx", "system", PICKLE_OTHER },
    { "builtins", "eval", PICKLE_DANGEROUS },
    { "builtins", "getattr", PICKLE_DANGEROUS },
    { "builtins", "set", PICKLE_KNOWN },
    { "builtins", "set.__class__", PICKLE_DANGEROUS },
    { "builtins", "", PICKLE_DANGEROUS },
    { "__builtin__", "eval", PICKLE_DANGEROUS },
    { "__builtin__", "unicode", PICKLE_KNOWN },
    { "subprocess", "Popen", PICKLE_DANGEROUS },
    { "torch._utils", "_rebuild_tensor_v2", PICKLE_KNOWN },
    { "torch._utils", "a.os.system", PICKLE_DANGEROUS },
    { "torch", "serialization.os.system", PICKLE_DANGEROUS },
    { "torch", "nn.osx", PICKLE_OTHER },
    { "torch", "FloatStorage", PICKLE_KNOWN },
    { "torch", "load", PICKLE_DANGEROUS },
    { "torch", "os.system", PICKLE_DANGEROUS },
    { "torch.hub", "load", PICKLE_DANGEROUS },
    { "torch.nn.modules.linear", "Linear", PICKLE_OTHER },
    { "collections", "OrderedDict", PICKLE_KNOWN },
    { "collections", "namedtuple", PICKLE_OTHER },
    { "numpy.core.multiarray", "_reconstruct", PICKLE_KNOWN },
    { "numpy.testing", "runstring", PICKLE_DANGEROUS },
    { "functools", "partial", PICKLE_DANGEROUS },
    { "functools", "lru_cache", PICKLE_OTHER },
    { "transformers.training_args", "TrainingArguments", PICKLE_OTHER },
    { "", "", PICKLE_OTHER },
};

static void judges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (pickle_judge(text_of(names[i].module), text_of(names[i].name)) != names[i].is)
            fail_msg("%s %s is %d", names[i].module, names[i].name,
                     (int)pickle_judge(text_of(names[i].module), text_of(names[i].name)));
}

static void begins(void **state)
{
    (void)state;
    assert_true(pickle_begins((const uint8_t *)"\x80\2}", 3));
    assert_true(pickle_begins((const uint8_t *)"\x80\5\x95", 3));
    assert_false(pickle_begins((const uint8_t *)"\x80\2", 2));
    assert_false(pickle_begins((const uint8_t *)"\x80\6}", 3));
    assert_false(pickle_begins((const uint8_t *)"\x80\1}", 3));
    assert_false(pickle_begins((const uint8_t *)"\x80\2\0", 3)); /* a safetensors header of 640 bytes */
    assert_false(pickle_begins((const uint8_t *)"PK\3", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(scans), cmocka_unit_test(judges),
                                        cmocka_unit_test(begins) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
