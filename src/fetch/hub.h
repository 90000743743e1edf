/*
 * hub.h -- the Hub of Hugging Face: names, URLs and answers of its API.
 *
 *     hf://[models/]ORG/NAME[@REV][/PATH]                 percent-encoded, REV main by default; a slash in REV
 *                                                         is %2F but in refs/pr/N and refs/convert/X
 *     ENDPOINT/api/models/ORG/NAME/revision/REV           {"sha": COMMIT, ...}
 *     ENDPOINT/api/models/ORG/NAME/tree/COMMIT            a list of files in pages, joined by Link headers
 *     ENDPOINT/ORG/NAME/resolve/COMMIT/PATH               the file, or a redirect to a signed link
 *
 * A file in Git LFS or Xet has its SHA-256 as "lfs.oid" in the tree and as X-Linked-ETag on the redirect; any
 * other has git's digest, as "oid" and as ETag.
 */
#ifndef NUMEL_FETCH_HUB_H
#define NUMEL_FETCH_HUB_H

#include "base/buffer.h"

enum { HUB_COMMIT = 40 };

struct hub_place {
    numel_str repo; /* "ORG/NAME", safe in a URL */
    numel_str rev;  /* decoded */
    numel_str path; /* decoded; empty: the repository */
};

/* Parses an hf:// URL into texts of the arena. Returns NULL, or a sentence about the mistake. */
NUMEL_MUST const char *hub_parse(struct hub_place *place, numel_str url, struct arena *a);
bool hub_is_commit(numel_str rev);

/* The URLs, without their endpoint. */
void hub_revision(struct buffer *b, const struct hub_place *place);
void hub_tree(struct buffer *b, const struct hub_place *place, numel_str commit);
void hub_file(struct buffer *b, const struct hub_place *place, numel_str commit);

/* Reads the commit of a revision into `commit`. */
NUMEL_MUST bool hub_commit(char commit[HUB_COMMIT + 1], numel_str body, numel_error *e);
/* Appends the lines of a page of the tree to an answer (protocol.h), and counts its files. */
NUMEL_MUST bool hub_page(struct buffer *lines, size_t *files, numel_str body, numel_error *e);

#endif
