/*
 * beside.h -- other files next to weights: configurations, tokenizers, code, texts, pictures, other
 * formats.
 *
 * The content decides; the name is a promise. A file that breaks it is damaged: a tokenizer.json that is a
 * web page, a Git LFS pointer, JSON that ends in the middle, a picture that is text, an archive without its
 * end. Files that promise nothing are described as far as possible.
 */
#ifndef NUMEL_READER_BESIDE_H
#define NUMEL_READER_BESIDE_H

#include "source/source.h"

struct beside {
    char *text; /* one line, at most size bytes including its NUL */
    size_t size;
    const char *kind; /* "config", "tokenizer", ...: identify.h */
};

/* Describes the file `path`, open as `s`. False if damaged: e->what is the reason without its subject
 * ("is a Git LFS pointer ..."); also for IO, CHANGED, NOMEM. */
NUMEL_MUST bool beside_say(struct beside *b, const char *path, const struct source *s,
                           const numel_allocator *memory, numel_error *e);

/* True if the name is that of a trainer's tensors that are not weights, or are in the trainer's own
 * format. */
bool beside_trained(numel_str name);
/* The kind of a file with tensors that is not read, by its name: "ONNX model"; NULL if it is not one. */
const char *beside_tensors(numel_str name);

/* ---- for beside.c ------------------------------------------------------------------------- */

enum json_promise { JSON_ANY, JSON_OBJECT_ONLY };

/* beside_json.c: a complete document at p. `label` is its kind by its name, or NULL. False and *e (SYNTAX,
 * UTF8, LIMIT, FORMAT) if it is broken, or a server's answer instead of the file. Allocates nothing: p may
 * be mapped. */
NUMEL_MUST bool beside_json(struct beside *b, const uint8_t *p, uint64_t n, const char *label,
                            enum json_promise promise, numel_error *e);

#endif
