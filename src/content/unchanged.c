/* unchanged.c -- the identity of a file, checked three times. */
#include "content/unchanged.h"

#include "base/error.h"

static const char changed[] = "the file changed while it was read";

bool unchanged_size(const numel_file *f, uint64_t bytes, numel_error *e)
{
    if (f->compressed || f->header_only || f->bytes == bytes) return true;
    return error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE,
                     "the file changed: it had %" PRIu64 " bytes when its header was read, now %" PRIu64,
                     f->bytes, bytes);
}

void unchanged_begin(const numel_file *f, struct file_identity *was, numel_error *e)
{
    error_clear(e);
    if (!identity_of(f->path, was)) error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "can no longer be read");
    else if (unchanged_size(f, was->bytes, e)) return;
    error_file(e, f->path);
}

bool unchanged_open(const struct file_identity *was, const struct stream *s, numel_error *e)
{
    return identity_same(&s->was, was) || error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE, changed);
}

void unchanged_end(const numel_file *f, const struct file_identity *was, numel_error *e)
{
    struct file_identity is = { 0 };
    identity_of(f->path, &is);
    if (!identity_same(&is, was))
        error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE, changed); /* the first error stays */
    error_file(e, f->path);
}
