/*
 * zeros.c -- data that was never written, which a size alone does not show. A file whose digest is the published
 * one has them as published.
 *
 * A download may reserve its space and stop, so that the file has its size and ends in zeros, or leave out a
 * piece in the middle.
 *
 * Zeros are not wrong by themselves. Biases start as zeros, and so do whole matrices (LoRA's B, the padding
 * rows of a vocabulary). But such zeros begin and end where a row does; a download stops anywhere, or leaves
 * out several consecutive tensors. So a run of zeros is an error if it reaches the end over several tensors,
 * one of them a matrix, or if it begins or ends inside a row.
 */
#include "verify/verify.h"

#include "base/num.h"
#include "base/text.h"
#include "content/zeros.h"
#include "verify/hash.h"

/* ---- tensors under a run ------------------------------------------------------------------ */

struct covered {
    const numel_tensor *first, *last;
    uint64_t count, matrices;
    bool cuts_row; /* an end is inside a row */
};

/* Bytes of a row; a tensor of one dimension is one row. */
static uint64_t row_bytes(const numel_tensor *t)
{
    uint64_t rows = 1;
    for (uint32_t i = 0; i + 1 < t->ndim; i++)
        if (!num_mul(&rows, rows, t->dims[i])) return 0;
    return rows ? t->bytes / rows : 0;
}

/* Does the run end inside a row of t at byte `at` of the file? A row's last value may end in zeros itself, or
 * be zero in its first bytes: one value more or less is not a cut. */
static bool cuts(const numel_tensor *t, uint64_t at)
{
    uint64_t row = row_bytes(t), slack = t->dtype->block_bytes ? t->dtype->block_bytes : 8;
    if (at <= t->offset || at >= t->offset + t->bytes || row == 0) return false;
    uint64_t into = (at - t->offset) % row;
    return into > slack && row - into > slack;
}

static void cover(struct covered *c, const numel_tensor *t, const struct zero_run *run)
{
    uint64_t begin = num_max(t->offset, run->begin);
    uint64_t end = num_min(t->offset + t->bytes, run->end);
    if (t->bytes == 0 || begin >= end) return;
    if (!c->first || t->offset < c->first->offset) c->first = t;
    if (!c->last || t->offset > c->last->offset) c->last = t;
    c->count++;
    c->matrices += t->ndim > 1;
    c->cuts_row |= cuts(t, run->begin) || cuts(t, run->end);
}

static struct covered covered_by(const numel_checkpoint *ck, const numel_file *f, const struct zero_run *run)
{
    struct covered c = { 0 };
    const numel_tensor *t = registry_from(&ck->registry, f->first_tensor);
    for (uint64_t i = 0; t && i < f->tensors; i++) cover(&c, &t[i], run);
    return c;
}

/* ---- zeros -------------------------------------------------------------------------------- */

static void tell_run(struct verify *v, const numel_file *f, const struct zero_run *run, bool tail)
{
    char a[TEXT_QUOTE], b[TEXT_QUOTE], bytes[TEXT_NUMBER], count[TEXT_NUMBER];
    struct covered c = covered_by(v->ck, f, run);
    bool several = c.count > 1 && c.matrices;
    if (!c.first || (!several && !c.cuts_row)) return;
    const char *how = run->hole ? " that were never written" : "";
    const char *where = tail ? "to the end of the file" : "in the middle of the data";
    text_number(bytes, run->end - run->begin);
    text_number(count, c.count);
    enum finding_rule rule = tail                      ? FINDING_ZERO_TAIL
                             : run->hole || c.cuts_row ? FINDING_ZERO_HOLE
                                                       : FINDING_ZERO_RUN;
    if (c.count == 1)
        findings_add(&v->ck->findings, rule, f->path, c.first->name, run->begin,
                     "%s zero bytes%s %s, inside tensor %s: the download stopped there, or skipped "
                     "them",
                     bytes, how, where, text_quote(a, c.first->name));
    else
        findings_add(&v->ck->findings, rule, f->path, c.first->name, run->begin,
                     "%s zero bytes%s %s: tensors %s to %s (%s) have no data: the space was allocated "
                     "and never filled",
                     bytes, how, where, text_quote(a, c.first->name), text_quote(b, c.last->name), count);
}

static void look_for_zeros(struct verify *v, const numel_file *f)
{
    struct stream s;
    struct zero_runs runs;
    numel_error *e = v->error;
    uint64_t end = f->bytes - f->trailing;
    if (f->compressed || f->header_only || !f->tensors || end <= f->data_start) return;
    if (hash_is_published(v, f->path)) return;
    bool ok = stream_open(&s, f->path, e);
    if (ok && s.was.bytes != f->bytes)
        ok = error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE,
                       "the file has %" PRIu64 " bytes, but it had %" PRIu64 " when its header was read",
                       s.was.bytes, f->bytes);
    ok = ok && zeros_find(&s, f->data_start, end, &runs, e);
    ok = stream_close(&s, e) && ok;
    for (size_t i = 0; ok && i < runs.count; i++) tell_run(v, f, &runs.items[i], runs.items[i].end == end);
    if (ok) return;
    enum finding_rule rule = e->code == NUMEL_E_CHANGED ? FINDING_FILE_CHANGED : FINDING_FILE_UNREADABLE;
    findings_add(&v->ck->findings, rule, f->path, NO_TENSOR, e->offset, "%s", e->what);
    error_clear(e);
}

void verify_zeros(struct verify *v)
{
    for (size_t i = 0; i < v->ck->file_count; i++) look_for_zeros(v, &v->ck->files[i]);
}
