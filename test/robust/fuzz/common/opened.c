/* opened.c -- see opened.h. */
#include "opened.h"

#include "../../../support/check.h"
#include "../../../support/recount.h"
#include "../../../support/reports.h"

static numel_checkpoint *open_once(const uint8_t *data, size_t size, struct check_memory *m, bool strict,
                                   numel_error *e)
{
    numel_options options = NUMEL_INIT(numel_options);
    numel_checkpoint *ck = NULL;
    options.allocator = &m->allocator;
    options.strict = strict;
    numel_rc rc = numel_open_memory(&ck, data, size, &options, e);
    FUZZ_ASSERT((rc == NUMEL_OK) == (ck != NULL), "result and checkpoint disagree");
    if (!ck) FUZZ_CHECK(check_error(rc, e, size));
    return ck;
}

/* Opens the same file in strict mode. */
static void check_strict(const numel_checkpoint *ck, const numel_checkpoint *strict)
{
    FUZZ_ASSERT(numel_tensor_count(ck) == numel_tensor_count(strict), "strict has other tensors");
    FUZZ_ASSERT(numel_finding_count(ck) == numel_finding_count(strict), "strict has other findings");
    FUZZ_ASSERT(numel_worst(ck) <= numel_worst(strict), "strict is milder");
    FUZZ_ASSERT(numel_worst(strict) != NUMEL_WARNING, "strict leaves a warning one");
}

void fuzz_open(const uint8_t *data, size_t size)
{
    struct check_memory m, n;
    numel_error e, f;
    check_memory_init(&m, UINT64_MAX);
    check_memory_init(&n, UINT64_MAX);
    numel_checkpoint *ck = open_once(data, size, &m, false, &e),
                     *strict = open_once(data, size, &n, true, &f);
    FUZZ_ASSERT(!ck == !strict && (ck || e.code == f.code), "strict and default do not open the same files");
    uint64_t tensors = ck ? numel_tensor_count(ck) : 0;
    if (ck) {
        FUZZ_CHECK(check_checkpoint(ck, size));
        FUZZ_CHECK(recount(ck, data, size));
        check_strict(ck, strict);
    }
    numel_free(ck);
    numel_free(strict);
    FUZZ_CHECK(check_memory_done(&m, size, tensors));
    FUZZ_CHECK(check_memory_done(&n, size, tensors));
}

void fuzz_whole(const uint8_t *data, size_t size)
{
    numel_checkpoint *ck = NULL;
    numel_error e;
    numel_rc rc = numel_open_memory(&ck, data, size, NULL, &e);
    FUZZ_CHECK(rc ? check_error(rc, &e, size) : check_checkpoint(ck, size));
    if (ck) FUZZ_CHECK(check_reports(ck));
    numel_free(ck);
}
