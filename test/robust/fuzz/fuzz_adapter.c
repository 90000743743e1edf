/*
 * fuzz_adapter.c -- adapter_config.json and the file next to it: modules, targets and whole tensors add up
 * to the trained total, ranks match the shapes, and no more is trained than is stored.
 */
#include "../../support/check.h"
#include "../../support/hostile.h"
#include "common/place.h"

#include "adapter/adapter.h"

#include <string.h>

static const struct place_row rows[] = { { .name = "adapter_model.safetensors" },
                                         { .name = "adapter_config.json" },
                                         { .name = "adapter.gguf" },
                                         { .name = "config.json" },
                                         { .name = "adapter_model.safetensors.head.zst",
                                           .form = PLACE_HEAD } };
enum { ROWS = sizeof rows / sizeof *rows };

static void check_text(const char *text)
{
    if (text) FUZZ_CHECK(check_clean(text, strlen(text)));
}

static void check_target(const struct adapter *a, uint32_t i)
{
    const struct adapter_target *t = &a->targets[i];
    uint64_t modules = 0, parameters = 0;
    for (size_t k = 0; k < a->module_count; k++) {
        const struct adapter_module *m = &a->modules[k];
        numel_str target = a->targets[i].name;
        if (m->name.n < target.n || memcmp(m->name.p + m->name.n - target.n, target.p, target.n) != 0)
            continue;
        modules++;
        parameters += m->parameters;
    }
    FUZZ_ASSERT(t->modules > 0 && t->modules <= modules, "modules of another target");
    FUZZ_ASSERT(t->parameters <= parameters, "parameters of another target");
    FUZZ_ASSERT(i == 0 || a->targets[i - 1].parameters >= t->parameters, "the largest is not first");
    for (unsigned r = 1; r < t->ranks.count; r++)
        FUZZ_ASSERT(t->ranks.items[r - 1] < t->ranks.items[r], "ranks are not sorted");
}

static void check_adapter(const struct adapter *a)
{
    uint64_t paired = 0, modules = 0, parameters = 0, base = 0;
    uint64_t tensors = numel_tensor_count(a->ck);
    for (size_t i = 0; i < a->module_count; i++) {
        const struct adapter_module *m = &a->modules[i];
        paired += m->parameters;
        FUZZ_ASSERT(m->part_count <= ADAPTER_PARTS, "more parts than there is room for");
        for (unsigned k = 0; k < m->part_count; k++) FUZZ_ASSERT(m->tensors[k] < tensors, "a missing part");
        FUZZ_ASSERT(m->factor == NAMES_ABSENT || m->factor < tensors, "a missing alpha");
    }
    for (uint32_t i = 0; i < a->target_count; i++) {
        check_target(a, i);
        modules += a->targets[i].modules;
        parameters += a->targets[i].parameters;
        base += a->targets[i].base;
    }
    FUZZ_ASSERT(paired == a->paired && parameters == paired, "modules and targets add up to other sums");
    FUZZ_ASSERT(modules == a->module_count, "a module of no target");
    FUZZ_ASSERT(base == a->target_base, "the base is another sum");
    FUZZ_ASSERT((a->family != NULL) == (a->fit_count > 0), "a family that does not fit");
    FUZZ_ASSERT(a->parameters <= a->ck->stored && a->whole_elements <= a->ck->stored,
                "more is trained than is stored");
    check_text(a->type);
    check_text(a->base);
    check_text(a->alpha);
    for (unsigned i = 0; i < a->complaint_count; i++) check_text(a->complaints[i]);
}

static void check_one(const numel_found *found, size_t i, const numel_options *options,
                      struct check_memory *m, size_t size)
{
    numel_checkpoint *ck = NULL;
    struct adapter a;
    struct arena arena;
    numel_error e = { .offset = NUMEL_NOWHERE };
    numel_rc rc = numel_open(&ck, found, i, options, &e);
    FUZZ_ASSERT((rc == NUMEL_OK) == (ck != NULL), "result and checkpoint disagree");
    if (!ck) FUZZ_CHECK(check_error(rc, &e, UINT64_MAX));
    if (!ck) return;
    e = (numel_error){ .offset = NUMEL_NOWHERE };
    arena_init(&arena, &m->allocator);
    bool ok = adapter_read(&a, ck, NULL, &arena, &e);
    FUZZ_ASSERT(ok == (e.code == NUMEL_OK), "result and error disagree");
    if (ok && a.type) check_adapter(&a);
    if (ok) adapter_done(&a);
    else FUZZ_CHECK(check_error(e.code, &e, size));
    arena_done(&arena);
    numel_free(ck);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    numel_options options = NUMEL_INIT(numel_options);
    numel_found *found = NULL;
    numel_error e;
    check_memory_init(&m, UINT64_MAX);
    options.allocator = &m.allocator;
    place_put(rows, ROWS, data, size);
    numel_rc rc = numel_find(&found, place_folder(), &options, &e);
    FUZZ_ASSERT((rc == NUMEL_OK) == (found != NULL), "result and list disagree");
    if (rc) FUZZ_CHECK(check_error(rc, &e, UINT64_MAX));
    for (size_t i = 0; found && i < numel_found_count(found); i++) check_one(found, i, &options, &m, size);
    numel_found_free(found);
    place_clear();
    FUZZ_CHECK(check_memory_done(&m, size, size / 16));
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t most, unsigned seed)
{
    struct dice d;
    dice_init(&d, seed);
    return mutate_files(rows, ROWS, p, n, most, &d);
}
