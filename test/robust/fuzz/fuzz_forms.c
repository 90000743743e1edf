/*
 * fuzz_forms.c -- forms (how writers split and name tensors) over the expected tensors of a mixture's
 * specification, and a file that has everything they match, or every other tensor. Renaming, stacking and
 * splitting keep the number of elements, and no name appears twice.
 */
#include "common/splice.h"
#include "common/words.h"

#include "base/hash.h"
#include "formula/forms.h"

#include <string.h>

static const struct spec *spec; /* a mixture's: experts one by one */
static struct config *config;

static void prepare(void)
{
    numel_error e = { .code = NUMEL_OK };
    const struct library_entry *entry = library_find(fuzz_library(), text_of("mixtral"));
    FUZZ_ASSERT(entry && library_spec(fuzz_library(), entry, &spec, &e), "the specification");
    config = fuzz_config_new(fuzz_config, &memory_malloc);
}

/* A file known only by its names, selected by the mode. */
enum mode { HAS_NEW, HAS_ALL, HAS_SOME, MODES };

struct pretended {
    enum mode mode;
    const struct expansion *x;
    uint64_t dims[2];
};

static bool is_expected(const struct pretended *p, numel_str name)
{
    for (size_t i = 0; i < p->x->row_count; i++)
        if (text_same(p->x->rows[i].name, name)) return true;
    return false;
}

static bool occurs(void *ctx, numel_str text)
{
    (void)ctx, (void)text;
    return true;
}

static bool holds(void *ctx, numel_str name, bool *yes, numel_error *e)
{
    const struct pretended *p = ctx;
    (void)e;
    *yes = p->mode == HAS_ALL || (p->mode == HAS_NEW && !is_expected(p, name)) ||
           (p->mode == HAS_SOME && hash_bytes(name.p, name.n, 1) % 2);
    return true;
}

static bool dims(void *ctx, numel_str name, const uint64_t **out, uint32_t *ndim)
{
    struct pretended *p = ctx;
    p->dims[0] = hash_bytes(name.p, name.n, 2) % 3 ? 64 : 96;
    p->dims[1] = 64;
    *out = p->dims;
    *ndim = 2;
    return hash_bytes(name.p, name.n, 3) % 2;
}

static void apply(const struct forms *f, enum mode mode, size_t size)
{
    struct check_memory m;
    struct expansion *x;
    numel_error e = { .code = NUMEL_OK };
    fuzz_memory(&m, size, 0);
    struct expand_input in = { .spec = spec, .config = config };
    FUZZ_ASSERT(expand(&x, &in, &m.allocator, &e), e.what);
    struct totals before = x->totals;
    struct pretended p = { .mode = mode, .x = x };
    struct form_file file = { occurs, holds, dims, mode == HAS_SOME ? "mlx" : NULL, &p };
    bool ok = forms_apply(x, f, &file, &e);
    fuzz_error(ok, &e, size);
    FUZZ_ASSERT(e.code != NUMEL_E_NOMEM || m.refused, "out of memory that there was");
    if (ok) {
        fuzz_expansion(x);
        FUZZ_ASSERT(before.parameters == x->totals.parameters,
                    "forms that change how many parameters there are");
        FUZZ_ASSERT(before.buffers == x->totals.buffers && before.copies == x->totals.copies,
                    "forms that change a tensor which is not a parameter");
    }
    expansion_free(x);
    fuzz_memory_done(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    struct complaints all = { .count = 0 };
    struct arena a;
    struct forms *f;
    numel_error e = { .code = NUMEL_OK };
    struct library_entry entry = fuzz_entry("fuzz.forms", "fuzz.forms", data, size);
    if (!spec) prepare();
    fuzz_memory(&m, size, 0);
    arena_init(&a, &m.allocator);
    all.arena = &a;
    bool ok = forms_parse(&f, &entry, &m.allocator, size % 2 ? &all : NULL, &e);
    fuzz_error(ok, &e, size);
    FUZZ_ASSERT(ok || e.code != NUMEL_E_SPEC || size % 2 == 0 || all.count, "refused, and no complaint");
    fuzz_complaints(&all, entry.file, entry.text);
    for (unsigned mode = 0; ok && mode < MODES; mode++) apply(f, (enum mode)mode, size);
    forms_free(f);
    arena_done(&a);
    fuzz_memory_done(&m);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct splice_pool lines;
    if (!lines.count) splice_built_in(&lines, SPLICE_FORMS);
    return splice_lines(data, size, most, seed, &lines);
}
