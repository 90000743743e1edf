/*
 * manifest.h -- digests as text: the lines of `numel hash`, and those of similar tools.
 *
 *     # numel-manifest 1                           ours; other lines with # are comments
 *     # bytes 4976698672  DIR/FILE                 the size of the file on the next line
 *     HEX  DIR/FILE                                as sha256sum writes and checks it
 *     sha256    HEX  DIR/FILE:TENSOR               as llama.cpp's gguf-hash writes it
 *     model     HEX  PATH                          over the tensors with their names
 *     content   HEX  PATH                          over the tensors without
 *
 * It reads these, BSD's "SHA256 (FILE) = HEX", and a lone HEX (the file then has the list's name). Names are
 * escaped as by text_escape(); if that changes a file's name, the line begins with a backslash, as
 * sha256sum's do. Names are compared in that form.
 */
#ifndef NUMEL_CONTENT_MANIFEST_H
#define NUMEL_CONTENT_MANIFEST_H

#include "content/digest.h"

#include "base/buffer.h"

enum manifest_kind { MANIFEST_FILE, MANIFEST_TENSOR, MANIFEST_MODEL, MANIFEST_CONTENT };

struct manifest_line {
    enum manifest_kind kind;
    struct digest_value value;
    numel_str file;   /* escaped; for a lone HEX the list's name without its ending */
    numel_str tensor; /* escaped; MANIFEST_TENSOR only */
    uint64_t bytes;   /* of MANIFEST_FILE, when sized */
    bool sized;
};

struct manifest {
    const numel_allocator *memory;
    struct manifest_line *lines;
    size_t count, cap;
    bool ours; /* begins with our first line */
};

#define MANIFEST_FIRST "# numel-manifest 1"

/* Is the name one of a list of digests? SHA256SUMS, FILE.sha256, FILE.numel, ... */
bool manifest_is_list(numel_str name);
/* Reads a list of digests, or a Git LFS pointer (one digest, of the file with the pointer's name without an
 * ending ".lfs" or ".pointer"). SYNTAX if it has no digest, or is ours of a later version; LIMIT above 1 GiB;
 * IO. Texts are in the arena. */
NUMEL_MUST bool manifest_read(struct manifest *m, const char *path, struct arena *a, numel_error *e);
/* From memory, for tests and the fuzzer; `name` is the list's own. */
NUMEL_MUST bool manifest_parse(struct manifest *m, const char *p, size_t n, numel_str name, struct arena *a,
                               numel_error *e);
void manifest_done(struct manifest *m);

/* Appends one line without its end to b. */
void manifest_put_bytes(struct buffer *b, uint64_t bytes, const char *path);
void manifest_put_file(struct buffer *b, const struct digest_value *v, const char *path);
void manifest_put_tensor(struct buffer *b, const struct digest_value *v, const char *path, numel_str tensor);
void manifest_put_model(struct buffer *b, enum manifest_kind kind, const struct digest_value *v,
                        const char *path);

#endif
