/* manifest.c -- see manifest.h. */
#include "content/manifest.h"

#include "base/text.h"

/* ---- writing ------------------------------------------------------------------------------ */

/* sha256sum marks a line in which a name stands escaped by a backslash in front. */
static void put_mark(struct buffer *b, numel_str name)
{
    size_t before = b->n;
    text_escape(b, name);
    bool same = b->failed || (b->n - before == name.n &&
                              (name.n == 0 || memcmp(b->p + before, name.p, name.n) == 0));
    if (!b->failed) b->n = before;
    if (!same) buffer_char(b, '\\');
}

void manifest_put_bytes(struct buffer *b, uint64_t bytes, const char *path)
{
    buffer_format(b, "# bytes %" PRIu64 "  ", bytes);
    text_escape(b, text_of(path));
}

void manifest_put_file(struct buffer *b, const struct digest_value *v, const char *path)
{
    char hex[DIGEST_HEX];
    put_mark(b, text_of(path));
    buffer_format(b, "%s  ", digest_hex(hex, v));
    text_escape(b, text_of(path));
}

void manifest_put_tensor(struct buffer *b, const struct digest_value *v, const char *path,
                         numel_str tensor)
{
    char hex[DIGEST_HEX];
    buffer_format(b, "%-8s  %s  ", digest_name(v->kind), digest_hex(hex, v));
    text_escape(b, text_of(path));
    buffer_char(b, ':');
    text_escape(b, tensor);
}

void manifest_put_model(struct buffer *b, enum manifest_kind kind, const struct digest_value *v,
                        const char *path)
{
    char hex[DIGEST_HEX];
    buffer_format(b, "%-8s  %s  ", kind == MANIFEST_MODEL ? "model" : "content",
                  digest_hex(hex, v));
    text_escape(b, text_of(path));
}
