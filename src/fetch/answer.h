/* answer.h -- answers of the protocol, appended to what goes to the parent. */
#ifndef NUMEL_FETCH_ANSWER_H
#define NUMEL_FETCH_ANSWER_H

#include "fetch/protocol.h"

#include "base/buffer.h"

#define ANSWER_UNKNOWN UINT64_MAX /* of a size */

void answer_ok(struct buffer *out, uint32_t id, uint64_t size, numel_str etag, numel_str bytes);
/* A sentence, escaped and cut to FETCH_SENTENCE bytes. */
void answer_error(struct buffer *out, uint32_t id, enum fetch_kind kind, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

#endif
