/*
 * place.h -- a private folder in memory, and one input taken for the files in it.
 *
 * The input is cut at a mark of two bytes that no text has, FE ED; the byte behind it chooses the file's name
 * from the target's table, the rest up to the next mark is what the file holds. What stands before the first mark
 * is the table's first file. A name that is chosen twice is written twice: the last one stays.
 */
#ifndef NUMEL_TEST_FUZZ_PLACE_H
#define NUMEL_TEST_FUZZ_PLACE_H

#include "mutators.h"

enum place_form {
    PLACE_BYTES,  /* as they are */
    PLACE_PACKED, /* in a zstd frame */
    PLACE_HEAD,   /* as behead writes it: the first eight bytes are the size of the original */
    PLACE_LINK,   /* a link to the row's target, whatever the bytes */
    PLACE_NAMED   /* the first line is the name */
};

struct place_row {
    const char *name; /* with '/' where it lies in a folder; NULL: of PLACE_NAMED */
    enum place_form form;
    const char *target;
};

/* The folder, made when it is first asked for, removed at exit. */
const char *place_folder(void);
/* Path of a name in it, valid until the next call. */
const char *place_path(const char *name);
/* The files of an input; true when there is any. */
bool place_put(const struct place_row *rows, size_t count, const uint8_t *data, size_t size);
/* The folders that a name lies in: "a/b.txt" is in "a". */
void place_folders(const char *name);
/* One file, of just these bytes. */
void place_file(const char *name, const void *p, size_t n);
/* All of them removed, with their folders. */
void place_clear(void);

/* Changes one file by the mutator that its name asks for; or takes one out, doubles or renames it. */
size_t mutate_files(const struct place_row *rows, size_t count, uint8_t *p, size_t n, size_t most,
                    struct dice *d);

#endif
