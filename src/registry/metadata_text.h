/* metadata_text.h -- a metadata value as escaped text for people, or as JSON. */
#ifndef NUMEL_REGISTRY_METADATA_TEXT_H
#define NUMEL_REGISTRY_METADATA_TEXT_H

#include "base/buffer.h"
#include "registry/metadata.h"

/* For people, abbreviates an array of more than about 8 values as [a b c ... +128253], unless `all`; in
 * JSON, prints [a,b,c]. May read an array in a mapped file, so call it under the file's guard. */
void metadata_put(struct buffer *b, const struct metadata_entry *e, bool json, bool all);

#endif
