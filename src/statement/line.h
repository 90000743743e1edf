/*
 * line.h -- lines that lead to a number: named sums that add up to a total, and the proof that they do.
 *
 * Every account of a number is a tally: reconcile (formula + causes = stored), diff (a + causes = b), a
 * printout (printed + causes = stored), counters (parameters + causes = what another tool shows), explain (a
 * way of counting = a stated number).
 *
 *   code     what a line is about: a row in a table of its user; for programs, so it never changes
 *   line     the signed sum of everything with that code, the number of tensors, and their ground
 *   tally    the lines, in an arena; their number is not limited, so none is ever dropped
 *   closing  adds up all lines again and compares them with a total that was counted without them;
 *            the difference is unexplained, so a lost line shows up there
 *
 * Sums are signed 64-bit integers, checked at each step. The tally's error keeps the first failure (OVERFLOW,
 * NOMEM). Anything added afterwards is ignored, and tally_close(), the only way to a result, returns the
 * failure.
 */
#ifndef NUMEL_STATEMENT_LINE_H
#define NUMEL_STATEMENT_LINE_H

#include "base/names.h"
#include "model/cause.h"

struct line_code {
    const char *code; /* [a-z0-9-]+; numel(5) lists all; a code in two tables has one meaning */
    const char *text; /* for people */
    bool explains;    /* its elements are accounted for; false: it reports an error */
};

struct tally_line {
    const struct line_code *code;
    const char *cause;  /* the code's text, or a better one set by the tally's user */
    const char *detail; /* set by tally_close() from names and note, unless already set */
    const char *note;   /* follows the names; may be NULL */
    numel_str first;    /* the first of its names, untrusted */
    uint64_t names;
    int64_t tensors, elements, bytes;
    enum ground ground; /* the weakest of its tensors; GROUND_NONE if unset */
    uint64_t unchecked; /* number of its tensors with ground `name` */
    bool explains;
};

struct tally {
    struct arena *arena;
    numel_error *error;
    struct tally_line **lines; /* lines never move */
    size_t count, cap;
};

void tally_init(struct tally *t, struct arena *a, numel_error *e);

/* The line of a code, compared by address; NULL if there is none. */
struct tally_line *tally_find(const struct tally *t, const struct line_code *code);
/* tally_new() appends a line; tally_line() returns the code's line, or appends one. NULL after a failure. */
NUMEL_MUST struct tally_line *tally_new(struct tally *t, const struct line_code *code);
NUMEL_MUST struct tally_line *tally_line(struct tally *t, const struct line_code *code);

/* *sum += plus - minus. False after a failure. */
NUMEL_MUST bool tally_sum(struct tally *t, int64_t *sum, uint64_t plus, uint64_t minus);
/* Adds to the elements of the code's line. `name`, if not NULL, is the name of one more tensor. NULL after
 * a failure. */
struct tally_line *tally_add(struct tally *t, const struct line_code *code, numel_str name, uint64_t plus,
                             uint64_t minus);
/* Counts one more name in the line, which only keeps the first. */
void line_name(struct tally_line *l, numel_str name);
/* Notes the ground of the tensor just added. Accepts NULL. */
void line_rests(struct tally_line *l, enum ground ground);

/* Sorts the lines from index `from` on. */
void tally_sort(struct tally *t, size_t from,
                int (*compare)(const struct tally_line *, const struct tally_line *));

/* Sets each line's detail. *left is the total, plus - minus, minus the lines: 0 if they prove it. False,
 * with the tally's error set, if they could not be added up. */
NUMEL_MUST bool tally_close(struct tally *t, uint64_t plus, uint64_t minus, int64_t *left);
/* Adds a last line for what is left, unless that is 0. */
bool tally_rest(struct tally *t, int64_t left);
extern const struct line_code line_unexplained;

/* "NAME", "NAME and 27 more", or "" if there are none. Names are escaped; long ones are cut in the middle.
 * NULL: out of memory. */
NUMEL_MUST const char *names_and_more(struct arena *a, numel_str first, uint64_t names);
/* NAME alone. */
NUMEL_MUST const char *name_shown(struct arena *a, numel_str name);

#endif
