/*
 * line.h -- lines that lead to a number: named sums that add up to a total, and the proof that they do.
 *
 * Everybody who accounts for a number does it with a tally: reconcile (formula + causes = stored), diff
 * (a + causes = b), a printout (printed + causes = held), counters (parameters + causes = what another
 * tool shows), explain (a way of counting = the number that somebody states).
 *
 *     code      what a line is about: a row of its user's table; for programs, it never changes
 *     line      the signed sum of what belongs to the code, how many tensors, what they rest on
 *     tally     the lines, in an arena; there may be any number of them, so that none is ever dropped
 *     closing   all lines are added up once more and held against a total that was counted without
 *               them; what is left over is unexplained, and a line that was lost shows in it
 *
 * Sums are signed, of 64 bits, each step checked. The first failure (OVERFLOW, NOMEM) is kept in the
 * tally's error: what is added behind it is ignored, and tally_close() returns it, which is the only way
 * to a result.
 */
#ifndef NUMEL_STATEMENT_LINE_H
#define NUMEL_STATEMENT_LINE_H

#include "base/names.h"
#include "model/cause.h"

struct line_code {
    const char *code; /* [a-z0-9-]+; numel(5) lists all of them, the same code in two tables means the same */
    const char *text; /* for people */
    bool explains;    /* its elements are accounted for; else the line is what is wrong */
};

struct tally_line {
    const struct line_code *code;
    const char *cause;  /* the code's text, or a better one that the tally's user set */
    const char *detail; /* set by tally_close() from names and note, unless the user did */
    const char *note;   /* behind the names; may be NULL */
    numel_str first;    /* the first of the names behind it, untrusted */
    uint64_t names;
    int64_t tensors, elements, bytes;
    enum ground ground; /* the weakest of its tensors; GROUND_NONE where nobody said one */
    uint64_t unchecked; /* those of its tensors that rest on their names */
    bool explains;
};

struct tally {
    struct arena *arena;
    numel_error *error;
    struct tally_line **lines; /* a line stays where it is */
    size_t count, cap;
};

void tally_init(struct tally *t, struct arena *a, numel_error *e);

/* The line of a code, identified by its address, or NULL. */
struct tally_line *tally_find(const struct tally *t, const struct line_code *code);
/* A new last line, or the one of the code that there is, else a new one. NULL after a failure. */
NUMEL_MUST struct tally_line *tally_new(struct tally *t, const struct line_code *code);
NUMEL_MUST struct tally_line *tally_line(struct tally *t, const struct line_code *code);

/* *sum += plus - minus. False after a failure. */
NUMEL_MUST bool tally_sum(struct tally *t, int64_t *sum, uint64_t plus, uint64_t minus);
/* Adds to the elements of the code's line; `name`, when it has one, is that of a tensor more. NULL after a
 * failure. */
struct tally_line *tally_add(struct tally *t, const struct line_code *code, numel_str name, uint64_t plus,
                             uint64_t minus);
/* One thing more behind the line, of which the first is named. */
void line_name(struct tally_line *l, numel_str name);
/* What the tensor rests on that was just added. NULL is fine. */
void line_rests(struct tally_line *l, enum ground ground);

/* Sorts the lines from number `from` on. */
void tally_sort(struct tally *t, size_t from,
                int (*compare)(const struct tally_line *, const struct tally_line *));

/* Gives each line its detail; *left is what the total, plus - minus, has beyond the lines: 0 when they
 * prove it. False when they could not be added up, with the tally's error set. */
NUMEL_MUST bool tally_close(struct tally *t, uint64_t plus, uint64_t minus, int64_t *left);
/* A last line for what is left, unless it is 0. */
bool tally_rest(struct tally *t, int64_t left);
extern const struct line_code line_unexplained;

/* "NAME", "NAME and 27 more", "" for none; names are escaped, and cut in the middle when long. NULL when
 * out of memory. */
NUMEL_MUST const char *names_and_more(struct arena *a, numel_str first, uint64_t names);
/* NAME alone. */
NUMEL_MUST const char *name_shown(struct arena *a, numel_str name);

#endif
