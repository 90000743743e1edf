/*
 * values.c -- numel verify --values: NaN, infinity and zeros in the weights.
 *
 * NaN and infinity are errors, except an intended infinity in a mask. Zeros are not an error: biases begin as
 * a vector of zeros. A matrix of zeros does nothing, and is worth a warning, unless it is the half of a LoRA
 * that starts as zeros.
 */
#include "verify/values.h"

#include "base/num.h"
#include "base/text.h"
#include "model/meaning.h"

#define FIND(r, rule, t, ...)                                                                            \
    findings_add(&(r)->v->ck->findings, rule, (r)->v->ck->files[(t)->file].path, (t)->name, (t)->offset, \
                 __VA_ARGS__)

/* ---- findings ----------------------------------------------------------------------------- */

static bool has_role(const struct meaning_row *row, const char *glob)
{
    return row && row->role && text_glob(glob, text_of(row->role));
}

static bool is_mask(const numel_tensor *t)
{
    struct meaning m = meaning_of(t->name);
    return has_role(m.role, "buffer.mask*");
}

/* B of a pair: at the start of training the adapter changes nothing. */
static bool starts_as_zero(const numel_tensor *t)
{
    struct meaning m = meaning_of(t->name);
    return has_role(meaning_adapter(&m), "adapter.b");
}

static void tell_numbers(struct value_report *r, const numel_tensor *t, const struct scan_counts *c)
{
    char n[TEXT_NUMBER], of[TEXT_NUMBER], name[TEXT_QUOTE];
    text_number(of, t->elements);
    text_quote(name, t->name);
    if (c->nan)
        FIND(r, FINDING_VALUE_NAN, t, "tensor %s: %s of %s values %s NaN", name, text_number(n, c->nan), of,
             c->nan == 1 ? "is" : "are");
    if (c->infinite)
        FIND(r, is_mask(t) ? FINDING_VALUE_INF_MASK : FINDING_VALUE_INF, t,
             "tensor %s: %s of %s values %s infinite", name, text_number(n, c->infinite), of,
             c->infinite == 1 ? "is" : "are");
    if (t->elements && c->zero == t->elements)
        FIND(r, t->ndim > 1 && !starts_as_zero(t) ? FINDING_VALUE_ZERO : FINDING_VALUE_ZERO_VECTOR, t,
             "tensor %s: all its %s values are zero", name, of);
}

static void tell_scales(struct value_report *r, const numel_tensor *t, const struct scan_counts *c)
{
    char nan[TEXT_NUMBER], infinite[TEXT_NUMBER], blocks[TEXT_NUMBER], name[TEXT_QUOTE];
    if (c->scale_nan + c->scale_infinite == 0) return;
    FIND(r, FINDING_SCALE_RANGE, t,
         "tensor %s: scales out of range in its %s blocks: %s NaN, %s infinite; such a block does not decode "
         "to numbers",
         text_quote(name, t->name), text_number(blocks, t->bytes / t->dtype->block_bytes),
         text_number(nan, c->scale_nan), text_number(infinite, c->scale_infinite));
}

static bool tell_files(struct value_report *r)
{
    const numel_checkpoint *ck = r->v->ck;
    for (size_t i = 0; i < ck->file_count; i++) {
        const numel_error *e = &r->values.files[i];
        if (error_free(e) || e->code == NUMEL_E_STOPPED) continue;
        findings_add(&r->v->ck->findings,
                     e->code == NUMEL_E_CHANGED ? FINDING_FILE_CHANGED : FINDING_FILE_UNREADABLE,
                     ck->files[i].path, NO_TENSOR, e->offset, "%s", e->what);
    }
    return true;
}

/* Unread tensors, one line per reason. */
static void tell_unread(struct value_report *r)
{
    static const char *const why[] = {
        [VALUE_TYPE] = "numel does not know how to decode their dtypes",
        [VALUE_ABSENT] = "their data is absent",
        [VALUE_APART] = "their elements are not one range of a file",
        [VALUE_COMPRESSED] = "their file is compressed: unpack it first",
        [VALUE_SWAPPED] = "blocks of big-endian files are not read",
    };
    size_t count[VALUE_UNREADABLE + 1] = { 0 };
    for (size_t i = 0; i < r->v->ck->registry.count; i++) count[r->values.tensors[i].state]++;
    for (int s = VALUE_TYPE; s < VALUE_UNREADABLE; s++)
        if (count[s])
            findings_add(&r->v->ck->findings, FINDING_VALUE_UNREAD, NULL, NO_TENSOR, NUMEL_NOWHERE,
                         "the values of %zu tensor%s were not read: %s", count[s], count[s] == 1 ? "" : "s",
                         why[s]);
}

static void tell_tensors(struct value_report *r)
{
    for (size_t i = 0; i < r->v->ck->registry.count; i++) {
        const numel_tensor *t = &r->v->ck->registry.tensors[i];
        const struct tensor_values *v = &r->values.tensors[i];
        if (v->state != VALUE_SCANNED) continue;
        tell_numbers(r, t, &v->counts);
        tell_scales(r, t, &v->counts);
        r->tensors++;
        r->elements += t->elements; /* of tensors in files: their sum fits */
        r->bytes += t->bytes;
        r->sum.nan += v->counts.nan;
        r->sum.infinite += v->counts.infinite;
        r->sum.zero += v->counts.zero;
        r->sum.scale_nan += v->counts.scale_nan;
        r->sum.scale_infinite += v->counts.scale_infinite;
    }
}

bool verify_values(struct verify *v)
{
    static const numel_work plain;
    struct value_report *r = arena_alloc(v->arena, sizeof *r);
    if (!r) return error_nomem(v->error);
    *r = (struct value_report){ .v = v };
    v->values = r;
    const struct values_input in = { v->ck->files, v->ck->file_count, v->ck->registry.tensors,
                                     v->ck->registry.count };
    if (!values_run(&r->values, &in, v->check->work ? v->check->work : &plain, v->arena, v->error))
        return false;
    v->stopped |= r->values.stopped;
    if (!v->stopped) tell_unread(r);
    tell_tensors(r);
    return tell_files(r);
}
