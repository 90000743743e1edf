/*
 * fuzz_folder.c -- a whole folder from one input (see place.h): found, opened, verified down to its
 * digests and values, identified, hashed, and every report of it in every format.
 *
 * The first byte selects one step, so that many inputs run per second; 0 runs everything, which seeds do
 * and mutants do not.
 */
#include "../../support/check.h"
#include "../../support/reports.h"
#include "common/place.h"

#include <string.h>

#define BLOB "0c5d5d3b0a1a1c4f7cbe1f1ae0d3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5"

static const struct place_row rows[] = {
    { .name = "config.json" },
    { .name = "model.safetensors" },
    { .name = "model.safetensors.index.json" },
    { .name = "model-00001-of-00002.safetensors" },
    { .name = "model-00002-of-00002.safetensors" },
    { .name = "tokenizer.json" },
    { .name = "adapter_config.json" },
    { .name = "adapter_model.safetensors" },
    { .name = "generation_config.json" },
    { .name = "SHA256SUMS" },
    { .name = "x.numel" },
    { .name = "model_index.json" },
    { .name = "model.gguf" },
    { .name = "model-00001-of-00002.gguf" },
    { .name = "model-00002-of-00002.gguf" },
    { .name = "params.json" },
    { .name = "vocab.json" },
    { .name = "added_tokens.json" },
    { .name = "quantize_config.json" },
    { .name = "hf_quant_config.json" },
    { .name = "model.safetensors.head.zst", .form = PLACE_HEAD },
    { .name = "model-00001-of-00002.safetensors.head.zst", .form = PLACE_HEAD },
    { .name = "model-00002-of-00002.safetensors.zst", .form = PLACE_PACKED },
    { .name = "model.gguf.head.zst", .form = PLACE_HEAD },
    { .name = "model.safetensors.index.json.zst", .form = PLACE_PACKED },
    { .name = "unet/config.json" },
    { .name = "unet/diffusion_pytorch_model.safetensors" },
    { .name = "snapshots/aa11/config.json" },
    { .name = "snapshots/aa11/model.safetensors", .form = PLACE_LINK, .target = "../../blobs/" BLOB },
    { .name = "blobs/" BLOB },
    { .name = "refs/main" },
    { .name = ".cache/huggingface/download/model.safetensors.metadata" },
    { .name = "model.safetensors.lfs" },
    { .name = "original/consolidated.00.pth" },
    { .name = "raw.safetensors.zst" },
    { .form = PLACE_NAMED },
};
enum { ROWS = sizeof rows / sizeof *rows, MOST_SETS = 3, STEPS = 5 };

/* Runs the selected step on the folder, or all of them. */
static bool wants(uint8_t choice, unsigned step) { return choice == 0 || choice % STEPS == step; }

/* Trying every architecture on an undeclared one is slow: only occasionally. */
static bool is_declared(uint8_t choice) { return choice % 8 > 1; }

static void check_report(numel_rc rc, numel_report *r, const numel_error *e)
{
    FUZZ_CHECK(check_made(rc, r, e, REPORT_KINDS, NULL));
    numel_report_free(r);
}

static void report_kind(const numel_checkpoint *ck, unsigned kind, bool declared,
                        const numel_options *options)
{
    const numel_knowledge later = { .size = sizeof later, .declared_only = declared };
    static const numel_view view = { .size = sizeof view };
    numel_subject *model = NULL;
    numel_report *r = NULL;
    numel_error e;
    numel_rc rc = numel_subject_of(&model, ck, &later, options, &e);
    if (!rc) rc = report_make(kind, &r, model, &view, &e);
    FUZZ_CHECK(check_made(rc, r, &e, kind, ck));
    numel_report_free(r);
    numel_subject_close(model);
}

static void verify(const numel_found *found, size_t i, const numel_options *options, uint8_t choice,
                   bool data)
{
    const numel_knowledge known = { .size = sizeof known, .declared_only = is_declared(choice) };
    static const numel_work work = { .size = sizeof work, .threads = 1 };
    numel_check check = NUMEL_INIT(numel_check);
    numel_report *r = NULL;
    numel_error e;
    check.level = data ? NUMEL_LEVEL_HASH : NUMEL_LEVEL_CONFIG;
    check.values = check.all = data;
    check.work = &work;
    numel_subject *s = NULL, *first = NULL;
    numel_rc rc = numel_subject_at(&s, found, i, &known, options, &e);
    if (!rc) rc = numel_report_verify(&r, s, &check, &e);
    check_report(rc, r, &e);
    if (s && numel_found_components(found, i)) { /* and the first of them by itself */
        r = NULL;
        rc = numel_subject_member(&first, s, 0, &e);
        if (!rc) rc = numel_report_verify(&r, first, &check, &e);
        check_report(rc, r, &e);
    }
    numel_subject_close(first);
    numel_subject_close(s);
}

/* Stored tensors, and a guess at the expected ones: the promise, twice as many or 200,000. */
static uint64_t check_set(const numel_found *found, size_t i, const numel_options *options, uint8_t choice)
{
    numel_checkpoint *ck = NULL;
    numel_error e;
    numel_rc rc = numel_open(&ck, found, i, options, &e);
    FUZZ_ASSERT((rc == NUMEL_OK) == (ck != NULL), "result and checkpoint disagree");
    if (!ck) FUZZ_CHECK(check_error(rc, &e, UINT64_MAX));
    uint64_t tensors = ck ? numel_tensor_count(ck) : 0;
    for (unsigned kind = 0; ck && kind < REPORT_KINDS; kind++)
        if (choice == 0 || (wants(choice, 0) && choice / STEPS % REPORT_KINDS == kind))
            report_kind(ck, kind, is_declared(choice), options);
    numel_free(ck);
    if (wants(choice, 1)) verify(found, i, options, choice, false);
    if (wants(choice, 2)) verify(found, i, options, choice, true);
    return tensors;
}

static void check_paths(const numel_options *options, uint8_t choice)
{
    static const numel_hashing hashing = { .size = sizeof hashing };
    static const numel_work work = { .size = sizeof work, .threads = 1 };
    const char *paths[] = { place_folder() };
    numel_report *r = NULL;
    numel_error e;
    numel_rc rc;
    if (wants(choice, 3)) {
        rc = numel_report_identify(&r, paths, 1, options, &e);
        check_report(rc, r, &e);
    }
    if (wants(choice, 4)) {
        r = NULL;
        rc = numel_report_hash(&r, paths, 1, &hashing, options, &work, &e);
        check_report(rc, r, &e);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    numel_options options = NUMEL_INIT(numel_options);
    numel_found *found = NULL;
    numel_error e;
    uint64_t tensors = 0;
    if (size < 2) return 0;
    check_memory_init(&m, UINT64_MAX);
    options.allocator = &m.allocator;
    place_put(rows, ROWS, data + 1, size - 1);
    numel_rc rc = numel_find(&found, place_folder(), &options, &e);
    FUZZ_ASSERT((rc == NUMEL_OK) == (found != NULL), "result and list disagree");
    if (rc) FUZZ_CHECK(check_error(rc, &e, UINT64_MAX));
    for (size_t i = 0; found && i < numel_found_count(found) && i < MOST_SETS; i++)
        tensors += check_set(found, i, &options, data[0]);
    numel_found_free(found);
    check_paths(&options, data[0]);
    place_clear();
    FUZZ_CHECK(check_memory_done(&m, size, tensors + 200000));
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t most, unsigned seed)
{
    struct dice d;
    dice_init(&d, seed);
    if (n < 2) return LLVMFuzzerMutate(p, n, most);
    p[0] = (uint8_t)(1 + dice_roll(&d, 255));
    return 1 + mutate_files(rows, ROWS, p + 1, n - 1, most - 1, &d);
}
