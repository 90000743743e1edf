/* test_pickle_machine.c -- reader/pickle_machine.h: the values that pickles build, written as text, and the pickles
 * that it refuses. The bytes are pickletools' opcodes, written out. */
#include "../support/t.h"

#include "base/buffer.h"
#include "base/text.h"
#include "reader/pickle_machine.h"

#include <stdio.h>
#include <stdlib.h>

static void write_value(struct buffer *b, const struct pickle_value *v);

static void write_items(struct buffer *b, const struct pickle_items *x)
{
    buffer_format(b, "%d:", (int)x->count);
    for (const struct pickle_item *p = x->first; p; p = p->next) {
        write_value(b, &p->key);
        buffer_char(b, '=');
        write_value(b, &p->value);
        buffer_char(b, ' ');
    }
}

static void write_tuple(struct buffer *b, const struct pickle_tuple *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        write_value(b, &t->items[i]);
        buffer_char(b, ',');
    }
}

/* An object is written with its callee, arguments, state and items. */
static void write_value(struct buffer *b, const struct pickle_value *v)
{
    switch (v->kind) {
    case PICKLE_NONE: buffer_char(b, 'N'); break;
    case PICKLE_BOOL: buffer_char(b, v->number ? 'T' : 'F'); break;
    case PICKLE_INT: buffer_format(b, "%lld", (long long)v->number); break;
    case PICKLE_FLOAT: buffer_format(b, "f%d", (int)(v->real * 4)); break;
    case PICKLE_TEXT: buffer_add(b, v->text, v->n); break;
    case PICKLE_BYTES: buffer_format(b, "b%u", (unsigned)v->n); break;
    case PICKLE_PERSISTENT: buffer_char(b, '@'); /* fall through */
    case PICKLE_TUPLE:
        buffer_char(b, '(');
        write_tuple(b, v->tuple);
        buffer_char(b, ')');
        break;
    case PICKLE_LIST: buffer_char(b, 'l'), write_items(b, v->items); break;
    case PICKLE_DICT: buffer_char(b, 'd'), write_items(b, v->items); break;
    case PICKLE_GLOBAL:
        buffer_add(b, v->global->module.p, v->global->module.n);
        buffer_char(b, '.');
        buffer_add(b, v->global->name.p, v->global->name.n);
        break;
    case PICKLE_OBJECT:
        write_value(b, &v->object->callee);
        write_value(b, &v->object->args);
        if (v->object->given && v->object->given->state.kind != PICKLE_NONE)
            write_value(b, &v->object->given->state);
        if (v->object->given && v->object->given->items.count) write_items(b, &v->object->given->items);
        break;
    default: fail_msg("an unknown kind %u", (unsigned)v->kind);
    }
}

#define BYTES(s) s, sizeof(s) - 1
/* What is built; or the error, and the offset of its opcode. */
static const struct {
    const char *p;
    size_t n;
    const char *value;
    numel_rc code;
    uint64_t at;
} rows[] = {
    { BYTES("N."), "N", NUMEL_OK, 0 },
    { BYTES("\x80\2\x88\x89\x86."), "(T,F,)", NUMEL_OK, 0 },
    { BYTES("I01\nI00\nI-7\nL12L\n(tt."), NULL, NUMEL_E_SYNTAX, 19 }, /* the second t has no mark */
    { BYTES("(I01\nI00\nI-7\nL12L\nt."), "(T,F,-7,12,)", NUMEL_OK, 0 },
    { BYTES("(K\xffM\xff\xffJ\xff\xff\xff\xff\x8a\0\x8a\1\xff\x8a\2\xff\0\x8a\x0a\1\1\1\1\1\1\1\1\1\1t."),
      "(255,65535,-1,0,-1,255,b10,)", NUMEL_OK, 0 },
    { BYTES("(G\x3f\xf8\0\0\0\0\0\0F1.5\nt."), "(f6,f0,)", NUMEL_OK, 0 }, /* 1.5 * 4; a text is not read */
    { BYTES("(S'a'\nVb\nU\1cT\1\0\0\0dX\1\0\0\0e\x8c\1f\x8d\1\0\0\0\0\0\0\0gt."), "(a,b,c,d,e,f,g,)",
      NUMEL_OK, 0 },
    { BYTES("(C\2abB\1\0\0\0c\x8e\1\0\0\0\0\0\0\0d\x96\3\0\0\0\0\0\0\0efgt."), "(b2,b1,b1,b3,)", NUMEL_OK,
      0 },
    { BYTES("K\1K\2K\3\x87\x85."), "((1,2,3,),)", NUMEL_OK, 0 },
    { BYTES("](K\1K\2)e."), "l3:2=() ", NUMEL_OK, 0 },        /* numbers are counted */
    { BYTES("](U\1aK\2U\1be."), "l3:0=a 2=b ", NUMEL_OK, 0 }, /* texts are kept */
    { BYTES("}(U\1aK\1K\2K\3K\4)u."), "d3:a=1 4=() ", NUMEL_OK, 0 },
    { BYTES("(U\1aK\1d."), "d1:a=1 ", NUMEL_OK, 0 },
    { BYTES("(U\1aK\1l."), "l2:0=a ", NUMEL_OK, 0 },
    { BYTES("\x8f(U\1a\x90."), "l1:0=a ", NUMEL_OK, 0 },
    { BYTES("(U\1a\x91."), "l1:0=a ", NUMEL_OK, 0 },
    { BYTES("]U\1aa}U\1bK\5s\x86."), "(l1:0=a ,d1:b=5 ,)", NUMEL_OK, 0 },
    { BYTES("cm\nf\n(K\1tR."), "m.f(1,)", NUMEL_OK, 0 },
    { BYTES("\x80\4\x8c\1m\x8c\1f\x93)R."), "m.f()", NUMEL_OK, 0 },
    { BYTES("K\1K\2\x93)R."), "?.?()", NUMEL_OK, 0 }, /* the name is not a text */
    { BYTES("\x82\7)R."), "copyreg.extension()", NUMEL_OK, 0 },
    { BYTES("cm\nf\n)\x81}U\1aK\1sb."), "m.f()d1:a=1 ", NUMEL_OK, 0 },
    { BYTES("cm\nf\n)}\x92."), "m.f()", NUMEL_OK, 0 },
    { BYTES("(K\1im\nf\n."), "m.f(1,)", NUMEL_OK, 0 },
    { BYTES("(cm\nf\nK\1o."), "m.f(1,)", NUMEL_OK, 0 },
    { BYTES("cm\nf\n)R(U\1aK\1u."), "m.f()1:a=1 ", NUMEL_OK, 0 },
    { BYTES("U\1aU\1b\x86Q."), "@(a,b,)", NUMEL_OK, 0 },
    { BYTES("K\1Q."), "N", NUMEL_OK, 0 }, /* an id that is no tuple */
    { BYTES("Pa\n."), "N", NUMEL_OK, 0 },
    { BYTES("U\1aq\0h\0h\0\x87."), "(a,a,a,)", NUMEL_OK, 0 },
    { BYTES("U\1ap3\n0g3\n."), "a", NUMEL_OK, 0 },
    { BYTES("U\1a\x94U\1b\x94h\0h\1\x86."), "(a,b,)", NUMEL_OK, 0 },
    { BYTES("U\1ar\2\0\0\0j\2\0\0\0\x86."), "(a,a,)", NUMEL_OK, 0 },
    { BYTES("K\0K\1"
            "0."),
      "0", NUMEL_OK, 0 },
    { BYTES("K\1(K\2(1(0."), "2", NUMEL_OK, 0 }, /* as in Python, an open mark is no fault */
    { BYTES("K\1(K\2(10"
            "0."),
      "1", NUMEL_OK, 0 }, /* POP_MARK, POP of 2, POP of the mark */
    { BYTES("K\1"
            "2\x86."),
      "(1,1,)", NUMEL_OK, 0 },
    { BYTES("\x80\4\x95\1\0\0\0\0\0\0\0N."), "N", NUMEL_OK, 0 },
    { BYTES("\x97\x98."), "N", NUMEL_OK, 0 },
    /* refused */
    { BYTES("."), NULL, NUMEL_E_SYNTAX, 0 },
    { BYTES("0."), NULL, NUMEL_E_SYNTAX, 0 },
    { BYTES("2."), NULL, NUMEL_E_SYNTAX, 0 },
    { BYTES("(2."), NULL, NUMEL_E_SYNTAX, 1 },
    { BYTES("NR."), NULL, NUMEL_E_SYNTAX, 1 },
    { BYTES("Nb."), NULL, NUMEL_E_SYNTAX, 1 },
    { BYTES("(o."), NULL, NUMEL_E_SYNTAX, 1 },
    { BYTES("K\1(K\2u."), NULL, NUMEL_E_SYNTAX, 5 },
    { BYTES("N(K\1e."), NULL, NUMEL_E_SYNTAX, 4 },
    { BYTES("q\0."), NULL, NUMEL_E_SYNTAX, 0 },
    { BYTES("h\0."), NULL, NUMEL_E_SYNTAX, 0 },
    { BYTES("Nq\0h\1."), NULL, NUMEL_E_SYNTAX, 3 },
    { BYTES("Nr\0\0\0\1."), NULL, NUMEL_E_SYNTAX, 1 },
    { BYTES("Nq\2h\1."), NULL, NUMEL_E_SYNTAX, 3 }, /* between two that were put */
    { BYTES("Ix\n."), NULL, NUMEL_E_SYNTAX, 0 },
    { BYTES("\x80\6N."), NULL, NUMEL_E_VERSION, 0 },
    { BYTES("N\xff."), NULL, NUMEL_E_SYNTAX, 1 },
    { BYTES("N\x99."), NULL, NUMEL_E_SYNTAX, 1 },
    { BYTES("N"), NULL, NUMEL_E_TRUNCATED, 1 },
    { BYTES("X\5\0\0\0abc"), NULL, NUMEL_E_TRUNCATED, 5 },
    { BYTES("\x8d\xff\xff\xff\xff\xff\xff\xff\xff"
            "abc."),
      NULL, NUMEL_E_TRUNCATED, 9 },
};

static void test_values(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pickle_room room;
        struct pickle_code code = { (const uint8_t *)rows[i].p, rows[i].n, 0 };
        struct pickle_value v;
        struct buffer b;
        numel_error e;
        error_clear(&e);
        buffer_init(&b, &memory_malloc);
        pickle_room_init(&room, &memory_malloc);
        bool ok = pickle_run(&room, &code, 100, &v, &e);
        if (ok) write_value(&b, &v);
        numel_str got = { b.p ? b.p : "", b.n };
        ROW(failed, e.code == rows[i].code, "row %zu: %s: %s", i, numel_rc_name(e.code), e.what);
        ROW(failed, ok == (rows[i].code == NUMEL_OK), "row %zu: its result", i);
        if (ok)
            ROW(failed, rows[i].value && text_equal(got, rows[i].value), "row %zu: %s", i, b.p ? b.p : "");
        if (ok) ROW(failed, code.at == rows[i].n, "row %zu: read to %d", i, (int)code.at);
        else ROW(failed, e.offset == 100 + rows[i].at, "row %zu: at %d: %s", i, (int)e.offset - 100, e.what);
        pickle_room_done(&room);
        buffer_done(&b);
    }
    assert_int_equal(failed, 0);
}

/* n copies of a piece, after a front and before an end. */
static numel_rc run_many(const char *front, const char *piece, size_t n, const char *end, uint64_t *held)
{
    size_t a = strlen(front), b = strlen(piece), c = strlen(end);
    char *p = malloc(a + n * b + c);
    struct pickle_room room;
    struct pickle_value v;
    numel_error e;
    assert_non_null(p);
    memcpy(p, front, a);
    for (size_t i = 0; i < n; i++) memcpy(p + a + i * b, piece, b);
    memcpy(p + a + n * b, end, c);
    struct pickle_code code = { (const uint8_t *)p, a + n * b + c, 0 };
    error_clear(&e);
    pickle_room_init(&room, &memory_malloc);
    (void)!pickle_run(&room, &code, 0, &v, &e);
    *held = room.arena.held + room.stack_cap * sizeof *room.stack + room.memo_cap * sizeof *room.memo;
    pickle_room_done(&room);
    free(p);
    return e.code;
}

/* Whatever it repeats, the values take at most their share, and an arena's last block. */
static void test_bombs(void **state)
{
    static const char *const pieces[] = { "]",     "}",     ")",     "(",     "N",      "2",
                                          "N\x85", "]\x94", "N\x94", ")\x81", "]2\x86", "K\1\x85q\1" };
    unsigned failed = 0;
    uint64_t held;
    (void)state;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        size_t n = 1000000, bytes = n * strlen(pieces[i]);
        numel_rc rc = run_many("NN", pieces[i], n, ".", &held);
        ROW(failed, held <= PICKLE_TIMES * (bytes + 3) + 2 * PICKLE_FREE, "'%s' holds %llu bytes", pieces[i],
            (unsigned long long)held);
        ROW(failed, rc == NUMEL_E_LIMIT || rc == NUMEL_E_SYNTAX || rc == NUMEL_OK, "'%s': %s", pieces[i],
            numel_rc_name(rc));
    }
    /* what real pickles have: long lists of numbers, each 2 bytes, in batches of 1000 */
    assert_int_equal(run_many("]", "(K\1K\1K\1K\1K\1K\1K\1K\1K\1K\1e", 100000, ".", &held), NUMEL_OK);
    assert_true(held < 65536);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_values), cmocka_unit_test(test_bombs) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
