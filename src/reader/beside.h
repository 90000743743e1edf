/*
 * beside.h -- what lies beside weights: configurations, tokenizers, code, texts, pictures, other formats.
 *
 * Said from the content; the name says what is promised. A file is damaged when it is not what its name
 * promises: a tokenizer.json that is a web page, a Git LFS pointer, JSON that ends in the middle, a picture
 * that is text, an archive without its end. What promises nothing is said as far as it can be told.
 */
#ifndef NUMEL_READER_BESIDE_H
#define NUMEL_READER_BESIDE_H

#include "source/source.h"

struct beside {
    char *text; /* one line, at most size bytes with its NUL */
    size_t size;
    const char *kind; /* "config", "tokenizer", ...: identify.h */
};

/* The file at `path`, open as `s`. False when it is damaged: e->what says how, without its subject ("is a
 * Git LFS pointer ..."); and for IO, CHANGED, NOMEM. */
NUMEL_MUST bool beside_say(struct beside *b, const char *path, const struct source *s,
                           const numel_allocator *memory, numel_error *e);

/* By its name alone: does a trainer keep tensors in it that are no weights, or in a form of its own? */
bool beside_trained(numel_str name);
/* What a file that is not read, and holds tensors, is by its name: "ONNX model"; NULL: it is none. */
const char *beside_tensors(numel_str name);

/* ---- parts of it -------------------------------------------------------------------------- */

enum json_promise { JSON_ANY, JSON_OBJECT_ONLY };

/* beside_json.c: a document at p, all of it. `label` is what its name says it is; NULL: nothing. False and *e
 * (SYNTAX, UTF8, LIMIT, FORMAT) when it is broken, or a server's answer in place of the file. Allocates
 * nothing: it may look at mapped bytes. */
NUMEL_MUST bool beside_json(struct beside *b, const uint8_t *p, uint64_t n, const char *label,
                            enum json_promise promise, numel_error *e);

#endif
