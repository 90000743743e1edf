/*
 * draft.h -- a checkpoint that exists only as names, types and shapes: our own generator turns it into
 * header-only files.
 *
 * Tests need checkpoints of realistic size with true names, but 140 GB cannot be committed. A `model` is
 * filled by a description (describe.c) or an oracle (oracle.c), cut into files (shard.c), encoded as the
 * header of either format (encode_safetensors.c, encode_gguf.c) and written to disk (put.c).
 *
 * This code shares only the base room with the product. In particular it has its own table of element
 * types: a generator that asked the library for the size of a type could not notice an error in it. Tools
 * exit on the first error; nothing here recovers.
 */
#ifndef NUMEL_TEST_MODEL_H
#define NUMEL_TEST_MODEL_H

#include "base/buffer.h"
#include "base/json_doc.h"
#include "base/memory.h"
#include "base/num.h"
#include "base/text.h"

/* An element type: `block` elements take `bits`. rank: position in the reference's list of safetensors
 * types, its writer's sort order, -1 for none. id: the number in GGUF, or -1. */
struct kind {
    const char *name;
    int rank, id;
    uint32_t block, bits;
};
const struct kind *kind_find(const char *name, bool gguf); /* NULL if unknown */

enum { MODEL_DIMS = 8 };

struct made {
    const char *name;
    const struct kind *kind;
    uint64_t dims[MODEL_DIMS]; /* outermost first */
    unsigned ndim;
    uint64_t elements, bytes;
    unsigned file;
};

/* Sums that the description expects; 0 if not stated. */
struct expected {
    uint64_t tensors, elements, bytes;
    uint64_t whole; /* all files, headers included */
};

struct draft {
    struct arena arena;
    struct made *tensors;
    size_t count, cap;
    struct buffer meta; /* safetensors: members of __metadata__, written */
    struct buffer kv;   /* GGUF: key-value pairs, written */
    uint64_t kv_count;
    const char *file; /* "model.safetensors" */
    bool gguf, big_endian, unsorted, no_index;
    uint32_t version, alignment;
    uint64_t shard_count, shard_bytes, shard_tensors; /* one of the two, or neither */
    unsigned digits;                                  /* digits of the total in "-of-00004" */
    unsigned files;                                   /* set by draft_shard() */
    struct expected expected;
};

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *must(void *p); /* exits if given NULL */
char *file_read(const char *path, size_t *n);

void draft_init(struct draft *m);
void draft_done(struct draft *m);
void draft_add(struct draft *m, const char *name, const struct kind *kind, const uint64_t *dims,
               unsigned ndim);
struct expected draft_sum(const struct draft *m);

/* Reads the directives of a file, then those of `extra`. */
void draft_describe(struct draft *m, const char *path, char **extra, size_t extras);
/* Reads the names of an oracle file; returns its config as JSON text in the arena. */
const char *draft_oracle(struct draft *m, const char *path, const char *dtype);
/* The three steps of draft_oracle(). Infinity, which is not JSON, is a string in the document and a bare
 * word in the text, which the caller frees. */
json_value *oracle_parse(const char *text, numel_error *e);
void draft_of_oracle(struct draft *m, const json_value *doc, const struct kind *kind);
char *oracle_config(const json_value *config);

void draft_shard(struct draft *m);
const char *draft_file_name(struct draft *m, unsigned file); /* in the arena */

/* The header of one file; *data receives the number of data bytes after it. */
void encode_safetensors(struct draft *m, unsigned file, struct buffer *out, uint64_t *data);
void encode_index(struct draft *m, struct buffer *out);
void encode_gguf(struct draft *m, unsigned file, struct buffer *out, uint64_t *data);

/* Appends one GGUF value to m->kv: type "u32" or "[u32]"; `text` holds its words. */
void gguf_value(struct draft *m, const char *type, const char *key, const char *text);
/* n strings: prefix and i % period in base 36; or n times the same number. */
void gguf_strings(struct draft *m, const char *key, uint64_t n, uint64_t period, const char *prefix);
void gguf_numbers(struct draft *m, const char *type, const char *key, uint64_t n, const char *value);

enum put_form { PUT_ZSTD, PUT_SPARSE, PUT_PLAIN, PUT_DATA };
/* Writes the header to dir/name; the whole file would have `bytes` bytes. */
void put_head(const char *dir, const char *name, enum put_form form, int level, const struct buffer *head,
              uint64_t bytes);
void put_text(const char *dir, const char *name, const char *p, size_t n);

#endif
