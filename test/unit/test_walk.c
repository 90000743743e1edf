/*
 * test_walk.c -- the walk over a spec: which questions a visitor gets, in which order, and from where.
 *
 * The visitor here records each question. Conditions are symbols: Y holds, N does not, and one without a
 * value is undecided.
 */
#include "formula.h"

#include "formula/walk.h"

#include <stdio.h>

struct seen {
    char text[1 << 15];
    size_t n;
    unsigned asked, fail_at; /* number of questions; the one that fails, from 1 */
    unsigned skip;           /* turns that each turn represents, besides itself */
    bool offers, closed;     /* closed: prefixes are not entered */
};

static bool note(struct spec_walk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool note(struct spec_walk *w, const char *format, ...)
{
    struct seen *s = w->ctx;
    va_list args;
    va_start(args, format);
    s->n += (size_t)vsnprintf(s->text + s->n, sizeof s->text - s->n, format, args);
    va_end(args);
    assert_true(s->n < sizeof s->text);
    return ++s->asked != s->fail_at;
}

/* The state around the current line, where it differs from the top. */
static bool place(struct spec_walk *w)
{
    if (!w->at.sure && !note(w, "?")) return false;
    if (w->at.extra.p && !note(w, "!%.*s", (int)w->at.extra.n, w->at.extra.p)) return false;
    return w->at.times == 1 || note(w, "*%d", (int)w->at.times);
}

static bool see_step(struct spec_walk *w)
{
    struct seen *s = w->ctx;
    return note(w, "%s", s->n ? " " : "");
}

static bool see_define(struct spec_walk *w, bool set)
{
    struct value v;
    assert_int_equal(w->line->kind, LINE_LET);
    if (!set && !eval(w->env, w->line->expr[w->env->values], &v)) return false;
    if (!set) env_bind(w->env, w->line->symbol, &v);
    return note(w, set ? "set" : "let");
}

static bool see_test(struct spec_walk *w, uint32_t node, enum decision *out, enum evidence *evidence)
{
    numel_error *kept = w->env->error, mine = { 0 };
    bool holds;
    w->env->error = &mine;
    *out = !eval_bool(w->env, node, &holds, evidence) ? UNDECIDED : holds ? DECIDED_YES : DECIDED_NO;
    w->env->error = kept;
    assert_true(w->line->kind != LINE_LET && w->line->kind != LINE_FOR);
    return note(w, "%s", *out == UNDECIDED ? "m" : *out == DECIDED_YES ? "y" : "n");
}

static bool see_prefix(struct spec_walk *w, bool said, bool *inside)
{
    struct seen *s = w->ctx;
    assert_int_equal(w->line->kind, LINE_PREFIX);
    *inside = said && !s->closed;
    if (!said && w->env->error->code == NUMEL_E_NOMEM) return false;
    if (!said) error_clear(w->env->error);
    return note(w, said ? "in" : "unsaid");
}

static bool see_range(struct spec_walk *w, int64_t *from, int64_t *to)
{
    const struct line *line = w->line;
    struct value a, b;
    if (!eval_int(w->env, line->expr[0], 0, "a start", &a)) return false;
    if (!eval_int(w->env, line->expr[1], 0, "an end", &b)) return false;
    *from = a.i;
    *to = b.i;
    return note(w, "for");
}

static bool see_turn(struct spec_walk *w, int64_t i, int64_t to, int64_t *next)
{
    struct seen *s = w->ctx;
    struct value v = value_int(i);
    assert_true(*next == i + 1 && i < to && w->line->kind == LINE_FOR);
    if (s->skip) *next = i + 1 + s->skip < to ? i + 1 + s->skip : to;
    env_bind(w->env, w->line->symbol, &v);
    return note(w, " %d:", (int)i);
}

static bool see_open(struct spec_walk *w)
{
    assert_int_equal(w->line->kind, LINE_ONEOF);
    return note(w, "(");
}

static bool see_alternative(struct spec_walk *w) { return note(w, "|"); }
static bool see_close(struct spec_walk *w) { return note(w, ")"); }

static bool see_offer(struct spec_walk *w, bool *offered)
{
    struct seen *s = w->ctx;
    *offered = s->offers && w->line->tensor->kind == TENSOR_BUF;
    return note(w, "o");
}

static bool see_tensor(struct spec_walk *w, const struct tensor_part *p)
{
    numel_str name;
    if (!walk_name(w, p->tensor, w->env->names, p->part, &name)) return false;
    if (!note(w, "%s", name.p) || !place(w)) return false;
    if (p->wanted == UNDECIDED && !note(w, "-wanted?")) return false;
    if (p->offered && !note(w, "-offered")) return false;
    return p->tied == DECIDED_NO || note(w, p->tied == DECIDED_YES ? "-tied" : "-tied?");
}

static const struct walk_visitor seer = {
    .step = see_step,
    .define = see_define,
    .test = see_test,
    .prefix = see_prefix,
    .range = see_range,
    .turn = see_turn,
    .open = see_open,
    .alternative = see_alternative,
    .close = see_close,
    .offer = see_offer,
    .tensor = see_tensor,
};

/* The visitor's record for a spec; NULL if the walk fails. Afterwards the walk is back at its start. */
static const char *walked(const char *text, struct seen *s, enum side side, const numel_allocator *m,
                          numel_error *e)
{
    struct spec *spec = parsed(text);
    struct config *c = configured("{}");
    struct arena arena;
    struct spec_walk w;
    numel_error ignored = { 0 };
    *e = (numel_error){ 0 };
    arena_init(&arena, m);
    walk_init(&w, m);
    struct env env = { .spec = spec, .config = c, .names = side, .values = side, .arena = &arena };
    assert_true(config_set(c, "SET=7", &ignored));
    bool ok = env_init(&env, e) && walk_spec(&w, &seer, s, &env);
    assert_true(ok || s->asked == s->fail_at || !error_free(e));
    assert_true(!ok ||
                (w.prefix[SIDE_HF].n == 0 && w.prefix[SIDE_GGUF].n == 0 && w.at.sure && !w.at.extra.p));
    walk_done(&w);
    arena_done(&arena);
    config_free(c);
    spec_free(spec);
    return ok ? s->text : NULL;
}

#define YNM "let Y = 1 == 1\nlet N = 1 == 2\nlet M = cfg(\"m\")\n"

enum { GGUF = 1, SKIPS = 2, OFFERS = 4, CLOSED = 8 };

static const struct {
    const char *spec, *seen;
    unsigned how;
} rows[] = {
    { "raw r a b\nlin l c - 2 3\nraw q - z\n", "a c.weight ", 0 },
    { "raw r a b\nlin l c - 2 3\nraw q - z\n", "b  z", GGUF },
    { "let A = 1\nlet SET = 2\nraw r a{A}{SET} b\n", "let set a17", 0 },
    { "lin l c - 2 3 bias=1==1 tied=2==3\n", "nc.weightyc.bias", 0 },
    { "lin l c - 2 3 if=1==2 bias=1==1\nbuf b d - 4 if=1==2 tied=1==1\n", "no no", 0 },
    { "lin l c - 2 3 if=1==2 bias=1==1\nbuf b d - 4 if=1==2 tied=1==1\n", "no noyd-offered-tied", OFFERS },
    { "prefix p. g.\nprefix q{1}. -\nraw r a b\nend\nraw s c d\nend\nraw t e f\n", "in in p.q1.a p.c e", 0 },
    { "prefix p. g.\nprefix q{1}. -\nraw r a b\nend\nraw s c d\nend\nraw t e f\n", "in in g.b g.d f", GGUF },
    { "prefix p. g.\nraw r a b\nend\nraw s c d\n", "in c", CLOSED },
    { "for i in 1 .. 3\nfor j in 0 .. i\nraw r a{i}{j} -\nend\nend\n",
      "for 1: for 0: a10 2: for 0: a20 1: a21", 0 },
    { "for i in 0 .. 5\nraw r a{i} -\nend\nraw s b -\n", "for 0: a0*2 2: a2*2 4: a4 b", SKIPS },
    { "for i in 3 .. 3\nraw r a{i} -\nend\n", "for", 0 },
    { YNM "if Y\nraw a a -\nelse if M == 1\nraw b b -\nelse\nraw c c -\nend\n", "let let let y a", 0 },
    { YNM "if N\nraw a a -\nelse if Y\nraw b b -\nelse\nraw c c -\nend\n", "let let let ny b", 0 },
    { YNM "if N\nraw a a -\nelse if N\nraw b b -\nelse\nraw c c -\nend\n", "let let let nn c", 0 },
    { YNM "if N\nraw a a -\nend\n", "let let let n", 0 },
    { YNM "if M < 1\nraw a a -\nelse if N\nraw b b -\nelse\nraw c c -\nend\nraw d d -\n",
      "let let let m a?n c? d", 0 },
    { YNM "if N\nraw a a -\nelse if M < 1\nraw b b -\nelse if Y\nraw c c -\nelse\nraw d d -\nend\n",
      "let let let nm b?y c?", 0 },
    { YNM "lin a a - 1 2 if=M<1 tied=M<1 bias=Y\nlin b b - 1 2 bias=M<1\n",
      "let let let mma.weight-wanted?-tied?ya.bias-wanted?-tied? b.weightmb.bias-wanted?", 0 },
    { "extra MTP\nraw a a -\nend\nextra OLD if=1==2\nraw b b -\nend\nraw c c -\n", "a?!MTP n b c", 0 },
    { YNM "extra OLD if=M<1\nif Y\nraw b b -\nend\nend\n", "let let let m y b?!OLD", 0 },
    { "oneof\nraw a a x\nor\nraw b - y\nor\nraw c c -\nend\nraw d d -\n", "( a| c|) d", 0 },
    { "oneof\nraw a a x\nor\nraw b - y\nor\nraw c c -\nend\nraw d d -\n", "( x| y|) ", GGUF },
};

static const char *walk_row(size_t i, struct seen *s, numel_error *e)
{
    unsigned how = rows[i].how;
    s->skip = (how & SKIPS) != 0;
    s->offers = how & OFFERS;
    s->closed = how & CLOSED;
    return walked(rows[i].spec, s, how & GGUF ? SIDE_GGUF : SIDE_HF, &memory_malloc, e);
}

static void sees_each_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct seen s = { .n = 0 };
        numel_error e;
        const char *got = walk_row(i, &s, &e);
        if (!got || strcmp(got, rows[i].seen) != 0) fail_msg("row %zu: %s: '%s'", i, e.what, s.text);
    }
}

/* A failing question ends the walk, whichever it is. */
static void ends_where_a_visitor_fails(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        numel_error e;
        struct seen all = { .n = 0 };
        assert_non_null(walk_row(i, &all, &e));
        for (unsigned k = 1; k <= all.asked; k++) {
            struct seen s = { .fail_at = k };
            assert_null(walk_row(i, &s, &e));
            assert_int_equal(s.asked, k);
            assert_memory_equal(s.text, all.text, s.n);
        }
    }
}

/* The visitor judges a prefix that cannot be computed; a size or name that cannot ends the walk. */
static void says_what_cannot_be_said(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *seen, *what;
    } cases[] = {
        { "let n = 1 / 0\nprefix p{n}. -\nraw r a b\nend\nraw s c d\n", NULL, "divided" },
        { "let n = cfg(\"k\")\nprefix p{n}. -\nraw r a b\nend\nraw s c d\n", "let unsaid c", NULL },
        { "let n = cfg(\"k\")\nraw r a{n} b\n", NULL, "cannot be part of a name" },
        { "let n = cfg(\"k\")\nfor i in 0 .. n\nraw r a{i} b\nend\n", NULL, "has no k" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seen s = { 0 };
        numel_error e;
        const char *got = walked(cases[i].spec, &s, SIDE_HF, &memory_malloc, &e);
        if (cases[i].seen) assert_string_equal(got, cases[i].seen);
        else if (!strstr(e.what, cases[i].what)) fail_msg("%s", e.what);
    }
}

/* A visitor that only counts, with only the required functions. */
static bool count_define(struct spec_walk *w, bool set)
{
    struct value v = value_int(2);
    if (!set) env_bind(w->env, w->line->symbol, &v);
    return true;
}

static bool count_tensor(struct spec_walk *w, const struct tensor_part *p)
{
    unsigned *n = w->ctx;
    n[p->part]++;
    return true;
}

static void counts(void **state)
{
    (void)state;
    static const struct walk_visitor counter = {
        .define = count_define, .range = see_range, .turn = NULL, .tensor = count_tensor
    };
    struct spec *s =
        parsed("let A = cfg(\"a\")\nprefix p. -\noneof\nlin x x - A A\nor\nlin y y - A A bias=A>1\nend\n"
               "if A > 1\nraw z z -\nelse\nraw v v -\nend\nend\n");
    struct config *c = configured("{}");
    struct arena arena;
    struct spec_walk w;
    unsigned n[2] = { 0, 0 };
    numel_error e = { 0 };
    arena_init(&arena, &memory_malloc);
    walk_init(&w, &memory_malloc);
    struct env env = { .spec = s, .config = c, .arena = &arena };
    assert_true(env_init(&env, &e));
    for (int twice = 0; twice < 2; twice++) assert_true(walk_spec(&w, &counter, n, &env));
    assert_int_equal(n[PART_WEIGHT], 8);
    assert_int_equal(n[PART_BIAS], 2);
    walk_done(&w);
    arena_done(&arena);
    config_free(c);
    spec_free(s);
}

static void out_of_memory(void **state)
{
    (void)state;
    char text[6000] = "prefix ";
    for (unsigned i = 0; i < 90; i++) strcat(text, "a_long_part_of_a_name.");
    strcat(text, " -\nfor i in 0 .. 9\nraw r b{i} -\nend\nend\n");
    size_t n = 0;
    for (bool ok = false; !ok; n++) {
        struct scarce scarce = { .left = n };
        struct numel_allocator m = { scarce_resize, &scarce };
        struct seen s = { .n = 0 };
        numel_error e;
        ok = walked(text, &s, SIDE_HF, &m, &e) != NULL;
        assert_int_equal(e.code, ok ? NUMEL_OK : NUMEL_E_NOMEM);
        assert_int_equal(scarce.live, 0);
    }
    assert_true(n > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sees_each_line),
        cmocka_unit_test(ends_where_a_visitor_fails),
        cmocka_unit_test(says_what_cannot_be_said),
        cmocka_unit_test(counts),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
