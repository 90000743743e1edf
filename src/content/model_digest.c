/*
 * model_digest.c -- the records of the tensors: digested, sorted by their bytes, and digested together.
 */
#include "content/model_digest.h"

#include "base/fixed.h"
#include <stdlib.h>
#include <string.h>

void model_digest_begin(struct model_digest *m, bool named, const numel_allocator *memory)
{
    *m = (struct model_digest){ .memory = memory, .named = named };
}

void model_digest_drop(struct model_digest *m)
{
    memory_release(m->memory, m->records);
    m->records = NULL;
}

/* Adds the dims, with a NUL after the last. */
NUMEL_MUST static bool add_dims(struct digest *d, const numel_tensor *t, numel_error *e)
{
    for (uint32_t i = 0; i < t->ndim; i++) {
        char text[24];
        size_t n = text_format(text, sizeof text, "%s%" PRIu64, i ? "," : "", t->dims[i]);
        if (!digest_add(d, text, n, e)) return false;
    }
    return digest_add(d, "", 1, e);
}

NUMEL_MUST static bool add_record(struct digest *d, const struct model_digest *m, const numel_tensor *t,
                                  const struct digest_value *data, numel_error *e)
{
    if (m->named && (!digest_add(d, t->name.p, t->name.n, e) || !digest_add(d, "", 1, e))) return false;
    return digest_add(d, t->dtype->name, strlen(t->dtype->name) + 1, e) && add_dims(d, t, e) &&
           digest_add(d, data->bytes, sizeof data->bytes, e);
}

bool model_digest_add(struct model_digest *m, const numel_tensor *t, const struct digest_value *data,
                      numel_error *e)
{
    struct digest d;
    struct digest_value v;
    if (!memory_grow(m->memory, &m->records, &m->cap, m->count + 1, sizeof *m->records, e)) return false;
    if (!digest_begin(&d, DIGEST_SHA256, 0, e)) return false;
    if (!add_record(&d, m, t, data, e)) {
        digest_drop(&d);
        return false;
    }
    if (!digest_end(&d, &v, e)) return false;
    memcpy(m->records[m->count++], v.bytes, sizeof v.bytes);
    return true;
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, DIGEST_BYTES); }

bool model_digest_end(struct model_digest *m, struct digest_value *out, numel_error *e)
{
    struct digest d;
    if (m->count) qsort(m->records, m->count, sizeof *m->records, by_bytes);
    bool ok = digest_begin(&d, DIGEST_SHA256, 0, e);
    if (ok && !(ok = digest_add(&d, m->records, m->count * sizeof *m->records, e))) digest_drop(&d);
    ok = ok && digest_end(&d, out, e);
    model_digest_drop(m);
    return ok;
}
