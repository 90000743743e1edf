/*
 * fuzz_config.c -- the text of a configuration: the expected tensors, and the formula. Specifications are
 * parsed once; one input in eight is also expanded under GGUF's names, and a second time.
 */
#include "common/splice.h"
#include "common/words.h"

#include "base/hash.h"

/* Folded expansion, where one turn represents similar ones, gives the same sums. */
static void check_folded(const struct expand_input *in, const struct expansion *x)
{
    struct expansion *y;
    numel_error e = { .code = NUMEL_OK };
    FUZZ_ASSERT(expand_folded(&y, in, &memory_malloc, &e), "folded it cannot be had");
    FUZZ_ASSERT(memcmp(&x->totals, &y->totals, sizeof x->totals) == 0, "folding changes the sum");
    expansion_free(y);
}

/* Expands again: an expansion is a function of its configuration. */
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
    struct check_memory m;
    numel_error e = { .code = NUMEL_OK };
    const struct library_entry *entry = library_match(fuzz_library(), c, SIDE_HF, &e);
    const struct spec *spec;
    struct expansion *x;
    fuzz_error(entry != NULL, &e, size);
    if (!entry) return;
    FUZZ_ASSERT(library_spec(fuzz_library(), entry, &spec, &e), "a specification that is built in");
    fuzz_memory(&m, size, 0);
    m.most = FUZZ_LITTLE;
    struct expand_input in = { .spec = spec, .config = c, .side = side, .other_values = side == SIDE_GGUF };
    bool ok = expand(&x, &in, &m.allocator, &e);
    fuzz_error(ok, &e, size);
    FUZZ_ASSERT(e.code != NUMEL_E_NOMEM || m.refused, "out of memory that there was");
    if (ok) {
        fuzz_expansion(x);
        fuzz_terms(x);
        if (again) check_again(&in, x);
        if (again) check_folded(&in, x);
    }
    expansion_free(x);
    fuzz_memory_done(&m);
}

static void check_rooms(const uint8_t *data, size_t size, bool often)
{
    struct check_memory m;
    struct config *c;
    numel_error e = { .code = NUMEL_OK };
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    fuzz_memory(&m, size, 0);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t hash = hash_bytes((const char *)data, size, 0);
    if (size > 65536) return 0;
    check_rooms(data, size, hash % 8 == 0);
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
