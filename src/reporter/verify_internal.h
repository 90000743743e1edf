/* verify_internal.h -- shared by verify*.c only. verify_sections.c collects the findings and lays them
 * out; verify_next.c advises what to do about them. */
#ifndef NUMEL_REPORTER_VERIFY_INTERNAL_H
#define NUMEL_REPORTER_VERIFY_INTERNAL_H

#include "reporter/sections.h"

#include <string.h>

struct verify_file {
    numel_str path; /* first: see names.h */
    const struct file_state *state;
    uint64_t count[NUMEL_ERROR + 1]; /* findings by severity */
    enum remedy remedy;
    struct toned verdict;
    bool ok;
};

struct verify_shown { /* a finding of a requested level */
    const numel_finding *f;
    numel_severity severity; /* after --strict */
    bool beside;             /* the remedy is a file outside the set */
    uint32_t cause;          /* its number in the judgement, from 1; 0: none */
    bool folded;             /* it follows from the cause */
    bool lacks;              /* ... which is that something is missing */
    const char *text;
};

struct verify_cause { /* of a change (subject/change.h) */
    const struct change_cause *of;
    numel_severity severity; /* the worst of its findings */
    uint64_t folded;         /* number of its findings */
};

struct verify_report {
    const struct verify *v;
    const numel_checkpoint *ck;
    struct arena *arena;
    struct verify_file *files;
    struct names by_path;
    struct verify_shown *shown;
    size_t count, first[NUMEL_ERROR + 2]; /* start of each severity in shown: [first[s + 1], first[s]) */
    uint64_t tally[NUMEL_ERROR + 1], folded[NUMEL_ERROR + 1];
    const char *promised;             /* for an index without shards; else NULL */
    const numel_judgement *judgement; /* NULL if the level config was not run */
    struct verify_cause *causes;
    size_t cause_count;
    size_t *bad;       /* files that are not ok, if there are too many to show */
    const char **next; /* what to do */
    uint64_t reviews;  /* errors about code that may run, not about missing data */
    size_t beside;     /* findings with a remedy outside the set */
    size_t next_count;
    const char *levels;
    struct toned verdict;
    bool reconcile;
};

static inline size_t verify_file_rows(const struct verify_report *r) { return r->v->set->count; }
/* Includes missing files that are too many to list. */
static inline size_t verify_file_total(const struct verify_report *r)
{
    return verify_file_rows(r) + (size_t)r->v->set->absent;
}

/* "model-2.safetensors" for "dir/model-2.safetensors", as the folder is shown above. */
static inline const char *verify_short_path(const numel_checkpoint *ck, const char *path)
{
    const char *dir = ck->dir ? path_shown(ck->dir) : "";
    size_t n = strlen(dir);
    path = path_shown(path);
    return n && strncmp(path, dir, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* Finds the causes of the findings (verify_causes.c). */
NUMEL_MUST bool verify_causes(struct verify_report *r, numel_error *e);
/* ... and adds them as lines of text; false: NOMEM. */
NUMEL_MUST bool verify_cause_lines(struct numel_report *out, struct verify_report *r);

/* Sets r->next from the findings (verify_next.c). */
NUMEL_MUST bool verify_next(struct verify_report *r, numel_error *e);

/* Sets r->verdict (verify_verdict.c). `unreadable` files leave no verdict. NOMEM. */
NUMEL_MUST bool verify_verdict(struct verify_report *r, size_t unreadable, numel_error *e);

#endif
