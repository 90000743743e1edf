/* check.c -- see check.h. */
#include "look.h"
#include "check.h"

#include "hostile.h"

#include <stdlib.h>
#include <string.h>

/* The size that malloc() granted, which may exceed the request. */
#if defined(__APPLE__)
#include <malloc/malloc.h>
#define GIVEN(p) malloc_size(p)
#else
#include <malloc.h>
#define GIVEN(p) malloc_usable_size(p)
#endif

static const char *check_tensor(const numel_checkpoint *ck, const numel_tensor *t, size_t at)
{
    uint64_t product = 1;
    if (!t->dtype || !t->dtype->name) return "a tensor without element type";
    if (t->file >= numel_file_count(ck)) return "a tensor of no file";
    if ((t->ndim == 0) != (t->dims == NULL)) return "dims and ndim disagree";
    for (uint32_t i = 0; i < t->ndim; i++)
        if (t->dims[i] == 0) product = 0; /* regardless of the others */
    for (uint32_t i = 0; i < t->ndim && product; i++)
        if (__builtin_mul_overflow(product, t->dims[i], &product)) return "the product overflows";
    if (product != t->elements) return "elements are not the product of the dims";
    size_t found = numel_tensor_find(ck, t->name.p, t->name.n);
    if (found == SIZE_MAX) return "a tensor is not found by its name";
    if (found != at && !(t->flags & NUMEL_REPEATED)) return "another tensor is found by that name";
    return NULL;
}

static const char *check_tensors(const numel_checkpoint *ck)
{
    uint64_t sum = 0;
    numel_counts counts = NUMEL_INIT(numel_counts);
    if (!look_count(ck, &counts)) return "no counts";
    if (counts.tensors != numel_tensor_count(ck)) return "two counts of tensors disagree";
    for (size_t i = 0; i < numel_tensor_count(ck); i++) {
        const numel_tensor t = look_at(ck, i);
        const char *why = check_tensor(ck, &t, i);
        if (why) return why;
        if (__builtin_add_overflow(sum, t.elements, &sum)) return "the sum overflows";
    }
    return sum == counts.stored ? NULL : "stored is not the sum of the elements";
}

static const char *check_file(const numel_file *f, uint64_t bytes)
{
    uint64_t all = f->header_bytes + f->data_bytes + f->padding + f->gaps + f->trailing;
    if (f->bytes != bytes) return "the file has another size";
    if (f->header_bytes > bytes) return "the header is longer than the file";
    if (f->data_start < f->header_bytes) return "the data begins inside the header";
    if (!f->overlap && !f->missing && all != bytes) return "not every byte is accounted for once";
    if ((f->missing == 0) != (f->data == NUMEL_DATA_PRESENT)) return "missing and data disagree";
    return NULL;
}

/* True if the text equals its own escaped form. */
static bool is_plain(const char *p)
{
    if (strlen(p) > 100) return false;
    for (; *p; p++)
        if (*p <= ' ' || *p > '~' || *p == '\\' || *p == '\'' || *p == '"') return false;
    return true;
}

static const char *check_findings(const numel_checkpoint *ck, uint64_t bytes)
{
    numel_severity worst = NUMEL_NOTE;
    for (size_t i = 0; i < numel_finding_count(ck); i++) {
        const numel_finding *f = numel_finding_at(ck, i);
        if (!f->code || !f->code[0]) return "a finding without code";
        if (!f->message || !f->message[0]) return "a finding without message";
        if (f->severity > NUMEL_ERROR) return "an unknown severity";
        if (f->offset != NUMEL_NOWHERE && f->offset > bytes) return "a finding outside the file";
        if (f->tensor[0] && is_plain(f->tensor) &&
            numel_tensor_find(ck, f->tensor, strlen(f->tensor)) == SIZE_MAX)
            return "a finding about a nonexistent tensor";
        if (f->severity > worst) worst = f->severity;
    }
    return numel_worst(ck) == worst ? NULL : "numel_worst is not the worst";
}

/* Absent, partial or overlapping data must have been reported. */
static const char *check_told(const numel_checkpoint *ck)
{
    const numel_file *f = numel_file_at(ck, 0);
    bool missing = false, overlap = false;
    for (size_t i = 0; i < numel_finding_count(ck); i++) {
        const char *code = numel_finding_at(ck, i)->code;
        if (strcmp(code, "data-missing") == 0 || strcmp(code, "data-absent") == 0) missing = true;
        if (strncmp(code, "offset-", 7) == 0 || strcmp(code, "size-mismatch") == 0) overlap = true;
    }
    if (f->missing && !missing) return "missing bytes without a finding";
    return f->overlap && !overlap ? "overlapping bytes without a finding" : NULL;
}

const char *check_checkpoint(const numel_checkpoint *ck, uint64_t bytes)
{
    const char *why;
    if (!ck) return "no checkpoint";
    if (numel_file_count(ck) != 1) return "not one file";
    if ((why = check_file(numel_file_at(ck, 0), bytes)) || (why = check_tensors(ck)) ||
        (why = check_findings(ck, bytes)))
        return why;
    return check_told(ck);
}

const char *check_error(numel_rc rc, const numel_error *e, uint64_t bytes)
{
    if (rc == NUMEL_OK) return "no error at all";
    if (e->code != rc) return "code and result disagree";
    if (strcmp(numel_rc_name(rc), "UNKNOWN") == 0) return "an unknown code";
    if (!e->what[0] || !memchr(e->what, 0, sizeof e->what)) return "an error without a text";
    if (!memchr(e->file, 0, sizeof e->file)) return "a file name without an end";
    if (e->offset != NUMEL_NOWHERE && e->offset > bytes) return "an error outside the file";
    return check_clean(e->what, strlen(e->what)); /* the file is an unmodified path */
}

uint64_t check_every(void)
{
    const char *said = getenv("NUMEL_EVERY");
    uint64_t n = said ? strtoull(said, NULL, 10) : 1;
    return n ? n : 1;
}

static void *counting_resize(void *ctx, void *old, size_t bytes)
{
    struct check_memory *m = ctx;
    uint64_t had = old ? GIVEN(old) : 0;
    if (bytes == 0) {
        m->outstanding -= old != NULL;
        m->held -= had;
        free(old);
        return NULL;
    }
    if (m->calls++ == m->fail_at) return NULL;
    if (m->most && m->held - had + bytes > m->most) {
        m->refused = true;
        return NULL;
    }
    void *p = realloc(old, bytes);
    m->outstanding += p && !old;
    if (p) m->held += GIVEN(p) - had;
    if (m->held > m->peak) m->peak = m->held;
    return p;
}

void check_memory_init(struct check_memory *m, uint64_t fail_at)
{
    *m = (struct check_memory){ .allocator = { counting_resize, m }, .fail_at = fail_at };
}

const char *check_memory_done(const struct check_memory *m, uint64_t bytes, uint64_t tensors)
{
    if (m->outstanding || m->held) return "memory is left";
    return m->peak <= 8 * bytes + ((uint64_t)16 << 20) + 256 * tensors ? NULL
                                                                       : "more memory than is promised";
}
