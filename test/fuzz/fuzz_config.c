/*
 * fuzz_config.c -- the text of a configuration: what it makes one expect, its formula, what is printed of it.
 *
 * Each input goes through the rooms below, with the specifications parsed once; one in so many through the
 * reports as well, where all of it is made anew in counted memory.
 */
#include "splice.h"
#include "words.h"

#include "base/hash.h"

enum { WHOLE = 64 }; /* one input of so many is reported */

/* The same again: an expansion is a function of its configuration. */
static void check_again(const struct expand_input *in, const struct expansion *x)
{
    struct expansion *y;
    numel_error e = { .code = NUMEL_OK };
    FUZZ_ASSERT(expand(&y, in, &memory_malloc, &e), "the second time it cannot be had");
    FUZZ_ASSERT(memcmp(&x->totals, &y->totals, sizeof x->totals) == 0 && x->row_count == y->row_count,
                "another sum, the second time");
    expansion_free(y);
}

static void check_expected(struct config *c, enum side side, size_t size, bool again)
{
    struct fuzz_memory m;
    numel_error e = { .code = NUMEL_OK };
    const struct library_entry *entry = library_match(fuzz_library(), c, SIDE_HF, &e);
    const struct spec *spec;
    struct expansion *x;
    fuzz_error(entry != NULL, &e, size);
    if (!entry) return;
    FUZZ_ASSERT(library_spec(fuzz_library(), entry, &spec, &e), "a specification that is built in");
    fuzz_memory_init(&m, fuzz_bound(size, 200000));
    struct expand_input in = { .spec = spec, .config = c, .side = side, .other_values = side == SIDE_GGUF };
    bool ok = expand(&x, &in, &m.allocator, &e);
    fuzz_error(ok, &e, size);
    FUZZ_ASSERT(e.code != NUMEL_E_NOMEM || m.refused, "out of memory that there was");
    if (ok) {
        fuzz_expansion(x);
        fuzz_terms(x);
        if (again) check_again(&in, x);
    }
    expansion_free(x);
    fuzz_memory_done(&m);
}

static void check_rooms(const uint8_t *data, size_t size, bool often)
{
    struct fuzz_memory m;
    struct config *c;
    numel_error e = { .code = NUMEL_OK };
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    config_plain(text, size);
    fuzz_memory_init(&m, fuzz_bound(size, 0));
    FUZZ_ASSERT(config_new(&c, &m.allocator, &e), "a configuration");
    bool ok = config_add_json(c, text, size, "config.json", &e);
    fuzz_error(ok, &e, size);
    if (ok) {
        check_expected(c, SIDE_HF, size, often);
        if (often) check_expected(c, SIDE_GGUF, size, false);
    }
    config_free(c);
    free(text);
    fuzz_memory_done(&m);
}

static void check_whole(const uint8_t *data, size_t size)
{
    struct fuzz_memory m;
    numel_model *model = NULL;
    numel_report *r = NULL;
    numel_error e;
    fuzz_memory_init(&m, fuzz_bound(size, 200000));
    numel_options options = { .size = sizeof options, .allocator = &m.allocator };
    numel_knowledge k = { .size = sizeof k, .config_text = data, .config_bytes = size };
    numel_rc rc = numel_model_open(&model, NULL, NULL, &k, &options, &e);
    fuzz_error(rc == NUMEL_OK, &e, size);
    if (!rc) {
        rc = numel_report_formula(&r, model, &e);
        fuzz_report(rc, r, &e, size);
        rc = numel_report_print(&r, model, &e);
        fuzz_report(rc, r, &e, size);
        rc = numel_report_explain(&r, "6.74B", model, NULL, &e);
        fuzz_report(rc, r, &e, size);
    }
    numel_model_close(model);
    fuzz_memory_done(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t hash = hash_bytes((const char *)data, size, 0);
    if (size > 65536) return 0;
    check_rooms(data, size, !LLVMFuzzerMutate || hash % 8 == 0);
    if (!LLVMFuzzerMutate || hash % WHOLE == 1) check_whole(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    static struct splice_pool keys, texts;
    if (!keys.count) {
        splice_built_in_words(&keys, "cfg(\"");
        splice_built_in_words(&keys, "q(\"");
        for (uint32_t i = 0; i < embedded_key_count; i++)
            splice_keep(&texts,
                        (numel_str){ embedded_text + embedded_keys[i].word, embedded_keys[i].word_bytes });
    }
    return splice_json(data, size, max, seed, &keys, &texts);
}
