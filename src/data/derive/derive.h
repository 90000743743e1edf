/*
 * derive.h -- what the build derives from src/data: one C file with all texts and their indexes.
 *
 * A program for the build machine, not for the target. It reads only our own files: an error in one ends it,
 * with the file and the reason. Memory is freed when it ends. formula/embedded.h describes the tables that it
 * writes.
 */
#ifndef NUMEL_DATA_DERIVE_H
#define NUMEL_DATA_DERIVE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes without a terminating NUL. */
struct span {
    const char *p;
    size_t n;
};

/* derive.c */
_Noreturn void fail(const char *where, const char *what);
/* A whole file; *n bytes. */
char *read_whole(const char *path, size_t *n);
/* Makes room for one more item after `count`; *room counts items. */
void *grown(void *items, size_t count, size_t *room, size_t item);
int span_order(struct span a, struct span b); /* bytewise */
/* Takes the next word off a line; n 0 if none is left. */
struct span word_of(struct span *line);
struct span span_of(const char *text);
/* Appends to the text; returns the offset. */
uint32_t put(struct span s);
uint32_t put_name(struct span s); /* with a NUL after it */

/* The rank of a model type in usual.table; unknown types come after all others. */
size_t usual_rank(struct span model_type);

/* skeletons.c: reads the names of the classes in a file of cases; puts a line for each set of names and
 * returns the number of lines. */
void skeletons_read(const char *path);
uint32_t skeletons_put(void);

/* sidecars.c: writes the rows of a layout's line that belong to this pass. */
void sidecars_line(struct span line, int turn);

/* methods.c: writes the rows of a line about adapters whose turn it is. */
enum { METHOD_NAMES, METHOD_PARTS_OF, METHOD_FORMS };
void methods_line(struct span line, int turn);

/* page.c: writes the files that end so as one text, and its digest: page_NAME and page_NAME_sha256. */
void page_files(char **paths, const char *end, const char *name);

/* prefixes.c: writes the row of a line of prefixes.table. */
void prefixes_line(struct span line);

/* tell.c: lines of tables that a file's contents identify, by name digests or by a number. */
enum told { TOLD_NAMES, TOLD_ID, TOLD_BEFORE, TOLD_KINDS };
/* Adds a line of the text with its name digests, in ascending order. */
void tell_names(uint32_t text, uint32_t bytes, const uint32_t *digests, uint32_t count);
/* ... with its numbers of eight hexadecimal digits, as mktimm.py makes them; n 0: none of that kind. */
void tell(uint32_t text, uint32_t bytes, const struct span by[TOLD_KINDS]);
void write_told(void);

#endif
