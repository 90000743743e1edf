/* verify_internal.h -- between verify*.c only: verify_sections.c gathers what was found and lays it out, verify_next.c
 * says what to do about it. */
#ifndef NUMEL_REPORTER_VERIFY_INTERNAL_H
#define NUMEL_REPORTER_VERIFY_INTERNAL_H

#include "reporter/sections.h"

#include <string.h>

struct verify_file {
    numel_str path; /* first: see names.h */
    const struct file_state *state;
    uint64_t count[NUMEL_ERROR + 1]; /* findings by severity */
    enum remedy remedy;
    const char *verdict;
};

struct verify_shown { /* a finding that the levels asked for have */
    const numel_finding *f;
    numel_severity severity; /* after --strict */
    bool beside;             /* another file than those of the set helps */
    uint32_t cause;          /* its number in the judgement, from 1 on; 0: none */
    bool folded;             /* it follows from that, */
    bool lacks;              /* ... which says that something is not there */
    const char *text;
};

struct verify_cause { /* of a change (subject/change.h) */
    const struct change_cause *of;
    numel_severity severity; /* the worst of its findings */
    uint64_t folded;         /* those */
};

struct verify_report {
    const struct verify *v;
    const numel_checkpoint *ck;
    struct arena *arena;
    struct verify_file *files;
    struct names by_path;
    struct verify_shown *shown;
    size_t count, first[NUMEL_ERROR + 2]; /* of shown, by severity: [first[s + 1], first[s]) */
    uint64_t tally[NUMEL_ERROR + 1], folded[NUMEL_ERROR + 1];
    const char *promised;             /* of an index alone; else NULL */
    const numel_judgement *judgement; /* NULL: the level config was not looked at */
    struct verify_cause *causes;
    size_t cause_count;
    size_t *bad;       /* files that are not ok, when there are too many to show */
    const char **next; /* what to do */
    uint64_t reviews;  /* errors about what may run code, not about what is missing */
    size_t beside;     /* findings that another file than those of the set helps */
    size_t next_count;
    const char *levels, *verdict;
    bool reconcile;
};

static inline size_t verify_file_rows(const struct verify_report *r) { return r->v->set->count; }
/* With those that are absent and too many for a list. */
static inline size_t verify_file_total(const struct verify_report *r)
{
    return verify_file_rows(r) + (size_t)r->v->set->absent;
}

/* "model-2.safetensors" of "dir/model-2.safetensors": what the folder is stands above. */
static inline const char *verify_short_path(const numel_checkpoint *ck, const char *path)
{
    size_t n = ck->dir ? strlen(ck->dir) : 0;
    return n && strncmp(path, ck->dir, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* verify_causes.c: what the findings that were gathered follow from. */
NUMEL_MUST bool verify_causes(struct verify_report *r, numel_error *e);
/* ... as lines of text; false: NOMEM. */
NUMEL_MUST bool verify_cause_lines(struct numel_report *out, struct verify_report *r);

/* verify_next.c: r->next, of findings that were gathered. */
NUMEL_MUST bool verify_next(struct verify_report *r, numel_error *e);

/* verify_verdict.c: r->verdict; of `unreadable` files nothing is known. NOMEM. */
NUMEL_MUST bool verify_verdict(struct verify_report *r, size_t unreadable, numel_error *e);

#endif
