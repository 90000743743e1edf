/*
 * sizes.c -- structs of other sizes: every function refuses an uninitialised struct and explains what to
 * do; a program built with an older header, whose structs end earlier, works; one built with a newer
 * header works as long as it uses no new field.
 */
#include "embed.h"

/* The structs as they were before later fields were added. */
struct old_view {
    size_t size;
    numel_by by;
    numel_sort sort;
};
struct old_line {
    size_t size;
    const char *code;
};
struct new_view {
    numel_view known;
    const char *wish;
};

/* Calls with a struct of size 0, then of an impossible size; both are refused, and *out is NULL. */
#define REFUSES(type, x, out, call)                                                \
    do {                                                                           \
        static const size_t sizes[] = { 0, 3, 100000 };                            \
        for (size_t i_ = 0; i_ < 3; i_++) {                                        \
            type x = { .size = sizes[i_] };                                        \
            numel_error e = { .code = NUMEL_OK };                                  \
            out = (void *)&x;                                                      \
            EXPECT((call) == NUMEL_E_USAGE && e.code == NUMEL_E_USAGE);            \
            EXPECT(strstr(e.what, #type) && (i_ || strstr(e.what, "NUMEL_INIT"))); \
            EXPECT(!out);                                                          \
        }                                                                          \
    } while (0)
/* The same for functions that fill a caller's struct: they leave it unchanged. */
#define LEAVES(type, x, call)                                     \
    do {                                                          \
        type x;                                                   \
        numel_error e = { .code = NUMEL_OK };                     \
        memset(&x, 0x77, sizeof x);                               \
        x.size = 0;                                               \
        EXPECT((call) == NUMEL_E_USAGE && strstr(e.what, #type)); \
        EXPECT(((char *)&x)[sizeof x - 1] == 0x77);               \
    } while (0)

static void refused_options(const char *path, const numel_found *found, const numel_checkpoint *ck)
{
    numel_found *f;
    numel_checkpoint *c;
    numel_subject *m;
    numel_heads *h;
    numel_values *v;
    numel_report *r;
    REFUSES(numel_options, x, f, numel_find(&f, path, &x, &e));
    REFUSES(numel_options, x, c, numel_open(&c, found, 0, &x, &e));
    REFUSES(numel_options, x, c, numel_open_memory(&c, "", 0, &x, &e));
    REFUSES(numel_options, x, m, numel_subject_of(&m, ck, NULL, &x, &e));
    REFUSES(numel_options, x, h, numel_heads_open(&h, "nowhere", false, &x, &e));
    REFUSES(numel_options, x, v, numel_values_open(&v, ck, 0, &x, &e));
    REFUSES(numel_options, x, m, numel_subject_at(&m, found, 0, NULL, &x, &e));
    REFUSES(numel_options, x, m, numel_subject_open(&m, path, NULL, &x, &e));
    REFUSES(numel_options, x, r, numel_report_hash(&r, &path, 1, NULL, &x, NULL, &e));
    REFUSES(numel_options, x, r, numel_report_identify(&r, &path, 1, &x, &e));
    REFUSES(numel_options, x, r, numel_report_error(&r, path, &e, &x, &e));
    REFUSES(numel_options, x, r, numel_report_specs(&r, NULL, NULL, &x, &e));
    REFUSES(numel_options, x, r, numel_report_layouts(&r, NULL, &x, &e));
    REFUSES(numel_options, x, r, numel_report_lint(&r, NULL, 0, &x, &e));
}

static void refused_others(const char *path, const numel_found *found, const numel_checkpoint *ck,
                           numel_subject *model)
{
    const numel_printout page = { .size = sizeof page, .text = "", .bytes = 0 };
    numel_subject *m;
    numel_report *r;
    REFUSES(numel_knowledge, x, m, numel_subject_of(&m, ck, &x, NULL, &e));
    REFUSES(numel_knowledge, x, r, numel_report_specs(&r, &x, NULL, NULL, &e));
    REFUSES(numel_knowledge, x, r, numel_report_layouts(&r, &x, NULL, &e));
    REFUSES(numel_view, x, r, numel_report_show(&r, model, &x, &e));
    REFUSES(numel_view, x, r, numel_report_tensors(&r, model, &x, &e));
    REFUSES(numel_view, x, r, numel_report_reconcile(&r, model, &x, &e));
    REFUSES(numel_view, x, r, numel_report_explain(&r, "7B", model, &x, &e));
    REFUSES(numel_view, x, r, numel_report_diff(&r, model, model, &x, &e));
    REFUSES(numel_view, x, r, numel_report_meta(&r, model, &x, &e));
    REFUSES(numel_view, x, r, numel_report_printout(&r, model, &page, &x, NULL, &e));
    REFUSES(numel_printout, x, r, numel_report_printout(&r, model, &x, NULL, NULL, &e));
    numel_subject *at;
    EXPECT(numel_subject_at(&at, found, 0, NULL, NULL, NULL) == NUMEL_OK);
    REFUSES(numel_check, x, r, numel_report_verify(&r, at, &x, &e));
    numel_subject_close(at);
    REFUSES(numel_hashing, x, r, numel_report_hash(&r, &path, 1, &x, NULL, NULL, &e));
    REFUSES(numel_work, x, r, numel_report_hash(&r, &path, 1, NULL, NULL, &x, &e));
}

static bool discard(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return true;
}

static void left_alone(const numel_subject *model, const numel_checkpoint *ck)
{
    LEAVES(numel_tensor, x, numel_tensor_at(ck, 0, &x, &e));
    LEAVES(numel_counts, x, numel_subject_counts(model, &x, &e));
    LEAVES(numel_meta, x, numel_meta_at(ck, 0, &x, &e));
    LEAVES(numel_facts, x, numel_subject_about(model, &x, &e));
    LEAVES(numel_symbol, x, numel_symbol_at(model, 0, &x, &e));
    LEAVES(numel_term, x, numel_term_at(model, 0, &x, &e));
    LEAVES(numel_expected, x, numel_expected_at(model, 0, &x, &e));
    LEAVES(numel_line, x, numel_line_at(model, 0, &x, &e));
    LEAVES(numel_tensor_facts, x, numel_tensor_about(model, 0, &x, &e));
    LEAVES(numel_difference, x, numel_difference_at(model, 0, &x, &e));
    LEAVES(numel_group, x, numel_group_at(model, 0, &x, &e));
}

/* Exactly as many bytes as the older struct has: a sanitizer detects access beyond them. */
static void older_caller(numel_subject *model)
{
    struct old_view *view = malloc(sizeof *view);
    struct old_line *line = malloc(sizeof *line);
    numel_report *r;
    EXPECT(view && line);
    *view = (struct old_view){ sizeof *view, NUMEL_BY_LAYER, NUMEL_SORT_BYTES };
    *line = (struct old_line){ sizeof *line, NULL };
    EXPECT(numel_report_show(&r, model, (const numel_view *)(void *)view, NULL) == NUMEL_OK);
    EXPECT(numel_report_write(r, NULL, discard, NULL, NULL) == NUMEL_OK);
    numel_report_free(r);
    EXPECT(numel_line_at(model, 0, (numel_line *)(void *)line, NULL) == NUMEL_OK);
    EXPECT(line->size == sizeof *line && strcmp(line->code, "formula") == 0);
    free(view);
    free(line);
}

static void newer_caller(numel_subject *model)
{
    struct new_view view = { .known = { .size = sizeof view }, .wish = NULL };
    numel_error e;
    numel_report *r;
    EXPECT(numel_report_show(&r, model, &view.known, &e) == NUMEL_OK);
    numel_report_free(r);
    view.wish = "something new";
    EXPECT(numel_report_show(&r, model, &view.known, &e) == NUMEL_E_USAGE && !r);
    EXPECT(strstr(e.what, "newer than this library"));
}

int main(int count, char **args)
{
    static const char wrong[] = "{\"model_type\":\"llama\",\"hidden_size\":64,\"num_hidden_layers\":1,"
                                "\"num_attention_heads\":2,\"intermediate_size\":8,\"vocab_size\":10}";
    const numel_knowledge k = { .size = sizeof k, .config_text = wrong, .config_bytes = sizeof wrong - 1 };
    char path[512];
    numel_found *found;
    EXPECT(count >= 2);
    snprintf(path, sizeof path, "%s/llama-2-7b", args[1]);
    numel_checkpoint *ck = open_at(path, &found);
    numel_subject *model = judged(ck, &k);
    refused_options(path, found, ck);
    refused_others(path, found, ck, model);
    left_alone(model, ck);
    older_caller(model);
    newer_caller(model);
    numel_subject_close(model);
    numel_free(ck);
    numel_found_free(found);
    return 0;
}
