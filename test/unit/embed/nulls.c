/*
 * nulls.c -- passes NULL to every function wherever the header allows it: options, errors, count results,
 * objects to free.
 */
#include "embed.h"

static bool discard(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return true;
}

/* Writes in the default style, then frees. */
static void done(numel_rc rc, numel_report **r)
{
    EXPECT(rc == NUMEL_OK);
    EXPECT(numel_report_write(*r, NULL, discard, NULL, NULL) == NUMEL_OK);
    numel_report_trouble(*r, NULL, NULL);
    numel_report_free(*r);
}

static void of_a_model(numel_subject *model)
{
    static const char text[] = "Model(\n  (a): Linear(in_features=10, out_features=20, bias=True)\n)\n";
    const numel_printout printout = { .size = sizeof printout, .text = text, .bytes = sizeof text - 1 };
    numel_report *r = NULL;
    done(numel_report_show(&r, model, NULL, NULL), &r);
    done(numel_report_tensors(&r, model, NULL, NULL), &r);
    done(numel_report_reconcile(&r, model, NULL, NULL), &r);
    done(numel_report_formula(&r, model, NULL), &r);
    done(numel_report_print(&r, model, NULL), &r);
    done(numel_report_explain(&r, "6.74B", model, NULL, NULL), &r);
    done(numel_report_diff(&r, model, model, NULL, NULL), &r);
    done(numel_report_printout(&r, model, &printout, NULL, NULL, NULL), &r);
    done(numel_report_printout(&r, NULL, &printout, NULL, NULL, NULL), &r);
    EXPECT(numel_subject_judge(model, NULL, NULL) == NUMEL_OK);
}

static void of_files(const char *path, numel_subject *s, const numel_checkpoint *ck, const char *dir)
{
    const numel_error gone = { .code = NUMEL_E_IO, .offset = NUMEL_NOWHERE, .what = "gone" };
    numel_report *r = NULL;
    numel_heads *heads = NULL;
    done(numel_report_meta(&r, s, NULL, NULL), &r);
    done(numel_report_verify(&r, s, NULL, NULL), &r);
    done(numel_report_identify(&r, &path, 1, NULL, NULL), &r);
    done(numel_report_hash(&r, &path, 1, NULL, NULL, NULL, NULL), &r);
    done(numel_report_error(&r, path, &gone, NULL, NULL), &r);
    EXPECT(numel_heads_open(&heads, dir, true, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_heads_add(heads, ck, NULL, NULL) == NUMEL_OK);
    numel_heads_free(heads);
}

static void of_nothing(void)
{
    numel_report *r = NULL;
    numel_subject *model = NULL;
    numel_checkpoint *ck = NULL;
    uint64_t value;
    done(numel_report_specs(&r, NULL, NULL, NULL, NULL), &r);
    done(numel_report_specs(&r, NULL, "llama", NULL, NULL), &r);
    done(numel_report_layouts(&r, NULL, NULL, NULL), &r);
    EXPECT(numel_report_lint(&r, NULL, 0, NULL, NULL) == NUMEL_OK);
    numel_report_free(r);
    EXPECT(numel_claim("7B", &value, NULL, NULL, NULL) == NUMEL_OK && value == 7000000000);
    EXPECT(numel_subject_open(&model, NULL, NULL, NULL, NULL) == NUMEL_OK); /* no out-parameter given */
    EXPECT(numel_report_tensors(&r, model, NULL, NULL) == NUMEL_E_USAGE && !r);
    EXPECT(numel_report_formula(&r, model, NULL) != NUMEL_OK && !r);
    numel_subject_close(model);
    EXPECT(numel_open_memory(&ck, "", 0, NULL, NULL) != NUMEL_OK && !ck);
    numel_found_free(NULL);
    numel_free(NULL);
    numel_heads_free(NULL);
    numel_subject_close(NULL);
    numel_values_close(NULL);
    numel_report_free(NULL);
}

/* A function that fails with an error pointer also fails without one. */
static void of_errors(const numel_found *found, const numel_checkpoint *ck, numel_subject *model)
{
    numel_checkpoint *none;
    numel_report *r;
    numel_subject *other;
    numel_tensor tensor = NUMEL_INIT(numel_tensor);
    numel_values *values;
    numel_symbol symbol = NUMEL_INIT(numel_symbol);
    EXPECT(numel_open(&none, found, 99, NULL, NULL) == NUMEL_E_USAGE && !none);
    EXPECT(numel_subject_at(&other, found, 99, NULL, NULL, NULL) == NUMEL_E_USAGE && !other);
    EXPECT(numel_subject_member(&other, model, 0, NULL) == NUMEL_E_USAGE && !other);
    EXPECT(numel_report_verify(&r, model, NULL, NULL) == NUMEL_E_USAGE && !r); /* not found through a path */
    EXPECT(numel_tensor_at(ck, SIZE_MAX, &tensor, NULL) == NUMEL_E_USAGE);
    EXPECT(numel_values_open(&values, ck, 1u << 30, NULL, NULL) == NUMEL_E_USAGE && !values);
    EXPECT(numel_symbol_at(model, 99999, &symbol, NULL) == NUMEL_E_USAGE);
    EXPECT(numel_claim("many", &(uint64_t){ 0 }, NULL, NULL, NULL) == NUMEL_E_USAGE);
    EXPECT(!numel_file_at(ck, SIZE_MAX) && !numel_finding_at(ck, SIZE_MAX));
}

int main(int count, char **args)
{
    char path[512];
    numel_found *found;
    numel_subject *model, *at;
    size_t members;
    EXPECT(count == 3);
    snprintf(path, sizeof path, "%s/llama-2-7b", args[1]);
    numel_checkpoint *ck = open_at(path, &found);
    EXPECT(numel_subject_of(&model, ck, NULL, NULL, NULL) == NUMEL_OK);
    of_a_model(model);
    EXPECT(numel_subject_at(&at, found, 0, NULL, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_subject_members(at, &members, NULL) == NUMEL_OK && members == 0 && !numel_subject_lacks(at));
    of_files(path, at, ck, args[2]);
    numel_subject_close(at);
    of_nothing();
    of_errors(found, ck, model);
    numel_subject_close(model);
    numel_free(ck);
    numel_found_free(found);
    return 0;
}
