/* answer.c -- the heads of answers, and sentences that are safe to show. */
#include "fetch/answer.h"

#include "base/text.h"

void answer_ok(struct buffer *out, uint32_t id, const struct answer *a, numel_str bytes)
{
    buffer_format(out, "%" PRIu32 " %s ", id, a->kept ? "kept" : "ok");
    if (a->size == SIZE_UNKNOWN) buffer_char(out, '-');
    else buffer_format(out, "%" PRIu64, a->size);
    buffer_char(out, ' ');
    buffer_str(out, a->etag.n ? a->etag : text_of("-"));
    buffer_format(out, " %" PRIu64 " %zu\n", a->came, bytes.n);
    buffer_str(out, bytes);
}

static numel_str name_of(enum fetch_kind kind)
{
    numel_str names = text_of(FETCH_KINDS);
    for (unsigned i = 0; i < kind; i++) (void)text_cut(&names, ' ');
    return text_cut(&names, ' ');
}

void answer_error(struct buffer *out, uint32_t id, enum fetch_kind kind, const char *format, va_list args)
{
    char raw[2 * FETCH_SENTENCE], text[FETCH_SENTENCE + 1];
    size_t n = text_formatv(raw, sizeof raw, format, args);
    (void)text_safe_fit(text, sizeof text, (numel_str){ raw, n });
    buffer_format(out, "%" PRIu32 " error ", id);
    buffer_str(out, name_of(kind));
    buffer_format(out, " %zu\n%s", strlen(text), text);
}
