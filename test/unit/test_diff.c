/*
 * test_diff.c -- two checkpoints compared: numbers in names, links that cover every tensor once, a
 * statement that balances for any pair, and memory that runs out.
 */
#include "../support/check.h"
#include "../support/fixture.h"
#include "../support/draft.h"
#include "../support/reports.h"
#include "../support/t.h"
#include "diff/diff.h"
#include "diff/name.h"

/* ---- numbers in names --------------------------------------------------------------------- */

static void test_patterns(void **state)
{
    static const struct {
        const char *name;
        unsigned most;
        const char *pattern;
    } rows[] = {
        { "model.layers.7.mlp.experts.12.up.weight", 8, "model.layers.*.mlp.experts.*.up.weight." },
        { "model.layers.7.mlp.experts.12.up.weight", 1, "model.layers.*.mlp.experts.12.up.weight." },
        { "model.layers.7.x", 0, "model.layers.7.x." },
        { "0", 8, "*." },
        { "", 8, "." },
        { "a..b", 8, "a..b." },
        { "blk.007.x", 8, "blk.007.x." },      /* no index */
        { "w1.1w.-1.+1", 8, "w1.1w.-1.+1." },  /* none of the numbers */
        { "a.999999999999999999", 8, "a.*." }, /* 18 digits */
        { "a.1000000000000000000", 8, "a.1000000000000000000." },
        { ".5.", 8, ".*.." },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct buffer b;
        buffer_init(&b, &memory_malloc);
        name_pattern(&b, text_of(rows[i].name), rows[i].most);
        buffer_char(&b, '\0');
        ROW(failed, strcmp(b.p, rows[i].pattern) == 0, "%s: %s", rows[i].name, b.p);
        buffer_done(&b);
    }
    assert_int_equal(failed, 0);
}

static void test_ranges(void **state)
{
    static const struct {
        uint64_t v[12];
        size_t n;
        const char *text;
    } rows[] = {
        { { 0 }, 0, "" },
        { { 7 }, 1, "7" },
        { { 0, 1 }, 2, "[0-1]" },
        { { 0, 2 }, 2, "[0,2]" },
        { { 0, 1, 2, 5, 7, 8 }, 6, "[0-2,5,7-8]" },
        { { 0, 2, 4, 6, 8, 10, 11 }, 7, "[0,2,4,6,...,10-11]" },
        { { UINT64_MAX - 1, UINT64_MAX }, 2, "[18446744073709551614-18446744073709551615]" },
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(rows); i++) {
        struct buffer b;
        buffer_init(&b, &memory_malloc);
        name_ranges(&b, rows[i].v, rows[i].n);
        buffer_char(&b, '\0');
        ROW(failed, strcmp(b.p, rows[i].text) == 0, "row %zu: %s", i, b.p);
        buffer_done(&b);
    }
    assert_int_equal(failed, 0);
}

/* ---- any two checkpoints ------------------------------------------------------------------ */

/* Returns NULL, or the violated invariant: each tensor is in one link, a + statement = b. */
static const char *check_diff(const struct diff *d)
{
    int64_t tensors = 0, elements = 0, bytes = 0;
    for (int w = A; w <= B; w++) {
        size_t n = 0;
        for (size_t i = 0; i < d->count; i++) n += d->links[i].count[w];
        if (n != d->side[w].r->count) return "not every tensor is in one link";
        for (size_t i = 0; i < n; i++)
            if (d->side[w].link[i] >= d->count) return "a tensor without a link";
    }
    for (size_t i = 0; i < d->count; i++) {
        const struct link *l = &d->links[i];
        if (l->count[A] + l->count[B] == 0) return "an empty link";
        bytes -= (int64_t)l->bytes[B] - (int64_t)l->bytes[A];
    }
    for (size_t i = 0; i < d->tally.count; i++) {
        tensors += d->tally.lines[i]->tensors;
        elements += d->tally.lines[i]->elements;
        bytes += d->tally.lines[i]->bytes;
    }
    if (tensors != (int64_t)d->side[B].r->count - (int64_t)d->side[A].r->count) return "tensors";
    if (elements != (int64_t)d->side[B].ck->stored - (int64_t)d->side[A].ck->stored) return "elements";
    return bytes == 0 ? NULL : "bytes";
}

static bool collect(void *ctx, const void *p, size_t bytes)
{
    buffer_add(ctx, p, bytes);
    return true;
}

static const char *check_pair(const numel_checkpoint *a, const numel_checkpoint *b)
{
    struct arena arena;
    struct diff d;
    struct buffer text;
    numel_error e = { 0 };
    numel_report *r = NULL;
    const char *why = NULL;
    arena_init(&arena, &memory_malloc);
    struct handle *one = handle_new(a, NULL, NULL, true, &memory_malloc, &e);
    struct handle *other = handle_new(b, NULL, NULL, true, &memory_malloc, &e);
    if (diff_make(&d, one, other, &arena, &e)) {
        why = check_diff(&d);
        if (!why && a == b && (!d.equal || d.tally.count)) why = "it differs from itself";
    } else if (e.code != NUMEL_E_OVERFLOW) {
        why = "cannot be made";
    }
    arena_done(&arena);
    if (why || e.code) {
        handle_free(one);
        handle_free(other);
        return why;
    }
    buffer_init(&text, &memory_malloc);
    handle_free(one);
    handle_free(other);
    numel_subject *first = NULL, *second = NULL;
    assert_int_equal(numel_subject_of(&first, a, NULL, NULL, NULL), NUMEL_OK);
    assert_int_equal(numel_subject_of(&second, b, NULL, NULL, NULL), NUMEL_OK);
    if (numel_report_diff(&r, first, second, &(numel_view){ .size = sizeof(numel_view), .all = true }, NULL))
        why = "no report";
    else if (numel_report_write(r, &(numel_style){ .size = sizeof(numel_style), .format = NUMEL_JSON },
                                collect, &text, NULL))
        why = "is not written";
    else why = check_json(text.p, text.n);
    numel_report_free(r);
    numel_subject_close(first);
    numel_subject_close(second);
    buffer_done(&text);
    return why;
}

/* Each fixture that opens, against itself and against the previous one. */
static void test_pairs(void **state)
{
    struct fixtures all;
    unsigned failed = 0, pairs = 0;
    numel_checkpoint *before = NULL;
    (void)state;
    fixtures_load(&all, fixtures_root(), NULL);
    for (size_t i = 0; i < all.count; i++) {
        const struct fixture *f = &all.items[i];
        numel_checkpoint *ck = NULL;
        if (numel_open_memory(&ck, f->bytes.p, f->bytes.n, NULL, NULL) != NUMEL_OK) continue;
        const char *why = check_pair(ck, ck);
        ROW(failed, !why, "%s and itself: %s", f->path, why);
        why = before ? check_pair(before, ck) : NULL;
        ROW(failed, !why, "%s and the one before it: %s", f->path, why);
        numel_free(before);
        before = ck;
        pairs++;
    }
    numel_free(before);
    fixtures_free(&all);
    assert_true(pairs > 100);
    assert_int_equal(failed, 0);
}

/* ---- made pairs, and memory that runs out ------------------------------------------------- */

/* A small Llama, one name per word: layers as given. E 4, F 8, H 2, K 1, D 2, V 6. */
static void add(struct draft *m, const char *prefix, const char *name, const char *type, uint64_t rows,
                uint64_t columns)
{
    uint64_t dims[2] = { rows, columns };
    char full[200];
    snprintf(full, sizeof full, "%s%s", prefix, name);
    char *own = arena_text(&m->arena, full, strlen(full));
    draft_add(m, own, kind_find(type, m->gguf), dims, columns ? 2 : 1);
}

struct end {
    bool gguf;
    const char *layers; /* "012": one digit per layer */
    const char *prefix, *type;
    const char *extra; /* one extra tensor, [2] */
};

static void add_layer(struct draft *m, const struct end *x, char layer)
{
    static const char *const names[][2] = {
        { "input_layernorm", "attn_norm" },    { "self_attn.q_proj", "attn_q" },
        { "self_attn.k_proj", "attn_k" },      { "self_attn.v_proj", "attn_v" },
        { "self_attn.o_proj", "attn_output" }, { "post_attention_layernorm", "ffn_norm" },
        { "mlp.gate_proj", "ffn_gate" },       { "mlp.up_proj", "ffn_up" },
        { "mlp.down_proj", "ffn_down" },
    };
    static const uint64_t shapes[][2] = { { 4, 0 }, { 4, 4 }, { 2, 4 }, { 2, 4 }, { 4, 4 },
                                          { 4, 0 }, { 8, 4 }, { 8, 4 }, { 4, 8 } };
    char name[100];
    for (size_t i = 0; i < ROWS_OF(names); i++) {
        snprintf(name, sizeof name, "%s.%c.%s.weight", x->gguf ? "blk" : "model.layers", layer,
                 names[i][x->gguf]);
        add(m, x->prefix, name, x->type, shapes[i][0], shapes[i][1]);
    }
}

/* The bytes of the file: header and zeros. */
static void encode(const struct end *x, struct buffer *out)
{
    struct draft m;
    uint64_t data;
    draft_init(&m);
    m.gguf = x->gguf;
    if (x->gguf) {
        m.version = 3;
        gguf_value(&m, "string", "general.architecture", "llama");
        gguf_value(&m, "u32", "llama.block_count", "2");
        gguf_value(&m, "u32", "llama.embedding_length", "4");
        gguf_value(&m, "u32", "llama.feed_forward_length", "8");
        gguf_value(&m, "u32", "llama.attention.head_count", "2");
        gguf_value(&m, "u32", "llama.attention.head_count_kv", "1");
        gguf_value(&m, "u32", "llama.vocab_size", "6");
        gguf_value(&m, "[u32]", "some.list", x->extra ? "1 2 3" : "1 2 4");
    }
    add(&m, x->prefix, x->gguf ? "token_embd.weight" : "model.embed_tokens.weight", x->type, 6, 4);
    for (const char *l = x->layers; *l; l++) add_layer(&m, x, *l);
    add(&m, x->prefix, x->gguf ? "output_norm.weight" : "model.norm.weight", x->type, 4, 0);
    add(&m, x->prefix, x->gguf ? "output.weight" : "lm_head.weight", x->type, 6, 4);
    if (x->extra) add(&m, "", x->extra, x->type, 2, 0);
    draft_shard(&m);
    if (x->gguf) encode_gguf(&m, 0, out, &data);
    else encode_safetensors(&m, 0, out, &data);
    buffer_fill(out, 0, data);
    draft_done(&m);
}

/* Each layer has 2 norms of 4, q and o of 16, k and v of 8, three of 32: 152. */
/* clang-format off */
static const struct made_pair {
    struct end a, b;
    bool equal;
    uint64_t unexplained;
    size_t links[CHANGE_COUNT]; /* same, renamed, retyped, quantized, rearranged, reshaped, removed, added */
} made[] = {
    { { false, "01", "", "F32", NULL }, { false, "01", "", "F32", NULL }, true, 0, { 21 } },
    { { false, "01", "", "F32", NULL }, { false, "01", "", "F16", NULL }, false, 0, { 0, 0, 21 } },
    { { false, "012", "", "F32", NULL }, { false, "01", "", "F32", NULL }, false, 0,
      { 21, 0, 0, 0, 0, 0, 9 } },
    { { false, "039", "", "F32", NULL }, { false, "012", "", "F32", "x" }, false, 0,
      { 12, 18, 0, 0, 0, 0, 0, 1 } },
    { { false, "01", "", "F32", NULL }, { false, "01", "base.", "F32", "x" }, false, 0,
      { 0, 21, 0, 0, 0, 0, 0, 1 } },
    { { false, "01", "", "F32", NULL }, { true, "01", "", "F32", NULL }, true, 0, { 21 } },
    { { false, "01", "", "F32", NULL }, { true, "01", "", "F32", "rope_freqs.weight" }, true, 0,
      { 21, 0, 0, 0, 0, 0, 0, 1 } },
    { { false, "01", "", "F32", NULL }, { true, "01", "", "F32", "odd" }, false, 2,
      { 21, 0, 0, 0, 0, 0, 0, 1 } },
    { { true, "01", "", "F32", NULL }, { false, "012", "", "F32", NULL }, false, 152,
      { 21, 0, 0, 0, 0, 0, 0, 9 } },
    { { true, "01", "", "F32", "y" }, { true, "01", "", "F16", NULL }, false, 0,
      { 0, 0, 21, 0, 0, 0, 1 } },
};
/* clang-format on */

static const char *const sets[] = { "hidden_size=4",         "intermediate_size=8",   "vocab_size=6",
                                    "num_attention_heads=2", "num_key_value_heads=1", "num_hidden_layers=2" };
static const numel_knowledge told = {
    .size = sizeof(numel_knowledge), .architecture = "llama", .sets = sets, .set_count = ROWS_OF(sets)
};

static void open_end(const struct end *x, struct buffer *bytes, numel_checkpoint **ck,
                     const numel_options *options)
{
    buffer_init(bytes, &memory_malloc);
    encode(x, bytes);
    assert_int_equal(numel_open_memory(ck, bytes->p, bytes->n, options, NULL), NUMEL_OK);
}

static void test_made(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(made); i++) {
        struct buffer x, y;
        numel_checkpoint *a, *b;
        struct arena arena;
        struct diff d;
        numel_error e = { 0 };
        open_end(&made[i].a, &x, &a, NULL);
        open_end(&made[i].b, &y, &b, NULL);
        arena_init(&arena, &memory_malloc);
        struct handle *one = handle_new(a, NULL, &told, true, &memory_malloc, &e);
        struct handle *other = handle_new(b, NULL, &told, true, &memory_malloc, &e);
        assert_true(diff_make(&d, one, other, &arena, &e));
        const char *why = check_diff(&d);
        ROW(failed, !why, "pair %zu: %s", i, why);
        ROW(failed, d.equal == made[i].equal, "pair %zu: equal %d", i, d.equal);
        ROW(failed, d.unexplained == made[i].unexplained, "pair %zu: unexplained %llu", i,
            (unsigned long long)d.unexplained);
        for (int c = 0; c < CHANGE_COUNT; c++)
            ROW(failed, d.changes[c] == made[i].links[c], "pair %zu: %zu %s", i, d.changes[c],
                change_text((enum change)c));
        arena_done(&arena);
        handle_free(one);
        handle_free(other);
        numel_free(a);
        numel_free(b);
        buffer_done(&x);
        buffer_done(&y);
    }
    assert_int_equal(failed, 0);
}

static bool ignore(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return true;
}

/* Makes and writes the report with allocation k failing; true if allocation k was reached. */
static bool starve(const numel_checkpoint *a, const numel_checkpoint *b, struct check_memory *m, uint64_t k,
                   const char **why)
{
    numel_report *r = NULL;
    numel_error e;
    int64_t before = m->outstanding;
    m->calls = 0;
    m->fail_at = k;
    POISON(e);
    numel_subject *one = NULL, *other = NULL;
    numel_rc rc = numel_subject_of(&one, a, &told, NULL, &e);
    if (!rc) rc = numel_subject_of(&other, b, &told, NULL, &e);
    if (!rc) rc = numel_report_diff(&r, one, other, NULL, &e);
    if (rc && r) *why = "leaves *out set on failure";
    if (!rc)
        rc = numel_report_write(r, &(numel_style){ .size = sizeof(numel_style), .format = NUMEL_TEXT },
                                ignore, NULL, &e);
    numel_report_free(r);
    numel_subject_close(one);
    numel_subject_close(other);
    bool reached = m->calls > k;
    m->fail_at = UINT64_MAX;
    if (m->outstanding != before) *why = "leaks";
    else if (reached != (rc == NUMEL_E_NOMEM)) *why = reached ? "is not NOMEM" : "fails";
    return reached;
}

static void test_allocations(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < ROWS_OF(made); i++) {
        struct check_memory m;
        numel_options options = { .size = sizeof(numel_options), .allocator = &m.allocator };
        struct buffer x, y;
        numel_checkpoint *a, *b;
        const char *why = NULL;
        uint64_t k = 0;
        check_memory_init(&m, UINT64_MAX);
        open_end(&made[i].a, &x, &a, &options);
        open_end(&made[i].b, &y, &b, &options);
        while (starve(a, b, &m, k, &why) && !why) k += check_every();
        ROW(failed, !why, "pair %zu: allocation %llu %s", i, (unsigned long long)k, why);
        numel_free(a);
        numel_free(b);
        ROW(failed, m.outstanding == 0, "pair %zu leaks", i);
        buffer_done(&x);
        buffer_done(&y);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns), cmocka_unit_test(test_ranges),      cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_made),     cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
