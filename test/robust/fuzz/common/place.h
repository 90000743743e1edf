/*
 * place.h -- a private folder in memory, filled from one input.
 *
 * The input is split at a two-byte mark that no text contains, FE ED. The byte after the mark selects the
 * file's name from the target's table; the bytes up to the next mark are its content. Bytes before the
 * first mark go into the table's first file. If a name is selected twice, the last one wins.
 */
#ifndef NUMEL_TEST_FUZZ_PLACE_H
#define NUMEL_TEST_FUZZ_PLACE_H

#include "mutators.h"

enum place_form {
    PLACE_BYTES,  /* written as is */
    PLACE_PACKED, /* in a zstd frame */
    PLACE_HEAD,   /* as behead writes it: the first eight bytes are the original size */
    PLACE_LINK,   /* a link to the row's target; the bytes are ignored */
    PLACE_NAMED   /* the first line is the name */
};

struct place_row {
    const char *name; /* contains '/' for a file in a subfolder; NULL for PLACE_NAMED */
    enum place_form form;
    const char *target;
};

/* The folder; created on first use, removed at exit. */
const char *place_folder(void);
/* Path of a name in the folder, valid until the next call. */
const char *place_path(const char *name);
/* Writes the files of an input; true if there are any. */
bool place_put(const struct place_row *rows, size_t count, const uint8_t *data, size_t size);
/* Creates the parent folders of a name: "a" for "a/b.txt". */
void place_folders(const char *name);
/* Writes one file with exactly these bytes. */
void place_file(const char *name, const void *p, size_t n);
/* Removes all of them, with their folders. */
void place_clear(void);

/* Mutates one file with its own mutator; or removes, duplicates or renames a file. */
size_t mutate_files(const struct place_row *rows, size_t count, uint8_t *p, size_t n, size_t most,
                    struct dice *d);

#endif
