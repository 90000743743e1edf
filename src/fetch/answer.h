/* answer.h -- answers of the protocol, appended to what goes to the parent. */
#ifndef NUMEL_FETCH_ANSWER_H
#define NUMEL_FETCH_ANSWER_H

#include "fetch/protocol.h"

#include "base/buffer.h"

struct answer {
    bool kept;      /* from the cache */
    uint64_t size;  /* of the file, or SIZE_UNKNOWN */
    numel_str etag; /* empty: none */
    uint64_t came;  /* bytes over the network */
};
void answer_ok(struct buffer *out, uint32_t id, const struct answer *a, numel_str bytes);
/* A sentence, escaped and cut to FETCH_SENTENCE bytes. */
void answer_error(struct buffer *out, uint32_t id, enum fetch_kind kind, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

#endif
