/*
 * fuzz_whole_config.c -- the text of a configuration through the reports that need no checkpoint: formula,
 * print, explain. Everything is created anew each time, in counted memory.
 */
#include "common/splice.h"
#include "common/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    numel_subject *model = NULL;
    numel_report *r = NULL;
    numel_error e;
    fuzz_memory(&m, size, FUZZ_TENSORS);
    numel_options options = { .size = sizeof options, .allocator = &m.allocator };
    numel_knowledge k = { .size = sizeof k, .config_text = data, .config_bytes = size };
    numel_rc rc = numel_subject_open(&model, NULL, &k, &options, &e);
    fuzz_error(rc == NUMEL_OK, &e, size);
    if (!rc) {
        rc = numel_report_formula(&r, model, &e);
        fuzz_report(rc, r, &e, size);
        rc = numel_report_print(&r, model, &e);
        fuzz_report(rc, r, &e, size);
        rc = numel_report_explain(&r, "6.74B", model, NULL, &e);
        fuzz_report(rc, r, &e, size);
    }
    numel_subject_close(model);
    fuzz_memory_done(&m);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    static struct splice_pool keys, texts;
    if (!keys.count) {
        splice_built_in_words(&keys, "cfg(\"");
        splice_built_in_words(&keys, "q(\"");
        splice_built_in_models(&texts);
    }
    return splice_json(data, size, max, seed, &keys, &texts);
}
