/* plan.c -- ranges sorted by offset, so that a file is read once from front to end. */
#include "content/plan.h"

#include "base/num.h"
#include "content/unchanged.h"

#include <stdlib.h>

struct place {
    uint64_t offset;
    uint32_t tensor;
};

static int by_offset(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return num_order(x->tensor, y->tensor);
}

/* Is it complete? A compressed file of unstated size shows that when read. */
static bool is_there(const numel_file *f, const numel_tensor *t)
{
    if (f->header_only || f->data == NUMEL_DATA_ABSENT) return t->bytes == 0;
    if (f->compressed && !f->size_known) return t->bytes <= UINT64_MAX - t->offset;
    return num_inside(t->offset, t->bytes, f->bytes);
}

bool plan_tensors(struct plan_file *p, const numel_file *f, const numel_tensor *tensors, struct arena *a,
                  numel_error *e)
{
    p->file = f;
    size_t n = 0, most = (size_t)f->tensors;
    struct place *places = arena_alloc(a, (most + 1) * sizeof *places);
    p->job.ranges = arena_alloc(a, (most + 1) * sizeof *p->job.ranges);
    p->tensors = arena_alloc(a, (most + 1) * sizeof *p->tensors);
    if (!places || !p->job.ranges || !p->tensors) return error_nomem(e);
    for (size_t k = 0; k < most; k++) {
        uint32_t number = (uint32_t)(f->first_tensor + k);
        const numel_tensor *t = &tensors[number];
        if (is_there(f, t)) places[n++] = (struct place){ t->offset, number };
    }
    if (n) qsort(places, n, sizeof *places, by_offset);
    for (size_t k = 0; k < n; k++) {
        const numel_tensor *t = &tensors[places[k].tensor];
        p->job.ranges[k] = (struct hash_range){ .offset = t->offset, .bytes = t->bytes };
        p->tensors[k] = places[k].tensor;
    }
    p->job.range_count = n;
    p->job.compressed = f->compressed;
    return true;
}

void plan_settle(struct plan_file *p)
{
    const numel_file *f = p->file;
    struct hash_job *job = &p->job;
    if (!f || !error_free(&job->error)) return;
    if (!job->range_count && !job->sha256 && !job->git)
        return; /* nothing of it was requested: it was not opened */
    if (!unchanged_size(f, job->identity.bytes, &job->error)) error_file(&job->error, job->path);
}
