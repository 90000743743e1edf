/*
 * fuzz_specs.c -- the text of a specification, with all built-in files available, and a small
 * configuration.
 *
 * Parsed, linted and expanded under the names of both sides: a refused text has a complaint; an accepted
 * one expands to the same result twice, and its rows add up to its terms.
 */
#include "common/splice.h"
#include "common/words.h"

#include <string.h>

static void check_expansion(const struct spec *s, struct config *c, enum side side, bool again, size_t size)
{
    struct check_memory m;
    numel_error e = { .code = NUMEL_OK }, f = { .code = NUMEL_OK };
    struct expansion *x, *y;
    struct expand_input in = { .spec = s, .config = c, .side = side, .other_values = side == SIDE_GGUF };
    fuzz_memory(&m, size, 0);
    m.most = FUZZ_LITTLE;
    bool ok = expand(&x, &in, &m.allocator, &e);
    fuzz_error(ok, &e, size);
    FUZZ_ASSERT(e.code != NUMEL_E_NOMEM || m.refused, "out of memory that there was");
    if (ok) {
        fuzz_expansion(x);
        fuzz_terms(x);
    }
    if (again && !m.refused) {
        FUZZ_ASSERT(expand(&y, &in, &memory_malloc, &f) == ok && e.code == f.code,
                    "the second expansion differs");
        if (ok)
            FUZZ_ASSERT(memcmp(&x->totals, &y->totals, sizeof x->totals) == 0 && x->row_count == y->row_count,
                        "another sum, the second time");
        expansion_free(y);
    }
    expansion_free(x);
    fuzz_memory_done(&m);
}

static void check_lint(const struct library_entry *entry, bool accepted)
{
    struct complaints all = { .count = 0 };
    struct check_memory m;
    struct arena a;
    struct spec *s;
    numel_error e = { .code = NUMEL_OK };
    fuzz_memory(&m, entry->whole.n, 0);
    arena_init(&a, &m.allocator);
    all.arena = &a;
    bool ok = library_parse(fuzz_library(), entry, NULL, &s, &m.allocator, &all, &e);
    fuzz_error(ok, &e, entry->whole.n);
    FUZZ_ASSERT(ok == accepted, "lint parses differently");
    FUZZ_ASSERT(ok || e.code != NUMEL_E_SPEC || all.count, "refused, and no complaint");
    FUZZ_ASSERT(!ok || !all.count, "accepted, and complained about");
    if (ok) spec_lint(s, entry->whole, &all);
    fuzz_complaints(&all, entry->file, entry->whole);
    spec_free(s);
    arena_done(&a);
    fuzz_memory_done(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct config *c;
    struct check_memory m;
    struct spec *s;
    numel_error e = { .code = NUMEL_OK };
    struct library_entry entry = fuzz_entry("fuzz", "fuzz.spec", data, size);
    if (!c) c = fuzz_config_new(fuzz_config, &memory_malloc);
    fuzz_memory(&m, size, 0);
    bool ok = library_parse(fuzz_library(), &entry, NULL, &s, &m.allocator, NULL, &e);
    fuzz_error(ok, &e, size);
    if (size % 2) check_lint(&entry, ok);
    if (ok) {
        check_expansion(s, c, SIDE_HF, size % 4 == 0, size);
        check_expansion(s, c, SIDE_GGUF, size % 4 == 2, size);
    }
    spec_free(s);
    fuzz_memory_done(&m);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct splice_pool lines;
    if (!lines.count) splice_built_in(&lines, SPLICE_SPECS);
    return splice_lines(data, size, most, seed, &lines);
}
