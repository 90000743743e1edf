/*
 * piece.h -- raw pieces of a file that was split by bytes, to be joined with cat:
 *
 *     model.Q4_K_M.gguf.part1of2   model.Q6_K.gguf-split-a   model.safetensors.part-02   model.gguf.aa
 *
 * Only its name identifies a piece. The first one begins like the whole file, the others with anything.
 */
#ifndef NUMEL_READER_PIECE_H
#define NUMEL_READER_PIECE_H

#include "base/text.h"
#include "registry/finding.h"
#include "source/folder.h"

struct piece {
    numel_str whole; /* "model.Q4_K_M.gguf" */
    numel_str front; /* the common prefix of its pieces, "model.Q4_K_M.gguf.part" */
    numel_str label; /* "1of2", "a", "02" */
};

/* False if the name is not a piece's. All of *out points into `name`. */
bool piece_parse(numel_str name, struct piece *out);
enum { PIECE_HELP = 2 * TEXT_QUOTE + 64, PIECE_TEXT = 5 * TEXT_QUOTE };

/* "piece 1 of 2 of 'm.gguf', cut by bytes: join the pieces in order: cat 'm.gguf.part'* > 'm.gguf'" */
void piece_text(const struct piece *, char *text, size_t size);
/* Only the help, "join the pieces in order: cat 'm.gguf.part'* > 'm.gguf'". */
void piece_help(const struct piece *, char *text, size_t size);
/* The first piece in a folder (or NULL); false if there is none. */
bool piece_in(const struct folder *, struct piece *out);

#endif
