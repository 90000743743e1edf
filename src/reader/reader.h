/*
 * reader.h -- one interface for all formats: a row with a probe and a read function.
 *
 * read() parses the header in (base, size) and appends to registry, metadata and findings; it uses
 * the path only to name it in findings. It may be called again on the same file with more bytes (a
 * compressed one), and may be left in the middle (guard.h): the caller rolls back first. Everything
 * it allocates is in the arena or in `scratch`.
 */
#ifndef NUMEL_READER_READER_H
#define NUMEL_READER_READER_H

#include "registry/dtype.h"
#include "registry/finding.h"
#include "registry/metadata.h"
#include "registry/registry.h"

struct source;
struct torch_room; /* pytorch_internal.h */

/* A tensor's header entry besides numel_tensor: needed for the checks, then dropped. */
struct reading_entry {
    uint64_t begin, end; /* relative to the data start; safetensors has both */
    uint64_t at;         /* offset of the entry in the file */
    bool odd;            /* tolerated: its size is unknown, and bytes there count as its own */
};

struct reading {
    const uint8_t *base;
    uint64_t size;
    const struct source *source; /* for source_at(): a zip is read from its end */
    bool complete;               /* size is the whole file; else TRUNCATED means "give me more" */
    uint64_t need;               /* after TRUNCATED: sufficient bytes, 0 if unknown */
    bool part;                   /* more is known to follow: read the tensors in it, then fail in any way */
    bool final;                  /* after TRUNCATED: more bytes would not help */
    uint64_t total;              /* of the whole file */
    bool total_known;
    bool header_only;
    uint64_t longest; /* most bytes of one text, see source_longest(); 0: any */
    bool lenient;     /* for verify: a faulty entry is a finding, and reading continues */
    bool gaps_known;  /* some tensors have no known place: holes may be theirs, so they are not findings */

    const char *path;
    uint64_t max_header_bytes; /* 0: the format's own limit */
    struct arena *arena;
    struct registry *registry;
    struct metadata *metadata;
    struct findings *findings;
    numel_file *file;   /* the output; its path is set */
    uint32_t number;    /* of the file in its checkpoint */
    size_t first_entry; /* of the file in metadata */
    numel_error *error;

    /* scratch: kept by the caller across files, freed at the end */
    struct reading_entry *entries;
    size_t entry_cap;
    uint64_t *dims;
    size_t dims_cap;
    struct names keys; /* of this file's metadata */
    struct torch_room *torch;
};

struct reader {
    numel_format format;
    const char *name;
    /* Is this a file of the format, by its first bytes? size may be small. */
    bool (*probe)(const uint8_t *base, uint64_t size);
    bool (*read)(struct reading *);
};

/* Frees the memory for reading PyTorch files; accepts NULL. */
void torch_room_free(struct torch_room *);
extern const struct reader reader_safetensors, reader_gguf, reader_pytorch;
/* True for a length that fits in 32 bits and then, after optional white space, a brace, as far as p goes.
 * Unique to safetensors: other magics have fewer bytes, which some lengths share: 640 is 80 02, a
 * pickle's. */
bool safetensors_begins(const uint8_t *p, uint64_t size);

/* Appends to the file's metadata. If the key exists, appends nothing, and *known is its index
 * relative to first_entry; else NAMES_ABSENT. */
bool reading_key(struct reading *r, const struct metadata_entry *entry, uint32_t *known);

/* Appends a tensor, and its entry. NOMEM. */
NUMEL_MUST bool reading_add(struct reading *r, const numel_tensor *t, const struct reading_entry *e);

/* The state that a failed reading is rolled back to: tensors, metadata and findings. Arena memory is not
 * released. */
struct reading_mark {
    size_t tensors, entries;
    struct findings_mark findings;
};
struct reading_mark reading_mark(const struct reading *r);
void reading_roll_back(struct reading *r, const struct reading_mark *m);

/* Findings of the file being read; the entry may be NULL. */
#define reading_find(r, rule, tensor, offset, ...) \
    findings_add((r)->findings, rule, (r)->path, tensor, offset, __VA_ARGS__)
/* For a name, a key or a value longer than r->longest; arguments: its kind, and both numbers. */
#define READING_LONG                                                                                       \
    "%s has %" PRIu64 " bytes, the limit for one out of zstd is %" PRIu64 ": unpack the file first (zstd " \
    "-d)"
#define NO_TENSOR ((numel_str){ NULL, 0 })

/* A fault: an error, and false. In a lenient reading a finding, and true: continue. */
bool reading_refuse(struct reading *r, enum finding_rule rule, numel_rc code, numel_str tensor,
                    uint64_t offset, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Enters the names; a repeated one is such a fault, with the places of both. `sign` follows the name. */
bool reading_commit(struct reading *r, const char *sign);
/* Turns an error that is already set into a finding, if the reading is lenient and can continue. */
bool reading_forgive(struct reading *r, enum finding_rule rule, numel_str tensor);

#endif
