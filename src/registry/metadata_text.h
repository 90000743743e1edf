/* metadata_text.h -- a value of a file's metadata as text: for people, escaped, or as JSON. */
#ifndef NUMEL_REGISTRY_METADATA_TEXT_H
#define NUMEL_REGISTRY_METADATA_TEXT_H

#include "base/buffer.h"
#include "registry/metadata.h"

/* For people, an array of more than some 8 values is abbreviated, [a b c ... +128253], unless `all`; in JSON,
 * [a,b,c]. Reads an array in a mapped file: call under its guard. */
void metadata_put(struct buffer *b, const struct metadata_entry *e, bool json, bool all);

#endif
