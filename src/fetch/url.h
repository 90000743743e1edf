/*
 * url.h -- origins of URLs, and percent-encoding.
 *
 * URLs consist of printable ASCII, so they cannot split a header or a request line, and have no user name. Origins
 * are compared as in RFC 6454: scheme, host and port.
 */
#ifndef NUMEL_FETCH_URL_H
#define NUMEL_FETCH_URL_H

#include "base/buffer.h"

struct url {
    bool secure;    /* https; otherwise http */
    numel_str host; /* as written, with the brackets of IPv6 */
    uint64_t port;
    numel_str rest; /* from the path on; may be empty */
};

/* False unless it is an http or https URL of that kind. The parts are slices of the text. */
bool url_split(struct url *u, numel_str text);
bool url_same_origin(numel_str a, numel_str b);
/* localhost, 127.0.0.0/8 or [::1], without asking DNS. */
bool url_is_local(const struct url *u);
/* Without its query and fragment. */
numel_str url_bare(numel_str text);

/* Appends the text with all bytes but unreserved ones encoded, slashes too; text_uri() keeps those of a path. */
void url_encode(struct buffer *b, numel_str text);
/* Appends the text decoded. False for a % without two hexadecimal digits. */
bool url_decode(struct buffer *b, numel_str text);
/* True for a relative path of UTF-8 without control characters and without empty, "." or ".." components. */
bool url_is_path(numel_str decoded);

#endif
