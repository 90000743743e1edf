/*
 * derive.h -- what the build derives from src/data: one C file with all texts, and the indexes that lead into them.
 *
 * A program for the machine that builds, whatever the library is built for. It reads files of ours: what is wrong with one ends it, with the file
 * and what is wrong; memory goes back when it ends. formula/embedded.h says what the tables mean that it writes.
 */
#ifndef NUMEL_DATA_DERIVE_H
#define NUMEL_DATA_DERIVE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes, not ended by a NUL. */
struct span {
    const char *p;
    size_t n;
};

/* derive.c */
_Noreturn void fail(const char *where, const char *what);
/* A whole file; *n bytes. */
char *read_whole(const char *path, size_t *n);
/* Room for one more item behind `count`; *room is kept in items. */
void *grown(void *items, size_t count, size_t *room, size_t item);
int span_order(struct span a, struct span b); /* bytewise */
/* The next word of a line, between blanks, cut off it; n 0: none is left. */
struct span word_of(struct span *line);
struct span span_of(const char *text);
/* Appends to the text; returns where it begins. */
uint32_t put(struct span s);
uint32_t put_name(struct span s); /* with a NUL behind it */

/* The place of a model type among those that most files are of; behind all of them when it is none. */
size_t usual_rank(struct span model_type);

/* skeletons.c: takes the names of the classes in a file of cases; puts a line for each set of names, and returns their number. */
void skeletons_read(const char *path);
uint32_t skeletons_put(void);

/* sidecars.c: writes the rows of a line of a layout whose turn it is. */
void sidecars_line(struct span line, int turn);

/* methods.c: writes the rows of a line about adapters whose turn it is. */
enum { METHOD_NAMES, METHOD_PARTS_OF, METHOD_FORMS };
void methods_line(struct span line, int turn);

/* prefixes.c: writes the row of a line of prefixes.table. */
void prefixes_line(struct span line);

/* tell.c: the lines of tables that are told by what a file holds, by digests of names or by a number. */
enum told { TOLD_NAMES, TOLD_ID, TOLD_BEFORE, TOLD_KINDS };
/* A line of the text, which the digests of names tell, ascending. */
void tell_names(uint32_t text, uint32_t bytes, const uint32_t *digests, uint32_t count);
/* ... which numbers of eight digits tell, as mktimm.py makes them; n 0: that does not. */
void tell(uint32_t text, uint32_t bytes, const struct span by[TOLD_KINDS]);
void write_told(void);

#endif
